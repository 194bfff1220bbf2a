"""A coarse model of a chain: where names and inputs are from, and what a result stands on."""

from collections.abc import Iterator

import numpy as np

from flexura.lie import se3
from flexura.model.build import build
from flexura.model.evaluation import Evaluation
from flexura.model.inputs import Inputs
from flexura.model.law import Given
from flexura.model.model import Model
from flexura.model.state import State
from flexura.model.term import NodeForces
from flexura.result.dense import Dense
from flexura.result.integrated import IntegratedResult
from flexura.result.status import Status
from flexura.robot import Robot, Rod
from flexura.robot.doubt import fibre_factors
from flexura.rods.spline import Spline
from flexura.solve.load_steps import Raised
from flexura.solve.newton import Outcome
from flexura.solve.shooting.boundary_problem import Report, Seams
from flexura.solve.shooting.serial import Chain
from flexura.solve.strain_doubt import doubts_of
from flexura.typing import Array, Pose, Wrench, frozen

# Its nodes are poses of the solution.
OUTLINE = Spline(degree=1, spans=12)


def outline_of(robot: Robot) -> Model:
    """The coarse model of a robot."""
    return build(robot, rods=OUTLINE)


def integrated_result(
    chain: Chain,
    inputs: Inputs,
    outcome: Outcome[Seams],
    status: Status,
    iterations: int,
    raised: Raised[Seams] | None = None,
) -> IntegratedResult:
    """The result of an outcome."""
    dense = _dense(chain, outcome.report)
    evaluation = _evaluation(chain, inputs, outcome, dense)
    return IntegratedResult(
        model=chain.model,
        state=_state(chain.model, inputs, evaluation),
        given=inputs,
        status=status,
        residuals=outcome.residuals,
        steps=outcome.steps,
        iterations=iterations,
        load_steps=1 if raised is None else raised.steps,
        load_factor=1.0 if raised is None else raised.load_factor,
        stable=outcome.report.stable,
        evaluation=evaluation,
        solution=dense,
        remarks=(*chain.model.robot.doubts, *doubts_of(_fibres(chain.model, dense))),
    )


def _dense(chain: Chain, report: Report) -> Dense:
    """The solution that a chain ended with."""
    law, strands, shot = report.loaded.law, report.strands, report.shot
    used = np.arange(shot.begin.shape[1]) < shot.n_steps[:, None]
    known = np.full_like(strands.unknown, -1)  # no derivatives are asked for
    segment, begin = np.repeat(np.arange(len(shot.n_steps)), shot.n_steps), shot.begin[used]
    ends = np.append(begin[1:], 0.0)
    ends[np.cumsum(shot.n_steps) - 1] = law.end
    low, steps = np.minimum(begin, ends), {}
    for number, passage in enumerate(chain.passages):
        own = np.flatnonzero(chain.owner[segment] == number)
        steps[passage.rod.name] = own[np.argsort(low[own])]
    return Dense(
        length=chain.length,
        wrench_unit=chain.wrench_unit,
        law=law,
        strands=strands._replace(unknown=known),
        segment=segment,
        begin=begin,
        low=low,
        pose=shot.pose[used],
        wrench=shot.wrench[used],
        steps=steps,
    )


def _fibres(model: Model, dense: Dense) -> Iterator[tuple[Rod, Array]]:
    """Each rod with the largest strains of its fibres at the nodes, over what these bear, (6,)."""
    for name, place in model.places.items():
        s = model.parts[place.part].group.node_lengths(place.index)
        change = (dense.at(name, s)[1] - place.rod.rest_strain(s)) * fibre_factors(place.rod, s)
        yield place.rod, change[np.abs(change).argmax(axis=0), np.arange(6)]


def _evaluation(chain: Chain, inputs: Inputs, outcome: Outcome[Seams], dense: Dense) -> Evaluation:
    """What there is to know of the nodes, tendons and energies of a solution."""
    model, (loaded, shot) = chain.model, (outcome.report.loaded, outcome.report.shot)
    tension, joule = outcome.point.tension, float(chain.wrench_unit[0])
    values, conjugate = inputs.values.copy(), model.constant.copy()
    values[model.tendons.source[loaded.drive.unknown]] = tension * chain.wrench_unit[3]
    conjugate[model.tendons.source] += shot.length.sum(axis=0) * chain.length
    given = Given(values, values, conjugate)
    nodes, forces = _nodes(model, dense, given)
    energy, dead = (shot.energy.sum(axis=0) * joule).tolist()
    potential = energy + dead + joule * loaded.drive.energy(tension)
    potential += sum(term.energy(nodes, given) for term in model.terms)
    potential += float(inputs.values @ conjugate)
    potential -= float(model.layout.origin @ model.dead_force(inputs.values))
    return Evaluation(
        nodes=frozen(nodes),
        node_forces=frozen(forces),
        values=frozen(values),
        conjugate=frozen(conjugate),
        energy=energy,
        potential=potential if loaded.conservative else None,
        turns=(),
    )


def _nodes(model: Model, dense: Dense, given: Given) -> tuple[Pose, Wrench]:
    """Poses of the model's nodes, and what acts on them: rods and loads at the ends of rods.

    Rods do -Σ to the node at their base and Σ to that at their tip; in between all is in balance.
    """
    nodes = np.tile(np.eye(4), (model.layout.n_nodes, 1, 1))
    nodes[-1] = model.layout.offset[-1]  # the world
    forces, loads = np.zeros((2, len(nodes), 6))
    ends, stress = [], []
    for name, place in model.places.items():
        own, s = model.rod_nodes(place), model.parts[place.part].group.node_lengths(place.index)
        nodes[own] = dense.at(name, s)[0]
        begin, end = dense.total_stress(name, s[[0, -1]])
        ends += [own.start, own.stop - 1]
        stress += [-begin, end]
    for term in model.terms:  # loads are linear in the given values, and bring no unknowns
        term.add_slope(nodes, np.zeros(0), given, given.values, NodeForces.of(term, loads))
    forces[ends] = stress + loads[ends]
    return nodes, forces


def _state(model: Model, inputs: Inputs, evaluation: Evaluation) -> State:
    """The state of the model that has its nodes there; rods carry nothing yet."""
    layout = model.layout_at(inputs)
    free = layout.coordinate >= 0
    poses, numbers = np.empty((layout.n_coordinates, 4, 4)), np.zeros(layout.n_dof)
    poses[layout.coordinate[free]] = evaluation.nodes[free] @ se3.inverse(layout.offset[free])
    for part in model.parts:
        layout.add_inner(part.nodes, part.rest_inner, numbers)
    multipliers: Array = evaluation.values[model.inputs.multipliers]
    return State(frozen(poses), frozen(numbers), frozen(multipliers))
