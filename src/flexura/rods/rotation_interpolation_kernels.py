"""Compiled heart of the rods whose rotations are interpolated (``rotation_curve_kernels``).

An element between two nodes has the unknowns (ζ of the node before, y, λ, ζ of the node), y those
of its curve; its own Gauss points carry the integral of exp(x) e1 to each of its points by
``rows``, and to its end.
"""

from typing import NamedTuple

from flexura._kernel import heavy, inline, kernel
from flexura.lie.kernels import se3, so3
from flexura.lie.kernels.se3 import copy_into
from flexura.rods import closure_kernels
from flexura.rods import rotation_curve_kernels as curve
from flexura.rods.closure_kernels import Closure
from flexura.typing import Array, Pose

N = 9  # unknowns of an element between its nodes, without multipliers


class Place(NamedTuple):
    """A point of an element, or its end.

    Attributes:
        y: unknowns of the element.
        length: of the element.
        values: of the cubic functions at the place, (3,).
        row: weights of the Gauss points in the integral up to there.
        frame: its pose in the node before the element.
    """

    y: Array
    length: float
    values: Array
    row: Array
    frame: Pose


class Gauss(NamedTuple):
    """At the Gauss points of an element.

    Attributes:
        basis: of ``hermite``.
        lever: ∂(R e1)/∂x.
        pulls: forces that act on L R e1.
    """

    basis: Array
    lever: Array
    pulls: Array


@kernel
def interpolate(first_point, length, basis, rows, inner, strain, rotation, link, work):
    """Strain and rotation at all points, and the pose of every node in the one before it.

    Args:
        first_point: points of the element that leads to node n are ``first_point[n]`` to
            ``first_point[n + 1] - 1``, the Gauss points first; none at the first node of a rod.
        length: of the elements, (n_nodes,).
        basis: of ``hermite`` at every point.
        rows: weights of the Gauss points in the integral up to every point, (n_points, n_gauss);
            behind the last point, those of the whole element.
        inner: y, λ of every element, (n_nodes, 15).
        strain: result, (n_points, 6).
        rotation: result, (n_points, 3, 3).
        link: result, (n_nodes, 4, 4).
        work: (5, 3).
    """
    for n in range(len(length)):
        a, b = first_point[n], first_point[n + 1]
        if a == b:
            continue
        curve.curvature(inner[n], length[n], basis[a:b], strain[a:b], rotation[a:b], work)
        for p in range(a, b):
            strain[p, 3], strain[p, 4], strain[p, 5] = 1.0, 0.0, 0.0
        so3.exp_into(work[0:3], inner[n])
        _put_pose(link[n], work[0:3], length[n], rows[-1], rotation[a:b])


@kernel
def follow(nodes, link, loose, end):
    """Pose of the end of each element, and of the loose nodes there."""
    for n in range(1, len(end)):
        se3.compose_into(end[n], nodes[n - 1], link[n])
    for n in loose:
        copy_into(nodes[n], end[n])


@inline
def _put_pose(out, R, length, row, rotation):
    """Write (R, L Σ_i row_i R_i e1)."""
    for i in range(3):
        total = 0.0
        for q in range(len(row)):
            total += row[q] * rotation[q, i, 0]
        out[i, 3] = length * total
        for j in range(3):
            out[i, j] = R[i, j]


@kernel
def place(points, point_node, first_point, length, rows, rotation, nodes, pose, frame):
    """Poses of chosen points."""
    for p in points:
        n = point_node[p]
        _put_pose(frame, rotation[p], length[n], rows[p], rotation[first_point[n] :])
        se3.compose_into(pose[p], nodes[n - 1], frame)


@kernel
def strain_increments(first_point, length, basis, inner, d_inner, d_strain, work):
    """Linear change of the strain at all points."""
    x, slope, dx, d_slope, m, A, C, Q = (
        work[0], work[1], work[2], work[3], work[4], work[5:8], work[8:11], work[11:14],
    )  # fmt: skip
    m[:] = 0.0
    for n in range(len(length)):
        for p in range(first_point[n], first_point[n + 1]):
            curve.cubic(x, basis[p, 0], inner[n])
            curve.cubic(slope, basis[p, 1], inner[n])
            curve.cubic(dx, basis[p, 0], d_inner[n])
            curve.cubic(d_slope, basis[p, 1], d_inner[n])
            so3.dexp_into(A, x)
            curve.slope_tangent(C, Q, x, slope, m)
            for i in range(3):
                total = 0.0
                for j in range(3):
                    total += C[i, j] * dx[j] + A[i, j] * d_slope[j]
                d_strain[p, i] = total / length[n]
                d_strain[p, 3 + i] = 0.0


@kernel
def carry_back(
    first_point, length, basis, rows, end_basis, inner, rotation, stress, posed, load, wrench,
    force, inner_force, pulls, frame, pull, work,
):  # fmt: skip
    """Forces from stresses and loads at the points, and from a wrench at the end of each element.

    ``pulls`` are the forces that act on L R e1 at the Gauss points.
    """
    x, slope, m, A, C, Q = work[0], work[1], work[2], work[3:6], work[6:9], work[9:12]
    for n in range(len(length)):
        a, b = first_point[n], first_point[n + 1]
        if a == b:
            continue
        y, turns = inner[n], rotation[a:b]
        pulls[:] = 0.0
        for p in range(a, b):
            if posed[p]:
                _put_pose(frame, rotation[p], length[n], rows[p], turns)
                place = Place(y, length[n], basis[p, 0], rows[p], frame)
                _carry_wrench(place, load[p], pulls, force[n - 1], inner_force[n], pull, work)
        so3.exp_into(work[0:3], y)
        _put_pose(frame, work[0:3], length[n], rows[-1], turns)
        tip = Place(y, length[n], end_basis, rows[-1], frame)
        _carry_wrench(tip, wrench[n], pulls, force[n - 1], inner_force[n], pull, work)
        m[:] = 0.0
        for p in range(a, b):
            curve.cubic(x, basis[p, 0], y)
            curve.cubic(slope, basis[p, 1], y)
            so3.dexp_into(A, x)
            curve.slope_tangent(C, Q, x, slope, m)
            R, f = rotation[p], pulls[p - a]
            t1 = -R[0, 2] * f[0] - R[1, 2] * f[1] - R[2, 2] * f[2]  # e1 × Rᵀ f
            t2 = R[0, 1] * f[0] + R[1, 1] * f[1] + R[2, 1] * f[2]
            for c in range(3):
                by_x = A[1, c] * t1 + A[2, c] * t2
                by_slope = 0.0
                for i in range(3):
                    by_x += C[i, c] * stress[p, i] / length[n]
                    by_slope += A[i, c] * stress[p, i] / length[n]
                for k in range(3):
                    inner_force[n, 3 * k + c] += basis[p, 0, k] * by_x + basis[p, 1, k] * by_slope


@inline
def _carry_wrench(place, load, pulls, base_force, own_force, turned, work):
    """Add what a wrench (m, n) at a pose of the element exerts on the node before and on y.

    That of n is left to ``pulls``.
    """
    x, A, values = work[0], work[3:6], place.values
    curve.cubic(x, values, place.y)
    so3.dexp_into(A, x)
    se3.Ad_inv_T_apply(turned, place.frame, load)
    for c in range(6):
        base_force[c] += turned[c]
    for q in range(len(pulls)):
        for i in range(3):
            pulls[q, i] += place.length * place.row[q] * turned[3 + i]
    for c in range(3):
        moment = A[0, c] * load[0] + A[1, c] * load[1] + A[2, c] * load[2]
        for k in range(3):
            own_force[3 * k + c] += values[k] * moment


@heavy
def pull_back_aside(*args):
    """``pull_back`` while other threads run."""
    pull_back(*args)


@kernel
def pull_back(
    first_point, length, basis, rows, end_basis, inner, rotation, nodes, end, stress, stress_ahead,
    stiffness, posed, load, load_tangent, loose, end_tangent, force, inner_force, matrices, lever,
    pulls, moment, curved, gradient, hessian, moved, product, pull, square, small, duals, frame,
    work,
):  # fmt: skip
    """Forces and tangents of all elements, from the laws at the points.

    ``matrices[n]`` belongs to the element that leads to node n, in the order of the module's head.
    ``stress … end_tangent`` are those of ``PointLaws``, ``pull … duals`` those of ``Closure``.
    """
    closure = Closure(pull, square, small, duals)
    n_gauss = len(lever)
    for n in range(len(length)):
        a, b = first_point[n], first_point[n + 1]
        if a == b:
            continue
        L, y, matrix, turns = length[n], inner[n], matrices[n], rotation[a:b]
        matrix[:] = 0.0
        pulls[:] = 0.0
        if loose[n]:
            closure_kernels.release(force[n], end_tangent[n], closure)
        else:
            closure_kernels.close(
                end[n], nodes[n], y[N:], force[n], inner_force[n, N:], matrix, closure
            )
        gauss = Gauss(basis[a:b], lever, pulls)
        _levers(lever, y, basis[a:b], turns, work)
        for p in range(a, b):
            if posed[p]:
                _put_pose(frame, rotation[p], L, rows[p], turns)
                place = Place(y, L, basis[p, 0], rows[p], frame)
                _add_pose_law(
                    place, load[p], gauss, moved, force[n - 1], inner_force[n], matrix, work
                )
                closure_kernels.add_square(N, moved, load_tangent[p], matrix, product)
        so3.exp_into(work[0:3], y)
        _put_pose(frame, work[0:3], L, rows[-1], turns)
        tip = Place(y, L, end_basis, rows[-1], frame)
        _add_pose_law(tip, pull, gauss, moved, force[n - 1], inner_force[n], matrix, work)
        closure_kernels.finish(N, moved, square, matrix, product)
        for q in range(n_gauss):
            for i in range(3):
                moment[q, i] = stress[a + q, i] / L
                for j in range(3):
                    curved[q, i, j] = stiffness[a + q, 6 * i + j] / (L * L)
        curve.derivatives(y, basis[a : a + n_gauss], moment, curved, pulls, gradient, hessian, work)
        for i in range(N):
            inner_force[n, i] += gradient[i]
            for j in range(N):
                matrix[6 + i, 6 + j] += hessian[i, j]


@inline
def _levers(lever, y, basis, rotation, work):
    """∂(R e1)/∂x = R (J_r e)×e1 at the Gauss points, (n_gauss, 3, 3)."""
    x, A = work[0], work[1:4]
    for q in range(len(lever)):
        R = rotation[q]
        curve.cubic(x, basis[q, 0], y)
        so3.dexp_into(A, x)
        for i in range(3):
            for j in range(3):
                lever[q, i, j] = R[i, 1] * A[2, j] - R[i, 2] * A[1, j]


@kernel
def _add_pose_law(place, load, gauss, moved, base_force, own_force, matrix, work):
    """Add the force and the second variation of a wrench (m, n) at a point of an element.

    The pose changes by exp(T ζ) exp(z), to second order

        T ζ + z + ½ [T ζ, z],   z = (J_r dx + ½ DJ_r[dx] dx,  Rᵀ (dp + ½ d²p) - ½ w × v),

    where w, v are the linear parts of z. d²p is left to ``derivatives``, by way of ``pulls``.
    ``moved`` becomes the Jacobian, a row for each of the 6 + 9 unknowns.
    """
    x, A, D, S = work[0], work[1:4], work[4:7], work[7:10]
    length, values, row, frame = place.length, place.values, place.row, place.frame
    basis, lever, pulls = gauss.basis, gauss.lever, gauss.pulls
    curve.cubic(x, values, place.y)
    so3.dexp_into(A, x)
    so3.dexp_derivative_into(S, x, load)
    for c in range(3):  # the node before: w = Rᵀ e, v = Rᵀ (e × p), and v = Rᵀ e
        c1, c2 = (c + 1) % 3, (c + 2) % 3
        for i in range(3):
            moved[c, i] = moved[3 + c, 3 + i] = frame[c, i]
            moved[c, 3 + i] = frame[c2, i] * frame[c1, 3] - frame[c1, i] * frame[c2, 3]
            moved[3 + c, i] = 0.0
    for k in range(3):
        D[:] = 0.0
        for q in range(len(lever)):
            share = length * row[q] * basis[q, 0, k]
            for i in range(3):
                for j in range(3):
                    D[i, j] += share * lever[q, i, j]
        for a in range(3):
            out = moved[6 + 3 * k + a]
            for i in range(3):
                out[i] = values[k] * A[i, a]
                out[3 + i] = frame[0, i] * D[0, a] + frame[1, i] * D[1, a] + frame[2, i] * D[2, a]
    for i in range(3):
        pull = frame[i, 0] * load[3] + frame[i, 1] * load[4] + frame[i, 2] * load[5]
        for q in range(len(lever)):
            pulls[q, i] += length * row[q] * pull
    for c in range(6):
        for i in range(6):
            base_force[c] += moved[c, i] * load[i]
    for i in range(N):
        w = moved[6 + i]
        own_force[i] += w[0] * load[0] + w[1] * load[1] + w[2] * load[2]
    _add_second_variation(values, load, moved, S, matrix)


@inline
def _add_second_variation(values, load, moved, S, matrix):
    """Add mᵀ DJ_r, -½ n·(w × v), and ½ (m, n)·[T ζ, z]."""
    m0, m1, m2, n0, n1, n2 = load[0], load[1], load[2], load[3], load[4], load[5]
    for j in range(6 + N):
        w0, w1, w2, v0, v1, v2 = (
            moved[j, 0], moved[j, 1], moved[j, 2], moved[j, 3], moved[j, 4], moved[j, 5],
        )  # fmt: skip
        t0, t1, t2 = n1 * v2 - n2 * v1, n2 * v0 - n0 * v2, n0 * v1 - n1 * v0  # n × v
        s0, s1, s2 = m1 * w2 - m2 * w1, m2 * w0 - m0 * w2, m0 * w1 - m1 * w0  # m × w
        r0, r1, r2 = n1 * w2 - n2 * w1, n2 * w0 - n0 * w2, n0 * w1 - n1 * w0  # n × w
        for i in range(N):
            z = moved[6 + i]
            value = 0.5 * (z[0] * t0 + z[1] * t1 + z[2] * t2)
            if j < 6:
                value += 0.5 * (z[0] * s0 + z[1] * s1 + z[2] * s2)
                value += 0.5 * (z[3] * r0 + z[4] * r1 + z[5] * r2)
            matrix[6 + i, j] += value
            matrix[j, 6 + i] += value
    for k in range(3):
        for l in range(3):
            share = 0.5 * values[k] * values[l]
            if share != 0.0:
                for i in range(3):
                    for j in range(3):
                        matrix[6 + 3 * k + i, 6 + 3 * l + j] += share * (S[i, j] + S[j, i])
