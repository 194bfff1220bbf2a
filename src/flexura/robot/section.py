"""Cross-sections: areas, second moments and torsion constants.

The section lies in the y-z plane of the rod's local frame, with y and z its principal axes.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self, TypeAlias

import numpy as np

from flexura.robot.check import (
    BadField,
    assign,
    bad,
    finite,
    in_range,
    instance,
    nonnegative,
    one_given,
    positive,
)
from flexura.typing import Array

Numbers: TypeAlias = float | Array
TUBE = "Tube(outer=2e-3, inner=1e-3) or Tube(outer_diameter=4e-3, wall=1e-3)"
ODD_ZETA_5 = 1.0045237627951383  # Σ 1/n⁵ over odd n = (31/32) ζ(5)


class _Uniform(ABC):
    """A section that is the same along the rod."""

    @staticmethod
    @abstractmethod
    def formulas(*dimensions: Numbers) -> tuple[Numbers, ...]:
        """Area [m²], iy, iz and torsion [m⁴] of one section, or of many at once."""

    def at(self, u: float) -> Self:
        """The section at the fraction u in [0, 1] of the rod: this one."""
        return self

    def between(self, begin: float, end: float) -> Self:
        """The section of a piece of the rod: this one."""
        return self

    def constants(self, u: Numbers) -> tuple[Numbers, ...]:
        """Area [m²], iy, iz and torsion [m⁴] at fractions u of the rod: the same at all of them."""
        return self.formulas(*_dimensions(self))


class _Shaped(_Uniform):
    """A section whose constants follow from its dimensions."""

    @property
    def area(self) -> float:
        """Area [m²]."""
        return self._constant(0)

    @property
    def iy(self) -> float:
        """Second moment of area for bending about y [m⁴]."""
        return self._constant(1)

    @property
    def iz(self) -> float:
        """Second moment of area for bending about z [m⁴]."""
        return self._constant(2)

    @property
    def torsion(self) -> float:
        """Torsion constant [m⁴]."""
        return self._constant(3)

    def _constant(self, which: int) -> float:
        return float(self.formulas(*_dimensions(self))[which])


@dataclass(frozen=True, init=False)
class Circle(_Shaped):
    """Solid circular section, by its radius or its diameter [m]: exactly one of them is given."""

    radius: float

    def __init__(self, radius: float | None = None, *, diameter: float | None = None) -> None:
        example = "Circle(radius=1e-3) or Circle(diameter=2e-3)"
        given = one_given("Circle", example, radius=radius, diameter=diameter)
        if given == "radius":
            assign(self, radius=positive("Circle", "radius", radius))
        else:
            assign(self, radius=positive("Circle", "diameter", diameter) / 2.0)
        _check_constants(self)

    @property
    def diameter(self) -> float:
        """Diameter [m]."""
        return 2.0 * self.radius

    @staticmethod
    def formulas(*dimensions: Numbers) -> tuple[Numbers, ...]:
        """Area [m²], iy, iz and torsion [m⁴] of discs with a radius."""
        (radius,) = dimensions
        area = math.pi * radius * radius
        iy = area * (radius * radius) / 4.0
        return area, iy, iy, 2.0 * iy


@dataclass(frozen=True, init=False)
class Tube(_Shaped):
    """Annular section, 0 <= inner < outer; outer and inner are radii [m].

    Each radius may be given by its diameter instead, and the inner one by the thickness of the
    wall.
    """

    outer: float
    inner: float

    def __init__(
        self,
        outer: float | None = None,
        inner: float | None = None,
        *,
        outer_diameter: float | None = None,
        inner_diameter: float | None = None,
        wall: float | None = None,
    ) -> None:
        outside = {"outer": outer, "outer_diameter": outer_diameter}
        inside = {"inner": inner, "inner_diameter": inner_diameter, "wall": wall}
        assign(self, outer=_outer_radius(outside))
        assign(self, inner=_inner_radius(inside, self.outer))
        _check_constants(self)

    @property
    def outer_diameter(self) -> float:
        """Outer diameter [m]."""
        return 2.0 * self.outer

    @property
    def inner_diameter(self) -> float:
        """Inner diameter [m]."""
        return 2.0 * self.inner

    @property
    def wall(self) -> float:
        """Thickness of the wall [m]."""
        return self.outer - self.inner

    @staticmethod
    def formulas(*dimensions: Numbers) -> tuple[Numbers, ...]:
        """Area [m²], iy, iz and torsion [m⁴] of rings with an outer and an inner radius."""
        outer, inner = dimensions
        area = math.pi * (outer - inner) * (outer + inner)
        iy = area * (outer * outer + inner * inner) / 4.0
        return area, iy, iy, 2.0 * iy


@dataclass(frozen=True)
class Rectangle(_Shaped):
    """Solid rectangular section; width along y and height along z in [m]."""

    width: float
    height: float

    def __post_init__(self) -> None:
        assign(
            self,
            width=positive("Rectangle", "width", self.width),
            height=positive("Rectangle", "height", self.height),
        )
        _check_constants(self)

    @staticmethod
    def formulas(*dimensions: Numbers) -> tuple[Numbers, ...]:
        """Area [m²], iy, iz and the torsion constant of Saint-Venant [m⁴], by width and height.

            J = a b³ (1/3 − (64/π⁵) (b/a) Σ tanh(nπa/2b) / n⁵),   n = 1, 3, 5, …,   a >= b

        The sum is taken as Σ 1/n⁵ − Σ 2 / (n⁵ (exp(nπa/b) + 1)): since a >= b, what n = 11 would
        add to the second sum is below 1e-20.
        """
        width, height = dimensions
        area = width * height
        b, a = np.minimum(width, height), np.maximum(width, height)
        decays = ((n, np.exp(-n * math.pi * a / b)) for n in (1, 3, 5, 7, 9))
        series = ODD_ZETA_5 - sum(2.0 * e / (n**5 * (1.0 + e)) for n, e in decays)
        torsion = area * b * b * (1.0 / 3.0 - 64.0 / math.pi**5 * (b / a) * series)
        return area, area * height * height / 12.0, area * width * width / 12.0, torsion


@dataclass(frozen=True)
class Section(_Uniform):
    """Any section, by its constants.

    Attributes:
        area: Area [m²].
        iy: Second moment of area for bending about y [m⁴].
        iz: Second moment of area for bending about z [m⁴].
        torsion: Torsion constant [m⁴].
    """

    area: float
    iy: float
    iz: float
    torsion: float

    def __post_init__(self) -> None:
        for field in ("area", "iy", "iz", "torsion"):
            assign(self, **{field: positive("Section", field, getattr(self, field))})

    @staticmethod
    def formulas(*dimensions: Numbers) -> tuple[Numbers, ...]:
        """Area [m²], iy, iz and torsion [m⁴], as they are given."""
        return dimensions


UniformSection: TypeAlias = Circle | Tube | Rectangle | Section


@dataclass(frozen=True)
class Taper:
    """A section whose dimensions vary linearly from the base to the tip of the rod.

    Attributes:
        base_section: The section at the base.
        tip_section: The section at the tip, of the same class.
    """

    base_section: UniformSection
    tip_section: UniformSection

    def __post_init__(self) -> None:
        instance("Taper", "base_section", self.base_section, UniformSection)
        instance("Taper", "tip_section", self.tip_section, UniformSection)
        base, tip = type(self.base_section), type(self.tip_section)
        if base is not tip:
            allowed = f"a {base.__name__} as base_section is"
            raise bad("Taper", "tip_section", allowed, self.tip_section, "taper within one class")

    def at(self, u: float) -> UniformSection:
        """The section at the fraction u in [0, 1] of the rod."""
        u = finite("Taper", "u", u)
        if not 0.0 <= u <= 1.0:
            raise bad("Taper", "u", "in [0, 1]", u, "it is the fraction s / length of the rod")
        return type(self.base_section)(*(float(x) for x in self._dimensions(u)))

    def between(self, begin: float, end: float) -> "Taper":
        """The taper of a piece of the rod, from the fraction ``begin`` of it to ``end``."""
        return Taper(self.at(begin), self.at(end))

    def constants(self, u: Numbers) -> tuple[Numbers, ...]:
        """Area [m²], iy, iz and torsion [m⁴] at fractions u of the rod, each of the shape of u."""
        return self.base_section.formulas(*self._dimensions(u))

    def _dimensions(self, u: Numbers) -> list[Numbers]:
        """Dimensions of the section at fractions u of the rod."""
        ends = zip(_dimensions(self.base_section), _dimensions(self.tip_section), strict=True)
        return [(1.0 - u) * base + u * tip for base, tip in ends]


AnySection: TypeAlias = UniformSection | Taper


def is_round(section: AnySection) -> bool:
    """Whether a rod of a section is round outside, which has a radius then."""
    base = section.base_section if isinstance(section, Taper) else section
    return isinstance(base, Circle | Tube)


def _dimensions(section: Any) -> list[float]:
    """Its dimensions, or the constants that it is given by."""
    return [getattr(section, field.name) for field in fields(section)]


def _outer_radius(ways: Mapping[str, float | None]) -> float:
    """The outer radius of a tube, from the one way in which it is given."""
    given = one_given("Tube", TUBE, **ways)
    size = positive("Tube", given, ways[given])
    return size if given == "outer" else size / 2.0


def _inner_radius(ways: Mapping[str, float | None], outer: float) -> float:
    """The inner radius of a tube, from the one way in which it is given."""
    given = one_given("Tube", TUBE, **ways)
    size = nonnegative("Tube", given, ways[given])
    inner = {"inner": size, "inner_diameter": size / 2.0, "wall": outer - size}[given]
    if not 0.0 <= inner < outer:
        allowed = {
            "inner": f"smaller than outer = {outer} m",
            "inner_diameter": f"smaller than the outer diameter, {2.0 * outer} m",
            "wall": f"more than 0 and at most the outer radius, {outer} m",
        }[given]
        raise bad("Tube", given, allowed, ways[given], "the radii are Tube(outer, inner)")
    return inner


def _check_constants(section: Circle | Tube | Rectangle) -> None:
    """Refuse dimensions whose powers leave the range of numbers."""
    constants = tuple(float(x) for x in section.formulas(*_dimensions(section)))
    if not in_range(constants):
        raise BadField(
            f"{section}: area, iy, iz and torsion come out as {constants}; "
            "give dimensions in metres that a rod can have",
            fields(section)[0].name,
        )
