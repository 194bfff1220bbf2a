"""What data tell of unknowns: covariance, and combinations that they cannot tell.

    J D⁻¹ = U S Vᵀ,      C = D⁻¹ V S⁻² Vᵀ D⁻¹                                        (theory 17.4)

D has the norms of the columns of J. A column of V with a singular value of zero is a combination
that changes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import qr

from flexura.typing import Array, Indices, Matrix

# Singular values below this part of the largest are zero: slopes are good for nine digits.
UNTOLD = 1e-6
# An error that moves a tip by so many rad, or longest rods, tells nothing.
VAGUE = 1.0
# An unknown is part of a combination if it has more than this part of the largest share.
SHARE = 1e-3


@dataclass(frozen=True, eq=False)
class Told:
    """What data tell.

    Attributes:
        covariance: of the unknowns for residuals of variance 1, (n, n); infinite variance for what
            cannot be told, and no covariance with the rest.
        untold: combinations that cannot be told, as changes of the unknowns that change nothing,
            (k, n).
        rank: how many directions are told.
    """

    covariance: Matrix
    untold: Matrix
    rank: int


def told(J: Matrix) -> Told:
    """What a weighted Jacobian tells, (m, n); columns that are rounding are zero."""
    n = J.shape[1]
    norms = np.linalg.norm(J, axis=0)
    D = np.where(norms > 0.0, norms, 1.0)
    _, S, Vt = np.linalg.svd(J / D, full_matrices=True)
    S = np.concatenate([S, np.zeros(n - len(S))])
    good = UNTOLD * S.max(initial=0.0) < S
    V = Vt[good].T / D[:, None]
    covariance = (V / S[good] ** 2) @ V.T
    untold = _apart(Vt[~good]) / D
    share = np.abs(untold * D)
    part = share > SHARE * share.max(axis=1, initial=0.0, keepdims=True)
    any_part = part.any(axis=0)
    covariance[any_part] = covariance[:, any_part] = 0.0
    covariance[any_part, any_part] = np.inf
    return Told(covariance, np.where(part, untold, 0.0), int(good.sum()))


def _apart(N: Matrix) -> Matrix:
    """Combinations that span the same, each with an unknown that the others have not, (k, n)."""
    k = len(N)
    if not k:
        return N
    pivots = qr(N, mode="r", pivoting=True)[1][:k]
    return np.asarray(np.linalg.solve(N[:, pivots], N))


def vague(covariance: Matrix, sizes: Array) -> Indices:
    """Numbers whose errors turn the robot far, by sizes of changes that turn it by 1 rad."""
    error = np.sqrt(np.diag(covariance))
    return np.flatnonzero(np.isfinite(error) & (error > VAGUE * sizes))


def in_words(change: Array, labels: Sequence[str], values: Array) -> str:
    """A combination that cannot be told, as a sentence.

    Args:
        change: of the unknowns, (n,).
        labels: what they are called.
        values: theirs, (n,); zero where there is none.
    """
    parts = np.flatnonzero(change).tolist()
    if len(parts) == 1:
        return f"{labels[parts[0]]!r} changes nothing that was measured"
    with np.errstate(divide="ignore"):
        relative = np.abs(change[parts] / values[parts])
    # the largest one changes by a percent, or by one unit where a value is zero
    whole = np.isfinite(relative).all()
    largest = relative.max() if whole else np.abs(change[parts]).max()
    texts = []
    for i in parts:
        if whole:
            texts.append(f"{labels[i]!r} by {change[i] / values[i] / largest:+.3g} %")
        else:
            texts.append(f"{labels[i]!r} by {change[i] / largest:+.3g}")
    listed = f"{', '.join(texts[:-1])} and {texts[-1]}"
    return f"changing {listed} changes nothing that was measured"
