"""From a result to the primitives of a view."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from flexura.errors import ModelError
from flexura.result.static import StaticResult
from flexura.robot import Gravity, Motor, Robot, Rod
from flexura.solve.unloaded import unloaded, unloaded_robot
from flexura.typing import Array, Pose, Vector
from flexura.view.body import body_points, body_surfaces
from flexura.view.component import Component, component
from flexura.view.frame import frame_axes, plates
from flexura.view.ground import Ground, ground
from flexura.view.joint import joint_surfaces, links, motor_labels
from flexura.view.load import gravity_primitives, load_primitives
from flexura.view.primitive import Arrow, Axes, Cable, Label, Line, Surface
from flexura.view.rod import half_widths, rod_surface, stations
from flexura.view.tendon import cables, discs, tendon_labels

# A rod thinner than this is drawn this thick, relative to the extent of the robot: about three
# pixels in a picture of 1000 pixels.
THINNEST = 0.0022  # half width
# The unloaded shape may run out of the picture if it is this many times larger than the robot.
CROWD = 2.5


@dataclass(frozen=True)
class Scale:
    """What the colours of the rods mean."""

    component: Component
    limits: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Scene:
    """All that there is to draw, for any renderer.

    Attributes:
        title: name of the robot.
        remark: what the viewer must know about it, maybe nothing.
        converged: whether it is an equilibrium.
        extent: size of the robot [m].
        scale: meaning of the rods' values, None if they have none.
        rods: surfaces of the rods.
        ghosts: surfaces of the unloaded rods and bodies.
        bodies: surfaces of rigid bodies.
        joints: hinges, sliders, balls and motors.
        holders: plates on the world and rigid links.
        tendons: as they run.
        discs: plates with the holes of tendons.
        arrows: loads.
        lines: through the tails of line loads, and to pulleys.
        wheels: of pulleys.
        axes: frames.
        labels: names and sizes.
        ground: the grid below.
        points: what a picture has to show, (n, 3).
    """

    title: str
    remark: str
    converged: bool
    extent: float
    scale: Scale | None
    rods: tuple[Surface, ...]
    ghosts: tuple[Surface, ...]
    bodies: tuple[Surface, ...]
    joints: tuple[Surface, ...]
    holders: tuple[Surface, ...]
    tendons: tuple[Cable, ...]
    discs: tuple[Surface, ...]
    arrows: tuple[Arrow, ...]
    lines: tuple[Line, ...]
    wheels: tuple[Surface, ...]
    axes: tuple[Axes, ...]
    labels: tuple[Label, ...]
    ground: Ground
    points: Array


def scene(
    subject: StaticResult | Robot,
    color: str | None = "bending",
    ghost: bool = True,
    labels: bool = True,
) -> Scene:
    """Collect the primitives of a result, or of a robot without load.

    Args:
        subject: what to look at.
        color: name of one of ``COMPONENTS`` to colour the rods by, or None. A robot that was not
            solved has no colours.
        ghost: whether to add the unloaded shape; a robot with loops has none that is known.
        labels: whether to add texts.

    Raises:
        ModelError: if the subject is something else.
        UnknownName: for an unknown colour.
    """
    chosen = None if color is None else component(color)
    solved = not isinstance(subject, Robot)
    result, inputs, remark = _look(subject)
    shape = _shape(result)
    ghost = ghost and solved and result.model.layout.open
    rest = _shape(unloaded(result.model, result.given)) if ghost else None
    chosen = chosen if solved and shape.poses else None
    extent, framed = _size(shape, rest)
    rods = _surfaces(shape, extent, chosen)
    ghosts = [*_surfaces(rest, extent), *body_surfaces(rest.result, extent)] if rest else []
    bodies, joints = body_surfaces(result, extent), joint_surfaces(result, extent)
    holders = [*plates(result, extent), *links(result, extent)]
    tendons, passed = cables(result, extent), discs(result, extent)
    axes = frame_axes(result, extent)
    loads = load_primitives(result, inputs, extent, THINNEST * extent)
    solids = [*rods, *bodies, *joints, *holders, *passed, *loads.wheels]
    drawn = _points([*solids, *(ghosts if framed else ())], [*tendons, *loads.arrows], axes)
    up = _up(result.model.robot, inputs)
    floor = ground(drawn, up, extent)
    weight = gravity_primitives(result.model.robot, inputs, extent, floor.corners)
    texts = [*loads.labels, *weight.labels, *_names(shape, up), *tendon_labels(result, extent)]
    texts += motor_labels(result, extent, up)
    return Scene(
        title=result.model.robot.name,
        remark=remark,
        converged=result.converged,
        extent=extent,
        scale=None if chosen is None else Scale(chosen, chosen.limits(result, shape.along)),
        rods=tuple(rods),
        ghosts=tuple(ghosts),
        bodies=tuple(bodies),
        joints=tuple(joints),
        holders=tuple(holders),
        tendons=tuple(tendons),
        discs=tuple(passed),
        arrows=(*loads.arrows, *weight.arrows),
        lines=tuple(loads.lines),
        wheels=tuple(loads.wheels),
        axes=tuple(axes),
        labels=tuple(texts) if labels else (),
        ground=floor,
        points=np.concatenate([drawn, *(x.path for x in weight.arrows), floor.corners]),
    )


@dataclass(frozen=True, eq=False)
class _Shape:
    """A robot as it lies, with the arc lengths of each rod to draw [m], and the poses there."""

    result: StaticResult
    along: Mapping[str, Array]
    poses: Mapping[str, Pose]


def _shape(result: StaticResult) -> _Shape:
    """The shape of a result."""
    robot = result.model.robot
    along = {rod.name: stations(robot, rod) for rod in robot.rods}
    return _Shape(result, along, {name: result.pose(name, s) for name, s in along.items()})


def _look(subject: StaticResult | Robot) -> tuple[StaticResult, Mapping[str, Array], str]:
    """A result to draw, the values of the loads to draw on it, and a remark."""
    if isinstance(subject, StaticResult):
        return subject, subject.inputs, "" if subject.converged else str(subject.status)
    if isinstance(subject, Robot):
        result = unloaded_robot(subject)
        described = result.model.inputs.described.by_name()
        return result, described, "unloaded" if result.converged else str(result.status)
    raise ModelError(
        f"a view shows a StaticResult or a Robot, got {type(subject).__name__}; "
        "solve with statics(model) first"
    )


def _size(shape: _Shape, rest: _Shape | None) -> tuple[float, bool]:
    """The size to draw for [m], and whether it counts in the unloaded shape, if there is one."""
    rods = [*shape.poses.values()]
    own = _extent(shape.result, rods)
    both = _extent(shape.result, [*rods, *rest.poses.values()]) if rest else own
    return (both, True) if both <= CROWD * own else (own, False)


def _extent(result: StaticResult, rods: list[Pose]) -> float:
    """Diagonal of the box around centre lines of rods, bodies and motors [m]."""
    motors = [np.array([x.point]) for x in result.model.robot.joints if isinstance(x, Motor)]
    lines = [poses[:, :3, 3] for poses in rods]
    points = np.concatenate([*lines, *body_points(result), *motors])
    return float(np.linalg.norm(np.ptp(points, axis=0))) or 1.0


def _surfaces(shape: _Shape, extent: float, chosen: Component | None = None) -> list[Surface]:
    """Surfaces of the rods."""
    return [
        rod_surface(
            shape.result.model.robot.rod(name),
            shape.along[name],
            pose,
            THINNEST * extent,
            None if chosen is None else chosen.values(shape.result, name, shape.along[name]),
        )
        for name, pose in shape.poses.items()
    ]


def _points(solids: list[Surface], paths: list[Cable | Arrow], axes: list[Axes]) -> Array:
    """All points of what is drawn, (n, 3)."""
    return np.concatenate(
        [*(x.points for x in solids), *(x.path for x in paths), *(x.corners for x in axes)]
    )


def _up(robot: Robot, inputs: Mapping[str, Array]) -> Vector:
    """Against gravity, or along z if there is none."""
    weights = [inputs[load.name] for load in robot.loads if isinstance(load, Gravity)]
    total = np.sum(weights, axis=0) if weights else np.zeros(3)
    return -total if total.any() else np.array([0.0, 0.0, 1.0])


def _names(shape: _Shape, up: Vector) -> list[Label]:
    """The names of the rods, if there are several."""
    robot = shape.result.model.robot
    names = [_name(robot.rod(rod), poses, up) for rod, poses in shape.poses.items()]
    return names if len(names) > 1 else []


def _name(rod: Rod, poses: Pose, up: Vector) -> Label:
    """The name of a rod above its middle."""
    up = up / np.linalg.norm(up)
    radius = max(half_widths(rod.section_at(rod.length / 2.0)))
    return Label(rod.name, poses[len(poses) // 2, :3, 3] + radius * up, up, "rod")
