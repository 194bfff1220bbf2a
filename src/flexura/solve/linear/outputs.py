"""What outputs of linear models are: rows that small motions of the unknowns and of nodes make.

A row is a covector: forces on nodes and inner unknowns that do as much work as the output moves.
Carried back like any force, it meets the unknowns, and what inputs move.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from flexura.errors import ModelError, UnknownName, show
from flexura.lie import se3
from flexura.model.assemble import Assembly
from flexura.model.model import Place
from flexura.model.slope import carried
from flexura.robot import At, FrameLike
from flexura.solve.linear.small_motion import Slopes, SmallMotion
from flexura.typing import Array, Matrix, Pose

TWIST = ("rx", "ry", "rz", "x", "y", "z")
# Increments of differences of fourth order, relative to 1 rad and to the finest element.
APART = 1e-3


@dataclass(frozen=True, eq=False)
class Output:
    """A row.

    Attributes:
        name: of the output.
        motion: what increments of the unknowns do, (n_dof,).
        drift: what inputs do directly, while the unknowns rest, (m,).
    """

    name: str
    motion: Array
    drift: Array


def output_rows(
    motion: SmallMotion, asked: Sequence[FrameLike], changes: Matrix, slopes: Slopes
) -> list[Output]:
    """Rows of outputs.

    Args:
        motion: small motions.
        asked: frames; lengths and tensions of tendons, as "left.length".
        changes: of inputs, column by column, (n_values, m).
        slopes: what they do.
    """
    assembly = motion.assembly
    model, m = assembly.model, changes.shape[1]
    drifts = [model.drift(assembly.inputs, change) for change in changes.T]

    def row(name: str, force: Array, inner: Sequence[Array]) -> Output:
        found = np.zeros(model.n_dof)
        for part, own in zip(assembly.parts, inner, strict=True):
            part.scatter_inner(own, found)
        assembly.layout.add_node_forces(force, found)
        direct = [0.0 if drift is None else float(np.sum(force * drift)) for drift in drifts]
        return Output(name, found, np.array(direct))

    rows = list[Output]()
    for one in asked:
        tendon, _, what = one.rpartition(".") if isinstance(one, str) else ("", "", "")
        if tendon in model.tendons.names and what == "length":
            change = np.zeros(model.inputs.n_values)
            change[model.tendons.source[model.tendons.names.index(tendon)]] = 1.0
            force, inner, _ = carried(assembly, change)
            rows.append(row(str(one), force, inner))
        elif tendon in model.tendons.names and what == "tension":
            rows.append(_tension(motion, tendon, slopes))
        else:
            label = str(one) if isinstance(one, str) else _label(one)
            pairs = zip(TWIST, _frame(assembly, one), strict=True)
            rows += [row(f"{label}.{number}", *own) for number, own in pairs]
    assert all(len(one.drift) == m for one in rows)
    return rows


def _label(frame: object) -> str:
    """How a frame inside a rod is called."""
    return f"{frame.rod}({frame.s:g})" if isinstance(frame, At) else str(frame)


def _tension(motion: SmallMotion, tendon: str, slopes: Slopes) -> Output:
    """The tension of an elastic tendon that is driven by its length: λ = (R q - G u)/C."""
    model = motion.moving.model
    i, name = model.tendons.names.index(tendon), f"{tendon}.tension"
    if not model.tendons.by_length[i]:
        raise ModelError(f"{tendon!r} is driven by its tension: that is an input, not an output")
    places = model.inputs.multipliers[motion.held].tolist()
    if int(model.tendons.source[i]) not in places:
        raise ModelError(f"{tendon!r} is slack: its tension stays zero")
    at = places.index(int(model.tendons.source[i]))
    if not motion.give[at]:
        raise ModelError(
            f"the tension of {tendon!r}, which does not stretch, depends on accelerations: give it "
            "a stiffness= to have it as an output"
        )
    return Output(name, motion.rows[at] / motion.give[at], -slopes.gap[at] / motion.give[at])


def _frame(assembly: Assembly, frame: object) -> Iterator[tuple[Array, list[Array]]]:
    """Forces on nodes and inner unknowns for the six numbers of a frame's body twist."""
    model = assembly.model
    at = frame if isinstance(frame, At) else None
    name = frame if at is None else at.rod
    if at is not None and at.rod in model.places:
        yield from _inside(assembly, model.places[at.rod], at)
        return
    if not isinstance(name, str) or name not in model.frames:
        lengths = [f"{tendon}.length" for tendon in model.tendons.names]
        hint = f"{name}.tip" if name in model.places else None
        raise UnknownName("output", show(name), [*model.frames, *lengths], hint)
    transform = np.eye(4) if at is None else at.transform
    for covector in se3.Ad(se3.inverse(transform)):
        force = np.zeros((assembly.layout.n_nodes, 6))
        force[model.frames[name]] = covector
        yield _carried_back(assembly, force, [np.zeros_like(x.inner) for x in assembly.parts])


def _carried_back(
    assembly: Assembly, force: Array, inner: list[Array]
) -> tuple[Array, list[Array]]:
    """What acts on loose ends acts on what leads to them."""
    for part, own in zip(assembly.parts, inner, strict=True):
        part.changes.clear()
        part.part.group.carry_back(part.changes, force[part.part.nodes], own, part.work)
    return force, inner


def _inside(assembly: Assembly, place: Place, at: At) -> Iterator[tuple[Array, list[Array]]]:
    """The same for a point inside a rod, by differences."""
    model, layout = assembly.model, assembly.layout
    part = assembly.parts[place.part]
    group, begin = part.part.group, part.part.begin
    nodes = model.rod_nodes(place)
    s = np.array([place.rod.clamp(at.s)])
    around, inner = part.nodes.copy(), part.inner.copy()
    here = se3.inverse(group.shape(around, inner, place.index, s)[0][0] @ at.transform)

    def moved() -> Pose:
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
