"""Compiled heart of the cumulative spline: forces and tangents back to the nodes.

A span is a piece of ``cumulative_kernels`` whose factors are the differences Ω of neighbouring
control poses (``difference_kernels``). Ω_i is stored with the node that it leads to.
"""

from flexura._kernel import heavy, inline, kernel
from flexura.lie.kernels import matrix6
from flexura.rods import cumulative_kernels, difference_kernels


@kernel
def strain_increments(
    rod_nodes, span_first, span_points, from_end, to_end, tangent, transport, eta, db,
    d_nodes, d_omega, d_strain, work,
):  # fmt: skip
    """δΩ and δξ for increments of the nodes."""
    difference_kernels.difference_increments(rod_nodes, from_end, to_end, d_nodes, d_omega, work)
    cumulative_kernels.strain_increments(
        span_first, span_points, tangent, transport, eta, db, d_omega, d_strain, work
    )


@heavy
def pull_back_aside(*args):
    """``pull_back`` while other threads run."""
    pull_back(*args)


@kernel
def pull_back(
    rod_nodes, span_first, span_points, b, db, omega, from_end, to_end, transport, tangent, eta,
    stress, stress_ahead, stiffness, posed, load, load_tangent, symmetric,
    force, gamma, gamma_ahead, blocks, jacobian, vectors, duals, forms, material, local, mixed,
):  # fmt: skip
    """Generalised forces and tangent blocks of the nodes, from the laws at the points.

    Args (all weights are inside the laws):
        stress, stiffness: ∂U/∂ξ and ∂²U/∂ξ² at the points.
        stress_ahead: the stress that the geometric part of the tangent uses (mixed iteration).
        posed, load, load_tangent: where a load acts on the pose; its ∂U/∂ζ and tangent.
        symmetric: whether all load tangents are.
        force: result, added to.
        blocks: result; ``blocks[n, j]`` couples the nodes n and n + j - reach.
        gamma, gamma_ahead: become ∂U/∂Ω.
        jacobian: ∂ξ/∂Ω_j of every point, duals, kept for others; what follows is work space.
    """
    reach = (blocks.shape[1] - 1) // 2
    gamma[:] = 0.0
    gamma_ahead[:] = 0.0
    blocks[:] = 0.0
    for span in range(len(span_first)):
        first = span_first[span]
        start = cumulative_kernels.piece_tangent(
            span_points[span], span_points[span + 1], first, b, db, omega, transport, tangent, eta,
            stress, stress_ahead, stiffness, posed, load, load_tangent, force[first], gamma,
            gamma_ahead, jacobian, vectors, duals, forms, material, local, mixed[0, 0],
        )  # fmt: skip
        _to_nodes(first, start, reach, symmetric, from_end, to_end, local, mixed, blocks)
    difference_kernels.carry_differences(rod_nodes, from_end, to_end, gamma, force, vectors)
    difference_kernels.add_difference_curvature(
        rod_nodes, omega, from_end, to_end, gamma_ahead, blocks, duals
    )


@kernel
def carry_back(
    rod_nodes, span_first, span_points, db, from_end, to_end, transport, tangent, eta, stress,
    posed, load, force, gamma, vectors,
):  # fmt: skip
    """Forces of the nodes from stresses and loads at the points; ``gamma`` becomes ∂U/∂Ω."""
    gamma[:] = 0.0
    for span in range(len(span_first)):
        first = span_first[span]
        for p in range(span_points[span], span_points[span + 1]):
            cumulative_kernels.carry_point(
                first, db[p], transport[p], tangent[p], eta[p], stress[p], posed[p], load[p],
                force[first], gamma, vectors,
            )  # fmt: skip
    difference_kernels.carry_differences(rod_nodes, from_end, to_end, gamma, force, vectors)


@inline
def _to_nodes(first, start, reach, symmetric, from_end, to_end, local, mixed, blocks):
    """Add a span's tangent, given in (ζ_f, Ω_1 … Ω_k), to the blocks of its nodes."""
    k = len(local) - 1
    for i in range(start, k + 1):
        for c in range(k + 1):
            mixed[i, c] = 0.0
            if c >= 1:
                matrix6.add_mul(mixed[i, c], local[i, c], to_end[first + c])
            elif start == 0:
                matrix6.add(mixed[i, 0], local[i, 0], 1.0, False)
            if c < k:
                matrix6.add_mul(mixed[i, c], local[i, c + 1], from_end[first + c + 1])
    for c in range(k + 1):
        for d in range(c + 1 if symmetric else k + 1):
            out = local[c, d]
            out[:] = 0.0
            if c >= 1:
                matrix6.add_T_mul(out, to_end[first + c], mixed[c, d])
            elif start == 0:
                matrix6.add(out, mixed[0, d], 1.0, False)
            if c < k:
                matrix6.add_T_mul(out, from_end[first + c + 1], mixed[c + 1, d])
            matrix6.add(blocks[first + c, reach + d - c], out, 1.0, False)
            if symmetric and c != d:
                matrix6.add(blocks[first + d, reach + c - d], out, 1.0, True)
