"""Inputs as functions of time: constants, functions, samples."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
from scipy.interpolate import PchipInterpolator

from flexura.errors import ModelError, UnknownName, show
from flexura.lie import so3
from flexura.model.inputs import Input, Inputs
from flexura.model.model import Model
from flexura.typing import Array, ArrayLike, Pose, real_numbers

# Slopes of samples that differ by this part of the largest one are the same.
STRAIGHT = 1e-9
# Inputs of so many times are kept: a step asks for the same ones again and again.
RECENT = 4

Signal: TypeAlias = Callable[[float], ArrayLike]


class Schedule:
    """The inputs of a model at any time.

    Attributes:
        corners: times at which samples bend, of which long steps must not miss any [s].
    """

    def __init__(self, model: Model, inputs: Mapping[str, Any] | None, duration: float) -> None:
        """Read the inputs.

        Args:
            model: whose inputs they are.
            inputs: by name, a value, a function of the time [s], or a pair (times, values).
            duration: until when they are needed [s].

        Raises:
            ModelError: for values that are none of these, or samples that do not cover the time.
        """
        if inputs is not None and not isinstance(inputs, Mapping):
            kind = type(inputs).__name__
            raise ModelError(f"inputs must be a dict of names and values, got {kind}")
        given, table = dict(inputs or {}), model.inputs
        for name in given:
            if name not in table:
                raise UnknownName("input", name, table)
        self._signals: dict[str, Signal] = {}
        self.corners: set[float] = set()
        lengths = {tendon.name for tendon in model.robot.tendons if tendon.drive == "length"}
        for name, value in list(given.items()):
            moves = not table[name].loads or name in lengths
            signal = _signal(name, table[name], value, duration, moves)
            if signal is not None:
                self._signals[name] = signal
                self.corners.update(_corners(value))
                del given[name]
        self._constant = model.read_inputs(given)
        self._recent: dict[float, Inputs] = {}

    def at(self, t: float) -> Inputs:
        """The inputs at a time [s].

        Raises:
            ModelError: with the time, if a function returns what its input cannot be.
        """
        if not self._signals:
            return self._constant
        found = self._recent.get(t)
        if found is not None:
            return found
        values = {name: _value(name, signal, t) for name, signal in self._signals.items()}
        try:
            found = self._constant.changed(values)
        except ModelError as error:
            raise ModelError(f"at t = {t:g} s: {error}") from None
        if len(self._recent) >= RECENT:
            del self._recent[next(iter(self._recent))]
        self._recent[t] = found
        return found

    def rates(self, moment: float) -> Array:
        """How fast inputs begin, by differences in a moment [s], (n_values,): of poses twists."""
        first, *later = (self.at(k * moment) for k in (0, 1, 2))
        one, two = (first.change(x) for x in later)
        return np.asarray((4.0 * one - two) / (2.0 * moment))  # exact where they accelerate evenly


def _value(name: str, signal: Signal, t: float) -> ArrayLike:
    """What a function of time returns."""
    try:
        return signal(t)
    except ModelError:
        raise
    except Exception as error:
        raise ModelError(
            f"the function of input {name!r} fails at t = {t:g} s: {type(error).__name__}: {error}"
        ) from error


def _signal(name: str, entry: Input, value: Any, duration: float, moves: bool) -> Signal | None:
    """A function of time; None for a constant."""
    if callable(value):
        return value  # type: ignore[no-any-return]
    if isinstance(value, tuple | list) and len(value) == 2 and _is_list(value[0]):
        return _samples(name, entry, value[0], value[1], duration, moves)
    return None


def _is_list(value: Any) -> bool:
    return isinstance(value, tuple | list) or (isinstance(value, np.ndarray) and value.ndim == 1)


def _samples(
    name: str, entry: Input, times: Any, values: Any, duration: float, moves: bool
) -> Signal:
    """Samples as a function: loads go straight from one to the next, what moves goes smoothly."""
    try:
        t, given = real_numbers(times), real_numbers(values)
    except (TypeError, ValueError):
        t, given = np.empty(0), np.empty(0)
    if len(t) < 2 or t.ndim != 1 or given.shape != (len(t), *entry.shape):
        shape = " x ".join(map(str, ("n", *entry.shape)))
        raise ModelError(
            f"input {name!r} takes samples (times, values), n >= 2 times and {shape} values; got "
            f"{show(times)} and {show(values)}"
        )
    if not (np.isfinite(t).all() and (np.diff(t) > 0.0).all()):
        raise ModelError(f"input {name!r}: the times of its samples must grow, got {show(times)}")
    if t[0] > 0.0 or t[-1] < duration * (1.0 - 1e-12):
        raise ModelError(
            f"input {name!r} has samples from {t[0]:g} s to {t[-1]:g} s; they must cover the "
            f"motion, 0 to {duration:g} s"
        )
    for row in given:
        entry.read(name, row)
    if entry.manifold == "pose":
        return _poses(t, given)
    if moves:
        smooth = PchipInterpolator(t, given, axis=0)
        return lambda time: smooth(min(max(time, t[0]), t[-1]))
    flat = given.reshape(len(t), -1)
    return lambda time: np.array([np.interp(time, t, x) for x in flat.T]).reshape(entry.shape)


def _corners(value: Any) -> list[float]:
    """Times of samples at which these bend; a function has none that are known."""
    if callable(value):
        return []
    t, given = real_numbers(value[0]), real_numbers(value[1])
    slope = np.diff(given.reshape(len(t), -1), axis=0) / np.diff(t)[:, None]
    bends = np.abs(np.diff(slope, axis=0)).max(axis=1) > STRAIGHT * np.abs(slope).max(initial=0.0)
    return [float(x) for x in t[1:-1][bends]]


def _poses(t: Array, poses: Pose) -> Signal:
    """Poses through samples: smooth positions, and rotations from each sample to the next.

        R(u) = Rᵢ exp(β₁ b₁) exp(β₂ b₂) exp(β₃ b₃),    b₁ = h ωᵢ / 3,  b₃ = h ωᵢ₊₁ / 3

    with cumulative Bernstein polynomials β [Kim1995]: a cubic about an axis that stays, wherever
    it leads. Angular velocities ω at samples are those of ``PchipInterpolator``, by the turns from
    sample to sample, whose axes are the same in the frames of both.
    """
    place, turned = PchipInterpolator(t, poses[:, :3, 3]), poses[:, :3, :3]
    step = so3.log(np.swapaxes(turned[:-1], 1, 2) @ turned[1:])
    way = np.concatenate([np.zeros((1, 3)), np.cumsum(step, axis=0)])
    third = PchipInterpolator(t, way).derivative()(t) / 3.0
    h = np.diff(t)[:, None]
    first, last = h * third[:-1], h * third[1:]
    between = so3.log(so3.exp(-first) @ so3.exp(step) @ so3.exp(-last))
    parts = np.stack([first, between, last], axis=1)

    def signal(time: float) -> Pose:
        time = min(max(time, t[0]), t[-1])
        i = min(int(np.searchsorted(t, time, side="right")) - 1, len(t) - 2)
        u = (time - t[i]) / (t[i + 1] - t[i])
        beta = np.array([1.0 - (1.0 - u) ** 3, u * u * (3.0 - 2.0 * u), u**3])
        one, two, three = so3.exp(beta[:, None] * parts[i])
        found = np.eye(4)
        found[:3, :3], found[:3, 3] = turned[i] @ one @ two @ three, place(time)
        return found

    return signal
