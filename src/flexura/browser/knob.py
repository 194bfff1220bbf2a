"""Numbers of inputs that can be turned, and how far."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from flexura.errors import FlexuraError, ModelError, UnknownName, show
from flexura.lie import se3, so3
from flexura.model.inputs import NUMBERS, Input
from flexura.model.model import Model
from flexura.result.static import StaticResult
from flexura.robot import On, Pressure
from flexura.typing import ArrayLike
from flexura.view.ground import round_down

REACH = 1.0  # a knob moves the robot by this part of its length, in the linear picture
STEPS = 500  # of a slider
WEIGHT = 20.0  # most of gravity [m/s²]
SPOTS = 32  # points of the surface of a volume whose motion counts, about
BURST = 0.3  # most of a pressure, as a part of Young's modulus: beyond, rubber gives way


@dataclass(frozen=True)
class Knob:
    """A number of an input, with the range of its slider.

    Attributes:
        name: of the input.
        number: which of its numbers; of a pose, those of its position and rotation vector.
        label: what the slider is called, with the unit.
        meaning: what the number is, with its unit.
        low, high: ends of the slider.
        value: where it begins.
        least, most: what may be written beside the slider, which grows with it.
    """

    name: str
    number: int
    label: str
    meaning: str
    low: float
    high: float
    value: float
    least: float = -math.inf
    most: float = math.inf

    @property
    def step(self) -> float:
        """Length of a step of the slider: a round number, so that values are."""
        return round_down((self.high - self.low) / STEPS)

    def takes(self, value: object) -> bool:
        """Whether it may be turned to what a page says."""
        number = isinstance(value, int | float) and math.isfinite(value)
        return number and self.least <= value <= self.most  # type: ignore[operator]

    def reaching(self, value: float) -> "Knob":
        """The knob with a range that has a value in it."""
        return replace(self, low=min(self.low, value), high=max(self.high, value))


Bounds = Mapping[str, tuple[float, float]]


def knobs(result: StaticResult, bounds: Bounds | None = None) -> list[Knob]:
    """All knobs of a robot.

    Ranges are those of the inputs where they have two ends, those that are given, half a turn for
    angles, and else what moves the robot by its length, in the linear picture. The values of the
    equilibrium and those that are described are within them.

    Args:
        result: an equilibrium: its values are where sliders begin.
        bounds: least and most of inputs by name; of an input with several numbers, of each.

    Raises:
        UnknownName: for bounds of no input.
        ModelError: for bounds that are none.
    """
    model, given = result.model, dict(bounds or {})
    check_bounds(model, given)
    found: list[Knob] = []
    for name, own in model.inputs.items():
        values = numbers_of(own, result.inputs[name])
        described = numbers_of(own, model.inputs.described.value(name))
        ranges = _ranges(result, name, own, given.get(name))
        marks = ("x", "y", "z", "rx", "ry", "rz") if own.manifold == "pose" else None
        for i, (mark, value) in enumerate(zip(marks or NUMBERS[own.manifold], values, strict=True)):
            low, high = ranges[i]
            low, high = min(low, value, described[i]), max(high, value, described[i])
            least, most = given.get(name, own.bounds)
            meaning = _meaning(own, i)
            label = " ".join(x for x in (name, mark, _unit(meaning)) if x)
            ends = min(low, least), max(high, most)
            found.append(Knob(name, i, label, meaning, low, high, value, *ends))
    return found


def check_bounds(model: Model, bounds: Bounds) -> None:
    """Raise, as ``knobs`` does, for bounds of no input, or that are none."""
    for name, pair in bounds.items():
        if name not in model.inputs:
            raise UnknownName("input", name, model.inputs)
        _check_pair(name, pair)


def numbers_of(own: Input, value: ArrayLike) -> list[float]:
    """The numbers that knobs turn: of a pose its position and rotation vector."""
    if own.manifold == "pose":
        pose = np.asarray(value)
        return [*pose[:3, 3].tolist(), *so3.log(pose[:3, :3]).tolist()]
    return [float(x) for x in np.ravel(value)]


def value_of(own: Input, numbers: Sequence[float]) -> ArrayLike:
    """The value of an input from the numbers of its knobs."""
    if own.manifold == "pose":
        return se3.pose(numbers[:3], numbers[3:])
    return numbers[0] if own.manifold == "number" else np.array(numbers)


def frames(model: Model) -> list[str]:
    """Frames whose motion is what users look at: bodies, and tips that nothing else holds."""
    robot = model.robot
    return [*(body.name for body in robot.bodies), *robot.tips]


def _ranges(
    result: StaticResult, name: str, own: Input, given: tuple[float, float] | None
) -> list[tuple[float, float]]:
    """Least and most of each number."""
    model, (least, most) = result.model, own.bounds
    count = 6 if own.manifold == "pose" else len(NUMBERS[own.manifold])
    if given is not None:
        return [(float(given[0]), float(given[1]))] * count
    if math.isfinite(least) and math.isfinite(most):
        return [(least, most)] * count
    if own.manifold == "pose":
        middle = numbers_of(own, result.inputs[name])
        room = [round_down(REACH * model.length)] * 3 + [math.pi / 2.0] * 3
        return [(x - r, x + r) for x, r in zip(middle, room, strict=True)]
    if own.manifold == "vector":
        return [(-WEIGHT, WEIGHT)] * count
    if own.meaning.endswith("[rad]"):
        return [(-math.pi, math.pi)]
    if own.kind == "joint":
        half = round_down(REACH * model.length)
        return [(-half, half)]
    halves = list(_moving(result, name, count))
    return [(max(least, -half), min(most, half)) for half in halves]


def _moving(result: StaticResult, name: str, count: int) -> Iterator[float]:
    """How much of each number moves the robot by its length; the same for all of a kind."""
    rate, model = np.zeros(count), result.model
    most = min((BURST * young for young in _pressed(model, name)), default=math.inf)
    moved: list[str | On] = [*frames(model), *_spots(model)]
    for frame in moved:
        try:
            rate = np.maximum(rate, np.linalg.norm(result.jacobian(frame, [name])[3:], axis=0))
        except FlexuraError:  # no derivative there: a singular equilibrium, or none
            continue
    for part in np.split(rate, 2) if count == 6 else [rate]:
        largest = float(part.max())
        useful = math.isfinite(largest) and largest > 0.0
        half = min(REACH * model.length / largest, most) if useful else min(1.0, most)
        yield from [round_down(half)] * len(part)


def _spots(model: Model) -> Iterator[On]:
    """Points all over the surfaces of volumes."""
    for volume in model.robot.volumes:
        skin = np.unique(volume.elements.skin)
        for node in skin[:: max(1, len(skin) // SPOTS)].tolist():
            yield On(volume.name, volume.elements.points[node])


def _pressed(model: Model, name: str) -> Iterator[float]:
    """Young's modulus of the volume that an input presses on, if it is a pressure [Pa]."""
    for load in model.robot.loads:
        if isinstance(load, Pressure) and load.name == name:
            yield model.robot.volume(load.volume).material.young


def _meaning(own: Input, i: int) -> str:
    if own.manifold == "pose":
        return f"{'position [m]' if i < 3 else 'rotation vector [rad]'}, {own.meaning}"
    return own.number(i) if own.parts else own.meaning


def _unit(meaning: str) -> str:
    """The unit in what a number means, in brackets; the first one."""
    found = re.search(r"\[[^\]]+\]", meaning)
    return found.group() if found else ""


def _check_pair(name: str, pair: ArrayLike) -> None:
    try:
        low, high = np.asarray(pair, dtype=float)
    except (TypeError, ValueError):
        low = high = math.nan
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise ModelError(
            f"bounds of {name!r} are two numbers, the least and the most, got {show(pair)}; write "
            f"for example {{{name!r}: (0, 10)}}"
        )


def parts_of(knobs: Sequence[Knob]) -> dict[str, list[Knob]]:
    """Knobs by the input that they belong to."""
    found: dict[str, list[Knob]] = {}
    for knob in knobs:
        found.setdefault(knob.name, []).append(knob)
    return found
