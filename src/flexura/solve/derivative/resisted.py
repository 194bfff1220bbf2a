"""Whether every motion of an equilibrium meets a force: only then it answers in one way."""

import numpy as np

from flexura.errors import ModelError
from flexura.model.assemble import Assembly
from flexura.solve.constrained import HeldFactor
from flexura.solve.free_motion import free_motions
from flexura.solve.margin import uncertain_stiffness

# What a quick look finds to resist by no more than so many margins is looked at closely: it takes
# any force, of which the softest motion has its share, so it is off by a factor like √n.
NEAR = 1e3


def check_resisted(who: str, assembly: Assembly, held: HeldFactor) -> None:
    """Raise if there is a motion that nothing resists, and say which."""
    if _softest(assembly, held) > NEAR * uncertain_stiffness(assembly):
        return
    state, inputs = assembly.state, assembly.inputs
    found = free_motions(assembly, state, inputs)
    assembly.evaluate(state, inputs)
    if found.remarks or held.factor.singular:
        which = "; ".join(found.remarks) or "the tangent is singular"
        raise ModelError(
            f"{who}: a motion of {assembly.model.name!r} meets no force, so it answers to a small "
            f"change in no certain way: {which}"
        )


def _softest(assembly: Assembly, held: HeldFactor) -> float:
    """About how much the softest motion resists, or more [N]."""
    if held.factor.singular:
        return 0.0
    layout, length = assembly.layout, assembly.model.length
    moves = ~layout.multiplier
    if not moves.any():
        return np.inf
    units = np.where(moves, layout.units, 1.0)
    none = np.zeros(len(held.rows))
    force = np.where(moves, np.cos(np.arange(len(units)) ** 2.0), 0.0)  # of no motion in particular
    give = np.where(moves, held.solve(force / units, none)[0] / units, 0.0)
    size = float(np.linalg.norm(give))
    if not np.isfinite(size):
        return 0.0
    return length * float(np.linalg.norm(force)) / size if size > 0.0 else np.inf
