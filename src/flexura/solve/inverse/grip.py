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
from flexura.solve.derivative.tangent import Directions
from flexura.solve.inverse.apart import gap_slopes, gaps
from flexura.solve.inverse.band import Band
from flexura.solve.inverse.programme import Rows
from flexura.typing import Array, ArrayLike, Indices, Matrix, real_numbers


@dataclass(frozen=True, eq=False)
class Grips:
    """Limits of the forces of contacts: of each the sum of what presses [N].

    Attributes:
        contacts: numbers of the contacts of the robot, (k,).
        band: their limits.
    """

    contacts: Indices
    band: Band

    def now(self, result: StaticResult) -> Array:
        """The forces of an equilibrium [N], (k,)."""
        names = [(x.a, x.b) for x in result.model.robot.contacts]
        return np.array([float(result.pressing(*names[i])) for i in self.contacts.tolist()])

    def apart(self, now: Array) -> list[int]:
        """Which of them shall press and do not, of forces [N], (k,)."""
        return np.flatnonzero((now <= 0.0) & (self.band.least > 0.0)).tolist()

    def sought(self, result: StaticResult) -> Array:
        """The forces of an equilibrium [N], (k,), less than none where sides are apart."""
        now = self.now(result)
        if apart := self.apart(now):
            away = gaps(result, self.contacts[apart].tolist())
            now[apart] = -self._stiffness(result) * away
        return now

    def room(self, result: StaticResult) -> tuple[Array, Array]:
        """How much they may fall and rise [N], (k,) each."""
        now = self.sought(result)
        return self.band.least - now, self.band.most - now

    def size(self, result: StaticResult) -> float:
        """The largest of the forces that are there [N], else of those that shall be at least."""
        there = float(np.abs(self.sought(result)).max(initial=0.0))
        return there or float(self.band.least.max(initial=0.0))

    def slope(self, assembly: Assembly, result: StaticResult, directions: Directions) -> Matrix:
        """How they change along directions, (k, m)."""
        touch, multipliers = assembly.touch, directions.multipliers
        if touch is None or not len(self.contacts):
            return np.zeros((len(self.contacts), multipliers.shape[1]))
        forces = multipliers[touch.first :].reshape(-1, 3, multipliers.shape[1])
        pressing = np.einsum("ci,cim->cm", touch.normal, forces)
        own = [pressing[touch.contacts.contact == i].sum(axis=0) for i in self.contacts]
        found = np.stack(own)
        if apart := self.apart(self.now(result)):
            ways = gap_slopes(result, self.contacts[apart].tolist(), directions)
            found[apart] = -self._stiffness(result) * ways
        return found

    def _stiffness(self, result: StaticResult) -> float:
        """What a gap counts as, for its size [N/m]: about what the robot resists."""
        return self.band.unit / result.model.length

    def active(self, result: StaticResult) -> dict[str, str]:
        """Limits that hold or are broken, and which."""
        return self.band.active(self.now(result))

    def remarks(self, result: StaticResult) -> tuple[str, ...]:
        """How far forces are off their limits, a sentence for each that is."""
        found, band, now = [], self.band, self.now(result)
        for i, side, limit, off in band.off(now):
            label = band.labels[i]
            if i in self.apart(now):
                away = float(gaps(result, [int(self.contacts[i])])[0])
                found.append(
                    f"{label}: they do not touch, {away:.3g} m apart, and shall press with "
                    f"{limit:.4g} N; begin where they touch, by start= or inputs="
                )
                continue
            found.append(f"{label} presses with {now[i]:.4g} N, {off:.4g} N {side} {limit:.4g} N")
        return tuple(found)

    def broken(self, result: StaticResult) -> float:
        """By how much limits are broken in all [N]; 0 if they are kept."""
        return self.band.broken(self.now(result)) if len(self.contacts) else 0.0


def is_grip(name: object) -> bool:
    """Whether a name is that of a contact: two parts."""
    return isinstance(name, tuple) and len(name) == 2


def read_grips(
    model: Model, bounds: Mapping[Any, ArrayLike], asked: Mapping[Any, ArrayLike]
) -> Grips:
    """Limits of forces of contacts, by the names of both sides.

    Args:
        model: the robot.
        bounds: least and most.
        asked: forces that are asked for, or least and most, within the bounds.

    Raises:
        ModelError: for sides that are no contact of the robot, for limits that cross.
    """
    limits = dict[tuple[str, str], tuple[float, float]]()
    for given, read_one in ((bounds, _limits), (asked, _asked)):
        read = [(_contact(model, name), read_one(name, value)) for name, value in given.items()]
        if len(dict(read)) < len(read):
            raise ModelError(f"a contact may be named once, got {list(given)}")
        for name, (least, most) in read:
            low, high = limits.get(name, (0.0, inf))
            if max(low, least) > min(high, most):
                raise ModelError(
                    f"the force that is asked for of contact {name!r}, {least:g} to {most:g} N, is "
                    f"beyond its bounds, {low:g} to {high:g} N"
                )
            limits[name] = (max(low, least), min(high, most))
    names = [(x.a, x.b) for x in model.robot.contacts]
    numbers = np.array([names.index(name) for name in limits], dtype=np.int64)
    labels = tuple(" on ".join(name) for name in limits)
    ends = np.array(list(limits.values()), dtype=np.float64).reshape(-1, 2)
    return Grips(numbers, Band(labels, ends[:, 0], ends[:, 1], model.limp_force))


def _contact(model: Model, name: Any) -> tuple[str, str]:
    """The two sides of a contact as the robot has them."""
    names = [(x.a, x.b) for x in model.robot.contacts]
    own: tuple[str, str] = name if name in names else name[::-1]
    if own not in names:
        raise ModelError(
            f"{name!r} is no contact of {model.name!r}; its contacts are {names or 'none'}"
        )
    return own


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


def _asked(name: object, given: ArrayLike) -> tuple[float, float]:
    """Least and most of a force that is asked for; one number is both."""
    ends = _ends([given, given] if np.ndim(given) == 0 else given)
    if ends is None or ends == (0.0, inf):
        raise ModelError(
            f"the force of contact {name!r} that is asked for must be a number >= 0 [N], or two, "
            f"least and most; got {show(given)}"
        )
    return ends


def _limits(name: object, given: ArrayLike) -> tuple[float, float]:
    """Least and most of a force that is limited."""
    ends = None if np.ndim(given) == 0 else _ends(given)
    if ends is None:
        raise ModelError(
            f"bounds of the force of contact {name!r} must be two numbers >= 0 [N], least and "
            f"most, None for no bound; got {show(given)}; a force that it shall have is a target"
        )
    return ends


def _ends(given: Any) -> tuple[float, float] | None:
    """Two forces that do not cross, None or -inf for no least one; None if that is not given."""
    try:
        filled = [y if x is None else x for x, y in zip(given, (-inf, inf), strict=True)]
        low, high = real_numbers(filled).tolist()
    except (TypeError, ValueError):
        return None
    low = 0.0 if low == -inf else low
    return (low, high) if 0.0 <= low <= high and np.isfinite(low) else None
