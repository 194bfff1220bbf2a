"""What there is to plot of a motion over time."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np

from flexura.errors import FlexuraError, ModelError, UnknownName, show
from flexura.result.instant import Instant
from flexura.result.motion import Motion
from flexura.robot import AnyFrame
from flexura.typing import Array, ArrayLike, real_numbers
from flexura.view.style import AXIS_COLORS, PALETTE, distinct, tendon_color

LINES = ("kinetic", "elastic", "gravity", "balance", "dissipated", "work")
ENERGIES = dict(zip(LINES, PALETTE, strict=False))
# Told as what was gained since the first instant, beside which others can be seen; and what is left
# out if it is nothing.
GAINED, OPTIONAL = ("gravity", "balance"), ("gravity", "dissipated", "work")
Measure: TypeAlias = Callable[[Instant], ArrayLike | Mapping[str, float]]
What: TypeAlias = str | Measure
Frame: TypeAlias = AnyFrame


@dataclass(frozen=True, eq=False)
class Course:
    """Numbers over time, for one panel.

    Attributes:
        label: what they are, with the unit.
        lines: by their names, (n,) each; a single one may be called "".
        colors: of the lines.
    """

    label: str
    lines: Mapping[str, Array]
    colors: Sequence[str] = ()

    def color(self, number: int) -> str:
        """Of a line."""
        return self.colors[number] if self.colors else distinct(PALETTE, number)


def position(motion: Motion, frame: Frame) -> Course:
    """Where the origin of a frame is."""
    return _axes(f"{name_of(frame)} [m]", motion.pose(frame)[:, :3, 3])


def velocity(motion: Motion, frame: Frame) -> Course:
    """How fast the origin of a frame moves, in world axes."""
    return _axes(f"{name_of(frame)}, velocity [m/s]", _in_world(motion, frame, slice(3, 6)))


def rotation_rate(motion: Motion, frame: Frame) -> Course:
    """How fast a frame turns, in world axes."""
    return _axes(f"{name_of(frame)}, angular velocity [rad/s]", _in_world(motion, frame, slice(3)))


def energy(motion: Motion) -> Course:
    """Energies as ``Motion`` has them; Δ is what was gained since the first instant.

    What nothing is of is left out; the balance is what the steps get wrong.
    """
    lines, colors = {}, []
    for name, color in ENERGIES.items():
        line = getattr(motion, name)
        if name in OPTIONAL and not line.any():
            continue
        gained = name in GAINED
        lines[f"Δ {name}" if gained else name] = line - line[0] if gained else line
        colors.append(color)
    return Course("energy [J]", lines, colors)


def tension(motion: Motion) -> Course:
    """Tensions of all tendons."""
    names = motion.model.tendons.names
    if not names:
        raise ModelError(f"{motion.model.name!r} has no tendons whose tensions could be plotted")
    colors = [tendon_color(i, taut=True) for i in range(len(names))]
    return Course("tension [N]", {name: motion.tension(name) for name in names}, colors)


def pressing(motion: Motion) -> Course:
    """How hard parts press on each other, of all contacts."""
    pairs = dict.fromkeys((x.a, x.b) for x in motion.model.robot.contacts)
    if not pairs:
        raise ModelError(f"{motion.model.name!r} has no contacts whose forces could be plotted")
    lines = {f"{a} on {b}": motion.pressing(a, b) for a, b in pairs}
    who = f"{next(iter(lines))}, " if len(lines) == 1 else ""
    return Course(f"{who}presses with [N]", lines)


def measured(motion: Motion, measure: Measure, label: str) -> Course:
    """Any function of an instant: a number, a few, or numbers by names."""
    found = [_answer(_measured(measure, instant), instant) for instant in motion.results]
    names = list(found[0])
    if any(list(answer) != names for answer in found):
        raise ModelError("a measure of a motion must have the same numbers at every instant")
    return Course(label, {name: np.array([answer[name] for answer in found]) for name in names})


def _measured(measure: Measure, instant: Instant) -> Any:
    """What a function of the user says of an instant."""
    try:
        return measure(instant)
    except FlexuraError:
        raise
    except Exception as error:
        raise ModelError(
            f"the measure fails at t = {instant.t:g} s: {type(error).__name__}: {error}; it must "
            "return numbers for an instant"
        ) from error


OF_FRAMES: Mapping[str, Callable[[Motion, Frame], Course]] = MappingProxyType(
    {"position": position, "velocity": velocity, "rotation_rate": rotation_rate}
)
OF_ROBOTS: Mapping[str, Callable[[Motion], Course]] = MappingProxyType(
    {"energy": energy, "tension": tension, "pressing": pressing}
)


def courses(motion: Motion, what: What, frames: Sequence[Frame], label: str) -> list[Course]:
    """The panels for one thing to plot.

    Raises:
        UnknownName: for an unknown name.
        ModelError: for something else, or what the robot does not have.
    """
    if callable(what):
        return [measured(motion, what, label)]
    if what in OF_ROBOTS:
        return [OF_ROBOTS[what](motion)]
    if what in OF_FRAMES:
        return [OF_FRAMES[what](motion, frame) for frame in frames]
    raise UnknownName("quantity of a motion", what, ["path", *OF_ROBOTS, *OF_FRAMES])


def name_of(frame: Frame) -> str:
    """A frame in words."""
    return str(frame)


def _axes(label: str, vectors: Array) -> Course:
    """Three components in the colours of axes."""
    return Course(label, dict(zip("xyz", vectors.T, strict=True)), AXIS_COLORS)


def _in_world(motion: Motion, frame: Frame, part: slice) -> Array:
    """A part of the velocity of a frame in world axes, (n, 3)."""
    turn = motion.pose(frame)[:, :3, :3]
    return np.asarray(np.einsum("nij,nj->ni", turn, motion.velocity(frame)[:, part]))


def _answer(value: Any, instant: Instant) -> dict[str, float]:
    """What a measure has answered, by names, if that can be drawn."""
    try:
        if isinstance(value, Mapping):
            return {str(name): float(number) for name, number in value.items()}
        found = np.atleast_1d(real_numbers(value))
    except (TypeError, ValueError, OverflowError):
        found = np.empty((0, 0))
    if found.ndim != 1 or not len(found):
        raise ModelError(
            f"a measure of a motion must be a number or a few, got {show(value)} at "
            f"t = {instant.t:g} s"
        )
    names = [""] if len(found) == 1 else [str(i) for i in range(len(found))]
    return dict(zip(names, found.tolist(), strict=True))
