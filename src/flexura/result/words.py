"""What results say of themselves, in words."""

from collections.abc import Mapping, Sequence
from math import isinf, isnan

from flexura.lie import so3
from flexura.model.model import Model
from flexura.result.contact import CLOSED, Touching
from flexura.text import counted, few, in_parentheses, roughly
from flexura.typing import Array, Pose


def inputs_in_words(inputs: Mapping[str, Array]) -> str:
    """The inputs and their values; a pose as position and rotation vector."""
    return few(f"{name} = {value_in_words(value)}" for name, value in inputs.items())


def tips_in_words(model: Model, nodes: Pose) -> str:
    """Where the tips of the rods and the bodies are."""
    names = model.robot.ends
    places = (model.layout.in_world(nodes[model.frames[name]])[:3, 3] for name in names)
    return few(
        f"{name} ({', '.join(f'{x:.4g}' for x in _rounded(place, model.length))}) m"
        for name, place in zip(names, places, strict=True)
    )


def accuracy_in_words(accuracy: float, model: Model) -> str:
    """How wrong positions may be, beside the length of a robot; nothing without an equilibrium."""
    if isnan(accuracy):
        return ""
    if isinf(accuracy) and model.volumes:
        return "not known with volumes: compare with a finer mesh, or with quadratic elements"
    if isinf(accuracy):
        return "not known for this robot"
    part = 100.0 * accuracy / model.length
    return f"{accuracy:.1e} m, {roughly(part)} % of the length, by the discretization"


def contacts_in_words(model: Model, contacts: Sequence[Touching]) -> str:
    """What touches what, how hard, what of it slides, and how deep things are in each other."""
    if model.contacts is None:
        return ""
    pairs = {(x.a, x.b): [y for y in contacts if (y.a, y.b) == (x.a, x.b)] for x in contacts}
    if not pairs:
        return "nothing touches"
    found = few(f"{a} on {b} {_pressing_in_words(own)}" for (a, b), own in pairs.items())
    deepest = -min(x.gap for x in contacts)
    return found + (f", up to {deepest:.1e} m deep" if deepest > CLOSED * model.length else "")


def _pressing_in_words(places: Sequence[Touching]) -> str:
    """How hard something presses, and how much of it slides."""
    forces, sliding = [x.pressing for x in places], sum(x.sliding for x in places)
    if not any(x.friction for x in places):
        how = "without friction"
    elif len(places) == 1:
        how = "sliding" if sliding else "sticking"
    else:
        how = f"{sliding} sliding"
    each = f", up to {max(forces):.4g} N each" if len(places) > 1 else ""
    return f"at {counted(len(places), 'place')} ({sum(forces):.4g} N{each}, {how})"


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
