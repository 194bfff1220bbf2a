"""What inverse problems return: inputs that bring frames to their targets."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import overload

import numpy as np

from flexura.errors import NotConverged
from flexura.result.static import StaticResult
from flexura.result.table import Column, columns
from flexura.result.words import contacts_in_words, inputs_in_words
from flexura.robot import AnyFrame
from flexura.robot.check import flag
from flexura.shown import Facts, Shown
from flexura.text import counted
from flexura.typing import Array
from flexura.value import Value


class InverseStatus(Enum):
    """A sentence for every way a search for inputs can end."""

    REACHED = "reached: all frames are at their targets"
    CLOSEST = (
        "out of reach: no small change of the inputs within the limits brings the frames closer"
    )
    INFEASIBLE = (
        "limits broken: no small change of the inputs within their bounds brings all tensions and "
        "forces of contacts within their limits"
    )
    EXHAUSTED = (
        "not converged: the iterations ran out on the way; allow more with iterations=, or start "
        "from a nearby result"
    )
    LOST = (
        "not converged: no equilibrium found however small the change of the inputs, near a limit "
        "point or a snap; start from another result, or limit the inputs"
    )

    @property
    def converged(self) -> bool:
        """Whether all frames are at their targets."""
        return self is InverseStatus.REACHED

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, eq=False, repr=False)
class InverseResult(Shown, Value):
    """Inputs that bring frames to their targets, or as close as they come.

    Attributes:
        status: how the search ended; print it.
        result: the equilibrium with these inputs.
        using: names of the inputs that were chosen.
        error: length of all errors that are left [m]; for one position, the distance.
        errors: turn [rad] that is left (0 for positions) and distance [m], of each frame.
        active: limits that hold: the name of an input, with that of its number if it has several,
            as "pull.fx", or of a tension as "left.tension" or a change as "left.step"; and which,
            "lower" or "upper"; of tensions and contacts also those that are broken, "below" or
            "above".
        gradient: of half the squared error by the numbers of the inputs used, in their order.
        iterations: equilibria that were found on the way.
        remarks: what else to know, for example that a target is far away for its unit.
    """

    status: InverseStatus
    result: StaticResult
    using: tuple[str, ...]
    error: float
    errors: Mapping[AnyFrame, tuple[float, float]]
    active: Mapping[str, str]
    gradient: Array
    iterations: int
    remarks: tuple[str, ...] = ()

    @property
    def converged(self) -> bool:
        """Whether all frames are at their targets."""
        return self.status.converged

    @property
    def inputs(self) -> Mapping[str, Array]:
        """Values of the inputs used, then of all others that do not have their described one.

        What ``statics`` takes for this equilibrium, as the user gives it.
        """
        found = self.result.inputs
        return MappingProxyType({name: found[name] for name in (*self.using, *self._others)})

    @property
    def _others(self) -> tuple[str, ...]:
        """Inputs that were not used, with another value than is described."""
        given, described = self.result.given, self.result.model.inputs.described
        return tuple(
            name
            for name, entry in given.table.items()
            if name not in self.using
            and not np.array_equal(given.values[entry.place], described.values[entry.place])
        )

    def unwrap(self, closest: bool = False) -> "InverseResult":
        """This, if the targets are reached.

        Args:
            closest: whether the closest point will do.

        Raises:
            NotConverged: with the status, if not.
        """
        flag("unwrap", "closest", closest)
        if not (self.converged or (closest and self.status is InverseStatus.CLOSEST)):
            raise NotConverged(
                f"inverse of {self.result.model.name!r}: {self.status} (error {self.error:.3g} m)"
            )
        return self

    def _facts(self) -> Facts:
        limits = ", ".join(f"{name} ({side})" for name, side in self.active.items())
        errors = [
            f"{frame} {far:.3g} m" + (f", {turn:.3g} rad" if turn else "")
            for frame, (turn, far) in self.errors.items()
        ]
        rows = [
            ("error", "; ".join(errors)),
            ("inputs", inputs_in_words(self.inputs)),
            ("limits", limits),
            ("contacts", contacts_in_words(self.result.model, self.result.contacts)),
            ("search", counted(self.iterations, "solve")),
            *(("note", remark) for remark in (*self.remarks, *self.result.remarks)),
        ]
        title = f"InverseResult of {self.result.model.name!r}: {self.status}"
        return Facts(title, [row for row in rows if row[1]])

    def _picture(self) -> StaticResult:
        return self.result


@dataclass(frozen=True, eq=False, repr=False)
class InverseResults(Shown, Value, Sequence[InverseResult]):
    """Answers for a path of targets, in its order."""

    answers: tuple[InverseResult, ...]

    def __len__(self) -> int:
        return len(self.answers)

    @overload
    def __getitem__(self, i: int) -> InverseResult: ...

    @overload
    def __getitem__(self, i: slice) -> "InverseResults": ...

    def __getitem__(self, i: int | slice) -> "InverseResult | InverseResults":
        if isinstance(i, slice):
            return InverseResults(self.answers[i])
        return self.answers[i]

    def __iter__(self) -> Iterator[InverseResult]:
        return iter(self.answers)

    @property
    def status(self) -> tuple[InverseStatus, ...]:
        """How each search ended."""
        return tuple(one.status for one in self.answers)

    @property
    def converged(self) -> bool:
        """Whether all targets are reached."""
        return all(one.converged for one in self.answers)

    @property
    def error(self) -> Array:
        """What is left of each target [m], (n,)."""
        return np.array([one.error for one in self.answers])

    @property
    def inputs(self) -> Mapping[str, Array]:
        """Values of the inputs that answers tell, one for each target."""
        names = dict.fromkeys(name for one in self.answers for name in one.inputs)
        found = [one.result.inputs for one in self.answers]
        return MappingProxyType({name: np.array([one[name] for one in found]) for name in names})

    def table(self) -> dict[str, Column]:
        """A row for each target, for pandas: how it ended, inputs, and what the results tell."""
        if not self.answers:
            return {}
        found = columns([one.result for one in self.answers])
        own = {
            "reached": np.array([one.converged for one in self.answers]),
            "search": np.array([one.status.name for one in self.answers], dtype=object),
            "error": self.error,
            "solves": np.array([one.iterations for one in self.answers]),
            "limits": np.array([", ".join(one.active) for one in self.answers], dtype=object),
        }
        return {**own, **{f"result.{x}" if x in own else x: found[x] for x in found}}

    def unwrap(self, closest: bool = False) -> "InverseResults":
        """These, if all targets are reached.

        Args:
            closest: whether closest points will do.

        Raises:
            NotConverged: for the first that is not.
        """
        flag("unwrap", "closest", closest)
        for one in self.answers:
            one.unwrap(closest)
        return self

    def _facts(self) -> Facts:
        good = sum(one.converged for one in self.answers)
        rows = [("error", f"{self.error.max():.3g} m at most")] if self.answers else []
        failed = [i for i, one in enumerate(self.answers) if not one.converged]
        if failed:
            rows.append(("first", f"number {failed[0]}: {self.answers[failed[0]].status}"))
        return Facts(f"InverseResults: {good} of {len(self)} targets reached", rows)
