"""Stability by the inertia of the tangent, and by what grows where forces have no potential."""

from typing import NamedTuple

import numpy as np

from flexura.matrix.structure import Structure
from flexura.model.assemble import Assembly
from flexura.solve.constrained import HeldFactor, active_rows, held_inertia
from flexura.solve.growth import growing
from flexura.solve.margin import uncertain_stiffness, with_margin
from flexura.typing import Array, Matrix

# So many margins are wide enough for a quick look, whose factors are off by 1e-10 at most.
SURE = 1e5


class Stability(NamedTuple):
    """What a tangent tells.

    Attributes:
        stable: whether all motions are pushed back that meet any force, None if it cannot be told.
        free: whether there are others.
        grows: whether it cannot be told though slow disturbances grow (``growth``).
    """

    stable: bool | None
    free: bool
    grows: bool = False


def stability(assembly: Assembly) -> Stability:
    """Stability of the last evaluated state."""
    if _surely_stable(assembly) or _stable(assembly, -1.0):
        return Stability(True, free=False)
    found = _stable(assembly, 1.0)
    growth = growing(assembly) if found is None else None
    if growth is not None:
        return Stability(False if growth.pushed else None, free=False, grows=not growth.pushed)
    return Stability(found, free=found is True)


def _surely_stable(assembly: Assembly) -> bool:
    """Whether a quick look at a tangent with multipliers is enough: stable by a wide margin."""
    layout = assembly.layout
    if not layout.n_multipliers or len(assembly.gap) or assembly.given.pressed is not None:
        return False
    values = with_margin(assembly, -SURE * uncertain_stiffness(assembly))
    if not assembly.conservative:
        values = layout.structure.symmetric_part(values)
    return layout.structure.surely_definite(values, layout.multiplier)


def _stable(assembly: Assembly, sign: float) -> bool | None:
    """Whether the tangent with the margin added or taken off is that of a stable robot."""
    layout, symmetric = assembly.layout, assembly.conservative
    values = with_margin(assembly, sign * uncertain_stiffness(assembly))
    held, pushes = None, 0
    active = active_rows(assembly)
    presses = assembly.touch is not None and assembly.given.pressed is not None
    if (len(active) and active.any()) or presses:
        if presses and not symmetric:
            return even_stuck(assembly)
        factor = layout.structure.factorise(values, symmetric and not layout.n_multipliers)
        if factor.singular:
            return None
        found = HeldFactor.of(assembly, factor, active)
        held, pushes = found.compliance, found.pushes
        if not np.isfinite(held).all():
            return None
    return is_stable(layout.structure, values, symmetric, layout.n_multipliers, held, pushes)


def even_stuck(assembly: Assembly) -> bool | None:
    """False where motions are pushed on even if all that rubs sticks, else None.

    What rubs has no potential, but forces that do no work take nothing from what the others push.
    """
    if not _rubs_alone(assembly):
        return None
    structure = assembly.layout.structure
    values = structure.symmetric_part(with_margin(assembly, uncertain_stiffness(assembly)))
    if not np.isfinite(values).all():
        return None
    factor, negative = structure.factorise(values, definite=False), structure.inertia(values)
    if factor.singular or negative is None:
        return None
    held = HeldFactor.of(assembly, factor, active_rows(assembly), stuck=True)
    if not np.isfinite(held.compliance).all():
        return None
    left = held_inertia(negative, held.compliance, held.pushes)
    return False if left > assembly.layout.n_multipliers else None


def _rubs_alone(assembly: Assembly) -> bool:
    """Whether friction is all that has no potential."""
    model, values = assembly.model, assembly.inputs.values
    laws = (law for part in model.parts for law in part.laws)
    return (
        all(x.rubs or x.conservative(values) for x in laws)
        and all(x.rubs or x.conservative(values) for x in model.terms)
        and all(x.rubs or x.conservative(values) for x in model.members)
    )


def is_stable(
    structure: Structure,
    values: Array,
    symmetric: bool,
    multipliers: int = 0,
    held: Matrix | None = None,
    pushes: int = 0,
) -> bool | None:
    """Whether small motions are pushed back, as far as the tangent can tell.

    A symmetric tangent (loads with a potential) tells all: stable if and only if it is positive
    definite, on the motions that the constraints allow; with m multipliers, if it has exactly m
    negative eigenvalues. An unsymmetric one is stable if its symmetric part is positive definite,
    and unstable if its determinant has the wrong sign; in between, mass and damping would decide,
    and the answer is None.

    Args:
        structure: of the matrix.
        values: its entries.
        symmetric: whether it is.
        multipliers: how many of its unknowns are multipliers.
        held: Schur complement of further constraints, which have multipliers of their own.
        pushes: how many of these are springs of negative stiffness.
    """
    if held is not None and not symmetric:
        return None
    found = structure.inertia(values if symmetric else structure.symmetric_part(values))
    if found is not None and held is not None:
        found = held_inertia(found, held, pushes)
    if symmetric:
        return None if found is None else found == multipliers
    if found == multipliers:
        return True
    factor = structure.factorise(values, definite=False)
    if factor.singular:
        return None
    return False if factor.sign == (-1) ** (multipliers + 1) else None
