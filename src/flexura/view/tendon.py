"""Tendons with their names and tensions, and the discs that they pass."""

from collections.abc import Iterator, Sequence

import numpy as np

from flexura.result.static import StaticResult
from flexura.robot import Hole, Rectangle, Robot, Rod, Tendon
from flexura.robot.rod import ROUNDING
from flexura.typing import Array, Vector
from flexura.view.primitive import Cable, Label, Surface
from flexura.view.rod import Ring, half_widths, hull, plate
from flexura.view.style import tendon_color

WIDTH = 0.0036  # of a tendon, relative to the extent of the robot
THICKNESS = 0.006  # of a disc, likewise
RIM = 0.16  # of a disc around its holes, relative to their largest distance from the axis
CROWD = 9  # more tendons than this have no labels
SAMPLES = 9  # points of a smooth tendon, to see whether it runs inside of a rod
SAME = 1e-6  # discs closer than this are one, relative to the extent of the robot


def cables(result: StaticResult, extent: float) -> list[Cable]:
    """All tendons; those without tension are pale."""
    width = WIDTH * extent
    return [
        Cable(name, result.tendon_path(name), width, tendon_color(i, result.tension(name) > 0.0))
        for i, name in enumerate(result.model.tendons.names)
    ]


def tendon_labels(result: StaticResult, drawn: Sequence[Cable]) -> list[Label]:
    """Name and tension of each tendon near its anchor or beside it, unless there are too many.

    Args:
        result: what to look at.
        drawn: its tendons as they are drawn.
    """
    robot = result.model.robot
    if len(robot.tendons) > CROWD:
        return []
    found = []
    paths = {cable.name: cable.path for cable in drawn}
    for i, tendon in enumerate(robot.tendons):
        path = paths[tendon.name]
        away = _away(result, tendon)
        size = "slack" if result.slack(tendon.name) else f"{result.tension(tendon.name):.3g} N"
        text, color = f"{tendon.name} {size}", tendon_color(i, taut=True)
        found.append(Label(text, path[-1], away, "tendon", color, path))
    return found


def _away(result: StaticResult, tendon: Tendon) -> Vector:
    """Where there is room beside the anchor of a tendon."""
    if tendon.volume is not None:
        path = result.tendon_path(tendon.name)
        return np.asarray(path[-1] - path[-2])
    anchor = tendon.touches(result.model.robot.graph.rods)[-1]
    pose = result.pose(anchor.rod, anchor.s)
    outwards = pose[:3, :3] @ anchor.offset
    return np.asarray(outwards / (np.linalg.norm(outwards) or 1.0) + 2.0 * pose[:3, 0])


def discs(result: StaticResult, extent: float) -> list[Surface]:
    """A plate through all holes at one place of a rod, for every such place."""
    robot = result.model.robot
    rods = {rod.name: rod for rod in robot.rods}
    found: dict[tuple[str, float], list[Hole]] = {}
    for hole in (hole for tendon in robot.tendons for hole in tendon.holes(rods)):
        near = (key for key in found if _is_at(robot, hole, *key))
        found.setdefault(next(near, (hole.rod, hole.s)), []).append(hole)
    half, drawn = 0.5 * THICKNESS * extent, {}
    for (rod, s), holes in found.items():
        pose = result.pose(rod, s)
        at = tuple(np.round(pose[:3, 3] / (SAME * extent)))  # where rods meet there is one plate
        drawn[at] = plate(f"{rod}@{s:g}", pose, _outline(holes, WIDTH * extent), -half, half)
    return list(drawn.values())


def reach(robot: Robot, rod: str, s: float) -> float:
    """Largest distance from the axis of the tendons that begin, end or have a hole there [m]."""
    touches = (touch for tendon in robot.tendons for touch in tendon.touches(robot.graph.rods))
    there = [np.linalg.norm(touch.offset) for touch in touches if _is_at(robot, touch, rod, s)]
    return float(max(there, default=0.0))


def runs_inside(robot: Robot, rod: Rod) -> bool:
    """Whether a tendon runs inside of a rod, for the most part: it is hidden if the rod is not."""
    return any(_is_inside(rod, holes) for holes in _ways(robot, rod) if holes)


def _ways(robot: Robot, rod: Rod) -> Iterator[list[Hole]]:
    """For each tendon, points of it along a rod."""
    rods = robot.graph.rods
    for tendon in robot.tendons:
        holes = [hole for hole in tendon.holes(rods) if hole.rod == rod.name]
        for stretch in tendon.stretches(rods):
            if stretch.rod == rod.name:
                s = np.linspace(stretch.begin, stretch.end, SAMPLES)
                pairs = zip(s, stretch.path(s)[0], strict=True)
                holes += (Hole(rod.name, float(x), D) for x, D in pairs)
        yield holes


def _is_inside(rod: Rod, holes: list[Hole]) -> bool:
    """Whether more than half of the points lie within the outline of the section."""
    within = 0
    for hole in holes:
        section = rod.section_at(hole.s)
        sizes = np.abs(np.asarray(hole.offset)[1:]) / half_widths(section)
        within += float(sizes.max() if isinstance(section, Rectangle) else np.hypot(*sizes)) < 1.0
    return 2 * within > len(holes)


def _is_at(robot: Robot, hole: Hole, rod: str, s: float) -> bool:
    """Whether a hole is at an arc length of a rod, but for rounding."""
    return hole.rod == rod and abs(hole.s - s) <= ROUNDING * robot.rod(rod).length


def _outline(holes: list[Hole], width: float) -> Ring:
    """The outline of a disc around its holes and the rod; round if there are less than three."""
    corners: Array = np.array([np.zeros(3), *(hole.offset for hole in holes)])[:, 1:]
    radius = float(np.linalg.norm(corners, axis=1).max())
    rim = RIM * radius + width
    return hull(corners, rim) if len(holes) > 2 else hull(np.zeros((1, 2)), radius + rim)
