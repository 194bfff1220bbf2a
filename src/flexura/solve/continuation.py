"""Raising the load in steps, for equilibria that Newton does not reach at once."""

from dataclasses import dataclass

from flexura.model.assemble import Assembly
from flexura.model.inputs import Inputs
from flexura.model.state import State
from flexura.solve.newton import Newton, Outcome, stability
from flexura.solve.relaxation import RELAXING, Relaxation

FIRST_STEP = 0.1
SMALLEST_STEP = 1e-4
# Iterations to bring a robot with loops into equilibrium without load.
SETTLING = 30
# A step of the load may take this many iterations; fewer than EASY double the next step.
PATIENCE = 12
EASY = 6
# A step that makes a stable robot unstable has jumped to another branch, unless it is so small
# that the path itself has passed a buckling point.
JUMP_STEP = 2e-3


@dataclass(frozen=True)
class Path:
    """Where raising the load ended.

    Attributes:
        outcome: the last equilibrium on the way; where none was found, the start.
        load_factor: the part of the load that it carries.
        steps: number of load steps that were solved.
        iterations: Newton iterations over all steps, failed ones included.
        singular: whether the last failure was a singular tangent.
    """

    outcome: Outcome
    load_factor: float
    steps: int
    iterations: int
    singular: bool


def raise_load(
    assembly: Assembly, start: State, begin: Inputs, end: Inputs, iterations: int
) -> Path:
    """Follow the equilibrium while the inputs go from ``begin`` to ``end``.

    Joints that do not fit at the start are brought together on the way.

    Args:
        assembly: work space.
        start: an equilibrium, or nearly, at ``begin``.
        begin: inputs that belong to the start.
        end: inputs to reach.
        iterations: Newton iterations to spend at most.
    """
    reached, step = 0.0, FIRST_STEP
    used = steps = 0
    singular = False
    found = Newton(assembly, begin).look(start)
    gap = assembly.joint_gap.copy()
    if not assembly.layout.open:  # the start is no more than a guess
        assembly.relief = gap
        settled = Newton(assembly, begin).run(start, SETTLING)
        used = settled.iterations
        if not settled.converged or settled.stable is False:
            settled = Relaxation(assembly, begin).run(start, RELAXING)
            used += settled.iterations
        found = settled if settled.converged else found
    was_stable = stability(assembly, begin)
    while reached < 1.0 and used < iterations:
        factor = min(1.0, reached + step)
        inputs = begin.towards(end, factor)
        assembly.relief = (1.0 - factor) * gap
        outcome = Newton(assembly, inputs).run(found.state, min(PATIENCE, iterations - used))
        used += outcome.iterations
        stable = outcome.stable
        jumped = was_stable is True and stable is False and step > JUMP_STEP
        if outcome.converged and not jumped:
            found, reached, was_stable = outcome, factor, stable
            steps += 1
            if outcome.iterations <= EASY:
                step *= 2.0
            continue
        singular = outcome.singular
        step *= 0.25
        if step < SMALLEST_STEP:
            break
    assembly.relief = (1.0 - reached) * gap
    return Path(found, reached, steps, used, singular)
