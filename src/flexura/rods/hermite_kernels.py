"""Compiled heart of the cubic Hermite element: kinematics at the points, forces back to the nodes.

Symbols, for the element of length h that leads to node n, with ξ_0 at its beginning and ξ_1 at
its end:

    Ω_1 = h ξ_0/3,   Ω_2 = log(a⁻¹ c),   Ω_3 = h ξ_1/3,    a = g_{n-1} exp(Ω_1),  c = g_n exp(-Ω_3)

are the factors of a piece of ``cumulative_kernels``, in the rows 3n, 3n + 1, 3n + 2 of ``omega``.
Variations are taken in four groups of six, v = (ζ_{n-1}, δΩ_1, δΩ_3, ζ_n). ``near[n]`` are ∂/∂v of
the increment of a, or of c for the last two, and ``across[n]`` those of Ω_2, four duals each.

A row of inner unknowns is (ξ, force, bubble, ξ, force): strain and force at the node, the middle
force of the element that leads to it, and strain and force beyond the node where they jump. ξ_0 is
found in row n - 1 at ``shared[n]``, and the force there behind it. Matrices are in the order
(ζ_{n-1}, ξ_0, force there, row n, ζ_n).
"""

from typing import NamedTuple

from flexura._kernel import heavy, inline, kernel
from flexura.lie.kernels import dual, matrix6, se3
from flexura.rods import cumulative_kernels
from flexura.rods.assumed_strain_kernels import add_rows, add_stretch
from flexura.rods.cumulative_kernels import at
from flexura.rods.factors import Factors, Scratch, Slopes
from flexura.rods.point_laws import PointLaws
from flexura.typing import Array

FORCE, BUBBLE, BEYOND, WIDTH = 6, 9, 12, 21  # columns of a row, and its length
SHARED = 9  # how many numbers of the row before take part
PLACES = (0, 6, 6 + SHARED, 6 + SHARED + WIDTH)  # of v in a matrix
FORCES = (12, 6 + SHARED + FORCE, 6 + SHARED + BUBBLE)  # of the three forces
SIZE = 12 + SHARED + WIDTH


class Forces(NamedTuple):
    """What couples the unknown forces to the rest, at the points.

    Attributes:
        basis: functions of the three forces, (n_points, 3); the middle one is last.
        weight: of the points.
        flexibility: diagonal of K⁻¹, (n_points, 3), weights included.
        jacobian: ∂ξ/∂Ω_j, duals, (n_points, 3, 18).
    """

    basis: Array
    weight: Array
    flexibility: Array
    jacobian: Array


@kernel
def differences(
    rod_nodes, length, shared, nodes, inner, omega, near, across, from_end, to_end, frames, twist
):
    """Ω of every element, and the tangents of Ω_2."""
    for rod in range(len(rod_nodes) - 1):
        for n in range(rod_nodes[rod] + 1, rod_nodes[rod + 1]):
            first, second, third = omega[3 * n], omega[3 * n + 1], omega[3 * n + 2]
            for c in range(6):
                first[c] = length[n] / 3.0 * inner[n - 1, shared[n] + c]
                third[c] = length[n] / 3.0 * inner[n, c]
                twist[c] = -third[c]
            se3.exp_into(frames[0], first)
            se3.compose_into(frames[1], nodes[n - 1], frames[0])
            se3.exp_into(frames[0], twist)
            se3.compose_into(frames[2], nodes[n], frames[0])
            se3.between_into(frames[0], frames[1], frames[2])
            se3.log_into(second, frames[0])
            dual.difference(from_end[n], to_end[n], second)
            dual.step(near[n, 0], near[n, 1], first, 1.0)
            dual.step(near[n, 3], near[n, 2], twist, 1.0)
            for c in range(18):
                near[n, 2, c] = -near[n, 2, c]
            for i in range(4):
                dual.mul(across[n, i], from_end[n] if i < 2 else to_end[n], near[n, i])


@kernel
def increments(
    rod_nodes, span_first, span_points, length, shared, b, db, omega, transport, tangent, eta,
    across, d_nodes, d_inner, d_omega, d_strain, work,
):  # fmt: skip
    """δΩ and δξ for increments of the nodes and the strains."""
    factors = Factors(b, db, omega, transport, tangent, eta)
    for rod in range(len(rod_nodes) - 1):
        for n in range(rod_nodes[rod] + 1, rod_nodes[rod + 1]):
            for c in range(6):
                d_omega[3 * n, c] = length[n] / 3.0 * d_inner[n - 1, shared[n] + c]
                d_omega[3 * n + 2, c] = length[n] / 3.0 * d_inner[n, c]
                d_omega[3 * n + 1, c] = 0.0
            steps = (d_nodes[n - 1], d_omega[3 * n], d_omega[3 * n + 2], d_nodes[n])
            for i in range(4):
                dual.apply(work[0], across[n, i], steps[i])
                for c in range(6):
                    d_omega[3 * n + 1, c] += work[0, c]
    cumulative_kernels.strain_increments(span_first, span_points, factors, d_omega, d_strain, work)


@kernel
def links(rod_nodes, fraction, omega, d_omega, link, frames, twist):
    """Π exp(Ω_i + fraction δΩ_i): the pose of every node in the one before it."""
    for rod in range(len(rod_nodes) - 1):
        for n in range(rod_nodes[rod] + 1, rod_nodes[rod + 1]):
            for i in range(3):
                for c in range(6):
                    twist[c] = omega[3 * n + i, c] + fraction * d_omega[3 * n + i, c]
                if i == 0:
                    se3.exp_into(frames[0], twist)
                    continue
                se3.exp_into(frames[2], twist)
                out = frames[1] if i == 1 else link[n]
                se3.compose_into(out, frames[i - 1], frames[2])


@kernel
def turn(rod_nodes, omega):
    """Largest rotation of Ω_2 [rad], which is the one that a logarithm gives."""
    largest = 0.0
    for rod in range(len(rod_nodes) - 1):
        for n in range(rod_nodes[rod] + 1, rod_nodes[rod + 1]):
            w = omega[3 * n + 1]
            largest = max(largest, w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
    return largest**0.5


@kernel
def carry_back(
    elements, span_points, length, shared, b, db, omega, transport, tangent, eta, across, stress,
    posed, load, force, inner_force, gamma, vectors,
):  # fmt: skip
    """Forces of nodes and strains from stresses and loads; ``gamma`` becomes ∂U/∂Ω."""
    factors = Factors(b, db, omega, transport, tangent, eta)
    gamma[:] = 0.0
    for e in range(len(elements)):
        n = elements[e]
        for p in range(span_points[e], span_points[e + 1]):
            cumulative_kernels.carry_point(
                at(factors, 3 * n - 1, p), stress[p], posed[p], load[p], force[n - 1], gamma,
                vectors,
            )  # fmt: skip
        _add_forces(n, length[n], shared[n], across[n], gamma, force, inner_force, vectors[0])


@inline
def _add_forces(n, length, shared, across, gamma, force, inner_force, pulled):
    """Forces of nodes and strains from γ = ∂U/∂Ω."""
    for i in range(4):
        dual.apply_T(pulled, across[i], gamma[3 * n + 1])
        for c in range(6):
            if i == 0:
                force[n - 1, c] += pulled[c]
            elif i == 1:
                inner_force[n - 1, shared + c] += length / 3.0 * (gamma[3 * n, c] + pulled[c])
            elif i == 2:
                inner_force[n, c] += length / 3.0 * (gamma[3 * n + 2, c] + pulled[c])
            else:
                force[n, c] += pulled[c]


@heavy
def pull_back_aside(*args):
    """``pull_back`` while other threads run."""
    pull_back(*args)


@kernel
def pull_back(
    elements, span_points, length, shared, b, db, omega, transport, tangent, eta, near, across,
    from_end, to_end, basis, weight, flexibility, stress, stress_ahead, stiffness, posed, load,
    load_tangent, loose, end_tangent, symmetric, force, inner_force, matrices, gamma, gamma_ahead,
    jacobian, vectors, duals, forms, material, local, product, mixed, found,
):  # fmt: skip
    """Generalised forces and tangent matrices of the elements, from the laws at the points.

    Args (all weights are inside the laws):
        elements, span_points: nodes that elements lead to, and their points.
        b … eta: of ``Factors``.
        basis, weight, flexibility: of ``Forces``.
        stress … end_tangent: of ``PointLaws``.
        symmetric: whether all load tangents are.
        force, inner_force: results, added to.
        matrices: results, in the order of the module's head.
        gamma … jacobian: of ``Slopes``.
        vectors … product: of ``Scratch``.
        mixed, found: work space.
    """
    factors = Factors(b, db, omega, transport, tangent, eta)
    forces = Forces(basis, weight, flexibility, jacobian)
    laws = PointLaws(stress, stress_ahead, stiffness, posed, load, load_tangent, loose, end_tangent)
    slopes = Slopes(gamma, gamma_ahead, jacobian)
    scratch = Scratch(vectors, duals, forms, material, local, product)
    gamma[:] = 0.0
    gamma_ahead[:] = 0.0
    for e in range(len(elements)):
        n, begin, stop = elements[e], span_points[e], span_points[e + 1]
        start = cumulative_kernels.piece_tangent(
            begin, stop, 3 * n - 1, factors, laws, force[n - 1], slopes, scratch
        )
        _add_forces(n, length[n], shared[n], across[n], gamma, force, inner_force, vectors[0])
        _to_ends(start, symmetric, across[n], local, mixed, found)
        forms[:] = 0.0
        _curvature_forms(
            omega[3 * n : 3 * n + 3], gamma_ahead[3 * n + 1], near[n], from_end[n], to_end[n],
            forms, duals, vectors,
        )  # fmt: skip
        for i in range(4):
            for j in range(i + 1):
                matrix6.add_form(found[i, j], forms[i, j], 1.0, False)
                if i != j and not symmetric:
                    matrix6.add_form(found[j, i], forms[i, j], 1.0, True)
        scale = length[n] / 3.0
        _write(matrices[n], found, scale, symmetric)
        _write_forces(matrices[n], begin, stop, scale, forces, across[n], mixed)


@inline
def _direct(i):
    """Index among (ζ, Ω_1, Ω_2, Ω_3) of a group of v that acts directly; ζ_n does not."""
    return 3 if i == 2 else i


@inline
def _to_ends(start, symmetric, across, local, mixed, found):
    """Change a tangent from (ζ_{n-1}, Ω_1, Ω_2, Ω_3) to v, without the curvature of Ω_2.

    H_ij + H_i2 X_j + X_iᵀ (H_2j + H_22 X_j), X = ``across``; ζ_n acts through Ω_2 alone.
    """
    for j in range(4):
        out = mixed[j]
        dual.clear(out)
        if j < 3 and _direct(j) >= start:
            matrix6.add(out, local[2, _direct(j)], 1.0, False)
        matrix6.add_mul(out, local[2, 2], across[j])
    for i in range(4):
        for j in range(i + 1 if symmetric else 4):
            out = found[i, j]
            dual.clear(out)
            if i < 3 and _direct(i) >= start:
                if j < 3:
                    matrix6.add(out, local[_direct(i), _direct(j)], 1.0, False)
                matrix6.add_mul(out, local[_direct(i), 2], across[j])
            matrix6.add_T_mul(out, across[i], mixed[j])


@inline
def _curvature_forms(omega, gamma, near, from_end, to_end, forms, duals, vectors):
    """γᵀ δ²Ω_2 as forms of v, on and below the diagonal.

    With the increments z_a, z_c of a and c it is that of ``dual.difference_forms``; and these are
    z_a = T ζ + y + ½ [T ζ, y] + …, y = J_r(Ω_1) e + ½ DJ_r[e] e, so that f_a = ∂Ω_2/∂aᵀ γ makes
    another part; likewise z_c.
    """
    from_form, to_form, one, other, work = duals[0], duals[1], duals[2], duals[3], duals[4]
    pulled, twist = vectors[0], vectors[1]
    dual.difference_forms(from_form, to_form, omega[1], gamma)
    for side in range(2):
        for with_side in range(side + 1):
            end = from_end if side == 0 else to_end
            with_end = from_end if with_side == 0 else to_end
            dual.form_product(one, end, from_form if with_side == 0 else to_form)
            dual.form_product(other, with_end, from_form if side == 0 else to_form)
            for k in range(0, 18, 9):
                for r in range(3):
                    for c in range(3):
                        x = one[k + 3 * r + c] + other[k + 3 * c + r]
                        work[k + 3 * r + c] = 0.5 * x
            for i in range(2 * side, 2 * side + 2):
                for j in range(2 * with_side, min(i + 1, 2 * with_side + 2)):
                    dual.add_pulled(forms[i, j], near[i], work, near[j], one)
    dual.apply_T(pulled, from_end, gamma)
    dual.add_step_form(forms[1, 1], omega[0], 1.0, pulled)
    dual.bracket_form(work, pulled, 0.5)
    dual.add_pulled(forms[1, 0], near[1], work, near[0], one)
    dual.apply_T(pulled, to_end, gamma)
    for c in range(6):
        twist[c] = -omega[2, c]
    dual.add_step_form(forms[2, 2], twist, 1.0, pulled)
    dual.bracket_form(work, pulled, -0.5)
    dual.add_pulled(forms[3, 2], near[3], work, near[2], one)


@inline
def _write(matrix, blocks, scale, symmetric):
    """Write the blocks of v; those of Ω_1 and Ω_3 are scaled to ξ."""
    for i in range(4):
        for j in range(i + 1 if symmetric else 4):
            factor = (scale if 0 < i < 3 else 1.0) * (scale if 0 < j < 3 else 1.0)
            for k in range(6):
                for l in range(6):
                    value = factor * blocks[i, j, 6 * k + l]
                    matrix[PLACES[i] + k, PLACES[j] + l] = value
                    if symmetric and i != j:
                        matrix[PLACES[j] + l, PLACES[i] + k] = value


@inline
def _write_forces(matrix, begin, stop, scale, forces, across, work):
    """Write what couples the three forces to v and to each other."""
    basis = forces.basis
    for a in range(3):
        for b in range(3):
            for c in range(3):
                total = 0.0
                for p in range(begin, stop):
                    total -= basis[p, a] * basis[p, b] * forces.flexibility[p, c]
                matrix[FORCES[a] + c, FORCES[b] + c] = total
        for j in range(3):
            dual.clear(work[j])
            for p in range(begin, stop):
                add_stretch(work[j], forces.weight[p] * basis[p, a], forces.jacobian[p, j])
        for i in range(4):
            rows = work[3]
            dual.clear(rows)
            add_rows(rows, work[1], across[i])
            factor = scale if 0 < i < 3 else 1.0
            for r in range(3):
                for c in range(6):
                    value = rows[6 * r + c]
                    if 0 < i < 3:
                        value += work[2 * i - 2, 6 * r + c]
                    matrix[FORCES[a] + r, PLACES[i] + c] = factor * value
                    matrix[PLACES[i] + c, FORCES[a] + r] = factor * value
