"""Going a little along one of the ways of an equilibrium, to see what answers do there."""

from dataclasses import dataclass

import numpy as np

from flexura.model.inputs import Inputs
from flexura.model.state import State
from flexura.model.step import Linearised, linearise
from flexura.solve.derivative.response import Response
from flexura.solve.derivative.tangent import Directions
from flexura.typing import Array, Twist

# How far to go along a direction, relative to 1 rad and the length of the robot.
STEP = 1e-3


@dataclass(frozen=True, eq=False)
class Course:
    """One direction, and how far a step along it is.

    Attributes:
        step: the direction, with all that follows from it.
        given: inputs where it begins.
        change: of all inputs along it, (n_values,); zero for a parameter of the description.
        h: what is a small part of it.
    """

    step: Linearised
    given: Inputs
    change: Array
    h: float

    def at(self, fraction: float) -> tuple[State, Inputs]:
        """State and inputs after a fraction of it.

        With a parameter of the description, relative poses change besides by what the model does
        to them: poses go by their own increments then, and are not recomposed from the strains.
        """
        inputs = self.given.moved(fraction * self.change)
        if self.change.any():
            return self.step.state(fraction, inputs), inputs
        begin, step = self.step.assembly, self.step
        dq, multipliers = fraction * step.increments, fraction * step.multipliers
        return begin.layout.retract(begin.state, dq, multipliers), inputs


def course(response: Response, directions: Directions, i: int) -> Course:
    """The direction of a number."""
    drift, given = directions.drifts[i], response.result.given
    step = linearise(
        response.assembly, directions.motion[:, i], directions.multipliers[:, i], drift
    )
    size = _travel(step, drift)
    h = STEP / size if size > 0.0 else STEP * max(1.0, float(np.abs(given.values).max(initial=0.0)))
    return Course(step, given, directions.changes[:, i], h)


def _travel(step: Linearised, drift: Twist | None) -> float:
    """How far a direction leads, with what inputs move, relative to 1 rad and the length."""
    found = max(step.size, step.rotation)
    if drift is None:
        return found
    moved = np.abs(drift[:, 3:]).max() / step.assembly.model.length
    return float(max(found, np.abs(drift[:, :3]).max(), moved))
