"""Linear systems with the tangent: solutions, stability. Kept in one place, to be exchanged."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from flexura._kernel import kernel
from flexura.model.tangent import Tangent, half_bandwidth
from flexura.solve.band import Factor, factorise, inertia
from flexura.typing import Array, Indices

EPS = float(np.finfo(float).eps)


@dataclass(frozen=True)
class BorderedFactor:
    """A factorised tangent with a border, by its Schur complement.

    Attributes:
        inner: the factorised band.
        reach: band⁻¹ right.
        outer: the factorised complement, corner - below band⁻¹ right.
        tangent: the matrix.
        singular: whether the factorisation broke down.
    """

    inner: Factor
    reach: Array
    outer: Factor
    tangent: Tangent
    singular: bool

    def solve(self, right: Array) -> Array:
        """Solve the linear system for a vector, or for the columns of a matrix."""
        n, (piece, columns) = len(self.reach), self.tangent[4:]
        many = np.array(right, order="F").reshape(len(right), -1)
        y, z = np.array(self.inner.solve(many[:n])), many[n:]
        _subtract(self.tangent.below, piece, columns, y, z, False)
        z = self.outer.solve(z)
        _subtract(self.reach, piece, columns, y, z, True)
        return np.concatenate([y, z]).reshape(right.shape)


AnyFactor: TypeAlias = Factor | BorderedFactor


def factorise_tangent(tangent: Tangent, symmetric: bool, multipliers: int) -> AnyFactor:
    """Factorise a tangent.

    Args:
        tangent: the matrix.
        symmetric: whether it is.
        multipliers: how many of its unknowns are multipliers; without any it may be definite.
    """
    definite = symmetric and not multipliers
    inner = factorise(tangent.band, definite)
    if inner.singular or not len(tangent.corner):
        return inner
    reach, complement = _complement(tangent, inner)
    outer = factorise(complement, definite)
    return BorderedFactor(inner, reach, outer, tangent, outer.singular)


def _complement(tangent: Tangent, inner: Factor) -> tuple[Array, Array]:
    """band⁻¹ right and corner - below band⁻¹ right, stored like their like."""
    reach, complement = inner.solve(np.asfortranarray(tangent.right)), tangent.corner.copy()
    w = reach.shape[1]
    _eliminate(tangent.below, reach, tangent.piece, tangent.columns, complement, np.zeros((w, w)))
    return reach, complement


@kernel
def _eliminate(
    below: Array, reach: Array, piece: Indices, columns: Indices, corner: Array, product: Array
) -> None:
    """Subtract from the corner, piece by piece, what it gets by elimination of the band."""
    n, w = below.shape
    middle = 2 * half_bandwidth(corner)
    for i in range(n):
        for k in range(w):
            for l in range(w):
                product[k, l] += below[i, k] * reach[i, l]
        if i + 1 == n or piece[i + 1] != piece[i]:
            own = columns[piece[i]]
            for k in range(w):
                for l in range(w):
                    if own[k] >= 0 and own[l] >= 0:
                        corner[own[l], middle + own[k] - own[l]] -= product[k, l]
                    product[k, l] = 0.0


@kernel
def _subtract(
    entries: Array, piece: Indices, columns: Indices, y: Array, z: Array, inwards: bool
) -> None:
    """y -= entries z, from the border inwards, or z -= entriesᵀ y, outwards."""
    for i in range(len(entries)):
        for k in range(entries.shape[1]):
            c, entry = columns[piece[i], k], entries[i, k]
            if c < 0:
                continue
            for j in range(y.shape[1]):
                if inwards:
                    y[i, j] -= entry * z[c, j]
                else:
                    z[c, j] -= entry * y[i, j]


@kernel
def shift_diagonal(band: Array, corner: Array, multiplier: NDArray[np.bool_], shift: float) -> None:
    """Make motions without resistance, and undetermined multipliers, determined.

    Diagonal entries of motions grow by the part ``shift`` of themselves. Multipliers get, with the
    other sign, the same part, at least that of rounding, of the inverse of the mean of the others.
    """
    n, total, count = len(band), 0.0, 0
    middle, border_middle = 2 * half_bandwidth(band), 2 * half_bandwidth(corner)
    for i in range(len(multiplier)):
        if not multiplier[i]:
            entry = band[i, middle] if i < n else corner[i - n, border_middle]
            total += abs(entry)
            count += 1
            if i < n:
                band[i, middle] += shift * entry
            else:
                corner[i - n, border_middle] += shift * entry
    mean = total / count if total > 0.0 else 1.0
    for i in range(len(multiplier)):
        if multiplier[i]:
            if i < n:
                band[i, middle] -= max(shift, EPS) / mean
            else:
                corner[i - n, border_middle] -= max(shift, EPS) / mean


def is_stable(
    tangent: Tangent, symmetric: bool, multipliers: int = 0, held: Array | None = None
) -> bool | None:
    """Whether small motions are pushed back, as far as the tangent can tell.

    A symmetric tangent (loads with a potential) tells all: stable if and only if it is positive
    definite, on the motions that the constraints allow; with m multipliers, if it has exactly m
    negative eigenvalues. An unsymmetric one is stable if its symmetric part is positive definite,
    and unstable if its determinant has the wrong sign; in between, mass and damping would decide,
    and the answer is None.

    Args:
        tangent: the matrix.
        symmetric: whether it is.
        multipliers: how many of its unknowns are multipliers.
        held: Schur complement of further constraints, which have multipliers of their own.
    """
    if held is not None and not symmetric:
        return None
    found = negative_eigenvalues(tangent if symmetric else tangent.symmetric_part())
    if found is not None and held is not None:
        # inertia of the whole: that of the tangent and of minus the complement
        found -= int(np.count_nonzero(np.linalg.eigvalsh(held) < 0.0))
    if symmetric:
        return None if found is None else found == multipliers
    if found == multipliers:
        return True
    return False if determinant_sign(tangent) == (-1) ** (multipliers + 1) else None


def negative_eigenvalues(tangent: Tangent) -> int | None:
    """Number of negative eigenvalues of a symmetric tangent, None where it cannot be told.

    Those of the band, none if Cholesky succeeds, and those of the Schur complement of its border.
    """
    found, inner = inertia(tangent.band)
    if found is None or not len(tangent.corner):
        return found
    inner = inner or factorise(tangent.band, symmetric=False)
    if inner.singular:
        return None
    beyond, _ = inertia(_complement(tangent, inner)[1])
    return None if beyond is None else found + beyond


def determinant_sign(tangent: Tangent) -> int | None:
    """Sign of the determinant of a tangent, None if it is singular."""
    factor = factorise_tangent(tangent, symmetric=False, multipliers=0)
    if factor.singular:
        return None
    flips = 0
    for part in (factor.inner, factor.outer) if isinstance(factor, BorderedFactor) else (factor,):
        diagonal = part.factors[2 * part.half_bandwidth]
        flips += int(np.count_nonzero(diagonal < 0.0))
        flips += int(np.count_nonzero(part.pivots != np.arange(len(diagonal))))
    return 1 if flips % 2 == 0 else -1
