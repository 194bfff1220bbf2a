"""Equilibria under many inputs, in parallel threads."""

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeAlias

import numpy as np

from flexura.errors import ModelError, known, show
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.progress import Progress
from flexura.result.many import StaticResults
from flexura.result.static import StaticResult
from flexura.robot.check import check_count, flag
from flexura.solve.statics import solve_inputs
from flexura.typing import Array, ArrayLike, real_numbers

# Inputs that follow each other and are solved by one thread, each from the nearest one before it.
# It does not depend on the number of threads, and so neither do the results.
CHUNK = 32

ManyInputs: TypeAlias = ArrayLike | Mapping[str, ArrayLike] | Sequence[Mapping[str, ArrayLike]]


def statics_many(
    model: Model,
    inputs: ManyInputs,
    warm: bool = True,
    threads: int | None = None,
    progress: bool | None = None,
) -> StaticResults:
    """Find equilibria for many inputs.

    Args:
        model: what ``build`` returned.
        inputs: an array (n, m) with a column for each tendon, in the order of the robot; or a
            dict of names and arrays whose first axis counts the solves (a value without that axis
            serves for all); or a list of dicts, one for each solve.
        warm: whether to start from the nearest result among the last ones, where that is nearer
            than the unloaded robot. Where a robot has several equilibria, the start decides.
        threads: how many; None is one for each core.
        progress: whether to show a progress bar; None does on a terminal.

    Returns:
        One result for each set of inputs, with a status each; a solve that fails does not stop
        the others.

    Raises:
        ModelError: for inputs that do not fit the model; nothing is solved then.
    """
    if not isinstance(model, Model):
        raise ModelError(
            f"statics_many takes the Model that build returns, got {type(model).__name__}"
        )
    flag("statics_many", "warm", warm)
    if threads is not None:
        check_count("statics_many", "threads", threads, 10_000)
    if progress is not None:
        flag("statics_many", "progress", progress)
    todo = _read(model, inputs)
    chunks = [range(i, min(i + CHUNK, len(todo))) for i in range(0, len(todo), CHUNK)]
    places = _places(model, todo)
    with (
        Progress(len(todo), "solves", progress) as bar,
        ThreadPoolExecutor(threads or os.cpu_count()) as pool,
    ):
        found = pool.map(lambda chunk: _solve(model, todo, places, chunk, warm, bar), chunks)
        return StaticResults(tuple(result for results in found for result in results))


def _solve(
    model: Model,
    todo: Sequence[Inputs],
    places: Array,
    chunk: range,
    warm: bool,
    bar: Progress,
) -> list[StaticResult]:
    """Solve one after the other, each from the nearest before it if that is nearer than no load."""
    results: list[StaticResult] = []
    good: list[int] = []
    for i in chunk:
        result = None
        if warm and good:
            away = np.linalg.norm(places[good] - places[i], axis=1)
            nearest = int(away.argmin())
            if away[nearest] < np.linalg.norm(places[i]):
                result = solve_inputs(model, todo[i], results[good[nearest] - chunk.start])
        if result is None or not result.converged or result.stable is False:
            result = solve_inputs(model, todo[i], None)
        results.append(result)
        if result.converged and result.stable:
            good.append(i)
        bar.advance()
    return results


def _places(model: Model, todo: Sequence[Inputs]) -> Array:
    """Where all inputs are, seen from the unloaded robot, in parts of their largest change.

    A number of any kind counts: of loads, tendons, pulleys, motors, joints and poses.
    """
    if not todo:
        return np.empty((0, 0))
    rest = model.inputs.described.unloaded
    change = np.array([rest.change(inputs) for inputs in todo])
    largest = np.abs(change).max(axis=0)
    return np.asarray(change / np.where(largest > 0.0, largest, 1.0))


def _read(model: Model, inputs: ManyInputs) -> list[Inputs]:
    """The inputs of each solve, checked."""
    found = []
    for number, values in enumerate(_rows(model, inputs)):
        try:
            found.append(model.read_inputs(values))
        except ModelError as error:
            raise ModelError(f"inputs number {number}: {error}") from error
    return found


def _rows(model: Model, inputs: ManyInputs) -> Sequence[Mapping[str, ArrayLike]]:
    """A dict for each solve."""
    if isinstance(inputs, Mapping):
        return _rows_of_columns(model, inputs)
    if isinstance(inputs, Sequence) and inputs and all(isinstance(x, Mapping) for x in inputs):
        return list(inputs)
    names = model.tendons.names
    try:
        table = real_numbers(inputs)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        table = np.empty(0)
    if table.ndim != 2 or table.shape[1] != len(names):
        order = ", ".join(names) or "none"
        raise ModelError(
            f"statics_many takes an array with a column for each tendon ({order}), a dict of "
            f"arrays, or a list of dicts; got {type(inputs).__name__} of shape {np.shape(table)}"
        )
    return [dict(zip(names, row, strict=True)) for row in table]


def _rows_of_columns(
    model: Model, columns: Mapping[str, ArrayLike]
) -> Sequence[Mapping[str, ArrayLike]]:
    """Columns with a first axis that counts the solves, and values that serve for all."""
    counted: dict[str, Array] = {}
    constant: dict[str, ArrayLike] = {}
    for name, value in columns.items():
        entry = model.inputs[known("input", name, model.inputs)]
        try:
            values = real_numbers(value)
        except (TypeError, ValueError):
            raise ModelError(f"input {name!r} takes {entry.meaning}; got {show(value)}") from None
        if values.ndim > len(entry.shape):
            counted[name] = values
        else:
            constant[name] = value
    counts = {name: len(values) for name, values in counted.items()}
    if len(set(counts.values())) != 1:
        raise ModelError(
            "the arrays of statics_many need the same first axis, one entry for each solve; got "
            f"lengths {counts or 'of none'}"
        )
    (count,) = set(counts.values())
    return [constant | {name: values[i] for name, values in counted.items()} for i in range(count)]
