"""First guess for a rod that one end holds, where it may turn, and that loads pull at.

What pulls at it from there on, T(s), is known: the load beyond s, and a force at the free end. A
limp one points along that everywhere, which is a catenary; a stiff one is straight, and turns so
that no moment is left where it is held.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from flexura.lie import se3, so3
from flexura.robot.bending import bending
from flexura.robot.elastic import Elastic
from flexura.rods.between import Geodesic, bent_at_rest
from flexura.rods.catenary import STRAIGHT, Catenary
from flexura.rods.clamp_layer import ClampLayer
from flexura.rods.cord import OPEN, SHARPEST, Cord, aimed, some_across
from flexura.rods.shape import PLACES, WEIGHT, Shape
from flexura.typing import Pose, Vector

# T L² / EI, what tension does to a rod over what its stiffness does, of something limp.
TAUT = 100.0
# Parts of the mean tension by which a cord may be pulled more, to turn less sharply.
MORE = (0.0, *np.geomspace(1e-6, 1e3, 28).tolist())
# A tension across the load that is no more than that of so much of the length is none.
NARROW = 1e-12


def dangling(
    rod: Elastic,
    aim: Callable[[Vector], Pose],
    from_base: bool,
    load: Vector,
    force: Vector,
    stretches: bool,
    sharpest: float,
) -> tuple[Pose, Shape] | None:
    """A frame, and the shape of the rod in it; None where nothing tells how it lies.

    Args:
        rod: what dangles.
        aim: pose of the end that is held, pointing in a direction, or nearly.
        from_base: whether that is its base.
        load: on each meter, in world axes [N/m].
        force: at its free end, in world axes [N].
        stretches: whether it does.
        sharpest: the least length within which it may turn [m].
    """
    length, sense = rod.length, 1.0 if from_base else -1.0
    give = float(WEIGHT @ (1.0 / rod.stiffness(length * PLACES)[:, 3])) if stretches else 0.0
    whole, mean = force + length * load, force + 0.5 * length * load
    if float(np.linalg.norm(whole)) * length**2 > TAUT * bending(rod).most:
        pull = whole if from_base else -force
        cord = _line(rod, pull, sense * mean, load, give, sharpest)
        if cord is not None:
            return _hung(cord, aim, 0.0 if from_base else length)
    size = float(np.linalg.norm(mean))
    if size == 0.0 or bent_at_rest(rod):
        return None
    held = aim(sense * mean / size)
    tension = max(0.0, sense * float(held[:3, 0] @ mean))
    twist = np.array([0.0, 0.0, 0.0, length * (1.0 + give * tension), 0.0, 0.0])
    return held if from_base else held @ se3.exp(-twist), Geodesic(rod, twist)


def _line(
    rod: Elastic, pull: Vector, mean: Vector, load: Vector, give: float, sharpest: float
) -> Cord | None:
    """A cord with a given tension at its base, (3,) [N]; None without a load beside that.

    Where it would turn more sharply than its stiffness lets it, as it does at an end that hardly
    anything pulls at, it is pulled more all along, in the direction of its mean tension.
    """
    size, length = float(np.linalg.norm(load)), rod.length
    up = -load / max(size, 1e-300)
    bend = (bending(rod).least / max(size, 1e-300)) ** (1.0 / 3.0)
    for more in MORE:
        drawn = pull + more * mean
        if not float(np.linalg.norm(drawn)) < STRAIGHT * length * size:
            return None
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


def _hung(cord: Cord, aim: Callable[[Vector], Pose], s: float) -> tuple[Pose, Shape]:
    """A cord, hung up by its end at s, where it turns at once as far as the joint does not."""
    at, tangent = np.array([s]), cord.direction(s)
    held, tension = aim(tangent), float(cord.line.tension(np.array(s)))
    frame = aimed(held[:3, :3], tangent)
    stretch = 1.0 + cord.line.give * tension
    stiff = float(cord.rod.stiffness(s)[1:3].mean())
    decay = np.sqrt(stiff / (stretch * cord.load * tension)) if tension > 0.0 else cord.rod.length
    turn = so3.log(frame @ held[:3, :3].T)
    layer = ClampLayer(s, 1.0 if s == 0.0 else -1.0, turn, tangent, float(decay), stretch)
    carried = cord.sections(at)[0]  # of the identity at its base
    cord = replace(cord, frame=carried.T @ frame, layers=(layer,))
    origin = np.eye(4)
    origin[:3, 3] = held[:3, 3] - cord.poses(at)[0, :3, 3]
    return origin, cord
