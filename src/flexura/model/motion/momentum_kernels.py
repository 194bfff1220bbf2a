"""Compiled part of ``momentum``."""

import numpy as np

from flexura._kernel import allocating, kernel
from flexura.lie.kernels import dual
from flexura.lie.kernels.se3 import (
    Ad_T_apply,
    between_into,
    compose_into,
    exp_into,
    log_into,
)
from flexura.lie.kernels.tangent import right_tangent, right_tangent_inverse
from flexura.lie.kernels.vector import scaled, vec


@allocating
def momenta(inertia, d, scale, side, out):
    """J_r(side d)⁻ᵀ M d, times a scale; side is 1 where steps lead to, -1 where they come from."""
    tangent, momentum = np.empty(18), np.empty(6)
    for n in range(len(d)):
        A, B = right_tangent_inverse(scaled(side, vec(d[n], 0)), scaled(side, vec(d[n], 3)))
        dual.put(tangent, scale, A, B)
        for k in range(6):
            momentum[k] = inertia[n, k] * d[n, k]
        dual.apply_T(out[n], tangent, momentum)


@kernel
def add_bodies(node, adjoint, wrench, force, work):
    """Add wrenches on the centres of bodies to the forces of their nodes."""
    for i in range(len(node)):
        dual.apply_T(work, adjoint[i], wrench[i])
        for k in range(6):
            force[node[i], k] += work[k]


@kernel
def add_at(point, wrench, load):
    """Add wrenches on some points to the loads of all."""
    for i in range(len(point)):
        for k in range(6):
            load[point[i], k] += wrench[i, k]


@allocating
def halfway(frames, begin, end, middle, d):
    """d = log(g₀⁻¹ g₁) and g₀ exp(d/2) of some frames."""
    half, twist = np.empty((4, 4)), np.empty(6)
    for i in frames:
        between_into(half, begin[i], end[i])
        log_into(d[i], half)
        for k in range(6):
            twist[k] = 0.5 * d[i, k]
        exp_into(half, twist)
        compose_into(middle[i], begin[i], half)


@kernel
def transport(begin, end, pose_dof, force, work):
    """Ad_{g₀⁻¹ g₁}ᵀ f: wrenches on poses that move, the same in the world."""
    between, moved = work
    for c in range(len(pose_dof)):
        between_into(between, begin[c], end[c])
        own = force[pose_dof[c] : pose_dof[c] + 6]
        Ad_T_apply(moved, between, own)
        for k in range(6):
            own[k] = moved[k]


@allocating
def put_share(frames, force, d, scale, side, out):
    """Write a multiple of ½ J_r(side d)⁻ᵀ J_r(side d/2)ᵀ f, of some frames."""
    tangent, turned = np.empty(18), np.empty(6)
    for i in frames:
        w, v = scaled(side, vec(d[i], 0)), scaled(side, vec(d[i], 3))
        A, B = right_tangent(scaled(0.5, w), scaled(0.5, v))
        dual.put(tangent, 0.5 * scale, A, B)
        dual.apply_T(turned, tangent, force[i])
        A, B = right_tangent_inverse(w, v)
        dual.put(tangent, 1.0, A, B)
        dual.apply_T(out[i], tangent, turned)
