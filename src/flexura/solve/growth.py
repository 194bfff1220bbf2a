"""Motions that grow where forces have no potential: moments fixed in space, followers.

The tangent K is not symmetric then, and where its symmetric part S is not positive definite, signs
tell no more than that some motion is pushed on at first. In a medium that holds all motions back by
the metric D (``margin``), D dq/dt = -K q, disturbances grow as exp(-μ t) with the eigenvalues of

    K x = μ D x,        K = S + A

that have a negative real part. Where A, which has no potential, hardly acts on such a motion, the
rest pushes it on: an unstable equilibrium. Else mass and damping decide, and modes tell; so they do
where no real part is negative, as inertia may make disturbances grow that fade if they are slow.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eig

from flexura.model.assemble import Assembly
from flexura.solve.constrained import HeldFactor, active_rows
from flexura.solve.margin import uncertain_stiffness, with_margin
from flexura.typing import Array

# Real parts count that are below zero by so many times what rounding may make.
SURE = 1e3
# Steps of Arnoldi's method, and how well eigenvalues are found that count.
STEPS, FOUND = 40, 1e-3
# A step that leaves no more of a vector leaves rounding.
NOTHING = 1e-14
# A does no more than this part of what pushes a motion on where it hardly acts: to columns far
# beyond Euler's load under moments of up to EI/(10 L) it does 0.4 to 0.9 %, to what moments alone
# wind up (ten coils, fifty times EI/L) 2 % or more.
HARDLY = 0.012
# Motions that grow by this part of the fastest rate are as fast.
AS_FAST = 0.9
# Stiffness to add is looked for up to so many times what rounding may make, in powers of two.
POWERS = 66
GROWS = (
    "slow disturbances grow here: loads without a potential (moments fixed in space, followers) "
    "feed them"
)
UNTOLD = (
    "whether this equilibrium is stable is not known: loads without a potential (moments fixed in "
    "space, followers) may feed disturbances"
)
ASK = "mass and damping decide: modes(result) tells which motions grow, simulate where they lead"

Complex = NDArray[np.complex128]


class Growth(NamedTuple):
    """A motion that grows.

    Attributes:
        rate: -Re μ [N/m].
        fed: what has no potential does to it, over what pushes it on (``_fed``).
    """

    rate: float
    fed: float

    @property
    def pushed(self) -> bool:
        """Whether it grows by forces that have a potential."""
        return self.fed <= HARDLY


def growing(assembly: Assembly) -> Growth | None:
    """What grows fastest at the last evaluated state; None if nothing does, or if it is not known.

    Of several that are as fast, but for a tenth, it is the one that is fed least.

    With a potential, signs tell all; friction is none of what this knows.
    """
    if assembly.conservative or assembly.touch is not None:
        return None
    if not np.isfinite(assembly.values).all():
        return None
    margin = uncertain_stiffness(assembly)
    added = _enough(assembly, margin)
    if added is None:
        return None
    rates, motions = _lowest(assembly, added)
    if rates.max(initial=0.0) <= SURE * margin / assembly.model.length:
        return None
    fastest = np.flatnonzero(rates >= AS_FAST * rates.max())
    fed = _fed(assembly, added, motions[:, fastest])
    return Growth(float(rates[fastest[fed.argmin()]]), float(fed.min()))


def doubts(assembly: Assembly, grows: bool) -> tuple[str, ...]:
    """What to say where stability is not told; nothing where there is a potential, or contact."""
    if assembly.conservative or assembly.touch is not None:
        return ()
    return (f"{GROWS if grows else UNTOLD}; {ASK}",)


def _enough(assembly: Assembly, margin: float) -> float | None:
    """A stiffness that makes the symmetric part positive definite, about the least [N]."""
    layout = assembly.layout

    def serves(power: int) -> bool:
        values = with_margin(assembly, 2.0**power * margin)
        found = layout.structure.inertia(layout.structure.symmetric_part(values))
        return found == layout.n_multipliers

    low, high = 0, POWERS
    if not serves(high):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if serves(middle) else (middle, high)
    return 2.0**high * margin


def _lowest(assembly: Assembly, added: float) -> tuple[Array, Complex]:
    """-Re μ near the largest [N/m], (k,), and unit motions in the metric, (n_dof, k).

    By the inverse of K with a stiffness added.
    """
    apply = _inverse(assembly, with_margin(assembly, added))
    if apply is None:
        return np.empty(0), np.empty((assembly.layout.n_dof, 0), dtype=np.complex128)
    inverse, motions = _arnoldi(apply, *_begin(assembly))
    return added / assembly.model.length - (1.0 / inverse).real, motions


def _inverse(assembly: Assembly, values: Array) -> Callable[[Array], Array] | None:
    """The inverse of a tangent in units of the metric, on what moves; None if it is singular."""
    layout, gauge = assembly.layout, assembly.model.gauge
    factor, moves = layout.structure.factorise(values, definite=False), ~layout.multiplier
    if factor.singular:
        return None
    held = HeldFactor.of(assembly, factor, active_rows(assembly))
    none = np.zeros(len(held.rows))

    def apply(x: Array) -> Array:
        return np.where(moves, held.solve(x / gauge, none)[0] / gauge, 0.0)

    return apply


def _begin(assembly: Assembly) -> tuple[Array, int]:
    """Where to begin to look for eigenvalues, (n_dof,), and in how many steps."""
    moves = ~assembly.layout.multiplier
    start = np.random.default_rng(0).normal(size=len(moves))
    return np.where(moves, start, 0.0), min(STEPS, int(moves.sum()))


def _arnoldi(apply: Callable[[Array], Array], start: Array, steps: int) -> tuple[Complex, Complex]:
    """Eigenvalues that are found in some steps, (k,), and unit vectors, (n, k)."""
    basis, h = np.zeros((steps + 1, len(start))), np.zeros((steps + 1, steps))
    basis[0] = start / np.linalg.norm(start)
    for k in range(steps):
        found, before = apply(basis[k]), basis[: k + 1]
        for _ in range(2):  # what rounding leaves of the others
            share = np.einsum("kn,n->k", before, found)  # too small for threads
            found = found - np.einsum("k,kn->n", share, before)
            h[: k + 1, k] += share
        h[k + 1, k] = left = np.linalg.norm(found)
        if left <= NOTHING * np.abs(h).max():  # there are no more
            steps = k + 1
            break
        basis[k + 1] = found / left
    values, mixed = eig(h[:steps, :steps])
    error = h[steps, steps - 1] * np.abs(mixed[-1])
    good = error <= FOUND * np.abs(values)
    return values[good], basis[:steps].T @ mixed[:, good]


def _fed(assembly: Assembly, added: float, motions: Complex) -> Array:
    """What has no potential does to unit motions in the metric, (k,).

    As Q = S - 2 σ D is positive definite, σ the lowest eigenvalue of S,

        fed² = (A x)ᴴ Q⁻¹ (A x) / xᴴ Q x,

    whatever the mesh: in the metric alone, forces on one node are the larger the finer it is.

    Args:
        assembly: what was evaluated.
        added: stiffness that makes S positive definite [N].
        motions: x, (n_dof, k).
    """
    layout, gauge, length = assembly.layout, assembly.model.gauge, assembly.model.length
    structure, moves, twice = layout.structure, ~layout.multiplier, 2.0 * added

    def firm(stiffness: float) -> Callable[[Array], Array] | None:
        return _inverse(assembly, structure.symmetric_part(with_margin(assembly, stiffness)))

    unknown, solve = np.full(motions.shape[1], np.inf), firm(twice)
    give = np.empty(0) if solve is None else _arnoldi(solve, *_begin(assembly))[0].real
    if not give.size:
        return unknown
    lowest = twice / length - 1.0 / give.max()
    solve = firm(2.0 * lowest * length)
    if solve is None:
        return unknown
    tangent = structure.sparse(assembly.values)
    turned = 0.5 * gauge[:, None] * ((tangent - tangent.T) @ (gauge[:, None] * motions))
    whole = 0.5 * gauge[:, None] * ((tangent + tangent.T) @ (gauge[:, None] * motions))
    pushed = np.einsum("nk,nk->k", motions[moves].conj(), whole[moves]).real
    given = [
        sum(part @ solve(np.ascontiguousarray(part)) for part in (x.real, x.imag))
        for x in np.where(moves[:, None], turned, 0.0).T
    ]
    return np.asarray(np.sqrt(np.asarray(given) / (pushed + 2.0 * lowest)))
