"""A step in time: an equilibrium with inertia, from a flow to the next."""

from dataclasses import dataclass

from flexura.model.assemble import Assembly
from flexura.model.evaluation import Ahead, Evaluation
from flexura.model.inputs import Inputs
from flexura.model.motion.flow import Flow, Tracks
from flexura.model.step import Linearised
from flexura.solve.equilibrium import (
    Equilibrium,
    ForceBalance,
    Iterate,
    Report,
    factorised,
    step_by,
)
from flexura.solve.motion.integrators import Scheme
from flexura.solve.newton import Outcome, StepControl, newton
from flexura.typing import frozen

# Iterations of one step; one that needs more is too long.
MOST = 20


class Step(Equilibrium):
    """The end of a step in time; a ``Problem``."""

    def __init__(self, assembly: Assembly, inputs: Inputs) -> None:
        super().__init__(assembly, inputs, newton_step)

    def report(self, converged: bool) -> Report:
        """What results keep: stability is none of a motion."""
        return Report(None, False, self.assembly.evaluation())


def newton_step(problem: Equilibrium) -> Linearised | None:
    """Newton's step; with inertia, no motion is without resistance."""
    return step_by(problem.assembly, factorised(problem.assembly))


@dataclass(frozen=True, eq=False)
class Moved:
    """Where a step led.

    Attributes:
        flow: at its end.
        evaluation: what results keep.
        outcome: of Newton's method.
    """

    flow: Flow
    evaluation: Evaluation
    outcome: Outcome[Iterate]


def take_step(
    tracks: Tracks,
    assembly: Assembly,
    flow: Flow,
    before: Evaluation,
    scheme: Scheme,
    h: float,
    inputs: Inputs,
) -> Moved | None:
    """A step in time; None if its end is not found.

    Args:
        tracks: of the model.
        assembly: work space.
        flow: where it begins.
        before: the evaluation there.
        scheme: how rates belong together over the step.
        h: its length [s].
        inputs: at its end.
    """
    carried = scheme.carry[:2] @ flow.rates
    pace, push, _ = scheme.gain.tolist()
    assembly.move_from(tracks.past(flow, pace, push, carried))
    dq = tracks.increments(h * flow.rates[0] + (0.5 * h * h) * flow.rates[2])
    layout = assembly.model.layout_at(inputs)
    state = layout.retract(flow.state, dq, 0.0 * flow.state.multipliers)
    start = Iterate(state, Ahead(inputs, before.strains, lost=before.lost))
    problem = Step(assembly, inputs)
    outcome = newton(problem, start, ForceBalance(assembly), StepControl(), MOST)
    if not outcome.converged:
        return None
    places = tracks.read(assembly)
    rates = scheme.end(flow.rates, tracks.displacement(flow.places, places))
    moved = Flow(outcome.point.state, *places, frozen(rates))
    return Moved(moved, outcome.report.evaluation, outcome)
