"""Scenes of one robot after another on one stage, which grows when it must."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from flexura.result.static import StaticResult
from flexura.typing import Array, ArrayLike
from flexura.view.component import component
from flexura.view.part import Part, part, plain_rods
from flexura.view.remark import remark_of
from flexura.view.scene import (
    Scale,
    Scene,
    Stage,
    compose,
    limits_of,
    plan_of,
    points_of,
    set_stage,
)
from flexura.view.subject import Subject, of_result

STATIONS = 60  # sections of a rod
ROOM = 0.25  # how far the robot may leave its stage, relative to the extent
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


class Staging:
    """Makes scenes, one after the other.

    Ground, size of arrows and scale of colours stay as long as the robot stays about where it is.
    """

    def __init__(self) -> None:
        self._stage: Stage | None = None
        self._key: object = None

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
        chosen = None if sight.color is None else component(sight.color)
        key = (id(result.model.robot), sight, tuple(lines or ()))
        stage = self._stage
        if stage is None or key != self._key:
            stage = None
        own = None if stage is None else part(shown, 0, stage.look)
        fresh = stage is None or own is None or not _fits(stage, points_of(own))
        if fresh or lines:
            plan = plan_of([shown], chosen, sight.ghost, None, several=False)
            own = part(shown, 0, plan.look)
            stage = set_stage(plan, [shown], [points_of(own)], lines)
        assert stage is not None
        assert own is not None
        stage = _scaled(stage, shown, own)
        self._stage, self._key = stage, key
        scene = compose(stage, [shown], [own], (), labels=sight.names)
        if beside is not None:
            other = of_result(beside, beside.inputs, "", count=STATIONS)
            scene = replace(scene, ghosts=(*scene.ghosts, *plain_rods(other, stage.look.extent)))
        return _seen(scene, sight)


def _fits(stage: Stage, points: Array) -> bool:
    """Whether a robot is about where its stage is."""
    room = ROOM * stage.look.extent
    low, high = stage.points.min(axis=0) - room, stage.points.max(axis=0) + room
    return bool((points >= low).all() and (points <= high).all())


def _scaled(stage: Stage, shown: Subject, own: Part) -> Stage:
    """The stage with a scale of colours that fits."""
    if stage.scale is None:
        return stage
    most = stage.scale.limits[1]
    shows = (float(np.abs(x.values).max()) for x in own.rods if x.values is not None)
    if PALER * most <= max(shows, default=most) <= most:
        return stage
    limits = limits_of(stage.scale.component, [shown])
    return replace(stage, scale=Scale(stage.scale.component, limits))


def _seen(scene: Scene, sight: Sight) -> Scene:
    """A scene without what is not to be seen."""
    if not sight.tendons:
        scene = replace(scene, tendons=())
    if not sight.frames:
        scene = replace(scene, axes=())
    if not sight.loads:
        scene = replace(scene, arrows=(), lines=(), wheels=())
    return scene
