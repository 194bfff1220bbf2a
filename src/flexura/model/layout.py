"""Which coordinate each node rides on, and how forces and tangents get from nodes to coordinates.

A coordinate is a pose. A node is the pose of something that a term acts on: a control pose, an end
of a rod. Node n rides on coordinate c(n) with a constant offset (kinematic embedding),

    g_n = q_c T_n,    ζ_n = Ad_{T_n}⁻¹ ζ_c      exactly,

so forces and tangent blocks go back by the transpose. Nodes with c = -1 are fixed in the world.
A node is loose if its pose follows from the rod that leads to it, and nothing else holds it: its
pose is a coordinate, but no unknown.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from flexura.lie import se3
from flexura.model import layout_kernels as kernels
from flexura.model.tangent import Pattern
from flexura.typing import Array, Indices, Pose, frozen

# A factor of an offset: a constant pose, or the number of a motion and whether it is taken as is.
Factor: TypeAlias = Pose | tuple[int, bool]


@dataclass(frozen=True)
class Layout:
    """Nodes, coordinates and the tree of rods between them.

    Attributes:
        n_coordinates: number of free poses, loose ones last.
        n_dof: dimension of the tangent space: six for each free pose, and the inner unknowns.
        coordinate: coordinate of each node, -1 if fixed, (n_nodes,).
        dof: where the coordinate of each node begins in the tangent space, -1 if fixed or loose.
        inner_dof: where the inner unknowns of the element that leads to each node begin.
        inner_size: how many of them are unknowns.
        joint_dof: where the multipliers of each joint begin.
        joint_size: how many there are.
        multiplier: which unknowns are multipliers, (n_dof,).
        units: what turns residuals into forces [N], and gaps into numbers, (n_dof,).
        offset: T_n, pose of the node in its coordinate, or in the world if fixed.
        adjoint: Ad_{T_n}⁻¹ as a dual, (n_nodes, 18).
        plain: whether T_n is the identity, (n_nodes,).
        walk: pieces of rods and joints from the world outwards: near node, far node, and +1 or
            -1 for the direction, 0 for a joint, (n, 3); those that lead to nothing new are left
            out.
        jump: pose of the far node in the near one where a joint leads there, at rest.
        closing: first and last node of the pieces of rods that were left out: they close loops.
        pattern: of the tangent.
        moving: nodes whose offset depends on inputs, with the factors of the offset.
    """

    n_coordinates: int
    n_dof: int
    coordinate: Indices
    dof: Indices
    inner_dof: Indices
    inner_size: Indices
    joint_dof: Indices
    joint_size: Indices
    multiplier: NDArray[np.bool_]
    units: Array
    offset: Pose
    adjoint: Array
    plain: Array
    walk: Indices
    jump: Pose
    closing: Indices
    pattern: Pattern
    moving: tuple[tuple[int, tuple[Factor, ...]], ...]

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return len(self.coordinate)

    @property
    def half_bandwidth(self) -> int:
        """Of the tangent, in scalars."""
        return self.pattern.half_bandwidth

    @property
    def n_border(self) -> int:
        """How many of the unknowns, the last ones, are in the border of the tangent."""
        return self.pattern.n_border

    @cached_property
    def n_multipliers(self) -> int:
        """How many unknowns are multipliers."""
        return int(np.count_nonzero(self.multiplier))

    @cached_property
    def pose_dof(self) -> Indices:
        """Where each coordinate that is not loose begins in the tangent space."""
        return np.unique(self.dof[self.dof >= 0])

    @cached_property
    def joint_rows(self) -> Indices:
        """Unknowns that are multipliers of joints, in the order of the joints."""
        return np.concatenate(
            [
                np.empty(0, dtype=np.int64),
                *(
                    first + np.arange(n)
                    for first, n in zip(self.joint_dof, self.joint_size, strict=True)
                ),
            ]
        )

    @cached_property
    def loose(self) -> NDArray[np.bool_]:
        """Which nodes are loose, (n_nodes,)."""
        return (self.coordinate >= 0) & (self.dof < 0)

    @property
    def open(self) -> bool:
        """Whether the robot has neither loops nor joints that move freely."""
        return len(self.closing) == 0 and len(self.joint_dof) == 0

    def at(self, motions: Pose) -> "Layout":
        """The layout for given motions of welds, driven joints and motors."""
        if not self.moving:
            return self
        offset = self.offset.copy()
        for node, factors in self.moving:
            offset[node] = np.eye(4)
            for factor in factors:
                if isinstance(factor, tuple):
                    number, forward = factor
                    offset[node] @= motions[number] if forward else se3.inverse(motions[number])
                else:
                    offset[node] @= factor
        plain = np.all(offset == np.eye(4), axis=(1, 2))
        return replace(
            self,
            offset=frozen(offset),
            adjoint=frozen(adjoint_duals(offset)),
            plain=frozen(plain),
        )

    def nodes(self, coordinates: Pose, out: Pose | None = None) -> Pose:
        """Poses of the nodes for given coordinates."""
        nodes = np.empty((self.n_nodes, 4, 4)) if out is None else out
        kernels.ride(coordinates, self.coordinate, self.offset, nodes)
        return nodes

    def increments(self, dq: Array, out: Array) -> Array:
        """Increments of the nodes for those of the coordinates."""
        kernels.carry(dq, self.dof, self.adjoint, out)
        return out

    def inner_increments(self, dq: Array, nodes: slice, n_inner: int) -> Array:
        """Increments of the inner unknowns of a group, (n_nodes, n_inner)."""
        found = np.empty((nodes.stop - nodes.start, n_inner))
        kernels.gather_inner(dq, self.inner_dof[nodes], self.inner_size[nodes], found)
        return found

    def add_node_forces(self, force: Array, residual: Array) -> None:
        """Add the forces of the nodes to the residual."""
        kernels.scatter_forces(self.dof, self.adjoint, force, residual, np.empty(6))

    def add_inner_forces(self, nodes: slice, force: Array, residual: Array) -> None:
        """Add the forces of the inner unknowns of a group, if it has any, to the residual."""
        kernels.scatter_inner(self.inner_dof[nodes], self.inner_size[nodes], force, residual)

    def moved(self, coordinates: Pose, dq: Array, links: Pose) -> Pose:
        """Coordinates after increments along the exponential map; loose ones follow by links."""
        moved = np.empty_like(coordinates)
        kernels.move(
            coordinates, self.coordinate, self.dof, self.offset, dq, links, moved,
            np.tile(np.eye(4), (2, 1, 1)),
        )  # fmt: skip
        return moved

    def compose(self, links: Pose) -> Pose:
        """Coordinates of a robot whose nodes follow each other by ``links``, along the walk."""
        coordinates = np.empty((self.n_coordinates, 4, 4))
        kernels.compose(
            self.walk, self.jump, links, self.coordinate, self.offset,
            np.empty((self.n_nodes, 4, 4)), coordinates, np.empty((2, 4, 4)),
        )  # fmt: skip
        return coordinates


def adjoint_duals(offset: Pose) -> Array:
    """Ad of the inverse of each pose, as duals."""
    found = np.empty((len(offset), 18))
    kernels.adjoints(offset, found)
    return found
