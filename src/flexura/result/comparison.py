"""Measurements beside what a model says."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from flexura.errors import UnknownName
from flexura.lie import so3
from flexura.result.many import StaticResults
from flexura.result.static import StaticResult
from flexura.robot import FrameLike
from flexura.robot.observation import KINDS, Observation
from flexura.shown import Facts, Shown
from flexura.text import counted
from flexura.typing import Array, Pose, frozen
from flexura.value import Value

UNITS = {"position": "m", "rotation": "rad", "length": "m", "tension": "N"}


class Beside(NamedTuple):
    """Some numbers of an observation.

    Attributes:
        kind: of measurement.
        of: frame or tendon.
        measured: (n,); a rotation as the rotation vector of what was measured.
        residual: what the model says less what was measured, (n,).
    """

    kind: str
    of: FrameLike
    measured: Array
    residual: Array


def beside(observation: Observation, result: StaticResult, registration: Pose) -> Iterator[Beside]:
    """What was measured, and how far a model is from it, in the order of the observation.

    Args:
        observation: what was measured.
        result: what the model says.
        registration: pose of the world in the measuring system.
    """
    for kind, of, seen in observation.measured:
        yield Beside(kind, of, seen, _off(kind, of, seen, result, registration))


def _off(kind: str, of: FrameLike, seen: Array, result: StaticResult, registration: Pose) -> Array:
    """What the model says less what was measured, (n,)."""
    if kind == "length":
        return np.asarray(result.tendon_length(str(of)) - seen)
    if kind == "tension":
        return np.asarray(result.tension(str(of)) - seen)
    T = registration @ result.pose(of)
    if kind == "position":
        return np.asarray(T[:3, 3] - seen)
    return so3.log(so3.exp(seen).T @ T[:3, :3])


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Shown, Value):
    """Observations beside the equilibria of a model.

    Attributes:
        observations: what was measured.
        results: what the model says, one for each.
        registration: pose of the world in the measuring system, 4x4.
    """

    observations: tuple[Observation, ...]
    results: StaticResults
    registration: Pose

    def __len__(self) -> int:
        return len(self.observations)

    @cached_property
    def _beside(self) -> list[list[Beside]]:
        pairs = zip(self.observations, self.results, strict=True)
        return [list(beside(seen, result, self.registration)) for seen, result in pairs]

    @cached_property
    def residuals(self) -> tuple[Array, ...]:
        """What the model says less what was measured, of each observation.

        In the order positions, poses (rotation vector in the frame's own axes, then position),
        lengths, tensions; NaN for what was not measured.
        """
        return tuple(frozen(np.concatenate([x.residual for x in row])) for row in self._beside)

    @property
    def rms(self) -> Mapping[str, float]:
        """Root mean square of the residuals of each kind [m, rad, m, N], over their numbers."""
        found = {}
        for kind in KINDS:
            own = [x.residual for row in self._beside for x in row if x.kind == kind]
            if own:
                found[kind] = float(np.sqrt(np.nanmean(np.concatenate(own) ** 2)))
        return found

    def distances(self, frame: FrameLike) -> Array:
        """How far a frame is from where it was measured [m], (n,); NaN where it was not."""
        found = np.full(len(self), np.nan)
        for i, row in enumerate(self._beside):
            for x in row:
                if x.kind == "position" and x.of == frame:
                    found[i] = np.linalg.norm(x.residual)
        if np.isnan(found).all():
            measured = {str(x.of) for row in self._beside for x in row if x.kind == "position"}
            raise UnknownName("measured position of a frame", str(frame), measured)
        return found

    def table(self) -> dict[str, Array]:
        """A row for each number, for pandas: observation, kind, of, number, measured, residual."""
        rows = [
            (i, x.kind, str(x.of), number, x.measured[number], x.residual[number])
            for i, row in enumerate(self._beside)
            for x in row
            for number in range(len(x.residual))
        ]
        names = ("observation", "kind", "of", "number", "measured", "residual")
        kinds = (np.int64, object, object, np.int64, np.float64, np.float64)
        columns = zip(*rows, strict=True)
        return {
            name: np.array(column, dtype=kind)
            for name, column, kind in zip(names, columns, kinds, strict=True)
        }

    def _facts(self) -> Facts:
        return Facts(
            f"Comparison of {self.results.model.name!r} with {counted(len(self), 'observation')}",
            residuals_in_words(self),
        )


def residuals_in_words(compared: Comparison) -> list[tuple[str, str]]:
    """How far the model is from what was measured."""
    found = [
        (kind, f"{size:.3g} {UNITS[kind]} off, root mean square of each number")
        for kind, size in compared.rms.items()
    ]
    failed = int((~compared.results.converged).sum())
    return [*found, *([("failed", f"{failed} of {len(compared)} solves")] if failed else [])]
