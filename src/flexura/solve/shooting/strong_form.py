"""Kernels of the continuous equations of a rod: an integration step and its linearisation.

    g' = g hat(ξ),   ξ = K⁻¹ Λ + ξ*,   Λ' = ad_ξᵀ Λ - F                       (theory 1.1, 1.2)

with the load F per arc length in the body frame. Over a step g = g_0 exp(u) and u' = J_r(u)⁻¹ ξ
(Runge-Kutta-Munthe-Kaas), so that rotations stay rotations and a constant strain is exact. The
coefficients are those of Dormand and Prince, order 8 with an error estimate of orders 5 and 3.
Variations x = (ζ, δΛ) are carried along by the same method:

    ζ' = δξ - ad_ξ ζ,   δξ = K⁻¹ δΛ,   δΛ' = ad_ξᵀ δΛ + ad_δξᵀ Λ - δF.

Everything here is without units: see ``solve.serial``.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np
from scipy.integrate import DOP853

from flexura._kernel import kernel
from flexura.lie._se3 import ad_T_apply, compose_into, dexpinv_apply, exp_into
from flexura.lie._vector import blend, cross, dot, put, rotate, rotate_back, vec
from flexura.typing import Array, Indices, Pose, Strain, Wrench

_B, _C, _E3, _E5 = DOP853.B, DOP853.C, DOP853.E3, DOP853.E5
_STAGES = len(_B)
# A step turns the section by no more than this [rad]: J_r(u)⁻¹ has a pole at 2π.
_MAX_TURN = 2.0
# The variations that are integrated: three rotations of the begin, and its wrench.
VARIATIONS = 9


class Law(NamedTuple):
    """What acts along the segments; a segment lies in one panel, where all is smooth.

    Attributes:
        begin: arc length of the rod where each segment begins, (n,).
        end: where it ends, smaller than ``begin`` if the rod is passed backwards, (n,).
        panel: panel of each segment, (n,).
        panel_ends: arc lengths between which a panel lies, (m, 2).
        terms: number of Chebyshev terms in a panel, (m,).
        series: their coefficients for the diagonal of K and for ξ*, (m, k, 12).
        heavy: whether ``dead`` or ``weight`` is not zero, (n,).
        dead: load per arc length in world axes, (n, 6).
        weight: gravity as a force per arc length and stretch stiffness EA, world axes, (n, 3).
        follower: load per arc length in the body frame, (n, 6).
    """

    begin: Array
    end: Array
    panel: Indices
    panel_ends: Array
    terms: Indices
    series: Array
    heavy: Indices
    dead: Wrench
    weight: Array
    follower: Wrench


class Stages(NamedTuple):
    """The stages of one Runge-Kutta step, and what else a step writes.

    Attributes:
        matrix: coefficients of the method, (12, 12).
        state: (u, Λ) at the stages, (12, 12).
        slope: (u', Λ'), (12, 12).
        strain: ξ, (12, 6).
        flexibility: diagonal of K⁻¹, (12, 6).
        dead: dead load per arc length in the body frame, (12, 6).
        density: elastic energy, and potential of dead forces, per arc length, (12, 2).
        turn: exp(u), (4, 4).
        new: (u, Λ) at the end of the step, (12,).
        slopes: of the variations at the stages, (12, 12 * 9).
        variations: at a stage, (9, 12).
    """

    matrix: Array
    state: Array
    slope: Array
    strain: Strain
    flexibility: Array
    dead: Wrench
    density: Array
    turn: Pose
    new: Array
    slopes: Array
    variations: Array


def new_stages() -> Stages:
    """Arrays for the steps of one sweep."""
    n = _STAGES
    return Stages(
        matrix=DOP853.A,
        state=np.zeros((n, 12)),
        slope=np.zeros((n, 12)),
        strain=np.zeros((n, 6)),
        flexibility=np.zeros((n, 6)),
        dead=np.zeros((n, 6)),
        density=np.zeros((n, 2)),
        turn=np.eye(4),
        new=np.zeros(12),
        slopes=np.zeros((n, 12 * VARIATIONS)),
        variations=np.zeros((VARIATIONS, 12)),
    )


@kernel
def constants(law: Law, segment: int, s: float, stiffness: Array, rest: Strain) -> None:
    """Write the diagonal of K and ξ* at an arc length, by Clenshaw's recurrence."""
    panel = law.panel[segment]
    a, b = law.panel_ends[panel, 0], law.panel_ends[panel, 1]
    x = (2.0 * s - a - b) / (b - a)
    for j in range(12):
        c1 = c2 = 0.0
        for k in range(law.terms[panel] - 1, 0, -1):
            c1, c2 = law.series[panel, k, j] + 2.0 * x * c1 - c2, c1
        value = law.series[panel, 0, j] + x * c1 - c2
        if j < 6:
            stiffness[j] = value
        else:
            rest[j - 6] = value


@kernel
def _slope(law: Law, segment: int, s: float, g: Pose, stages: Stages, c: int) -> None:
    """Strain, derivatives (u', Λ') and densities at stage c of a step from pose g."""
    u, wrench, slope = stages.state[c, :6], stages.state[c, 6:], stages.slope[c]
    xi, flexibility, dead = stages.strain[c], stages.flexibility[c], stages.dead[c]
    constants(law, segment, s, flexibility, xi)
    EA, energy = flexibility[3], 0.0
    for i in range(6):
        flexibility[i] = 1.0 / flexibility[i]
        change = flexibility[i] * wrench[i]
        xi[i] += change
        energy += 0.5 * change * wrench[i]
    stages.density[c, 0], stages.density[c, 1] = energy, 0.0
    dexpinv_apply(slope[:6], u, xi)
    ad_T_apply(slope[6:], xi, wrench)
    for i in range(6):
        slope[6 + i] -= law.follower[segment, i]
        dead[i] = 0.0
    if law.heavy[segment]:
        turn = stages.turn
        exp_into(turn, u)
        torque = vec(law.dead[segment], 0)
        pull = blend(1.0, vec(law.dead[segment], 3), EA, vec(law.weight[segment], 0))
        put(dead, 0, rotate_back(turn, rotate_back(g, torque)))
        put(dead, 3, rotate_back(turn, rotate_back(g, pull)))
        for i in range(6):
            slope[6 + i] -= dead[i]
        point = rotate(g, (turn[0, 3], turn[1, 3], turn[2, 3]))
        point = blend(1.0, point, 1.0, (g[0, 3], g[1, 3], g[2, 3]))
        stages.density[c, 1] = -dot(pull, point)


@kernel
def step(
    law: Law, segment: int, s: float, h: float, g: Pose, wrench: Wrench, stages: Stages
) -> None:
    """One step from (g, Λ) at s: fill the stages and ``stages.new`` = (u, Λ) at s + h."""
    for c in range(_STAGES):
        state = stages.state[c]
        for i in range(12):
            state[i] = 0.0
        for j in range(c):
            a = h * stages.matrix[c, j]
            for i in range(12):
                state[i] += a * stages.slope[j, i]
        for i in range(6):
            state[6 + i] += wrench[i]
        _slope(law, segment, s + _C[c] * h, g, stages, c)
    new = stages.new
    for i in range(12):
        total = 0.0
        for j in range(_STAGES):
            total += _B[j] * stages.slope[j, i]
        new[i] = h * total
    for i in range(6):
        new[6 + i] += wrench[i]


@kernel
def error(h: float, stages: Stages, scale: float) -> float:
    """Estimated error of the last step: of u, and of Λ relative to ``scale``."""
    worst = 0.0
    for i in range(12):
        e3 = e5 = 0.0
        for j in range(_STAGES):
            e3 += _E3[j] * stages.slope[j, i]
            e5 += _E5[j] * stages.slope[j, i]
        below = e5 * e5 + 0.01 * e3 * e3
        if not below < np.inf:
            return np.inf
        if below > 0.0:
            worst = max(worst, abs(h) * e5 * e5 / sqrt(below) / (1.0 if i < 6 else scale))
    return worst


@kernel
def integral(h: float, stages: Stages, which: int) -> float:
    """Integral of a density over the last step."""
    total = 0.0
    for j in range(_STAGES):
        total += _B[j] * stages.density[j, which]
    return abs(h) * total


@kernel
def longest_step(law: Law, segment: int, s: float, wrench: Wrench, stages: Stages) -> float:
    """The length over which the section turns by as much as a step may."""
    stiffness, rest = stages.flexibility[0], stages.strain[0]  # as scratch
    constants(law, segment, s, stiffness, rest)
    turn = 0.0
    for i in range(3):
        turn += (wrench[i] / stiffness[i] + rest[i]) ** 2
    return _MAX_TURN / sqrt(turn) if turn > 0.0 else np.inf


@kernel
def _variation(out: Array, x: Array, stages: Stages, c: int) -> None:
    """Derivative of one variation x = (ζ, δΛ) at stage c."""
    w, v, m, n = vec(x, 0), vec(x, 3), vec(x, 6), vec(x, 9)
    k, e = vec(stages.strain[c], 0), vec(stages.strain[c], 3)
    M, N = vec(stages.state[c], 6), vec(stages.state[c], 9)
    f = stages.flexibility[c]
    dk, de = (f[0] * m[0], f[1] * m[1], f[2] * m[2]), (f[3] * n[0], f[4] * n[1], f[5] * n[2])
    put(out, 0, blend(1.0, dk, -1.0, cross(k, w)))
    put(out, 3, blend(1.0, blend(1.0, de, -1.0, cross(e, w)), -1.0, cross(k, v)))
    moment = blend(1.0, cross(m, k), 1.0, cross(n, e))
    moment = blend(1.0, moment, 1.0, blend(1.0, cross(M, dk), 1.0, cross(N, de)))
    force = blend(1.0, cross(n, k), 1.0, cross(N, dk))
    put(out, 6, blend(1.0, moment, -1.0, cross(vec(stages.dead[c], 0), w)))
    put(out, 9, blend(1.0, force, -1.0, cross(vec(stages.dead[c], 3), w)))


@kernel
def carry(h: float, stages: Stages, x: Array) -> None:
    """Carry variations x, (9, 12), over the last step."""
    n, size, slopes = len(x), x.size, stages.slopes
    flat, at = x.reshape(size), stages.variations.reshape(size)
    for c in range(_STAGES):
        for i in range(size):
            at[i] = flat[i]
        for j in range(c):
            if stages.matrix[c, j] != 0.0:
                a = h * stages.matrix[c, j]
                for i in range(size):
                    at[i] += a * slopes[j, i]
        own = slopes[c].reshape(n, 12)
        for k in range(n):
            _variation(own[k], stages.variations[k], stages, c)
    for j in range(_STAGES):
        if _B[j] != 0.0:
            b = h * _B[j]
            for i in range(size):
                flat[i] += b * slopes[j, i]


@kernel
def sample(
    law: Law,
    segment: Indices,
    begin: Array,
    begin_pose: Pose,
    begin_wrench: Wrench,
    which: Indices,
    s: Array,
    stages: Stages,
    pose: Pose,
    strain: Strain,
    wrench: Wrench,
) -> None:
    """Solution at any arc lengths, each by one step from where an integration step began.

    Args:
        law: what acts along the segments.
        segment: segment of each integration step, (m,).
        begin: arc length where it begins, (m,).
        begin_pose: pose there, (m, 4, 4).
        begin_wrench: wrench there, (m, 6).
        which: integration step that holds each arc length, (n,).
        s: arc lengths, (n,).
        stages: scratch.
        pose: g, (n, 4, 4).
        strain: ξ, (n, 6).
        wrench: Λ, (n, 6).
    """
    for k in range(len(s)):
        j = which[k]
        i = segment[j]
        step(law, i, begin[j], s[k] - begin[j], begin_pose[j], begin_wrench[j], stages)
        exp_into(stages.turn, stages.new[:6])
        compose_into(pose[k], begin_pose[j], stages.turn)
        constants(law, i, s[k], stages.flexibility[0], strain[k])
        for l in range(6):
            wrench[k, l] = stages.new[6 + l]
            strain[k, l] += wrench[k, l] / stages.flexibility[0, l]
