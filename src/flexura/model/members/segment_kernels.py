"""Compiled part of the segments: shares are weights, negative at their first ends."""

from math import sqrt

from flexura._kernel import kernel
from flexura.model.particle_kernels import add_pair


@kernel
def add_forces(
    source, cells, shares, arms, rest, u, values, conjugate, direction, length, force
):  # fmt: skip
    """Lengths and directions, and forces τ w t."""
    for e in range(len(source)):
        x, y, z = arms[e, 0], arms[e, 1], arms[e, 2]
        for a in range(cells.shape[1]):
            p, w = cells[e, a], shares[e, a]
            x += w * (rest[p, 0] + u[p, 0])
            y += w * (rest[p, 1] + u[p, 1])
            z += w * (rest[p, 2] + u[p, 2])
        size = sqrt(x * x + y * y + z * z)
        length[e] = size
        conjugate[source[e]] += size
        inverse = 1.0 / size if size > 0.0 else 0.0
        direction[e, 0], direction[e, 1], direction[e, 2] = inverse * x, inverse * y, inverse * z
    add_pulls(source, cells, shares, values, direction, force)


@kernel
def add_pulls(source, cells, shares, values, direction, force):
    """τ w t."""
    for e in range(len(source)):
        tau = values[source[e]]
        if tau != 0.0:
            for a in range(cells.shape[1]):
                for i in range(3):
                    force[cells[e, a], i] += tau * shares[e, a] * direction[e, i]


@kernel
def add_tangents(
    source, cells, shares, slots, ahead, direction, length, ride, reach, values, small, transfer
):  # fmt: skip
    """τ/l (1 - t tᵀ) w_a w_b."""
    block, scaled = small[0], small[1]
    for e in range(len(source)):
        tau = ahead[source[e]]
        if tau == 0.0 or length[e] == 0.0:
            continue
        _put_across(block, tau / length[e], direction[e])
        for a in range(cells.shape[1]):
            for b in range(cells.shape[1]):
                w = shares[e, a] * shares[e, b]
                if w == 0.0:
                    continue
                for i in range(3):
                    for j in range(3):
                        scaled[i, j] = w * block[i, j]
                p, q = cells[e, a], cells[e, b]
                add_pair(values, slots[e, a, b], scaled, ride[p], ride[q], reach, transfer)


@kernel
def multiply(source, cells, shares, ahead, direction, length, motion, force):
    """τ/l (1 - t tᵀ) of the relative motion."""
    for e in range(len(source)):
        tau = ahead[source[e]]
        if tau == 0.0 or length[e] == 0.0:
            continue
        x = y = z = 0.0
        for a in range(cells.shape[1]):
            p, w = cells[e, a], shares[e, a]
            x, y, z = x + w * motion[p, 0], y + w * motion[p, 1], z + w * motion[p, 2]
        t = direction[e]
        along = x * t[0] + y * t[1] + z * t[2]
        scale = tau / length[e]
        for a in range(cells.shape[1]):
            own, w = force[cells[e, a]], scale * shares[e, a]
            own[0] += w * (x - along * t[0])
            own[1] += w * (y - along * t[1])
            own[2] += w * (z - along * t[2])


@kernel
def _put_across(out, scale, t):
    """scale (1 - t tᵀ)."""
    for i in range(3):
        for j in range(3):
            out[i, j] = scale * ((1.0 if i == j else 0.0) - t[i] * t[j])
