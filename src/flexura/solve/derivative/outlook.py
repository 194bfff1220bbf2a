"""What derivatives are taken of: frames, tendons, energies, reactions, any function of a result.

Along increments of the unknowns and inputs, twists of frames, lengths of tendons and tensions that
follow from lengths are known exactly. Everything else is asked of results a little further along
the exact direction, with differences of fourth order.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from flexura.errors import ModelError, UnknownName, show
from flexura.lie import se3
from flexura.model.assemble import Assembly
from flexura.model.covector import Covectors, length_covector
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.model.state import State
from flexura.result.static import StaticResult
from flexura.robot import AnyFrame, At, Nodes, On
from flexura.robot.tubes import check_no_set
from flexura.robot.volume_check import check_no_volume
from flexura.solve.derivative.course import course
from flexura.solve.derivative.response import Response
from flexura.solve.derivative.stencil import CENTRAL
from flexura.solve.derivative.tangent import Directions
from flexura.solve.derivative.variation import Variation, inputs_beside
from flexura.typing import Array, Matrix, real_numbers

Answer = Callable[[StaticResult], Array]


@dataclass(frozen=True, eq=False)
class Outlook:
    """A quantity whose derivatives are asked for.

    Attributes:
        answer: its value for a result.
        rows: its exact rows, if there are any; else None.
        tendon: the one whose tension it is, if it is one; else None.
    """

    answer: Answer
    rows: Covectors | None = None
    tendon: int | None = None

    def by_inputs(self, response: Response, names: Sequence[str]) -> Matrix:
        """What it does with each number of inputs, shape of the answer + (m,)."""
        if self.rows is None:
            return self.along(response, response.by_inputs(names))
        found = response.moved(self.rows, names)
        return found if len(found) > 1 else np.asarray(found[0])

    def along(self, response: Response, directions: Directions) -> Matrix:
        """What it does along directions, shape of the answer + (m,)."""
        if self.rows is not None:
            found = directions.moved(self.rows)
            return found if len(found) > 1 else np.asarray(found[0])
        if self.tendon is not None:
            return directions.tension(response.result.model, self.tendon)
        count = directions.motion.shape[1]
        each = [self._along_one(response, directions, i) for i in range(count)]
        if not each:
            return np.zeros((*self.answer(response.result).shape, 0))
        return np.stack(each, axis=-1)

    def _along_one(self, response: Response, directions: Directions, i: int) -> Array:
        """What it does along one direction, by differences."""
        way = course(response, directions, i)

        def answer(fraction: float) -> Array:
            return self.answer(nearby(response.result, *way.at(fraction)))

        return CENTRAL.of(answer, way.h)

    def beside(self, result: StaticResult, variation: Variation) -> Array:
        """What a number of a parameter does to it directly, at fixed unknowns."""
        values = []
        for model in variation.models:
            given = inputs_beside(model, result.given, result.model)
            values.append(self.answer(nearby(result, result.state, given, model)))
        return variation.stencil.slope(values, variation.step)


def nearby(
    result: StaticResult, state: State, given: Inputs, model: Model | None = None
) -> StaticResult:
    """A result in a state that is near its own, which answers all questions."""
    assembly = Assembly(model or result.model)
    assembly.evaluate_residual(state, given)
    return replace(
        result, model=assembly.model, state=state, given=given, evaluation=assembly.evaluation()
    )


def outlook(response: Response, of: object) -> Outlook:
    """The quantity that is meant.

    Args:
        response: of the equilibrium.
        of: a frame (name, ``At``, ``On`` or ``Nodes``), "left.length", "left.tension",
            "knee.reaction", "motor.torque", "knee.coordinate", "energy", "potential", or a function
            of a result.
    """
    result, model = response.result, response.result.model
    if callable(of):
        return Outlook(_function(result, of))
    if isinstance(of, At | On | Nodes) or (isinstance(of, str) and of in model.frames):
        return Outlook(_twist(result, of), rows=response.twist(of))
    choices = _choices(model)
    if not isinstance(of, str) or of not in choices:
        check_no_set("quantity", of, model.robot.tubes)
        check_no_volume("quantity", of, model.volumes)
        hint = f"{of}.tip" if isinstance(of, str) and of in model.places else None
        raise UnknownName("quantity", of, [*model.frames, *choices], hint)
    name, what = choices[of]
    if what == "length":
        row = length_covector(response.assembly, model.tendons.names.index(name))
        return Outlook(lambda x: np.array(x.tendon_length(name)), rows=row)
    if what == "tension":
        tendon = model.tendons.names.index(name)
        return Outlook(lambda x: np.array(x.tension(name)), tendon=tendon)
    if what == "potential" and result.potential is None:
        raise ModelError("the loads of this result have no potential, so it has no derivative")
    if not name:
        return Outlook(lambda x: np.array(getattr(x, what)))
    return Outlook(lambda x: np.array(getattr(x, what)(name)))


def _choices(model: Model) -> dict[str, tuple[str, str]]:
    """What can be asked for by name: the name of what has it, and what it is."""
    found = {what: ("", what) for what in ("energy", "potential")}
    for name in model.tendons.names:
        found |= {f"{name}.{what}": (name, what) for what in ("length", "tension")}
    kinds = (("reaction", model.reacting), ("torque", model.driven), ("coordinate", model.guided))
    for what, names in kinds:
        found |= {f"{name}.{what}": (name, what) for name in names}
    return found


def _twist(result: StaticResult, frame: AnyFrame) -> Answer:
    """Twist of a frame from where it is, in its own axes."""
    home = se3.inverse(result.pose(frame))
    return lambda x: np.asarray(se3.log(home @ x.pose(frame)))


def _function(result: StaticResult, of: Callable[[StaticResult], object]) -> Answer:
    """A function of the user, whose values are numbers."""

    def answer(x: StaticResult) -> Array:
        value = of(x)
        try:
            return real_numbers(value)  # type: ignore[arg-type]
        except (TypeError, ValueError) as error:
            raise ModelError(
                f"sensitivity takes a function of a result that returns numbers, got {show(value)}"
            ) from error

    answer(result)
    return answer
