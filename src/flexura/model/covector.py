"""Rows of outputs: what small motions of the unknowns, and of nodes that inputs move, make of them.

A row is a covector: forces on nodes and inner unknowns that do as much work as the output moves.
Carried back like any force, it meets the unknowns, and what inputs move.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from flexura.lie import se3
from flexura.model.frame import Frame, find_frame
from flexura.model.part import Place
from flexura.model.slope import carried
from flexura.model.spot import Spot
from flexura.model.work import Evaluated
from flexura.typing import Array, Matrix, Twist


@dataclass(frozen=True, eq=False)
class Covectors:
    """Rows, p of them.

    Attributes:
        motion: what increments of the unknowns do, (p, n_dof).
        force: on the nodes, (p, n_nodes, 6).
    """

    motion: Matrix
    force: Array

    @classmethod
    def of(cls, assembly: Evaluated, forces: Array, inner: Mapping[int, Array]) -> "Covectors":
        """Of forces on nodes, (p, n_nodes, 6), and on inner unknowns of some parts, (p, ...)."""
        motions = np.zeros((len(forces), assembly.layout.n_dof))
        for i, (force, found) in enumerate(zip(forces, motions, strict=True)):
            for part, own in inner.items():
                assembly.parts[part].scatter_inner(own[i], found)
            if assembly.layout.n_coordinates:
                assembly.layout.add_node_forces(force, found)
        return cls(motions, forces)

    def along(self, drift: Twist | None) -> Array:
        """What a drift of the nodes does, (n_nodes, 6), while the unknowns rest, (p,)."""
        if drift is None:
            return np.zeros(len(self.motion))
        return np.asarray(self.force.reshape(len(self.force), -1) @ drift.ravel())


def length_covector(assembly: Evaluated, tendon: int) -> Covectors:
    """The length of a tendon [m]: conjugate to its tension; one row."""
    model = assembly.model
    change = np.zeros(model.inputs.n_values)
    place = int(model.tendons.source[tendon])
    change[place] = 1.0
    force, inner, _ = carried(assembly, change, (place,))
    return Covectors.of(assembly, force[None], {i: own[None] for i, own in enumerate(inner)})


def twist_covectors(
    assembly: Evaluated, frame: object, kind: str = "frame", rows: Matrix | None = None
) -> Covectors:
    """The six numbers of a frame's body twist, or combinations of them.

    Args:
        assembly: evaluated.
        frame: name of a frame, ``At(...)`` or ``On(...)``.
        kind: what it is called where there is none of that name.
        rows: the combinations, (p, 6); None for the numbers themselves.
    """
    model = assembly.model
    tendons = [f"{tendon}.length" for tendon in model.tendons.names if kind == "output"]
    found = find_frame(model, frame, kind, tendons, moving=kind == "output")
    return frame_covectors(assembly, found, np.eye(6) if rows is None else rows)


def frame_covectors(assembly: Evaluated, frame: Frame, rows: Matrix) -> Covectors:
    """Combinations of the numbers of a frame's body twist, (p, 6)."""
    if frame.offset is not None:
        rows = rows @ se3.Ad(se3.inverse(frame.offset))
    if frame.spot is not None:
        return _on_volume(assembly, frame.spot, rows)
    if frame.place is not None:
        return _inside(assembly, frame.place, frame.s, rows)
    if frame.node < 0:
        none = np.zeros((len(rows), assembly.layout.n_dof))
        return Covectors(none, np.zeros((len(rows), len(assembly.nodes), 6)))
    return _on_node(assembly, frame.node, rows)


def _on_volume(assembly: Evaluated, spot: Spot, rows: Matrix) -> Covectors:
    """Rows on a point of a volume."""
    layout, work = assembly.layout, assembly.particles
    motion = np.zeros((len(rows), layout.n_dof))
    force = np.zeros((len(rows), layout.n_nodes, 6))
    on_particles = np.zeros_like(work.force)
    for i, own in enumerate(spot.forces(work.displacement, rows)):
        on_particles[spot.particles] = own
        layout.particles.carry(assembly.nodes, on_particles, force[i], motion[i])
        layout.add_node_forces(force[i], motion[i])
    return Covectors(motion, force)


def _on_node(assembly: Evaluated, node: int, rows: Matrix) -> Covectors:
    """Rows on one node: what acts on a loose end acts on what leads to it."""
    forces = np.zeros((len(rows), assembly.layout.n_nodes, 6))
    inner: dict[int, Array] = {}
    forces[:, node] = rows
    if not assembly.layout.loose[node]:
        return Covectors.of(assembly, forces, inner)
    for i, part in enumerate(assembly.parts):
        if len(part.loose):
            inner[i] = np.zeros((len(rows), *part.inner.shape))
            part.changes.clear_forces()
            for force, own in zip(forces, inner[i], strict=True):
                part.part.group.carry_back(part.changes, force[part.part.nodes], own, part.work)
    return Covectors.of(assembly, forces, inner)


def _inside(assembly: Evaluated, place: Place, s: float, rows: Matrix) -> Covectors:
    """Rows on a point inside a rod."""
    part = assembly.parts[place.part]
    rows = np.ascontiguousarray(rows)
    own, inner = part.part.group.carry_from(part.nodes, part.inner, place.index, s, rows)
    force = np.zeros((len(rows), assembly.layout.n_nodes, 6))
    force[:, part.part.nodes] = own
    return Covectors.of(assembly, force, {place.part: inner})
