"""What inputs may be: the numbers that are chosen, their bounds, and how far they may change.

A pose whose steps are limited is chosen by its screw from where they are counted from, T₀ exp(x),
so that limits of x are bounds; any other by twists in its own frame.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError, UnknownName, show
from flexura.lie import se3
from flexura.model.inputs import Input, Inputs
from flexura.model.model import Model
from flexura.solve.inverse import limits_kernels as kernels
from flexura.typing import Array, ArrayLike, Indices, Matrix, frozen, real_numbers

# A bound holds that is this near, relative to its size, or to the second of the range.
TOUCHING, ROUNDED = 1e-9, 1e-13
# How kernels tell them apart.
SIDES = ("", "lower", "upper")


@dataclass(frozen=True, eq=False)
class Choice:
    """The numbers that are chosen.

    Attributes:
        begin: the inputs that steps are counted from.
        names: of their inputs.
        places: where they are in a change of all inputs, (n,).
        plain: which of them are no twists of poses, (n,).
        labels: how each number is called.
        least, most: bounds, (n,).
        stride: how far each may be from its value at the start, (n,).
        kind: a number for each kind of them, such as all tensions, (n,).
        large: a change of each that is large for any robot, where that is known: 1 rad, or the
            longest rod; else infinite, (n,).
    """

    begin: Inputs
    names: tuple[str, ...]
    places: Indices
    plain: NDArray[np.bool_]
    labels: tuple[str, ...]
    least: Array
    most: Array
    stride: Array
    kind: Indices
    large: Array

    def begun(self, inputs: Inputs) -> "Choice":
        """The same with steps counted from other inputs."""
        _ = self.limited, self._units, self._bounded, self._near  # found once for all
        other = object.__new__(Choice)
        vars(other).update(vars(self), begin=inputs)
        return other

    def changed(self, here: Inputs, change: Array) -> Inputs:
        """Inputs after a change of the numbers, (n,), within their limits."""
        whole = np.zeros(here.table.n_values)
        whole[self.places] = change
        for own in self.limited:
            at = self.begin.change(here)[self.places[own]]
            end = np.clip(at + change[own], -self.stride[own], self.stride[own])
            whole[self.places[own]] = se3.log(se3.exp(-at) @ se3.exp(end))
        values = here.moved(whole).values.copy()
        kernels.confine(values, *self._bounded)
        return Inputs(here.table, frozen(values))

    def ways(self, here: Inputs) -> Matrix:
        """Changes of all inputs by one of each number, (n_values, n)."""
        if not self.limited:
            return self._units
        found, gone = self._units.copy(order="F"), self.begin.change(here)[self.places]
        for own in self.limited:
            found[np.ix_(self.places[own], own)] = se3.dexp(gone[own])
        return found

    def between(self, here: Inputs, there: Inputs) -> Array:
        """How far the numbers are from those of other inputs, (n,)."""
        found = here.change(there)[self.places]
        for own in self.limited:
            place = self.places[own]
            found[own] = self.begin.change(there)[place] - self.begin.change(here)[place]
        return found

    @cached_property
    def limited(self) -> list[Indices]:
        """Of each pose whose steps are limited, where its six numbers are."""
        poses = np.flatnonzero(~self.plain).reshape(-1, 6)
        return [own for own in poses if np.isfinite(self.stride[own]).any()]

    @cached_property
    def _units(self) -> Matrix:
        return self.begin.table.units(self.places)

    @cached_property
    def _near(self) -> Array:
        """How near numbers are to least and most that hold, (2, n)."""
        return np.stack([_touching(self.least, self.most), _touching(self.most, self.least)])

    @cached_property
    def _bounded(self) -> tuple[Indices, Array, Array]:
        """Places and bounds of all that are no twists."""
        return self.places[self.plain], self.least[self.plain], self.most[self.plain]

    def room(self, here: Inputs) -> tuple[Array, Array]:
        """How much each number may fall and rise, (n,) each, from zero down and up."""
        low, high = np.empty((2, len(self.places)))
        kernels.room(
            here.values, self.begin.change(here), self.places, self.plain, self.least, self.most,
            self.stride, low, high,
        )  # fmt: skip
        return low, high

    def active(self, here: Inputs) -> dict[str, str]:
        """Limits that hold, and which of the two."""
        found, held = np.empty((2, len(self.places)), dtype=np.int64), dict[str, str]()
        count = kernels.touching(
            here.values, self.begin.change(here), self.places, self.plain, self.least, self.most,
            self._near, self.stride, TOUCHING, found,
        )  # fmt: skip
        if not count:  # most often
            return held
        for label, bound, step in zip(self.labels, *found.tolist(), strict=True):
            if bound:
                held[label] = SIDES[bound]
            if step:
                held[f"{label}.step"] = SIDES[step]
        return held


def _large(model: Model, entry: Input) -> Array:
    """Changes that are large for any robot, of the numbers of an input."""
    if entry.manifold == "pose":
        return np.repeat([1.0, model.length], 3)
    if entry.loads:
        return np.full(_count(entry), inf)
    return np.full(_count(entry), 1.0 if entry.begin in model.angles else model.length)


def _touching(bound: Array, other: Array) -> Array:
    """How near numbers are to bounds that hold, (n,)."""
    wide = np.abs(other - bound)
    near = TOUCHING * np.abs(bound) + ROUNDED * np.where(np.isfinite(wide), wide, 0.0)
    return np.where(np.isfinite(bound), near, -inf)


def read_choice(
    model: Model,
    using: Iterable[str] | None,
    bounds: Mapping[str, ArrayLike] | None,
    steps: Mapping[str, ArrayLike] | None,
) -> Choice:
    """Which numbers are chosen, and within which limits.

    Raises:
        UnknownName: for names that are no inputs.
        ModelError: for bounds that cross, or of the wrong size, or of poses; for nothing to choose.
    """
    names = _names(model, using)
    for what, given in (("bounds", bounds), ("steps", steps)):
        if given is not None and not isinstance(given, Mapping):
            raise ModelError(f"{what} must be a dict of inputs, got {show(given)}")
        for name in given or {}:
            if name not in names:
                raise UnknownName(f"input that is used, in {what},", name, names)
    least, most, stride, places, plain, large = [], [], [], [], [], []
    labels, kinds = list[str](), list[str]()
    for name in names:
        entry = model.inputs[name]
        count = _count(entry)
        low, high = _bounds(name, entry, (bounds or {}).get(name))
        least.append(low)
        most.append(high)
        stride.append(_stride(name, count, (steps or {}).get(name)))
        labels += entry.labels(name)
        kinds += [f"{entry.kind}, {entry.meaning}, {i // 3}" for i in range(count)]
        places.append(np.array(entry.directions))
        plain.append(np.full(count, entry.manifold != "pose"))
        large.append(_large(model, entry))
    return Choice(
        model.inputs.described,
        names,
        np.concatenate(places),
        np.concatenate(plain),
        tuple(labels),
        np.concatenate(least),
        np.concatenate(most),
        np.concatenate(stride),
        np.unique(kinds, return_inverse=True)[1],
        np.concatenate(large),
    )


def _names(model: Model, using: Iterable[str] | None) -> tuple[str, ...]:
    if isinstance(using, str):
        using = [using]
    if using is None:
        using = [name for name, entry in model.inputs.items() if entry.manifold == "number"]
    names = tuple(using) if isinstance(using, Iterable) else (using,)
    if not all(isinstance(name, str) for name in names):
        raise ModelError(f"using= takes a list of names of inputs, got {show(using)}")
    if not names:
        raise ModelError(
            f"inverse needs inputs to use, tendons, motors or others: one or more of "
            f"{list(model.inputs)}"
        )
    for name in names:
        if name not in model.inputs:
            raise UnknownName("input", name, model.inputs)
    if len(set(names)) < len(names):
        raise ModelError(f"an input may be used once, got {list(names)}")
    return names


def _count(entry: Input) -> int:
    return len(entry.directions)


def _bounds(name: str, entry: Input, given: ArrayLike | None) -> tuple[Array, Array]:
    """Least and largest values of the numbers of an input."""
    count = _count(entry)
    low, high = (np.full(count, bound) for bound in entry.bounds)
    if given is None:
        return low, high
    if entry.manifold == "pose":
        raise ModelError(f"input {name!r} is a pose, which has no bounds: limit its steps=")
    try:
        least, most = given  # type: ignore[misc, str-unpack]
        own_low = np.broadcast_to(real_numbers(-inf if least is None else least), (count,))
        own_high = np.broadcast_to(real_numbers(inf if most is None else most), (count,))
    except (TypeError, ValueError):
        raise ModelError(
            f"bounds of {name!r} must be two numbers, least and most, None for no bound"
            + (f", or two times {count} of them" if count > 1 else "")
            + f"; got {show(given)}"
        ) from None
    if np.isnan(own_low).any() or np.isnan(own_high).any() or (own_low > own_high).any():
        raise ModelError(f"bounds of {name!r} must not cross, least first; got {show(given)}")
    if (own_low > high).any() or (own_high < low).any():
        raise ModelError(
            f"bounds of {name!r} leave nothing: it takes {entry.meaning} from {low[0]:g} to "
            f"{high[0]:g}; got {show(given)}"
        )
    return np.maximum(low, own_low), np.minimum(high, own_high)


def _stride(name: str, count: int, given: ArrayLike | None) -> Array:
    """How far the numbers of an input may change."""
    if given is None:
        return np.full(count, inf)
    try:
        found = np.broadcast_to(real_numbers(given), (count,))
    except (TypeError, ValueError):
        found = np.full(count, np.nan)
    if not (found > 0.0).all():
        raise ModelError(f"steps of {name!r} must be a number > 0, got {show(given)}")
    return np.array(found)
