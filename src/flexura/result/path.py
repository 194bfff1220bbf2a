"""A path of equilibria."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

import numpy as np

from flexura.errors import NotConverged, UnknownName
from flexura.result.many import StaticResults
from flexura.result.static import StaticResult
from flexura.robot import FrameLike
from flexura.typing import Array, ArrayLike, Pose, Strain, Wrench, frozen


class PathStatus(Enum):
    """A sentence for every way a path can end."""

    REACHED = "reached: the input has the wanted value"
    STEPS = "stopped: the steps ran out before the wanted value; allow more with steps="
    LIMIT = (
        "stopped: no equilibrium found near the last one for a larger part of the change, a limit "
        "point; pass it with arc_length=True"
    )
    LOST = (
        "stopped: no equilibrium found near the last one however small the step, at a bifurcation "
        "or a motion without resistance; hold the robot, or start beyond it"
    )
    CLOSED = "stopped: the path came back to where it began, without the wanted value on its way"
    LEAST = "stopped: the path leads to values of the input below the least one that it can have"
    COARSE = (
        "stopped: an element of a rod turns by more than its description can tell; use more spans "
        "or elements"
    )

    @property
    def reached(self) -> bool:
        """Whether the path led to the wanted value."""
        return self is PathStatus.REACHED

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, eq=False)
class Mark:
    """A limit point or a bifurcation; a path may start from it.

    Attributes:
        fraction: λ there.
        index: number of the last point of the path before it.
        result: the equilibrium.
    """

    fraction: float
    index: int
    result: StaticResult


@dataclass(frozen=True, eq=False)
class EquilibriumPath:
    """Equilibria while one input changes; queries stack along the path as in ``StaticResults``.

    Attributes:
        input: name of the input that changes.
        results: the points of the path; ``path[i]`` is the i-th.
        fraction: λ of each, 0 for the first value of the input and 1 for the wanted one, (n,).
        unstable_modes: number of directions in which each is unstable, None where the tangent
            cannot tell (loads without a potential, rounding).
        limits: where λ turns around.
        bifurcations: where the number of unstable modes changes elsewhere, or, where that is not
            known, whether it is odd: other paths cross.
        status: how the path ended; print it.
    """

    input: str
    results: tuple[StaticResult, ...]
    fraction: Array
    unstable_modes: tuple[int | None, ...]
    limits: tuple[Mark, ...]
    bifurcations: tuple[Mark, ...]
    status: PathStatus

    def __post_init__(self) -> None:
        frozen(self.fraction)

    def __len__(self) -> int:
        return len(self.results)

    def __getitem__(self, index: int) -> StaticResult:
        return self.results[index]

    def __iter__(self) -> Iterator[StaticResult]:
        return iter(self.results)

    @property
    def reached(self) -> bool:
        """Whether the input has the wanted value at the end."""
        return self.status.reached

    @cached_property
    def points(self) -> StaticResults:
        """The results, to be asked together."""
        return StaticResults(self.results)

    @property
    def stable(self) -> tuple[bool | None, ...]:
        """Whether each is stable, None where it cannot be told."""
        return self.points.stable

    @property
    def energy(self) -> Array:
        """Elastic energy of each [J], (n,)."""
        return self.points.energy

    def unwrap(self) -> "EquilibriumPath":
        """This path, if it reached its end.

        Raises:
            NotConverged: with the status, if it did not.
        """
        if not self.reached:
            raise NotConverged(
                f"continuation of {self.results[0].model.name!r}: {self.status} (input "
                f"{self.input!r}, {len(self)} points, λ = {self.fraction[-1]:.4g})"
            )
        return self

    def value(self, input: str | None = None) -> Array:
        """Values of an input along the path, as the user gives them; of the one that changes."""
        name = self.input if input is None else input
        inputs = self.results[0].model.inputs
        if name not in inputs:
            raise UnknownName("input", name, inputs)
        return np.array([result.inputs[name] for result in self.results])

    def pose(self, frame: FrameLike, s: ArrayLike | None = None) -> Pose:
        """Poses of a frame, or of a rod at arc lengths, (n, ..., 4, 4)."""
        return self.points.pose(frame, s)

    def strain(self, rod: str, s: ArrayLike) -> Strain:
        """Strains of a rod at arc lengths s [m], (n, ..., 6)."""
        return self.points.strain(rod, s)

    def internal_wrench(self, rod: str, s: ArrayLike) -> Wrench:
        """Wrenches that a rod carries at arc lengths s [m], (n, ..., 6)."""
        return self.points.internal_wrench(rod, s)

    def tension(self, tendon: str) -> Array:
        """Tensions of a tendon [N], (n,)."""
        return self.points.tension(tendon)

    def tendon_length(self, tendon: str) -> Array:
        """Lengths of a tendon [m], (n,)."""
        return self.points.tendon_length(tendon)

    def __str__(self) -> str:
        lines = [f"{self.results[0].model.name}: {self.status}"]
        lines.append(f"  {len(self)} points along {self.input!r}, λ = {self.fraction[-1]:.4g}")
        for kind, marks in (("limit point", self.limits), ("bifurcation", self.bifurcations)):
            lines += [f"  {kind} at λ = {mark.fraction:.6g}" for mark in marks]
        return "\n".join(lines)
