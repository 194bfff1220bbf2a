"""A rigid body."""

from dataclasses import dataclass

from flexura.robot.check import (
    assign,
    bad,
    instance,
    nonnegative,
    part_name,
    vector3,
)
from flexura.robot.shape import AnyShape
from flexura.typing import ArrayLike

# Moments of a flat body add up exactly; typed with nine digits, to about 2e-9.
TRIANGLE_TOL = 1e-8


@dataclass(frozen=True)
class Body:
    """A rigid body; its frame is called as it is.

    Attributes:
        name: Name of the body and of its frame.
        mass: Mass [kg].
        inertia: Moments of inertia about axes through the centre of mass that are parallel to
            those of the body's frame, which must be principal axes [kg·m²].
        center: Centre of mass in the body's frame [m].
        shape: What to draw; None is nothing.
    """

    name: str
    mass: float = 0.0
    inertia: ArrayLike = (0.0, 0.0, 0.0)
    center: ArrayLike = (0.0, 0.0, 0.0)
    shape: AnyShape | None = None

    def __post_init__(self) -> None:
        assign(self, name=part_name("Body", self.name))
        who = f"Body {self.name!r}"
        assign(
            self,
            mass=nonnegative(who, "mass", self.mass),
            center=vector3(who, "center", self.center),
        )
        assign(self, inertia=_moments(who, self.inertia, heavy=self.mass > 0.0))
        if self.shape is not None:
            instance(who, "shape", self.shape, AnyShape)


def _moments(who: str, value: object, heavy: bool) -> tuple[float, ...]:
    """Three moments of inertia, which a mass can have if the body is heavy."""
    moments = vector3(who, "inertia", value)
    for i, moment in enumerate(moments):
        nonnegative(who, f"inertia[{i}]", moment)
    *smaller, largest = sorted(moments)
    if heavy and largest * (1.0 - TRIANGLE_TOL) > sum(smaller):
        allowed = "three moments of which none is larger than the sum of the others"
        remedy = "give the principal moments about the centre of mass"
        raise bad(who, "inertia", allowed, value, remedy)
    return moments
