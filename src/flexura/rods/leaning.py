"""Cords whose ends are closer to each other than stiffness lets them hang: wider ones, bent more.

A catenary that is wide enough turns by θ₀(s). Turned and bent more all along,

    θ = α + (1 + β) θ₀,    x' = λ cos θ,    z' = λ sin θ,    λ = 1 + ε t

it leads to nearer ends, and its legs lean towards each other, without being any shorter. With
σ = a sinh u all of that is smooth in u, however sharp the bend is.
"""

from dataclasses import dataclass, replace

import numpy as np

from flexura.rods.catenary import Catenary
from flexura.rods.quadrature import gauss_rule
from flexura.typing import Array

# Panels along a cord, and points on each.
PANELS, POINTS = 64, 4
ITERATIONS, MET = 20, 1e-12
# No iteration turns the ends by more than this [rad].
REACH = 0.5


@dataclass(frozen=True)
class Leaning(Catenary):
    """A cord in its plane.

    Attributes:
        length: of it [m].
        turn: α [rad].
        more: β.
    """

    length: float
    turn: float = 0.0
    more: float = 0.0

    def places(self, s: Array) -> tuple[Array, Array]:
        """x and z at arc lengths s, from the base on [m]."""
        grid = self._grid
        ways = np.concatenate([np.zeros((1, 2)), np.cumsum(self._ways(grid[:-1], grid[1:]), 0)])
        u = self._u(s)
        panel = np.clip(np.searchsorted(grid, u, side="right") - 1, 0, PANELS - 1)
        found = ways[panel] + self._ways(grid[panel], u)
        return found[:, 0], found[:, 1]

    def angle(self, s: Array) -> Array:
        """Angle of the tangent above x [rad]."""
        return np.asarray(self.turn + (1.0 + self.more) * super().angle(s))

    def bend(self, s: Array) -> Array:
        """Curvature, by arc length at rest [1/m]."""
        return np.asarray((1.0 + self.more) * super().bend(s))

    def to(self, x: float, z: float) -> "Leaning | None":
        """The one that ends at a point; None if none was found."""
        line, grid = self, self._grid
        first = super().angle(np.array([0.0, self.length]))
        scale = max(1.0, float(np.abs(first).max()))
        for _ in range(ITERATIONS):
            ends = line._ways(grid[:-1], grid[1:]).sum(axis=0)
            missed = ends - (x, z)
            if np.abs(missed).max() <= MET * self.length:
                return line
            by_turn, by_more = line._slopes(grid)
            size = by_turn[0] * by_more[1] - by_turn[1] * by_more[0]
            if size == 0.0:
                return None
            turn = (by_more[0] * missed[1] - by_more[1] * missed[0]) / size
            more = (by_turn[1] * missed[0] - by_turn[0] * missed[1]) / size
            part = min(1.0, REACH / max(abs(turn) + scale * abs(more), 1e-300))
            line = replace(line, turn=line.turn + part * turn, more=line.more + part * more)
        return None

    @property
    def _grid(self) -> Array:
        """Ends of the panels."""
        first, last = self._u(np.array([0.0, self.length])).tolist()
        return np.linspace(first, last, PANELS + 1)

    def _u(self, s: Array) -> Array:
        return np.asarray(np.arcsinh((s - self.lowest) / self.a))

    def _ways(self, begin: Array, end: Array) -> Array:
        """From where they begin to where they end, (n, 2) [m]."""
        _, angle, weight = self._points(begin, end)
        ways = [(weight * np.cos(angle)).sum(axis=1), (weight * np.sin(angle)).sum(axis=1)]
        return np.stack(ways, axis=1)

    def _slopes(self, grid: Array) -> tuple[Array, Array]:
        """How its end moves with α, and with β."""
        first, angle, weight = self._points(grid[:-1], grid[1:])
        across = np.stack([-weight * np.sin(angle), weight * np.cos(angle)])
        return across.sum(axis=(1, 2)), (first * across).sum(axis=(1, 2))

    def _points(self, begin: Array, end: Array) -> tuple[Array, Array, Array]:
        """θ₀, θ and lengths with stretch at the points between each two u, (n, POINTS) each."""
        x, w = gauss_rule(POINTS)
        half = 0.5 * (end - begin)[:, None]
        u = begin[:, None] + half * (1.0 + x)
        first, tension = np.arctan(np.sinh(u)), self.a * np.cosh(u)
        longer = 1.0 + self.give * tension
        return first, self.turn + (1.0 + self.more) * first, half * w * tension * longer


def leaning(line: Catenary, length: float, x: float, z: float) -> Leaning | None:
    """What a catenary of a length becomes that ends elsewhere; None if none was found.

    Args:
        line: that is wide enough.
        length: of it [m].
        x: across the load where it shall end [m].
        z: against the load [m].
    """
    return Leaning(line.a, line.lowest, line.give, length).to(x, z)
