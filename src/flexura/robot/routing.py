"""Smooth routings: where a tendon runs in the cross-sections of its rods.

A rod runs along its local x axis, so that a routing gives offsets (y, z) [m]. Arc length is
measured over the chain of the tendon's rods, from the base of the first one [m].
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, TypeAlias

import numpy as np

from flexura.robot.check import BadField, assign, bad, finite, positive, vector
from flexura.robot.function import HoldsFunctions, check_importable
from flexura.robot.interpolant import Interpolant, interpolate
from flexura.typing import Array, ArrayLike

OffsetFunction: TypeAlias = Callable[[float], ArrayLike]  # arc length ↦ two numbers

# What a given derivative may miss of the function's slope, relative to the largest.
INCONSISTENT = 1e-5


@dataclass(frozen=True)
class Span:
    """A smooth piece of a routing.

    Attributes:
        begin: Arc length where it begins [m].
        end: Arc length where it ends [m].
        routing: The routing, which is smooth in between.
    """

    begin: float
    end: float
    routing: "SmoothRouting"

    def path(self, s: Array) -> tuple[Array, Array]:
        """Offsets (y, z) [m] and their slopes d(y, z)/ds [-] at arc lengths (n,), (n, 2) both."""
        return self.routing.path(self.begin, self.end, s)


@dataclass(frozen=True)
class Parallel:
    """A tendon parallel to the rod, at the offset (y, z) [m]."""

    y: float
    z: float

    def __post_init__(self) -> None:
        _check_offset(self)

    def spans(self, begin: float, end: float) -> tuple[Span, ...]:
        """The routing between two arc lengths [m], in smooth pieces."""
        return (Span(begin, end, self),)

    def path(self, begin: float, end: float, s: Array) -> tuple[Array, Array]:
        """Offsets [m] and slopes at arc lengths, (n, 2) both, of a tendon from begin to end."""
        offset = np.tile((self.y, self.z), (len(s), 1))
        return offset, np.zeros_like(offset)


@dataclass(frozen=True)
class Convergent:
    """A tendon that runs straight to the rod's axis, from the offset (y, z) [m] to (0, 0)."""

    y: float
    z: float

    def __post_init__(self) -> None:
        _check_offset(self)

    def spans(self, begin: float, end: float) -> tuple[Span, ...]:
        """The routing between two arc lengths [m], in smooth pieces."""
        return (Span(begin, end, self),)

    def path(self, begin: float, end: float, s: Array) -> tuple[Array, Array]:
        """Offsets (y, z) (1 − u) [m], where u goes from 0 to 1, and slopes, (n, 2) both."""
        start = np.array([self.y, self.z])
        slope = np.tile(-start / (end - begin), (len(s), 1))
        return np.outer((end - s) / (end - begin), start), slope


@dataclass(frozen=True)
class Helical:
    """A tendon wound around the rod's axis.

        (y, z) = radius (cos a, sin a),   a = 2π turns u + phase

    where u goes from 0 to 1 along the tendon.

    Attributes:
        radius: Distance from the axis [m].
        turns: Number of turns, also a fraction; positive turns from y to z [-].
        phase: Angle where the tendon begins [rad].
    """

    radius: float
    turns: float
    phase: float = 0.0

    def __post_init__(self) -> None:
        assign(
            self,
            radius=positive("Helical", "radius", self.radius),
            turns=finite("Helical", "turns", self.turns),
            phase=finite("Helical", "phase", self.phase),
        )

    def spans(self, begin: float, end: float) -> tuple[Span, ...]:
        """The routing between two arc lengths [m], in smooth pieces."""
        return (Span(begin, end, self),)

    def path(self, begin: float, end: float, s: Array) -> tuple[Array, Array]:
        """Offsets [m] and slopes at arc lengths, (n, 2) both, of a tendon from begin to end."""
        turning = 2.0 * math.pi * self.turns / (end - begin)
        angle = turning * (s - begin) + self.phase
        y, z = self.radius * np.cos(angle), self.radius * np.sin(angle)
        return np.stack([y, z], axis=1), turning * np.stack([-z, y], axis=1)


@dataclass(frozen=True)
class Routing(HoldsFunctions):
    """A tendon that runs as a function says.

    Attributes:
        function: s ↦ (y, z), arc length to offset [m]; smooth.
        derivative: s ↦ (dy/ds, dz/ds) [-]; None takes it from Chebyshev series of the function.
    """

    function: OffsetFunction
    derivative: OffsetFunction | None = None

    def __post_init__(self) -> None:
        for field in ("function", "derivative"):
            value = getattr(self, field)
            if not callable(value) and (field == "function" or value is not None):
                remedy = "write for example lambda s: (0.01, 0.1 * s)"
                raise bad("Routing", field, "a function of arc length", value, remedy)

    def __getstate__(self) -> dict[str, Any]:
        remedy = "or use another routing such as Parallel, Helical or Piecewise"
        for field in ("function", "derivative"):
            check_importable("Routing", field, getattr(self, field), remedy)
        return vars(self)

    def spans(self, begin: float, end: float) -> tuple[Span, ...]:
        """The routing between two arc lengths [m], in smooth pieces."""
        self._table(begin, end)  # which refuses what is not smooth
        return (Span(begin, end, self),)

    def path(self, begin: float, end: float, s: Array) -> tuple[Array, Array]:
        """Offsets [m] and slopes at arc lengths, (n, 2) both, of a tendon from begin to end."""
        if self.derivative is None:
            return self._table(begin, end)(s)
        return self._values("function", s), self._values("derivative", s)

    def _table(self, begin: float, end: float) -> Interpolant:
        """The function between two arc lengths [m], tabulated and found good once."""
        if (begin, end) not in self._tables:
            table = interpolate("Routing", "function", partial(self._value, "function"), begin, end)
            if self.derivative is not None:
                self._check_derivative(table)
            self._tables[begin, end] = table
        return self._tables[begin, end]

    @cached_property
    def _tables(self) -> dict[tuple[float, float], Interpolant]:
        """What was tabulated and found good so far, by extent."""
        return {}

    def _values(self, field: str, s: Array) -> Array:
        return np.array([self._value(field, float(x)) for x in s]).reshape(-1, 2)

    def _value(self, field: str, s: float) -> tuple[float, ...]:
        """What one of the user's functions returns at s, checked."""
        try:
            value = getattr(self, field)(s)
        except Exception as error:
            raise BadField(
                f"Routing: {field}(s) failed at s = {s:.6g} m with {type(error).__name__}: "
                f"{error}; it must return two numbers wherever the tendon runs",
                field,
            ) from error
        return vector(f"Routing at s = {s:.6g} m", field, value, (2,))

    def _check_derivative(self, table: Interpolant) -> None:
        """Raise unless the derivative is that of the function."""
        width = np.diff(table.edges)
        scale = table.unit / (table.edges[-1] - table.edges[0])
        for fraction in (0.13, 0.5, 0.87):
            s = table.edges[:-1] + fraction * width
            slope, given = table(s)[1], self._values("derivative", s)
            allowed = INCONSISTENT * max(scale, np.abs(slope).max()) + table.slope_error
            wrong = np.flatnonzero((np.abs(given - slope) > allowed[:, None]).any(axis=1))
            if wrong.size:
                i = wrong[0]
                raise BadField(
                    f"Routing: derivative must be that of function, whose slope at s = {s[i]:.6g} "
                    f"m is {pair(slope[i])}, got {pair(given[i])}; correct it or leave it out",
                    "derivative",
                )


SmoothRouting: TypeAlias = Parallel | Convergent | Helical | Routing


def pair(values: Array) -> str:
    """Two numbers for a message."""
    return "({:.6g}, {:.6g})".format(*values)


def _check_offset(routing: Parallel | Convergent) -> None:
    for field in ("y", "z"):
        value = finite(type(routing).__name__, field, getattr(routing, field))
        assign(routing, **{field: value})
