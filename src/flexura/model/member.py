"""Members: what acts on particles, and may tie them to rods.

A member is made once; for an evaluation it makes an ``Active`` that owns its arrays and knows the
slots of the matrix. It adds forces of particles, as gradients of the energy, and their tangents.
To add one, derive from both, as ``members/`` does, and let a function of ``model/mechanics`` make
it.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from flexura.model.law import Given
from flexura.model.layout import Layout
from flexura.model.particles import ParticleWork
from flexura.model.state import State
from flexura.typing import Array, Indices, Pose
from flexura.value import Value

NO_CELLS = np.empty((0, 1), dtype=np.int64)


class Brought(NamedTuple):
    """A block of unknowns that a member brings.

    Attributes:
        multiplier: which of them are multipliers, one by one.
        units: what turns their residuals into forces, and gaps into lengths, one by one.
        particles: that it interacts with.
        nodes: whose poses and inner unknowns it interacts with.
    """

    multiplier: tuple[bool, ...]
    units: tuple[float, ...]
    particles: Indices
    nodes: Indices


class Around(Protocol):
    """A model where it is evaluated; see ``Assembly``."""

    model: Any
    layout: Layout
    state: State
    given: Given
    nodes: Pose
    force: Array
    residual: Array
    parts: list[Any]


class Active:
    """A member in an evaluation. What a member has not, it leaves out."""

    def place(self, assembly: Around) -> None:
        """Get ready at a state, where nodes, points and particles are placed."""

    def act(self, assembly: Around) -> None:
        """Add what acts on particles, nodes and inner unknowns, and residuals of own unknowns."""

    def pull_back(self, assembly: Around, values: Array) -> None:
        """Add the tangent to the values of the matrix."""

    def slope(self, assembly: Around, change: Array, force: Array) -> None:
        """Add how forces of particles change with the given values, (n_particles, 3)."""

    def multiply(self, assembly: Around, motion: Array, force: Array, found: Array) -> None:
        """Add what the tangent makes of a motion of the particles, (n_particles, 3).

        Args:
            assembly: what was evaluated.
            motion: of the particles; unknowns that they are rest.
            force: of the particles, added to.
            found: residuals of the member's own unknowns, (n_dof,), added to.
        """

    def drift(self, assembly: Around, drift: Array, force: Array, found: Array) -> None:
        """Add what the tangent makes of a motion of the nodes that it depends on by itself.

        Args:
            assembly: what was evaluated.
            drift: of the nodes, in their frames, (n_nodes, 6).
            force: of the nodes, added to, (n_nodes, 6).
            found: residuals of all unknowns, added to, (n_dof,).
        """

    def jumps(self, part: int, rod: int) -> tuple[Array, Array, Pose] | None:
        """Where it acts on a rod of a part by itself: arc lengths, wrenches as gradients, poses."""
        return None

    def energy(self, assembly: Around, stored: bool) -> float:
        """Energy that is stored in the volume, or potential of what drives it [J]."""
        return 0.0

    def measure(self, assembly: Around, motion: Array, dq: Array) -> tuple[float, float]:
        """How far a step turns or strains the volume [rad], and its size, relative."""
        return 0.0, 0.0

    def force_size(self) -> float:
        """Size of the internal forces of the last evaluation [N]."""
        return 0.0

    def rounding(self, assembly: Around) -> float:
        """Size of rounding errors in the forces, relative to that of numbers [N]."""
        return 0.0


class Member(Value, ABC):
    """What acts on particles.

    Attributes:
        stiffness: a force that it takes to change its size altogether [N].
        strained_by_turns: whether turns strain it that Newton's method makes along straight lines.
    """

    stiffness: float = 0.0
    strained_by_turns: bool = False

    @property
    def cells(self) -> Indices:
        """Particles that interact, group by group, (m, k)."""
        return NO_CELLS

    @property
    def brings(self) -> Sequence[Brought]:
        """Blocks of unknowns of its own."""
        return ()

    @property
    def reads(self) -> frozenset[int]:
        """Places of the given values that it takes."""
        return frozenset()

    @abstractmethod
    def active(self, layout: Layout, particles: ParticleWork, rows: Indices) -> Active:
        """The member in an evaluation.

        Args:
            layout: of the model.
            particles: the arrays of its particles.
            rows: unknowns that the member brings.
        """

    def softened(self) -> "Member":
        """The same, so that turns along straight lines meet less: a way into the equilibrium."""
        return self

    def conservative(self, values: Array) -> bool:
        """Whether it has a potential, at given values."""
        return True

    @property
    def rubs(self) -> bool:
        """Whether it is friction, if it has none."""
        return False

    def size(self, values: Array) -> float:
        """Size of the forces that it brings in from outside [N]."""
        return 0.0
