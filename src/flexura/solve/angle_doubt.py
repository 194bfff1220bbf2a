"""Angles so large that degrees may be meant: questions, not errors."""

import math

from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.robot import Hinge, Motor

# Motors turn often, what bends hardly ever: a right angle in degrees is 14 turns.
TURNS = 10.0


def angle_doubts(model: Model, inputs: Inputs) -> list[str]:
    """A sentence on the hinge or motor that is driven furthest, if that is many turns."""
    driven = [mover for mover in model.movers if isinstance(mover.joint, Hinge | Motor)]
    if not driven:
        return []
    angles = {mover.joint.name: float(inputs.values[mover.place]) for mover in driven}
    name = max(angles, key=lambda each: abs(angles[each]))
    turns = abs(angles[name]) / math.tau
    if turns <= TURNS:
        return []
    return [
        f"input {name!r}: {angles[name]:.4g} rad is {turns:.3g} turns: is that meant? Angles are "
        "in radians"
    ]
