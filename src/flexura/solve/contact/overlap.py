"""Parts that begin inside each other."""

import numpy as np

from flexura.contact.distance_kernels import VESSEL
from flexura.errors import ModelError
from flexura.model.assemble import Assembly
from flexura.model.contact import Contacts
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
    _check_fits(own, c, touch.lengths(c))
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


def _check_fits(own: Contacts, c: int, lengths: tuple[float | None, float | None]) -> None:
    """Raise if what is inside the wall of a vessel is thicker than that: it begins apart nowhere.

    Args:
        own: all pairs.
        c: the one that is deepest.
        lengths: arc lengths of both sides [m], None of what is no rod.
    """
    if c >= len(own.solid) or own.solids.kind[own.solid[c]] != VESSEL:
        return
    thick, wide = float(own.radius[c]), float(own.solids.size[own.solid[c], 0])
    if thick < wide:
        return
    names = own.names[own.contact[c]]
    name, vessel = names[::-1] if own.swapped[c] else names
    s = next((x for x in lengths if x is not None), None)
    at = "" if s is None else f" at s = {s:.4g} m"
    raise ModelError(
        f"{name!r} is thicker than {vessel!r}, which it cannot be in: it has a radius of "
        f"{thick:.4g} m{at}, the vessel one of {wide:.4g} m; take a wider Vessel, or a thinner part"
    )
