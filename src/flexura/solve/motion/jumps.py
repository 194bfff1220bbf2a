"""Jumps of what inputs move, and of its speed: they ask for endless forces, or strike the robot."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.model.motion.flow import Flow, Tracks
from flexura.solve.motion.steps import InputsAt
from flexura.typing import Array

# What inputs move jumps by more than this, in rotation [rad] and relative to the length.
JUMP = 1e-6
# A speed jumps that differs by more than this part from the one before.
STRUCK = 0.05
# So often the time is halved to find a jump, and to tell a jump of speed from what is only fast.
HALVINGS, LOOKED = 40, 12
# Changes of speed are looked at that are so many times as large as all before.
RECORD = 3.0
# Of changes of speed this part at least is left in short times if they jump; more than that many
# times as much if places do.
KEPT, GROWN = 0.5, 8.0


class Jumps:
    """Looks for jumps on the way: changes of speed from step to step larger than all before."""

    def __init__(self, model: Model, inputs_at: InputsAt) -> None:
        self._model, self._inputs_at = model, inputs_at
        self._last: tuple[float, Array] | None = None  # when a step began, and rates in it
        self._fastest = self._largest = 0.0
        self.remarks: list[str] = []

    def see(self, begin: float, end: float, before: Inputs, after: Inputs) -> None:
        """Take a step between two times [s] into account."""
        if before is after and self._last is None:  # they are constant
            return
        rates = before.change(after) / (end - begin)
        self._fastest = max([self._fastest, *sizes(self._model, rates).values()])
        if self._last is not None:
            start, slower = self._last
            change = max(sizes(self._model, rates - slower).values(), default=0.0)
            least = max(JUMP / (end - begin), STRUCK * self._fastest, RECORD * self._largest)
            if change > least:
                self._look(start, end)
            self._largest = max(self._largest, change)
        self._last = (begin, rates)

    def _look(self, begin: float, end: float) -> None:
        """Look closer and closer where the speed changes most."""
        first = last = _Bend("", begin, 0.0)
        width = end - begin
        for i in range(LOOKED):
            last = _bend(self._model, self._inputs_at, last.t, width)
            width *= 0.5
            first = last if i == 0 else first
        if last.size < KEPT * first.size:
            return
        when = f"{last.t + 0.5 * width:.4g} s"
        if last.size > GROWN * first.size:
            self.remarks.append(_jumps([last.label], f"at t = {when}"))
        else:
            self.remarks.append(
                f"input {last.label!r} changes its speed at once at t = {when}, which strikes the "
                "robot and lets it ring: let its speed grow, as samples (times, values) do"
            )


class _Bend(NamedTuple):
    """Where a speed changes most: of which input, from when on [s], and by how much [1/s]."""

    label: str
    t: float
    size: float


def _bend(model: Model, inputs_at: InputsAt, begin: float, width: float) -> _Bend:
    """The half of a time in whose middle the speed of an input changes most."""
    h = 0.25 * width
    values = [inputs_at(begin + k * h) for k in range(5)]
    rates = [a.change(b) / h for a, b in pairwise(values)]
    return max(
        (
            _Bend(label, begin + k * h, size)
            for k in range(3)
            for label, size in sizes(model, rates[k + 1] - rates[k]).items()
        ),
        key=lambda bend: bend.size,
    )


def _jumps(labels: list[str], when: str) -> str:
    """A sentence on inputs that jump."""
    return (
        f"input {', '.join(map(repr, labels))} jumps {when}, which asks for endless forces: let it "
        "begin where the robot is, and go smoothly"
    )


def jump_remarks(model: Model, before: Inputs | None, after: Inputs, when: str) -> list[str]:
    """A sentence on what inputs move at once.

    Args:
        model: the robot.
        before: inputs; None for those of the unloaded robot, whose tendons are as long as it is.
        after: those a moment later.
        when: that is.
    """
    if before is None:
        before = after.changed(dict.fromkeys(_rigid(model), 0.0))
    found = [label for label, way in _ways(model, before, after).items() if way > JUMP]
    return [_jumps(found, when)] if found else []


def speed_remarks(tracks: Tracks, flow: Flow, rates: Array, h: float) -> list[str]:
    """A sentence on what inputs move at once at a speed that it had not.

    Args:
        tracks: of the robot.
        flow: where it begins.
        rates: of all inputs there, (n_values,).
        h: length of a first step [s].
    """
    model, before = tracks.moving.model, tracks.input_rates(flow)
    old, new, jumps = (sizes(model, x) for x in (before, rates, rates - before))
    known = set(jumps) - (set(_rigid(model)) if flow.rates[0].any() else set())
    found = [
        x for x in jumps if x in known and jumps[x] > max(JUMP / h, STRUCK * max(old[x], new[x]))
    ]
    if not found:
        return []
    return [
        f"input {', '.join(map(repr, found))} begins at once with a speed that the robot has not, "
        "which strikes it and lets it ring: let the speed grow from that of the robot, as "
        "0.5 * a * t**2 does from rest, or give all parts theirs with velocity="
    ]


def jump_between(model: Model, inputs_at: InputsAt, begin: float, end: float) -> list[str]:
    """A sentence if there is a jump between two times [s]: where they differ most, ever closer."""
    for _ in range(HALVINGS):
        middle = 0.5 * (begin + end)
        first, second = (
            max(_ways(model, inputs_at(a), inputs_at(b)).values(), default=0.0)
            for a, b in ((begin, middle), (middle, end))
        )
        begin, end = (begin, middle) if first > second else (middle, end)
    return jump_remarks(model, inputs_at(begin), inputs_at(end), f"at t = {begin:.6g} s")


def _ways(model: Model, before: Inputs, after: Inputs) -> dict[str, float]:
    """How far inputs move what they move, in rotation [rad] and relative to the length."""
    change = before.change(after)
    found = sizes(model, change)
    for tube in model.tubes:
        name = f"{tube}.insertion"
        found[name] = float(abs(change[model.inputs[name].begin])) / model.length
    return found


def _rigid(model: Model) -> list[str]:
    """Tendons of given length that do not stretch."""
    tendons = model.robot.tendons
    return [x.name for x in tendons if x.drive == "length" and x.stiffness is None]


def sizes(model: Model, change: Array) -> dict[str, float]:
    """The same by a change of inputs or by their rates; of tubes that are pushed nothing.

    Tendons that do not stretch move the robot by what they are shortened, and leave it alone where
    they are given more.
    """
    found = {}
    for mover in model.movers:
        twist = np.abs(mover.twist(change))
        found[mover.joint.label] = float(max(twist[:3].max(), twist[3:].max() / model.length))
    for name in _rigid(model):
        found[name] = max(0.0, float(change[model.inputs[name].begin])) / model.length
    return found
