"""What is unknown, as the user says it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from flexura.errors import ModelError, UnknownName, show
from flexura.model.inputs import TWIST
from flexura.model.model import Model
from flexura.robot.observation import Observation
from flexura.solve.calibration.unknown import (
    Described,
    Driven,
    Unknown,
    asked,
    driven,
    offset,
)
from flexura.typing import Array


def described(guesses: Mapping[str, Array]) -> list[Unknown]:
    """Unknown numbers of the description."""
    found = list[Unknown]()
    for name, value in guesses.items():
        if value.shape == (4, 4):
            labels, numbers = tuple(f"{name}.{x}" for x in TWIST), tuple(range(6))
        else:
            labels = tuple(f"{name}.{i}" for i in range(value.size)) if value.shape else (name,)
            numbers = ()
        found.append(Described(name, labels, value, numbers))
    return found


def driven_inputs(
    model: Model, observations: Sequence[Observation], inputs: object, each: object, offsets: object
) -> list[Unknown]:
    """Unknown inputs and offsets of them."""
    table = model.inputs
    found = [driven(table, name, guess, None) for name, guess in asked("inputs", inputs).items()]
    for name, guess in asked("each", each).items():
        found += [driven(table, name, guess, i) for i in range(len(observations))]
    for unknown in found:
        _check_not_given(unknown, observations)
    if isinstance(offsets, str) or not isinstance(offsets, Sequence):
        raise ModelError(
            f"calibrate: offsets= takes a list of inputs, or of lists of them; got {show(offsets)}"
        )
    found += [_within(offset(table, entry), model, observations) for entry in offsets]
    _check_once(found)
    return list(found)


def _within(unknown: Driven, model: Model, observations: Sequence[Observation]) -> Driven:
    """An offset that keeps inputs within what they may be."""
    lower, upper = -np.inf, np.inf
    for name in unknown.inputs:
        least, largest = model.inputs[name].bounds
        values = [float(model.read_inputs(seen.inputs).value(name)) for seen in observations]
        lower, upper = max(lower, least - min(values)), min(upper, largest - max(values))
    return replace(unknown, lower=np.array([lower]), upper=np.array([upper]))


def _check_not_given(unknown: Driven, observations: Sequence[Observation]) -> None:
    """Raise if an observation says what is unknown."""
    for i, seen in enumerate(observations):
        for name in unknown.inputs:
            if unknown.serves(i) and name in seen.inputs:
                raise ModelError(
                    f"calibrate: input {name!r} is unknown, and observation {i} gives it; leave it "
                    f"out there, or name it in offsets= if it is known but for an offset"
                )


def _check_once(unknowns: Sequence[Unknown]) -> None:
    """Raise if a number of an input is unknown twice."""
    seen = set[str]()
    for unknown in unknowns:
        for name, label in zip(unknown.names, unknown.labels, strict=True):
            if label in seen or name in seen:
                raise ModelError(f"calibrate: {label!r} is named as unknown twice")
            seen.add(label)


def bounded(unknowns: Sequence[Unknown], bounds: object) -> list[Unknown]:
    """The unknowns within the bounds that the user gives.

    Raises:
        ModelError: for bounds that cross, of poses, or that leave out the first guess.
    """
    if bounds is not None and not isinstance(bounds, Mapping):
        raise ModelError(
            "calibrate: bounds= takes a dict of names and pairs (least, largest), got "
            f"{show(bounds)}"
        )
    limits = {name: _pair(name, pair) for name, pair in (bounds or {}).items()}
    found, used = [], set[object]()
    for unknown in unknowns:
        lower, upper = (
            np.broadcast_to(x, unknown.size).copy() for x in (unknown.lower, unknown.upper)
        )
        for i, called in enumerate(zip(unknown.names, unknown.labels, strict=True)):
            for name in {unknown.name, *called} & limits.keys():
                lower[i] = max(lower[i], limits[name][0])
                upper[i] = min(upper[i], limits[name][1])
                used.add(name)
        found.append(replace(unknown, lower=lower, upper=upper))
    for name in limits:
        if name not in used:
            names = {x for unknown in unknowns for x in (unknown.name, *unknown.labels)}
            raise UnknownName("unknown to bound", name, names)
    for unknown in found:
        _check_start(unknown)
    return found


def _pair(name: object, pair: object) -> tuple[float, float]:
    """Least and largest value."""
    try:
        ends: list[Any] = list(pair)  # type: ignore[call-overload]
        least, largest = ends
        low = -np.inf if least is None else float(least)
        high = np.inf if largest is None else float(largest)
    except (TypeError, ValueError):
        low = high = np.nan
    if not low < high:
        raise ModelError(
            f"calibrate: bounds of {show(name)} must be two numbers, the least one first, None for "
            f"no bound; got {show(pair)}"
        )
    return low, high


def _check_start(unknown: Unknown) -> None:
    """Raise unless the first guess is within bounds."""
    lower, upper = np.asarray(unknown.lower), np.asarray(unknown.upper)
    if unknown.is_pose:
        if np.isfinite([lower, upper]).any():
            raise ModelError(f"calibrate: {unknown.name!r} is a pose, which takes no bounds")
        return
    start = unknown.coordinates(unknown.start)
    for label, x, least, largest in zip(unknown.labels, start, lower, upper, strict=True):
        if not least <= x <= largest:
            raise ModelError(
                f"calibrate: first guess {x:g} of {label!r} is not within its bounds, from "
                f"{least:g} to {largest:g}; give another one"
            )
