"""What may be between two balls of a strand, or between one and what the world holds."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from flexura.model.held import Held
from flexura.model.start_load import Forces
from flexura.model.topology import Passed
from flexura.rods.funicular import Span
from flexura.typing import Pose, Vector


class Placed(NamedTuple):
    """Where a link hangs.

    Attributes:
        rods: its rods.
        bodies: coordinates of its bodies, and their poses.
    """

    rods: list[Held]
    bodies: list[tuple[int, Pose]]


class Link(Protocol):
    """Rods that follow each other, or a body."""

    @property
    def chain(self) -> Sequence[Passed]:
        """The pieces of rods that it has, if any."""

    @property
    def onward(self) -> tuple[int, int]:
        """The ball that it ends at, if it does, and the node beyond that."""

    @property
    def last(self) -> Vector | None:
        """Where it ends, if the world holds it there [m]."""

    @property
    def length(self) -> float:
        """How far its ends may be apart [m]."""

    def held(self, begin: Vector, end: Vector) -> Held | None:
        """Its rods between two places [m], if it has any."""

    def span(self, load: Vector, forces: Forces) -> Span | None:
        """It as a rod between two balls; None if it does not hang as one.

        Args:
            load: on each meter of it, in world axes [N/m].
            forces: on nodes.
        """

    def placed(self, begin: Vector, end: Vector, forces: Forces, rest: Pose) -> Placed | None:
        """It between two places; None if it does not get from one to the other.

        Args:
            begin: where it begins [m].
            end: where it ends [m].
            forces: on nodes.
            rest: coordinates, of which bodies turn no more than they need.
        """
