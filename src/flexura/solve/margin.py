"""Stability that is not read off the sign of a zero: the margin is what rounding may add.

Forces have rounding errors, so motions resist by a stiffness that is known but for τ. In the units
of ``Layout.units``, where all motions are lengths and everything conjugate to them forces [N],

    K - (τ/L) 1 positive definite:    every motion is pushed back for sure
    K + (τ/L) 1 positive definite:    none is pushed further; those between are free, or nearly

on the motions that constraints allow. Multipliers give by far less than anything else, so that
those that others determine already are determined, too.
"""

from typing import NamedTuple

import numpy as np
from scipy.sparse import diags_array

from flexura.model.assemble import Assembly
from flexura.solve import equilibrium_kernels as kernels
from flexura.solve.constrained import HeldFactor, active_rows
from flexura.solve.stability import is_stable
from flexura.typing import Array

EPS = float(np.finfo(float).eps)
# Free motions of rods of all descriptions resist by up to 1 n ε of the largest stiffness, n the
# number of nodes; the softest of a wire 10⁴ times as long as thick by 10⁵ times this margin.
MARGIN = 4.0
# The same without rods, of the forces in play.
RIGID_MARGIN = 30.0
# So many margins are wide enough for a quick look, whose factors are off by 1e-10 at most.
SURE = 1e5
# An eigenvalue below zero by so many times what has no potential is sure to be one of the whole.
FAR_BELOW = 1e3
# How much multipliers give, relative to what rods do: so little that a prestress P, which makes a
# free motion softer by P² of it, stays below the margin, and more than rounding.
GIVE = EPS


class Stability(NamedTuple):
    """What a tangent tells.

    Attributes:
        stable: whether all motions are pushed back that meet any force, None if it cannot be told.
        free: whether there are others.
    """

    stable: bool | None
    free: bool


def stability(assembly: Assembly) -> Stability:
    """Stability of the last evaluated state."""
    if _surely_stable(assembly) or _stable(assembly, -1.0):
        return Stability(True, free=False)
    found = _stable(assembly, 1.0)
    if found is None and _surely_pushed_on(assembly):
        found = False
    return Stability(found, free=found is True)


def uncertain_stiffness(assembly: Assembly) -> float:
    """τ, stiffness that rounding may add [N]."""
    found = MARGIN * max(assembly.rounding(), _rounding_of_sums(assembly))
    return found or RIGID_MARGIN * EPS * (assembly.force_scale() or 1.0)


def _rounding_of_sums(assembly: Assembly) -> float:
    """What rounding adds where many elements meet, as on a body that a volume is clamped to [N]."""
    if not assembly.model.volumes:
        return 0.0
    layout = assembly.layout
    diagonal = np.abs(assembly.values[layout.structure.diagonal]) * layout.units**2
    return EPS * assembly.model.length * float(diagonal[~layout.multiplier].max(initial=0.0))


def with_margin(assembly: Assembly, stiffness: float, give: float = GIVE) -> Array:
    """Values of the tangent of the last evaluation, with a margin.

    Args:
        assembly: what was evaluated.
        stiffness: by which all motions resist more [N].
        give: of multipliers, relative to what rods do.
    """
    layout, length, values = assembly.layout, assembly.model.length, assembly.values.copy()
    if layout.n_multipliers:
        give /= assembly.model.largest_stiffness or assembly.force_scale() or 1.0
    kernels.add_margin(
        values, layout.structure.diagonal, layout.units, layout.multiplier,
        stiffness / length, give / length,
    )  # fmt: skip
    return values


def _surely_stable(assembly: Assembly) -> bool:
    """Whether a quick look at a tangent with multipliers is enough: stable by a wide margin."""
    layout = assembly.layout
    if not layout.n_multipliers or len(assembly.gap) or assembly.given.pressed is not None:
        return False
    values = with_margin(assembly, -SURE * uncertain_stiffness(assembly))
    if not assembly.conservative:
        values = layout.structure.symmetric_part(values)
    return layout.structure.surely_definite(values, layout.multiplier)


def _surely_pushed_on(assembly: Assembly) -> bool:
    """Whether a motion is pushed further by more than what has no potential could turn around.

    Eigenvalues of K = S + A are no further from those of S than the norm of A, its antisymmetric
    part: where S has one far below minus that norm, K has one below zero.
    """
    layout = assembly.layout
    if assembly.conservative or assembly.given.pressed is not None or len(assembly.gap):
        return False
    structure, moves = layout.structure, ~layout.multiplier
    if not np.isfinite(assembly.values).all():
        return False
    tangent = structure.sparse(assembly.values)
    turning = diags_array(layout.units * moves) @ (tangent - tangent.T) @ diags_array(layout.units)
    norm = 0.5 * float(abs(turning).sum(axis=1).max())
    stiffness = FAR_BELOW * norm * assembly.model.length + uncertain_stiffness(assembly)
    found = structure.inertia(structure.symmetric_part(with_margin(assembly, stiffness)))
    return found is not None and found > layout.n_multipliers


def _stable(assembly: Assembly, sign: float) -> bool | None:
    """Whether the tangent with the margin added or taken off is that of a stable robot."""
    layout, symmetric = assembly.layout, assembly.conservative
    values = with_margin(assembly, sign * uncertain_stiffness(assembly))
    held, pushes = None, 0
    active = active_rows(assembly)
    presses = assembly.touch is not None and assembly.given.pressed is not None
    if (len(active) and active.any()) or presses:
        if presses and not symmetric:
            return None  # what rubs has no potential
        factor = layout.structure.factorise(values, symmetric and not layout.n_multipliers)
        if factor.singular:
            return None
        found = HeldFactor.of(assembly, factor, active)
        held, pushes = found.compliance, found.pushes
    return is_stable(layout.structure, values, symmetric, layout.n_multipliers, held, pushes)
