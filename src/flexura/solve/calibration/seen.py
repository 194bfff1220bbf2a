"""Whether observations belong to a robot."""

from collections.abc import Sequence

from flexura.errors import ModelError, known, show
from flexura.model.frame import find_frame
from flexura.model.model import Model
from flexura.robot.observation import Observation


def check_observations(who: str, observations: object, model: Model) -> tuple[Observation, ...]:
    """The observations, each of this robot.

    Raises:
        ModelError: for none at all, or for one that does not fit, with its number.
    """
    if not isinstance(observations, Sequence) or not observations:
        raise ModelError(
            f"{who} takes a list of at least one Observation(inputs, positions=...), got "
            f"{show(observations)}"
        )
    for i, seen in enumerate(observations):
        if not isinstance(seen, Observation):
            raise ModelError(
                f"{who}: observation {i} must be an Observation(inputs, positions=...), got "
                f"{show(seen)}"
            )
        try:
            _check(seen, model)
        except ModelError as error:
            raise ModelError(f"{who}: observation {i}: {error}") from error
    return tuple(observations)


def _check(seen: Observation, model: Model) -> None:
    """Raise unless the robot has all that was measured."""
    model.read_inputs(seen.inputs)
    for frame in (*seen.positions, *seen.poses):
        find_frame(model, frame)
    for name in (*seen.lengths, *seen.tensions):
        known("tendon", name, model.tendons.names)
