"""Compiled heart of the cumulative spline: forces and tangents back to the nodes.

A span is a piece of ``cumulative_kernels`` whose factors are the differences Ω of neighbouring
control poses (``difference_kernels``). Ω_i is stored with the node that it leads to.
"""

from flexura._kernel import heavy, inline, kernel
from flexura.lie.kernels import matrix6
from flexura.rods import cumulative_kernels, difference_kernels
from flexura.rods.cumulative_kernels import at
from flexura.rods.factors import Factors, Scratch, Slopes
from flexura.rods.point_laws import PointLaws


@kernel
def strain_increments(
    rod_nodes, span_first, span_points, b, db, omega, transport, tangent, eta, from_end, to_end,
    d_nodes, d_omega, d_strain, work,
):  # fmt: skip
    """δΩ and δξ for increments of the nodes."""
    factors = Factors(b, db, omega, transport, tangent, eta)
    difference_kernels.difference_increments(rod_nodes, from_end, to_end, d_nodes, d_omega, work)
    cumulative_kernels.strain_increments(span_first, span_points, factors, d_omega, d_strain, work)


@heavy
def pull_back_aside(*args):
    """``pull_back`` while other threads run."""
    pull_back(*args)


@kernel
def pull_back(
    rod_nodes, span_first, span_points, b, db, omega, transport, tangent, eta, from_end, to_end,
    stress, stress_ahead, stiffness, posed, load, load_tangent, loose, end_tangent, symmetric,
    force, gamma, gamma_ahead, jacobian, blocks, vectors, duals, forms, material, local, product,
    mixed,
):  # fmt: skip
    """Generalised forces and tangent blocks of the nodes, from the laws at the points.

    Args (all weights are inside the laws):
        b … eta: of ``Factors``.
        from_end, to_end: tangents of Ω to the control poses.
        stress … end_tangent: of ``PointLaws``.
        symmetric: whether all load tangents are.
        force: result, added to.
        gamma … jacobian: of ``Slopes``.
        blocks: result; ``blocks[n, j]`` couples the nodes n and n + j - reach.
        vectors … product: of ``Scratch``.
        mixed: work space, like ``local``.
    """
    factors = Factors(b, db, omega, transport, tangent, eta)
    laws = PointLaws(stress, stress_ahead, stiffness, posed, load, load_tangent, loose, end_tangent)
    slopes = Slopes(gamma, gamma_ahead, jacobian)
    scratch = Scratch(vectors, duals, forms, material, local, product)
    gamma[:] = 0.0
    gamma_ahead[:] = 0.0
    blocks[:] = 0.0
    for span in range(len(span_first)):
        first = span_first[span]
        start = cumulative_kernels.piece_tangent(
            span_points[span], span_points[span + 1], first, factors, laws, force[first], slopes,
            scratch,
        )  # fmt: skip
        _to_nodes(first, start, symmetric, from_end, to_end, local, mixed, blocks)
    difference_kernels.carry_differences(rod_nodes, from_end, to_end, gamma, force, vectors)
    difference_kernels.add_difference_curvature(
        rod_nodes, omega, from_end, to_end, gamma_ahead, blocks, duals
    )


@kernel
def carry_back(
    rod_nodes, span_first, span_points, b, db, omega, transport, tangent, eta, from_end, to_end,
    stress, posed, load, force, gamma, vectors,
):  # fmt: skip
    """Forces of the nodes from stresses and loads at the points; ``gamma`` becomes ∂U/∂Ω."""
    factors = Factors(b, db, omega, transport, tangent, eta)
    gamma[:] = 0.0
    for span in range(len(span_first)):
        first = span_first[span]
        for p in range(span_points[span], span_points[span + 1]):
            cumulative_kernels.carry_point(
                at(factors, first, p), stress[p], posed[p], load[p], force[first], gamma, vectors
            )
    difference_kernels.carry_differences(rod_nodes, from_end, to_end, gamma, force, vectors)


@inline
def _to_nodes(first, start, symmetric, from_end, to_end, local, mixed, blocks):
    """Add a span's tangent, given in (ζ_f, Ω_1 … Ω_k), to the blocks of its nodes."""
    k, reach = len(local) - 1, (blocks.shape[1] - 1) // 2
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
