"""Rows of outputs: what small motions of the unknowns, and of nodes that inputs move, make of them.

A row is a covector: forces on nodes and inner unknowns that do as much work as the output moves.
Carried back like any force, it meets the unknowns, and what inputs move.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from flexura.errors import UnknownName
from flexura.lie import se3
from flexura.model.model import Place
from flexura.model.slope import carried
from flexura.model.work import Evaluated
from flexura.robot import At
from flexura.typing import Array, Matrix, Twist

# Increments of differences of fourth order, relative to 1 rad and to the finest element.
APART = 1e-3


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


def twist_covectors(assembly: Evaluated, frame: object, kind: str = "frame") -> Covectors:
    """The six numbers of a frame's body twist.

    Args:
        assembly: evaluated.
        frame: name of a frame, or ``At(...)``.
        kind: what it is called where there is none of that name.
    """
    model = assembly.model
    at = frame if isinstance(frame, At) else None
    name = frame if at is None else at.rod
    if at is not None and at.rod in model.places:
        return Covectors.of(assembly, _inside(assembly, at))
    if isinstance(name, str) and name == "world" and kind == "frame":
        none = np.zeros((6, model.layout.n_dof)), np.zeros((6, model.layout.n_nodes, 6))
        return Covectors(*none)
    if not isinstance(name, str) or name not in model.frames:
        others = [f"{tendon}.length" for tendon in model.tendons.names if kind == "output"]
        hint = f"{name}.tip" if isinstance(name, str) and name in model.places else None
        raise UnknownName(kind, name, [*model.frames, *others], hint)
    transfer = np.eye(6) if at is None else se3.Ad(se3.inverse(at.transform))
    return Covectors.of(assembly, _on_node(assembly, model.frames[name], transfer))


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


def _inside(assembly: Evaluated, at: At) -> Iterator[tuple[Array, Sequence[Array]]]:
    """The same for a point inside a rod, by differences."""
    model, layout = assembly.model, assembly.layout
    place: Place = model.places[at.rod]
    part = assembly.parts[place.part]
    group, begin = part.part.group, part.part.begin
    nodes = model.rod_nodes(place)
    s = np.array([place.rod.clamp(at.s)])
    around, inner = part.nodes.copy(), part.inner.copy()
    here = se3.inverse(group.shape(around, inner, place.index, s)[0][0] @ at.transform)

    def moved() -> Twist:
        pose = group.shape(around, inner, place.index, s)[0][0] @ at.transform
        return np.asarray(se3.log(here @ pose))

    force = np.zeros((6, layout.n_nodes, 6))
    for node in range(nodes.start, nodes.stop):
        before = around[node - begin].copy()
        for i in range(6):
            step = np.zeros(6)
            step[i] = APART * (1.0 if i < 3 else model.finest)
            found = []
            for steps in (-2.0, -1.0, 1.0, 2.0):
                around[node - begin] = before @ se3.exp(steps * step)
                found.append(moved())
            force[:, node, i] = _slope(found) / step[i]
        around[node - begin] = before
    inside = np.zeros((6, *inner.shape))
    for node in range(nodes.start - begin, nodes.stop - begin):
        for i in range(int(part.inner_size[node])):
            dof = part.inner_dof[node] + i
            if layout.multiplier[dof]:
                continue
            before, step = inner[node, i], APART * model.finest * layout.units[dof]
            found = []
            for steps in (-2.0, -1.0, 1.0, 2.0):
                inner[node, i] = before + steps * step
                found.append(moved())
            inside[:, node, i] = _slope(found) / step
            inner[node, i] = before
    for i in range(6):
        own = [np.zeros_like(x.inner) for x in assembly.parts]
        own[place.part] += inside[i]
        yield _carried_back(assembly, force[i], own)


def _slope(values: Sequence[Array]) -> Array:
    """Derivative by the step, from values two and one steps before and after."""
    before, left, right, after = values
    return np.asarray((8.0 * (right - left) - (after - before)) / 12.0)
