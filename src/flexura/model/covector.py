"""Rows of outputs: what small motions of the unknowns, and of nodes that inputs move, make of them.

A row is a covector: forces on nodes and inner unknowns that do as much work as the output moves.
Carried back like any force, it meets the unknowns, and what inputs move.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from flexura.errors import UnknownName
from flexura.lie import se3
from flexura.model.slope import carried
from flexura.model.work import Evaluated
from flexura.robot import At
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
    def of(cls, assembly: Evaluated, rows: Iterable[tuple[Array, Sequence[Array]]]) -> "Covectors":
        """Of forces on nodes and inner unknowns, part by part; of none where nothing is there."""
        motions, forces = [], []
        for force, inner in rows:
            found = np.zeros(assembly.layout.n_dof)
            for part, own in zip(assembly.parts, inner, strict=False):
                part.scatter_inner(own, found)
            assembly.layout.add_node_forces(force, found)
            motions.append(found)
            forces.append(force)
        return cls(np.array(motions), np.array(forces))

    def along(self, drift: Twist | None) -> Array:
        """What a drift of the nodes does, (n_nodes, 6), while the unknowns rest, (p,)."""
        if drift is None:
            return np.zeros(len(self.motion))
        return np.asarray(np.tensordot(self.force, drift, 2))


def length_covector(assembly: Evaluated, tendon: int) -> Covectors:
    """The length of a tendon [m]: conjugate to its tension; one row."""
    model = assembly.model
    change = np.zeros(model.inputs.n_values)
    change[model.tendons.source[tendon]] = 1.0
    force, inner, _ = carried(assembly, change)
    return Covectors.of(assembly, [(force, inner)])


def twist_covectors(
    assembly: Evaluated, frame: object, kind: str = "frame", rows: Matrix | None = None
) -> Covectors:
    """The six numbers of a frame's body twist, or combinations of them.

    Args:
        assembly: evaluated.
        frame: name of a frame, or ``At(...)``.
        kind: what it is called where there is none of that name.
        rows: the combinations, (p, 6); None for the numbers themselves.
    """
    model = assembly.model
    at = frame if isinstance(frame, At) else None
    name = frame if at is None else at.rod
    rows = np.eye(6) if rows is None else np.asarray(rows)
    if at is not None:
        rows = rows @ se3.Ad(se3.inverse(at.transform))
        if at.rod in model.places:
            return Covectors.of(assembly, _inside(assembly, at, rows))
    if isinstance(name, str) and name == "world" and kind == "frame":
        return Covectors(
            np.zeros((len(rows), model.layout.n_dof)), np.zeros((len(rows), len(assembly.nodes), 6))
        )
    if not isinstance(name, str) or name not in model.frames:
        others = [f"{tendon}.length" for tendon in model.tendons.names if kind == "output"]
        hint = f"{name}.tip" if isinstance(name, str) and name in model.places else None
        raise UnknownName(kind, name, [*model.frames, *others], hint)
    return Covectors.of(assembly, _on_node(assembly, model.frames[name], rows))


def _on_node(
    assembly: Evaluated, node: int, rows: Matrix
) -> Iterator[tuple[Array, Sequence[Array]]]:
    """Forces on nodes and inner unknowns for covectors on one node."""
    forces = np.zeros((len(rows), assembly.layout.n_nodes, 6))
    forces[:, node] = rows
    if not assembly.layout.loose[node]:
        yield from ((force, ()) for force in forces)
        return
    for force in forces:
        yield _carried_back(assembly, force, [np.zeros_like(x.inner) for x in assembly.parts])


def _carried_back(
    assembly: Evaluated, force: Array, inner: list[Array]
) -> tuple[Array, list[Array]]:
    """What acts on loose ends acts on what leads to them."""
    for part, own in zip(assembly.parts, inner, strict=True):
        if len(part.loose):
            part.changes.clear()
            part.part.group.carry_back(part.changes, force[part.part.nodes], own, part.work)
    return force, inner


def _inside(assembly: Evaluated, at: At, rows: Matrix) -> Iterator[tuple[Array, Sequence[Array]]]:
    """The same for covectors on a point inside a rod."""
    place = assembly.model.places[at.rod]
    part = assembly.parts[place.part]
    s = float(place.rod.clamp(at.s))
    rows = np.ascontiguousarray(rows)
    own, inside = part.part.group.carry_from(part.nodes, part.inner, place.index, s, rows)
    force = np.zeros((len(rows), assembly.layout.n_nodes, 6))
    force[:, part.part.nodes] = own
    for i in range(len(rows)):
        inner = [np.zeros_like(x.inner) for x in assembly.parts]
        inner[place.part] += inside[i]
        yield _carried_back(assembly, force[i], inner)
