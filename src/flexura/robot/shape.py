"""Shapes of rigid bodies, for pictures only: what a body weighs is given with the body."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from flexura.robot.check import BadField, assign, bad, positive, vector
from flexura.typing import ArrayLike

FLAT = 1e-12  # area of a polygon relative to the square around it that rounding leaves of a line


@dataclass(frozen=True)
class Box:
    """A box around the origin of the body's frame.

    Attributes:
        x: Size along x [m].
        y: Size along y [m].
        z: Size along z [m].
    """

    x: float
    y: float
    z: float

    def __post_init__(self) -> None:
        for field in ("x", "y", "z"):
            assign(self, **{field: positive("Box", field, getattr(self, field))})


@dataclass(frozen=True)
class Cylinder:
    """A cylinder along the x axis, around the origin of the body's frame.

    Attributes:
        radius: Radius [m].
        length: Length along x [m].
    """

    radius: float
    length: float

    def __post_init__(self) -> None:
        for field in ("radius", "length"):
            assign(self, **{field: positive("Cylinder", field, getattr(self, field))})


@dataclass(frozen=True)
class Sphere:
    """A sphere around the origin of the body's frame; radius in [m]."""

    radius: float

    def __post_init__(self) -> None:
        assign(self, radius=positive("Sphere", "radius", self.radius))


@dataclass(frozen=True)
class Plate:
    """A flat plate in the y-z plane of the body's frame, half of it on either side.

    Attributes:
        points: Corners (y, z) of its outline in order, at least three [m].
        thickness: Thickness along x [m].
    """

    points: Sequence[ArrayLike]
    thickness: float

    def __post_init__(self) -> None:
        assign(
            self,
            points=_outline(self.points),
            thickness=positive("Plate", "thickness", self.thickness),
        )


AnyShape: TypeAlias = Box | Cylinder | Sphere | Plate


def _outline(value: object) -> tuple[tuple[float, ...], ...]:
    """The corners of a polygon that encloses an area."""
    try:
        corners = list(value)  # type: ignore[call-overload]
    except TypeError:
        corners = []
    if len(corners) < 3:
        remedy = "write for example [(0, 0), (0.1, 0), (0, 0.1)]"
        raise bad("Plate", "points", "at least three corners (y, z)", value, remedy)
    points = tuple(vector("Plate", f"points[{i}]", p, (2,)) for i, p in enumerate(corners))
    (y0, z0), size = points[0], max(abs(number) for point in points for number in point)
    # Divided before they are subtracted, so that nothing leaves the range of floats.
    scaled = [(y / size - y0 / size, z / size - z0 / size) for y, z in points] if size else []
    extent = max((abs(number) for point in scaled for number in point), default=0.0)
    twice = sum(
        a[0] * b[1] - a[1] * b[0] for a, b in zip(scaled, scaled[1:] + scaled[:1], strict=True)
    )
    if abs(twice) <= FLAT * extent * extent:
        raise BadField(
            f"Plate: the outline through its {len(points)} points encloses no area; "
            "give its corners in order, once each",
            "points",
        )
    return points
