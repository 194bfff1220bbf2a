"""Compiled part of ``Layout``: between nodes, coordinates and unknowns."""

from flexura._kernel import inline, kernel
from flexura.lie.kernels import dual, se3
from flexura.lie.kernels.se3 import copy_into


@kernel
def ride(coordinates, coordinate, offset, nodes):
    """g_n = q_c T_n."""
    for n in range(len(coordinate)):
        _put_node(nodes[n], coordinates, coordinate[n], offset[n])


@kernel
def carry(dq, dof, adjoint, d_nodes):
    """ζ_n = Ad_{T_n}⁻¹ ζ_c."""
    for n in range(len(dof)):
        if dof[n] < 0:
            for i in range(6):
                d_nodes[n, i] = 0.0
        else:
            dual.apply(d_nodes[n], adjoint[n], dq[dof[n] : dof[n] + 6])


@kernel
def add_drifts(node, i, forward, motions, beyond, twists, out, work):
    """Add what twists of motion i do to a node: Ad⁻¹ of what is beyond, of η or of -Ad η."""
    for k in range(len(twists)):
        if forward:
            se3.Ad_inv_apply(work[0], beyond, twists[k, i])
        else:
            se3.Ad_apply(work[1], motions[i], twists[k, i])
            se3.Ad_inv_apply(work[0], beyond, work[1])
        for c in range(6):
            out[k, node, c] += work[0, c] if forward else -work[0, c]


@kernel
def turn_offsets(drift, held, force, work):
    """Add -½ ad_ηᵀ f at nodes that drift by η and hold f: their offsets turn with it."""
    for n in range(len(drift)):
        still = True
        for c in range(6):
            still &= drift[n, c] == 0.0
        if not still:
            se3.ad_T_apply(work, drift[n], held[n])
            for c in range(6):
                force[n, c] -= 0.5 * work[c]


@kernel
def move(poses, numbers, pose_dof, dq, moved, moved_numbers, work):
    """q exp(ζ) for every coordinate, and all other unknowns."""
    for c in range(len(pose_dof)):
        se3.exp_into(work, dq[pose_dof[c] : pose_dof[c] + 6])
        se3.compose_into(moved[c], poses[c], work)
    move_numbers(numbers, dq, pose_dof, moved_numbers)


@kernel
def mirror(begin, middle, out, work, twist):
    """Q_½ (Q₀⁻¹ Q_½) for every coordinate; as exp(log(.)), what is between stays a rotation."""
    for c in range(len(begin)):
        se3.between_into(work, begin[c], middle[c])
        se3.log_into(twist, work)
        se3.exp_into(work, twist)
        se3.compose_into(out[c], middle[c], work)


@kernel
def straighten(poses, out):
    """Poses whose rotations are orthogonal again, after rounding: R (3 I - Rᵀ R)/2."""
    for c in range(len(poses)):
        R = poses[c]
        se3.copy_into(out[c], R)
        for i in range(3):
            for j in range(3):
                total = 0.0
                for k in range(3):
                    product = R[0, k] * R[0, j] + R[1, k] * R[1, j] + R[2, k] * R[2, j]
                    total += R[i, k] * product
                out[c, i, j] = 1.5 * R[i, j] - 0.5 * total


@kernel
def differ(begin, end, pose_dof, out, work):
    """log(begin⁻¹ end) of every coordinate."""
    for c in range(len(pose_dof)):
        se3.between_into(work, begin[c], end[c])
        se3.log_into(out[pose_dof[c] : pose_dof[c] + 6], work)


@kernel
def move_numbers(numbers, dq, pose_dof, moved):
    """All unknowns that are no poses, and zero where poses are."""
    for i in range(len(dq)):
        moved[i] = numbers[i] + dq[i]
    for c in pose_dof:
        for i in range(6):
            moved[c + i] = 0.0


@inline
def _put_node(out, coordinates, c, offset):
    """q_c T of a node, or T if it is fixed."""
    if c < 0:
        copy_into(out, offset)
    else:
        se3.compose_into(out, coordinates[c], offset)


@kernel
def adjoints(offset, found):
    """Ad of the inverse of every pose, as duals: Rᵀ and -Rᵀ p̂."""
    for n in range(len(offset)):
        g = offset[n]
        x, y, z = g[0, 3], g[1, 3], g[2, 3]
        for i in range(3):
            a, b, c = g[0, i], g[1, i], g[2, i]
            found[n, 3 * i], found[n, 3 * i + 1], found[n, 3 * i + 2] = a, b, c
            found[n, 9 + 3 * i] = c * y - b * z
            found[n, 10 + 3 * i] = a * z - c * x
            found[n, 11 + 3 * i] = b * x - a * y


@kernel
def compose(walk, jump, links, coordinate, offset, firsts, nodes, coordinates, work):
    """Walk from the world along rods and joints; the first node on a coordinate sets it."""
    for c in range(len(coordinates)):
        for i in range(4):
            for j in range(4):
                coordinates[c, i, j] = 1.0 if i == j else 0.0
    for n in firsts:
        se3.inverse_into(coordinates[coordinate[n]], offset[n])
    for r in range(len(walk)):
        near, far, direction = walk[r]
        n = near
        _put_node(nodes[n], coordinates, coordinate[n], offset[n])
        while n != far:
            m = far if direction == 0 else n + direction
            if direction == 0:
                se3.compose_into(nodes[m], nodes[n], jump[r])
            elif direction > 0:
                se3.compose_into(nodes[m], nodes[n], links[m])
            else:
                se3.inverse_into(work[0], links[n])
                se3.compose_into(nodes[m], nodes[n], work[0])
            if coordinate[m] >= 0:
                se3.inverse_into(work[1], offset[m])
                se3.compose_into(coordinates[coordinate[m]], nodes[m], work[1])
            n = m


@kernel
def scatter_forces(dof, adjoint, force, residual, work):
    """Add the forces of the nodes to those of the coordinates."""
    for n in range(len(dof)):
        if dof[n] >= 0:
            dual.apply_T(work, adjoint[n], force[n])
            for i in range(6):
                residual[dof[n] + i] += work[i]


@kernel
def gather_inner(dq, inner_dof, inner_size, d_inner):
    """Increments of the inner unknowns of each element, zero for those that are none."""
    for n in range(len(inner_dof)):
        for i in range(d_inner.shape[1]):
            d_inner[n, i] = dq[inner_dof[n] + i] if i < inner_size[n] else 0.0


@kernel
def add_inner(inner_dof, inner_size, force, residual):
    """Add the forces of the inner unknowns of each element."""
    for n in range(len(inner_dof)):
        for i in range(inner_size[n]):
            residual[inner_dof[n] + i] += force[n, i]
