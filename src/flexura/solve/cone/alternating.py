"""Alternating directions on the cone problem of contacts with friction, where W is definite.

    λ minimises ½ λᵀ W λ + (b + s)ᵀ λ over the cones,    s = μ |w_t| n of the gaps w = b + W λ

is De Saxcé's problem of ``coulomb``. Of two copies of λ, one solves a linear system, the other is
projected onto the cones, and z = w + s draws them together with a stiffness ρ, so that all that is
needed of W is an inverse [Boyd2011]; s follows from one sweep to the next, and ρ is changed where
one of both errors is far ahead of the other [Carpentier2024]. That gets near from any guess,
however many contacts hold the same motions; Newton's method goes on from there.
"""

import math

import numpy as np

from flexura.solve.cone.rows import Rows
from flexura.typing import Array, Matrix

# Sweeps between looks at ρ, by how much errors may differ, and the factor by which ρ changes then.
LOOK, APART, FACTOR = 10, 10.0, 5.0
# The least ρ at first, and least eigenvalue that counts, relative to the largest one.
LEAST, VANISHING = 1e-6, 1e-12


class Alternating:
    """An iteration that may go on.

    Attributes:
        definite: whether the symmetric part of W is; else nothing is sure.
    """

    def __init__(self, W: Matrix, b: Array, rows: Rows, start: Array) -> None:
        """Begin at a guess.

        Args:
            W: compliance, (n, n).
            b: gaps without multipliers, (n,).
            rows: what each row is.
            start: a guess of λ, (n,).
        """
        self._rows, self._units = rows, _units(W, rows)
        d = self._units
        self._W, self._b = d[:, None] * W * d, d * b
        self._y = start / d
        eigenvalues = np.linalg.eigvalsh(0.5 * (self._W + self._W.T))
        least, largest = float(eigenvalues[0]), float(eigenvalues[-1])
        self.definite = least > 0.0
        typical = math.sqrt(max(least, VANISHING * largest) * largest)
        self._first = max(typical, LEAST * largest)

    @property
    def found(self) -> Array:
        """λ in the cones, (n,)."""
        return self._units * self._y

    def sweep(self, count: int) -> None:
        """Go on for so many sweeps, with ρ and the gaps begun anew."""
        n, size = self._rows.normal, float(np.abs(self._b).max(initial=0.0))
        y, rho = self._y, self._first
        w, inverse = self._W @ y + self._b, self._inverse(rho)
        for k in range(count):
            aside = self._rows.friction * np.hypot(w[n + 1], w[n + 2])
            x = inverse @ (rho * y + w - self._b)
            w[n] += aside
            projected = _project(x - w / rho, self._rows)
            w += rho * (projected - x)
            w[n] -= aside
            moved, y = projected - y, projected
            if k % LOOK == LOOK - 1:
                apart = float(np.abs(x - y).max()) * size
                change = rho * float(np.abs(moved).max()) * float(np.abs(y).max())
                if max(apart, change) > APART * min(apart, change):
                    rho *= FACTOR if apart > change else 1.0 / FACTOR
                    inverse = self._inverse(rho)
        self._y = y

    def _inverse(self, rho: float) -> Matrix:
        """(W + ρ)⁻¹."""
        return np.asarray(np.linalg.inv(self._W + rho * np.eye(len(self._b))))


def _units(W: Matrix, rows: Rows) -> Array:
    """Multipliers for which each row, or all three of a contact, gives by about one, (n,)."""
    gives, n = np.abs(np.diag(W)), rows.normal
    found = np.ones(len(W))
    found[rows.single] = gives[rows.single]
    for k in range(3):
        found[n + k] = (gives[n] + gives[n + 1] + gives[n + 2]) / 3.0
    return np.asarray(1.0 / np.sqrt(np.where(found > 0.0, found, 1.0)))


def _project(y: Array, rows: Rows) -> Array:
    """The nearest of the cones."""
    found, n, mu = np.maximum(y, 0.0), rows.normal, rows.friction
    along = np.hypot(y[n + 1], y[n + 2])
    inside, opposite = along <= mu * y[n], mu * along <= -y[n]
    pressing = (mu * along + y[n]) / (1.0 + mu * mu)
    rubbing = mu * pressing / np.where(along > 0.0, along, 1.0)
    found[n] = np.where(inside, y[n], np.where(opposite, 0.0, pressing))
    part = np.where(inside, 1.0, np.where(opposite, 0.0, rubbing))
    found[n + 1], found[n + 2] = part * y[n + 1], part * y[n + 2]
    return found
