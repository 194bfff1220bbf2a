"""Frames, and the plates that hold them on the world."""

from collections.abc import Iterable, Iterator

import numpy as np

from flexura.result.static import StaticResult
from flexura.robot import FrameLike, Nodes, On, PointLoad, Pulley, Weld, World
from flexura.view.primitive import Axes, Surface
from flexura.view.rod import disc, half_widths
from flexura.view.tendon import reach

# Sizes relative to the extent of the robot.
AXES = 0.045
WORLD_AXES = 0.07
PLATE_RADIUS = 0.03
PLATE_THICKNESS = 0.012
APART = 1.5  # frames nearer to each other than this, by the size of their axes, are drawn once
CROWD = 10  # more frames than this are too many: ends of rods are left out


def half_widths_at(result: StaticResult, frame: FrameLike) -> tuple[float, float]:
    """Half of the smaller and of the larger width of the rod at a frame, zero without one [m]."""
    place = _place(result, frame)
    if place is None:
        return 0.0, 0.0
    rod, s = place
    outermost = {own.name: own.tubes[-1] for own in result.model.robot.tubes}
    if rod in outermost:  # of a set, as thick as where it begins
        small, large = sorted(half_widths(outermost[rod].section_at(0.0)))
    else:
        small, large = sorted(half_widths(result.model.robot.rod(rod).section_at(s)))
    return small, large


def frame_axes(result: StaticResult, extent: float) -> list[Axes]:
    """Axes of the world, of bodies, of what loads refer to and of the ends of the rods.

    The world is left out if its origin is far away, ends of rods without loads if there are many.
    """
    robot = result.model.robot
    loads = (x.at for x in robot.loads if isinstance(x, PointLoad | Pulley))
    loaded = [x for x in loads if not isinstance(x, On | Nodes)]
    important = [*(body.name for body in robot.bodies), *loaded]
    axes = apart(_axes(result, [*important, *_frames(result)], extent))
    return axes if len(axes) <= CROWD else apart(_axes(result, important, extent))


def apart(axes: Iterable[Axes]) -> list[Axes]:
    """Axes without those that would be drawn over earlier ones."""
    found: list[Axes] = []
    for one in axes:
        gaps = (np.linalg.norm(one.pose[:3, 3] - other.pose[:3, 3]) for other in found)
        if all(gap >= APART * one.size for gap in gaps):
            found.append(one)
    return found


def plates(result: StaticResult, extent: float) -> list[Surface]:
    """A plate behind every end of a rod that is welded to the world, and around such points."""
    robot = result.model.robot
    world, *_ = robot.graph.groups
    thickness = PLATE_THICKNESS * extent
    spans = {
        "base": (-thickness, 0.0),
        "tip": (0.0, thickness),
        None: (-0.5 * thickness, 0.5 * thickness),
    }
    found = []
    for anchor in world.frames:
        place = _place(result, anchor.frame)
        links = [step.link for step in world.path(anchor)]
        held = all(isinstance(x.joint, Weld) and not x.a.is_body and not x.b.is_body for x in links)
        if place is not None and held:
            rod = 1.7 * half_widths_at(result, anchor.frame)[1]
            radius = max(rod, PLATE_RADIUS * extent, 1.3 * reach(robot, *place))
            pose = result.pose(anchor.frame)
            found.append(disc(str(anchor), pose, radius, *spans[anchor.end]))
    return found


def _frames(result: StaticResult) -> list[FrameLike]:
    """The ends of the rods, bodies, and what joints hold."""
    anchors = result.model.robot.graph.group_of
    return [anchor.frame for anchor in anchors if not anchor.is_world]


def _axes(result: StaticResult, frames: Iterable[FrameLike], extent: float) -> Iterator[Axes]:
    """Axes of the world and of frames."""
    if _near_world(result, extent):
        yield Axes(World, np.eye(4), WORLD_AXES * extent)
    for frame in frames:
        size = max(AXES * extent, 1.8 * half_widths_at(result, frame)[1])
        yield Axes(str(frame), result.pose(frame), size)


def _near_world(result: StaticResult, extent: float) -> bool:
    """Whether the origin of the world is so near that it fits into a picture of the robot."""
    places = [result.pose(frame)[None, :3, 3] for frame in _frames(result)]
    places += [result.points(volume.name) for volume in result.model.robot.volumes]
    return bool(np.linalg.norm(np.concatenate(places), axis=1).min() < extent)


def _place(result: StaticResult, frame: FrameLike) -> tuple[str, float] | None:
    """Rod and arc length of a frame [m]; None if it is none of a rod."""
    anchor, _ = result.model.robot.graph.anchor_of(frame)
    if anchor.end == "tip":
        return anchor.part, result.model.robot.graph.rods[anchor.part].length
    return (anchor.part, anchor.s or 0.0) if anchor.on_rod else None
