"""Materials that robots are made of, with published values: ``fx.materials.nitinol``.

They are typical values near 20 °C, for a first model. What a wire or a print really has depends
on how it was made: measure it where the answer matters. ``names()`` lists them, ``find(name)``
looks one up, and robot files take them by name. The page docs/materials.md says how far each was
compared with a second source.
"""

from flexura.errors import UnknownName, known
from flexura.robot.check import BadField, instance
from flexura.robot.material import Material

PSI = 6894.757  # [Pa]
RUBBER = 0.49  # Poisson's ratio of rubbers, which hardly change their volume


def _rubber(modulus_100: float, density: float) -> Material:
    """Rubber by its 100 % modulus σ [Pa], the tension at twice the length by the first area.

        σ = G (λ − 1/λ²),   λ = 2,   E = 3 G = 12 σ / 7

    as the neo-Hookean law has it, which needs no more than this one number.
    """
    return Material(young=12.0 * modulus_100 / 7.0, poisson=RUBBER, density=density)


nitinol = Material(young=83e9, poisson=0.33, density=6450.0)
"""Nickel-titanium, superelastic: austenite, before the plateau at about 1 % of strain.

Johnson Matthey, Nitinol technical properties. Martensite has 28 to 41 GPa; for drawn wires and
tubes 50 to 75 GPa are measured.
"""

spring_steel = Material(young=207e9, poisson=0.292, density=7800.0)
"""Carbon steel, as music wire. Shigley's Mechanical Engineering Design, 9th edition, table A-5."""

stainless_304 = Material(young=193e9, poisson=0.29, density=8000.0)
"""Stainless steel AISI 304 (1.4301). ASM Aerospace Specification Metals, AISI Type 304."""

stainless_316l = Material(young=193e9, poisson=0.305, density=7990.0)
"""Stainless steel AISI 316L (1.4404). AK Steel, 316/316L product data; ν of 18-8 steel: Shigley."""

aluminum = Material(young=68.9e9, poisson=0.33, density=2700.0)
"""Aluminium alloy 6061-T6. ASM Aerospace Specification Metals, Aluminum 6061-T6."""

titanium = Material(young=113.8e9, poisson=0.342, density=4430.0)
"""Titanium alloy Ti-6Al-4V, grade 5, annealed. ASM Aerospace Specification Metals, Ti-6Al-4V."""

nylon = Material(young=3.1e9, poisson=0.41, density=1140.0)
"""Polyamide 66, dry: moist from the air it has 1.4 GPa. DuPont, Zytel 101L NC010."""

peek = Material(young=4.0e9, poisson=0.4, density=1300.0)
"""Polyether ether ketone. Victrex, PEEK 450G."""

ptfe = Material(young=0.55e9, poisson=0.46, density=2200.0)
"""Polytetrafluoroethylene, in the middle of 0.3 to 0.8 GPa. Goodfellow, PTFE."""

pla = Material(young=3.6e9, poisson=0.36, density=1240.0)
"""Polylactic acid, solid: prints are softer. NatureWorks, Ingeo 4043D; ν: Farah et al. 2016."""

tpu = Material(young=12e6, poisson=RUBBER, density=1190.0)
"""Thermoplastic polyurethane, Shore 85A. NinjaTek, NinjaFlex."""

ecoflex_00_30 = _rubber(10.0 * PSI, 1070.0)
"""Silicone rubber, Shore 00-30, from its 100 % modulus of 10 psi. Smooth-On, Ecoflex series."""

ecoflex_00_50 = _rubber(12.0 * PSI, 1070.0)
"""Silicone rubber, Shore 00-50, from its 100 % modulus of 12 psi. Smooth-On, Ecoflex series."""

dragon_skin_30 = _rubber(86.0 * PSI, 1080.0)
"""Silicone rubber, Shore 30A, from its 100 % modulus of 86 psi. Smooth-On, Dragon Skin series."""

carbon_fiber = Material(young=147e9, shear=7.0e9, density=1600.0)
"""Carbon fibres along the rod in epoxy, as in pultruded rods: AS4/3501-6, 63 % of fibres.

Not isotropic: its shear modulus is given, which a Poisson's ratio would make eight times too large.
Daniel and Ishai, Engineering Mechanics of Composite Materials, 2006, table A.4.
"""

glass_fiber = Material(young=41e9, shear=4.3e9, density=1970.0)
"""E-glass fibres along the rod in epoxy, as in pultruded rods, 55 % of fibres. As carbon_fiber."""


def names() -> tuple[str, ...]:
    """The names of all materials, in the order of this file."""
    return tuple(name for name, value in globals().items() if isinstance(value, Material))


def find(name: str) -> Material:
    """The material of that name.

    Raises:
        UnknownName: if there is none, with the names of all.
    """
    material: Material = globals()[known("material", name, names())]
    return material


def check_material(who: str, value: object) -> None:
    """Raise unless it is a material; where it is a name, as files have them, say what to write."""
    if not isinstance(value, str):
        instance(who, "material", value, Material)
    elif value in names():
        raise BadField(
            f"{who}: material must be Material, got {value!r}; write fx.materials.{value}",
            "material",
        )
    else:
        unknown = UnknownName("published one", value, names())
        raise BadField(f"{who}: material must be Material; {unknown}", "material")


def __getattr__(name: str) -> Material:
    """Say which materials there are."""
    raise AttributeError(str(UnknownName("material", name, names())))
