"""How points inside rods move along directions: differences of fourth order, all points at once.

There are far fewer directions than unknowns that a point depends on.
"""

from collections.abc import Sequence

import numpy as np

from flexura.lie import se3
from flexura.model.assemble import Assembly
from flexura.robot import At
from flexura.solve.derivative.course import Course, course
from flexura.solve.derivative.response import Directions, Response
from flexura.solve.derivative.stencil import CENTRAL
from flexura.solve.workspace import workspace
from flexura.typing import Array, Pose


def twists_inside(response: Response, directions: Directions, points: Sequence[At]) -> Array:
    """Body twists of points of rods along directions, (n_points, 6, m)."""
    count = directions.motion.shape[1]
    found = np.zeros((len(points), 6, count))
    home = se3.inverse(np.array([response.result.pose(point) for point in points]))
    with workspace(response.result.model) as beside:
        for i in range(count):
            way = course(response, directions, i)

            def twist(fraction: float, way: Course = way) -> Array:
                beside.place(*way.at(fraction))
                return np.asarray(se3.log(home @ _poses(beside, points)))

            found[:, :, i] = CENTRAL.of(twist, way.h)
    return found


def _poses(assembly: Assembly, points: Sequence[At]) -> Pose:
    """Poses of points of rods where an assembly was placed, (n_points, 4, 4)."""
    model, found = assembly.model, np.empty((len(points), 4, 4))
    for rod in {point.rod for point in points}:
        own = [k for k, point in enumerate(points) if point.rod == rod]
        place = model.places[rod]
        part = assembly.parts[place.part]
        s = np.array([place.rod.clamp(points[k].s) for k in own])
        poses = part.part.group.shape(part.nodes, part.inner, place.index, s)[0]
        found[own] = poses @ np.array([points[k].transform for k in own])
    return found
