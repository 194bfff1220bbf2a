"""Compiled heart of the linear strain element: kinematics at the points, forces back to the nodes.

Symbols, for the element of length h that leads to node n, at arc length s from its beginning:

    ξ(s) = x + (s - h/2) β,     Ω = log(g_{n-1}⁻¹ g_n) = A x,     A = h - h³/12 ad_β
    g(s) = g_{n-1} exp(Ω(s)),   Ω(s) = s x + s (s - h)/2 β - s³/12 [β, x],   Ω(h) = Ω

``mean`` is x, ``slope`` is β, ``inverse`` is A⁻¹ as a dual (``lie.kernels.dual``). Everything that
belongs to an element is stored with the node that it leads to; its points are
``first_point[n] … first_point[n + 1] - 1``. Matrices of 6x6 are flat rows of 36.

Variations are taken in three groups of six: (ζ_{n-1}, β, x) at the points, where the strain is
linear, and (ζ_{n-1}, β, ζ_n) in the result, which has the same order.
"""

from flexura._kernel import heavy, kernel
from flexura.lie.kernels import dual, se3
from flexura.rods.difference_kernels import differences
from flexura.rods.linear_strain_element import (
    Element,
    Scratch,
    add_difference_curvature,
    add_forces,
    add_pose_law,
    add_pulled_load,
    add_strain_law,
    add_symmetric_part,
    element_at,
    mirror,
    pose_tangents,
    put_inverse,
    put_twist,
    to_nodes,
    write,
)
from flexura.rods.point_laws import PointLaws
from flexura.rods.turn import turn_between, turn_by_tension, turn_within


@kernel
def strains(
    nodes, inner, rod_nodes, first_point, s, length, slope, mean, omega, from_end, to_end, inverse,
    strain, work,
):  # fmt: skip
    """β, Ω and x of every element, and ξ at every point, for poses of nodes and slopes."""
    differences(nodes, rod_nodes, omega, from_end, to_end, work)
    for rod in range(len(rod_nodes) - 1):
        for n in range(rod_nodes[rod] + 1, rod_nodes[rod + 1]):
            for c in range(6):
                slope[n, c] = inner[n, c]
            put_inverse(inverse[n], slope[n], length[n])
            dual.apply(mean[n], inverse[n], omega[n])
            for p in range(first_point[n], first_point[n + 1]):
                lever = s[p] - 0.5 * length[n]
                for c in range(6):
                    strain[p, c] = mean[n, c] + lever * slope[n, c]


@kernel
def turn(nodes, rod_nodes, mean, slope, aside, rest_stretch, pulled):
    """The largest turn between nodes, within elements, and by tension."""
    inside = max(turn_within(mean, slope, aside), turn_by_tension(mean, rest_stretch, pulled))
    return max(turn_between(nodes, rod_nodes), inside)


@kernel
def poses(points, point_node, s, length, nodes, slope, mean, pose, work, twist):
    """g at the chosen points."""
    for p in points:
        n = point_node[p]
        put_twist(twist, s[p], length[n], slope[n], mean[n])
        se3.exp_into(work, twist)
        se3.compose_into(pose[p], nodes[n - 1], work)


@kernel
def strain_increments(
    rod_nodes, first_point, s, length, from_end, to_end, inverse, mean, d_nodes, d_slope,
    d_omega, d_strain, work,
):  # fmt: skip
    """δΩ and δξ for increments of the nodes and of the slopes.

    δξ = δx + (s - h/2) δβ,   δx = A⁻¹ (δΩ + h³/12 [δβ, x])
    """
    for rod in range(len(rod_nodes) - 1):
        for n in range(rod_nodes[rod] + 1, rod_nodes[rod + 1]):
            h = length[n]
            dual.apply(work[0], from_end[n], d_nodes[n - 1])
            dual.apply(work[1], to_end[n], d_nodes[n])
            se3.ad_apply(work[2], d_slope[n], mean[n])
            for c in range(6):
                d_omega[n, c] = work[0, c] + work[1, c]
                work[0, c] = d_omega[n, c] + h * h * h / 12.0 * work[2, c]
            dual.apply(work[1], inverse[n], work[0])
            for p in range(first_point[n], first_point[n + 1]):
                lever = s[p] - 0.5 * h
                for c in range(6):
                    d_strain[p, c] = work[1, c] + lever * d_slope[n, c]


@heavy
def pull_back_aside(*args):
    """``pull_back`` while other threads run."""
    pull_back(*args)


@kernel
def pull_back(
    rod_nodes, first_point, s, length, slope, mean, omega, from_end, to_end, inverse, stress,
    stress_ahead, stiffness, posed, load, load_tangent, loose, end_tangent, symmetric, force,
    slope_force, matrices, vectors, duals, forms, moments, local, mixed,
):  # fmt: skip
    """Generalised forces and tangent matrices of the elements, from the laws at the points.

    Args (all weights are inside the laws):
        s: of the points, from the beginning of their element.
        length … inverse: of ``Element``.
        stress … end_tangent: of ``PointLaws``.
        symmetric: whether all load tangents are.
        force, slope_force: results, added to.
        matrices: results; row n is the tangent in (ζ_{n-1}, β, ζ_n).
        vectors … mixed: of ``Scratch``.
    """
    elements = Element(length, slope, mean, omega, from_end, to_end, inverse)
    laws = PointLaws(stress, stress_ahead, stiffness, posed, load, load_tangent, loose, end_tangent)
    scratch = Scratch(vectors, duals, forms, moments, local, mixed)
    for rod in range(len(rod_nodes) - 1):
        for n in range(rod_nodes[rod] + 1, rod_nodes[rod + 1]):
            element, loaded = element_at(elements, n), False
            vectors[:4] = 0.0
            forms[:] = 0.0
            moments[:] = 0.0
            local[:] = 0.0
            for p in range(first_point[n], first_point[n + 1]):
                add_strain_law(s[p] - 0.5 * element.h, p, laws, vectors, moments)
                if posed[p]:
                    loaded = True
                    add_pose_law(s[p], element, load[p], load_tangent[p], symmetric, scratch)
            add_forces(element, vectors, force[n - 1], slope_force[n], force[n])
            if symmetric and loaded:
                mirror(local)
            add_symmetric_part(element.h, scratch)
            to_nodes(element, symmetric, loaded, scratch)
            add_difference_curvature(element, vectors[4], local, duals)
            write(matrices[n], local, symmetric)


@kernel
def carry_back(
    rod_nodes, first_point, s, length, slope, mean, omega, from_end, to_end, inverse, stress,
    posed, load, force, slope_force, vectors, duals,
):  # fmt: skip
    """Forces of nodes and slopes from stresses and loads at the points."""
    elements = Element(length, slope, mean, omega, from_end, to_end, inverse)
    for rod in range(len(rod_nodes) - 1):
        for n in range(rod_nodes[rod] + 1, rod_nodes[rod + 1]):
            element = element_at(elements, n)
            vectors[:4] = 0.0
            for p in range(first_point[n], first_point[n + 1]):
                for c in range(6):
                    vectors[1, c] += (s[p] - 0.5 * element.h) * stress[p, c]
                    vectors[2, c] += stress[p, c]
                if posed[p]:
                    pose_tangents(s[p], element, vectors[4], duals)
                    add_pulled_load(load[p], vectors, duals)
            add_forces(element, vectors, force[n - 1], slope_force[n], force[n])
