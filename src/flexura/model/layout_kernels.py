"""Compiled part of ``Layout``: between nodes and coordinates, and into the band matrix."""

from flexura._kernel import inline, kernel
from flexura.lie import dual, se3


@kernel
def ride(coordinates, coordinate, offset, nodes):
    """g_n = q_c T_n."""
    for n in range(len(coordinate)):
        if coordinate[n] < 0:
            nodes[n] = offset[n]
        else:
            se3.compose_into(nodes[n], coordinates[coordinate[n]], offset[n])


@kernel
def carry(dq, coordinate, adjoint, d_nodes):
    """ζ_n = Ad_{T_n}⁻¹ ζ_c."""
    for n in range(len(coordinate)):
        if coordinate[n] < 0:
            d_nodes[n] = 0.0
        else:
            dual.apply(d_nodes[n], adjoint[n], dq[coordinate[n]])


@kernel
def compose(walk, links, coordinate, offset, nodes, coordinates, work):
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
def scatter_forces(coordinate, adjoint, force, residual, work):
    """Add the forces of the nodes to those of the coordinates, residual (n_coordinates, 6)."""
    for n in range(len(coordinate)):
        c = coordinate[n]
        if c >= 0:
            dual.apply_T(work, adjoint[n], force[n])
            for i in range(6):
                residual[c, i] += work[i]


@kernel
def scatter_blocks(
    nodes_begin, rod_nodes, coordinate, adjoint, plain, blocks, half_bandwidth, band, work
):
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
                _add_block(band, half_bandwidth, 6 * coordinate[a], 6 * coordinate[b], block)


@kernel
def scatter_diagonal(coordinate, adjoint, diagonal, half_bandwidth, band, work):
    """Add a 6x6 tangent of each node to the band matrix."""
    for n in range(len(coordinate)):
        c = 6 * coordinate[n]
        if c >= 0:
            dual.matrix_mul(work[0], diagonal[n], adjoint[n])
            work[1] = 0.0
            dual.add_T_mul(work[1], adjoint[n], work[0])
            _add_block(band, half_bandwidth, c, c, work[1])


@inline
def _add_block(band, half_bandwidth, row, column, block):
    """Add a flat 6x6 block whose corner is entry (row, column)."""
    shift = 2 * half_bandwidth + row - column
    for j in range(6):
        for i in range(6):
            band[column + j, shift + i - j] += block[6 * i + j]
