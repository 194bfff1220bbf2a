"""What a view looks at: results and robots, one or several."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from flexura.errors import ModelError
from flexura.result.instant import Instant
from flexura.result.inverse import InverseResult
from flexura.result.static import StaticResult
from flexura.robot import Robot
from flexura.solve.unloaded import unloaded_robot
from flexura.typing import Array, Pose
from flexura.view.remark import remark_of
from flexura.view.rod import STATIONS, stations


@dataclass(frozen=True, eq=False)
class Subject:
    """A robot as it lies.

    Attributes:
        result: where it is.
        inputs: values of the loads to draw on it.
        remark: what the viewer must know about it, maybe nothing.
        solved: whether it carries its loads; a robot that was not solved does not.
        along: arc lengths of each rod to draw [m].
        poses: of each rod there.
    """

    result: StaticResult
    inputs: Mapping[str, Array]
    remark: str
    solved: bool
    along: Mapping[str, Array]
    poses: Mapping[str, Pose]

    @property
    def robot(self) -> Robot:
        """Its description."""
        return self.result.model.robot

    def lines(self) -> Iterator[tuple[StaticResult, str, Array]]:
        """Its rods, with arc lengths [m]."""
        for rod, s in self.along.items():
            yield self.result, rod, s


def subjects(shown: StaticResult | Robot | Iterable[StaticResult | Robot]) -> list[Subject]:
    """The subjects of a picture.

    Raises:
        ModelError: if it is nothing that can be shown.
    """
    several = isinstance(shown, Iterable) and not isinstance(shown, str | Mapping | np.ndarray)
    found = list(shown) if several else [shown]  # type: ignore[arg-type]
    if not found:
        raise ModelError("a view shows at least one StaticResult or Robot, got none at all")
    found = [one.result if isinstance(one, InverseResult) else one for one in found]
    return [_subject(one, alone=len(found) == 1) for one in found]


def of_result(
    result: StaticResult,
    inputs: Mapping[str, Array],
    remark: str,
    solved: bool = True,
    count: int = STATIONS,
) -> Subject:
    """A result as a subject, with about ``count`` sections of each rod."""
    robot = result.model.robot
    along = {rod.name: stations(robot, rod, count) for rod in robot.slender}
    poses = {name: result.pose(name, s) for name, s in along.items()}
    return Subject(result, inputs, remark, solved, along, poses)


def _subject(shown: object, alone: bool) -> Subject:
    """One of them; an instant alone tells its time."""
    if isinstance(shown, Instant) and alone:
        return of_result(shown, shown.inputs, f"t = {shown.t:.4g} s")
    if isinstance(shown, StaticResult):
        return of_result(shown, shown.inputs, remark_of(shown))
    if isinstance(shown, Robot):
        result = unloaded_robot(shown)
        described = result.model.inputs.described.by_name()
        remark = "unloaded" if result.converged else remark_of(result)
        return of_result(result, described, remark, solved=False)
    raise ModelError(
        f"a view shows a StaticResult or a Robot, or a list of them, got {type(shown).__name__}; "
        "solve with statics(model) first"
    )
