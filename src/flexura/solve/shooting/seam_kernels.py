"""Kernels of the seams of a chain: the linear system that joins the segments, and its tangent.

The system has twelve unknowns (ζ, δΣ) for each seam, body frame. Six equations hold the first seam,
twelve join each segment to the next one, and the last six hold the end of the chain, or free it of
wrench.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from flexura._kernel import allocating, kernel
from flexura.lie.kernels.se3 import (
    between_into,
    compose_into,
    copy_into,
    dexpinv_into,
    exp_into,
    log_into,
)
from flexura.lie.kernels.vector import blend, cross, put, rotate, rotate_back, vec
from flexura.matrix.bordered import plain_band
from flexura.matrix.slot import add_block, add_part
from flexura.matrix.structure import Structure
from flexura.solve.shooting.kernels import Shot
from flexura.typing import Array, Indices, Pose, Wrench, frozen

# Sub- and superdiagonals: the twelve equations of a segment, six rows below its begin.
HALF_BANDWIDTH = 17


class SystemSlots(NamedTuple):
    """Where the blocks of the system are.

    Attributes:
        join: blocks of each segment, 12x12, by its begin and by the next seam, (n, 2, 3).
        base: block of the equations that hold the first seam, (3,).
        end: block of those that hold, or free, the last one, (3,).
    """

    join: Indices
    base: Indices
    end: Indices


@lru_cache(maxsize=16)
def system(n: int, held: bool) -> tuple[Structure, SystemSlots]:
    """Structure of the system of n segments, whose end is held or free, and slots of its blocks."""
    structure = plain_band(12 * (n + 1), HALF_BANDWIDTH)
    begin = 12 * np.arange(n)
    join = structure.slots(begin[:, None] + 6, begin[:, None] + np.array([0, 12]))
    ends = np.array([0, 12 * n + 6]), np.array([0, 12 * n if held else 12 * n + 6])
    return structure, SystemSlots(*(frozen(slots) for slots in (join, *structure.slots(*ends))))


@allocating
def linearise(
    pose: Pose,
    wrench: Wrench,
    target: Pose,
    held: bool,
    shot: Shot,
    slots: SystemSlots,
    values: Array,
    right: Array,
) -> None:
    """Write the linear system for the increments of all seams.

    The first column on the right-hand side is minus the gaps, the others are minus their
    derivatives by the unknown tensions.

    Args:
        pose: g at the seams, (n + 1, 4, 4).
        wrench: Σ there, in world axes, (n + 1, 6).
        target: pose of the end, if it is held.
        held: whether it is.
        shot: results of the sweep.
        slots: of the matrix.
        values: of the matrix.
        right: the right-hand side, (12 (n + 1), 1 + u).
    """
    relative, gap, J = np.zeros((4, 4)), np.zeros(6), np.zeros((6, 6))
    block = np.zeros((12, 12))
    values.fill(0.0)
    right.fill(0.0)
    _add_identity(values, slots.base, 1.0, 6)
    for i in range(len(shot.arrived)):
        row, transfer = 6 + 12 * i, shot.transfer[i]
        between_into(relative, pose[i + 1], shot.arrival[i])
        log_into(gap, relative)
        dexpinv_into(J, gap)
        for r in range(6):
            for k in range(12):
                block[r, k] = 0.0
                for l in range(6):
                    block[r, k] += J[r, l] * transfer[l, k]
                block[6 + r, k] = transfer[6 + r, k]
        add_block(values, slots.join[i, 0], block)
        _add_identity(values, slots.join[i, 1], -1.0, 12)
        _subtract_tensions(right[row : row + 12], J, shot.by_tension[i])
        for r in range(6):
            right[row + r, 0] = -gap[r]
            right[row + 6 + r, 0] = -shot.arrived[i, r]
        _add_wrench(right[row + 6 : row + 12], pose[i + 1], wrench[i + 1], 1.0)
    last = len(right) - 6
    if held:
        between_into(relative, target, pose[-1])
        log_into(gap, relative)
        dexpinv_into(J, gap)
        add_block(values, slots.end, J)
        for r in range(6):
            right[last + r, 0] = -gap[r]
    else:
        _add_identity(values, slots.end, 1.0, 6)
        _add_wrench(right[last:], pose[-1], wrench[-1], -1.0)


@kernel
def _add_identity(values: Array, slot: Indices, factor: float, n: int) -> None:
    """Add a multiple of an identity of size n."""
    for k in range(n):
        values[slot[0] + k * (slot[1] + slot[2])] += factor


@kernel
def _subtract_tensions(right: Array, J: Array, by_tension: Array) -> None:
    """Subtract derivatives by unknown tensions from the columns after the first, (12, 1 + u)."""
    for u in range(by_tension.shape[1]):
        for r in range(6):
            for l in range(6):
                right[r, 1 + u] -= J[r, l] * by_tension[l, u]
            right[6 + r, 1 + u] -= by_tension[6 + r, u]


@kernel
def _add_wrench(right: Array, g: Pose, wrench: Wrench, sign: float) -> None:
    """Add a wrench in world axes to the first of some columns, body frame."""
    m, f = rotate_back(g, vec(wrench, 0)), rotate_back(g, vec(wrench, 3))
    for r in range(3):
        right[r, 0] += sign * m[r]
        right[3 + r, 0] += sign * f[r]


@allocating
def advance(pose: Pose, wrench: Wrench, x: Array, fraction: float, move: bool) -> None:
    """Take a fraction of the increments x = (ζ, δΣ), (n + 1, 12), in place.

    The wrench in world axes changes by R (ζ_w × Σ + δΣ); poses change only if they ``move``.
    """
    g, turn, twist = np.zeros((4, 4)), np.zeros((4, 4)), np.zeros(6)
    for i in range(len(x)):
        copy_into(g, pose[i])
        w = vec(x[i], 0)
        for k in range(0, 6, 3):
            own = rotate_back(g, vec(wrench[i], k))
            change = rotate(g, blend(1.0, cross(w, own), 1.0, vec(x[i], 6 + k)))
            put(wrench[i], k, blend(1.0, vec(wrench[i], k), fraction, change))
        if move:
            for k in range(6):
                twist[k] = fraction * x[i, k]
            exp_into(turn, twist)
            compose_into(pose[i], g, turn)


@kernel
def add_tangents(values: Array, slots: Indices, tangent: Array) -> None:
    """Add tangents of segments, (n, 12, 12), to blocks of two seams with six unknowns each.

    Args:
        values: of a matrix.
        slots: of the four blocks of each segment, (n, 2, 2, 3); one that is nowhere is held.
        tangent: of the forces on begin and end by the motions there.
    """
    for i in range(len(tangent)):
        for a in range(2):
            for b in range(2):
                base, down, right = slots[i, a, b]
                if base >= 0:
                    add_part(values, base, down, right, tangent[i], 6 * a, 6 * b, 6, 6)
