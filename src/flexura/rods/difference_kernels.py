"""Ω = log(g_a⁻¹ g_b) of neighbouring nodes of rods, its variations, and back.

Ω is stored with the node that it leads to. Its tangents ``from_end`` and ``to_end`` to both nodes
are duals (``lie.kernels.dual``). See docs/theory.md, equations 1.6 and 1.7.
"""

from flexura._kernel import kernel
from flexura.lie.kernels import dual, matrix6, se3


@kernel
def differences(nodes, rod_nodes, omega, from_end, to_end, work):
    """Ω of every pair of neighbouring nodes and its tangents to both."""
    for rod in range(len(rod_nodes) - 1):
        for n in range(rod_nodes[rod] + 1, rod_nodes[rod + 1]):
            se3.between_into(work, nodes[n - 1], nodes[n])
            se3.log_into(omega[n], work)
            dual.difference(from_end[n], to_end[n], omega[n])


@kernel
def difference_increments(rod_nodes, from_end, to_end, d_nodes, d_omega, work):
    """δΩ for increments of the nodes."""
    for rod in range(len(rod_nodes) - 1):
        for n in range(rod_nodes[rod] + 1, rod_nodes[rod + 1]):
            dual.apply(work[0], from_end[n], d_nodes[n - 1])
            dual.apply(work[1], to_end[n], d_nodes[n])
            for c in range(6):
                d_omega[n, c] = work[0, c] + work[1, c]


@kernel
def links(rod_nodes, fraction, omega, d_omega, link, twist):
    """exp(Ω + fraction δΩ): the pose of every node in the one before it."""
    for rod in range(len(rod_nodes) - 1):
        for n in range(rod_nodes[rod] + 1, rod_nodes[rod + 1]):
            for c in range(6):
                twist[c] = omega[n, c] + fraction * d_omega[n, c]
            se3.exp_into(link[n], twist)


@kernel
def carry_differences(rod_nodes, from_end, to_end, gamma, force, work):
    """Forces of the nodes from γ = ∂U/∂Ω."""
    for rod in range(len(rod_nodes) - 1):
        for n in range(rod_nodes[rod] + 1, rod_nodes[rod + 1]):
            dual.apply_T(work[0], from_end[n], gamma[n])
            dual.apply_T(work[1], to_end[n], gamma[n])
            for c in range(6):
                force[n - 1, c] += work[0, c]
                force[n, c] += work[1, c]


@kernel
def add_difference_curvature(rod_nodes, omega, from_end, to_end, gamma, blocks, work):
    """The second variation of Ω contracted with γ.

    γᵀ δ²Ω = (D_a ζ_a + D_b ζ_b)ᵀ (F_a ζ_a + F_b ζ_b), F of ``dual.difference_forms``.
    """
    k = (blocks.shape[1] - 1) // 2
    from_form, to_form, product = work[0], work[1], work[2]
    for rod in range(len(rod_nodes) - 1):
        for n in range(rod_nodes[rod] + 1, rod_nodes[rod + 1]):
            dual.difference_forms(from_form, to_form, omega[n], gamma[n])
            for j in range(2):
                form = to_form if j == 1 else from_form
                for i in range(2):
                    end = to_end[n] if i == 1 else from_end[n]
                    dual.form_product(product, end, form)
                    matrix6.add_form(blocks[n - 1 + i, k + j - i], product, 0.5, False)
                    matrix6.add_form(blocks[n - 1 + j, k + i - j], product, 0.5, True)
