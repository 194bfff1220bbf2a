"""Parts that begin inside each other."""

import numpy as np

from flexura.contact.distance_kernels import VESSEL
from flexura.errors import ModelError
from flexura.model.assemble import Assembly
from flexura.model.contact import Contacts
from flexura.model.inputs import Inputs
from flexura.model.state import State
from flexura.typing import Array

# Parts may begin this deep in each other, relative to the length of the robot: rounding, and a bit.
DEEPEST = 1e-6


def are_apart(assembly: Assembly, state: State, inputs: Inputs) -> bool:
    """Whether no parts that may touch are inside each other."""
    assembly.place(state, inputs)
    touch = assembly.touch
    if touch is None or not touch.contacts.count:
        return True
    assembly.look(beyond=np.inf)
    return bool((touch.gap >= -_allowed(assembly, touch.contacts)).all())


def _allowed(assembly: Assembly, contacts: Contacts) -> Array:
    """How deep each pair may begin [m], (n,).

    Bows tell a gap that is smaller by σ/8 in their middle: rods that just touch there are apart.
    """
    found = np.full(contacts.count, DEEPEST * assembly.model.length)
    found[: len(contacts.soft)] += np.where(contacts.end >= 0, 0.125 * contacts.soft, 0.0)
    return found


def check_apart(assembly: Assembly, state: State, inputs: Inputs) -> None:
    """Raise if parts that may touch are inside each other: which, where and how deep."""
    if are_apart(assembly, state, inputs):
        return
    touch = assembly.touch
    assert touch is not None
    c, own = int(np.argmin(touch.gap)), touch.contacts
    a, b = own.names[own.contact[c]]
    in_vessel = c < len(own.solid) and own.solids.kind[own.solid[c]] == VESSEL
    if in_vessel:
        _check_fits(own, c, touch.lengths(c))
    pairs = np.unique(own.contact[touch.gap < -_allowed(assembly, own)])
    others = len(pairs) - 1
    also = "so does 1 other pair" if others == 1 else f"so do {others} other pairs"
    more = f", and {also}" if others else ""
    places = zip((a, b), touch.lengths(c), strict=True)
    found = [f"s = {s:.4g} m of {name!r}" for name, s in places if s is not None]
    at = f" at {' and '.join(found)}" if found else ""
    where = ", ".join(f"{x:.4g}" for x in touch.point[c])
    if in_vessel:
        name, vessel = (b, a) if own.swapped[c] else (a, b)
        raise ModelError(
            f"{name!r} begins outside of {vessel!r}{at}, {-touch.gap[c]:.3g} m through its wall at "
            f"({where}) m{more}: begin inside of it, by place=, offsets, rest shape or inputs"
        )
    raise ModelError(
        f"{a!r} begins inside {b!r}{at}, {-touch.gap[c]:.3g} m deep at ({where}) m{more}: begin "
        "where they are apart, by place=, offsets or inputs, and move them together from there"
    )


def _check_fits(own: Contacts, c: int, lengths: tuple[float | None, float | None]) -> None:
    """Raise if what touches the wall of a vessel is thicker than that: it begins apart nowhere.

    Args:
        own: all pairs.
        c: the one that is deepest.
        lengths: arc lengths of both sides [m], None of what is no rod.
    """
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
