"""A rigid body."""

from dataclasses import dataclass

from flexura.robot.check import assign, instance, moments, nonnegative, part_name, vector3
from flexura.robot.shape import AnyShape
from flexura.typing import ArrayLike


@dataclass(frozen=True)
class Body:
    """A rigid body; its frame is called as it is.

    Attributes:
        name: Name of the body and of its frame.
        mass: Mass [kg].
        inertia: Moments of inertia about axes through the centre of mass that are parallel to
            those of the body's frame, which must be principal axes [kg·m²].
        center: Centre of mass in the body's frame [m].
        shape: What is drawn, and what contacts touch; None is nothing.
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
        assign(self, inertia=moments(who, "inertia", self.inertia, heavy=self.mass > 0.0))
        if self.shape is not None:
            instance(who, "shape", self.shape, AnyShape)
