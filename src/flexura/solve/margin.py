"""Stability that is not read off the sign of a zero: the margin is what rounding may add.

Forces have rounding errors, so motions resist by a stiffness that is known but for τ. In the units
of ``Model.gauge``, where all motions are lengths and everything conjugate to them forces [N], those
of soft rods as long as they make them as firm as the others,

    K - (τ/L) 1 positive definite:    every motion is pushed back for sure
    K + (τ/L) 1 positive definite:    none is pushed further; those between are free, or nearly

on the motions that constraints allow. Multipliers give by far less than anything else, so that
those that others determine already are determined, too.
"""

import numpy as np

from flexura.model.assemble import Assembly
from flexura.solve import equilibrium_kernels as kernels
from flexura.typing import Array

EPS = float(np.finfo(float).eps)
# Free motions of rods of all descriptions resist by up to 1 n ε of the largest stiffness, n the
# number of nodes; the softest of a wire 10⁴ times as long as thick by 10⁵ times this margin.
MARGIN = 4.0
# The same without rods, of the forces in play.
RIGID_MARGIN = 30.0
# How much multipliers give, relative to what rods do: so little that a prestress P, which makes a
# free motion softer by P² of it, stays below the margin, and more than rounding.
GIVE = EPS


def uncertain_stiffness(assembly: Assembly) -> float:
    """τ, stiffness that rounding may add [N]."""
    found = MARGIN * max(assembly.rounding(), _rounding_of_sums(assembly))
    return found or RIGID_MARGIN * EPS * (assembly.force_scale() or 1.0)


def _rounding_of_sums(assembly: Assembly) -> float:
    """What rounding adds where many elements meet, as on a body that a volume is clamped to [N]."""
    if not assembly.model.volumes:
        return 0.0
    layout = assembly.layout
    diagonal = np.abs(assembly.values[layout.structure.diagonal]) * assembly.model.gauge**2
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
        values, layout.structure.diagonal, assembly.model.gauge, layout.multiplier,
        stiffness / length, give / length,
    )  # fmt: skip
    return values
