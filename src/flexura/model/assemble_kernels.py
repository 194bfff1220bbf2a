"""Compiled part of ``Assembly``: sums and measures."""

from math import pi

from flexura._kernel import kernel
from flexura.model.layout_kernels import carry

TURN = 2.0 * pi


@kernel
def finite(x):
    """Whether all numbers are."""
    found = True
    for value in x:
        found &= value - value == 0.0
    return found


@kernel
def largest_and_farthest(residual, units, multiplier, pose):
    """``largest``, and ``farthest`` of the poses."""
    force, gap = largest(residual, units, multiplier)
    return force, gap, farthest(pose)


@kernel
def largest(residual, units, multiplier):
    """Largest force, and largest gap of a constraint, in their units."""
    force = gap = 0.0
    for i in range(len(residual)):
        value = abs(residual[i]) * units[i]
        if multiplier[i]:
            gap = value if not value <= gap else gap
        else:
            force = value if not value <= force else force
    return force, gap


@kernel
def missed(gap, multipliers, equal):
    """Largest error of a constraint; where nothing holds it, its gap may be any."""
    largest = 0.0
    for i in range(len(gap)):
        error = abs(gap[i]) if equal[i] or multipliers[i] > 0.0 else -gap[i]
        largest = error if not error <= largest else largest
    return largest


@kernel
def measure(dq, starts, length):
    """Largest rotation of the poses, and sum of squares of rotations and of translations/length."""
    largest = total = 0.0
    for s in starts:
        rotation = translation = 0.0
        for i in range(3):
            rotation += dq[s + i] * dq[s + i]
            translation += dq[s + 3 + i] * dq[s + 3 + i]
        largest = max(largest, rotation)
        total += rotation + translation / (length * length)
    return largest**0.5, total


@kernel
def carry_and_measure(dq, dof, adjoint, out, starts, length):
    """Increments of the nodes for those of the coordinates, and ``measure`` of these."""
    carry(dq, dof, adjoint, out)
    return measure(dq, starts, length)


@kernel
def largest_motion(dq, starts, others, length):
    """Largest component of rotations, and of rotations, translations/length and other numbers."""
    rotation = size = 0.0
    for s in starts:
        for i in range(3):
            rotation = max(rotation, abs(dq[s + i]))
            size = max(size, abs(dq[s + 3 + i]) / length)
    for i in others:
        size = max(size, abs(dq[i]))
    return rotation, max(rotation, size)


@kernel
def motion(weight, d_strain):
    """What a change of the strain adds up to along all rods: ∫ |δκ| ds and ∫ |δν| ds."""
    turn = way = 0.0
    for p in range(len(weight)):
        x = d_strain[p]
        turn += weight[p] * (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) ** 0.5
        way += weight[p] * (x[3] * x[3] + x[4] * x[4] + x[5] * x[5]) ** 0.5
    return turn, way


@kernel
def largest_turn(d_strain):
    """Largest change of an angle, of those that follow the six strains of a point."""
    turn = 0.0
    for p in range(len(d_strain)):
        for j in range(6, 3 + d_strain.shape[1] // 2):
            turn = max(turn, abs(d_strain[p, j]))
    return turn


@kernel
def largest_stress(weight, stress):
    """Largest moment and force where there is a weight, with the weight taken out."""
    moment = force = 0.0
    for p in range(len(weight)):
        if weight[p] > 0.0:
            for i in range(3):
                moment = max(moment, abs(stress[p, i]) / weight[p])
                force = max(force, abs(stress[p, 3 + i]) / weight[p])
    return moment, force


@kernel
def farthest(pose):
    """Largest coordinate of all positions, in size."""
    largest = 0.0
    for n in range(len(pose)):
        for i in range(3):
            largest = max(largest, abs(pose[n, i, 3]))
    return largest


@kernel
def predict(strain, fraction, change, ahead, spacing, out):
    """Strains after a fraction of their change; whether those before have lost turns (``winds``).

    The latter where there is a spacing.
    """
    for i in range(strain.shape[0]):
        for j in range(strain.shape[1]):
            out[i, j] = strain[i, j] + fraction * change[i, j]
    return len(spacing) > 0 and winds(strain, ahead, spacing)


@kernel
def multiply_pairs(nodes, blocks, motion, force):
    """Forces of the nodes of a term's elements for a motion of them."""
    for e in range(len(nodes)):
        for i in range(nodes.shape[1]):
            for j in range(nodes.shape[1]):
                for r in range(6):
                    total = 0.0
                    for c in range(6):
                        total += blocks[e, i, j, 6 * r + c] * motion[nodes[e, j], c]
                    force[nodes[e, i], r] += total


@kernel
def add_at_ends(loose, nodes, blocks, tangent):
    """Add the tangents of elements of a term that act on loose nodes."""
    for e in loose:
        for i in range(36):
            tangent[nodes[e, 0], i] += blocks[e, 0, 0, i]


@kernel
def count_turns(strain, predicted, spacing, turns):
    """Add whole turns that curvatures are short of what was predicted to those before.

    Rotations between nodes are known up to whole turns, so that curvatures jump by one over the
    distance of the nodes. Returns the largest of the counts.
    """
    largest = 0.0
    for p in range(len(strain)):
        for i in range(3):
            missing = (predicted[p, i] - strain[p, i]) * spacing[p] / TURN
            turns[p, i] += round(missing)
            largest = max(largest, abs(turns[p, i]))
    return largest


@kernel
def winds(strain, predicted, spacing):
    """Whether ``count_turns`` would count any."""
    for p in range(len(strain)):
        for i in range(3):
            if abs((predicted[p, i] - strain[p, i]) * spacing[p]) > 0.5 * TURN:
                return True
    return False


@kernel
def total_force(load):
    """Σ |f| of all components of forces in wrenches."""
    total = 0.0
    for p in range(len(load)):
        total += abs(load[p, 3]) + abs(load[p, 4]) + abs(load[p, 5])
    return total
