"""What first guesses for a rod between two poses have in common."""

from abc import ABC, abstractmethod

from flexura.robot.elastic import Elastic
from flexura.rods.quadrature import unit_rule
from flexura.typing import Array, Pose, Strain, Vector, Wrench

PLACES, WEIGHT = unit_rule(24)


class Shape(ABC):
    """A curve that starts at the identity, or nearly.

    Attributes:
        hangs: whether it is that of a cord.
    """

    hangs: bool = False

    @abstractmethod
    def poses(self, s: Array) -> Pose:
        """Poses at arc lengths s [m]."""

    @abstractmethod
    def strain(self, s: Array) -> Strain:
        """Strain at arc lengths s [m]."""

    def wrench(self, s: Array) -> Wrench:
        """Moment [N·m] and tension [N] at arc lengths s [m], in axes of sections, if it hangs."""
        raise NotImplementedError(f"a {type(self).__name__} is that of no cord")

    def places(self, s: Array) -> tuple[Pose, Strain]:
        """Both at once."""
        return self.poses(s), self.strain(s)

    def energy(self, rod: Elastic, end: Pose, load: Vector) -> float:
        """Energy of a rod that follows it, and potential of a load [J].

        Args:
            rod: its length, stiffness and rest shape.
            end: pose at which it is held.
            load: on each meter [N/m].
        """
        s = rod.length * PLACES
        poses, strain = self.places(s) if load.any() else (None, self.strain(s))
        strained = strain - rod.rest_strain(s)
        stored = 0.5 * WEIGHT @ (rod.stiffness(s) * strained**2).sum(axis=1)
        fallen = 0.0 if poses is None else WEIGHT @ poses[:, :3, 3] @ load
        return float(rod.length * (stored - fallen))
