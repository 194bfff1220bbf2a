"""First guess for a limp rod that one end holds, and that loads pull at.

What pulls at it from there on, T(s), is known: the load beyond s, and a force at the free end. It
points along that everywhere, which is a catenary, but near an end whose direction is another one.
"""

from dataclasses import replace

import numpy as np

from flexura.lie import so3
from flexura.robot.bending import bending
from flexura.robot.elastic import Elastic
from flexura.rods.catenary import STRAIGHT, Catenary
from flexura.rods.clamp_layer import ClampLayer
from flexura.rods.cord import OPEN, SHARPEST, Cord, aimed, some_across
from flexura.rods.shape import PLACES, WEIGHT
from flexura.typing import Matrix, Pose, Vector

# T L² / EI, what tension does to a rod over what its stiffness does, of something limp.
TAUT = 100.0
# Parts of the mean tension by which a cord may be pulled more, to turn less sharply.
MORE = (0.0, *np.geomspace(1e-6, 1e3, 28).tolist())
# A tension across the load that is no more than that of so much of the length is none.
NARROW = 1e-12
# A pull of so many times the load makes a line: of a lighter load, it is this many times that.
LINE = 0.1 * STRAIGHT


def is_limp(rod: Elastic, pull: Vector) -> bool:
    """Whether a rod that a force [N] pulls at follows it."""
    return float(np.linalg.norm(pull)) * rod.length**2 > TAUT * bending(rod).most


def dangling(
    rod: Elastic,
    held: Pose,
    from_base: bool,
    load: Vector,
    force: Vector,
    stretches: bool,
    sharpest: float,
    end: Matrix | None = None,
) -> tuple[Pose, Cord]:
    """A frame, and the shape of the rod in it.

    Args:
        rod: what dangles; it is limp.
        held: pose of the end that is held.
        from_base: whether that is its base.
        load: on each meter, in world axes [N/m].
        force: at its free end, in world axes [N].
        stretches: whether it does.
        sharpest: the least length within which it may turn [m].
        end: rotation of its free end, if something else holds that.
    """
    length, sense = rod.length, 1.0 if from_base else -1.0
    give = float(WEIGHT @ (1.0 / rod.stiffness(length * PLACES)[:, 3])) if stretches else 0.0
    whole, mean = force + length * load, force + 0.5 * length * load
    least = float(np.linalg.norm(mean)) / (LINE * length)
    if float(np.linalg.norm(load)) < least:
        load = least * mean / float(np.linalg.norm(mean))
        whole = mean + 0.5 * length * load
    pull = whole if from_base else length * load - whole
    cord = _line(rod, pull, sense * mean, load, give, sharpest)
    return _hung(cord, held, (0.0, length) if from_base else (length, 0.0), sharpest, end)


def _line(
    rod: Elastic, pull: Vector, mean: Vector, load: Vector, give: float, sharpest: float
) -> Cord:
    """A cord with a given tension at its base, (3,) [N].

    Where it would turn more sharply than its stiffness lets it, as it does at an end that hardly
    anything pulls at, it is pulled more all along, in the direction of its mean tension.
    """
    size, length = float(np.linalg.norm(load)), rod.length
    up = -load / max(size, 1e-300)
    bend = (bending(rod).least / max(size, 1e-300)) ** (1.0 / 3.0)
    for more in MORE:
        drawn = pull + more * mean
        lowest = -float(up @ drawn) / size
        across = drawn - (up @ drawn) * up
        a = max(float(np.linalg.norm(across)) / size, NARROW * length)
        away = max(-lowest, lowest - length, 0.0)
        if (a**2 + away**2) / a >= max(sharpest, SHARPEST * length, OPEN * bend):
            break
    beside = float(np.linalg.norm(across))
    across = across / beside if beside > NARROW * length * size else some_across(up)
    line = Catenary(a, lowest, give * size)
    return Cord(rod, size, across, up, line, np.zeros(3), np.eye(3))


def _hung(
    cord: Cord, held: Pose, ends: tuple[float, float], sharpest: float, end: Matrix | None
) -> tuple[Pose, Cord]:
    """A cord, hung up by the first of its ends, where it turns at once, as at the other one."""
    begin, far = cord.sections(np.array(ends))  # of the identity at its base
    first, twist = begin.T @ aimed(held[:3, :3], cord.direction(ends[0])), 0.0
    layers = [_turning(cord, ends[0], held[:3, :3], sharpest)]
    if end is not None:
        over = so3.log((far @ first).T @ aimed(end, cord.direction(ends[1])))[0]
        twist = float(over) / (ends[1] - ends[0])
        layers.append(_turning(cord, ends[1], end, sharpest))
    frame = first @ so3.exp(np.array([-twist * ends[0], 0.0, 0.0]))
    cord = replace(cord, frame=frame, twist=twist, layers=tuple(layers))
    origin = np.eye(4)
    origin[:3, 3] = held[:3, 3] - cord.poses(np.array(ends[:1]))[0, :3, 3]
    return origin, cord


def _turning(cord: Cord, s: float, held: Matrix, sharpest: float) -> ClampLayer:
    """How a cord turns at one of its ends from axes that something holds."""
    tangent, tension = cord.direction(s), float(cord.line.tension(np.array(s)))
    stretch = 1.0 + cord.line.give * tension
    stiff = float(cord.rod.stiffness(s)[1:3].mean())
    decay = np.sqrt(stiff / (stretch * cord.load * tension)) if tension > 0.0 else cord.rod.length
    turn = so3.log(aimed(held, tangent) @ held.T)
    sense = 1.0 if s == 0.0 else -1.0
    return ClampLayer(s, sense, turn, tangent, max(sharpest, float(decay)), stretch)
