"""A path of equilibria."""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from flexura.errors import NotConverged, UnknownName
from flexura.result.sequence import ResultSequence
from flexura.result.static import StaticResult
from flexura.typing import Array
from flexura.value import Value


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
    MOST = "stopped: the path leads to values of the input above the largest one that it can have"
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
class Mark(Value):
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
class EquilibriumPath(ResultSequence):
    """Equilibria while one input changes; queries stack along the path.

    Attributes:
        input: name of the input that changes.
        fraction: λ of each, 0 for the first value of the input and 1 for the wanted one, (n,).
        unstable_modes: number of directions in which each is unstable, None where the tangent
            cannot tell (loads without a potential, rounding).
        limits: where λ turns around.
        bifurcations: where the number of unstable modes changes elsewhere, or, where that is not
            known, whether it is odd: other paths cross.
        status: how the path ended; print it.
    """

    input: str
    fraction: Array
    unstable_modes: tuple[int | None, ...]
    limits: tuple[Mark, ...]
    bifurcations: tuple[Mark, ...]
    status: PathStatus

    @property
    def reached(self) -> bool:
        """Whether the input has the wanted value at the end."""
        return self.status.reached

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

    def __str__(self) -> str:
        lines = [f"{self.results[0].model.name}: {self.status}"]
        lines.append(f"  {len(self)} points along {self.input!r}, λ = {self.fraction[-1]:.4g}")
        for kind, marks in (("limit point", self.limits), ("bifurcation", self.bifurcations)):
            lines += [f"  {kind} at λ = {mark.fraction:.6g}" for mark in marks]
        return "\n".join(lines)
