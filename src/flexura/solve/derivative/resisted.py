"""Whether every motion of an equilibrium meets a force: only then it answers in one way."""

import numpy as np

from flexura.errors import ModelError
from flexura.model.assemble import Assembly
from flexura.solve.constrained import HeldFactor
from flexura.solve.free_motion import free_motions
from flexura.solve.margin import uncertain_stiffness

# Inverse iterations of a quick look. What it finds to resist by no more than so many margins is
# looked at closely; the softest of all motions is found within this factor.
QUICK, NEAR = 2, 1e3


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
    """About how much the softest motion resists [N], not less than it does."""
    if held.factor.singular:
        return 0.0
    layout, length = assembly.layout, assembly.model.length
    moves = ~layout.multiplier
    if not moves.any():
        return np.inf
    units = np.where(moves, layout.units, 1.0)
    none = np.zeros(len(held.rows))
    b = np.where(moves, np.random.default_rng(0).normal(size=len(units)), 0.0)
    size = 1.0
    for _ in range(QUICK):
        b /= np.linalg.norm(b)
        x = held.solve(b / units, none)[0]
        b = np.where(moves, x / units, 0.0)
        size = float(np.linalg.norm(b))
        if not np.isfinite(size) or size == 0.0:
            return 0.0 if size else np.inf
    return length / size
