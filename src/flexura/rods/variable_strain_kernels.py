"""Compiled heart of the variable-strain rod.

The strain is ξ(s) = ξ*(s) + Σ_j φ_j(s) e_{c(j)} q_j. Poses follow by the fourth-order Magnus
expansion on steps of length h with two Gauss points: with ξ_m their mean and β their slope,

    g(s) = g_0 exp(Ω(s)),    Ω(s) = s (ξ_m + (s - h)/2 β) - s³/12 [β, ξ_m].

The unknowns of a rod, its one element, are (ζ of its base, q, λ, ζ of its tip); λ ties the end of
the integration to the tip's node by c = log(g_end⁻¹ g_tip) = 0. Columns of Jacobians are
(base, q). Everything is exact to second order. See docs/theory.md, section 5.
"""

import numpy as np

from flexura._kernel import inline, kernel
from flexura.lie import dual, se3
from flexura.rods import closure_kernels

ROOT3 = np.sqrt(3.0)


@kernel
def strains(rod_points, rest, phi, component, inner, strain):
    """ξ at every point."""
    for rod in range(len(rod_points) - 1):
        q = inner[rod]
        for p in range(rod_points[rod], rod_points[rod + 1]):
            for c in range(6):
                strain[p, c] = rest[p, c]
            for j in range(len(component)):
                strain[p, component[j]] += phi[p, j] * q[j]


@kernel
def integrate(rod_steps, step, gauss, strain, start, poses, end, twist, work):
    """Poses of the ends of all steps, from the base: ``poses[k]`` at the start of step k."""
    for rod in range(len(rod_steps) - 1):
        g = start[rod]
        for k in range(rod_steps[rod], rod_steps[rod + 1]):
            for i in range(4):
                for j in range(4):
                    poses[k, i, j] = g[i, j]
            _expansion(twist, step[k], step[k], strain[gauss[k]], strain[gauss[k] + 1])
            se3.exp_into(work[0], twist)
            target = end[rod] if k + 1 == rod_steps[rod + 1] else work[1 + k % 2]
            se3.compose_into(target, g, work[0])
            g = target


@kernel
def place(points, point_step, point_s, step, gauss, strain, poses, pose, twist, work):
    """Poses of chosen points, inside their steps."""
    for p in points:
        k = point_step[p]
        _expansion(twist, step[k], point_s[p], strain[gauss[k]], strain[gauss[k] + 1])
        se3.exp_into(work[0], twist)
        se3.compose_into(pose[p], poses[k], work[0])


@inline
def _expansion(out, h, s, first, second):
    """Ω(s) in a step of length h whose Gauss points have the given strains."""
    lead = 0.5 * s + ROOT3 * 0.5 * s * (s - h) / h
    own = 0.5 * s - ROOT3 * 0.5 * s * (s - h) / h
    twice = ROOT3 * s * s * s / (12.0 * h)
    se3.ad_apply(out, first, second)
    for c in range(6):
        out[c] = own * first[c] + lead * second[c] + twice * out[c]


@inline
def _columns(out, h, s, first, second, phi_first, phi_second, component, active):
    """∂Ω(s)/∂q, one row of six per column, after the six of the base."""
    lead = 0.5 * s + ROOT3 * 0.5 * s * (s - h) / h
    own = 0.5 * s - ROOT3 * 0.5 * s * (s - h) / h
    twice = ROOT3 * s * s * s / (12.0 * h)
    for j in active:
        c = component[j]
        row = out[6 + j]
        _add_unit_bracket(row, c, first, twice * phi_second[j], second, -twice * phi_first[j])
        row[c] += own * phi_first[j] + lead * phi_second[j]


@inline
def _add_unit_bracket(out, c, x, a, y, b):
    """out = a [x, e_c] + b [y, e_c]."""
    for i in range(6):
        out[i] = 0.0
    w0, w1, w2 = a * x[0] + b * y[0], a * x[1] + b * y[1], a * x[2] + b * y[2]
    if c >= 3:  # (w, v) with (0, e): (0, w × e)
        c -= 3
        low = 3
    else:  # with (e, 0): (w × e, v × e)
        v0, v1, v2 = a * x[3] + b * y[3], a * x[4] + b * y[4], a * x[5] + b * y[5]
        if c == 0:
            out[4], out[5] = v2, -v1
        elif c == 1:
            out[3], out[5] = -v2, v0
        else:
            out[3], out[4] = v1, -v0
        low = 0
    if c == 0:
        out[low + 1], out[low + 2] = w2, -w1
    elif c == 1:
        out[low], out[low + 2] = -w2, w0
    else:
        out[low], out[low + 1] = w1, -w0


@kernel
def pull_back(
    rod_steps, step, gauss, step_points, step_active, step_count, point_s, rod_points, strain, phi,
    component, inner, nodes, end, stress, stiffness, posed, load, load_tangent,
    force, inner_force, matrices, wrench, columns, moved, product, small, forms, square,
):  # fmt: skip
    """Forces and tangents of all rods, from the laws at the points.

    ``matrices[2 rod + 1]`` belongs to the element of a rod, in the order (base, q, λ, tip).
    Work space: wrench (n_steps + 1, 6), columns, moved, product (6 + n, 6) each in ``small`` rows.
    """
    n = len(component)
    for rod in range(len(rod_steps) - 1):
        base, tip = 2 * rod, 2 * rod + 1
        matrix = matrices[tip]
        matrix[:] = 0.0
        for p in range(rod_points[rod], rod_points[rod + 1]):
            _add_elastic(phi[p], component, stress[p], stiffness[p], inner_force[tip], matrix)
        closure_kernels.close(
            end[rod], nodes[tip], inner[tip, n:], force, inner_force, tip, n, matrix,
            wrench[rod_steps[rod + 1]], square, small, forms,
        )  # fmt: skip
        _carry_back(
            rod_steps[rod], rod_steps[rod + 1], step, gauss, step_points, point_s, strain,
            posed, load, wrench, small, forms,
        )  # fmt: skip
        _carry_forward(
            rod_steps[rod], rod_steps[rod + 1], step, gauss, step_points, step_active, step_count,
            point_s, strain, phi, component, posed, load, load_tangent, wrench, columns, moved,
            product, small, forms,
            force[base], inner_force[tip], matrix,
        )  # fmt: skip
        closure_kernels.finish(n, moved, square, matrix, product)


@inline
def _add_elastic(phi, component, stress, stiffness, force, matrix):
    """Add Φᵀ Λ and Φᵀ K Φ of a point."""
    n = len(component)
    for i in range(n):
        if phi[i] == 0.0:
            continue
        force[i] += phi[i] * stress[component[i]]
        for j in range(n):
            k = stiffness[6 * component[i] + component[j]]
            if k != 0.0:
                matrix[6 + i, 6 + j] += phi[i] * k * phi[j]


@inline
def _carry_back(
    begin, stop, step, gauss, step_points, point_s, strain, posed, load, wrench, small, forms
):
    """The wrench that acts on the end of every step, from all that lies beyond."""
    twist, turned = small[0:6], small[6:12]
    transport, tangent = forms[0], forms[1]
    for k in range(stop - 1, begin - 1, -1):
        first, second = strain[gauss[k]], strain[gauss[k] + 1]
        _expansion(twist, step[k], step[k], first, second)
        dual.step(transport, tangent, twist, 1.0)
        dual.apply_T(wrench[k], transport, wrench[k + 1])
        for p in range(step_points[k], step_points[k + 1]):
            if posed[p]:
                _expansion(twist, step[k], point_s[p], first, second)
                dual.step(transport, tangent, twist, 1.0)
                dual.apply_T(turned, transport, load[p])
                for c in range(6):
                    wrench[k, c] += turned[c]


@inline
def _carry_forward(
    begin, stop, step, gauss, step_points, step_active, step_count, point_s, strain, phi,
    component, posed, load, load_tangent, wrench, columns, moved, product, small, forms, base_force,
    q_force, matrix,
):  # fmt: skip
    """Jacobians along the rod; add forces and second variations on the way.

    ``moved`` ends as ∂z_end/∂(base, q), a row for each column.
    """
    n = len(component)
    moved[:] = 0.0
    for c in range(6):
        moved[c, c] = 1.0
    for c in range(6):
        base_force[c] += wrench[begin, c]
    ahead = product[6 + n :]
    for k in range(begin, stop):
        first, second = strain[gauss[k]], strain[gauss[k] + 1]
        phi_first, phi_second = phi[gauss[k]], phi[gauss[k] + 1]
        active = step_active[k, : step_count[k]]
        for p in range(step_points[k], step_points[k + 1]):
            if posed[p]:
                _advance(
                    step[k], point_s[p], first, second, phi_first, phi_second, component, active,
                    load[p], columns, moved, ahead, product, small, forms, q_force, matrix,
                )  # fmt: skip
                closure_kernels.add_square(n, ahead, load_tangent[p], matrix, product)
        _advance(
            step[k], step[k], first, second, phi_first, phi_second, component, active,
            wrench[k + 1], columns, moved, ahead, product, small, forms, q_force, matrix,
        )  # fmt: skip
        for i in range(6 + n):
            for c in range(6):
                moved[i, c] = ahead[i, c]


@inline
def _advance(
    h, s, first, second, phi_first, phi_second, component, active, wrench, columns, moved, ahead,
    product, small, forms, q_force, matrix,
):  # fmt: skip
    """Carry the Jacobian to s in a step; add the force and the second variation of ``wrench``.

    z(s) = T z + a + ½ [T z, a] + …,    a = J_r(Ω) dΩ + ½ DJ_r[dΩ] dΩ
    """
    n = len(component)
    twist, mu, row = small[0:6], small[6:12], small[12:18]
    transport, tangent, form = forms[0], forms[1], forms[2]
    _expansion(twist, h, s, first, second)
    dual.step(transport, tangent, twist, 1.0)
    _columns(columns, h, s, first, second, phi_first, phi_second, component, active)
    for c in range(18):
        form[c] = 0.0
    dual.add_step_form(form, twist, 1.0, wrench)
    for j in active:  # dΩᵀ N dΩ
        _form_apply(product[j], form, columns[6 + j])
    for i in active:
        for j in active:
            value = 0.0
            for c in range(6):
                value += columns[6 + i, c] * product[j, c]
            matrix[6 + i, 6 + j] += value
    dual.apply_T(mu, tangent, wrench)
    for j in active:
        value = 0.0
        for c in range(6):
            value += mu[c] * columns[6 + j, c]
        q_force[j] += value
    dual.bracket_form(form, mu, ROOT3 * s * s * s / (12.0 * h))
    for i in active:  # the commutator of the two Gauss points
        for j in active:
            value = phi_second[i] * phi_first[j] * _entry(form, component[i], component[j])
            matrix[6 + i, 6 + j] += value
            matrix[6 + j, 6 + i] += value
    dual.bracket_form(form, wrench, 0.5)
    for i in range(6 + n):
        dual.apply(ahead[i], transport, moved[i])
        _form_apply(product[i], form, ahead[i])
    for j in active:
        dual.apply(row, tangent, columns[6 + j])
        for i in range(6 + n):
            value = 0.0
            for c in range(6):
                value += row[c] * product[i, c]
            matrix[6 + j, i] += value
            matrix[i, 6 + j] += value
        for c in range(6):
            columns[6 + j, c] = row[c]
    for j in active:
        for c in range(6):
            ahead[6 + j, c] += columns[6 + j, c]


@inline
def _form_apply(out, form, x):
    """out = form x."""
    for i in range(3):
        top = 0.0
        bottom = 0.0
        for l in range(3):
            top += form[3 * i + l] * x[l] + form[9 + 3 * i + l] * x[3 + l]
            bottom += form[9 + 3 * i + l] * x[l]
        out[i] = top
        out[3 + i] = bottom


@inline
def _entry(form, i, j):
    """An entry of the 6x6 matrix of a form."""
    if i < 3 and j < 3:
        return form[3 * i + j]
    if i >= 3 and j >= 3:
        return 0.0
    return form[9 + 3 * (i % 3) + j % 3]
