"""Compiled part of windows; most of it between places and the loose rods that lead to them.

Each of these has two nodes, the one before the place, and the place.
"""

from flexura._kernel import kernel
from flexura.lie.kernels.vector import cross, vec
from flexura.rods.closure_kernels import act
from flexura.rods.variable_strain_kernels import carry_back


@kernel
def act_along(strain, force, turning, stress):
    """What f · R ν does to poses, (ν × f, 0), and to strains, (0, f)."""
    for e in range(len(force)):
        f = vec(force[e], 0)
        turning[e, 0], turning[e, 1], turning[e, 2] = cross(vec(strain[e], 3), f)
        stress[e, 3], stress[e, 4], stress[e, 5] = f


@kernel
def look(
    nodes, inner, node, inner_node, functions, rest, component, aside, poses, own, strain, slope
):  # fmt: skip
    """Take what places depend on; their strains, and slopes by differences, (m, 6).

    ``functions`` and ``rest`` are of the places, and of those a little after and before.
    """
    n = len(component)
    for e in range(len(node)):
        for i in range(4):
            for j in range(4):
                poses[2 * e, i, j] = nodes[node[e, 0], i, j]
        row = inner[inner_node[e, 0]]
        for c in range(6):
            strain[e, c] = rest[0, e, c]
            slope[e, c] = rest[1, e, c] - rest[2, e, c]
        for j in range(n):
            own[2 * e + 1, j] = row[j]
            strain[e, component[j]] += functions[0, e, j] * row[j]
            slope[e, component[j]] += (functions[1, e, j] - functions[2, e, j]) * row[j]
        for c in range(6):
            slope[e, c] /= 2.0 * aside[e]


@kernel
def stay(s, begin, beyond):
    """Whether all places are in the steps that they were in."""
    inside = True
    for e in range(len(s)):
        inside &= begin[e] <= s[e] < beyond[e]
    return inside


@kernel
def end_steps(s, begin, last, step):
    """Let the last steps end at the places."""
    for e in range(len(s)):
        step[last[e]] = s[e] - begin[e]


@kernel
def load_tips(load, force, inner):
    """Wrenches on the places, and nothing else."""
    force[:] = 0.0
    inner[:] = 0.0
    for e in range(len(load)):
        for c in range(6):
            force[2 * e + 1, c] = load[e, c]


@kernel
def carry(
    tips, rod_nodes, loose, node_steps, step, strain, poses, end, pose, runs, phi, nodes, stress,
    posed, load, wrench, force, inner, vectors, duals, out,
):  # fmt: skip
    """Forces on the nodes before the places, and on the numbers of their rods, (m, w).

    ``tips`` are wrenches on the places; other arguments as ``carry_back`` of the rods has them.
    """
    load_tips(tips, force, inner)
    act(rod_nodes, loose, force, wrench)
    carry_back(
        node_steps, step, strain, poses, end, pose, runs, phi, nodes, stress, posed, load, wrench,
        force, inner, vectors, duals,
    )  # fmt: skip
    for e in range(len(out)):
        for c in range(6):
            out[e, c] = force[2 * e, c]
        for j in range(out.shape[1] - 6):
            out[e, 6 + j] = inner[2 * e + 1, j]
