"""What results say of themselves, in words."""

from collections.abc import Mapping

from flexura.lie import so3
from flexura.model.model import Model
from flexura.text import few, in_parentheses
from flexura.typing import Array, Pose


def inputs_in_words(inputs: Mapping[str, Array]) -> str:
    """The inputs and their values; a pose as position and rotation vector."""
    return few(f"{name} = {value_in_words(value)}" for name, value in inputs.items())


def tips_in_words(model: Model, nodes: Pose) -> str:
    """Where the tips of the rods and the bodies are."""
    names = model.robot.ends
    places = (nodes[model.frames[name]][:3, 3] for name in names)
    return few(
        f"{name} ({', '.join(f'{x:.4g}' for x in _rounded(place, model.length))}) m"
        for name, place in zip(names, places, strict=True)
    )


def value_in_words(value: Array) -> str:
    """A number, several, or a pose."""
    if value.shape != (4, 4):
        return in_parentheses(value.ravel())
    return f"{in_parentheses(value[:3, 3], 1.0)} m turned by {_turn(value)} rad"


def _turn(pose: Pose) -> str:
    return in_parentheses(so3.log(pose[:3, :3]), 1.0)


def _rounded(place: Array, length: float) -> Array:
    """A place without what is rounding beside a length."""
    return place * (abs(place) > 1e-12 * length)
