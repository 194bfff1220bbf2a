"""Tangents with motions that nothing resists, held up by props until contacts hold them.

What rides on a free slider, or stands on a floor, moves along V without resistance. With D the
metric and VᵀDV = 1, a prop of stiffness τ holds it,

    (K + τ D V VᵀD)⁻¹ = K⁺ + V Vᵀ/τ,       K⁺ across V.

What props carry is taken off again, τ D V a with a = VᵀD dq of the solution before: after a few
solutions of the small problem contacts carry all of it. Where they cannot, nothing holds the robot.
"""

from copy import copy

import numpy as np

from flexura.matrix.structure import Factor
from flexura.model.assemble import Assembly
from flexura.solve.contact.thin import product
from flexura.typing import Array, Matrix

# Stiffness of a prop, relative to what resists any of the unknowns that it moves.
SOFT = 1e-3
# Part of it that contacts may push by.
BRACED = 0.5
# Forces along motions this small, relative to those in play, drive nothing.
NOTHING = 1e-9


def lengths(assembly: Assembly) -> Array:
    """What a motion by the length of the robot is for each unknown; 1 for multipliers, (n_dof,)."""
    layout = assembly.layout
    return np.where(layout.multiplier, 1.0, layout.units * assembly.model.length)


def metric(assembly: Assembly) -> Array:
    """D: of motions relative to the length, so that all resist alike, (n_dof,).

    Zero for multipliers.
    """
    model = assembly.model
    return np.where(assembly.layout.multiplier, 0.0, (model.gauge * model.length) ** -2.0)


class Propped:
    """A factorised tangent with props along motions that nothing resists; a ``Factor``.

    Attributes:
        motions: V, (n_dof, k).
        along: VᵀD, (k, n_dof).
        give: 1/τ, of props, (k,).
    """

    singular = False
    sign = 1

    def __init__(self, assembly: Assembly, factor: Factor, motions: Matrix) -> None:
        """Prop a tangent.

        Args:
            assembly: what was evaluated.
            factor: of its tangent, where all motions resist by a margin.
            motions: that meet no force, (n_dof, k).
        """
        weight = metric(assembly)
        turn = np.linalg.qr(np.sqrt(weight)[:, None] * motions)[1]
        self.motions = np.ascontiguousarray(np.linalg.solve(turn.T, motions.T).T)
        self.along = np.ascontiguousarray((weight[:, None] * self.motions).T)
        self._factor = factor
        load = assembly.force_scale() * assembly.model.length
        stiff = _resistance(assembly, self.motions)
        # of all motions that resist anything the same: else what is free goes where it gives most;
        # and no softer for loads, whose rounding would be a way
        resists = SOFT * max(float(stiff.max()), load)
        self.give: Array = 1.0 / np.where(stiff > SOFT * load, resists, load or 1.0)

    def rests(self, assembly: Assembly) -> bool:
        """Whether no force of the last evaluation drives what nothing resists."""
        return self._is_nothing(self.motions.T @ assembly.residual, assembly)

    def unloaded(self, way: Array, assembly: Assembly) -> bool:
        """Whether props that give by a way carry nothing, (k,)."""
        return self._is_nothing(way / self.give, assembly)

    def _is_nothing(self, force: Array, assembly: Assembly) -> bool:
        """Whether forces along motions [J] are none beside those in play."""
        largest = float(np.abs(force).max()) / assembly.model.length
        return largest <= NOTHING * assembly.force_scale()

    def braced(self, rows: Matrix, turning: Matrix) -> "Propped":
        """The same with props that resist by more than what contacts push, who turn with motions.

        They push along V by VᵀBᵀ (1 + D B K⁺Bᵀ)⁻¹ D B V, whatever else gives.

        Args:
            rows: B, motions of frames, (m, n_dof).
            turning: D, of Bᵀ D B, what contacts add to the tangent, (m, m).
        """
        own, give = rows @ self.motions, product(rows, self._across(np.asfortranarray(rows.T)))
        pushes = own.T @ np.linalg.lstsq(np.eye(len(turning)) + turning @ give, turning @ own)[0]
        if not np.isfinite(pushes).all():
            return self
        pushes = 0.5 * (pushes + pushes.T)
        least = float(np.linalg.eigvalsh(pushes).min())
        if least >= 0.0:
            return self
        stiffer = copy(self)
        stiffer.give = np.minimum(self.give, -BRACED / least)
        return stiffer

    def compliance(self, rows: Matrix) -> Matrix:
        """What props alone give along rows to loads along them, (n, n)."""
        moves = rows @ self.motions
        return np.asarray((moves * self.give) @ moves.T)

    def solve(self, right: Array) -> Array:
        """Solve the linear system for a vector, or for the columns of a matrix."""
        own = self.motions.T @ right
        return np.asarray(self._across(right) + self.motions @ self._given(own))

    def solve_transposed(self, right: Array) -> Array:
        """Solve the system of the transposed matrix."""
        own = self.motions.T @ right
        found = self._factor.solve_transposed(np.asfortranarray(right - self.along.T @ own))
        return np.asarray(found + self.motions @ (self._given(own) - self.along @ found))

    def _across(self, right: Array) -> Array:
        """K⁺ times a vector, or the columns of a matrix."""
        load = right - self.along.T @ (self.motions.T @ right)
        found = self._factor.solve(np.asfortranarray(load))
        return np.asarray(found - self.motions @ (self.along @ found))

    def _given(self, force: Array) -> Array:
        """How far props give to forces along motions, (k,) or (k, n)."""
        return (self.give * force.T).T


def _resistance(assembly: Assembly, motions: Matrix) -> Array:
    """What resists any of the unknowns that motions move, or that these meet in the tangent [J].

    The latter where nothing resists the former alone, as of rods that do not shear.
    """
    layout = assembly.layout
    diagonal = np.abs(assembly.values[layout.structure.diagonal])
    around = np.where(layout.multiplier, 0.0, diagonal * lengths(assembly) ** 2)
    rows, columns = layout.structure.entries
    found = (motions**2 * diagonal[:, None]).max(axis=0)
    for i, motion in enumerate(np.abs(motions.T)):
        moved = motion > SOFT * motion.max()
        meets = rows[moved[columns] & (rows >= 0)]
        found[i] = max(found[i], SOFT * around[meets].max(initial=0.0))
    return np.asarray(found)
