"""From equations of motion of second order to a state space, whatever has mass and whatever not.

    M z̈ + D ż + K z = B u + B₁ u̇ + B₂ ü

Motions are split into those with mass (a), those without mass that are damped (b), and the rest
(c), which follow at once: z = T_a a + T_b b + T_c c. As M and D are not negative, nothing couples a
motion of the rest to any other by them. Then, with a = α + a₂ u, b = β + b₁ u and α̇ = v + v₁ u,
derivatives of u cancel, and α, v, β are states (theory 14.6).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import block_diag, eigh, qr

from flexura.errors import ModelError
from flexura.typing import Matrix

# Entries of the diagonal of a matrix, relative to the largest, that are rounding; and eigenvalues
# of what is left, scaled to a diagonal of ones.
NONE, NOTHING = 1e-14, 1e-13


class Second(NamedTuple):
    """M, D, K, B, B₁ and B₂ of equations of motion."""

    M: Matrix
    D: Matrix
    K: Matrix
    B: Matrix
    B1: Matrix
    B2: Matrix


def as_state_space(
    of: Second, output: Matrix, feedthrough: Matrix, mixed: NDArray[np.bool_]
) -> tuple[Matrix, Matrix, Matrix, Matrix]:
    """A, B, C, D of ẋ = A x + B u, y = C x + D u, where y = output z + feedthrough u.

    Args:
        of: the equations of motion.
        output: (p, n).
        feedthrough: (p, m).
        mixed: which unknowns are combinations, see ``split``, (n,).
    """
    of, output, feedthrough, split = _without_rest(of, output, feedthrough, mixed)
    a, b = slice(None, split), slice(split, None)
    M, D, K = of.M[a, a], of.D, of.K
    a2 = np.linalg.solve(M, of.B2[a])
    force, rate = of.B - K[:, a] @ a2, of.B1 - D[:, a] @ a2
    b1 = np.linalg.solve(D[b, b], rate[b])
    force, rate = force - K[:, b] @ b1, rate - D[:, b] @ b1
    v1 = np.linalg.solve(M, rate[a])
    n, k, m = split, len(K) - split, of.B.shape[1]
    # β̇ and v̇ as functions of the states (α, v, β), and of u
    slow = np.linalg.solve(D[b, b], np.hstack([-K[b, a], -D[b, a], -K[b, b]]))
    slow_u = np.linalg.solve(D[b, b], force[b] - D[b, a] @ v1)
    fast = np.hstack([-K[a, a], -D[a, a], -K[a, b]]) - D[a, b] @ slow
    fast_u = force[a] - D[a, a] @ v1 - D[a, b] @ slow_u
    unit = np.hstack([np.zeros((n, n)), np.eye(n), np.zeros((n, k))])
    A = np.vstack([unit, np.linalg.solve(M, fast), slow])
    B = np.vstack([v1, np.linalg.solve(M, fast_u), slow_u]).reshape(len(A), m)
    C = np.hstack([output[:, a], np.zeros((len(output), n)), output[:, b]])
    return A, B, C, feedthrough + output[:, a] @ a2 + output[:, b] @ b1


def _without_rest(
    of: Second, output: Matrix, feedthrough: Matrix, mixed: NDArray[np.bool_]
) -> tuple[Second, Matrix, Matrix, int]:
    """The same on motions with mass, whose number comes last, and on those with damping."""
    heavy, light = split(of.M, mixed)
    slow, rest = split(light.T @ of.D @ light)
    T, R = np.hstack([heavy, light @ slow]), light @ rest
    if not R.shape[1]:
        return _seen(of, T), output @ T, feedthrough, heavy.shape[1]
    try:
        follows = np.linalg.solve(R.T @ of.K @ R, R.T @ np.hstack([-of.K @ T, of.B]))
    except np.linalg.LinAlgError:
        raise ModelError(
            "there is no state space: a motion has neither mass nor stiffness; give rods a density "
            "or bodies a mass"
        ) from None
    n = T.shape[1]
    reach, pushed = follows[:, :n], follows[:, n:]  # c = reach (a, b) + pushed u
    seen = _seen(of, T)
    seen = seen._replace(K=seen.K + T.T @ of.K @ R @ reach, B=seen.B - T.T @ of.K @ R @ pushed)
    return (
        seen, output @ (T + R @ reach), feedthrough + output @ R @ pushed, heavy.shape[1]
    )  # fmt: skip


def _seen(of: Second, T: Matrix) -> Second:
    """The same on combinations of the unknowns."""
    return Second(
        *(T.T @ x @ T for x in (of.M, of.D, of.K)), *(T.T @ x for x in (of.B, of.B1, of.B2))
    )


def split(matrix: Matrix, mixed: NDArray[np.bool_] | None = None) -> tuple[Matrix, Matrix]:
    """Combinations of unknowns for which a matrix that is not negative is definite, and zero.

    Where it is definite for all of them, these are the unknowns themselves.

    Args:
        matrix: (n, n).
        mixed: which unknowns are combinations of others, so that small entries may be rounding of
            large ones, (n,); None for all. Those of the others are what they are: a thin rod turns
            by its own inertia beside any body.
    """
    diagonal = matrix.diagonal()
    mixed = np.ones(len(matrix), dtype=np.bool_) if mixed is None else mixed
    there = diagonal > np.where(mixed, NONE * diagonal[mixed].max(initial=0.0), 0.0)
    own, other = np.flatnonzero(there), np.flatnonzero(~there)
    size = np.sqrt(np.where(there, diagonal, 1.0))
    none = np.zeros((len(matrix), 0))
    if not len(own):
        return none, np.eye(len(matrix))
    squares, directions = eigh(matrix[np.ix_(own, own)] / np.outer(size[own], size[own]))
    kept = squares > NOTHING * squares[-1]
    if kept.all() and not len(other):
        return np.eye(len(matrix)), none
    order = np.argsort(np.concatenate([own, other]))
    zero = block_diag(directions[:, ~kept] / size[own, None], np.eye(len(other)))[order]
    if kept.all():  # to the digit
        return np.eye(len(matrix))[:, own], zero
    both, _ = qr(zero)
    return both[:, zero.shape[1] :], both[:, : zero.shape[1]]


def mixed_in(basis: Matrix) -> NDArray[np.bool_]:
    """Which columns of a basis combine several unknowns, (n,)."""
    return np.asarray(np.count_nonzero(basis, axis=0) > 1)
