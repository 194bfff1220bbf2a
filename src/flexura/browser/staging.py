"""Scenes of one robot after another on one stage, which grows when it must."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.spatial import cKDTree

from flexura.result.static import StaticResult
from flexura.robot import Robot
from flexura.typing import ArrayLike, Vector
from flexura.view.component import component
from flexura.view.further import further_lines
from flexura.view.ground import nearest_axis
from flexura.view.part import Part, part, plain_rods
from flexura.view.primitive import Surface, with_role
from flexura.view.remark import remark_of
from flexura.view.scene import (
    Scale,
    Scene,
    Stage,
    compose,
    ghosts_of,
    limits_of,
    plan_of,
    points_of,
    rest_of,
    set_stage,
    up_of,
)
from flexura.view.subject import Subject, of_result

STATIONS = 60  # sections of a rod
ROOM = 0.25  # how far the robot may leave its stage, relative to the extent
# What is to be seen, or not, by the roles that it has in scenes.
ROLES = {
    "tendons": ("tendon",),
    "frames": ("frame",),
    "loads": ("force", "moment", "gravity", "contact", "wheel"),
}
APART = 0.02  # how far something moves, relative to the extent, that is seen unloaded, too
PALER = 0.2  # colours that show no more than this part of their scale get another one


@dataclass(frozen=True)
class Sight:
    """What is to be seen.

    Attributes:
        color: name of a component, or None for plain colours.
        tendons, frames, loads, names: whether these are.
        ghost: whether the unloaded robot is.
        ground: whether the grid is.
    """

    color: str | None = "bending"
    tendons: bool = True
    frames: bool = True
    loads: bool = True
    names: bool = True
    ghost: bool = True
    ground: bool = True

    @property
    def hidden(self) -> list[str]:
        """Roles of what is not to be seen."""
        return [role for name, roles in ROLES.items() if not getattr(self, name) for role in roles]


def color_of(robot: Robot) -> str | None:
    """What colours show to begin with: something that the robot has."""
    return "bending" if robot.slender else "von_mises" if robot.volumes else None


class Staging:
    """Makes scenes, one after the other.

    Ground, size of arrows and scale of colours stay as long as the robot stays about where it is.
    """

    def __init__(self) -> None:
        self._stage: Stage | None = None
        self._robot: Robot | None = None
        self._color: str | None = None
        self._rested: object = None

    def scene(
        self,
        result: StaticResult,
        sight: Sight,
        beside: StaticResult | None = None,
        lines: Mapping[str, ArrayLike] | None = None,
    ) -> Scene:
        """What there is to draw.

        Args:
            result: what to look at.
            sight: what is to be seen of it.
            beside: another one of the same robot, to be shown as a shadow.
            lines: further lines by their names, points (n, 3) each.
        """
        shown = of_result(result, result.inputs, remark_of(result), count=STATIONS)
        stage, own = self._set(shown, sight, lines)
        self._stage = stage = _scaled(stage, shown, own)
        extent = stage.look.extent
        ghosts = _apart(stage.ghosts, shown.robot, own, extent) if sight.ghost else []
        if beside is not None:
            other = of_result(beside, beside.inputs, "", count=STATIONS)
            ghosts += with_role("ghost", plain_rods(other, extent))
        around = replace(stage, ghosts=tuple(ghosts))
        return _without(compose(around, [shown], [own], (), labels=sight.names), sight.hidden)

    def _set(
        self, shown: Subject, sight: Sight, lines: Mapping[str, ArrayLike] | None
    ) -> tuple[Stage, Part]:
        """The stage as it was, with what follows inputs, or another one; and the robot on it."""
        stage, same = self._stage, self._robot is shown.robot and self._color == sight.color
        rested = shown.result.given.unloaded.values.tobytes()
        if stage is not None and same:
            extent = stage.look.extent
            further = further_lines(lines, extent, len(shown.robot.tendons))
            if stage.ghosts and rested != self._rested:
                stage = replace(stage, ghosts=ghosts_of(rest_of(shown), extent))
            stage, own = replace(stage, further=further), part(shown, 0, stage.look)
            self._rested = rested
            if _fits(stage, own, up_of(shown)):
                return stage, own
        chosen = None if sight.color is None else component(sight.color)
        plan = plan_of([shown], chosen, True, None, several=False)
        own = part(shown, 0, plan.look)
        self._robot, self._color, self._rested = shown.robot, sight.color, rested
        return set_stage(plan, [shown], [points_of(own)], lines), own


def _fits(stage: Stage, own: Part, up: Vector) -> bool:
    """Whether a robot, and what is shown with it, is about where its stage is."""
    if not np.array_equal(nearest_axis(up), stage.ground.up):
        return False
    around = [*(x.points for x in stage.ghosts), *(x.path for x in stage.further.cables)]
    points = np.concatenate([points_of(own), *around])
    room = ROOM * stage.look.extent
    low, high = stage.points.min(axis=0) - room, stage.points.max(axis=0) + room
    return bool((points >= low).all() and (points <= high).all())


def _scaled(stage: Stage, shown: Subject, own: Part) -> Stage:
    """The stage with a scale of colours that fits."""
    if stage.scale is None:
        return stage
    most = stage.scale.limits[1]
    shows = (float(np.abs(x.values).max()) for x in own.surfaces if x.values is not None)
    if PALER * most <= max(shows, default=most) <= most:
        return stage
    limits = limits_of(stage.scale.component, [shown])
    return replace(stage, scale=Scale(stage.scale.component, limits))


def _apart(ghosts: Sequence[Surface], robot: Robot, own: Part, extent: float) -> list[Surface]:
    """Unloaded shapes, without those of volumes that have hardly left them."""
    names = {volume.name for volume in robot.volumes}
    near = {x.name: cKDTree(x.points) for x in own.surfaces if x.name in names}
    return [
        ghost
        for ghost in ghosts
        if ghost.name not in near or near[ghost.name].query(ghost.points)[0].max() > APART * extent
    ]


def _without(scene: Scene, roles: Collection[str]) -> Scene:
    """A scene without what has one of these roles, and without what is written about it."""
    loaded = "force" not in roles
    return replace(
        scene,
        surfaces=tuple(x for x in scene.surfaces if x.role not in roles),
        tendons=tuple(x for x in scene.tendons if x.role not in roles),
        arrows=tuple(x for x in scene.arrows if x.role not in roles),
        labels=tuple(x for x in scene.labels if x.role not in roles),
        lines=scene.lines if loaded else (),
        axes=scene.axes if "frame" not in roles else (),
    )
