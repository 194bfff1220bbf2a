"""What a rod is made of."""

from dataclasses import dataclass

from flexura.robot.check import BadField, assign, finite, in_range, nonnegative, one_given, positive


@dataclass(frozen=True)
class Material:
    """A linear elastic, isotropic material.

    Exactly one of ``poisson`` and ``shear`` is given; ``shear_modulus`` is the modulus in use.

    Attributes:
        young: Young's modulus E [Pa].
        poisson: Poisson's ratio ν [-], -1 < ν <= 0.5.
        shear: Shear modulus G [Pa].
        density: Mass density [kg/m³]; 0 makes the rod massless.
        viscosity: Viscosity of the Kelvin-Voigt law [Pa·s].
    """

    young: float
    poisson: float | None = None
    shear: float | None = None
    density: float = 0.0
    viscosity: float = 0.0

    def __post_init__(self) -> None:
        assign(
            self,
            young=positive("Material", "young", self.young),
            density=nonnegative("Material", "density", self.density),
            viscosity=nonnegative("Material", "viscosity", self.viscosity),
        )
        example = "Material(young=210e9, poisson=0.3)"
        one_given("Material", example, poisson=self.poisson, shear=self.shear)
        if self.shear is not None:
            assign(self, shear=positive("Material", "shear", self.shear))
        else:
            assign(self, poisson=_poisson(self.poisson))
        if not in_range(self.shear_modulus):
            raise BadField(
                f"Material: young={self.young} Pa and poisson={self.poisson} give a shear modulus "
                f"of {self.shear_modulus} Pa; use values of a real material",
                "young",
            )

    @property
    def shear_modulus(self) -> float:
        """Shear modulus G, as given or E / (2 (1 + ν)) [Pa]."""
        if self.shear is not None:
            return self.shear
        assert self.poisson is not None
        return self.young / (2.0 * (1.0 + self.poisson))


def _poisson(value: object) -> float:
    """Poisson's ratio within the limits of a stable material."""
    poisson = finite("Material", "poisson", value)
    if not -1.0 < poisson <= 0.5:
        raise BadField(
            f"Material: poisson must be in -1 < poisson <= 0.5, got {poisson}; "
            "metals have about 0.3, rubber 0.5",
            "poisson",
        )
    return poisson
