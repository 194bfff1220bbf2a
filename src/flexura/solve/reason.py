"""Why no equilibrium was found."""

import numpy as np
from numpy.typing import NDArray

from flexura.model.assemble import Assembly
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.model.part import Place
from flexura.result.squeezed import squeezed
from flexura.result.status import Status
from flexura.robot import Slider, Weld
from flexura.solve.free_motion import driven
from flexura.solve.remarks import GAP, joint_gaps
from flexura.typing import Array

# Where elements turn by this much of what they can tell, that may be why no equilibrium is found.
TOO_COARSE = 0.7
# A rod that cannot stretch is too short by more than this part of its length.
LONGER = 1e-9
# Parts of a robot that are further apart than this, relative to its rods, are hardly meant to be.
FAR = 2.0


def reason(
    assembly: Assembly, end: Inputs, singular: bool, exhausted: bool, closes: bool
) -> Status:
    """The most telling reason first.

    Args:
        assembly: evaluated at the best state that was found.
        end: the inputs that were wanted.
        singular: whether the last tangent was.
        exhausted: whether the iterations ran out.
        closes: whether it is known that joints can be closed, though they are not there.
    """
    model = assembly.model
    held = _held_rods(model, end)
    if too_far_apart(model, end):
        return Status.APART
    if any(constraint.impossible(end.values) for constraint in model.constraints):
        return Status.PULLED
    if is_far(model, end):
        return Status.FAR
    if squeezed(model, assembly.nodes, assembly.state.numbers):
        return Status.SQUEEZED
    if exhausted:
        return Status.EXHAUSTED
    gapes = len(model.joints.nodes) and joint_gaps(model, assembly.nodes).max() > GAP
    if gapes and not closes:
        return Status.OPEN
    if max(assembly.turns(assembly.lost_turns()), default=0.0) > TOO_COARSE:
        return Status.COARSE
    if any(constraint.driven(end.values) for constraint in model.constraints):
        return Status.PULLED
    if any(not _free(model, place).all() for place, _ in held):
        return Status.SWITCHED_OFF
    if driven(assembly, end):
        return Status.UNHELD
    return Status.SINGULAR if singular else Status.LIMIT


def too_far_apart(model: Model, end: Inputs) -> bool:
    """Whether a rod that cannot stretch is held with its ends further apart than it is long."""
    if all(part.group.free[3] for part in model.parts):
        return False
    held = _held_rods(model, end)
    return any(apart > 1.0 + LONGER for place, apart in held if not _free(model, place)[3])


def is_far(model: Model, end: Inputs) -> bool:
    """Whether parts are further apart than rods could follow."""
    return any(apart > FAR for _, apart in _held_rods(model, end)) or _moved_far(model, end)


def stretching_forces(model: Model, end: Inputs) -> Array:
    """What it takes to stretch each rod to the distance of its ends, if these are fixed [N]."""
    found = {
        (place.part, place.index): (apart - 1.0)
        * float(place.rod.stiffness(0.5 * place.rod.length)[3])
        for place, apart in _held_rods(model, end)
    }
    places = ((place.part, place.index) for place in model.places.values())
    return np.array([max(0.0, found.get(place, 0.0)) for place in places])


def _free(model: Model, place: Place) -> NDArray[np.bool_]:
    """Which strain components of a rod can change."""
    return model.parts[place.part].group.free


def _moved_far(model: Model, end: Inputs) -> bool:
    """Whether an input takes a slider or a weld further than rods could follow."""
    reach = FAR * sum(rod.length for rod in model.robot.slender)
    reach += FAR * sum(volume.mesh.size for volume in model.robot.volumes)
    begin = model.inputs.described
    moved = [m for m in model.movers if isinstance(m.joint, Slider | Weld)]
    ways = ((m.motion(end) - m.motion(begin))[:3, 3] for m in moved)
    return any(float(np.linalg.norm(way)) > reach for way in ways)


def _held_rods(model: Model, inputs: Inputs) -> list[tuple[Place, float]]:
    """Rods with both ends fixed: where they are, and their ends' distance/length."""
    layout, found = model.layout_at(inputs), []
    for place in model.places.values():
        own = model.rod_nodes(place)
        first, last = own.start, own.stop - 1
        if layout.coordinate[first] < 0 and layout.coordinate[last] < 0 and not layout.loose[last]:
            apart = np.linalg.norm(layout.offset[last, :3, 3] - layout.offset[first, :3, 3])
            found.append((place, float(apart) / place.rod.length))
    return found
