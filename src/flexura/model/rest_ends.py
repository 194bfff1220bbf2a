"""Ends of rods that are bent at rest, turned as their rest shape has them, as far as they can."""

import numpy as np

from flexura.lie import so3
from flexura.model.end import End
from flexura.robot.bending import bending
from flexura.robot.elastic import Elastic
from flexura.rods.cord import aimed
from flexura.rods.rest import steps_along
from flexura.rods.shape import PLACES, WEIGHT
from flexura.typing import Array, Matrix, Pose, Vector

# Turns about the way between two ends that are tried.
ROLLS = 2.0 * np.pi / 16 * np.arange(16)


def ends_at_rest(
    rod: Elastic, base: End, tip: End, chord: Vector, load: Vector
) -> tuple[Pose, Pose]:
    """Poses of both ends, as near to those of the rest shape as what holds them lets.

    Where both turn, the rest shape leads from one towards the other. How it is turned about that
    way is left to joints, which turn its ends the least, and to the load, which hangs the lowest.

    Args:
        rod: its length, stiffness and rest shape.
        base: what holds its base.
        tip: what holds its tip.
        chord: direction from its base to its tip.
        load: on each meter, in world axes [N/m].
    """
    end, middle = _rest_shape(rod)
    if base.turns and tip.turns:
        along = aimed(np.eye(3), end[:3, 3]) if end[:3, 3].any() else np.eye(3)
        first = aimed(base.aim(chord)[:3, :3] @ along, chord) @ along.T
        frames = list(so3.exp(np.outer(ROLLS, chord)) @ first)
    elif tip.turns:
        frames = [base.aim(chord)[:3, :3]]
    else:
        frames = [tip.aim(chord)[:3, :3] @ end[:3, :3].T]
    found = [(frame, base.nearest(frame), tip.nearest(frame @ end[:3, :3])) for frame in frames]
    stiff = bending(rod).most / rod.length

    def energy(one: tuple[Matrix, Pose, Pose]) -> float:
        turned = _angle(one[0], one[1]) ** 2 + _angle(one[0] @ end[:3, :3], one[2]) ** 2
        return stiff * turned - rod.length * float(load @ one[0] @ middle)

    return min(found, key=energy)[1:]


def _rest_shape(rod: Elastic) -> tuple[Pose, Vector]:
    """Pose of the tip in the base, and the mean of all places [m]."""
    s = rod.length * np.concatenate([[0.0], PLACES, [1.0]])
    pose, places = np.eye(4), list[Array]()
    for step in steps_along(rod.rest_strain, s, 2):
        pose = pose @ step
        places.append(pose[:3, 3])
    return pose, np.asarray(WEIGHT @ places[:-1])


def _angle(frame: Matrix, pose: Pose) -> float:
    """Between two frames [rad]."""
    return float(np.linalg.norm(so3.log(frame.T @ pose[:3, :3])))
