"""Compiled part of ``Loads``."""

from flexura._kernel import inline, kernel
from flexura.lie import dual


@kernel
def write(
    target,
    source,
    coefficient,
    follower,
    offset,
    adjoint,
    pose,
    inputs,
    force,
    tangent,
    work,
    square,
):
    """Add every load to the force and tangent of the pose that it acts on."""
    for e in range(len(target)):
        t = target[e]
        local, turned, form = work[:6], work[6:12], square[0]
        for i in range(6):
            local[i] = coefficient[e] * inputs[source[e], i]
        if not follower[e]:
            for k in range(0, 6, 3):  # (Rg Ro)ᵀ of the moment and of the force
                for i in range(3):
                    turned[k + i] = 0.0
                    for l in range(3):
                        turned[k + i] += pose[t, l, i] * local[k + l]
                for i in range(3):
                    local[k + i] = 0.0
                    for l in range(3):
                        local[k + i] += offset[e, l, i] * turned[k + l]
        dual.apply_T(turned, adjoint[e], local)
        for i in range(6):
            force[t, i] -= turned[i]
        _tangent(form, local, follower[e])
        dual.matrix_mul(square[1], form, adjoint[e])
        dual.add_T_mul(tangent[t], adjoint[e], square[1])


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
def _tangent(out, wrench, follower):
    """Tangent of one load in its own frame: ±½ of hats of its moment and force."""
    out[:] = 0.0
    sign = 0.5 if follower else -0.5
    _add_hat(out, 0, wrench[:3], sign)
    _add_hat(out, 3, wrench[3:], 0.5)
    _add_hat(out, 18, wrench[3:], sign)


@inline
def _add_hat(out, corner, x, scale):
    """Add scale · hat(x) to the 3x3 block that begins at ``corner`` of a flat 6x6 matrix."""
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        out[corner + 6 * j + k] -= scale * x[i]
        out[corner + 6 * k + j] += scale * x[i]
