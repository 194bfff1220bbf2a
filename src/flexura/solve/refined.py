"""How far a result is from that of a finer model, which begins with the shape of the result.

For sets of tubes, whose sections hang together by angles, besides poses: ``correction`` has no
equations for these.
"""

from dataclasses import replace

import numpy as np

from flexura.lie import se3
from flexura.model.build import build
from flexura.model.evaluation import Ahead
from flexura.model.model import Model, Part, Place
from flexura.model.start import start_state
from flexura.model.state import State
from flexura.result.static import StaticResult
from flexura.rods.discretization import Discretization
from flexura.rods.nested_group import NestedRods
from flexura.rods.variable_strain import VariableStrain
from flexura.solve.equilibrium import Equilibrium, Iterate, solve_equilibrium
from flexura.solve.workspace import workspace
from flexura.typing import Array, Pose, Strain, frozen

# A finer model has this many times as many elements or steps, and this many functions more.
FINER, MORE = 2.0, 2
# Newton's method begins near its end.
ITERATIONS = 30
# Places along each rod where positions are compared.
STATIONS = 65


def refined(result: StaticResult) -> float:
    """Largest distance of all rods and tubes to those of a finer model [m]; inf if it is not found.

    Args:
        result: an equilibrium.
    """
    if result.model.volumes or result.model.contacts is not None:
        return np.inf
    model = result.model.once(_finer)
    given = model.read_inputs(result.inputs)
    state, strains = _carried(result, model)
    with workspace(model) as assembly, np.errstate(all="ignore"):
        begin = Iterate(state, Ahead(given, strains))
        found = solve_equilibrium(Equilibrium(assembly, given), begin, ITERATIONS)
    if not found.converged:
        return np.inf
    fine = replace(
        result,
        model=model,
        given=given,
        state=found.point.state,
        evaluation=found.report.evaluation,
    )
    apart = 0.0
    for rod in model.robot.slender:
        s = np.linspace(0.0, rod.length, STATIONS)
        moved = fine.pose(rod.name, s)[:, :3, 3] - result.pose(rod.name, s)[:, :3, 3]
        apart = max(apart, float(np.linalg.norm(moved, axis=1).max()))
    return apart


def _finer(model: Model) -> Model:
    """The same robot, described more finely."""
    rods = {name: _more(choice) for name, choice in model.rods.items()}
    return build(model.robot, rods=rods, also=model.also)


def _more(choice: Discretization) -> Discretization:
    """A finer choice; steps of integration alone do not help where functions are few."""
    if isinstance(choice, VariableStrain):
        choice = replace(choice, orders=tuple(n + MORE if n else 0 for n in choice.orders))
    return choice.finer(FINER)


def _carried(result: StaticResult, model: Model) -> tuple[State, tuple[Strain, ...]]:
    """The state of another model of the same robot that has the shape of a result, nearly.

    Control poses are on the curve, and what ties elements exerts nothing: a few iterations off.
    """
    begin = start_state(model, model.read_inputs(result.inputs))
    layout = model.layout_at(model.read_inputs(result.inputs))
    poses, numbers = begin.state.poses.copy(), np.zeros(model.n_dof)
    strains = [strain.copy() for strain in begin.strains]
    nodes = np.full((layout.n_nodes, 4, 4), np.nan)
    for name, node in model.frames.items():
        nodes[node] = result.evaluation.nodes[result.model.frames[name]]
    rows = [np.zeros((part.n_nodes, part.group.n_inner)) for part in model.parts]
    for name, place in model.places.items():
        _follow(result, result.model.places[name], model.parts[place.part], place,
                nodes, rows[place.part], strains[place.part])  # fmt: skip
    known = (layout.coordinate >= 0) & np.isfinite(nodes[:, 0, 0])
    poses[layout.coordinate[known]] = nodes[known] @ se3.inverse(layout.offset[known])
    for part, own in zip(model.parts, rows, strict=True):
        layout.add_inner(part.nodes, own, numbers)
    for here, there in zip(layout.term_rows, result.model.layout.term_rows, strict=True):
        numbers[here] = result.state.numbers[there]
    state = State(frozen(poses), frozen(numbers), result.state.multipliers)
    return state, tuple(frozen(strain) for strain in strains)


def _follow(
    result: StaticResult,
    old: Place,
    part: Part,
    place: Place,
    nodes: Pose,
    inner: Array,
    strains: Strain,
) -> None:
    """Let a rod or a set follow its shape in a result; in place."""
    source, group = result.model.parts[old.part], part.group
    known = result.model.inner(result.state, old.part)

    def shape(s: Array) -> tuple[Pose, Strain]:
        found = source.group.shape(result.evaluation.nodes[source.nodes], known, old.index, s)
        return found

    first, stop = (int(n) for n in group.rod_nodes[place.index : place.index + 2])
    own = part.begin + np.arange(first, stop)
    there = shape(group.node_lengths(place.index))[0]
    nodes[own] = np.where(np.isfinite(nodes[own]), nodes[own], there)
    if isinstance(group, NestedRods) and isinstance(source.group, NestedRods):
        angles = source.group.angles
        group.follow(
            place.index,
            lambda s: shape(s)[1],
            lambda s: angles(known, old.index, s),
            inner,
            strains,
        )
        return
    inner[first:stop] = group.fit(place.index, lambda s: shape(s)[1])
    points = group.points.rod == place.index
    strains[points] = shape(group.points.s[points])[1]
