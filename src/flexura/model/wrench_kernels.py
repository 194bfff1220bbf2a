"""Compiled part of ``Wrenches``."""

from flexura._kernel import inline, kernel
from flexura.lie.kernels.vector import cross, dot, rotate, rotate_back, scaled, vec


@inline
def _wrench(t, moment, source, coefficient, follower, offset, pose, values):
    """Moment and force of an entry in the frame of its target, about the point where they act."""
    m = scaled(coefficient, vec(values, moment)) if moment >= 0 else (0.0, 0.0, 0.0)
    f = scaled(coefficient, vec(values, source))
    if follower:
        return rotate(offset, m), rotate(offset, f)
    return rotate_back(pose[t], m), rotate_back(pose[t], f)


@inline
def _subtract(force, m, f, p):
    """Subtract a moment, and a force at p."""
    lever = cross(p, f)
    for i in range(3):
        force[i] -= m[i] + lever[i]
        force[3 + i] -= f[i]


@kernel
def add(
    target, moment, source, coefficient, follower, offset, pose, values, force, row, tangent,
    tangents,
):  # fmt: skip
    """Add the loads to the force of the poses that they act on, and to their rows of tangents."""
    for e in range(len(target)):
        t = target[e]
        m, f = _wrench(
            t, moment[e], source[e], coefficient[e], follower[e], offset[e], pose, values
        )
        p = (offset[e, 0, 3], offset[e, 1, 3], offset[e, 2, 3])
        _subtract(force[t], m, f, p)
        if tangents:
            _add_tangent(tangent[row[e]], m, f, p, 0.5 if follower[e] else -0.5)


@inline
def add_dead(force, tangent, f, p, tangents):
    """Add a dead force f at p, both in the frame of the pose that it acts on."""
    m = (0.0, 0.0, 0.0)
    _subtract(force, m, f, p)
    if tangents:
        _add_tangent(tangent, m, f, p, -0.5)


@kernel
def add_force(target, moment, source, coefficient, follower, offset, pose, values, force):
    """Add the loads to the force only."""
    for e in range(len(target)):
        t = target[e]
        m, f = _wrench(
            t, moment[e], source[e], coefficient[e], follower[e], offset[e], pose, values
        )
        _subtract(force[t], m, f, (offset[e, 0, 3], offset[e, 1, 3], offset[e, 2, 3]))


@kernel
def potential(target, source, coefficient, follower, offset, pose, values):
    """-Σ F·p over the dead forces, p where they act."""
    total = 0.0
    for e in range(len(target)):
        if follower[e]:
            continue
        g = pose[target[e]]
        for i in range(3):
            p = g[i, 3]
            for j in range(3):
                p += g[i, j] * offset[e, j, 3]
            total -= coefficient[e] * values[source[e] + i] * p
    return total


@kernel
def size(moment, source, coefficient, values):
    """Sums of the sizes of all moments and forces."""
    moments = forces = 0.0
    for e in range(len(source)):
        f = vec(values, source[e])
        forces += abs(coefficient[e]) * dot(f, f) ** 0.5
        if moment[e] >= 0:
            m = vec(values, moment[e])
            moments += abs(coefficient[e]) * dot(m, m) ** 0.5
    return moments, forces


@kernel
def conservative(moment, source, follower, values):
    """Whether there are neither followers nor moments."""
    for e in range(len(source)):
        for i in range(3):
            if moment[e] >= 0 and values[moment[e] + i] != 0.0:
                return False
            if follower[e] and values[source[e] + i] != 0.0:
                return False
    return True


@inline
def _add_tangent(out, m, f, p, sign):
    """Add the tangent of a moment and a force at p, in the frame of the pose.

    [ sign (m̂ + p̂ f̂) - ½ f̂ p̂   ½ f̂ ]
    [ sign f̂                     0  ]
    """
    along = (sign - 0.5) * dot(f, p)
    for i in range(3):
        for j in range(3):
            out[6 * i + j] += sign * f[i] * p[j] - 0.5 * p[i] * f[j]
        out[7 * i] -= along
        j, k = (i + 1) % 3, (i + 2) % 3
        out[6 * j + k] -= sign * m[i]
        out[6 * k + j] += sign * m[i]
        out[6 * j + 3 + k] -= 0.5 * f[i]
        out[6 * k + 3 + j] += 0.5 * f[i]
        out[18 + 6 * j + k] -= sign * f[i]
        out[18 + 6 * k + j] += sign * f[i]
