"""A slender elastic rod."""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from flexura.errors import ModelError
from flexura.robot.check import (
    LARGEST,
    SMALLEST,
    BadField,
    assign,
    bad,
    finite,
    in_range,
    instance,
    part_name,
    positive,
    vector,
)
from flexura.robot.function import HoldsFunctions, check_importable
from flexura.robot.material import Material
from flexura.robot.rest import SplineRest
from flexura.robot.section import AnySection, UniformSection
from flexura.typing import Array, ArrayLike, Strain, StrainFunction

# Arc lengths that miss the end of a rod by rounding (0.1 + 0.2 > 0.3) are taken as the end.
ROUNDING = 1e-12
# A length typed with seven digits is that of a drawn rest shape.
DRAWN_LENGTH = 1e-6


@dataclass(frozen=True)
class Rod(HoldsFunctions):
    """A rod along its local x axis, from ``base`` (s = 0) to ``tip`` (s = length).

    Attributes:
        name: Name of the rod; its ends are the frames "<name>.base" and "<name>.tip".
        length: Arc length of the unloaded rod [m].
        section: Cross-section, uniform or a ``Taper``.
        material: Material.
        rest: Shape without load: None is straight, three numbers are a constant curvature
            (torsion, bending about y, bending about z) [1/m], six a constant strain (curvature,
            stretch, shear y, shear z) [1/m, -]; a function of s [m] returns three or six. A
            ``SplineRest`` is drawn by control poses and has the length of the rod.
        shear_factor: Shear correction factor of the section [-].
    """

    name: str
    length: float
    section: AnySection
    material: Material
    rest: ArrayLike | SplineRest | StrainFunction | None = None
    shear_factor: float = 1.0

    def __post_init__(self) -> None:
        assign(self, name=part_name("Rod", self.name))
        assign(
            self,
            length=positive(self._who, "length", self.length),
            shear_factor=positive(self._who, "shear_factor", self.shear_factor),
        )
        instance(self._who, "section", self.section, AnySection)
        instance(self._who, "material", self.material, Material)
        if self.rest is not None and not callable(self.rest):
            rest = vector(self._who, "rest", self.rest, (3, 6))
            assign(self, rest=rest)
        self._check_drawn_length()
        for s in (0.0, 0.5 * self.length, self.length):
            self.rest_strain(s)
            self._check_constants(s)

    def __getstate__(self) -> dict[str, Any]:
        if callable(self.rest):
            remedy = "or give numbers or rest_from_spline(...)"
            check_importable(self._who, "rest", self.rest, remedy)
        return vars(self)

    @property
    def _who(self) -> str:
        return f"Rod {self.name!r}"

    def clamp(self, s: float, who: str | None = None, field: str = "s") -> float:
        """The arc length s [m], checked to lie on the rod and freed from rounding at its tip.

        An error names ``field`` of ``who``, which is the rod itself if nobody else.
        """
        s = finite(who or self._who, field, s)
        if not 0.0 <= s <= self.length * (1.0 + ROUNDING):
            allowed = f"in [0, {self.length}] m, on rod {self.name!r}"
            raise bad(who or self._who, field, allowed, s, "arc length runs from base to tip")
        return min(s, self.length)

    def section_at(self, s: float) -> UniformSection:
        """The cross-section at arc length s [m]."""
        return self.section.at(self.clamp(s) / self.length)

    def stiffness(self, s: float) -> Array:
        """Diagonal of the section stiffness at arc length s [m].

            K = diag(G J, E Iy, E Iz, E A, k G A, k G A)

        Returns:
            Torsion, bending about y and z [N·m²], stretch, shear along y and z [N], shape (6,).
        """
        section = self.section_at(s)
        E, G = self.material.young, self.material.shear_modulus
        shear = self.shear_factor * G * section.area
        return np.array(
            [G * section.torsion, E * section.iy, E * section.iz, E * section.area, shear, shear]
        )

    def rest_strain(self, s: float) -> Strain:
        """Strain of the unloaded rod at arc length s [m]: straight is (0, 0, 0, 1, 0, 0).

        Returns:
            Curvature (torsion, bending y, z) [1/m], stretch and shear y, z [-], shape (6,).
        """
        s = self.clamp(s)
        if self.rest is None:
            values: tuple[float, ...] = (0.0, 0.0, 0.0)
        elif callable(self.rest):
            values = vector(f"{self._who} at s = {s} m", "rest", self._call_rest(s), (3, 6))
        else:
            values = cast(tuple[float, ...], self.rest)
        strain = np.array(values if len(values) == 6 else (*values, 1.0, 0.0, 0.0))
        if strain[3] <= 0.0:
            allowed = f"a strain whose stretch, the fourth number, is > 0 (s = {s} m)"
            raise bad(self._who, "rest", allowed, values, "the stretch of an unloaded rod is 1")
        return strain

    @property
    def kinks(self) -> tuple[float, ...]:
        """Arc lengths inside the rod where its rest strain is not smooth, as far as known [m]."""
        return self.rest.knots if isinstance(self.rest, SplineRest) else ()

    def mass_per_length(self, s: float) -> float:
        """Mass per arc length at s [m], in [kg/m]."""
        return self.material.density * self.section_at(s).area

    def _call_rest(self, s: float) -> object:
        """What the user's function returns at s."""
        try:
            return cast(StrainFunction, self.rest)(s)
        except Exception as error:
            raise BadField(
                f"{self._who}: rest(s) failed at s = {s} m with {type(error).__name__}: "
                f"{error}; it must return 3 curvatures or 6 strains for all s in "
                f"[0, {self.length}] m",
                "rest",
            ) from error

    def _check_drawn_length(self) -> None:
        """Refuse a drawn rest shape of another length."""
        if isinstance(self.rest, SplineRest):
            drawn = self.rest.length
            if abs(self.length - drawn) > DRAWN_LENGTH * drawn:
                allowed = f"{drawn!r} m, as long as the rest shape is drawn"
                raise bad(self._who, "length", allowed, self.length, "write length=rest.length")

    def _check_constants(self, s: float) -> None:
        """Refuse a stiffness, also of the whole rod, or a mass beyond the range of numbers."""
        stiffness, mass = self.stiffness(s), self.mass_per_length(s)
        whole = stiffness[:3] / self.length / self.length
        if not (in_range(stiffness) and in_range(whole) and mass <= LARGEST):
            raise ModelError(
                f"{self._who}: its stiffness at s = {s} m comes out as {stiffness.tolist()}, "
                f"its bending and torsion over the length squared as {whole.tolist()} N and its "
                f"mass as {mass} kg/m, but must be from {SMALLEST:g} to {LARGEST:g}; check the "
                "units of length, section and material"
            )
