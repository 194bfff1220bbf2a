"""Derivatives of answers of an equilibrium by inputs and by parameters of the description."""

from collections.abc import Callable, Sequence

import numpy as np

from flexura.errors import ModelError, show
from flexura.result.static import StaticResult
from flexura.robot import AnyFrame
from flexura.robot.parameter import parameter
from flexura.solve.at_rest import check_untouched
from flexura.solve.derivative.outlook import Outlook, outlook
from flexura.solve.derivative.response import Response
from flexura.solve.derivative.variation import by_parameter, variations
from flexura.typing import Array, Matrix


def sensitivity(
    result: StaticResult,
    of: AnyFrame | Callable[[StaticResult], object],
    by: str | Sequence[str],
) -> Array:
    """How an answer of an equilibrium changes with inputs and parameters, to the next equilibrium.

        df/dp = ∂f/∂p + ∂f/∂q dq/dp,        K dq/dp = -∂r/∂p                     (theory 15.2)

    By inputs, dq is exact, by one solve for each of their numbers or for each number of the answer,
    whichever are fewer; and so are twists of frames, lengths of tendons and tensions that
    follow from lengths. By parameters, ∂r/∂p is a difference of residuals of models that are built
    anew, at fixed unknowns; other answers are differences along the exact direction. All of these
    are of fourth order and good for nine digits or more.

    Args:
        result: an equilibrium.
        of: a frame, whose body twist is meant; "left.length" or "left.tension" of a tendon;
            "clamp.reaction", "motor.torque", "knee.coordinate" of joints; "energy", "potential"; or
            any function of a result that returns numbers, such as
            ``lambda result: result.strain("arm", 0.1)``.
        by: an input, or a parameter by its path, such as "arm.material.young", "arm.section.radius"
            "left.routing.y", "arm.rest"; or a list of them.

    Returns:
        Shape of the answer + (m,), m numbers of all inputs and parameters in their order; a pose
        counts with the six numbers of its body twist. For one input or parameter that is a single
        number, and no list, without the last axis.

    Raises:
        ModelError: for a result that is no equilibrium, one where nothing resists a motion, or a
            parameter that is no number.
        UnknownName: for frames, inputs and parameters that the robot has not.
    """
    if not isinstance(result, StaticResult):
        raise ModelError(f"sensitivity takes the result of statics, got {type(result).__name__}")
    check_untouched("sensitivity", result.model)
    response = Response("sensitivity", result)
    answer = outlook(response, of)
    if isinstance(by, str):
        found, scalar = _by(response, answer, by)
        return np.asarray(found[..., 0]) if scalar else found
    if not isinstance(by, Sequence):
        raise ModelError(
            f"sensitivity takes a list of inputs and paths of parameters, got by={show(by)}"
        )
    return _by_all(response, answer, by)


def _by_all(response: Response, answer: Outlook, names: Sequence[str]) -> Matrix:
    """Derivatives by inputs and parameters: by all inputs at once."""
    table = response.result.model.inputs
    driven = [x for x in dict.fromkeys(filter(_is_name, names)) if x in table]
    found, columns, begin = answer.by_inputs(response, driven), dict[str, Matrix](), 0
    for name in driven:
        size = len(table[name].directions)
        columns[name] = found[..., begin : begin + size]
        begin += size
    own = [
        columns[x] if _is_name(x) and x in columns else _by(response, answer, x)[0] for x in names
    ]
    return np.concatenate([found[..., :0], *own], axis=-1)


def _by(response: Response, answer: Outlook, name: str) -> tuple[Matrix, bool]:
    """Derivative by an input or a parameter, and whether that is a single number."""
    model = response.result.model
    if isinstance(name, str) and name in model.inputs:
        return answer.by_inputs(response, [name]), not model.inputs[name].shape
    result = response.result
    own = parameter(model.robot, name)
    around = variations(model, own, result.state, result.given)
    direct = np.stack([answer.beside(result, one) for one in around], axis=-1)
    return answer.along(response, by_parameter(response, around)) + direct, not own.value.shape


def _is_name(name: object) -> bool:
    return isinstance(name, str)
