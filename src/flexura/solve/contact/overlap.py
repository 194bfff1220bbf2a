"""Parts that begin inside each other."""

import numpy as np

from flexura.errors import ModelError
from flexura.model.assemble import Assembly
from flexura.model.inputs import Inputs
from flexura.model.state import State

# Parts may begin this deep in each other, relative to the length of the robot: rounding, and a bit.
DEEPEST = 1e-6


def are_apart(assembly: Assembly, state: State, inputs: Inputs) -> bool:
    """Whether no parts that may touch are inside each other."""
    assembly.place(state, inputs)
    touch = assembly.touch
    if touch is None or not touch.contacts.count:
        return True
    assembly.look(beyond=np.inf)
    return bool(touch.gap.min() >= -DEEPEST * assembly.model.length)


def check_apart(assembly: Assembly, state: State, inputs: Inputs) -> None:
    """Raise if parts that may touch are inside each other: which, where and how deep."""
    if are_apart(assembly, state, inputs):
        return
    touch, allowed = assembly.touch, DEEPEST * assembly.model.length
    assert touch is not None
    c = int(np.argmin(touch.gap))
    own = touch.contacts
    a, b = own.names[own.contact[c]]
    pairs = np.unique(own.contact[touch.gap < -allowed])
    more = f", and so do {len(pairs) - 1} other pairs" if len(pairs) > 1 else ""
    places = zip((a, b), touch.lengths(c), strict=True)
    found = [f"s = {s:.4g} m of {name!r}" for name, s in places if s is not None]
    at = f" at {' and '.join(found)}" if found else ""
    where = ", ".join(f"{x:.4g}" for x in touch.point[c])
    raise ModelError(
        f"{a!r} begins inside {b!r}{at}, {-touch.gap[c]:.3g} m deep at ({where}) m{more}: begin "
        "where they are apart, by place=, offsets or inputs, and move them together from there"
    )
