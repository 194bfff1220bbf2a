"""Strains and poses along variable-strain rods; names as in ``variable_strain_kernels``."""

from flexura._kernel import inline, kernel
from flexura.lie.kernels import se3
from flexura.lie.kernels.se3 import copy_into
from flexura.rods.variable_strain_step import GAUSS, expansion, weights


@kernel
def strains(node_steps, runs, phi, rest, inner, strain):
    """ξ at every point."""
    for n in range(len(node_steps) - 1):
        q = inner[n]
        for p in range(2 * node_steps[n], 2 * node_steps[n + 1]):
            for c in range(6):
                value = rest[p, c]
                for j in range(runs[c], runs[c + 1]):
                    value += phi[p, j] * q[j]
                strain[p, c] = value


@kernel
def integrate(node_steps, step, strain, nodes, poses, end, twist, frame):
    """Poses at the beginning of every step, and ``end[n]`` of the element that leads to node n."""
    for n in range(len(node_steps) - 1):
        first, stop = node_steps[n], node_steps[n + 1]
        for k in range(first, stop):
            start = poses[k]
            if k == first:
                copy_into(start, nodes[n - 1])
            after = end[n] if k + 1 == stop else poses[k + 1]
            _put_pose(after, start, step[k], 1.0, strain[2 * k], strain[2 * k + 1], twist, frame)


@kernel
def place(steps, x, step, strain, poses, pose, twist, frame):
    """Poses at the parts x of chosen steps."""
    for i in range(len(steps)):
        k = steps[i]
        first, second = strain[2 * k], strain[2 * k + 1]
        _put_pose(pose[i], poses[k], step[k], x[i], first, second, twist, frame)


@kernel
def kinematics(
    node_steps, step, runs, phi, rest, inner, nodes, posed, loose, strain, poses, end, pose, twist,
    frame,
):  # fmt: skip
    """ξ at every point, poses along the elements, at the points ``posed`` and of loose nodes."""
    strains(node_steps, runs, phi, rest, inner, strain)
    integrate(node_steps, step, strain, nodes, poses, end, twist, frame)
    for p in posed:
        k = p // 2
        first, second = strain[2 * k], strain[2 * k + 1]
        _put_pose(pose[p], poses[k], step[k], GAUSS[p % 2], first, second, twist, frame)
    for n in loose:
        copy_into(nodes[n], end[n])


@kernel
def links(
    node_steps, step, runs, phi, rest, inner, fraction, d_inner, origin, moved, strain, poses, end,
    twist, frame,
):  # fmt: skip
    """Pose of each node in the one before it, after a fraction of a change of the coefficients."""
    for n in range(len(inner)):
        for j in range(runs[6]):
            moved[n, j] = inner[n, j] + fraction * d_inner[n, j]
    strains(node_steps, runs, phi, rest, moved, strain)
    integrate(node_steps, step, strain, origin, poses, end, twist, frame)


@inline
def _put_pose(out, start, h, x, first, second, twist, frame):
    """Write the pose at the part x of a step: start exp(Ω)."""
    expansion(twist, weights(h, x), first, second)
    se3.exp_into(frame, twist)
    se3.compose_into(out, start, frame)
