"""How an equilibrium answers to small changes of what is given.

    K dq + Rᵀ dλ = -S du,      R dq - C dλ = G du                              (theory 15.1)

for all constraints that hold. K is the exact tangent; S and G are the derivatives of residual and
gaps by inputs. One factorisation serves all inputs and all frames.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexura.errors import ModelError, known, show
from flexura.model.covector import Covectors, twist_covectors
from flexura.model.slope import drifting_slope
from flexura.result.static import StaticResult
from flexura.robot import FrameLike
from flexura.solve.constrained import HeldFactor, active_rows
from flexura.solve.derivative.about import evaluated
from flexura.solve.derivative.resisted import NEAR, Unresisted, softest
from flexura.solve.equilibrium import factorised
from flexura.solve.margin import uncertain_stiffness
from flexura.typing import Indices, Matrix, Twist

# A constraint whose gap is smaller than this, relative to the length, is closed.
GRAZING = 1e-6


@dataclass(frozen=True, eq=False)
class Directions:
    """Ways that an equilibrium can go, m of them.

    Attributes:
        changes: of all inputs, as ``Inputs.change`` has them, (n_values, m).
        motion: dq, increments of the unknowns, (n_dof, m).
        multipliers: dλ, of those of constraints, (n_rows, m).
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


class Response:
    """The linear answer of an equilibrium; it belongs to one thread.

    Attributes:
        result: the equilibrium.
        assembly: evaluated there.
        active: which constraints hold, (n_rows,).
    """

    def __init__(self, who: str, result: StaticResult, grazing: Indices | None = None) -> None:
        """Factorise the tangent of a result.

        Args:
            who: what asks.
            result: an equilibrium.
            grazing: constraints that hold, too, where they are closed but carry nothing: what
                follows is right for changes that load them.

        Raises:
            ModelError: for a result that is no equilibrium.
        """
        self.result = result
        self.assembly = evaluated(who, result, self)
        self.active = active_rows(self.assembly)
        if grazing is not None:
            closed = self.assembly.gap[grazing] <= GRAZING * result.model.length
            self.active = self.active.copy()
            self.active[grazing] |= closed
        self._solver = self._factorised(who)
        self._known: dict[tuple[str, ...], Directions] = {}

    def _factorised(self, who: str) -> HeldFactor | Unresisted:
        """The tangent with the constraints that hold, across motions that meet no force."""
        assembly, factor = self.assembly, factorised(self.assembly)
        if not factor.singular:
            held = HeldFactor.of(assembly, factor, self.active)
            if softest(assembly, held) > NEAR * uncertain_stiffness(assembly):
                return held
        found = Unresisted(who, assembly, self.active)
        return held if not factor.singular and not found.motions.shape[1] else found

    def jacobian(self, frame: FrameLike, by: Sequence[str] | None = None) -> Matrix:
        """Body twist of a frame by each number of each input, (6, m); see ``StaticResult``."""
        names = self.names(by)
        return self.by_inputs(names).moved(self.twist(frame))

    def compliance(self, frame: FrameLike) -> Matrix:
        """Body twist of a frame by a body wrench there, (6, 6); see ``StaticResult``."""
        rows = self.twist(frame).motion
        none = np.zeros((int(self.active.sum()), 6))
        return np.asarray(rows @ self._solver.solve(np.asfortranarray(rows.T), none)[0])

    def twist(self, frame: FrameLike) -> Covectors:
        """The rows of a frame's body twist.

        Raises:
            ModelError: if the frame moves along with a motion that meets no force.
        """
        found = twist_covectors(self.assembly, frame)
        if isinstance(self._solver, Unresisted):
            self._solver.check(found.motion)
        return found

    def names(self, by: Sequence[str] | None) -> list[str]:
        """Names of inputs, checked; all of them for None."""
        inputs = self.result.model.inputs
        if by is None:
            return list(inputs)
        if isinstance(by, str) or not isinstance(by, Sequence):
            raise ModelError(f"by= takes a list of names of inputs, got {show(by)}")
        return [known("input", name, inputs) for name in by]

    def by_inputs(self, names: Sequence[str]) -> Directions:
        """Where each number of each input leads; of a pose, each number of its body twist."""
        asked = tuple(names)
        if asked not in self._known:
            self._known[asked] = self._find(asked)
        return self._known[asked]

    def _find(self, names: Sequence[str]) -> Directions:
        """Find the directions of inputs, all with one solve."""
        table = self.result.model.inputs
        places = [np.arange(x.start, x.stop) for x in (table[name].directions for name in names)]
        columns = np.concatenate([np.empty(0, dtype=np.int64), *places])
        changes = np.zeros((table.n_values, len(columns)), order="F")
        changes[columns, np.arange(len(columns))] = 1.0
        return self.along(changes)

    def along(self, changes: Matrix) -> Directions:
        """Where changes of inputs lead, each a column of all inputs, (n_values, m)."""
        assembly, m = self.assembly, changes.shape[1]
        right = np.zeros((assembly.layout.n_dof, m), order="F")
        gaps = np.zeros((len(self.active), m))
        drifts = assembly.model.drifts(assembly.inputs, changes)
        for i, (change, drift) in enumerate(zip(changes.T, drifts, strict=True)):
            right[:, i], gaps[:, i] = drifting_slope(assembly, change, drift)
        return self.answer(changes, -right, gaps, tuple(drifts))

    def answer(
        self, changes: Matrix, force: Matrix, gaps: Matrix, drifts: tuple[Twist | None, ...]
    ) -> Directions:
        """Where forces and gaps lead, (n_dof, m) and (n_rows, m), of all constraints.

        Raises:
            ModelError: if forces act along a motion that meets none.
        """
        if not force.shape[1]:
            return Directions(changes, force, gaps, drifts)
        motion, change = self._solver.solve(force, gaps[self.active])
        multipliers = np.zeros_like(gaps)
        multipliers[self.active] = change
        return Directions(changes, motion, multipliers, drifts)
