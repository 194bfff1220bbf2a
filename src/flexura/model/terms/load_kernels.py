"""Compiled part of ``Loads``."""

from flexura._kernel import inline, kernel
from flexura.lie._vector import cross, dot, rotate, rotate_back, scaled, vec


@kernel
def write(target, source, coefficient, follower, offset, pose, inputs, force, tangent):
    """Sum up the loads in the force and tangent of the poses that they act on."""
    for t in target:
        force[t] = 0.0
        tangent[t] = 0.0
    for e in range(len(target)):
        t, x = target[e], inputs[source[e]]
        m, f = scaled(coefficient[e], vec(x, 0)), scaled(coefficient[e], vec(x, 3))
        if follower[e]:
            m, f = rotate(offset[e], m), rotate(offset[e], f)
        else:
            m, f = rotate_back(pose[t], m), rotate_back(pose[t], f)
        p = (offset[e, 0, 3], offset[e, 1, 3], offset[e, 2, 3])
        lever = cross(p, f)
        for i in range(3):
            force[t, i] -= m[i] + lever[i]
            force[t, 3 + i] -= f[i]
        _add_tangent(tangent[t], m, f, p, 0.5 if follower[e] else -0.5)


@kernel
def potential(target, source, coefficient, follower, offset, pose, inputs):
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
            total -= coefficient[e] * inputs[source[e], 3 + i] * p
    return total


@kernel
def total(source, coefficient, inputs):
    """Sums of the sizes of all moments and forces."""
    moment = force = 0.0
    for e in range(len(source)):
        x = inputs[source[e]]
        moment += abs(coefficient[e]) * (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) ** 0.5
        force += abs(coefficient[e]) * (x[3] * x[3] + x[4] * x[4] + x[5] * x[5]) ** 0.5
    return moment, force


@kernel
def conservative(source, follower, inputs):
    """Whether there are neither followers nor moments."""
    for e in range(len(source)):
        for i in range(6):
            if (follower[e] or i < 3) and inputs[source[e], i] != 0.0:
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
