"""Compiled part of ``particles``, and how blocks between particles get to the matrix."""

from flexura._kernel import inline, kernel
from flexura.lie.kernels.vector import cross, rotate, rotate_back, vec
from flexura.matrix.slot import add_block
from flexura.model.point_kernels import add_curvature


@inline
def displacement(p, rest, dof, node, place, nodes, numbers):
    """u of a free particle, or g r - X of one that rides."""
    if dof[p] >= 0:
        return vec(numbers, dof[p])
    g = nodes[node[p]]
    x = rotate(g, vec(place[p], 0))
    return (
        x[0] + (g[0, 3] - rest[p, 0]),
        x[1] + (g[1, 3] - rest[p, 1]),
        x[2] + (g[2, 3] - rest[p, 2]),
    )


@kernel
def displace(rest, dof, node, place, nodes, numbers, out):
    """u of all particles."""
    for p in range(len(rest)):
        out[p, 0], out[p, 1], out[p, 2] = displacement(p, rest, dof, node, place, nodes, numbers)


@kernel
def increments(dof, node, place, nodes, d_nodes, dq, out):
    """du of free particles, R (v + w × r) of those that ride."""
    for p in range(len(dof)):
        if dof[p] >= 0:
            for i in range(3):
                out[p, i] = dq[dof[p] + i]
        else:
            z = d_nodes[node[p]]
            turned = cross(vec(z, 0), vec(place[p], 0))
            moved = rotate(nodes[node[p]], (turned[0] + z[3], turned[1] + z[4], turned[2] + z[5]))
            out[p, 0], out[p, 1], out[p, 2] = moved


@kernel
def carry(dof, node, place, nodes, force, node_force, residual):
    """Forces of free particles, and wrenches (r × Rᵀ f, Rᵀ f) of those that ride."""
    for p in range(len(dof)):
        if dof[p] >= 0:
            for i in range(3):
                residual[dof[p] + i] += force[p, i]
        else:
            f = rotate_back(nodes[node[p]], vec(force[p], 0))
            m = cross(vec(place[p], 0), f)
            own = node_force[node[p]]
            for i in range(3):
                own[i] += m[i]
                own[3 + i] += f[i]


@kernel
def reaches(offset, place, poses, arm, reach):
    """Places in the coordinates, r_c = T r, and R_c [-r̂_c, 1]."""
    for p in range(len(place)):
        d = rotate(offset[p], vec(place[p], 0))
        for i in range(3):
            arm[p, i] = d[i] + offset[p, i, 3]
        x, y, z = arm[p, 0], arm[p, 1], arm[p, 2]
        for i in range(3):
            a, b, c = poses[p, i, 0], poses[p, i, 1], poses[p, i, 2]
            row = reach[p, i]
            row[0], row[1], row[2] = c * y - b * z, a * z - c * x, b * x - a * y
            row[3], row[4], row[5] = a, b, c


@kernel
def add_curvatures(slots, poses, arm, force, values, block):
    """Second variations of the places of particles, with what acts there."""
    for p in range(len(arm)):
        if slots[p, 0] >= 0:
            block[:] = 0.0
            f = rotate_back(poses[p], vec(force[p], 0))
            add_curvature(block, 1.0, vec(arm[p], 0), f)
            add_block(values, slots[p], block.reshape(6, 6))


@inline
def add_pair(values, slot, block, first, second, reach, work):
    """Add a block between two particles, (3, 3), where they are unknowns or ride on some.

    ``first`` and ``second`` are their rows of ``reach``, -1 for free ones; ``work`` is (2, 6, 6).
    """
    if slot[0] < 0:
        return
    if first < 0 and second < 0:
        add_block(values, slot, block)
        return
    half, whole = work[0], work[1]
    rows, columns = 3 if first < 0 else 6, 3 if second < 0 else 6
    for i in range(3):
        for j in range(columns):
            if second < 0:
                half[i, j] = block[i, j]
            else:
                r = reach[second]
                half[i, j] = block[i, 0] * r[0, j] + block[i, 1] * r[1, j] + block[i, 2] * r[2, j]
    for i in range(rows):
        for j in range(columns):
            if first < 0:
                whole[i, j] = half[i, j]
            else:
                r = reach[first]
                whole[i, j] = r[0, i] * half[0, j] + r[1, i] * half[1, j] + r[2, i] * half[2, j]
    add_block(values, slot, whole[:rows, :columns])


@kernel
def add_node_curvature(node, place, nodes, force, motion, out, block):
    """Add what a motion of nodes makes of the wrenches of particles that ride on them.

    In the exponential charts of the nodes; only those that ride, ``node`` -1 for others.
    """
    for p in range(len(node)):
        if node[p] < 0:
            continue
        z = motion[node[p]]
        block[:] = 0.0
        f = rotate_back(nodes[node[p]], vec(force[p], 0))
        add_curvature(block, 1.0, vec(place[p], 0), f)
        for i in range(6):
            total = 0.0
            for j in range(6):
                total += block[6 * i + j] * z[j]
            out[node[p], i] += total
