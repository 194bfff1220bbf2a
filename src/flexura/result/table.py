"""Results in columns, for tables."""

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from flexura.lie import so3
from flexura.model.inputs import Manifold
from flexura.result.static import StaticResult
from flexura.typing import Array

Column: TypeAlias = NDArray[Any]  # (n,): numbers, texts, or True, False and None


def columns(results: Sequence[StaticResult]) -> dict[str, Column]:
    """Inputs, how each solve ended, and where the robot is; no columns without results."""
    if not results:
        return {}
    answers = {**_endings(results), **dict(_answers(results))}
    found: dict[str, Column] = {}
    for name, column in _inputs(results):
        while name in answers or name in found:
            name = f"input.{name}"
        found[name] = column
    return {**found, **answers}


def _inputs(results: Sequence[StaticResult]) -> Iterator[tuple[str, Column]]:
    """A column for each number of each input; a pose has six."""
    given = [result.inputs for result in results]
    for name, entry in results[0].model.inputs.items():
        values = np.array([_numbers(x[name], entry.manifold) for x in given])
        labels = entry.labels(name)
        if entry.manifold == "pose":  # places before turns
            labels = (*labels[3:], *labels[:3])
        yield from zip(labels, values.T.copy(), strict=True)


def _numbers(value: Array, manifold: Manifold) -> Array:
    """The numbers of a value of an input."""
    if manifold == "pose":
        return np.concatenate([value[:3, 3], so3.log(value[:3, :3])])
    return value.ravel()


def _endings(results: Sequence[StaticResult]) -> dict[str, Column]:
    """How each solve ended."""
    names = ("iterations", "load_steps", "load_factor", "residual", "energy")
    return {
        "status": np.array([str(result.status) for result in results], dtype=object),
        "converged": np.array([result.converged for result in results]),
        "stable": np.array([result.stable for result in results], dtype=object),
        **{name: np.array([getattr(result, name) for result in results]) for name in names},
        "remarks": np.array(["; ".join(result.remarks) for result in results], dtype=object),
    }


def _answers(results: Sequence[StaticResult]) -> Iterator[tuple[str, Column]]:
    """Where the robot is and what holds it there."""
    model = results[0].model
    for frame in model.robot.ends:
        places = np.array([result.pose(frame)[:3, 3] for result in results])
        yield from zip([f"{frame}.{axis}" for axis in "xyz"], places.T.copy(), strict=True)
    for name in model.tendons.names:
        yield f"{name}.tension", np.array([result.tension(name) for result in results])
        yield f"{name}.length", np.array([result.tendon_length(name) for result in results])
    for name in model.driven:
        yield f"{name}.torque", np.array([result.torque(name) for result in results])
    for name in model.guided:
        yield f"{name}.coordinate", np.array([result.coordinate(name) for result in results])
