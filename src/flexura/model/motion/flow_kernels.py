"""Compiled part of ``Tracks``."""

import numpy as np

from flexura._kernel import allocating, kernel
from flexura.lie.kernels.se3 import between_into, log_into
from flexura.lie.kernels.vector import cross, vec


@allocating
def displacements(begin, end, out):
    """log(begin⁻¹ end) of each frame."""
    between = np.empty((4, 4))
    for n in range(len(begin)):
        between_into(between, begin[n], end[n])
        log_into(out[n], between)


@allocating
def end_rates(begin, end, first, second, gain, carried, in_space, out):
    """gain d + carried of all tracks, d what leads from poses and numbers to others.

    Translations of frames that keep their momenta in space are (R, q) = begin⁻¹ end seen from the
    end: u = gain Rᵀ q + Rᵀ carried, and of the accelerations what is left without ω × u.
    """
    between, d, n = np.empty((4, 4)), np.empty(6), len(begin)
    for i in range(n):
        between_into(between, begin[i], end[i])
        log_into(d, between)
        for r in range(3):
            for c in range(6):
                out[r, 6 * i + c] = gain[r] * d[c] + carried[r, 6 * i + c]
        if in_space:
            for r in range(3):
                for c in range(3):
                    u = 0.0
                    for k in range(3):
                        way = gain[r] * between[k, 3] + carried[r, 6 * i + 3 + k]
                        u += between[k, c] * way
                    out[r, 6 * i + 3 + c] = u
            drag = cross(vec(out[0], 6 * i), vec(out[0], 6 * i + 3))
            for r in range(1, 3):
                for c in range(3):
                    out[r, 6 * i + 3 + c] -= drag[c]
    for i in range(len(first)):
        for r in range(3):
            out[r, 6 * n + i] = gain[r] * (second[i] - first[i]) + carried[r, 6 * n + i]


@kernel
def extrapolate(rates, h, n, out):
    """h v + ½ h² a of all tracks; the largest rotation and translation of the first n, frames."""
    v, a = rates[0], rates[2]
    turn = way = 0.0
    for i in range(len(out)):
        out[i] = h * v[i] + (0.5 * h * h) * a[i]
    for i in range(n):
        for c in range(3):
            turn = max(turn, abs(out[6 * i + c]))
            way = max(way, abs(out[6 * i + 3 + c]))
    return turn, way


@kernel
def squares(inertia, v, w):
    """Σ m (w - v)² and Σ m w² of frames with mass, the first ones, and how fast they turn."""
    changes = total = fastest = 0.0
    for n in range(len(inertia)):
        turning = 0.0
        for c in range(6):
            x = w[6 * n + c]
            changes += inertia[n, c] * (x - v[6 * n + c]) ** 2
            total += inertia[n, c] * x * x
            if c < 3:
                turning += x * x
        fastest = max(fastest, turning)
    return changes, total, fastest**0.5
