"""Results in columns, for tables."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from flexura.lie import so3
from flexura.model.inputs import Manifold
from flexura.model.model import Model
from flexura.typing import Array, Pose

Column: TypeAlias = NDArray[Any]  # (n,): numbers, texts, or True, False and None


class Tabled(Protocol):
    """A result, as far as tables ask it; what else they take of it are numbers."""

    @property
    def model(self) -> Model:
        """The robot."""

    @property
    def inputs(self) -> Mapping[str, Array]:
        """Values of its inputs."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """What else there is to know."""

    def pose(self, frame: str) -> Pose:
        """Pose of a frame."""

    def tension(self, tendon: str) -> float:
        """Tension of a tendon [N]."""

    def tendon_length(self, tendon: str) -> float:
        """Length of a tendon [m]."""

    def torque(self, driven: str) -> float:
        """What a motor or a driven joint exerts."""

    def coordinate(self, joint: str) -> float:
        """Coordinate of a joint that moves freely."""


def columns(results: Sequence[Tabled]) -> dict[str, Column]:
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


def _inputs(results: Sequence[Tabled]) -> Iterator[tuple[str, Column]]:
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


def _endings(results: Sequence[Tabled]) -> dict[str, Column]:
    """How each solve ended."""

    def of(name: str) -> list[Any]:
        return [getattr(result, name) for result in results]

    names = ("iterations", "load_steps", "load_factor", "residual", "energy")
    return {
        "status": np.array([str(status) for status in of("status")], dtype=object),
        "converged": np.array(of("converged")),
        "stable": np.array(of("stable"), dtype=object),
        **{name: np.array(of(name)) for name in names},
        "remarks": np.array(["; ".join(result.remarks) for result in results], dtype=object),
    }


def _answers(results: Sequence[Tabled]) -> Iterator[tuple[str, Column]]:
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
