"""Which coordinate each node rides on, and how forces and tangents get from nodes to coordinates.

A coordinate is a pose. A node is the pose of something that a term acts on: a control pose, an end
of a rod. Node n rides on coordinate c(n) with a constant offset (kinematic embedding),

    g_n = q_c T_n,    ζ_n = Ad_{T_n}⁻¹ ζ_c      exactly,

so forces and tangent blocks go back by the transpose. Nodes with c = -1 are fixed in the world.
"""

from dataclasses import dataclass

import numpy as np

from flexura.model import layout_kernels as kernels
from flexura.typing import Array, Indices, Pose


@dataclass(frozen=True)
class Layout:
    """Nodes, coordinates and the tree of rods between them.

    Attributes:
        n_coordinates: number of free poses; the tangent space has six dimensions for each.
        coordinate: coordinate of each node, -1 if fixed, (n_nodes,).
        offset: T_n, pose of the node in its coordinate, or in the world if fixed.
        adjoint: Ad_{T_n}⁻¹ as a dual, (n_nodes, 18).
        plain: whether T_n is the identity, (n_nodes,).
        walk: rods from the world outwards: first node, last node, and +1 or -1 for the
            direction, (n_rods, 3).
        half_bandwidth: of the tangent, in scalars.
    """

    n_coordinates: int
    coordinate: Indices
    offset: Pose
    adjoint: Array
    plain: Array
    walk: Indices
    half_bandwidth: int

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return len(self.coordinate)

    @property
    def n_dof(self) -> int:
        """Dimension of the tangent space."""
        return 6 * self.n_coordinates

    def nodes(self, coordinates: Pose, out: Pose | None = None) -> Pose:
        """Poses of the nodes for given coordinates."""
        nodes = np.empty((self.n_nodes, 4, 4)) if out is None else out
        kernels.ride(coordinates, self.coordinate, self.offset, nodes)
        return nodes

    def increments(self, dq: Array, out: Array) -> Array:
        """Increments of the nodes for those of the coordinates."""
        kernels.carry(dq.reshape(-1, 6), self.coordinate, self.adjoint, out)
        return out

    def compose(self, links: Pose) -> Pose:
        """Coordinates of an open robot whose nodes follow each other by ``links``."""
        coordinates = np.empty((self.n_coordinates, 4, 4))
        nodes = np.empty((self.n_nodes, 4, 4))
        kernels.compose(
            self.walk, links, self.coordinate, self.offset, nodes, coordinates, np.empty((2, 4, 4))
        )
        return coordinates
