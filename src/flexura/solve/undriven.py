"""Motions that nothing resists and no change of inputs drives: steps leave them alone.

A round rod that is bent into a ring turns about its clamp as a shape, a buckled one between its
clamps. Far from equilibrium Newton's method goes any way along such a motion, for no reason.
"""

import numpy as np

from flexura.model.assemble import Assembly
from flexura.model.inputs import Inputs
from flexura.model.state import State
from flexura.model.step import Linearised
from flexura.solve.contact.propped import lengths, metric
from flexura.solve.equilibrium import Equilibrium, regular, step_by
from flexura.solve.free_motion import neutral_motions
from flexura.solve.resting import Resting
from flexura.solve.stability import stability
from flexura.typing import Array, Matrix

# What acts along a motion by no more than this part of all that it does drives nothing there.
NOTHING = 1e-6


def undriven_rows(assembly: Assembly, force: Array) -> Matrix | None:
    """Rows against motions that nothing resists and a force does not drive, None if none are.

    Vᵀ D of the last evaluated state, D the metric.

    Args:
        assembly: what was evaluated.
        force: what drives it, (n_dof,).
    """
    motions, driven = _driven(assembly, force)
    if driven.any():
        motions = motions @ np.linalg.svd(driven[None])[2][1:].T
    if not motions.size:
        return None
    return (metric(assembly) * lengths(assembly) * motions.T).copy()


def drives_freely(assembly: Assembly, force: Array) -> bool:
    """Whether a force drives what nothing resists; arguments as above."""
    return bool(_driven(assembly, force)[1].any())


def _driven(assembly: Assembly, force: Array) -> tuple[Matrix, Array]:
    """Motions that nothing resists, over lengths, (n_dof, k), and how a force drives each, (k,)."""
    length = lengths(assembly)
    motions = neutral_motions(assembly) / length[:, None]
    if not motions.size:
        return motions, np.zeros(0)
    motions, force = np.linalg.qr(motions)[0], force * length
    driven = motions.T @ force
    least = NOTHING * np.linalg.norm(force[~assembly.layout.multiplier])
    return motions, driven if least < np.linalg.norm(driven) < np.inf else np.zeros_like(driven)


class UndrivenStep:
    """Newton's step without what nothing resists or drives where it begins; a ``Stepper``."""

    def __init__(self, rows: Matrix) -> None:
        """Leave out what rows are against, (k, n_dof)."""
        self._rows = rows

    @classmethod
    def at(
        cls, assembly: Assembly, state: State, begin: Inputs, end: Inputs
    ) -> "UndrivenStep | None":
        """Steps from an equilibrium under some inputs to others; None if nothing is left out."""
        if assembly.touch is not None:
            return None
        assembly.evaluate_residual(state, end)
        force = assembly.residual.copy()
        assembly.evaluate(state, begin)
        if not stability(assembly).free:
            return None
        rows = undriven_rows(assembly, force)
        return None if rows is None else cls(rows)

    def __call__(self, problem: Equilibrium) -> Linearised | None:
        """The step from the last evaluation; None if there is none."""
        factor = regular(problem.assembly)
        if factor.singular:
            return None
        return step_by(problem.assembly, Resting(factor, self._rows))
