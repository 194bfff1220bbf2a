"""Motions that grow where forces have no potential: moments fixed in space, followers.

The tangent K is not symmetric then, and where its symmetric part S is not positive definite, signs
tell no more than that some motion is pushed on at first. In a medium that holds all motions back by
the metric D (``margin``), D dq/dt = -K q, disturbances grow as exp(-μ t) with the eigenvalues of

    K x = μ D x,        K = S + A

that have a negative real part. Where no more than a trifle acts without a potential, beside what
bends rods, and the rest pushes motions on even if that trifle resists (S + |A| is not positive
definite), the equilibrium is unstable. Else mass and damping decide, and modes tell: what moments
alone have wound up, they feed. So they do where no real part is negative, as inertia may make
disturbances grow that fade if they are slow. None of this depends on the mesh, as the motion does
that grows fastest in a medium.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eig

from flexura.model.assemble import Assembly
from flexura.solve.constrained import HeldFactor, active_rows, held_inertia
from flexura.solve.margin import uncertain_stiffness, with_margin
from flexura.typing import Array

# Real parts count that are below zero by so many times what rounding may make.
SURE = 1e3
# Steps of Arnoldi's method, and how well eigenvalues are found that count.
STEPS, FOUND = 40, 1e-3
# A step that leaves no more of a vector leaves rounding.
NOTHING = 1e-14
# So much of what bends the limpest rod by about its length is a trifle: a moment that turns its end
# by no more than a right angle, π EI/2L.
TRIFLE = 0.5 * np.pi
# What A does to an unknown counts if it is no less than this part of the most; less is rounding.
ACTS = 1e-6
# Steps of the power iteration for the size of A.
POWER_STEPS = 40
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
        pushed: whether forces that have a potential push motions on, whatever the others do.
    """

    rate: float
    pushed: bool


def growing(assembly: Assembly) -> Growth | None:
    """What grows fastest at the last evaluated state; None if nothing does, or if it is not known.

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
    rate = _fastest(assembly, added)
    if rate <= SURE * margin / assembly.model.length:
        return None
    trifle = assembly.model.without_potential(assembly.inputs.values)
    slight = trifle <= TRIFLE * assembly.model.limp_force
    return Growth(rate, slight and _pushed(assembly, margin))


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


def _fastest(assembly: Assembly, added: float) -> float:
    """The largest -Re μ [N/m], zero if none is found.

    By the inverse of K with a stiffness added.
    """
    apply = _inverse(assembly, with_margin(assembly, added))
    if apply is None:
        return 0.0
    inverse = _arnoldi(apply, *_begin(assembly))
    return float((added / assembly.model.length - (1.0 / inverse).real).max(initial=0.0))


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


def _arnoldi(apply: Callable[[Array], Array], start: Array, steps: int) -> Complex:
    """Eigenvalues that are found in some steps, (k,)."""
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
    return np.asarray(values[error <= FOUND * np.abs(values)])


def _pushed(assembly: Assembly, margin: float) -> bool:
    """Whether S + |A| has motions that are pushed on; |A| as its largest part wherever A acts."""
    layout, gauge = assembly.layout, assembly.model.gauge
    structure, moves = layout.structure, ~layout.multiplier
    tangent = structure.sparse(assembly.values)
    turned, unit = 0.5 * (tangent - tangent.T), np.where(moves, gauge, 0.0)
    acting, size = unit * np.sqrt(turned.power(2) @ unit**2), 0.0
    x = acting
    for _ in range(POWER_STEPS):
        x = x / (np.linalg.norm(x) or 1.0)
        x = unit * (turned @ (unit * x))
        size = max(size, float(np.linalg.norm(x)))
    values = with_margin(assembly, margin)
    acts = moves & (acting >= ACTS * size)
    values[structure.diagonal[acts]] += size / gauge[acts] ** 2
    values = structure.symmetric_part(values)
    negative, active = structure.inertia(values), active_rows(assembly)
    if negative is not None and active.any():
        factor = structure.factorise(values, definite=False)
        if factor.singular:
            return False
        held = HeldFactor.of(assembly, factor, active)
        negative = held_inertia(negative, held.compliance, held.pushes)
    return negative is not None and negative > layout.n_multipliers
