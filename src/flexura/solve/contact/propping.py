"""Props where a robot needs them, and whether it stands once contacts have taken their place.

What is stable with props is stable without them unless these are what holds it. With the contacts
and constraints that hold, V gives by F = VᵀD A⁻¹ D V under loads along it, A the tangent with
props; without them it resists by F⁻¹ - τ: not at all where τ F is 1, less than that where it is
more.
"""

import numpy as np
from numpy.typing import NDArray

from flexura.model.assemble import Assembly
from flexura.model.slips import Slips
from flexura.model.touch_rows import touch_rows
from flexura.solve.constrained import HeldFactor, active_rows, held_inertia
from flexura.solve.contact.propped import Propped
from flexura.solve.equilibrium import Equilibrium, Report
from flexura.solve.free_motion import neutral_motions
from flexura.solve.margin import uncertain_stiffness, with_margin
from flexura.solve.stability import Stability
from flexura.typing import Array

# Where all but this part of what holds a motion is its prop, nothing else does.
ALONE = 1e-6
# What is free turns against its own stresses, by less than this part of the forces in play. Softer
# motions would have gaps of which multipliers, solved to 1e-11, tell 1e-7 of the length at most.
FREELY = 1e-4
# ε of a cross product: its indices, and the sign.
LEVI_CIVITA = (
    (0, 1, 2, 1.0), (1, 2, 0, 1.0), (2, 0, 1, 1.0),
    (1, 0, 2, -1.0), (2, 1, 0, -1.0), (0, 2, 1, -1.0),
)  # fmt: skip


def propped(assembly: Assembly) -> Propped | None:
    """The tangent of the last evaluation with props; None if every motion resists.

    Props resist by more than contacts push that press.
    """
    if not assembly.layout.n_dof:  # nothing moves
        return None
    values = tangent_in_space(assembly)
    if not np.isfinite(values).all():
        return None
    factor = assembly.layout.structure.factorise(values, definite=False, overwrite=True)
    if factor.singular:
        return None
    soft = FREELY * assembly.force_scale() if assembly.model.volumes else 0.0  # rods may be limp
    motions = neutral_motions(assembly, factor, soft)
    good = motions.size and np.isfinite(motions).all()
    return _braced(assembly, Propped(assembly, factor, motions)) if good else None


def _braced(assembly: Assembly, factor: Propped) -> Propped:
    """A tangent with props that resist by more than its contacts push."""
    touch = assembly.touch
    if touch is None or not touch.presses:
        return factor
    own = touch_rows(assembly, touch)
    if not own.turning.any():
        return factor
    return factor.braced(own.base[len(own.base) - len(own.turning) :], own.turning)


def without_props(
    assembly: Assembly, factor: Propped, active: NDArray[np.bool_], slip: Slips | None = None
) -> HeldFactor:
    """The tangent with all that holds, its props taken off by springs that push as they resist.

    Args:
        assembly: what was evaluated.
        factor: of its tangent, with props.
        active: constraints that hold, (n_rows,).
        slip: how far pairs have slid; see ``held_rows``.
    """
    return HeldFactor.of(assembly, factor, active, factor.along, slip, -factor.give)


def tangent_in_space(assembly: Assembly) -> Array:
    """Values of the last tangent with a margin, along straight ways in space.

    The tangent is the second derivative along exponentials, on which what turns by ω and moves by v
    goes on by ω × v / 2: where forces f are left, f · (ω × v) is part of it, and what slides freely
    is not free of it. On straight ways it is.
    """
    layout, values = assembly.layout, with_margin(assembly, uncertain_stiffness(assembly))
    first = layout.pose_dof
    slots = layout.structure.slots(first, first)
    base, down, right = slots[:, 0], slots[:, 1], slots[:, 2]
    for i, j, k, sign in LEVI_CIVITA:  # of f_k ω_i v_j
        half = 0.5 * sign * assembly.residual[first + 3 + k]
        np.subtract.at(values, base + i * down + (3 + j) * right, half)
        np.subtract.at(values, base + (3 + j) * down + i * right, half)
    return values


class PressedEquilibrium(Equilibrium):
    """An equilibrium with contacts, which may hold what nothing else does."""

    def report(self, converged: bool) -> Report:
        """Stability and what results keep."""
        factor = propped(self.assembly) if converged else None
        if factor is None:
            return super().report(converged)
        found = propped_stability(self.assembly, factor)
        return Report(found.stable, found.free, self.assembly.evaluation())


def propped_stability(assembly: Assembly, factor: Propped) -> Stability:
    """Stability of the last evaluated state, whose tangent has props."""
    held = HeldFactor.of(assembly, factor, active_rows(assembly))
    if len(held.rows) and not assembly.conservative:
        return Stability(None, free=False)  # what rubs has no potential
    structure = assembly.layout.structure
    values = with_margin(assembly, uncertain_stiffness(assembly))
    if not assembly.conservative:
        values = structure.symmetric_part(values)
    negative = structure.inertia(values)
    if negative is None:
        return Stability(None, free=False)
    if held_inertia(negative, held.compliance, held.pushes) != assembly.layout.n_multipliers:
        return Stability(False, free=False)
    none = np.zeros(len(held.rows))
    moved = np.stack([held.solve(load, none)[0] for load in factor.along], axis=1)
    give = factor.along @ moved
    give = 0.5 * (give + give.T) / np.sqrt(np.outer(factor.give, factor.give))
    part = np.linalg.eigvalsh(give)
    stable = bool((part <= 1.0 + ALONE).all())
    return Stability(stable, free=stable and bool((part >= 1.0 - ALONE).any()))
