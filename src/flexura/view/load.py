"""Arrows of loads: straight for forces, curved for moments, combs for line loads; pulleys."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from flexura.lie import so3
from flexura.result.static import StaticResult
from flexura.robot import Gravity, LineLoad, Nodes, PointLoad, Pulley, Robot
from flexura.typing import Array, Pose, Vector
from flexura.view.primitive import Arrow, Label, Line, Role, Surface
from flexura.view.rod import half_widths
from flexura.view.solid import along, bar

# Lengths relative to the extent of the robot. The largest load of its kind gets the largest
# arrow; a load that is small beside it still gets a visible one.
FORCE = (0.08, 0.20)
MOMENT = (0.03, 0.055)  # radius of the arc
COMB = (0.05, 0.10)
COMB_MOMENT = (0.015, 0.03)
GRAVITY = 0.12
WIDTH = 0.007
WHEEL = ((0.024, 0.004), (0.007, 0.008))  # rim and hub of a pulley: radius, half of the thickness
FAR = 1.5  # beyond this a pulley is left out: its cable may run out of the picture
TEETH = 11  # arrows of a comb along a whole rod
TURN = 1.5 * np.pi  # angle of the arc of a moment


@dataclass(frozen=True, eq=False)
class LoadPrimitives:
    """What the loads of a robot look like."""

    arrows: list[Arrow] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    wheels: list[Surface] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)


@dataclass(frozen=True)
class _Scale:
    """From the size of a load to the length of its arrow."""

    largest: float
    lengths: tuple[float, float]

    def length(self, vector: Vector) -> float:
        low, high = self.lengths
        return low + (high - low) * float(np.linalg.norm(vector)) / (self.largest or 1.0)


def load_primitives(
    result: StaticResult, inputs: Mapping[str, Array], extent: float, clearance: float = 0.0
) -> LoadPrimitives:
    """The point loads, pulleys and line loads of a robot on its shape.

    Args:
        result: where the robot is.
        inputs: values of the loads by name, as the user gives them.
        extent: size of the robot [m].
        clearance: distance that combs keep from the surface of the rod [m].
    """
    found = LoadPrimitives()
    loads = result.model.robot.loads
    pointed = [x for x in loads if isinstance(x, PointLoad | Pulley)]
    point = _scales(pointed, inputs, FORCE, MOMENT, extent)
    line = _scales([x for x in loads if isinstance(x, LineLoad)], inputs, COMB, COMB_MOMENT, extent)
    for load in loads:
        if isinstance(load, PointLoad):
            pose = where_loaded(result, load)
            _point_load(found, load, inputs[load.name], pose, point, WIDTH * extent)
        elif isinstance(load, Pulley):
            at = result.pose(load.at)[:3, 3]
            _pulley(found, load, float(inputs[load.name]), at, point[1], extent)
        elif isinstance(load, LineLoad):
            width = 0.5 * WIDTH * extent
            _line_load(found, load, inputs[load.name], result, line, width, clearance)
    return found


def where_loaded(result: StaticResult, load: PointLoad) -> Pose:
    """Pose of what a point load acts on; of nodes of a volume, their middle."""
    if not isinstance(load.at, Nodes):
        return result.pose(load.at)
    pose, robot = np.eye(4), result.model.robot
    nodes = load.at.find(robot.volume(load.at.volume))
    pose[:3, 3] = result.points(load.at.volume)[nodes].mean(axis=0)
    return pose


def gravity_primitives(
    robot: Robot, inputs: Mapping[str, Array], extent: float, corners: Array
) -> LoadPrimitives:
    """An arrow that shows where gravity pulls, from above to the first corner of the ground."""
    found = LoadPrimitives()
    for load in robot.loads:
        value = inputs[load.name]
        if isinstance(load, Gravity) and value.any():
            path = _straight(corners[0], -value, GRAVITY * extent)[::-1]
            found.arrows.append(Arrow(load.name, "gravity", path, 0.8 * WIDTH * extent))
            beside = corners[1] - corners[0]
            found.labels.append(_label(load.name, "gravity", value, "m/s²", path[0], beside))
    return found


def _point_load(
    found: LoadPrimitives,
    load: PointLoad,
    wrench: Array,
    pose: Pose,
    scales: tuple[_Scale, _Scale],
    width: float,
) -> None:
    """Add a force that leaves its point, and a moment that turns about it."""
    moment, force = _in_world(wrench, pose, load.follower)
    at = pose[:3, 3]
    if force.any():
        path = _straight(at, force, scales[1].length(force))
        found.arrows.append(Arrow(load.name, "force", path, width))
        found.labels.append(_label(load.name, "force", force, "N", path[-1], force))
    if moment.any():
        path = _arc(at, moment, scales[0].length(moment))
        found.arrows.append(Arrow(load.name, "moment", path, 0.8 * width))
        found.labels.append(_label(load.name, "moment", moment, "N·m", path[-1], path[-1] - at))


def _pulley(
    found: LoadPrimitives, load: Pulley, force: float, at: Vector, scale: _Scale, extent: float
) -> None:
    """Add a wheel, the cable that leads to it, and the force along the cable."""
    point = np.array(load.point)
    cable = point - at
    distance = float(np.linalg.norm(cable))
    if distance > WHEEL[0][0] * extent:
        found.lines.append(Line(load.name, np.array([at, point])))
        across = extent * along(at, cable)[:3, 1]
        for radius, half in WHEEL if distance <= FAR * extent else ():
            ends = point - half * across, point + half * across
            found.wheels.append(bar(load.name, *ends, radius * extent))
    if force and distance:
        pull = force * cable / distance
        path = _straight(at, pull, min(scale.length(pull), distance))
        found.arrows.append(Arrow(load.name, "force", path, WIDTH * extent))
        found.labels.append(_label(load.name, "force", pull, "N", path[-1], pull))


def _line_load(
    found: LoadPrimitives,
    load: LineLoad,
    wrench: Array,
    result: StaticResult,
    scales: tuple[_Scale, _Scale],
    width: float,
    clearance: float,
) -> None:
    """Add arrows that press on the rod, with a line through their tails."""
    rod = result.model.robot.rod(load.rod)
    end = rod.length if load.end is None else load.end
    count = max(3, round(TEETH * (end - load.start) / rod.length))
    s = np.linspace(load.start, end, count)
    poses = result.pose(load.rod, s)
    pairs = [_in_world(wrench, pose, load.follower) for pose in poses]
    moments, forces = (np.array(column) for column in zip(*pairs, strict=True))
    at = poses[:, :3, 3]
    i = count // 2
    if forces.any():
        length = scales[1].length(forces[0])
        away = -forces / np.linalg.norm(forces, axis=1)[:, None]
        tips = at + away * (max(max(half_widths(rod.section_at(x))) for x in s) + clearance)
        tails = tips + away * length
        for tail, tip in zip(tails, tips, strict=True):
            path = np.array([tail, tip])
            found.arrows.append(Arrow(load.name, "force", path, width))
        found.lines.append(Line(load.name, tails))
        found.labels.append(_label(load.name, "force", forces[0], "N/m", tails[i], away[i]))
    if moments.any():
        paths = [_arc(p, m, scales[0].length(m)) for p, m in zip(at, moments, strict=True)]
        found.arrows.extend(Arrow(load.name, "moment", p, width) for p in paths)
        last = paths[i][-1]
        found.labels.append(_label(load.name, "moment", moments[0], "N·m/m", last, last - at[i]))


def _scales(
    loads: Iterable[PointLoad | LineLoad | Pulley],
    inputs: Mapping[str, Array],
    force: tuple[float, float],
    moment: tuple[float, float],
    extent: float,
) -> tuple[_Scale, _Scale]:
    """Scales of the moments and of the forces of loads of one kind."""
    values = [inputs[load.name] for load in loads]
    rows = [value if value.shape else (0.0, 0.0, 0.0, value, 0.0, 0.0) for value in values]
    wrenches = np.array(rows, dtype=np.float64).reshape(-1, 2, 3)
    largest = np.linalg.norm(wrenches, axis=2).max(axis=0, initial=0.0)
    moments, forces = (
        _Scale(float(size), (extent * low, extent * high))
        for size, (low, high) in zip(largest, (moment, force), strict=True)
    )
    return moments, forces


def _in_world(wrench: Array, pose: Pose, follower: bool) -> tuple[Vector, Vector]:
    """Moment and force of a load in world axes."""
    R = pose[:3, :3] if follower else np.eye(3)
    return R @ wrench[:3], R @ wrench[3:]


def _straight(tail: Vector, direction: Vector, length: float) -> Array:
    """A straight path of a given length."""
    return np.array([tail, tail + direction * (length / np.linalg.norm(direction))])


def _arc(centre: Vector, axis: Vector, radius: float) -> Array:
    """A path that turns about an axis by the right hand."""
    axis = axis / np.linalg.norm(axis)
    across = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    across *= radius / np.linalg.norm(across)
    turns = so3.exp(np.linspace(0.0, TURN, 41)[:, None] * axis)
    return np.asarray(centre + turns @ across)


def _label(name: str, role: Role, vector: Vector, unit: str, point: Vector, away: Vector) -> Label:
    """Name and size of a load."""
    return Label(f"{name} {np.linalg.norm(vector):.3g} {unit}", point, away, role)
