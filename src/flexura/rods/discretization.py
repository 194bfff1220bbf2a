"""What every description of a rod offers to the rest of the library.

A discretization turns rods into **nodes** and **points**. Nodes are poses; the model makes them
coordinates, or ties them to the coordinate of what they are welded to. Between two nodes there may
be inner unknowns. Points are where densities along the rod act, the points of quadrature; what acts
at one place acts on a node. Laws see poses and strains only; a discretization knows no physics. To
add a description, write one file with a ``Discretization`` and its ``RodGroup``.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from flexura.lie.kernels.vector import clear
from flexura.robot import Rod
from flexura.rods.assumed_strain import AssumedStrain
from flexura.rods.point_laws import PointLaws
from flexura.typing import Array, Indices, Pose, Strain, Wrench, frozen
from flexura.value import Value

NO_PAIRS: Indices = frozen(np.empty((0, 2), dtype=np.int64))
# Points from which on tangents take about 100 µs; to hand over to another thread and back takes 20.
MANY = 48

# Unknowns that lie further apart than this many lengths √(EI/T) do not hold what bends at clamps.
LIMPEST = 8.0


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


@dataclass(frozen=True, eq=False)
class Points(Value):
    """Where laws act on a group of rods.

    Attributes:
        rod: index of the rod in the group, (n,).
        s: arc length [m], (n,).
        weight: quadrature weight [m], (n,).
        per_span: points of each Gauss-Legendre rule; they follow each other span by span, along
            which everything is smooth.
    """

    rod: Indices
    s: Array
    weight: Array
    per_span: int

    def spans(self, rod: int) -> tuple[Indices, Array]:
        """The points of a rod, span by span, (n_spans, per_span), and ends of its spans [m]."""
        own = np.flatnonzero(self.rod == rod).reshape(-1, self.per_span)
        return own, np.append(0.0, np.cumsum(self.weight[own].sum(axis=1)))

    @cached_property
    def many(self) -> bool:
        """Whether tangents there take long enough to let other threads run meanwhile."""
        return len(self.s) >= MANY


class PointForces:
    """What laws add at the n points of a group, weights included; a solve owns it.

    The strain of a point has c components, six for a rod.

    Attributes:
        stress: ∂U/∂ξ, (n, c).
        stress_ahead: stress for the geometric part of the tangent (mixed iteration), (n, c).
        stiffness: ∂²U/∂ξ², (n, c²).
        excess: what stretch and shear are beyond those of the unknown forces, ν - ν* - K⁻¹ n,
            in a complementary group, (n, 3).
        flexibility: diagonal of K⁻¹ there, (n, 3).
        posed: whether a load acts on the pose of the point, (n,).
        load: ∂U/∂ζ of those loads, (n, 6).
        load_tangent: its derivative in the exponential chart, (n, 36).
        loose: nodes that only a rod itself leads to, (n_nodes,); what acts on them is in their
            force before it is carried back.
        end_tangent: its derivative in the exponential chart, (n_nodes, 36).
        symmetric: whether all these tangents are symmetric.
        laws: those of these arrays that kernels take together.

    Arrays may be shared with others from the beginning; later they are filled, not replaced.
    """

    def __init__(
        self,
        group_points: int,
        n_nodes: int,
        components: int = 6,
        *,
        posed: NDArray[np.bool_] | None = None,
        loose: NDArray[np.bool_] | None = None,
        end_tangent: Array | None = None,
    ) -> None:
        n, c = group_points, components
        widths = (c, 6, 3, c, c * c, 3, 36)
        self._added = np.zeros(n * sum(widths))
        ends = np.cumsum(np.multiply(n, widths))[:-1]
        parts = np.split(self._added, ends)
        self._forces = self._added[: ends[2]]
        (
            self.stress, self.load, self.excess, self.stress_ahead, self.stiffness,
            self.flexibility, self.load_tangent,
        ) = (part.reshape(n, width) for part, width in zip(parts, widths, strict=True))  # fmt: skip
        self.posed = np.zeros(n, dtype=np.bool_) if posed is None else posed
        self.loose = np.zeros(n_nodes, dtype=np.bool_) if loose is None else loose
        self.end_tangent = np.zeros((n_nodes, 36)) if end_tangent is None else end_tangent
        self.symmetric = True
        self.laws = PointLaws(
            self.stress, self.stress_ahead, self.stiffness, self.posed, self.load,
            self.load_tangent, self.loose, self.end_tangent,
        )  # fmt: skip

    def clear(self) -> None:
        """Take away all that laws have added."""
        clear(self._added)

    def clear_forces(self) -> None:
        """Take away stress, load and excess: all that slopes of laws add to."""
        self._forces.fill(0.0)


class NodeBlocks(NamedTuple):
    """Tangent between nodes that are near each other in a rod.

    ``blocks[n, j]`` (flat 6x6) couples node n to node n + j - reach. Where nodes have inner
    unknowns, v each, ``rows[n, j]`` (flat v x 6) couples those of node n to the pose of node
    n + j - reach, j < 2 reach, and ``between[n, j]`` (v,) each of them to its like of node n + j.
    The transposes of both belong to the tangent, too.
    """

    blocks: Array
    rows: Array | None = None
    between: Array | None = None

    @property
    def reach(self) -> int:
        """How many nodes apart nodes can be that interact."""
        return int(self.blocks.shape[1] - 1) // 2


class ElementMatrices(NamedTuple):
    """Tangents of elements between neighbouring nodes.

    ``matrices[n]`` belongs to the element that leads to node n, (n_nodes, m, m), in the order (pose
    of the node before, what is ``shared``, inner unknowns of node n, pose of node n). Shared are
    inner unknowns of the node before: begin[n] … begin[n] + size[n] - 1 of its row, by two arrays
    (n_nodes,); None if there are none. Where there are fewer shared or inner unknowns than in other
    elements, the first rows of their part are used.
    """

    matrices: Array
    shared: tuple[Indices, Indices] | None = None


@dataclass(frozen=True)
class AngleBlocks:
    """Tangents of angles along rods whose nodes interact near each other.

    Attributes:
        along: of the rods.
        own: between the angles at the beginning of an element and the row of angles at its end, by
            the node that it leads to among those with angles, (a, m, m).
        cross: between poses of the nodes of an element, first to last, and angles at its beginning
            and its coefficients, (a, nodes, 6, columns).
    """

    along: NodeBlocks
    own: Array
    cross: Array


@dataclass(frozen=True)
class MarkedMatrices:
    """Tangents of sets of tubes, and those of the frames of tubes.

    Attributes:
        along: of centrelines and angles.
        marks: tangents of marks, by the pose of the centreline where they are, the angle of the
            tube there, six multipliers and their own pose, (n_marks, 19, 19).
        at: where that is, by node of the group, (n_marks,).
    """

    along: "ElementMatrices | AngleBlocks"
    marks: Array
    at: Indices


StrainField: TypeAlias = Callable[[Array], Strain]  # arc lengths (n,) ↦ strains (n, 6)
WrenchField: TypeAlias = Callable[[Array], Wrench]  # arc lengths (n,) ↦ wrenches (n, 6)
Coupling: TypeAlias = NodeBlocks | ElementMatrices | AngleBlocks | MarkedMatrices


class Work(Protocol):
    """Arrays of one evaluation; a solve owns it.

    Attributes:
        pose: g at the points that carry a load on the pose, (n, 4, 4).
        strain: ξ at all points, (n, components).
        force: unknown forces of stretch and shear at all points of a complementary group, (n, 3);
            of other groups none, (0, 3).
    """

    pose: Pose
    strain: Strain
    force: Array


class RodGroup(Protocol):
    """Rods of one kind, discretized together: all of them in one kernel call.

    Besides its pose, a node may have inner unknowns, numbers such as strain coefficients of the
    element that leads to it, forces, or multipliers that tie the element to its nodes.

    Attributes:
        order: power of the span length with which positions converge, along the whole rod.
        components: numbers of a strain at a point.
        rod_nodes: nodes of rod i are ``rod_nodes[i] … rod_nodes[i + 1] - 1``, base to tip.
        reach: nodes further apart than this in a rod do not interact.
        free: which strain components can change, (6,).
        n_inner: width of the row of inner unknowns that is stored with each node.
        inner_size: how many of that row, the first ones, are unknowns, (n_nodes,).
        multiplier: which of them are multipliers, (n_inner,).
        integrated: whether poses follow from one node to the next by the inner unknowns, of which
            the last six tie them to the next node.
        complementary: whether the forces of stretch and shear are among the inner unknowns. A law
            then writes the stress of ``work.force`` for them, ``excess`` and ``flexibility``.
        delicate: whether elements under large loads may buckle where rods do not, their ends held.
        limpest: how many lengths √(EI/T), within which a rod bends under a tension T, unknowns may
            lie apart, six for each place.
        denser: how many times closer they are at the ends of rods than on average.
        grain: about the length within which the strain of each rod can change; one that changes by
            Δ there leaves positions wrong by about Δ times its square [m], (n_rods,).
        inner_units: what turns the residual of an inner unknown into a force [N], and that of a
            multiplier, a gap, into a number, (n_inner,).
        points: where laws act.
    """

    order: int
    components: int
    rod_nodes: Indices
    reach: int
    free: NDArray[np.bool_]
    n_inner: int
    inner_size: Indices
    multiplier: NDArray[np.bool_]
    integrated: bool
    complementary: bool
    delicate: bool
    limpest: float
    denser: float
    grain: Array
    inner_units: Array
    points: Points

    @property
    def pairs(self) -> Indices:
        """Nodes that may interact though they are not near each other in a rod, (n, 2)."""

    @property
    def hidden(self) -> int | Indices:
        """How many inner unknowns of a row, the first ones, only its node and those before it meet.

        One number, or one for each node.
        """

    @property
    def assumed(self) -> AssumedStrain | None:
        """The functions of unknown forces of stretch and shear; None where they are none."""

    def work(self) -> Any:
        """New arrays for evaluations."""

    def rest(self) -> tuple[Pose, Array]:
        """The unloaded rods: pose of each node in the one before it, and inner unknowns."""

    def node_lengths(self, rod: int) -> Array:
        """Arc lengths of the nodes of a rod, where they lie on a smooth curve that it follows.

        At its ends and at its jumps the nodes lie on the rod itself.
        """

    def fit(self, rod: int, strain: StrainField, wrench: WrenchField | None = None) -> Array:
        """Inner unknowns of a rod's nodes that follow a strain, (rod's nodes, n_inner).

        Args:
            rod: which rod.
            strain: that it shall have.
            wrench: of its sections, for forces and multipliers; these are zero if it is None.
        """

    def kinematics(
        self, nodes: Pose, inner: Array, posed: Indices, loose: Indices, work: Any
    ) -> None:
        """Strains at all points and poses at the ``posed`` ones.

        Args:
            nodes: poses of the nodes, (n_nodes, 4, 4).
            inner: inner unknowns of the nodes, (n_nodes, n_inner).
            posed: points where the pose is asked for.
            loose: tips of integrated rods that nothing else holds; their poses follow, and are
                written to ``nodes``.
            work: where the results go.
        """

    def pull_back(
        self, forces: PointForces, force: Array, inner_force: Array, work: Any
    ) -> Coupling:
        """Carry the laws back: add to the forces of nodes and inner unknowns; the tangent.

        The forces are those of ``carry_back`` and ``carry_ties`` together. At loose nodes,
        ``force`` holds what acts there.
        """

    def carry_back(self, forces: PointForces, force: Array, inner_force: Array, work: Any) -> None:
        """Add the forces of nodes and inner unknowns that stress, load and excess make.

        What acts on loose nodes, found in ``force``, acts on what leads to them. All of this is
        linear in the forces, at the state of the last ``kinematics``.
        """

    def carry_ties(self, force: Array, inner_force: Array, work: Any) -> None:
        """Add what multipliers that tie rods to their nodes exert, and the gaps that they close."""

    def increments(self, d_nodes: Array, d_inner: Array, work: Any) -> Array:
        """Linear change of the strain at all points for increments of nodes and inner unknowns."""

    def relative_poses(self, fraction: float, work: Any) -> Pose:
        """Relative poses of the nodes after a fraction of the last ``increments``."""

    def force(self, inner: Array, rod: int, s: Array) -> Array | None:
        """Force at any arc lengths of a rod, where it is an unknown of its own, (n, 3)."""

    def turn(self, nodes: Pose, work: Any) -> float:
        """Largest rotation of an element, over the largest that the description can tell.

        At the state of the last ``kinematics``. It is about proportional to the length of elements.
        """

    def shape(self, nodes: Pose, inner: Array, rod: int, s: Array) -> tuple[Pose, Strain]:
        """Pose and strain of a rod at any arc lengths."""

    def carry_from(
        self, nodes: Pose, inner: Array, rod: int, s: float, wrenches: Wrench
    ) -> tuple[Array, Array]:
        """Forces that do the work of wrenches at any arc length of a rod.

        Args:
            nodes: poses of the nodes, (n_nodes, 4, 4).
            inner: inner unknowns of the nodes, (n_nodes, n_inner).
            rod: which rod.
            s: where [m].
            wrenches: in the frame that ``shape`` has there, (p, 6).

        Returns:
            Forces of the nodes, (p, n_nodes, 6), and of the inner unknowns, (p, n_nodes, n_inner).
        """


class Discretization(Protocol):
    """A choice of the user: how to describe rods with finitely many numbers.

    Attributes:
        kind: rods whose choices are of the same kind are discretized in one group.
    """

    @property
    def kind(self) -> Hashable:
        """What the kernels of the group have in common."""

    def finer(self, factor: float) -> "Discretization":
        """The same with so many times as many elements."""

    def group(self, plans: Sequence[RodPlan]) -> RodGroup:
        """Discretize rods whose choices are all of this kind."""
