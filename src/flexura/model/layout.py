"""Which coordinate each node rides on, and how forces and tangents get from nodes to coordinates.

A coordinate is a pose. A node is the pose of something that a term acts on: a control pose, an end
of a rod. Node n rides on coordinate c(n) with a constant offset (kinematic embedding),

    g_n = q_c T_n,    ζ_n = Ad_{T_n}⁻¹ ζ_c      exactly,

so forces and tangent blocks go back by the transpose. Nodes with c = -1 are fixed in the world.
"""

from dataclasses import dataclass

import numpy as np

from flexura._kernel import kernel
from flexura.lie import dual, se3
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
        _ride(coordinates, self.coordinate, self.offset, nodes)
        return nodes

    def increments(self, dq: Array, out: Array) -> Array:
        """Increments of the nodes for those of the coordinates."""
        _carry(dq.reshape(-1, 6), self.coordinate, self.adjoint, out)
        return out

    def compose(self, links: Pose) -> Pose:
        """Coordinates of an open robot whose nodes follow each other by ``links``."""
        coordinates = np.empty((self.n_coordinates, 4, 4))
        nodes = np.empty((self.n_nodes, 4, 4))
        _compose(self.walk, links, self.coordinate, self.offset, nodes, coordinates, np.empty((2, 4, 4)))
        return coordinates


@kernel
def _ride(coordinates, coordinate, offset, nodes):  # type: ignore[no-untyped-def]
    """g_n = q_c T_n."""
    for n in range(len(coordinate)):
        if coordinate[n] < 0:
            nodes[n] = offset[n]
        else:
            se3.compose_into(nodes[n], coordinates[coordinate[n]], offset[n])


@kernel
def _carry(dq, coordinate, adjoint, d_nodes):  # type: ignore[no-untyped-def]
    """ζ_n = Ad_{T_n}⁻¹ ζ_c."""
    for n in range(len(coordinate)):
        if coordinate[n] < 0:
            d_nodes[n] = 0.0
        else:
            dual.apply(d_nodes[n], adjoint[n], dq[coordinate[n]])


@kernel
def _compose(walk, links, coordinate, offset, nodes, coordinates, work):  # type: ignore[no-untyped-def]
    """Walk along the rods from the world, setting each coordinate by the first node on it."""
    for r in range(len(walk)):
        near, far, direction = walk[r]
        n = near
        if coordinate[n] < 0:
            nodes[n] = offset[n]
        else:
            se3.compose_into(nodes[n], coordinates[coordinate[n]], offset[n])
        while n != far:
            m = n + direction
            if direction > 0:
                se3.compose_into(nodes[m], nodes[n], links[m])
            else:
                se3.inverse_into(work[0], links[n])
                se3.compose_into(nodes[m], nodes[n], work[0])
            se3.inverse_into(work[1], offset[m])
            se3.compose_into(coordinates[coordinate[m]], nodes[m], work[1])
            n = m


@kernel
def scatter_forces(coordinate, adjoint, force, residual):  # type: ignore[no-untyped-def]
    """Add the forces of the nodes to those of the coordinates, residual (n_coordinates, 6)."""
    work = np.empty(6)
    for n in range(len(coordinate)):
        c = coordinate[n]
        if c >= 0:
            dual.apply_T(work, adjoint[n], force[n])
            for i in range(6):
                residual[c, i] += work[i]


@kernel
def scatter_blocks(
    nodes_begin, rod_nodes, coordinate, adjoint, plain, blocks, half_bandwidth, band, work
):  # type: ignore[no-untyped-def]
    """Add the blocks of a group of rods to the band matrix.

    ``band[j, 2 h + i - j]`` is entry (i, j): LAPACK's general band storage, column by column.
    """
    reach = (blocks.shape[1] - 1) // 2
    for rod in range(len(rod_nodes) - 1):
        for n in range(rod_nodes[rod], rod_nodes[rod + 1]):
            a = nodes_begin + n
            if coordinate[a] < 0:
                continue
            low = max(n - reach, rod_nodes[rod])
            for m in range(low, min(n + reach + 1, rod_nodes[rod + 1])):
                b = nodes_begin + m
                if coordinate[b] < 0:
                    continue
                block = blocks[n, reach + m - n]
                if not (plain[a] and plain[b]):
                    dual.matrix_mul(work[0], block, adjoint[b])
                    work[1] = 0.0
                    dual.add_T_mul(work[1], adjoint[a], work[0])
                    block = work[1]
                add_block(band, half_bandwidth, 6 * coordinate[a], 6 * coordinate[b], block)


@kernel
def scatter_diagonal(coordinate, adjoint, diagonal, half_bandwidth, band, work):  # type: ignore[no-untyped-def]
    """Add a 6x6 tangent of each node to the band matrix."""
    for n in range(len(coordinate)):
        c = 6 * coordinate[n]
        if c >= 0:
            dual.matrix_mul(work[0], diagonal[n], adjoint[n])
            work[1] = 0.0
            dual.add_T_mul(work[1], adjoint[n], work[0])
            add_block(band, half_bandwidth, c, c, work[1])


@kernel
def add_block(band, half_bandwidth, row, column, block):  # type: ignore[no-untyped-def]
    """Add a flat 6x6 block whose corner is entry (row, column)."""
    shift = 2 * half_bandwidth + row - column
    for j in range(6):
        for i in range(6):
            band[column + j, shift + i - j] += block[6 * i + j]
