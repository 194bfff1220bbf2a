"""Modes without damping: K x = λ M x, λ = ω², by the inverse of K + σ M.

Multipliers have no mass, nor may other unknowns have any. So what is sought are the largest
eigenvalues of (K + σ M)⁻¹ M, which are 1/(λ + σ); there, what has no mass has the eigenvalue zero.
Low frequencies lose no digits beside high ones. The shift σ > 0 lets robots fly and fall.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cholesky, eig, eigh, solve_triangular
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigs, eigsh

from flexura.errors import NotConverged
from flexura.result.state_space import mixed_in, split
from flexura.solve.constrained import HeldFactor
from flexura.solve.linear.independent import independent
from flexura.solve.linear.small_motion import SmallMotion
from flexura.solve.margin import uncertain_stiffness, with_margin
from flexura.typing import Array, Matrix

# Up to so many unknowns all modes are found, with n³ operations; of more, those that are asked for,
# and so many at least where forces have no potential: no signs tell there how many modes grow.
DENSE, LOOKED = 300, 20
# Of more, so many times as many as are asked for are all, too.
FEW = 8
# The shift, relative to the lowest eigenvalue that is not zero: as it is meant, and the range in
# which no more than four digits are lost.
SHIFT, LEAST, MOST = 0.1, 1e-4, 1e2
# Eigenvalues of the inverse that are rounding, relative to the largest.
ROUNDING = 1e-12
# Where to begin, relative to what stretch resists by: between bending of thick rods and of thin.
GUESS = 1e-6
# λ below so many shifts is negative for sure.
SURE = 1e-6
# What is rounding of a stiffness, relative to its entries, and of an eigenvalue, to the shift.
LOCAL, SHIFTED = 1e-14, 1e-8
# Rounds of looking for the shift.
ROUNDS = 4

Complex = NDArray[np.complex128]


@dataclass(frozen=True, eq=False)
class Undamped:
    """Modes without damping, from the lowest on.

    Attributes:
        values: λ [1/s²], (k,); zero for motions without resistance.
        shapes: x, (n_dof, k).
        count: of all modes there are; None where not all were looked for.
        shift: σ that they were found with [1/s²].
    """

    values: Complex
    shapes: Complex
    count: int | None
    shift: float

    @property
    def free(self) -> NDArray[np.bool_]:
        """Which of them nothing resists, (k,)."""
        return np.asarray(self.values == 0.0)


def looked_at(motion: SmallMotion, count: int) -> int:
    """Of how many modes it is told whether they grow, if so many are asked for."""
    return count if motion.assembly.conservative else max(count, LOOKED)


def undamped(motion: SmallMotion, count: int) -> Undamped:
    """Modes without damping: all that grow, and ``count`` others at least, if there are so many.

    Of a large robot whose forces have no potential, those that grow are found only among the
    ``count`` lowest.
    """
    shift, found = _guess(motion), None
    for _ in range(ROUNDS):
        factor = motion.factor(motion.stiffness + shift * motion.mass)
        found = _modes(motion, factor, shift, count)
        lowest = np.abs(found.values[~found.free]).min(initial=np.inf)
        if not np.isfinite(lowest) or LEAST * lowest <= shift <= MOST * lowest:
            break
        shift = SHIFT * float(lowest)
    assert found is not None
    return found


def large(motion: SmallMotion, count: int) -> bool:
    """Whether so many modes are few of all."""
    n = motion.structure.n
    return n > DENSE and FEW * count < n


def _guess(motion: SmallMotion) -> float:
    """A first shift [1/s²]."""
    assembly, model = motion.assembly, motion.moving.model
    force = GUESS * model.largest_stiffness or assembly.force_scale() or 1.0
    return force / (motion.moving.mass * model.length)


def _modes(motion: SmallMotion, factor: HeldFactor, shift: float, count: int) -> Undamped:
    """The modes, with the shifted stiffness factorised."""
    if large(motion, count):
        inverse, shapes = _few(motion, factor, shift, count)
        number = None
    else:
        inverse, shapes = _all(motion, factor)
        number = len(inverse)
    values = (1.0 / _certain(inverse) - shift).astype(np.complex128)
    values[_unresisted(motion, values, shapes, shift)] = 0.0
    order = np.argsort(np.abs(values), kind="stable")
    return Undamped(values[order], shapes[:, order].astype(np.complex128), number, shift)


def _all(motion: SmallMotion, factor: HeldFactor) -> tuple[Array, Matrix]:
    """Every 1/(λ + σ), and x: with M = G Gᵀ on independent unknowns, of Gᵀ (K + σ M)⁻¹ G."""
    own = independent(motion)
    mass = own.basis.T @ (motion.structure.sparse(motion.mass) @ own.basis)
    G = own.dual @ _root(mass, mixed_in(own.basis), motion.moving.model.name)
    X = motion.solve(factor, np.asfortranarray(G))
    A = G.T @ X
    if motion.assembly.conservative:
        inverse, y = eigh(0.5 * (A + A.T))
    else:
        inverse, y = eig(A)
    return inverse, X @ y


def _certain(inverse: Complex | Array) -> Complex | Array:
    """Eigenvalues 1/(λ + σ) without what is rounding beside the largest.

    That is the sign for the highest frequencies, and imaginary parts.
    """
    rounding = ROUNDING * np.abs(inverse).max(initial=0.0)
    straight = np.where(np.abs(inverse.imag) <= rounding, inverse.real, inverse)
    return np.where(np.abs(straight) <= rounding, np.abs(straight), straight)


def _root(mass: Matrix, mixed: NDArray[np.bool_], name: str) -> Matrix:
    """G of M = G Gᵀ, with as many columns as there are motions with mass."""
    T, _ = split(mass, mixed)
    try:
        lower = cholesky(T.T @ mass @ T, lower=True)
    except LinAlgError as error:
        raise NotConverged(
            f"modes of {name!r} were not found: in this shape its masses differ by more than "
            "floats hold; see whether result.remarks tell that rods are stretched or compressed"
        ) from error
    return np.asarray(solve_triangular(lower, T.T @ mass, lower=True).T)


def _few(motion: SmallMotion, factor: HeldFactor, shift: float, count: int) -> tuple[Array, Matrix]:
    """The largest 1/(λ + σ), and x, by Arnoldi's method; those that grow besides."""
    n, mass = motion.structure.n, motion.structure.sparse(motion.mass)
    start = motion.solve(factor, mass @ np.random.default_rng(0).normal(size=n))
    inverse = LinearOperator((n, n), lambda b: motion.solve(factor, np.ravel(b)), dtype=np.float64)
    if not motion.assembly.conservative:
        product = LinearOperator(
            (n, n), lambda x: motion.solve(factor, mass @ np.ravel(x)), dtype=np.float64
        )
        values, shapes = arnoldi(motion, eigs, product, k=count, v0=start)
        return values, shapes

    def found(k: int, which: str) -> tuple[Array, Matrix]:
        # with the inverse at hand, the matrix itself is not asked for
        values, shapes = arnoldi(
            motion, eigsh, inverse, k=k, v0=start, M=mass, sigma=0.0, OPinv=inverse, which=which
        )
        return 1.0 / values, shapes

    growing = _growing(motion)
    near, shapes = found(count + growing, "LM")
    missing = growing - int(np.count_nonzero(1.0 / near < (1.0 - SURE) * shift))
    if missing > 0:  # far below: their 1/(λ + σ) are negative, as no others are
        below = near < 0.0
        far, more = found(missing + int(below.sum()), "SA")
        near = np.concatenate([near[~below], far])
        shapes = np.concatenate([shapes[:, ~below], more], axis=1)
    return near, shapes


def arnoldi(motion: SmallMotion, method: Callable[..., Any], *matrix: Any, **options: Any) -> Any:
    """Some eigenvalues and vectors by Arnoldi's method."""
    try:
        return method(*matrix, **options)
    except ArpackNoConvergence as error:
        raise NotConverged(
            f"modes of {motion.moving.model.name!r} were not found: {error}; ask for fewer or more"
        ) from error


def _growing(motion: SmallMotion) -> int:
    """How many modes grow for sure, as far as that can be told by signs."""
    assembly = motion.assembly
    if not assembly.conservative:
        return 0
    values = with_margin(assembly, uncertain_stiffness(assembly))
    found = motion.structure.inertia(values)
    if found is None:
        return 0
    if len(motion.rows):  # inertia of the whole: that of the tangent and of minus the complement
        compliance = motion.factor(values).compliance
        found -= int(np.count_nonzero(np.linalg.eigvalsh(compliance) < 0.0))
    return max(0, found - assembly.layout.n_multipliers)


def _unresisted(
    motion: SmallMotion, values: Complex, shapes: Matrix, shift: float
) -> NDArray[np.bool_]:
    """Which motions resist by no more than rounding: |λ| xᵀ M x ≤ (τ/L) xᵀ D x.

    And by no more than that of the stiffness where they are, |x|ᵀ |K| |x|, and of the shift: a thin
    wire that twists is resisted, however stiff others are.
    """
    mass, own = motion.structure.sparse(motion.mass), ~motion.multiplier
    heavy = np.einsum("ij,ij->j", shapes.conj(), mass @ shapes).real
    work = np.abs(values) * heavy
    size = np.sum(np.abs(shapes[own] / motion.assembly.model.gauge[own, None]) ** 2, axis=0)
    length, moved = motion.moving.model.length, np.where(own[:, None], np.abs(shapes), 0.0)
    stiff = abs(motion.structure.sparse(motion.stiffness))
    near = LOCAL * np.einsum("ij,ij->j", moved, stiff @ moved) + SHIFTED * shift * heavy
    uncertain = uncertain_stiffness(motion.assembly) * size
    return np.asarray((work * length <= uncertain) & (work <= near))
