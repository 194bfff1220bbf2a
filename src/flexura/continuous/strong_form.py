"""Kernels of the continuous equations of a rod: an integration step and its linearisation.

    g' = g hat(ξ),   ξ = K⁻¹ Λ + ξ*,   Σ' = ad_ξᵀ Σ - F                       (theory 1.1, 9.1)

with the load F per arc length in the body frame. The total stress Σ is the elastic wrench Λ, plus
what tendons carry (``tendon_law``). Over a step g = g_0 exp(u) and u' = J_r(u)⁻¹ ξ
(Runge-Kutta-Munthe-Kaas), so that rotations stay rotations and a constant strain is exact. The
coefficients are those of Dormand and Prince, order 8 with an error estimate of orders 5 and 3.
Variations x = (ζ, δΣ) are carried along by the same method:

    ζ' = δξ - ad_ξ ζ,   δξ = K⁻¹ δΣ,   δΣ' = ad_ξᵀ δΣ + ad_δξᵀ Σ - δF         (theory 9.4)

and with tendons δξ = H⁻¹ (δΣ - b δτ), also for variations of the tensions that are unknown.

Everything here is without units: see ``serial``.
"""

from math import sqrt

import numpy as np
from scipy.integrate import DOP853

from flexura._kernel import kernel
from flexura.continuous.segment_law import STAGES, VARIATIONS, Pull, SegmentLaw, Stages, Strands
from flexura.continuous.table import clenshaw
from flexura.continuous.tendon_law import add_tendons, lengthen, separate, strain_change
from flexura.lie.kernels.se3 import ad_T_apply, compose_into, dexpinv_apply, exp_into
from flexura.lie.kernels.vector import Vec, blend, cross, dot, put, rotate, rotate_back, vec
from flexura.typing import Array, Indices, Pose, Strain, Wrench

_B, _C, _E3, _E5 = DOP853.B, DOP853.C, DOP853.E3, DOP853.E5
# A step turns the section by no more than this [rad]: J_r(u)⁻¹ has a pole at 2π.
_MAX_TURN = 2.0


@kernel
def has_tendons(law: SegmentLaw, strands: Strands, segment: int) -> bool:
    """Whether any tendon runs along a segment."""
    panel = law.panel[segment]
    return bool(strands.first[panel] < strands.first[panel + 1])


@kernel
def _place(law: SegmentLaw, segment: int, s: float) -> float:
    """Place of an arc length in its panel, from -1 to 1."""
    a, b = law.panel_ends[law.panel[segment], 0], law.panel_ends[law.panel[segment], 1]
    x: float = (2.0 * s - a - b) / (b - a)
    return x


@kernel
def _prepare(stress: Wrench, stages: Stages, c: int) -> None:
    """Flexibility and rest strain of stage c from the section there, and Λ = Σ."""
    for i in range(6):
        stages.flexibility[c, i] = 1.0 / stages.section[i]
        stages.strain[c, i] = stages.section[6 + i]
        stages.elastic[c, i] = stress[i]


@kernel
def deform(
    law: SegmentLaw,
    strands: Strands,
    segment: int,
    s: float,
    stress: Wrench,
    stages: Stages,
    pull: Pull,
) -> None:
    """Strain and elastic wrench of a total stress, as those of the first stage."""
    panel, x = law.panel[segment], _place(law, segment, s)
    xi, flexibility, elastic = stages.strain[0], stages.flexibility[0], stages.elastic[0]
    clenshaw(stages.section, law.series[panel], law.terms[panel], x)
    _prepare(stress, stages, 0)
    if has_tendons(law, strands, segment):
        separate(strands, panel, law.terms[panel], x, flexibility, xi, elastic, pull, 0)
    for i in range(6):
        xi[i] += flexibility[i] * elastic[i]


@kernel
def total_stress(
    law: SegmentLaw,
    strands: Strands,
    segment: Indices,
    s: Array,
    strain: Strain,
    stress: Wrench,
    pull: Pull,
) -> None:
    """Add what tendons carry to elastic wrenches at points of segments, all (n, …), in place."""
    for k in range(len(s)):
        panel, x = law.panel[segment[k]], _place(law, segment[k], s[k])
        add_tendons(strands, panel, law.terms[panel], x, strain[k], stress[k], pull)


@kernel
def _slope(law: SegmentLaw, segment: int, g: Pose, stages: Stages, c: int) -> None:
    """Strain from Λ, derivatives (u', Σ') and densities at stage c of a step from pose g."""
    u, stress, slope = stages.state[c, :6], stages.state[c, 6:], stages.slope[c]
    xi, elastic, dead = stages.strain[c], stages.elastic[c], stages.dead[c]
    flexibility, energy = stages.flexibility[c], 0.0
    for i in range(6):
        change = flexibility[i] * elastic[i]
        xi[i] += change
        energy += 0.5 * change * elastic[i]
    stages.density[c, 0], stages.density[c, 1] = energy, 0.0
    dexpinv_apply(slope[:6], u, xi)
    ad_T_apply(slope[6:], xi, stress)
    for i in range(6):
        slope[6 + i] -= law.follower[segment, i]
        dead[i] = 0.0
    if law.heavy[segment]:
        turn = stages.turn
        exp_into(turn, u)
        torque, force = vec(law.dead[segment], 0), vec(law.dead[segment], 3)
        force = blend(1.0, force, 1.0 / flexibility[3], vec(law.weight[segment], 0))
        put(dead, 0, rotate_back(turn, rotate_back(g, torque)))
        put(dead, 3, rotate_back(turn, rotate_back(g, force)))
        for i in range(6):
            slope[6 + i] -= dead[i]
        point = rotate(g, (turn[0, 3], turn[1, 3], turn[2, 3]))
        point = blend(1.0, point, 1.0, (g[0, 3], g[1, 3], g[2, 3]))
        stages.density[c, 1] = -dot(force, point)


@kernel
def step(
    law: SegmentLaw,
    strands: Strands,
    segment: int,
    s: float,
    h: float,
    g: Pose,
    stress: Wrench,
    stages: Stages,
    pull: Pull,
) -> None:
    """One step from (g, Σ) at s: fill the stages and ``stages.new`` = (u, Σ) at s + h."""
    panel, tendons = law.panel[segment], has_tendons(law, strands, segment)
    series, terms = law.series[panel], law.terms[panel]
    for c in range(STAGES):
        x = _place(law, segment, s + _C[c] * h)
        clenshaw(stages.section, series, terms, x)
        _advance(h, stress, stages, c)
        _prepare(stages.state[c, 6:], stages, c)
        if tendons:
            xi, flexibility, elastic = stages.strain[c], stages.flexibility[c], stages.elastic[c]
            separate(strands, panel, terms, x, flexibility, xi, elastic, pull, c)
        _slope(law, segment, g, stages, c)
    for i in range(12):
        total = 0.0
        for j in range(STAGES):
            total += _B[j] * stages.slope[j, i]
        stages.new[i] = h * total
    for i in range(6):
        stages.new[6 + i] += stress[i]


@kernel
def _advance(h: float, stress: Wrench, stages: Stages, c: int) -> None:
    """(u, Σ) at stage c from the slopes at the stages before it."""
    state = stages.state[c]
    for i in range(6):
        state[i], state[6 + i] = 0.0, stress[i]
    for j in range(c):
        a = h * stages.matrix[c, j]
        for i in range(12):
            state[i] += a * stages.slope[j, i]


@kernel
def error(h: float, slope: Array, first: int, last: int) -> float:
    """Largest error of integrals over the last step, estimated from columns of their slopes."""
    worst = 0.0
    for i in range(first, last):
        e3 = e5 = 0.0
        for j in range(STAGES):
            e3 += _E3[j] * slope[j, i]
            e5 += _E5[j] * slope[j, i]
        below = e5 * e5 + 0.01 * e3 * e3
        if not below < np.inf:
            return np.inf
        if below > 0.0:
            worst = max(worst, abs(h) * e5 * e5 / sqrt(below))
    return worst


@kernel
def integral(h: float, density: Array, i: int) -> float:
    """Integral of a column of densities at the stages over the last step."""
    total = 0.0
    for j in range(STAGES):
        total += _B[j] * density[j, i]
    return abs(h) * total


@kernel
def longest_step(strain: Strain) -> float:
    """The length over which the section turns by as much as a step may."""
    k = vec(strain, 0)
    turn = sqrt(dot(k, k))
    return _MAX_TURN / turn if turn > 0.0 else np.inf


@kernel
def _variation(out: Array, x: Array, dk: Vec, de: Vec, stages: Stages, c: int) -> None:
    """Derivative of a variation x = (ζ, δΣ), with δξ = (dk, de), at stage c."""
    w, v, m, n = vec(x, 0), vec(x, 3), vec(x, 6), vec(x, 9)
    k, e = vec(stages.strain[c], 0), vec(stages.strain[c], 3)
    M, N = vec(stages.state[c], 6), vec(stages.state[c], 9)
    put(out, 0, blend(1.0, dk, -1.0, cross(k, w)))
    put(out, 3, blend(1.0, blend(1.0, de, -1.0, cross(e, w)), -1.0, cross(k, v)))
    moment = blend(1.0, cross(m, k), 1.0, cross(n, e))
    moment = blend(1.0, moment, 1.0, blend(1.0, cross(M, dk), 1.0, cross(N, de)))
    force = blend(1.0, cross(n, k), 1.0, cross(N, dk))
    put(out, 6, blend(1.0, moment, -1.0, cross(vec(stages.dead[c], 0), w)))
    put(out, 9, blend(1.0, force, -1.0, cross(vec(stages.dead[c], 3), w)))


@kernel
def _vary(out: Array, n: int, stages: Stages, c: int) -> None:
    """Derivatives of n variations at stage c, without tendons."""
    f = stages.flexibility[c]
    for k in range(n):
        x = stages.variations[k]
        dk = (f[0] * x[6], f[1] * x[7], f[2] * x[8])
        de = (f[3] * x[9], f[4] * x[10], f[5] * x[11])
        _variation(out[k], x, dk, de, stages, c)


@kernel
def _vary_pulled(out: Array, n: int, stages: Stages, pull: Pull, c: int) -> None:
    """Derivatives of n variations at stage c, with tendons."""
    for k in range(n):
        x = stages.variations[k]
        dk, de = strain_change(pull, c, x[6:], k - VARIATIONS)
        _variation(out[k], x, dk, de, stages, c)


@kernel
def carry(h: float, stages: Stages, x: Array, tendons: bool, pull: Pull, lengths: Array) -> None:
    """Carry variations x, (n, 12), over the last step; with tendons also of ``lengths``, (u, n)."""
    n, size, slopes = len(x), x.size, stages.slopes
    flat, at = x.reshape(size), stages.variations.reshape(stages.variations.size)
    for c in range(STAGES):
        for i in range(size):
            at[i] = flat[i]
        for j in range(c):
            if stages.matrix[c, j] != 0.0:
                a = h * stages.matrix[c, j]
                for i in range(size):
                    at[i] += a * slopes[j, i]
        own = slopes[c, :size].reshape(n, 12)
        if tendons:
            _vary_pulled(own, n, stages, pull, c)
            lengthen(pull, c, abs(h) * _B[c], stages.variations, lengths)
        else:
            _vary(own, n, stages, c)
    for j in range(STAGES):
        if _B[j] != 0.0:
            b = h * _B[j]
            for i in range(size):
                flat[i] += b * slopes[j, i]


@kernel
def sample(
    law: SegmentLaw,
    strands: Strands,
    segment: Indices,
    begin: Array,
    begin_pose: Pose,
    begin_stress: Wrench,
    which: Indices,
    s: Array,
    stages: Stages,
    pull: Pull,
    pose: Pose,
    strain: Strain,
    elastic: Wrench,
    stress: Wrench,
) -> None:
    """Solution at any arc lengths, each by one step from where an integration step began.

    Args:
        law: what acts along the segments.
        strands: their tendons.
        segment: segment of each integration step, (m,).
        begin: arc length where it begins, (m,).
        begin_pose: pose there, (m, 4, 4).
        begin_stress: total stress there, (m, 6).
        which: integration step that holds each arc length, (n,).
        s: arc lengths, (n,).
        stages: scratch.
        pull: scratch.
        pose: g, (n, 4, 4).
        strain: ξ, (n, 6).
        elastic: Λ, (n, 6).
        stress: Σ, (n, 6).
    """
    for k in range(len(s)):
        j = which[k]
        i = segment[j]
        h = s[k] - begin[j]
        step(law, strands, i, begin[j], h, begin_pose[j], begin_stress[j], stages, pull)
        exp_into(stages.turn, stages.new[:6])
        compose_into(pose[k], begin_pose[j], stages.turn)
        deform(law, strands, i, s[k], stages.new[6:], stages, pull)
        for l in range(6):
            strain[k, l] = stages.strain[0, l]
            elastic[k, l] = stages.elastic[0, l]
            stress[k, l] = stages.new[6 + l]
