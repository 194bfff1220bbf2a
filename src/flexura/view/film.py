"""A motion as scenes, one after the other, all seen by one camera and in one scale of colours."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from flexura.errors import ModelError
from flexura.result.motion import Motion
from flexura.robot.check import positive
from flexura.typing import Array, ArrayLike
from flexura.view.component import component
from flexura.view.part import part
from flexura.view.rod import STATIONS
from flexura.view.scene import Scene, Stage, compose, plan_of, points_of, set_stage
from flexura.view.subject import Subject, of_result

MOST = 20_000  # frames of a film


@dataclass(frozen=True, eq=False)
class Film:
    """Scenes at even times.

    Attributes:
        times: of the scenes [s], (n,).
        stage: what is around them.
        shown: the robot at each time.
        labels: whether texts are shown.
    """

    times: Array
    stage: Stage
    shown: Sequence[Subject]
    labels: bool

    def scenes(self, some: Iterable[int] | None = None) -> Iterator[Scene]:
        """The scenes in their order, all or those of some numbers; none of them is kept."""
        for i in range(len(self.shown)) if some is None else some:
            one = self.shown[i]
            yield compose(self.stage, [one], [part(one, 0, self.stage.look)], (), self.labels)


def frame_times(motion: Motion, speed: float, fps: float) -> Array:
    """Times of a motion [s] for each picture of a film, the last instant included.

    Raises:
        ModelError: for a speed or a rate that makes no sense, or too many pictures.
    """
    step = positive("animate", "speed", speed) / positive("animate", "fps", fps)
    begin, end = motion.t[0], motion.t[-1]
    wanted = (end - begin) / step
    if wanted > MOST:
        raise ModelError(
            f"a film of {end - begin:g} s at {fps:g} pictures per second and speed {speed:g} has "
            f"{wanted:.0f} pictures, more than {MOST}; take a smaller fps, a higher speed or a "
            "part of the motion"
        )
    count = math.ceil(wanted * (1.0 - 1e-9)) + 1
    return np.asarray(np.minimum(begin + step * np.arange(count), end))


def film(
    motion: Motion,
    times: Array,
    color: str | None,
    ghost: bool,
    labels: bool,
    opacity: float | None,
    lines: Mapping[str, ArrayLike] | None,
    count: int = STATIONS,
) -> Film:
    """The scenes of a motion at some times; arguments as for ``scene``.

    Args:
        motion: what to look at.
        times: when [s], (n,).
        color: name of a component, or None.
        ghost: whether to show the unloaded shape.
        labels: whether to show texts.
        opacity: of the rods.
        lines: further lines by their names.
        count: sections of each rod that are drawn, about.
    """
    chosen = None if color is None else component(color)
    digits = _digits(times)
    shown = []
    for t in times.tolist():
        instant = motion.at(t)
        shown.append(of_result(instant, instant.inputs, f"t = {t:.{digits}f} s", count=count))
    plan = plan_of(shown, chosen, ghost, opacity, several=False)
    points = [outermost(points_of(part(one, 0, plan.look))) for one in shown]
    return Film(times, set_stage(plan, shown, points, lines), shown, labels)


def outermost(points: Array) -> Array:
    """The points (n, 3) that are farthest in many directions, which a camera has to see."""
    return np.asarray(points[np.unique((points @ DIRECTIONS.T).argmax(axis=0))])


def _directions() -> Array:
    """Directions to all sides, those of the axes among them, (n, 3)."""
    grid = np.stack(np.meshgrid(*[np.linspace(-1.0, 1.0, 5)] * 3), axis=-1).reshape(-1, 3)
    grid = grid[np.abs(grid).max(axis=1) == 1.0]
    return np.asarray(grid / np.linalg.norm(grid, axis=1)[:, None])


DIRECTIONS = _directions()


def _digits(times: Array) -> int:
    """Decimals that tell times from each other."""
    step = float(np.diff(times).max(initial=0.0))
    return max(0, math.ceil(-math.log10(step) - 1e-9)) if step > 0.0 else 3
