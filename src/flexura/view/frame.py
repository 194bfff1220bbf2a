"""Frames, and the plates that hold them on the world."""

from collections.abc import Iterable

import numpy as np

from flexura.result.static import StaticResult
from flexura.robot import At, FrameLike, PointLoad, Pulley, Weld, World, rigid_groups
from flexura.view.primitive import Axes, Surface
from flexura.view.rod import disc, half_widths
from flexura.view.tendon import reach

# Sizes relative to the extent of the robot.
AXES = 0.045
WORLD_AXES = 0.07
PLATE_RADIUS = 0.03
PLATE_THICKNESS = 0.012
SAME = 1e-9  # frames closer than this are drawn once
CROWD = 10  # more frames than this are too many: ends of rods are left out


def half_widths_at(result: StaticResult, frame: FrameLike) -> tuple[float, float]:
    """Half of the smaller and of the larger width of the rod at a frame, zero without one [m]."""
    place = _place(result, frame)
    if place is None:
        return 0.0, 0.0
    rod, s = place
    small, large = sorted(half_widths(result.model.robot.rod(rod).section_at(s)))
    return small, large


def frame_axes(result: StaticResult, extent: float) -> list[Axes]:
    """Axes of the world, of the ends of the rods, of bodies and of what loads refer to.

    The world is left out if its origin is far away, ends of rods without loads if there are many.
    """
    model = result.model
    loaded = [x.at for x in model.robot.loads if isinstance(x, PointLoad | Pulley)]
    bodies = [body.name for body in model.robot.bodies]
    axes = _distinct(result, [*model.frames, *loaded], extent)
    return axes if len(axes) <= CROWD else _distinct(result, [*bodies, *loaded], extent)


def plates(result: StaticResult, extent: float) -> list[Surface]:
    """A plate behind every end of a rod that is welded to the world, and around such points."""
    robot = result.model.robot
    world, *_ = rigid_groups(robot.rods, robot.bodies, robot.joints)
    bodies = {body.name for body in robot.bodies}
    thickness = PLATE_THICKNESS * extent
    spans = {"base": (-thickness, 0.0), "tip": (0.0, thickness)}
    found = []
    for frame, path in world.paths.items():
        place = _place(result, frame)
        held = all(
            isinstance(link.joint, Weld) and bodies.isdisjoint((link.a, link.b)) for link, _ in path
        )
        if place is not None and held:
            rod = 1.7 * half_widths_at(result, frame)[1]
            radius = max(rod, PLATE_RADIUS * extent, 1.3 * reach(robot, *place))
            span = spans.get(frame.rpartition(".")[2], (-0.5 * thickness, 0.5 * thickness))
            found.append(disc(frame, result.pose(frame), radius, *span))
    return found


def _distinct(result: StaticResult, frames: Iterable[FrameLike], extent: float) -> list[Axes]:
    """Axes of the world and of frames, once where they coincide."""
    axes = [Axes(World, np.eye(4), WORLD_AXES * extent)] if _near_world(result, extent) else []
    for frame in frames:
        pose = result.pose(frame)
        if not any(np.abs(pose - other.pose).max() < SAME for other in axes):
            size = max(AXES * extent, 1.8 * half_widths_at(result, frame)[1])
            axes.append(Axes(str(frame), pose, size))
    return axes


def _near_world(result: StaticResult, extent: float) -> bool:
    """Whether the origin of the world is so near that it fits into a picture of the robot."""
    ends = [np.linalg.norm(result.pose(frame)[:3, 3]) for frame in result.model.frames]
    return bool(min(ends) < extent)


def _place(result: StaticResult, frame: FrameLike) -> tuple[str, float] | None:
    """Rod and arc length of a frame [m]; None if it is none of a rod."""
    rods = result.model.places
    if isinstance(frame, At):
        return (frame.rod, frame.s) if frame.rod in rods else None
    point, _, s = frame.partition("@")
    if s:
        return point, float(s)
    rod, _, end = frame.rpartition(".")
    return (rod, 0.0 if end == "base" else rods[rod].rod.length) if rod else None
