"""Which coordinate each node rides on, and how forces get from nodes to unknowns and states move.

A coordinate is a pose. A node is the pose of something that a term acts on: a control pose, an end
of a rod. Node n rides on coordinate c(n) with a constant offset (kinematic embedding),

    g_n = q_c T_n,    ζ_n = Ad_{T_n}⁻¹ ζ_c      exactly,

so forces and tangent blocks go back by the transpose. Nodes with c = -1 are fixed in the world, or
loose: the pose of a loose node follows from the rod that leads to it, and nothing else holds it.
"""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.lie import se3
from flexura.matrix.structure import Structure
from flexura.model import layout_kernels as kernels
from flexura.model.particles import NO_PARTICLES, Particles
from flexura.model.state import State
from flexura.typing import Array, Indices, Pose, Twist, Vector, frozen
from flexura.value import Value

HERE = frozen(np.zeros(3))


class OffsetFactor(NamedTuple):
    """A factor of an offset: a constant pose, or a motion by an input.

    Attributes:
        pose: the constant pose; None for a motion.
        motion: number of the motion.
        forward: whether the motion is taken as it is; else its inverse.
    """

    pose: Pose | None
    motion: int = -1
    forward: bool = True

    def at(self, motions: Pose) -> Pose:
        """The factor for given motions."""
        if self.pose is not None:
            return self.pose
        M = motions[self.motion]
        return M if self.forward else se3.inverse(M)


@dataclass(frozen=True, eq=False, repr=False)
class Layout(Value):
    """Nodes, unknowns and the tree of rods between them.

    Attributes:
        n_coordinates: number of free poses.
        n_dof: dimension of the tangent space: six for each free pose, and the other unknowns.
        coordinate: coordinate of each node, -1 if it has none, (n_nodes,).
        dof: where the coordinate of each node begins in the tangent space, -1 if it has none.
        loose: which nodes are loose, (n_nodes,).
        inner_dof: where the inner unknowns that are stored with each node begin, (n_nodes,).
        inner_size: how many of them are unknowns.
        term_rows: for each term of the model, the unknowns that its elements bring, one by one.
        multiplier: which unknowns are multipliers, (n_dof,).
        units: what turns residuals into forces [N], and gaps into numbers, (n_dof,).
        offset: T_n, pose of the node in its coordinate, or in the world if fixed, from the origin.
        adjoint: Ad_{T_n}⁻¹ as a dual, (n_nodes, 18).
        plain: whether T_n is the identity, (n_nodes,).
        walk: pieces of rods and joints from the world outwards: near node, far node, and +1 or
            -1 for the direction, 0 for a joint, (n, 3); those that lead to nothing new are left
            out.
        jump: pose of the far node in the near one where a joint leads there, at rest.
        closing: first and last node of the pieces of rods that were left out: they close loops.
        floats: of all that hangs together without a way to the world, its first node, and its
            coordinates.
        structure: of the tangent.
        moving: nodes whose offset depends on inputs, with the factors of the offset.
        particles: those of volumes, and what they ride on.
        member_rows: for each member of the model, the unknowns that it brings, one by one.
        held_tubes: whether anything holds a frame of a tube, which multipliers tie to it then.
        origin: where all poses of nodes and coordinates are counted from, in the world [m], (3,).
    """

    n_coordinates: int
    n_dof: int
    coordinate: Indices
    dof: Indices
    loose: NDArray[np.bool_]
    inner_dof: Indices
    inner_size: Indices
    term_rows: tuple[Indices, ...]
    multiplier: NDArray[np.bool_]
    units: Array
    offset: Pose
    adjoint: Array
    plain: NDArray[np.bool_]
    walk: Indices
    jump: Pose
    closing: Indices
    floats: tuple[tuple[int, Indices], ...]
    structure: Structure
    moving: tuple[tuple[int, tuple[OffsetFactor, ...]], ...]
    particles: Particles = NO_PARTICLES
    member_rows: tuple[Indices, ...] = ()
    held_tubes: bool = False
    origin: Vector = field(default_factory=lambda: HERE)

    def __post_init__(self) -> None:
        """Its arrays are read-only already; it is made anew for every motion."""

    def in_world(self, poses: Pose) -> Pose:
        """Poses that are counted from the origin, as the world sees them, (..., 4, 4)."""
        return _moved(poses, self.origin)

    def from_world(self, poses: Pose) -> Pose:
        """Poses in the world as they are counted from the origin, (..., 4, 4)."""
        return _moved(poses, -self.origin)

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return len(self.coordinate)

    @cached_property
    def n_multipliers(self) -> int:
        """How many unknowns are multipliers."""
        return int(np.count_nonzero(self.multiplier))

    @cached_property
    def pose_dof(self) -> Indices:
        """Where each coordinate begins in the tangent space."""
        return np.unique(self.dof[self.dof >= 0])

    @cached_property
    def brought(self) -> Indices:
        """All unknowns that terms bring."""
        return np.concatenate([np.empty(0, dtype=np.int64), *self.term_rows])

    @cached_property
    def _firsts(self) -> Indices:
        """The first node of each part that has no way to the world."""
        return np.array([first for first, _ in self.floats], dtype=np.int64)

    @cached_property
    def open(self) -> bool:
        """Whether the robot is held, and has neither loops nor joints that move freely."""
        return not (self.looped or self.floats)

    @cached_property
    def looped(self) -> bool:
        """Whether the robot has loops or joints that move freely."""
        return len(self.closing) > 0 or len(self.brought) > 0 or self.held_tubes

    def at(self, motions: Pose) -> "Layout":
        """The layout for given motions of welds, driven joints and motors."""
        offset = self.offset.copy()
        for node, factors in self.moving:
            offset[node] = np.eye(4)
            for factor in factors:
                offset[node] @= factor.at(motions)
        plain = np.all(offset == np.eye(4), axis=(1, 2))
        return replace(
            self,
            offset=frozen(offset),
            adjoint=frozen(adjoint_duals(offset)),
            plain=frozen(plain),
        )

    def drifts(self, motions: Pose, twists: Twist) -> Twist:
        """How nodes move, in their own frames, while motions do and unknowns rest.

        Args:
            motions: of welds, driven joints and motors, (n, 4, 4).
            twists: how they change, in their body frames, in m ways, (m, n, 6).

        Returns:
            (m, n_nodes, 6).
        """
        found, work = np.zeros((len(twists), self.n_nodes, 6)), np.empty((2, 6))
        for node, factors in self.moving:
            beyond = np.eye(4)
            for factor in reversed(factors):
                if factor.pose is None:
                    kernels.add_drifts(
                        node, factor.motion, factor.forward, motions, beyond, twists, found, work
                    )
                beyond = factor.at(motions) @ beyond
        return found

    def nodes(self, poses: Pose, out: Pose) -> None:
        """Poses of the nodes for given coordinates; loose ones are left to their rods."""
        kernels.ride(poses, self.coordinate, self.offset, out)

    def inner(self, numbers: Array, nodes: slice, out: Array) -> None:
        """The inner unknowns of a group, or their increments, row by row: (n_nodes, n_inner)."""
        kernels.gather_inner(numbers, self.inner_dof[nodes], self.inner_size[nodes], out)

    def add_inner(self, nodes: slice, inner: Array, out: Array) -> None:
        """Add what belongs to the inner unknowns of a group to a vector of all unknowns."""
        kernels.add_inner(self.inner_dof[nodes], self.inner_size[nodes], inner, out)

    def add_node_forces(self, force: Array, residual: Array) -> None:
        """Add the forces of the nodes to the residual."""
        kernels.scatter_forces(self.dof, self.adjoint, force, residual, np.empty(6))

    def retract(
        self,
        state: State,
        dq: Array,
        d_multipliers: Array | None = None,
        links: Pose | None = None,
    ) -> State:
        """The state after increments: along the exponential map of every pose, else straight.

        Args:
            state: where to begin.
            dq: increments of the unknowns, (n_dof,).
            d_multipliers: of the multipliers of constraints, (n_rows,); None for zero.
            links: poses of the nodes in those before them. An open robot is composed of them
                instead, which preserves its stretch.
        """
        numbers = np.empty(len(dq))
        if self.n_coordinates and links is None:
            poses, work = np.empty(state.poses.shape), np.empty((4, 4))
            kernels.move(state.poses, state.numbers, self.pose_dof, dq, poses, numbers, work)
        else:
            poses = state.poses if links is None else self.compose(links)
            kernels.move_numbers(state.numbers, dq, self.pose_dof, numbers)
        multipliers = state.multipliers
        if d_multipliers is not None and d_multipliers.any():
            multipliers = frozen(multipliers + d_multipliers)
        return State(frozen(poses), frozen(numbers), multipliers)

    def straightened(self, state: State) -> State:
        """The state with rotations that are orthogonal again, after many products."""
        if not self.n_coordinates:
            return state
        poses = np.empty(state.poses.shape)
        kernels.straighten(state.poses, poses)
        return State(frozen(poses), state.numbers, state.multipliers)

    def difference(self, begin: State, end: State) -> Array:
        """The increments that lead from a state to another along the exponential map, (n_dof,)."""
        found = end.numbers - begin.numbers
        if self.n_coordinates:
            kernels.differ(begin.poses, end.poses, self.pose_dof, found, np.empty((4, 4)))
        return found

    def mirrored(self, begin: State, middle: State) -> State:
        """The state as far beyond the middle as this is beyond the beginning, multipliers kept."""
        poses = np.empty(begin.poses.shape)
        kernels.mirror(begin.poses, middle.poses, poses, np.empty((4, 4)), np.empty(6))
        numbers = 2.0 * middle.numbers - begin.numbers
        if self.n_multipliers:
            numbers[self.multiplier] = middle.numbers[self.multiplier]
        return State(frozen(poses), frozen(numbers), middle.multipliers)

    def compose(self, links: Pose) -> Pose:
        """Coordinates of a robot whose nodes follow each other by ``links``, along the walk.

        It begins at the world; the first node of what has no way there is at the origin.
        """
        coordinates = np.empty((self.n_coordinates, 4, 4))
        kernels.compose(
            self.walk, self.jump, links, self.coordinate, self.offset, self._firsts,
            np.empty((self.n_nodes, 4, 4)), coordinates, np.empty((2, 4, 4)),
        )  # fmt: skip
        return coordinates


def _moved(poses: Pose, way: Vector) -> Pose:
    if not way.any():
        return poses
    found = poses.copy()
    found[..., :3, 3] += way
    return found


def adjoint_duals(offset: Pose) -> Array:
    """Ad of the inverse of each pose, as duals."""
    found = np.empty((len(offset), 18))
    kernels.adjoints(offset, found)
    return found
