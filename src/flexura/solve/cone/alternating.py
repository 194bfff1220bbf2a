"""Alternating directions on the cone problem of contacts with friction, where W is definite.

    λ minimises ½ λᵀ W λ + (b + s)ᵀ λ over the cones,    s = μ |w_t| n of the gaps w = b + W λ

is De Saxcé's problem of ``coulomb``. Of two copies of λ, one solves a linear system, the other is
projected onto the cones, and z = w + s draws them together with a stiffness ρ, so that all that is
needed of W is an inverse for each ρ [Boyd2011]; s follows a bit in each sweep, and ρ is changed
where one of both errors is far ahead of the other [Carpentier2024]. That gets near from any guess,
however many contacts hold the same motions; Newton's method goes on from there.
"""

import math

import numpy as np

from flexura.solve.cone import alternating_kernels as kernels
from flexura.solve.cone.rows import Rows
from flexura.typing import Array, Matrix

# Sweeps between looks at ρ, by how much errors may differ, and the factor by which ρ changes then,
# a power of two, so that it comes back to what it was.
LOOK, APART, FACTOR = 10, 10.0, 4.0
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
        self._rho = max(typical, LEAST * largest)
        self._w = self._W @ self._y + self._b
        n = rows.normal
        self._aside = rows.friction * np.hypot(self._w[n + 1], self._w[n + 2])
        self._inverses: dict[float, Matrix] = {}

    @property
    def found(self) -> Array:
        """λ in the cones, (n,)."""
        return self._units * self._y

    def sweep(self, count: int) -> None:
        """Go on for so many sweeps."""
        size = float(np.abs(self._b).max(initial=0.0))
        right, x = np.empty((2, len(self._b)))
        for _ in range(count // LOOK):
            now = self._y, self._w, self._aside
            apart, moved, largest = kernels.sweep(
                self._inverse(), self._b, self._rho, *self._rows, *now, right, x, LOOK
            )
            apart, change = apart * size, self._rho * moved * largest
            if max(apart, change) > APART * min(apart, change):
                self._rho *= FACTOR if apart > change else 1.0 / FACTOR

    def _inverse(self) -> Matrix:
        """(W + ρ)⁻ᵀ."""
        found = self._inverses.get(self._rho)
        if found is None:
            own = self._W.T + self._rho * np.eye(len(self._b))
            found = self._inverses[self._rho] = np.ascontiguousarray(np.linalg.inv(own))
        return found


def _units(W: Matrix, rows: Rows) -> Array:
    """Multipliers for which each row, or all three of a contact, gives by about one, (n,)."""
    gives, n = np.abs(np.diag(W)), rows.normal
    found = np.ones(len(W))
    found[rows.single] = gives[rows.single]
    for k in range(3):
        found[n + k] = (gives[n] + gives[n + 1] + gives[n + 2]) / 3.0
    return np.asarray(1.0 / np.sqrt(np.where(found > 0.0, found, 1.0)))
