"""A path of equilibria."""

from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from flexura.errors import ModelError, NotConverged, known
from flexura.result.sequence import ResultSequence
from flexura.result.static import StaticResult
from flexura.result.table import Column
from flexura.shown import Facts
from flexura.text import counted, few
from flexura.typing import Array, Indices
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

    PART = "cut: a part of a path that went on beyond its last point"

    @property
    def reached(self) -> bool:
        """Whether the path led to the wanted value."""
        return self is PathStatus.REACHED

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, eq=False, repr=False)
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

    def __repr__(self) -> str:
        return f"Mark(λ = {self.fraction:.6g}, after point {self.index})"


@dataclass(frozen=True, eq=False, repr=False)
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
                f"continuation of {self.model.name!r}: {self.status} (input "
                f"{self.input!r}, {len(self)} points, λ = {self.fraction[-1]:.4g})"
            )
        return self

    def value(self, input: str | None = None) -> Array:
        """Values of an input along the path, as the user gives them; of the one that changes."""
        inputs = self.model.inputs
        name = known("input", self.input if input is None else input, inputs)
        return np.array([result.inputs[name] for result in self.results])

    def table(self) -> dict[str, Column]:
        """What there is to know of each point in columns, as of many results.

        The first are ``fraction``, λ, and ``unstable_modes`` (None where they are not known).
        """
        own = {"fraction": self.fraction.copy()}
        modes = {"unstable_modes": np.array(self.unstable_modes, dtype=object)}
        return {**own, **modes, **super().table()} if self.results else {}

    def _some(self, chosen: Indices) -> "EquilibriumPath":
        """A part of the path, forwards or backwards, with the marks between its points."""
        steps = np.diff(chosen)
        if not ((steps > 0).all() or (steps < 0).all()):
            raise ModelError(
                "the points of a path are chosen in their order or backwards, each once, got "
                f"{chosen.tolist()}; a list of its points may have any order"
            )
        ended = len(chosen) > 0 and chosen[-1] == len(self) - 1
        return replace(
            self,
            results=tuple(self.results[i] for i in chosen.tolist()),
            fraction=self.fraction[chosen],
            unstable_modes=tuple(self.unstable_modes[i] for i in chosen.tolist()),
            limits=_between(self.limits, chosen, ended),
            bifurcations=_between(self.bifurcations, chosen, ended),
            status=self.status if ended else PathStatus.PART,
        )

    def _facts(self) -> Facts:
        if not self.results:
            return Facts(f"EquilibriumPath without points: {self.status}", [])
        where = f"{counted(len(self), 'point')} along {self.input!r}"
        rows = [("path", f"{where}, from λ = {self.fraction[0]:.4g} to {self.fraction[-1]:.4g}")]
        for kind, marks in (("limit points", self.limits), ("bifurcations", self.bifurcations)):
            if marks:
                rows.append((kind, few(f"λ = {mark.fraction:.6g}" for mark in marks)))
        return Facts(f"EquilibriumPath of {self.model.name!r}: {self.status}", rows)


def _between(marks: tuple[Mark, ...], chosen: Indices, ended: bool) -> tuple[Mark, ...]:
    """The marks that lie between chosen points, or behind the end of the whole path."""
    found = []
    for mark in marks:
        before = chosen <= mark.index
        passed = int(np.count_nonzero(before == before[:1]))  # points on the side of the first one
        if passed < len(chosen) or (ended and before.all() and len(chosen)):
            found.append(replace(mark, index=passed - 1))
    return tuple(found)
