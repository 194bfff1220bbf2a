"""Compiled part of ``nested``: angles of tubes along the elements of their centreline.

Angles of n tubes on the element that leads to node k, from their values θ_a at the node before:

    θ_j(u) = θ_a,j + Σ_i F_i(u) c_ji,    F_i = ∫ f_i du,    θ_b,j = θ_a,j + c_j0

where f_i are Legendre polynomials on the element, so that only the first one adds up. The row of a
node begins with (θ_b, c, μ): multipliers μ tie the last equation. Derivatives of angles are by the
arc length of reference. The unknowns of a tangent are (ζ of the node before; θ_a; θ_b, c, μ and
further ones; those of the centreline; ζ of the node).
"""

from math import cos, sin

from flexura._kernel import inline, kernel
from flexura.lie.kernels import dual
from flexura.rods import closure_kernels
from flexura.rods.closure_kernels import Closure


@kernel
def angles(node_points, value, slope, n, inner, strain):
    """Angles and their derivatives at the points, behind the six strains of the centreline."""
    p = value.shape[1]
    for node in range(1, len(node_points) - 1):
        before, own = inner[node - 1], inner[node]
        for q in range(node_points[node], node_points[node + 1]):
            for j in range(n):
                angle, rate = before[j], 0.0
                for i in range(p):
                    angle += value[q, i] * own[n + j * p + i]
                    rate += slope[q, i] * own[n + j * p + i]
                strain[q, 6 + j] = angle
                strain[q, 6 + n + j] = rate


@kernel
def carry_angles(node_points, value, slope, n, stress, force):
    """Add the forces of the unknowns of angles that stresses at the points make."""
    p = value.shape[1]
    for node in range(1, len(node_points) - 1):
        for q in range(node_points[node], node_points[node + 1]):
            for j in range(n):
                turning, twisting = stress[q, 6 + j], stress[q, 6 + n + j]
                force[node - 1, j] += turning
                for i in range(p):
                    force[node, n + j * p + i] += value[q, i] * turning + slope[q, i] * twisting


@kernel
def tie_angles(node_points, p, n, inner, force):
    """Add what the multipliers of angles exert, and the gaps that they close."""
    tie = n + n * p
    for node in range(1, len(node_points) - 1):
        if node_points[node] == node_points[node + 1]:
            continue
        for j in range(n):
            pull = inner[node, tie + j]
            force[node, j] += pull
            force[node - 1, j] -= pull
            force[node, tie + j] += inner[node, j] - inner[node - 1, j]
            if p > 0:
                force[node, n + j * p] -= pull
                force[node, tie + j] -= inner[node, n + j * p]


@kernel
def split(components, stress, stress_ahead, stiffness, own_stress, own_ahead, own_stiffness):
    """The part of stresses and stiffness that acts on the strain of the centreline."""
    for q in range(len(own_stress)):
        for i in range(6):
            own_stress[q, i] = stress[q, i]
            own_ahead[q, i] = stress_ahead[q, i]
            for j in range(6):
                own_stiffness[q, 6 * i + j] = stiffness[q, components * i + j]


@kernel
def couple_angles(node_points, value, slope, n, stiffness, begin, matrices):
    """Add the tangent between unknowns of angles to the matrices of elements.

    ``begin`` is where θ_a, and the row of the node, are among the unknowns of an element.
    """
    p, c = value.shape[1], 6 + 2 * n
    first, own = begin
    for node in range(1, len(node_points) - 1):
        matrix = matrices[node]
        if node_points[node] == node_points[node + 1]:
            continue
        _add_ties(matrix, n, p, first, own)
        for q in range(node_points[node], node_points[node + 1]):
            K = stiffness[q]
            for i in range(n):
                for j in range(n):
                    aa, ab = K[c * (6 + i) + 6 + j], K[c * (6 + i) + 6 + n + j]
                    ba, bb = K[c * (6 + n + i) + 6 + j], K[c * (6 + n + i) + 6 + n + j]
                    if aa == 0.0 and ab == 0.0 and ba == 0.0 and bb == 0.0:
                        continue
                    matrix[first + i, first + j] += aa
                    for k in range(p):
                        x, y = value[q, k], slope[q, k]
                        matrix[first + i, own + n + j * p + k] += aa * x + ab * y
                        matrix[own + n + i * p + k, first + j] += x * aa + y * ba
                        left, right = x * aa + y * ba, x * ab + y * bb
                        for l in range(p):
                            matrix[own + n + i * p + k, own + n + j * p + l] += (
                                left * value[q, l] + right * slope[q, l]
                            )


@inline
def _add_ties(matrix, n, p, first, own):
    """The multipliers of angles."""
    tie = own + n + n * p
    for j in range(n):
        matrix[tie + j, own + j] += 1.0
        matrix[own + j, tie + j] += 1.0
        matrix[tie + j, first + j] -= 1.0
        matrix[first + j, tie + j] -= 1.0
        if p > 0:
            matrix[tie + j, own + n + j * p] -= 1.0
            matrix[own + n + j * p, tie + j] -= 1.0


@kernel
def embed(base, at, matrices):
    """Write the tangents of the centreline into larger matrices, whose other entries become zero.

    Unknowns of the node before come first, all others of the centreline begin at ``at``.
    """
    m = base.shape[1]
    for node in range(len(base)):
        matrix = matrices[node]
        matrix[:] = 0.0
        for i in range(m):
            row = i if i < 6 else at + i - 6
            for j in range(m):
                matrix[row, j if j < 6 else at + j - 6] = base[node, i, j]


@kernel
def couple_functions(node_points, runs, phi, value, slope, n, stiffness, begin, at, matrices):
    """Add the tangent between angles and strain functions of the centreline; both ways."""
    p, c = value.shape[1], 6 + 2 * n
    first, own = begin
    for node in range(1, len(node_points) - 1):
        matrix = matrices[node]
        for q in range(node_points[node], node_points[node + 1]):
            K = stiffness[q]
            for r in range(6):
                for j in range(n):
                    a, b = K[c * r + 6 + j], K[c * r + 6 + n + j]
                    d, e = K[c * (6 + j) + r], K[c * (6 + n + j) + r]
                    if a == 0.0 and b == 0.0 and d == 0.0 and e == 0.0:
                        continue
                    for f in range(runs[r], runs[r + 1]):
                        x = phi[q, f]
                        matrix[at + f, first + j] += x * a
                        matrix[first + j, at + f] += x * d
                        for k in range(p):
                            y, z = value[q, k], slope[q, k]
                            matrix[at + f, own + n + j * p + k] += x * (a * y + b * z)
                            matrix[own + n + j * p + k, at + f] += x * (d * y + e * z)


@kernel
def couple_poses(
    node_points, angle_nodes, point_first, value, slope, n, stiffness, jacobian, from_end, to_end,
    cross, gamma, column,
):  # fmt: skip
    """The tangent between angles and the poses that a spline goes through, to ``cross``.

    The ``jacobian`` is ∂ξ/∂Ω at the points, ``from_end`` and ``to_end`` lead from Ω to the poses;
    ``gamma``, a row for each Ω of an element, and ``column`` are work space.
    """
    p, c = value.shape[1], 6 + 2 * n
    turning, twisting, pulled, more = column[0], column[1], column[2], column[3]
    for node in range(1, len(node_points) - 1):
        if node_points[node] == node_points[node + 1]:
            continue
        gamma[:] = 0.0
        begin, stop = angle_nodes[node - 1], angle_nodes[node]
        for q in range(node_points[node], node_points[node + 1]):
            K = stiffness[q]
            for j in range(n):
                for r in range(6):
                    turning[r] = K[c * r + 6 + j]
                    twisting[r] = K[c * r + 6 + n + j]
                for i in range(jacobian.shape[1]):
                    dual.apply_T(pulled, jacobian[q, i], turning)
                    dual.apply_T(more, jacobian[q, i], twisting)
                    out = gamma[point_first[q] + 1 + i - begin]
                    for r in range(6):
                        out[r, j] += pulled[r]
                        for k in range(p):
                            out[r, n + j * p + k] += pulled[r] * value[q, k] + more[r] * slope[q, k]
        for l in range(stop - begin + 1):
            own = cross[node, l]
            own[:] = 0.0
            if l > 0:
                _add_pulled(own, to_end[begin + l], gamma[l], turning, pulled)
            if begin + l < stop:
                _add_pulled(own, from_end[begin + l + 1], gamma[l + 1], turning, pulled)


@inline
def _add_pulled(out, x, rows, column, pulled):
    """out += xᵀ rows, a dual times six rows."""
    for k in range(rows.shape[1]):
        for r in range(6):
            column[r] = rows[r, k]
        dual.apply_T(pulled, x, column)
        for r in range(6):
            out[r, k] += pulled[r]


@kernel
def turn_into(out, pose, angle):
    """out = pose Rot_x(angle)."""
    c, s = cos(angle), sin(angle)
    for i in range(3):
        y, z = pose[i, 1], pose[i, 2]
        out[i, 0], out[i, 3] = pose[i, 0], pose[i, 3]
        out[i, 1] = c * y + s * z
        out[i, 2] = c * z - s * y
    out[3, 0] = out[3, 1] = out[3, 2] = 0.0
    out[3, 3] = 1.0


@kernel
def place_marks(at, tube, angle_node, nodes, inner, loose, end):
    """Frames of marks: where the centreline and the angle have them, to ``end`` and loose nodes."""
    first = len(nodes) - len(at)
    for m in range(len(at)):
        turn_into(end[m], nodes[at[m]], inner[angle_node[m], tube[m]])
        if loose[first + m]:
            for i in range(4):
                for j in range(4):
                    nodes[first + m, i, j] = end[m, i, j]


@kernel
def carry_marks(
    at, tube, angle_node, inner, loose, end, nodes, ties, acts, force, angle_force, gaps, small,
    forms,
):  # fmt: skip
    """Carry what acts on loose marks to centreline and angles, or, unless ``acts``, what ties do.

    Ties are the multipliers of marks that are held, (m, 6); their ``gaps`` are added to.
    """
    first = len(nodes) - len(at)
    wrench = small[28:34]
    for m in range(len(at)):
        if loose[first + m]:
            if not acts:
                continue
            for c in range(6):
                wrench[c] = force[first + m, c]
        else:
            if acts:
                continue
            closure_kernels.pull_ends(
                end[m], nodes[first + m], ties[m], force[first + m], gaps[m], wrench, small, forms
            )
        _turn_back(wrench, inner[angle_node[m], tube[m]], force[at[m]])
        angle_force[angle_node[m], tube[m]] += wrench[0]


@kernel
def mark_tangents(
    at, tube, angle_node, inner, loose, end, nodes, ties, end_tangent, force, angle_force, gaps,
    matrices, moved, small, duals, squares, product,
):  # fmt: skip
    """Forces and tangents of all marks, by (ζ of the centreline, θ, λ, ζ of the mark).

    Row 2m + 1 of ``matrices`` belongs to mark m.
    """
    first = len(nodes) - len(at)
    closure = Closure(small[28:34], squares, small[:28], duals)
    for m in range(len(at)):
        matrix, node = matrices[2 * m + 1], first + m
        matrix[:] = 0.0
        if loose[node]:
            closure_kernels.release(force[node], end_tangent[node], closure)
        else:
            closure_kernels.close(
                end[m], nodes[node], ties[m], force[node], gaps[m], matrix, closure
            )
        angle = inner[angle_node[m], tube[m]]
        c, s = cos(angle), sin(angle)
        moved[:] = 0.0
        for i in range(2):
            moved[3 * i, 3 * i] = 1.0
            moved[3 * i + 1, 3 * i + 1] = moved[3 * i + 2, 3 * i + 2] = c
            moved[3 * i + 1, 3 * i + 2] = -s
            moved[3 * i + 2, 3 * i + 1] = s
        moved[6, 0] = 1.0
        closure_kernels.finish(1, moved, squares, matrix, product)
        f = closure.pull
        _turn_back(f, angle, force[at[m]])
        angle_force[angle_node[m], tube[m]] += f[0]
        # the chart: log(exp(a) exp(b)) has ½ [a, b], of a = Ad ζ and b = e_1 dθ
        for i in range(6):
            bent = moved[i]
            half = 0.5 * (f[1] * bent[2] - f[2] * bent[1] + f[4] * bent[5] - f[5] * bent[4])
            matrix[i, 6] += half
            matrix[6, i] += half


@inline
def _turn_back(wrench, angle, force):
    """Add a wrench of a frame, turned by an angle about x, to the force of what carries it."""
    c, s = cos(angle), sin(angle)
    for i in range(2):
        y, z = wrench[3 * i + 1], wrench[3 * i + 2]
        force[3 * i] += wrench[3 * i]
        force[3 * i + 1] += c * y - s * z
        force[3 * i + 2] += s * y + c * z
