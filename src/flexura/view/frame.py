"""Frames, and what holds them: plates on the world, rigid links between welded ends."""

import numpy as np

from flexura.result.static import StaticResult
from flexura.robot import At, FrameLike, PointLoad, World
from flexura.typing import Pose
from flexura.view.primitive import Axes, Surface
from flexura.view.rod import disc, half_widths
from flexura.view.tendon import reach

# Sizes relative to the extent of the robot.
AXES = 0.045
WORLD_AXES = 0.07
PLATE_RADIUS = 0.03
PLATE_THICKNESS = 0.012
LINK_RADIUS = 0.004
SAME = 1e-9  # frames closer than this are drawn once


def frame_axes(result: StaticResult, extent: float) -> list[Axes]:
    """Axes of the world, of the ends of the rods and of the points that loads refer to.

    The world is left out if its origin is far away.
    """
    model = result.model
    loads = model.robot.loads
    points = [x.at for x in loads if isinstance(x, PointLoad) and isinstance(x.at, At)]
    frames: list[FrameLike] = [*model.frames, *points]
    axes = [Axes(World, np.eye(4), WORLD_AXES * extent)] if _near_world(result, extent) else []
    for frame in frames:
        pose = result.pose(frame)
        if not any(np.abs(pose - other.pose).max() < SAME for other in axes):
            size = max(AXES * extent, 1.8 * _radius(result, frame))
            axes.append(Axes(str(frame), pose, size))
    return axes


def plates(result: StaticResult, extent: float) -> list[Surface]:
    """A plate behind every end of a rod that is fixed in the world."""
    model = result.model
    found = []
    for frame, node in model.frames.items():
        if model.layout.coordinate[node] < 0:
            thickness = PLATE_THICKNESS * extent
            radius = max(
                1.7 * _radius(result, frame),
                PLATE_RADIUS * extent,
                1.3 * reach(model.robot, *_place(result, frame)),
            )
            span = (-thickness, 0.0) if frame.endswith(".base") else (0.0, thickness)
            found.append(disc(frame, result.pose(frame), radius, *span))
    return found


def links(result: StaticResult, extent: float) -> list[Surface]:
    """A rigid bar between ends of rods that are welded with a distance between them."""
    found = []
    for joint in result.model.robot.joints:
        if World in (joint.a, joint.b):
            continue
        a, b = (result.pose(frame)[:3, 3] for frame in (joint.a, joint.b))
        length = float(np.linalg.norm(b - a))
        if length > LINK_RADIUS * extent:
            thinner = min(_radius(result, joint.a), _radius(result, joint.b))
            radius = max(0.4 * thinner, LINK_RADIUS * extent)
            found.append(disc(joint.label, _along(a, b), radius, 0.0, length))
    return found


def _near_world(result: StaticResult, extent: float) -> bool:
    """Whether the origin of the world is so near that it fits into a picture of the robot."""
    ends = [np.linalg.norm(result.pose(frame)[:3, 3]) for frame in result.model.frames]
    return bool(min(ends) < extent)


def _radius(result: StaticResult, frame: FrameLike) -> float:
    """Half of the larger width of the rod at a frame [m]."""
    rod, s = _place(result, frame)
    return max(half_widths(result.model.robot.rod(rod).section_at(s)))


def _place(result: StaticResult, frame: FrameLike) -> tuple[str, float]:
    """Rod and arc length of a frame [m]."""
    if isinstance(frame, At):
        return frame.rod, frame.s
    rod = frame.rpartition(".")[0]
    return rod, 0.0 if frame.endswith(".base") else result.model.robot.rod(rod).length


def _along(a: Pose, b: Pose) -> Pose:
    """A pose at a whose x axis points to b."""
    x = (b - a) / np.linalg.norm(b - a)
    y = np.cross(x, np.eye(3)[np.argmin(np.abs(x))])
    y /= np.linalg.norm(y)
    pose = np.eye(4)
    pose[:3] = np.stack([x, y, np.cross(x, y), a], axis=1)
    return pose
