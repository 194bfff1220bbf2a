"""A cord in its plane as a boundary value problem: what all descriptions are compared with.

With the angle θ of the sections above the horizontal, the moment M and the force n in the cut,
which grows by the weight w,

    (x, z)' = (1 + N/EA) t + Q/GA b,    θ' = M/EI,    M' = -(x, z)' × n,    n = n₀ + w s (0, 1),

t and b the directions along and across the section, N and Q what n has along them. The unknown n₀
is a parameter. The first guess is an elastic catenary; clamps turn its ends from there to where
they hold them, in steps. Nothing of the library takes part.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_bvp
from scipy.optimize import brentq

from flexura.typing import Array

TOLERANCE = 1e-8
MOST_NODES = 200_000
# Steps in which clamps turn the ends: the smallest one.
SMALLEST = 1e-3


@dataclass(frozen=True)
class PlanarCord:
    """A cord from the origin to a point.

    Attributes:
        length: [m].
        end: x and z of its tip [m].
        weight: of each meter [N/m].
        bending, stretching, shearing: EI [N m²], EA [N] and GA [N]; the latter may be infinite.
        clamped: whether its ends are level; else they are pinned.
    """

    length: float
    end: tuple[float, float]
    weight: float
    bending: float
    stretching: float
    shearing: float
    clamped: bool

    def places(self, s: Array) -> Array:
        """Where it hangs at arc lengths s, (n, 2) [m].

        Raises:
            RuntimeError: if it was not found.
        """
        return np.asarray(self.length * self._solution()(s / self.length)[:2].T)

    def _solution(self) -> Callable[[Array], Array]:
        """x, z, θ and M/√(EI w L) by s, lengths over L; forces over w L."""
        mesh = np.linspace(0.0, 1.0, 401)
        at, free = self._catenary(mesh)
        found = self._solve(mesh, at, free, None)
        if not found.success:
            raise RuntimeError(found.message)
        if self.clamped:
            found = self._turned(found)
        return found.sol

    def _turned(self, found):  # type: ignore[no-untyped-def]
        """The pinned cord with its ends turned until they are level."""
        ends, part, step = found.y[2, [0, -1]], 0.0, 1.0
        while part < 1.0:
            then = min(1.0, part + step)
            new = self._solve(found.x, found.y, found.p, (1.0 - then) * ends)
            if new.success:
                found, part = new, then
            elif step < SMALLEST:
                raise RuntimeError(new.message)
            else:
                step *= 0.5
        return found

    def _solve(self, mesh, at, force, ends):  # type: ignore[no-untyped-def]
        """From a guess at the nodes of a mesh; ``ends``: angles of clamps, None for pins."""
        size = self.weight * self.length
        give, slip = size / self.stretching, size / self.shearing
        limp = np.sqrt(size / self.bending) * self.length
        tip = np.array(self.end) / self.length

        def slope(s, y, n):  # type: ignore[no-untyped-def]
            cos, sin, up = np.cos(y[2]), np.sin(y[2]), n[1] + s
            along, across = 1.0 + give * (cos * n[0] + sin * up), slip * (cos * up - sin * n[0])
            x, z = along * cos - across * sin, along * sin + across * cos
            return np.array([x, z, limp * y[3], limp * (z * n[0] - x * up)])

        def held(a, b, n):  # type: ignore[no-untyped-def]
            turned = (a[3], b[3]) if ends is None else (a[2] - ends[0], b[2] - ends[1])
            return np.array([a[0], a[1], *(b[:2] - tip), *turned])

        return solve_bvp(slope, held, mesh, at, p=force, tol=TOLERANCE, max_nodes=MOST_NODES)

    def _catenary(self, s: Array) -> tuple[Array, Array]:
        """The cord without stiffness at s, and the force at its base."""
        size = self.weight * self.length
        give = size / self.stretching
        x, z = np.array(self.end) / self.length

        def tip(h: float, v: float) -> tuple[float, float]:
            across = h * (np.arcsinh((v + 1.0) / h) - np.arcsinh(v / h)) + give * h
            return across, np.hypot(h, v + 1.0) - np.hypot(h, v) + give * (v + 0.5)

        def up(h: float) -> float:
            return float(brentq(lambda v: tip(h, v)[1] - z, -1e7, 1e7, xtol=1e-15, maxiter=500))

        def missed(log_h: float) -> float:
            return float(tip(np.exp(log_h), up(np.exp(log_h)))[0] - x)

        h = float(np.exp(brentq(missed, np.log(1e-5), np.log(1e6), xtol=1e-14)))
        v = up(h)
        angle, tension = np.arctan2(v + s, h), np.hypot(h, v + s)
        way = (1.0 + give * tension) * np.array([np.cos(angle), np.sin(angle)])
        steps = 0.5 * (way[:, 1:] + way[:, :-1]) * np.diff(s)
        place = np.concatenate([np.zeros((2, 1)), np.cumsum(steps, axis=1)], axis=1)
        limp = np.sqrt(size / self.bending) * self.length
        return np.array([*place, angle, np.gradient(angle, s) / limp]), np.array([h, v])
