"""The factorised tangent of a model where it was evaluated: how it answers to small changes.

    K dq + Rᵀ dλ = -S du,      R dq - C dλ = G du                              (theory 15.1)

for all constraints that hold. K is the exact tangent; S and G are the derivatives of residual and
gaps by inputs. One factorisation serves all inputs and all frames.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.model.assemble import Assembly
from flexura.model.covector import Covectors
from flexura.model.model import Model
from flexura.model.slope import drifting_slope
from flexura.solve.constrained import HeldFactor
from flexura.solve.derivative.resisted import Unresisted
from flexura.solve.equilibrium import factorised
from flexura.typing import Array, Matrix, Twist


@dataclass(frozen=True, eq=False)
class Directions:
    """Ways that a robot can go, m of them.

    Attributes:
        changes: of all inputs, as ``Inputs.change`` has them, (n_values, m).
        motion: dq, increments of the unknowns, (n_dof, m).
        multipliers: dλ, of those of constraints, and of the forces of contacts, (n, m).
        drifts: how inputs move nodes besides, each (n_nodes, 6); None if they do not.
    """

    changes: Matrix
    motion: Matrix
    multipliers: Matrix
    drifts: tuple[Twist | None, ...]

    def moved(self, rows: Covectors) -> Matrix:
        """What outputs do along each of them, (p, m)."""
        found = rows.motion @ self.motion
        for i, drift in enumerate(self.drifts):
            if drift is not None:
                found[:, i] += rows.along(drift)
        return np.asarray(found)

    def tension(self, model: Model, tendon: int) -> Array:
        """What the tension of a tendon does along each of them, (m,)."""
        row = model.tendons.row(tendon, model.inputs)
        if row is None:
            return np.asarray(self.changes[model.tendons.source[tendon]])
        return np.asarray(self.multipliers[row])

    def drift(self, parts: Array) -> Twist | None:
        """How inputs move nodes along a combination of them, (m,)."""
        found = None
        for own, part in zip(self.drifts, parts.tolist(), strict=True):
            if own is not None:
                found = part * own if found is None else found + part * own
        return found


@dataclass(frozen=True, eq=False)
class Tangent:
    """The linear picture of an evaluated model.

    Attributes:
        assembly: evaluated there; it belongs to one thread.
        active: which constraints hold, (n_rows,).
        solver: of the tangent, with these.
    """

    assembly: Assembly
    active: NDArray[np.bool_]
    solver: HeldFactor | Unresisted

    @classmethod
    def of(cls, assembly: Assembly, active: NDArray[np.bool_]) -> "Tangent | None":
        """The tangent of the last evaluation; None if it is singular."""
        factor = factorised(assembly)
        if factor.singular:
            return None
        return cls(assembly, active, HeldFactor.of(assembly, factor, active))

    def along(self, changes: Matrix, correct: bool = False) -> Directions:
        """Where changes of inputs lead, each a column of all inputs, (n_values, m).

        Args:
            changes: of the inputs.
            correct: whether the last column is Newton's step, besides its change: what leads from
                here to balance.
        """
        assembly, m = self.assembly, changes.shape[1]
        right = np.zeros((assembly.layout.n_dof, m), order="F")
        gaps = np.zeros((len(self.active), m))
        drifts = assembly.model.drifts(assembly.inputs, changes)
        for i, (change, drift) in enumerate(zip(changes.T, drifts, strict=True)):
            if np.count_nonzero(change):
                right[:, i], gaps[:, i] = drifting_slope(assembly, change, drift)
        np.negative(right, out=right)
        if correct:
            right[:, -1] -= assembly.residual
            gaps[:, -1] += assembly.gap
        return self.answer(changes, right, gaps, tuple(drifts))

    def corrected(self, ways: Directions) -> Directions:
        """The same ways, but for the last: Newton's step from the last residual, by this factor."""
        assembly = self.assembly
        right = -np.asfortranarray(assembly.residual[:, None])
        found = self.answer(ways.changes[:, -1:], right, assembly.gap[:, None].copy(), (None,))
        return Directions(
            ways.changes,
            np.concatenate([ways.motion[:, :-1], found.motion], axis=1),
            np.concatenate([ways.multipliers[:, :-1], found.multipliers], axis=1),
            (*ways.drifts[:-1], None),
        )

    def answer(
        self, changes: Matrix, force: Matrix, gaps: Matrix, drifts: tuple[Twist | None, ...]
    ) -> Directions:
        """Where forces and gaps lead, (n_dof, m) and (n_rows, m), of all constraints.

        Raises:
            ModelError: if forces act along a motion that meets none.
        """
        if not force.shape[1]:
            return Directions(changes, force, gaps, drifts)
        if not self.assembly.model.n_multipliers:
            motion, _ = self.solver.solve_whole(force, gaps)
            return Directions(changes, motion, gaps, drifts)
        active, m = np.flatnonzero(self.active), force.shape[1]
        multipliers = np.zeros((self.assembly.model.n_multipliers, m))
        motion, change = self.solver.solve_whole(force, self._held(gaps, drifts))
        multipliers[active] = change[: len(active)]
        touched = self.solver.touched
        if touched is not None:
            pushes = change[len(active) :][: len(touched.pairs), None]
            forces = multipliers[len(gaps) :].reshape(-1, 3, m)
            np.add.at(forces, touched.pairs, touched.ways[:, :, None] * pushes)
        return Directions(changes, motion, multipliers, drifts)

    def back(self, rows: Covectors, changes: Matrix) -> Matrix:
        """What outputs do with changes of inputs: one transposed solve for each output.

            Kᵀ y + Rᵀ μ = e,   R y - C μ = 0,      e dq = -yᵀ S du + μᵀ G du       (theory 15.4)

        Args:
            rows: e, of the outputs, p of them.
            changes: of the inputs, (n_values, m).

        Returns:
            (p, m).
        """
        assembly = self.assembly
        assert isinstance(self.solver, HeldFactor)
        pulled, held = self.solver.solve_transposed(np.asfortranarray(rows.motion.T))
        drifts, m = assembly.model.drifts(assembly.inputs, changes), changes.shape[1]
        found, gaps = np.zeros((len(rows.motion), m)), np.zeros((len(self.active), m))
        for i, drift in enumerate(drifts):
            force, gaps[:, i] = drifting_slope(assembly, changes[:, i], drift)
            found[:, i] = rows.along(drift) - pulled.T @ force
        gaps = self._held(gaps, drifts)
        return np.asarray(found + held[: len(gaps)].T @ gaps)

    def _held(self, gaps: Matrix, drifts: Sequence[Twist | None]) -> Matrix:
        """Gaps of all that holds, (k, m): of active constraints, and of contacts that drift."""
        found, touched = gaps[self.active], self.solver.touched
        if touched is None:
            return found
        return np.concatenate([found, -touched.drifted(self.assembly, drifts)])
