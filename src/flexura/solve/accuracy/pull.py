"""What multipliers of constraints exert: tensions of tendons that are driven by their length.

A multiplier τ adds τ b to the stress of a rod, and τ f to the forces of nodes. Both are gradients
of what it is conjugate to, the length of the way of a tendon:

    δl = ∫ b · δξ ds + Σ f · z
"""

from dataclasses import dataclass

import numpy as np

from flexura.model.assemble import Assembly
from flexura.model.term import NodeForces
from flexura.model.work import PartWork
from flexura.typing import Array, Wrench


@dataclass(frozen=True, eq=False)
class Pulls:
    """What a unit of each of k multipliers exerts.

    Attributes:
        stress: b at the points of each part, weights included, (n_points, k, 6).
        force: f of all nodes, in their frames, (n_nodes, k, 6).
        compliance: by which constraints give themselves [m/N], (k,).
    """

    stress: tuple[Wrench, ...]
    force: Wrench
    compliance: Array


def pulls(assembly: Assembly) -> Pulls:
    """What the constraints exert that hold in the equilibrium that was evaluated last.

    Those that load rods between their nodes are left out: their multipliers stay as they are.
    """
    held = assembly.equal | (assembly.state.multipliers[: len(assembly.gap)] > 0.0)
    stresses: list[list[Wrench]] = [[] for _ in assembly.parts]
    forces, rows = [], []
    for row in np.flatnonzero(held).tolist():
        change = np.zeros(assembly.model.inputs.n_values)
        change[assembly.model.inputs.multipliers[row]] = 1.0
        along = [_along(assembly, part, change) for part in assembly.parts]
        if any(load.any() for _, load in along):
            continue
        for own, (stress, _) in zip(stresses, along, strict=True):
            own.append(stress)
        forces.append(_at_nodes(assembly, change))
        rows.append(row)
    points = [len(part.part.group.points.s) for part in assembly.parts]
    return Pulls(
        stress=tuple(_beside(own, n) for own, n in zip(stresses, points, strict=True)),
        force=_beside(forces, assembly.layout.n_nodes),
        compliance=assembly.compliance[rows],
    )


def _beside(columns: list[Wrench], count: int) -> Wrench:
    """Wrenches at so many places, for each multiplier, (count, k, 6)."""
    return np.stack(columns, axis=1) if columns else np.zeros((count, 0, 6))


def _along(assembly: Assembly, part: PartWork, change: Array) -> tuple[Wrench, Wrench]:
    """Stress and load at the points of a part by a change of the given values."""
    out = part.changes
    out.clear_forces()
    for law in part.part.laws:
        if not law.stored:
            law.add_slope(part.work, assembly.given, change, out)
    return out.stress[:, :6].copy(), out.load.copy()


def _at_nodes(assembly: Assembly, change: Array) -> Wrench:
    """Forces of all nodes that terms make by a change of the given values, (n_nodes, 6)."""
    force = np.zeros((assembly.layout.n_nodes, 6))
    for work in assembly.terms:
        numbers, out = assembly.state.numbers[work.rows], NodeForces.of(work.term, force)
        work.term.add_slope(assembly.nodes, numbers, assembly.given, change, out)
    return force
