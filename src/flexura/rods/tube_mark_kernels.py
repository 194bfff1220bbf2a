"""Compiled part of ``tube_group``: frames of tubes, as further nodes."""

from math import cos, sin

from flexura._kernel import inline, kernel
from flexura.rods import closure_kernels
from flexura.rods.closure_kernels import Closure


@kernel
def turn_into(out, pose, angle):
    """out = pose Rot_x(angle)."""
    c, s = cos(angle), sin(angle)
    for i in range(3):
        y, z = pose[i, 1], pose[i, 2]
        out[i, 0], out[i, 3] = pose[i, 0], pose[i, 3]
        out[i, 1] = c * y + s * z
        out[i, 2] = c * z - s * y
    out[3, 0] = out[3, 1] = out[3, 2] = 0.0
    out[3, 3] = 1.0


@kernel
def place_marks(at, tube, angle_node, nodes, inner, loose, end):
    """Frames of marks: where the centreline and the angle have them, to ``end`` and loose nodes."""
    first = len(nodes) - len(at)
    for m in range(len(at)):
        turn_into(end[m], nodes[at[m]], inner[angle_node[m], tube[m]])
        if loose[first + m]:
            for i in range(4):
                for j in range(4):
                    nodes[first + m, i, j] = end[m, i, j]


@kernel
def carry_marks(
    at, tube, angle_node, angles, loose, end, nodes, inner, acts, force, angle_force, inner_force,
    small, forms,
):  # fmt: skip
    """Carry what acts on loose marks to centreline and angles, or, unless ``acts``, what ties do.

    Ties are the numbers of marks that are held; their gaps are added to ``inner_force``.
    """
    first = len(nodes) - len(at)
    wrench = small[28:34]
    for m in range(len(at)):
        if loose[first + m]:
            if not acts:
                continue
            for c in range(6):
                wrench[c] = force[first + m, c]
        else:
            if acts:
                continue
            closure_kernels.pull_ends(
                end[m], nodes[first + m], inner[first + m, :6], force[first + m],
                inner_force[first + m], wrench, small, forms,
            )  # fmt: skip
        _turn_back(wrench, angles[angle_node[m], tube[m]], force[at[m]])
        angle_force[angle_node[m], tube[m]] += wrench[0]


@kernel
def mark_tangents(
    at, tube, angle_node, angles, loose, end, nodes, inner, end_tangent, force, angle_force,
    inner_force, matrices, moved, small, duals, squares, product,
):  # fmt: skip
    """Forces and tangents of all marks, by (ζ of the centreline, θ, λ, ζ of the mark)."""
    first = len(nodes) - len(at)
    closure = Closure(small[28:34], squares, small[:28], duals)
    for m in range(len(at)):
        matrix, node = matrices[m], first + m
        matrix[:] = 0.0
        if loose[node]:
            closure_kernels.release(force[node], end_tangent[node], closure)
        else:
            closure_kernels.close(
                end[m],
                nodes[node],
                inner[node, :6],
                force[node],
                inner_force[node],
                matrix,
                closure,
            )
        angle = angles[angle_node[m], tube[m]]
        c, s = cos(angle), sin(angle)
        moved[:] = 0.0
        for i in range(2):
            moved[3 * i, 3 * i] = 1.0
            moved[3 * i + 1, 3 * i + 1] = moved[3 * i + 2, 3 * i + 2] = c
            moved[3 * i + 1, 3 * i + 2] = -s
            moved[3 * i + 2, 3 * i + 1] = s
        moved[6, 0] = 1.0
        closure_kernels.finish(1, moved, squares, matrix, product)
        f = closure.pull
        _turn_back(f, angle, force[at[m]])
        angle_force[angle_node[m], tube[m]] += f[0]
        # the chart: log(exp(a) exp(b)) has ½ [a, b], of a = Ad ζ and b = e_1 dθ
        for i in range(6):
            bent = moved[i]
            half = 0.5 * (f[1] * bent[2] - f[2] * bent[1] + f[4] * bent[5] - f[5] * bent[4])
            matrix[i, 6] += half
            matrix[6, i] += half


@inline
def _turn_back(wrench, angle, force):
    """Add a wrench of a frame, turned by an angle about x, to the force of what carries it."""
    c, s = cos(angle), sin(angle)
    for i in range(2):
        y, z = wrench[3 * i + 1], wrench[3 * i + 2]
        force[3 * i] += wrench[3 * i]
        force[3 * i + 1] += c * y - s * z
        force[3 * i + 2] += s * y + c * z
