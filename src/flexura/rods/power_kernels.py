"""Compiled heart of the power element: its twists, poses, and forces back to nodes and strains.

An element of length L, from node n - 1 to node n, is a piece of ``cumulative_kernels`` with k
factors,

    g(u) = g_{n-1} Π_i exp(u^i Ω_i),    i = 1 … k,    ξ(u_p) = q_p,    p = 1 … k,

whose twists Ω, rows k n … k n + k - 1 of ``omega``, follow from the strains q at its k points. With
X = ∂ξ/∂Ω, a matrix of 6k, variations are

    δΩ = X⁻¹ δq,      γᵀ δΩ = μᵀ δq,      γᵀ δ²Ω = -μᵀ δ²ξ,      μ = X⁻ᵀ γ,

so that a load with the gradient γ acts like the stress μ, and the curvature of Ω is that of a
stress -μ. ``jacobian[n]`` are the factors of X. The element is tied to node n at u = 1
(``closure_kernels``); its unknowns are (ζ_{n-1}, q, λ, ζ_n). Places are the points of all elements,
one element after the other, and then the ends of all elements.
"""

import numpy as np

from flexura._kernel import heavy, inline, kernel
from flexura.lie.kernels import matrix6, se3
from flexura.rods import closure_kernels, cumulative_kernels
from flexura.rods.dense_kernels import factorise, solve, solve_transposed

ITERATIONS, HALVINGS = 40, 8  # of Newton's method for the twists
# Errors over the size of the strain: rounding, and such that the next step leaves only that.
ROUNDING, CLOSE = 1e-14, 1e-6


@kernel
def find_twists(
    elements, length, b, db, start, wanted, omega, transport, tangent, eta, strain, jacobian,
    pivots, duals, steps,
):  # fmt: skip
    """Twists of all elements from the strains at their points; NaN where none are found.

    By Newton's method from the twists that would do if they commuted, with steps that are halved
    until the error falls.

    Args (see the module's head):
        start: Ω from L ξ at the points if twists commuted, (k, k).
        wanted: q, k strains one after the other for every node.
        omega, transport, tangent, eta, strain: results.
        jacobian, pivots: results, X factorised.
        duals, steps: work space, (k + 1, 18) and (2, 6k).
    """
    k = b.shape[1]
    for e in range(len(elements)):
        n = elements[e]
        for i in range(k):
            for c in range(6):
                value = 0.0
                for p in range(k):
                    value += start[i, p] * wanted[n, 6 * p + c]
                omega[k * n + i, c] = length[n] * value
        found = _newton(
            n, k * e, b, db, wanted[n], omega, transport, tangent, eta, strain, jacobian[n],
            pivots[n], duals, steps,
        )  # fmt: skip
        if not found:
            omega[k * n : k * n + k] = np.nan
        last = k * len(elements) + e
        cumulative_kernels.strain_at(
            k * n - 1, b[last], db[last], omega, transport[last], tangent[last], eta[last],
            strain[last],
        )  # fmt: skip


@inline
def _newton(
    n, p0, b, db, wanted, omega, transport, tangent, eta, strain, jacobian, pivots, duals, steps
):
    """Improve the twists of an element; whether they have the wanted strains."""
    k = b.shape[1]
    error, regular = _evaluate(
        n, p0, b, db, wanted, omega, transport, tangent, eta, strain, jacobian, pivots, duals,
        steps[0],
    )  # fmt: skip
    for _ in range(ITERATIONS):
        if not regular or error <= ROUNDING:
            break
        solve(jacobian, pivots, steps[0])
        for i in range(6 * k):
            steps[1, i] = steps[0, i]
        before, fraction = error, 1.0
        for trial in range(HALVINGS):
            for i in range(k):
                for c in range(6):
                    omega[k * n + i, c] += fraction * steps[1, 6 * i + c]
            error, regular = _evaluate(
                n, p0, b, db, wanted, omega, transport, tangent, eta, strain, jacobian, pivots,
                duals, steps[0],
            )  # fmt: skip
            if error < before or before < CLOSE:
                break
            fraction = -0.5 if trial == 0 else 0.5 * fraction  # back by half, again and again
        if before < CLOSE and error >= 0.1 * before:  # as good as rounding allows
            break
    return regular and error < CLOSE


@inline
def _evaluate(
    n, p0, b, db, wanted, omega, transport, tangent, eta, strain, jacobian, pivots, duals, step
):
    """Error of the strains, over their size, and X factorised; ``step`` becomes the error."""
    k = b.shape[1]
    error = size = 0.0
    for m in range(k):
        p = p0 + m
        cumulative_kernels.strain_at(
            k * n - 1, b[p], db[p], omega, transport[p], tangent[p], eta[p], strain[p]
        )
        cumulative_kernels.strain_jacobian(db[p], transport[p], tangent[p], eta[p], duals, duals[k])
        for c in range(6):
            step[6 * m + c] = wanted[6 * m + c] - strain[p, c]
            value = abs(step[6 * m + c])
            error = value if not value <= error else error
            size = max(size, abs(wanted[6 * m + c]))
        for j in range(k):
            _put_dual(jacobian, 6 * m, 6 * j, duals[j])
    return error / size, factorise(jacobian, pivots)


@inline
def _put_dual(matrix, i, j, x):
    """Write a dual as a 6x6 block."""
    for r in range(3):
        for c in range(3):
            matrix[i + r, j + c] = matrix[i + 3 + r, j + 3 + c] = x[3 * r + c]
            matrix[i + 3 + r, j + c] = x[9 + 3 * r + c]
            matrix[i + r, j + 3 + c] = 0.0


@kernel
def links(elements, k, omega, link, frames):
    """Π exp(Ω_i): the pose of the end of every element in the node before it."""
    for n in elements:
        for i in range(k):
            last = link[n] if i == k - 1 else frames[i % 2]
            if i == 0:
                se3.exp_into(last, omega[k * n])
            else:
                se3.exp_into(frames[2], omega[k * n + i])
                se3.compose_into(last, frames[(i - 1) % 2], frames[2])


@kernel
def carry_back(
    elements, db, transport, tangent, eta, jacobian, pivots, stress, posed, load, wrench, force,
    inner_force, gamma, nothing, vectors,
):  # fmt: skip
    """Forces from stresses and loads at the points, and from a wrench at the end of each element.

    ``gamma`` becomes μ; ``nothing`` is a stress of zero.
    """
    k = db.shape[1]
    gamma[:] = 0.0
    for e in range(len(elements)):
        n = elements[e]
        _carry_loads(
            n, k * e, k * len(elements) + e, db, transport, tangent, eta, posed, load, wrench[n],
            force[n - 1], gamma, jacobian[n], pivots[n], nothing, vectors,
        )  # fmt: skip
        _add_forces(n, k * e, k, stress, gamma, inner_force)


@inline
def _add_forces(n, p0, k, stress, mu, inner_force):
    """Forces of the strains at the points: their stress, and that of loads."""
    for m in range(k):
        for c in range(6):
            inner_force[n, 6 * m + c] += stress[p0 + m, c] + mu[k * n + m, c]


@heavy
def pull_back_aside(*args):
    """``pull_back`` while other threads run."""
    pull_back(*args)


@kernel
def pull_back(
    elements, b, db, omega, inner, nodes, end, transport, tangent, eta, jacobian, pivots, stress,
    stiffness, posed, load, load_tangent, loose, end_tangent, force, inner_force, matrices, gamma,
    counter, none, spare, slopes, nothing, vectors, duals, forms, material, local, moved, turned,
    square, small,
):  # fmt: skip
    """Forces and tangents of all elements, from the laws at the points.

    Args (all weights are inside the laws):
        elements: nodes that elements lead to.
        stress, stiffness: ∂U/∂ξ and ∂²U/∂ξ² at the points.
        posed, load, load_tangent: where a load acts on the pose; its ∂U/∂ζ and tangent.
        loose, end_tangent: ends on which ``force`` acts; its tangent.
        force, inner_force: results, added to.
        matrices: results, in the order of the module's head.
        gamma: becomes μ.
        counter: becomes the stress -μ at the points.
        none, nothing: stiffness and stress of zero.
        spare: for gradients that are known already; what follows is work space.
        moved: ∂z_end/∂(ζ_{n-1}, q), a column for each.
    """
    k = b.shape[1]
    pull, product = vectors[k + 4], square[4]
    gamma[:] = 0.0
    spare[:] = 0.0
    for e in range(len(elements)):
        n, p0, last = elements[e], k * e, k * len(elements) + e
        matrix, first = matrices[n], k * n - 1
        matrix[:] = 0.0
        if loose[n]:
            closure_kernels.release(force[n], end_tangent[n], pull, square)
        else:
            closure_kernels.close(
                end[n], nodes[n], inner[n, 6 * k :], force, inner_force, n, 6 * k, matrix, pull,
                square, small, duals,
            )  # fmt: skip
        _carry_loads(
            n, p0, last, db, transport, tangent, eta, posed, load, pull, force[n - 1], gamma,
            jacobian[n], pivots[n], nothing, vectors,
        )  # fmt: skip
        _add_forces(n, p0, k, stress, gamma, inner_force)
        _put_counter(n, p0, k, gamma, counter)
        cumulative_kernels.clear(forms, material, local)
        cumulative_kernels.add_points(
            p0, p0 + k, first, b, db, omega, transport, tangent, eta, counter, counter, none,
            posed, load, load_tangent, spare[0], spare, spare, slopes, vectors, duals, forms,
            material, local, product,
        )  # fmt: skip
        cumulative_kernels.add_pose(
            first, b[last], db[last], omega, transport[last], tangent[last], eta[last], nothing,
            pull, square[1], spare[0], spare, spare, vectors, duals, forms, local, product,
        )  # fmt: skip
        _put_moved(moved, duals, product)
        cumulative_kernels.add_up(0, forms, material, local)
        _to_strains(matrix, local, jacobian[n], pivots[n], turned)
        _add_stiffness(matrix, p0, k, stiffness)
        if not loose[n]:
            solve_transposed(jacobian[n], pivots[n], moved[:, 6:])
            closure_kernels.couple(6 + 6 * k, 6 * k, moved.T, square, matrix)


@inline
def _put_counter(n, p0, k, mu, counter):
    """The stress -μ at the points of an element."""
    for m in range(k):
        for c in range(6):
            counter[p0 + m, c] = -mu[k * n + m, c]


@inline
def _carry_loads(
    n, p0, last, db, transport, tangent, eta, posed, load, wrench, before, gamma, jacobian, pivots,
    nothing, vectors,
):  # fmt: skip
    """μ of loads at the points of an element and at its end; ``gamma`` is zero on entry."""
    k = db.shape[1]
    loaded = False
    for c in range(6):
        loaded |= wrench[c] != 0.0
    for p in range(p0, p0 + k):
        loaded |= posed[p]
        if posed[p]:
            cumulative_kernels.carry_point(
                k * n - 1, db[p], transport[p], tangent[p], eta[p], nothing, True, load[p], before,
                gamma, vectors,
            )  # fmt: skip
    if loaded:
        cumulative_kernels.carry_point(
            k * n - 1, db[last], transport[last], tangent[last], eta[last], nothing, True, wrench,
            before, gamma, vectors,
        )  # fmt: skip
        solve_transposed(jacobian, pivots, gamma[k * n : k * n + k].reshape(1, 6 * k))


@inline
def _put_moved(moved, z, square):
    """Write the duals z side by side."""
    for i in range(moved.shape[1] // 6):
        matrix6.from_dual(square, z[i])
        for r in range(6):
            for c in range(6):
                moved[r, 6 * i + c] = square[6 * r + c]


@inline
def _to_strains(matrix, local, jacobian, pivots, turned):
    """Write a tangent in (ζ_{n-1}, q) that is given in (ζ_{n-1}, Ω): X⁻ᵀ H X⁻¹."""
    size = 6 * len(local)
    for i in range(len(local)):
        for j in range(len(local)):
            for r in range(6):
                for c in range(6):
                    turned[6 * j + c, 6 * i + r] = local[i, j, 6 * r + c]
    solve_transposed(jacobian, pivots, turned[:, 6:])
    for i in range(size):
        for j in range(i):
            turned[i, j], turned[j, i] = turned[j, i], turned[i, j]
    solve_transposed(jacobian, pivots, turned[:, 6:])
    for i in range(size):
        for j in range(size):
            matrix[i, j] = turned[i, j]


@inline
def _add_stiffness(matrix, p0, k, stiffness):
    """Add ∂²U/∂ξ² at the points, whose strains are unknowns."""
    for m in range(k):
        for r in range(6):
            for c in range(6):
                matrix[6 + 6 * m + r, 6 + 6 * m + c] += stiffness[p0 + m, 6 * r + c]
