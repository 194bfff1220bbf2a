"""What every description of a rod offers to the rest of the library.

A discretization turns rods into **nodes** and **points**. Nodes are poses; the model makes them
coordinates, or ties them to the coordinate of what they are welded to. Between two nodes there may
be inner unknowns. Points are where densities along the rod act, the points of quadrature; what acts
at one place acts on a node. Laws see poses and strains only; a discretization knows no physics. To
add a description, write one file with a ``Discretization`` and its ``RodGroup``.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from flexura.robot import Rod
from flexura.rods.assumed_strain import AssumedStrain
from flexura.typing import Array, Indices, Pose, Strain

# Points from which on tangents take about 100 µs; to hand over to another thread and back takes 20.
MANY = 48


@dataclass(frozen=True)
class RodPlan:
    """A rod to discretize, with the places that the rest of the robot asks for.

    Attributes:
        rod: the description.
        choice: how to discretize it.
        jumps: arc lengths inside the rod where the strain may jump or kink [m]; each becomes a
            node, except that those closer than a millionth of the length are taken as one.
    """

    rod: Rod
    choice: "Discretization"
    jumps: tuple[float, ...] = ()


@dataclass(frozen=True)
class Points:
    """Where laws act on a group of rods.

    Attributes:
        rod: index of the rod in the group, (n,).
        s: arc length [m], (n,).
        weight: quadrature weight [m], (n,).
    """

    rod: Indices
    s: Array
    weight: Array

    @cached_property
    def many(self) -> bool:
        """Whether tangents there take long enough to let other threads run meanwhile."""
        return len(self.s) >= MANY


@dataclass
class Laws:
    """What terms write at the n points and loose ends of a group, weights included.

    A solve owns it.

    Attributes:
        stress: ∂U/∂ξ, (n, 6).
        stress_ahead: stress for the geometric part of the tangent (mixed iteration), (n, 6).
        stiffness: ∂²U/∂ξ², (n, 36).
        compliance: of stretch and shear, between the unknown forces, where there are any.
        excess: ν - ν* times the weight, (n, 3), there.
        posed: whether a load acts on the pose of the point, (n,).
        load: ∂U/∂ζ of those loads, (n, 6).
        load_tangent: its derivative in the exponential chart, (n, 36).
        loose: nodes that only a rod itself leads to, (n_nodes,); what acts on them is in their
            force before it is carried back.
        end_tangent: its derivative in the exponential chart, (n_nodes, 36).
        symmetric: whether all these tangents are symmetric.
    """

    n_points: int
    n_nodes: int
    symmetric: bool = True
    stress: Array = field(init=False)
    stress_ahead: Array = field(init=False)
    stiffness: Array = field(init=False)
    posed: NDArray[np.bool_] = field(init=False)
    load: Array = field(init=False)
    load_tangent: Array = field(init=False)
    loose: NDArray[np.bool_] = field(init=False)
    end_tangent: Array = field(init=False)
    compliance: Array = field(init=False)
    excess: Array = field(init=False)

    def __post_init__(self) -> None:
        n = self.n_points
        self.stress = np.zeros((n, 6))
        self.stress_ahead = np.zeros((n, 6))
        self.stiffness = np.zeros((n, 36))
        self.posed = np.zeros(n, dtype=np.bool_)
        self.load = np.zeros((n, 6))
        self.load_tangent = np.zeros((n, 36))
        self.loose = np.zeros(self.n_nodes, dtype=np.bool_)
        self.end_tangent = np.zeros((self.n_nodes, 36))
        self.compliance = np.empty((0, 0, 3))
        self.excess = np.empty((0, 3))


@dataclass(frozen=True)
class NodeBlocks:
    """Tangent between nodes that are near each other in a rod.

    ``blocks[n, j]`` (flat 6x6) couples node n to node n + j - reach. Where forces are unknowns of
    their own, ``gradient[n, j]`` (flat 3x6) couples those of the pair that leads to node n to node
    n + j - reach, and ``-compliance[n, j]`` to those of node n + j.
    """

    blocks: Array
    gradient: Array | None = None
    compliance: Array | None = None

    @property
    def reach(self) -> int:
        """How many nodes apart nodes can be that interact."""
        return int(self.blocks.shape[1] - 1) // 2


@dataclass(frozen=True)
class ElementMatrices:
    """Tangents of elements between neighbouring nodes, in the order (node before, inner, node).

    ``matrices[n]`` belongs to the element that leads to node n, (n_nodes, m, m).
    """

    matrices: Array


StrainField: TypeAlias = Callable[[Array], Strain]  # arc lengths (n,) ↦ strains (n, 6)
Coupling: TypeAlias = NodeBlocks | ElementMatrices


class Work(Protocol):
    """Arrays of one evaluation; a solve owns it.

    Attributes:
        pose: g at the points that carry a load on the pose, (n, 4, 4).
        strain: ξ at all points, (n, 6).
    """

    pose: Pose
    strain: Strain


class RodGroup(Protocol):
    """Rods of one kind, discretized together: all of them in one kernel call.

    Between nodes there may be inner unknowns: numbers that belong to one element, such as
    strain coefficients, or multipliers that tie the element to its nodes.

    Attributes:
        order: power of the span length with which positions converge, along the whole rod.
        rod_nodes: nodes of rod i are ``rod_nodes[i] … rod_nodes[i + 1] - 1``, base to tip.
        reach: nodes further apart than this in a rod do not interact.
        free: which strain components can change, (6,).
        n_inner: number of inner unknowns of each element.
        multiplier: which of them are multipliers, (n_inner,).
        integrated: whether poses follow from one node to the next by the inner unknowns, of which
            the last six tie them to the next node.
        inner_units: what turns the residual of an inner unknown into a force [N], and that of a
            multiplier, a gap, into a number, (n_inner,).
        points: where laws act.
        assumed: forces that are unknowns of their own, None if there are none.
    """

    order: int
    rod_nodes: Indices
    reach: int
    free: NDArray[np.bool_]
    n_inner: int
    multiplier: NDArray[np.bool_]
    integrated: bool
    inner_units: Array
    points: Points
    assumed: AssumedStrain | None

    def work(self) -> Any:
        """New arrays for evaluations."""

    def rest(self) -> tuple[Pose, Array]:
        """The unloaded rods: pose of each node in the one before it, and inner unknowns."""

    def node_lengths(self, rod: int) -> Array:
        """Arc lengths of the nodes of a rod, where they lie on a smooth curve that it follows.

        At its ends and at its jumps the nodes lie on the rod itself.
        """

    def fit(self, rod: int, strain: StrainField) -> Array:
        """Inner unknowns of a rod's elements that follow a strain, (rod's nodes, n_inner)."""

    def kinematics(self, nodes: Pose, inner: Array, posed: Indices, work: Any) -> None:
        """Strains at all points and poses at the ``posed`` ones.

        Args:
            nodes: poses of the nodes, (n_nodes, 4, 4).
            inner: unknowns of the element that leads to each node, (n_nodes, n_inner).
            posed: points where the pose is asked for.
            work: where the results go.
        """

    def pull_back(self, laws: Laws, force: Array, inner_force: Array, work: Any) -> Coupling:
        """Carry the laws back: add to the forces of nodes and inner unknowns; the tangent."""

    def carry_back(self, stress: Array, force: Array, inner_force: Array, work: Any) -> None:
        """Add the forces of nodes and inner unknowns that a stress at the points makes.

        First order only, at the state of the last ``kinematics``; weights are in the stress.
        """

    def increments(self, d_nodes: Array, d_inner: Array, work: Any) -> Array:
        """Linear change of the strain at all points for increments of nodes and inner unknowns."""

    def links(self, fraction: float, work: Any) -> Pose:
        """Relative poses of the nodes after a fraction of the last ``increments``."""

    def force(self, inner: Array, rod: int, s: Array) -> Array | None:
        """Force at any arc lengths of a rod, where it is an unknown of its own, (n, 3)."""

    def turn(self, nodes: Pose, work: Any) -> float:
        """Largest rotation of an element, over the largest that the description can tell.

        At the state of the last ``kinematics``.
        """

    def shape(self, nodes: Pose, inner: Array, rod: int, s: Array) -> tuple[Pose, Strain]:
        """Pose and strain of a rod at any arc lengths."""


class Discretization(Protocol):
    """A choice of the user: how to describe rods with finitely many numbers.

    Attributes:
        kind: rods whose choices are of the same kind are discretized in one group.
    """

    @property
    def kind(self) -> Hashable:
        """What the kernels of the group have in common."""

    def group(self, plans: Sequence[RodPlan]) -> RodGroup:
        """Discretize rods whose choices are all of this kind."""
