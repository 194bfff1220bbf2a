"""Angles so large that degrees may be meant: questions, not errors."""

import math
from dataclasses import replace

from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.result.static import StaticResult
from flexura.robot import Hinge, Motor, Weld
from flexura.text import few

# Motors turn often, what bends hardly ever: a right angle in degrees is 14 turns, and a half of one
# is 7, which hardly anybody gives by just this number of radians.
TURNS, DEGREES = 10.0, 45.0


def angle_doubts(model: Model, inputs: Inputs) -> list[str]:
    """A sentence on the hinge or motor that is driven furthest, if that is many turns."""
    driven = [mover for mover in model.movers if isinstance(mover.joint, Hinge | Motor)]
    if not driven:
        return []
    angles = {mover.joint.name: float(inputs.values[mover.place]) for mover in driven}
    name = max(angles, key=lambda each: abs(angles[each]))
    turns = abs(angles[name]) / math.tau
    degrees = math.fmod(angles[name], DEGREES) == 0.0
    if turns <= TURNS and not (turns and degrees):
        return []
    asks = "were degrees meant" if degrees else "is that meant"
    return [
        f"input {name!r}: {angles[name]:.4g} rad is {turns:.3g} turns: {asks}? Angles are in "
        "radians"
    ]


def told_what_was_asked(found: StaticResult, end: Inputs) -> StaticResult:
    """The same; where it ends on the way what joints and motors were to be, and doubts of that."""
    model, here = found.model, found.given.values
    missed = [
        f"{mover.joint.label!r} was to be {end.values[mover.place]:.6g}, and is "
        f"{here[mover.place]:.6g}"
        for mover in model.movers
        if not isinstance(mover.joint, Weld) and here[mover.place] != end.values[mover.place]
    ]
    if not missed:
        return found
    doubts = angle_doubts(model, found.given)
    others = (remark for remark in found.remarks if remark not in doubts)
    on_the_way = f"this is on the way to what was asked for: input {few(missed)}"
    return replace(found, remarks=(*angle_doubts(model, end), *others, on_the_way))
