"""Kernels of multiple shooting: from the seams of a chain along all its segments.

Seam i is the begin of segment i, seam n the end of the chain. The unknowns of a seam are its pose
and its wrench, the total stress Σ, the latter stored in world axes and about the point of the seam:
a dead force is then the same at every seam, however far the rod still has to turn. Tensions of
tendons that are driven by their length are u further unknowns.
"""

from typing import NamedTuple

import numpy as np

from flexura._kernel import allocating, kernel
from flexura.continuous.segment_law import VARIATIONS, Pull, SegmentLaw, Stages, Strands
from flexura.continuous.strong_form import (
    carry,
    deform,
    error,
    has_tendons,
    integral,
    longest_step,
    step,
)
from flexura.lie.kernels.se3 import compose_into, copy_into, exp_into
from flexura.lie.kernels.vector import Vec, blend, cross, put, rotate_back, vec
from flexura.typing import Array, Indices, Pose, Wrench

# Steps of one segment; more means that its wrench is out of all proportion.
MAX_STEPS = 200


class Transition(NamedTuple):
    """How the chain goes on after each segment: into the next one, or out of the last.

    Attributes:
        offset: pose of the next seam in the end of the segment, (n, 4, 4).
        sign: -1 where the rods before and after are passed in opposite directions, (n,).
        direction: +1 if the rod after is passed from base to tip, else -1, (n,).
        follower: sum of the follower loads at the next seam, in its frame, (n, 6).
        first: transition i has the dead loads ``first[i] … first[i + 1] - 1``, (n + 1,).
        dead: dead loads, world axes, (m, 6).
        arm: where they act, in the frame of the next seam, (m, 3).
    """

    offset: Pose
    sign: Array
    direction: Array
    follower: Wrench
    first: Indices
    dead: Wrench
    arm: Array


class Shot(NamedTuple):
    """What a sweep over n segments writes.

    Attributes:
        arrival: poses that the segments arrive at, offsets and loads passed, (n, 4, 4).
        arrived: wrenches that they arrive with, body frame, (n, 6).
        transfer: derivatives of (ζ, δΣ) there by those at the begin, (n, 12, 12).
        by_tension: derivatives of (ζ, δΣ) there by unknown tensions, (n, 12, u).
        length: of all tendons in each segment, (n, t).
        lengthening: derivatives of the lengths of tendons with an unknown tension by (ζ, δΣ) at the
            begin and by the tensions, (n, u, 12 + u).
        energy: elastic energy, and potential of dead forces, of each segment, (n, 2).
        n_steps: number of integration steps of each segment, (n,).
        begin: arc lengths where they begin, (n, MAX_STEPS).
        pose: g there, (n, MAX_STEPS, 4, 4).
        wrench: Σ there, body frame, (n, MAX_STEPS, 6).
    """

    arrival: Pose
    arrived: Wrench
    transfer: Array
    by_tension: Array
    length: Array
    lengthening: Array
    energy: Array
    n_steps: Indices
    begin: Array
    pose: Pose
    wrench: Wrench


class Accuracy(NamedTuple):
    """How a segment is to be integrated: see ``sweep``."""

    tolerance: float
    scale: float
    max_steps: int


class Front(NamedTuple):
    """What is carried along a segment.

    Attributes:
        g: pose, (4, 4).
        own: total stress, body frame, (6,).
        x: variations, (9 + u, 12), the tensions only where there are tendons.
        changes: of the lengths of tendons with an unknown tension, (u, 9 + u).
    """

    g: Pose
    own: Wrench
    x: Array
    changes: Array


def new_shot(n: int, tendons: int = 0, unknown: int = 0) -> Shot:
    """Arrays for a sweep over n segments, with that many tendons and unknown tensions."""
    return Shot(
        arrival=np.tile(np.eye(4), (n, 1, 1)),
        arrived=np.zeros((n, 6)),
        transfer=np.zeros((n, 12, 12)),
        by_tension=np.zeros((n, 12, unknown)),
        length=np.zeros((n, tendons)),
        lengthening=np.zeros((n, unknown, 12 + unknown)),
        energy=np.zeros((n, 2)),
        n_steps=np.zeros(n, dtype=np.int64),
        begin=np.empty((n, MAX_STEPS)),
        pose=np.empty((n, MAX_STEPS, 4, 4)),
        wrench=np.empty((n, MAX_STEPS, 6)),
    )


@allocating
def sweep(
    law: SegmentLaw,
    strands: Strands,
    between: Transition,
    pose: Pose,
    wrench: Wrench,
    recompose: bool,
    tolerance: float,
    scale: float,
    max_steps: int,
    stages: Stages,
    pull: Pull,
    shot: Shot,
) -> bool:
    """Integrate every segment from its seam to the next.

    Args:
        law: what acts along the segments.
        strands: their tendons.
        between: what happens between them.
        pose: g at the seams, (n + 1, 4, 4).
        wrench: Σ there, in world axes, (n + 1, 6).
        recompose: whether each pose is replaced by the one that the segment before it arrives at.
        tolerance: of the error of a step, relative to 1 rad, to the length and to ``scale``.
        scale: size of the wrenches in play.
        max_steps: steps that a segment may take.
        stages: scratch.
        pull: scratch.
        shot: where the results go.

    Returns:
        Whether all segments were integrated; if not, the results are of no use.
    """
    unknown = shot.by_tension.shape[2]
    variations = np.zeros((VARIATIONS + unknown, 12))
    changes = np.zeros((unknown, VARIATIONS + unknown))
    g, own = np.zeros((4, 4)), np.zeros(6)
    accuracy = Accuracy(tolerance, scale, max_steps)
    for i in range(len(law.begin)):
        copy_into(g, pose[i])
        put(own, 0, rotate_back(g, vec(wrench[i], 0)))
        put(own, 3, rotate_back(g, vec(wrench[i], 3)))
        tendons = has_tendons(law, strands, i)
        x = variations[: VARIATIONS + unknown if tendons else VARIATIONS]
        _begin_variations(x, changes)
        front = Front(g, own, x, changes)
        if not _segment(law, strands, i, front, accuracy, stages, pull, shot):
            return False
        _enter(between, i, g, own, x, shot.arrival[i], shot.arrived[i])
        _write_transfer(shot.transfer[i], x, pose[i], shot.arrival[i])
        if tendons:
            _write_tensions(shot.by_tension[i], shot.lengthening[i], x, changes)
        if recompose:
            copy_into(pose[i + 1], shot.arrival[i])
    return True


@kernel
def _segment(
    law: SegmentLaw,
    strands: Strands,
    i: int,
    front: Front,
    accuracy: Accuracy,
    stages: Stages,
    pull: Pull,
    shot: Shot,
) -> bool:
    """Carry pose, wrench and variations from the begin of segment i to its end, in place."""
    s, end, g, own = law.begin[i], law.end[i], front.g, front.own
    smallest, tendons = 1e-12 * abs(end - s), has_tendons(law, strands, i)
    size, count = np.inf, 0
    shot.energy[i].fill(0.0)
    shot.length[i].fill(0.0)
    while s != end:
        deform(law, strands, i, s, own, stages, pull)
        size = min(size, longest_step(stages.strain[0]))
        last = 1.01 * size >= abs(end - s)
        h = end - s if last else np.sign(end - s) * size
        step(law, strands, i, s, h, g, own, stages, pull)
        excess = max(error(h, stages.slope, 0, 6), error(h, stages.slope, 6, 12) / accuracy.scale)
        if tendons:
            excess = max(excess, error(h, pull.rate, 0, pull.rate.shape[1]))
        excess /= accuracy.tolerance
        if not excess < np.inf or count == accuracy.max_steps or not abs(h) > smallest:
            return False
        if excess < 1.0:
            shot.begin[i, count] = s
            copy_into(shot.pose[i, count], g)
            for k in range(6):
                shot.wrench[i, count, k] = own[k]
                own[k] = stages.new[6 + k]
            count += 1
            _integrate(shot.energy[i], h, stages.density)
            if tendons:
                _integrate(shot.length[i], h, pull.rate)
            carry(h, stages, front.x, tendons, pull, front.changes)
            exp_into(stages.turn, stages.new[:6])
            compose_into(g, shot.pose[i, count - 1], stages.turn)
            s = end if last else s + h
        size = abs(h) * min(6.0, max(0.2, 0.9 * max(excess, 1e-10) ** -0.125))
    shot.n_steps[i] = count
    return True


@kernel
def _integrate(out: Array, h: float, density: Array) -> None:
    """Add the integrals of densities at the stages, (12, n), over the last step."""
    for k in range(len(out)):
        out[k] += integral(h, density, k)


@kernel
def _begin_variations(x: Array, changes: Array) -> None:
    """Unit rotations, unit wrenches, unit tensions; displacements need no integration."""
    x.fill(0.0)
    changes.fill(0.0)
    for k in range(VARIATIONS):
        x[k, k if k < 3 else k + 3] = 1.0


@kernel
def _write_transfer(transfer: Array, x: Array, g: Pose, end: Pose) -> None:
    """Write the derivative of (ζ, δΣ) at the end by that at the begin, (12, 12)."""
    for i in range(12):
        for k in range(3):
            transfer[i, k] = x[k, i]
            transfer[i, 3 + k] = 0.0
        for k in range(6):
            transfer[i, 6 + k] = x[3 + k, i]
    for k in range(3):  # displacing the begin displaces the end, and nothing else
        column = rotate_back(end, (g[0, k], g[1, k], g[2, k]))
        for i in range(3):
            transfer[3 + i, 3 + k] = column[i]


@kernel
def _write_tensions(by_tension: Array, lengthening: Array, x: Array, changes: Array) -> None:
    """Write the derivatives by unknown tensions, and those of the lengths of their tendons."""
    unknown = len(changes)
    for u in range(unknown):
        for i in range(12):
            by_tension[i, u] = x[VARIATIONS + u, i]
        for k in range(3):
            lengthening[u, k] = changes[u, k]
        for k in range(6 + unknown):
            lengthening[u, 6 + k] = changes[u, 3 + k]


@kernel
def _enter(
    between: Transition, i: int, g: Pose, own: Wrench, x: Array, out: Pose, new: Wrench
) -> None:
    """Go from the end (g, Σ) of segment i to the next seam, (out, new); x changes in place."""
    T, sign, d = between.offset[i], between.sign[i], between.direction[i]
    lever = (T[0, 3], T[1, 3], T[2, 3])
    compose_into(out, g, T)
    _carry_wrench(new, own, T, lever, sign)
    for k in range(len(x)):
        y = x[k]
        w, v = vec(y, 0), vec(y, 3)
        put(y, 0, rotate_back(T, w))
        put(y, 3, rotate_back(T, blend(1.0, v, -1.0, cross(lever, w))))
        _carry_wrench(y[6:], y[6:], T, lever, sign)
    for j in range(6):
        new[j] -= d * between.follower[i, j]
    for e in range(between.first[i], between.first[i + 1]):
        M, N = rotate_back(out, vec(between.dead[e], 0)), rotate_back(out, vec(between.dead[e], 3))
        arm = vec(between.arm[e], 0)
        _subtract(new, d, M, N, arm)
        for k in range(len(x)):
            w = vec(x[k], 0)
            _subtract(x[k, 6:], d, cross(M, w), cross(N, w), arm)


@kernel
def _carry_wrench(out: Wrench, own: Wrench, T: Pose, lever: Vec, sign: float) -> None:
    """Write sign · Ad_Tᵀ own; the two may be the same array."""
    m, n = vec(own, 0), vec(own, 3)
    m = rotate_back(T, blend(sign, m, -sign, cross(lever, n)))
    n = rotate_back(T, n)
    put(out, 0, m)
    put(out, 3, (sign * n[0], sign * n[1], sign * n[2]))


@kernel
def _subtract(wrench: Wrench, d: float, moment: Vec, force: Vec, arm: Vec) -> None:
    """Take d times a load at the end of an arm from a wrench."""
    total = blend(1.0, moment, 1.0, cross(arm, force))
    put(wrench, 0, blend(1.0, vec(wrench, 0), -d, total))
    put(wrench, 3, blend(1.0, vec(wrench, 3), -d, force))
