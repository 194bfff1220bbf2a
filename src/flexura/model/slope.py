"""Derivatives of the residual by what is given: inputs of every kind, and multipliers. Exact.

They belong to the last evaluated state of an assembly. Laws and terms know their own derivatives;
what inputs move (poses of welds, driven joints, motors) acts through the tangent between nodes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from flexura.model import assemble_kernels as kernels
from flexura.model.layout_kernels import turn_offsets
from flexura.model.particle_kernels import add_node_curvature
from flexura.model.work import Evaluated
from flexura.typing import Array, Twist


def input_slope(assembly: Evaluated, change: Array) -> tuple[Array, Array]:
    """Derivatives of the residual and of the gaps of constraints along a change of inputs.

    Args:
        assembly: what was evaluated.
        change: of all inputs, (n_values,); of a pose its body twist, at its ``directions``.

    Returns:
        ∂r, (n_dof,), and ∂(gap), (n_rows,).
    """
    return drifting_slope(assembly, change, assembly.model.drift(assembly.inputs, change))


def drifting_slope(assembly: Evaluated, change: Array, drift: Twist | None) -> tuple[Array, Array]:
    """The same, where it is known how the change moves nodes, (n_nodes, 6); None if not at all."""
    places = change.nonzero()[0].tolist()
    residual, gap = given_slope(assembly, change, places), np.zeros(len(assembly.gap))
    for constraint, own in assembly.constraints:
        constraint.add_slope(assembly.nodes, assembly.given, change, gap[own])
    if drift is not None:
        residual += _drift_slope(assembly, drift)
        gap -= _drifted_rows(assembly, drift)
    return residual, gap


def given_slope(assembly: Evaluated, change: Array, places: Sequence[int]) -> Array:
    """∂r along a change of the values that laws and terms take, (n_dof,); ``places`` as below."""
    layout = assembly.layout
    found = np.zeros(layout.n_dof)
    force, inner, gaps = carried(assembly, change, places, found)
    for part, own in zip(assembly.parts, inner, strict=True):
        part.scatter_inner(own, found)
    for term, gap in zip(assembly.terms, gaps, strict=True):
        if len(gap):
            found[term.rows] += gap
    if layout.n_coordinates:
        layout.add_node_forces(force, found)
    return found


def carried(
    assembly: Evaluated,
    change: Array,
    places: Sequence[int],
    residual: Array | None = None,
) -> tuple[Array, list[Array], list[Array]]:
    """Change of the forces of nodes and inner unknowns, and of gaps, with the given values.

    Args:
        assembly: what was evaluated.
        change: of the given values, (n_values,).
        places: of those that change.
        residual: what forces of free particles are added to, (n_dof,); None to leave them out.

    Returns:
        Forces of the nodes, (n_nodes, 6), of the inner unknowns part by part, gaps term by term.
    """
    force, inner, gaps = np.zeros((assembly.layout.n_nodes, 6)), [], []
    for term in assembly.terms:
        gap = np.zeros(len(term.rows))
        gaps.append(gap)
        if _concern(places, term.term.reads):
            out, numbers = replace(term.out, force=force, gap=gap), assembly.state.numbers
            term.term.add_slope(assembly.nodes, numbers[term.rows], assembly.given, change, out)
    for part in assembly.parts:
        own, forces = np.zeros(part.inner.shape), part.changes
        inner.append(own)
        laws = [law for law in part.part.laws if _concern(places, law.reads)]
        if not laws and not len(part.loose):
            continue
        forces.clear_forces()
        for law in laws:
            law.add_slope(part.work, assembly.given, change, forces)
        part.part.group.carry_back(forces, force[part.part.nodes], own, part.work)
    if assembly.members:
        on_particles = np.zeros_like(assembly.particles.force)
        pairs = zip(assembly.members, assembly.model.members, strict=True)
        for active, member in pairs:
            if _concern(places, member.reads):
                active.slope(assembly, change, on_particles)
        found = np.zeros(assembly.layout.n_dof) if residual is None else residual
        assembly.layout.particles.carry(assembly.nodes, on_particles, force, found)
    return force, inner, gaps


def _concern(places: Iterable[int], reads: frozenset[int] | None) -> bool:
    """Whether changes of given values at some places concern what takes some of them."""
    return reads is None or not reads.isdisjoint(places)


def _drift_slope(assembly: Evaluated, drift: Twist) -> Array:
    """∂r for a drift η of the nodes: Kη - ½ ad_ηᵀ f there, since their offsets turn with it."""
    layout = assembly.layout
    force, found = np.zeros((layout.n_nodes, 6)), np.zeros(layout.n_dof)
    for part in assembly.parts:
        nodes, inner = part.part.nodes, np.zeros_like(part.inner)
        if not drift[nodes].any():
            continue
        part.multiply(drift[nodes], force[nodes], inner)
        part.scatter_inner(inner, found)
    for term in assembly.terms:
        kernels.multiply_pairs(term.term.nodes, term.out.blocks, drift, force)
        if len(term.rows):
            own = drift[term.term.nodes[term.scatter.element]]
            found[term.rows] += np.einsum("nkc,nkc->n", term.out.rows, own)
    if assembly.members:
        _add_drift_of_particles(assembly, drift, force, found)
    turn_offsets(drift, assembly.force, force, np.empty(6))
    layout.add_node_forces(force, found)
    return found


def _add_drift_of_particles(assembly: Evaluated, drift: Twist, force: Array, found: Array) -> None:
    """Add what a drift of the nodes does through the particles that ride on them."""
    work, particles = assembly.particles, assembly.layout.particles
    motion, on_particles = np.zeros_like(work.force), np.zeros_like(work.force)
    particles.increments(assembly.nodes, drift, np.zeros(assembly.layout.n_dof), motion)
    for member in assembly.members:
        member.multiply(assembly, motion, on_particles, found)
        member.drift(assembly, drift, force, found)
    particles.carry(assembly.nodes, on_particles, force, found)
    add_node_curvature(
        particles.node, particles.place, assembly.nodes, work.force, drift, force, np.empty(36)
    )


def _drifted_rows(assembly: Evaluated, drift: Twist) -> Array:
    """∂r/∂λ times a drift of the nodes, for each constraint, (n_rows,)."""
    table = assembly.model.inputs
    found, change = np.zeros(len(assembly.gap)), np.zeros(table.n_values)
    for i, place in enumerate(table.multipliers.tolist()):
        change[place] = 1.0
        force, _, _ = carried(assembly, change, (place,))
        found[i] = np.sum(force * drift)
        change[place] = 0.0
    return found
