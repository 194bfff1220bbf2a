"""Kernels of the continuous equations of a rod: one integration step, its linearisation, a sweep.

    g' = g hat(ξ),   ξ = K⁻¹ Λ + ξ*,   Λ' = ad_ξᵀ Λ - F                       (theory 1.1, 1.2)

with the load F per arc length in the body frame. Over a step g = g_0 exp(u) and u' = J_r(u)⁻¹ ξ
(Runge-Kutta-Munthe-Kaas), so that rotations stay rotations and a constant strain is exact. The
Runge-Kutta method is that of Dormand and Prince of order 8, with its error estimate of orders 5
and 3 [Hairer1993, section II.5]. Variations x = (ζ, δΛ) are carried along by the same method:

    ζ' = δξ - ad_ξ ζ,   δξ = K⁻¹ δΛ,   δΛ' = ad_ξᵀ δΛ + ad_δξᵀ Λ - δF.

Everything here is without units: see ``solve.serial``.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np
from scipy.integrate import DOP853

from flexura._kernel import kernel
from flexura.lie._se3 import ad_T_apply, compose_into, dexpinv_apply, exp_into
from flexura.lie._vector import Vec, blend, cross, put, rotate_back, vec
from flexura.typing import Array, Indices, Pose, Strain, Wrench

_B, _C, _E3, _E5 = DOP853.B, DOP853.C, DOP853.E3, DOP853.E5
_STAGES = len(_B)
# A step turns the section by no more than this [rad]: J_r(u)⁻¹ has a pole at 2π.
_MAX_TURN = 2.0
# Steps of one segment; more means that its wrench is out of all proportion.
MAX_STEPS = 100
# The variations that are integrated: three rotations of the begin, and its wrench.
_VARIATIONS = 9


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
        weight: gravity times density over Young's modulus: a force per arc length and EA, (n, 3).
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


class Entry(NamedTuple):
    """How the chain goes on after each segment: into the next one, or out of the last.

    Attributes:
        offset: pose of the next begin in the end of the segment, (n, 4, 4).
        sign: -1 where the rod before and the rod after are passed in opposite directions, (n,).
        direction: +1 if the rod after is passed from base to tip, else -1, (n,).
        follower: sum of the follower loads at the next begin, in its frame, (n, 6).
        first: entry i has the dead loads ``first[i] … first[i + 1] - 1``, (n + 1,).
        dead: dead loads, world axes, (m, 6).
        arm: where they act, in the frame of the next begin, (m, 3).
    """

    offset: Pose
    sign: Array
    direction: Array
    follower: Wrench
    first: Indices
    dead: Wrench
    arm: Array


class Steps(NamedTuple):
    """Integration steps, up to ``MAX_STEPS`` for each segment.

    Attributes:
        count: number of steps of each segment, (n,).
        s: arc lengths where they begin, (n, MAX_STEPS).
        size: their signed lengths, (n, MAX_STEPS).
        pose: g at their begin, (n, MAX_STEPS, 4, 4).
        wrench: Λ there, (n, MAX_STEPS, 6).
    """

    count: Indices
    s: Array
    size: Array
    pose: Pose
    wrench: Wrench


class Stages(NamedTuple):
    """The stages of one Runge-Kutta step.

    Attributes:
        matrix: coefficients of the method, (12, 12).
        state: (u, Λ), (12, 12).
        slope: (u', Λ'), (12, 12).
        strain: ξ, (12, 6).
        flexibility: diagonal of K⁻¹, (12, 6).
        dead: dead load per arc length in the body frame, (12, 6).
        turn: exp(u), scratch of a stage, (4, 4).
        variations: slopes of the variations that are carried along, (12, 12 * 9).
    """

    matrix: Array
    state: Array
    slope: Array
    strain: Strain
    flexibility: Array
    dead: Wrench
    turn: Pose
    variations: Array


def new_stages() -> Stages:
    """Arrays for the stages of a step."""
    n = _STAGES
    return Stages(
        matrix=DOP853.A,
        state=np.zeros((n, 12)),
        slope=np.zeros((n, 12)),
        strain=np.zeros((n, 6)),
        flexibility=np.zeros((n, 6)),
        dead=np.zeros((n, 6)),
        turn=np.eye(4),
        variations=np.zeros((n, 12 * _VARIATIONS)),
    )


@kernel
def _constants(law: Law, segment: int, s: float, stiffness: Array, rest: Strain) -> None:
    """Diagonal of K and ξ* at an arc length, by Clenshaw's recurrence."""
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
    """Strain and derivatives (u', Λ') at stage c of a step from pose g."""
    u, wrench = stages.state[c, :6], stages.state[c, 6:]
    xi, flexibility, dead = stages.strain[c], stages.flexibility[c], stages.dead[c]
    _constants(law, segment, s, flexibility, xi)
    EA = flexibility[3]
    for i in range(6):
        flexibility[i] = 1.0 / flexibility[i]
        xi[i] += flexibility[i] * wrench[i]
    dexpinv_apply(stages.slope[c, :6], u, xi)
    ad_T_apply(stages.slope[c, 6:], xi, wrench)
    for i in range(6):
        stages.slope[c, 6 + i] -= law.follower[segment, i]
    if law.heavy[segment]:
        exp_into(stages.turn, u)
        pull = blend(1.0, vec(law.dead[segment], 3), EA, vec(law.weight[segment], 0))
        put(dead, 0, rotate_back(stages.turn, rotate_back(g, vec(law.dead[segment], 0))))
        put(dead, 3, rotate_back(stages.turn, rotate_back(g, pull)))
        for i in range(6):
            stages.slope[c, 6 + i] -= dead[i]
    else:
        dead[:] = 0.0


@kernel
def _step(
    law: Law,
    segment: int,
    s: float,
    h: float,
    g: Pose,
    wrench: Wrench,
    stages: Stages,
    new: Array,
) -> None:
    """One step: fills the stages and ``new`` = (u, Λ) at s + h."""
    for c in range(_STAGES):
        for i in range(12):
            total = 0.0
            for j in range(c):
                total += stages.matrix[c, j] * stages.slope[j, i]
            stages.state[c, i] = h * total
        for i in range(6):
            stages.state[c, 6 + i] += wrench[i]
        _slope(law, segment, s + _C[c] * h, g, stages, c)
    for i in range(12):
        total = 0.0
        for j in range(_STAGES):
            total += _B[j] * stages.slope[j, i]
        new[i] = h * total
    for i in range(6):
        new[6 + i] += wrench[i]


@kernel
def _error(h: float, stages: Stages, moment: float, force: float) -> float:
    """Estimated error of a step, relative to 1 rad, the length, and the given wrench."""
    worst = 0.0
    for i in range(12):
        e3 = e5 = 0.0
        for j in range(_STAGES):
            e3 += _E3[j] * stages.slope[j, i]
            e5 += _E5[j] * stages.slope[j, i]
        unit = 1.0 if i < 6 else (moment if i < 9 else force)
        below = e5 * e5 + 0.01 * e3 * e3
        if below > 0.0:
            worst = max(worst, abs(h) * e5 * e5 / sqrt(below) / unit)
    return worst


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
def _carry(h: float, stages: Stages, x: Array, at: Array) -> None:
    """Carry variations x, (n, 12), over the step whose stages are given; ``at`` is scratch."""
    n, size, slopes = len(x), x.size, stages.variations
    flat, flat_at = x.reshape(size), at.reshape(size)
    for c in range(_STAGES):
        for i in range(size):
            flat_at[i] = flat[i]
        for j in range(c):
            if stages.matrix[c, j] != 0.0:
                a = h * stages.matrix[c, j]
                for i in range(size):
                    flat_at[i] += a * slopes[j, i]
        own = slopes[c].reshape(n, 12)
        for k in range(n):
            _variation(own[k], at[k], stages, c)
    for j in range(_STAGES):
        if _B[j] != 0.0:
            b = h * _B[j]
            for i in range(size):
                flat[i] += b * slopes[j, i]


@kernel
def _longest_step(law: Law, segment: int, s: float, wrench: Wrench, stages: Stages) -> float:
    """The longest step that turns the section by little enough."""
    stiffness, rest = stages.flexibility[0], stages.strain[0]  # for scratch
    _constants(law, segment, s, stiffness, rest)
    turn = 0.0
    for i in range(3):
        turn += (wrench[i] / stiffness[i] + rest[i]) ** 2
    return _MAX_TURN / sqrt(turn) if turn > 0.0 else np.inf


@kernel
def _enter(
    entry: Entry, i: int, g: Pose, wrench: Wrench, variations: Array, out: Pose, new: Wrench
) -> None:
    """Go from the end (g, Λ) of segment i to the begin of the next one, (out, new).

    Wrench and variations change in place.
    """
    T = entry.offset[i]
    compose_into(out, g, T)
    sign, d = entry.sign[i], entry.direction[i]
    arm = (T[0, 3], T[1, 3], T[2, 3])
    m, n = vec(wrench, 0), vec(wrench, 3)
    _put_scaled(new, 0, sign, rotate_back(T, blend(1.0, m, -1.0, cross(arm, n))))
    _put_scaled(new, 3, sign, rotate_back(T, n))
    for k in range(len(variations)):
        x = variations[k]
        w, v, m, n = vec(x, 0), vec(x, 3), vec(x, 6), vec(x, 9)
        put(x, 0, rotate_back(T, w))
        put(x, 3, rotate_back(T, blend(1.0, v, -1.0, cross(arm, w))))
        _put_scaled(x, 6, sign, rotate_back(T, blend(1.0, m, -1.0, cross(arm, n))))
        _put_scaled(x, 9, sign, rotate_back(T, n))
    for j in range(6):
        new[j] -= d * entry.follower[i, j]
    for e in range(entry.first[i], entry.first[i + 1]):
        M, N = rotate_back(out, vec(entry.dead[e], 0)), rotate_back(out, vec(entry.dead[e], 3))
        r = vec(entry.arm[e], 0)
        put(new, 0, blend(1.0, vec(new, 0), -d, blend(1.0, M, 1.0, cross(r, N))))
        put(new, 3, blend(1.0, vec(new, 3), -d, N))
        for k in range(len(variations)):
            x = variations[k]
            w = vec(x, 0)
            dN = cross(N, w)
            dM = blend(1.0, cross(M, w), 1.0, cross(r, dN))
            put(x, 6, blend(1.0, vec(x, 6), -d, dM))
            put(x, 9, blend(1.0, vec(x, 9), -d, dN))


@kernel
def _put_scaled(out: Array, i: int, a: float, v: Vec) -> None:
    out[i], out[i + 1], out[i + 2] = a * v[0], a * v[1], a * v[2]


@kernel
def _write_transfer(transfer: Array, x: Array, g: Pose, end: Pose) -> None:
    """Write the 12x12 derivative of (ζ, δΛ) at the end by that at the begin."""
    for i in range(12):
        for k in range(3):
            transfer[i, k] = x[k, i]
            transfer[i, 3 + k] = 0.0
        for k in range(6):
            transfer[i, 6 + k] = x[3 + k, i]
    for i in range(3):  # moving the begin moves the end, and nothing else
        for k in range(3):
            transfer[3 + i, 3 + k] = (
                end[0, i] * g[0, k] + end[1, i] * g[1, k] + end[2, i] * g[2, k]
            )


@kernel
def sweep(
    law: Law,
    entry: Entry,
    pose: Pose,
    wrench: Wrench,
    follow: bool,
    tolerance: float,
    moment: float,
    force: float,
    stages: Stages,
    steps: Steps,
    arrival: Pose,
    arrived: Wrench,
    transfer: Array,
) -> bool:
    """Integrate every segment from its begin to the begin of the next.

    Args:
        law: what acts along the segments.
        entry: what happens between them.
        pose: g at the begins and at the end of the chain, (n + 1, 4, 4).
        wrench: Λ there in world axes, (n + 1, 6).
        follow: whether each pose is replaced by the one that the segment before it arrives at.
        tolerance: of the error of a step, relative to 1 rad, the length, ``moment`` and ``force``.
        moment: size of the moments in play.
        force: size of the forces in play.
        stages: scratch.
        steps: where the integration steps go.
        arrival: poses that the segments arrive at, (n, 4, 4).
        arrived: wrenches that they arrive with, body frame, (n, 6).
        transfer: derivatives of (ζ, δΛ) there by those at the begin, (n, 12, 12).

    Returns:
        Whether all segments were integrated; if not, the arrays are of no use.
    """
    new, x, at = np.zeros(12), np.zeros((_VARIATIONS, 12)), np.zeros((_VARIATIONS, 12))
    g, ahead, own = np.eye(4), np.eye(4), np.zeros(6)
    for i in range(len(law.begin)):
        g[:] = pose[i]
        put(own, 0, rotate_back(g, vec(wrench[i], 0)))
        put(own, 3, rotate_back(g, vec(wrench[i], 3)))
        x[:] = 0.0
        for k in range(3):
            x[k, k] = 1.0
        for k in range(6):
            x[3 + k, 6 + k] = 1.0
        s, end = law.begin[i], law.end[i]
        direction = 1.0 if end > s else -1.0
        size, count = np.inf, 0
        while s != end:
            size = min(size, _longest_step(law, i, s, own, stages))
            last = 1.01 * size >= abs(end - s)
            h = end - s if last else direction * size
            _step(law, i, s, h, g, own, stages, new)
            error = _error(h, stages, moment, force) / tolerance
            if not error < np.inf or count == MAX_STEPS:
                return False
            if error < 1.0:
                steps.s[i, count], steps.size[i, count] = s, h
                steps.pose[i, count], steps.wrench[i, count] = g, own
                count += 1
                _carry(h, stages, x, at)
                exp_into(ahead, new[:6])
                compose_into(arrival[i], g, ahead)
                g[:] = arrival[i]
                own[:] = new[6:]
                s = end if last else s + h
            size = abs(h) * min(6.0, max(0.2, 0.9 * max(error, 1e-10) ** -0.125))
            if not abs(size) > 1e-13 * abs(end - law.begin[i]):
                return False
        steps.count[i] = count
        _enter(entry, i, g, own, x, arrival[i], arrived[i])
        _write_transfer(transfer[i], x, pose[i], arrival[i])
        if follow:
            pose[i + 1] = arrival[i]
    return True


@kernel
def sample(
    law: Law,
    stages: Stages,
    steps: Steps,
    segment: Indices,
    s: Array,
    pose: Pose,
    strain: Strain,
    wrench: Wrench,
) -> None:
    """Pose, strain and wrench at arc lengths s, (n,), that lie in the given segments."""
    new, ahead, stiffness = np.zeros(12), np.eye(4), np.zeros(6)
    for k in range(len(s)):
        i = segment[k]
        direction = 1.0 if law.end[i] > law.begin[i] else -1.0
        step = 0
        while step + 1 < steps.count[i] and (s[k] - steps.s[i, step + 1]) * direction >= 0.0:
            step += 1
        begin, g = steps.s[i, step], steps.pose[i, step]
        _step(law, i, begin, s[k] - begin, g, steps.wrench[i, step], stages, new)
        exp_into(ahead, new[:6])
        compose_into(pose[k], g, ahead)
        wrench[k] = new[6:]
        _constants(law, i, s[k], stiffness, strain[k])
        for j in range(6):
            strain[k, j] += wrench[k, j] / stiffness[j]
