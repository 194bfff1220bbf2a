"""Forces of contacts that are asked for, or limited: how hard two parts press on each other."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from flexura.errors import ModelError, show
from flexura.model.assemble import Assembly
from flexura.model.model import Model
from flexura.result.static import StaticResult
from flexura.solve.inverse.programme import Rows
from flexura.typing import Array, ArrayLike, Indices, Matrix, real_numbers

# Forces this close to a limit, relative to its size, are there.
TOUCHING = 1e-6


@dataclass(frozen=True, eq=False)
class Grips:
    """Limits of the forces of contacts: of each the sum of what presses [N].

    Attributes:
        contacts: numbers of the contacts of the robot, (k,).
        labels: how their limits are called.
        least, most: [N], (k,).
    """

    contacts: Indices
    labels: tuple[str, ...]
    least: Array
    most: Array

    def now(self, result: StaticResult) -> Array:
        """The forces of an equilibrium [N], (k,)."""
        names = [(x.a, x.b) for x in result.model.robot.contacts]
        return np.array(
            [
                sum(x.pressing for x in result.contacts if (x.a, x.b) == names[i])
                for i in self.contacts.tolist()
            ]
        )

    def room(self, result: StaticResult) -> tuple[Array, Array]:
        """How much they may fall and rise [N], (k,) each."""
        now = self.now(result)
        return self.least - now, self.most - now

    def slope(self, assembly: Assembly, multipliers: Matrix) -> Matrix:
        """How they change along directions, (k, m), by changes of all multipliers, (n, m)."""
        touch = assembly.touch
        if touch is None or not len(self.contacts):
            return np.zeros((len(self.contacts), multipliers.shape[1]))
        forces = multipliers[touch.first :].reshape(-1, 3, multipliers.shape[1])
        pressing = np.einsum("ci,cim->cm", touch.normal, forces)
        return np.stack([pressing[touch.contacts.contact == i].sum(axis=0) for i in self.contacts])

    def active(self, result: StaticResult) -> dict[str, str]:
        """Limits that hold or are broken, and which."""
        found = {}
        for label, low, high, near in zip(
            self.labels, *self.room(result), self._near(), strict=True
        ):
            if low > -near:
                found[label] = "lower" if low <= near else "below"
            elif high < near:
                found[label] = "upper" if high >= -near else "above"
        return found

    def broken(self, result: StaticResult) -> float:
        """By how much limits are broken in all [N]; 0 if they are kept."""
        if not len(self.contacts):
            return 0.0
        low, high = self.room(result)
        over = np.maximum(low, -high)
        return float(np.where(over > self._near(), over, 0.0).sum())

    def _near(self) -> Array:
        """How near forces are to limits that hold [N], (k,)."""
        pairs = np.abs([self.least, self.most])
        sizes = np.where(np.isfinite(pairs), pairs, 0.0).max(axis=0, initial=0.0)
        return TOUCHING * np.where(sizes > 0.0, sizes, 1.0)


def is_grip(name: object) -> bool:
    """Whether a name is that of a contact: two parts."""
    return isinstance(name, tuple) and len(name) == 2


def read_grips(model: Model, bounds: Mapping[Any, ArrayLike]) -> Grips:
    """Limits of forces of contacts, by the names of both sides.

    Raises:
        ModelError: for sides that are no contact of the robot, for limits that cross.
    """
    names = [(x.a, x.b) for x in model.robot.contacts]
    numbers, labels, limits = [], [], []
    for name, given in bounds.items():
        own = name if name in names else name[::-1]
        if own not in names:
            raise ModelError(
                f"{name!r} is no contact of {model.name!r}; its contacts are {names or 'none'}"
            )
        numbers.append(names.index(own))
        labels.append(" on ".join(own))
        limits.append(_limits(name, given))
    least, most = np.array(limits).reshape(-1, 2).T
    return Grips(np.array(numbers, dtype=np.int64), tuple(labels), least, most)


def with_grips(rows: Rows, grips: Grips, result: StaticResult, slope: Matrix | None = None) -> Rows:
    """Limits of tensions, and of forces of contacts after them."""
    if not len(grips.contacts):
        return rows
    low, high = grips.room(result)
    own = np.zeros((len(low), rows.matrix.shape[1])) if slope is None else slope
    return Rows(
        np.concatenate([rows.matrix, own]),
        np.append(rows.low, low),
        np.append(rows.high, high),
    )


def _limits(name: object, given: ArrayLike) -> tuple[float, float]:
    """Least and most of a force; one number is both."""
    none = (0.0, inf)
    try:
        both = [given, given] if np.ndim(given) == 0 else list(given)  # type: ignore[arg-type]
        filled = [y if x is None else x for x, y in zip(both, none, strict=True)]
        ends = real_numbers(filled)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        ends = np.array([np.nan, np.nan])
    if ends.shape != (2,) or not 0.0 <= ends[0] <= ends[1] or not np.isfinite(ends[0]):
        raise ModelError(
            f"the force of contact {name!r} must be a number >= 0 [N], or two, least and most; got "
            f"{show(given)}"
        )
    return float(ends[0]), float(ends[1])
