"""Compiled part of ``tube_group``: angles of tubes along the elements of their centreline.

Angles of n tubes on the element that leads to node k, from their values θ_a at the node before:

    θ_j(u) = θ_a,j + Σ_i F_i(u) c_ji,    F_i = ∫ f_i du,    θ_b,j = θ_a,j + c_j0

where f_i are Legendre polynomials on the element, so that only the first one adds up; multipliers μ
tie the last equation. Derivatives of angles are by the arc length of reference. Numbers of angles
are gathered as (θ_b, c, μ), and one more that ties the stretch of an element that is locked.

``columns`` are places in the row of a node, or among the unknowns of a tangent: of (c, μ, what ties
stretch), of the numbers of the centreline, of θ_b, and of θ_a, with which rows of plates begin,
before torques. What the next element shares is last in a row: the matrix has a narrow band.
"""

from flexura._kernel import kernel


@kernel
def gather(columns, angle_nodes, plate, n, inner, base, angle):
    """Numbers of centrelines and of angles, from the rows of all nodes.

    ``plate`` tells which of the nodes with angles are at plates.
    """
    own, begin, last = columns[0], columns[1], columns[2]
    for k in range(len(base)):
        for i in range(base.shape[1]):
            base[k, i] = inner[k, begin + i]
    for a in range(len(angle_nodes)):
        row, out = inner[angle_nodes[a]], angle[a]
        if plate[a]:
            for i in range(len(out)):
                out[i] = row[i] if i < 2 * n else 0.0
            continue
        for i in range(n):
            out[i] = row[last + i]
        for i in range(len(out) - n):
            out[n + i] = row[own + i]


@kernel
def scatter(columns, angle_nodes, plate, n, base, angle, inner):
    """Add what belongs to them to the rows of all nodes."""
    own, begin, last = columns[0], columns[1], columns[2]
    for k in range(len(base)):
        for i in range(base.shape[1]):
            inner[k, begin + i] += base[k, i]
    for a in range(len(angle_nodes)):
        row, numbers = inner[angle_nodes[a]], angle[a]
        if plate[a]:
            for i in range(2 * n):
                row[i] += numbers[i]
            continue
        for i in range(n):
            row[last + i] += numbers[i]
        for i in range(len(numbers) - n):
            row[own + i] += numbers[n + i]


@kernel
def grow(
    columns, angle_nodes, section_nodes, n, p, coefficients, before, after, most, inner
):  # fmt: skip
    """Let coefficients of strains and angles grow with the sections of sets; angles follow.

    Sections that grow or shrink by more than the factor ``most`` stay as they are.
    """
    own, begin, last = columns[0], columns[1], columns[2]
    for i in range(len(section_nodes)):
        start = inner[angle_nodes[section_nodes[i, 0]], :n]
        for k in range(section_nodes.shape[1] - 1):
            was, length = before[i, k + 1] - before[i, k], after[i, k + 1] - after[i, k]
            ratio = length / was if length < most * was and was < most * length else 1.0
            for a in range(section_nodes[i, k] + 1, section_nodes[i, k + 1] + 1):
                row = inner[angle_nodes[a]]
                for c in range(coefficients):
                    row[begin + c] *= ratio
                for c in range(n * p):
                    row[own + c] *= ratio
                for j in range(n):
                    row[last + j] = start[j] + (row[own + j * p] if p > 0 else 0.0)
                start = row[last : last + n]


@kernel
def show(
    node_points, value, slope, n, plates, shown, locked, elements, angle_nodes, stretch,
    base_strain, base, angle, strain,
):  # fmt: skip
    """Strains at all points: of the centreline, angles, their derivatives.

    Points at plates show angles and torques, ``locked`` ones the stretch of elements and its tie.
    """
    p = value.shape[1]
    for q in range(len(base_strain)):
        for i in range(6):
            strain[q, i] = base_strain[q, i]
    for node in range(1, len(node_points) - 1):
        before, own = angle[node - 1], angle[node]
        for q in range(node_points[node], node_points[node + 1]):
            for j in range(n):
                found, rate = before[j], 0.0
                for i in range(p):
                    found += value[q, i] * own[n + j * p + i]
                    rate += slope[q, i] * own[n + j * p + i]
                strain[q, 6 + j] = found
                strain[q, 6 + n + j] = rate
    for k in range(len(plates)):
        for i in range(2 * n):
            strain[shown[k], 6 + i] = angle[plates[k], i]
    for k in range(len(locked)):
        element = elements[k]
        strain[locked[k], 6] = base[angle_nodes[element], stretch]
        strain[locked[k], 6 + n] = angle[element, angle.shape[1] - 1]


@kernel
def carry_angles(
    node_points, value, slope, n, plates, shown, locked, elements, angle_nodes, stretch, stress,
    base_force, angle_force,
):  # fmt: skip
    """Add the forces of numbers of angles, and of stretch, that stresses at the points make."""
    p = value.shape[1]
    for node in range(1, len(node_points) - 1):
        before, own = angle_force[node - 1], angle_force[node]
        for q in range(node_points[node], node_points[node + 1]):
            for j in range(n):
                turning, twisting = stress[q, 6 + j], stress[q, 6 + n + j]
                before[j] += turning
                for i in range(p):
                    own[n + j * p + i] += value[q, i] * turning + slope[q, i] * twisting
    for k in range(len(plates)):
        for i in range(2 * n):
            angle_force[plates[k], i] += stress[shown[k], 6 + i]
    for k in range(len(locked)):
        element = elements[k]
        base_force[angle_nodes[element], stretch] += stress[locked[k], 6]
        angle_force[element, angle_force.shape[1] - 1] += stress[locked[k], 6 + n]


@kernel
def tie_angles(node_points, p, n, angle, force):
    """Add what the multipliers of angles exert, and the gaps that they close."""
    tie = n + n * p
    for node in range(1, len(node_points) - 1):
        if node_points[node] == node_points[node + 1]:
            continue
        for j in range(n):
            pull = angle[node, tie + j]
            force[node, j] += pull
            force[node - 1, j] -= pull
            force[node, tie + j] += angle[node, j] - angle[node - 1, j]
            if p > 0:
                force[node, n + j * p] -= pull
                force[node, tie + j] -= angle[node, n + j * p]


@kernel
def carry(
    acts, ties, columns, plate, node_points, value, slope, n, plates, shown, locked, elements,
    angle_nodes, stretch, stress, angle, base_force, angle_force, inner_force,
):  # fmt: skip
    """What stresses at the points, if it ``acts``, and multipliers, if it ``ties``, do to rows."""
    if acts:
        carry_angles(
            node_points, value, slope, n, plates, shown, locked, elements, angle_nodes, stretch,
            stress, base_force, angle_force,
        )  # fmt: skip
    if ties:
        tie_angles(node_points, value.shape[1], n, angle, angle_force)
    scatter(columns, angle_nodes, plate, n, base_force, angle_force, inner_force)


@kernel
def split_forces(stress, posed, load, own_stress, own_posed, own_load):
    """Stresses and loads that act on centrelines; whether any does."""
    acts = False
    for q in range(len(own_stress)):
        own_posed[q] = posed[q]
        acts |= posed[q]
        for i in range(6):
            own_stress[q, i], own_load[q, i] = stress[q, i], load[q, i]
            acts |= stress[q, i] != 0.0
    return acts


@kernel
def split(
    components, stress, stress_ahead, stiffness, posed, load, load_tangent, own_stress, own_ahead,
    own_stiffness, own_posed, own_load, own_tangent,
):  # fmt: skip
    """What acts on centrelines: of stresses and stiffness the part that acts on their strain."""
    for q in range(len(own_stress)):
        for i in range(6):
            own_stress[q, i] = stress[q, i]
            own_ahead[q, i] = stress_ahead[q, i]
            for j in range(6):
                own_stiffness[q, 6 * i + j] = stiffness[q, components * i + j]
        own_posed[q] = posed[q]
        if posed[q]:
            for i in range(6):
                own_load[q, i] = load[q, i]
            for i in range(36):
                own_tangent[q, i] = load_tangent[q, i]
