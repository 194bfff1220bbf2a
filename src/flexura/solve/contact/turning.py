"""Tangents of contacts that turn: where both sides move, forces turn with both.

K + Bᵀ D B is the tangent, B the motions of the frames of such pairs (``touch_rows``). With what K
gives, M = K⁻¹ Bᵀ,

    (K + Bᵀ D B)⁻¹ x = K⁻¹ x - M Q B K⁻¹ x,    Q = (1 + D B M)⁻¹ D.
"""

import numpy as np

from flexura.matrix.structure import Factor
from flexura.solve.contact.problem import Problem
from flexura.solve.contact.thin import product
from flexura.typing import Array, Matrix


class ContactTangent:
    """What the tangent of a small problem gives, also where both sides of contacts move.

    Attributes:
        problem: the small problem.
        moved: (K + Bᵀ D B)⁻¹ rowsᵀ, (n_dof, n).
        still: K⁻¹ rowsᵀ, likewise.
    """

    def __init__(self, problem: Problem, factor: Factor, constraints: Matrix) -> None:
        own, self.problem = problem.touched, problem
        base = np.concatenate([constraints, own.base])
        solved = factor.solve(np.asfortranarray(base.T))
        n = len(constraints)
        self.still = np.concatenate([solved[:, :n], product(own.made, solved[:, n:].T).T], axis=1)
        self.moved = self.still
        self._turns: tuple[Matrix, Matrix, Matrix] | None = None
        D = own.turning
        if D.any() and np.isfinite(solved).all():  # else the step is none, whatever turns
            B, M = base[len(base) - len(D) :], solved[:, len(base) - len(D) :]
            Q = np.linalg.lstsq(np.eye(len(D)) + D @ product(B, M), D, rcond=None)[0]
            self._turns = M, np.asarray(Q), B
            self.moved = self.turned(self.moved)

    @property
    def turns(self) -> bool:
        """Whether D is not zero."""
        return self._turns is not None

    def hold_still(self) -> None:
        """Leave D out from now on."""
        self.moved, self._turns = self.still, None

    def turned(self, solved: Array) -> Array:
        """(K + Bᵀ D B)⁻¹ x from K⁻¹ x."""
        if self._turns is None:
            return solved
        M, Q, B = self._turns
        moves = B @ solved if solved.ndim == 1 else product(B, solved)
        return np.asarray(solved - M @ (Q @ moves))
