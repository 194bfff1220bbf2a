"""Inertial wrenches of frames that move through a step in time, and how they change with its end.

r = M v̇ - ad_vᵀ M v,    M = diag(J, m)                              (theory 13.1)

Where centres go straight, the force is m Rᵀ (push Δx + R₀ v̇₀), Δx their way in the world.
"""

import numpy as np

from flexura._kernel import allocating, inline
from flexura.lie.kernels import matrix6
from flexura.lie.kernels.dual import apply_T
from flexura.lie.kernels.se3 import between_into, compose_into, log_into
from flexura.lie.kernels.tangent import right_tangent_inverse
from flexura.lie.kernels.vector import cross, rotate_back, vec


@allocating
def add_at_points(
    point, inertia, begin, v0, a0, pace, push, pose, load, tangent, tangents, straight
):  # fmt: skip
    """Add the wrenches of points to their loads, and their tangents if these are asked for."""
    between, d, r, H = np.empty((4, 4)), np.empty(6), np.empty(6), np.empty(36)
    for i in range(len(point)):
        p = point[i]
        between_into(between, begin[i], pose[p])
        log_into(d, between)
        w, u, L = _put_wrench(inertia[i], d, v0[i], a0[i], pace, push, r)
        if straight:
            _put_straight(inertia[i, 3], between, a0[i], push, r)
        for k in range(6):
            load[p, k] += r[k]
        if tangents:
            _put_tangent(inertia[i], d, w, u, L, pace, push, r, H, straight)
            for k in range(36):
                tangent[p, k] += H[k]


@allocating
def add_at_bodies(
    node, center, adjoint, inertia, begin, v0, a0, pace, push, pose, force, blocks, tangents,
    straight,
):  # fmt: skip
    """Add the wrenches of bodies to the forces of their nodes, and write tangents if asked for.

    ``center`` is the pose of the centre in the node, ``adjoint`` Ad of its inverse as a dual.
    """
    g, between, d, r, f = (
        np.empty((4, 4)), np.empty((4, 4)), np.empty(6), np.empty(6), np.empty(6)
    )  # fmt: skip
    H, work = np.empty(36), np.empty(36)
    for i in range(len(node)):
        compose_into(g, pose[node[i]], center[i])
        between_into(between, begin[i], g)
        log_into(d, between)
        w, u, L = _put_wrench(inertia[i], d, v0[i], a0[i], pace, push, r)
        if straight:
            _put_straight(inertia[i, 3], between, a0[i], push, r)
        apply_T(f, adjoint[i], r)
        for k in range(6):
            force[node[i], k] += f[k]
        if tangents:
            _put_tangent(inertia[i], d, w, u, L, pace, push, r, H, straight)
            matrix6.pulled(blocks[i], adjoint[i], H, adjoint[i], work)


@inline
def _put_wrench(inertia, d, v0, a0, pace, push, r):
    """M v̇ - ad_vᵀ M v = (J ω̇ + ω × Jω,  m (u̇ + ω × u)),  v = (ω, u); returns ω, u and Jω."""
    w = (pace * d[0] + v0[0], pace * d[1] + v0[1], pace * d[2] + v0[2])
    u = (pace * d[3] + v0[3], pace * d[4] + v0[4], pace * d[5] + v0[5])
    J, m = (inertia[0], inertia[1], inertia[2]), inertia[3]
    L = (J[0] * w[0], J[1] * w[1], J[2] * w[2])
    turn, drag = cross(w, L), cross(w, u)
    for k in range(3):
        r[k] = J[k] * (push * d[k] + a0[k]) + turn[k]
        r[3 + k] = m * (push * d[3 + k] + a0[3 + k] + drag[k])
    return w, u, L


@inline
def _put_straight(m, between, a0, push, r):
    """The force of a centre that goes straight, from the pose of the end in that of the beginning.

    Then m v·(v - v₀) is what a force does along Δx, and steps of implicit Euler gain no energy.
    """
    pushed = (
        push * between[0, 3] + a0[3], push * between[1, 3] + a0[4], push * between[2, 3] + a0[5]
    )  # fmt: skip
    f = rotate_back(between, pushed)
    for k in range(3):
        r[3 + k] = m * f[k]


@inline
def _put_tangent(inertia, d, w, u, L, pace, push, r, H, straight):
    """Derivative of r in the exponential chart, H (flat 6x6).

    Without what the chart adds, it is

    [ push J + pace (ω̂ J - hat(Jω))      0                        ]
    [ -pace m û                          m (push + pace ω̂)        ]  J_r(d)⁻¹,

    with [hat(f), m push] below where centres go straight.
    """
    J, m = (inertia[0], inertia[1], inertia[2]), inertia[3]
    A, B = right_tangent_inverse(vec(d, 0), vec(d, 3))
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        for c in range(3):  # row i of a hat matrix times column c: x_j y_k - x_k y_j
            spin = w[j] * J[k] * A[k][c] - w[k] * J[j] * A[j][c]
            spin -= L[j] * A[k][c] - L[k] * A[j][c]
            H[6 * i + c] = push * J[i] * A[i][c] + pace * spin
            H[6 * i + 3 + c] = 0.0
            if straight:
                H[18 + 6 * i + c] = 0.0
                H[21 + 6 * i + c] = m * push if c == i else 0.0
                continue
            slide = w[j] * B[k][c] - w[k] * B[j][c] - (u[j] * A[k][c] - u[k] * A[j][c])
            H[18 + 6 * i + c] = m * (push * B[i][c] + pace * slide)
            swing = w[j] * A[k][c] - w[k] * A[j][c]
            H[21 + 6 * i + c] = m * (push * A[i][c] + pace * swing)
        if straight:
            H[18 + 6 * i + k], H[18 + 6 * i + j] = r[3 + j], -r[3 + k]
    for i in range(3):  # of the chart: -½ ad_ζᵀ r
        j, k = (i + 1) % 3, (i + 2) % 3
        H[6 * j + k] += 0.5 * r[i]
        H[6 * k + j] -= 0.5 * r[i]
        H[6 * j + 3 + k] += 0.5 * r[3 + i]
        H[6 * k + 3 + j] -= 0.5 * r[3 + i]
        H[18 + 6 * j + k] += 0.5 * r[3 + i]
        H[18 + 6 * k + j] -= 0.5 * r[3 + i]
