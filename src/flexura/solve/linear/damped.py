"""Modes with damping: (s² M + s D + K) x = 0, by the inverse at a real shift σ.

With s = σ + σ/θ and P = K + σ D + σ² M the problem is linear in θ, and its largest θ are sought:

    θ [x]   [      0            1      ] [x]
      [y] = [ -σ² P⁻¹ M    -σ P⁻¹ D'   ] [y],    D' = D + 2 σ M.                   (theory 14.4)
"""

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eig
from scipy.sparse.linalg import LinearOperator, eigs

from flexura.solve.linear.small_motion import SmallMotion
from flexura.solve.linear.undamped import (
    LEAST,
    MOST,
    ROUNDS,
    SHIFT,
    SURE,
    Complex,
    Undamped,
    arnoldi,
    large,
)
from flexura.solve.margin import uncertain_stiffness
from flexura.typing import Array

# θ that may be zero, relative to the largest.
ZERO = 1e-6
# Parts of s that are rounding: an imaginary one of a motion that creeps, a real one of a motion
# that nothing damps.
STRAIGHT, PURE = 1e-7, 1e-10


def damped(motion: SmallMotion, count: int, plain: Undamped) -> tuple[Complex, Complex]:
    """s and x of modes with damping, one of each pair of conjugates.

    Those without resistance are left out; of the others there are ``count`` at least, or all.

    Args:
        motion: small motions.
        count: how many.
        plain: modes without damping.
    """
    free, growing = int(plain.free.sum()), int(np.count_nonzero(plain.values.real < 0.0))
    shift = float(np.sqrt(plain.shift))
    for _ in range(ROUNDS):
        s, x = _pairs(*_eigen(motion, shift, 2 * (count + free), growing))
        kept = ~_unresisted(motion, x)
        s, x = s[kept], x[:, kept]
        lowest = np.abs(s).min(initial=np.inf)
        if not np.isfinite(lowest) or LEAST * lowest <= shift <= MOST * lowest:
            break
        shift = SHIFT * float(lowest)
    return s, x


def _eigen(motion: SmallMotion, shift: float, count: int, growing: int) -> tuple[Complex, Complex]:
    """s and x, those nearest to the shift and so many that grow."""
    values = motion.stiffness + shift * motion.damping + shift**2 * motion.mass
    factor, structure, n = motion.factor(values), motion.structure, motion.structure.n
    inertia = -(shift**2) * structure.sparse(motion.mass)
    drag = -shift * structure.sparse(motion.damping + 2.0 * shift * motion.mass)
    if large(motion, count):

        def apply(v: Array) -> Array:
            x, y = np.ravel(v[:n]), np.ravel(v[n:])
            return np.concatenate([y, motion.solve(factor, inertia @ x + drag @ y)])

        operator = LinearOperator((2 * n, 2 * n), apply, dtype=np.float64)
        start = apply(np.random.default_rng(0).normal(size=2 * n))
        theta, vectors = arnoldi(motion, eigs, operator, k=count, v0=start)
        missing = growing - int(np.count_nonzero((1.0 / theta).real > SURE - 1.0))
        if missing > 0:  # those beyond the shift have positive θ
            far, more = arnoldi(motion, eigs, operator, k=growing + 1, v0=start, which="LR")
            beyond, here = far.real > 0.0, theta.real <= 0.0
            theta = np.concatenate([theta[here], far[beyond]])
            vectors = np.concatenate([vectors[:, here], more[:, beyond]], axis=1)
    else:
        both = np.concatenate([inertia.toarray(), drag.toarray()], axis=1)
        below = motion.solve(factor, np.asfortranarray(both))
        above = np.concatenate([np.zeros((n, n)), np.eye(n)], axis=1)
        theta, vectors = eig(np.concatenate([above, below]))
    # of a robot with a potential as many grow as without damping; what has no mass makes zeros
    # that are rounding to its root
    most = growing if motion.assembly.conservative else len(theta)
    grows = np.argsort(-theta.real, kind="stable")[:most]
    grows = grows[theta.real[grows] > ZERO * np.abs(theta).max()]
    near = np.argsort(-np.abs(theta), kind="stable")[:count]
    kept = np.union1d(grows, near)
    return shift + shift / theta[kept], vectors[:n, kept]


def _pairs(s: Complex, x: Complex) -> tuple[Complex, Complex]:
    """One of each pair of conjugates; those that hardly oscillate are two motions that creep."""
    creeps = np.abs(s.imag) <= STRAIGHT * np.abs(s)
    shapes = np.where(creeps & (s.imag < 0.0), x.imag, np.where(creeps, x.real, x))
    s = np.where(creeps, s.real, s)
    s = np.where(np.abs(s.real) <= PURE * np.abs(s), 1j * s.imag, s)
    kept = creeps | (s.imag > 0.0)
    return s[kept], shapes[:, kept]


def _unresisted(motion: SmallMotion, x: Complex) -> NDArray[np.bool_]:
    """Which motions resist by no more than rounding, as without damping."""
    K = motion.structure.sparse(motion.stiffness)
    work = np.abs(np.einsum("ij,ij->j", x.conj(), K @ x))
    own = ~motion.multiplier
    size = np.sum(np.abs(x[own] / motion.assembly.model.gauge[own, None]) ** 2, axis=0)
    limit = uncertain_stiffness(motion.assembly) * size / motion.moving.model.length
    return np.asarray(work <= limit)
