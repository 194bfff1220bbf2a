"""How an equilibrium answers to small changes of what is given."""

from collections.abc import Sequence
from threading import RLock

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError, known, show
from flexura.model.assemble import Assembly
from flexura.model.covector import Covectors, twist_covectors
from flexura.model.slips import Slips
from flexura.result.static import StaticResult
from flexura.robot import AnyFrame
from flexura.solve.at_rest import check_without_friction
from flexura.solve.constrained import NO_COMPLIANCE, HeldFactor, active_rows
from flexura.solve.contact.propping import propped, without_props
from flexura.solve.derivative.about import evaluated
from flexura.solve.derivative.resisted import NEAR, Unresisted, softest
from flexura.solve.derivative.tangent import Directions, Tangent
from flexura.solve.equilibrium import factorised
from flexura.solve.margin import uncertain_stiffness
from flexura.typing import Indices, Matrix, Twist

# A constraint whose gap is smaller than this, relative to the length, is closed.
GRAZING = 1e-6


class Response:
    """The linear answer of an equilibrium.

    ``jacobian`` and ``compliance`` may be asked by several threads; the rest belongs to one.

    Attributes:
        result: the equilibrium.
        assembly: evaluated there.
        tangent: factorised, with the constraints that hold.
    """

    _owner: object = None

    def __init__(
        self,
        who: str,
        result: StaticResult,
        grazing: Indices | None = None,
        hanging: Sequence[int] = (),
        slip: Slips | None = None,
    ) -> None:
        """Factorise the tangent of a result.

        Args:
            who: what asks.
            result: an equilibrium.
            grazing: constraints that hold, too, where they are closed but carry nothing: what
                follows is right for changes that load them.
            hanging: constraints that do not hold, though they carry a little by rounding.
            slip: how far pairs have slid; see ``held_rows``.

        Raises:
            ModelError: for a result that is no equilibrium.
        """
        assembly = evaluated(who, result, self)
        active = holding(assembly, grazing)
        if hanging:
            active = active.copy()
            active[list(hanging)] = False
        self._keep(result, Tangent(assembly, active, _solver(who, assembly, active, slip)))

    def _keep(self, result: StaticResult, tangent: Tangent) -> None:
        self.result, self.tangent, self.assembly = result, tangent, tangent.assembly
        self._known: dict[tuple[str, ...], Directions] = {}
        self._turn = RLock()  # of those who ask: outputs and inputs share the assembly's arrays

    @classmethod
    def of(cls, result: StaticResult, tangent: Tangent, owner: object) -> "Response":
        """The answer of an equilibrium where all motions meet a force, its tangent known.

        Args:
            result: the equilibrium.
            tangent: evaluated there.
            owner: whose assembly that is, as long as it lives.
        """
        found = cls.__new__(cls)
        found._keep(result, tangent)
        found._owner = owner
        return found

    def jacobian(self, frame: AnyFrame, by: Sequence[str] | None = None) -> Matrix:
        """Body twist of a frame by each number of each input, (6, m); see ``StaticResult``."""
        check_without_friction("a derivative", self.result.model)
        with self._turn:
            return self.moved(self.twist(frame), self.names(by))

    def moved(self, rows: Covectors, names: Sequence[str]) -> Matrix:
        """What outputs do with each number of each input, (p, m).

        With one solve for each input or for each output, whichever are fewer.
        """
        asked, changes = tuple(names), self.changes(names)
        known = asked in self._known or isinstance(self.tangent.solver, Unresisted)
        if known or changes.shape[1] <= len(rows.motion):
            return self.by_inputs(asked).moved(rows)
        return self.tangent.back(rows, changes)

    def compliance(self, frame: AnyFrame) -> Matrix:
        """Body twist of a frame by a body wrench there, (6, 6); see ``StaticResult``."""
        check_without_friction("a derivative", self.result.model)
        with self._turn:
            rows = self.twist(frame).motion
            none = np.zeros((int(self.tangent.active.sum()), 6))
            return np.asarray(rows @ self.tangent.solver.solve(np.asfortranarray(rows.T), none)[0])

    def twist(self, frame: AnyFrame) -> Covectors:
        """The rows of a frame's body twist.

        Raises:
            ModelError: if the frame moves along with a motion that meets no force.
        """
        return self.certain(twist_covectors(self.assembly, frame))

    def certain(self, rows: Covectors) -> Covectors:
        """Rows of outputs; raise if a motion that meets no force moves them."""
        if isinstance(self.tangent.solver, Unresisted):
            self.tangent.solver.check(rows.motion)
        return rows

    def names(self, by: Sequence[str] | None) -> list[str]:
        """Names of inputs, checked; all of them for None."""
        inputs = self.result.model.inputs
        if by is None:
            return list(inputs)
        if isinstance(by, str) or not isinstance(by, Sequence):
            raise ModelError(f"by= takes a list of names of inputs, got {show(by)}")
        return [known("input", name, inputs) for name in by]

    def changes(self, names: Sequence[str]) -> Matrix:
        """Each number of each input changed by one, column by column, (n_values, m)."""
        table = self.result.model.inputs
        return table.units([i for name in names for i in table[name].directions])

    def by_inputs(self, names: Sequence[str]) -> Directions:
        """Where each number of each input leads; of a pose, each number of its body twist."""
        asked = tuple(names)
        if asked not in self._known:
            self._known[asked] = self.tangent.along(self.changes(asked))
        return self._known[asked]

    def answer(
        self, changes: Matrix, force: Matrix, gaps: Matrix, drifts: tuple[Twist | None, ...]
    ) -> Directions:
        """Where forces and gaps lead; see ``Tangent``."""
        return self.tangent.answer(changes, force, gaps, drifts)


def holding(assembly: Assembly, grazing: Indices | None) -> NDArray[np.bool_]:
    """Which constraints hold, (n_rows,); ``grazing`` as for ``Response``."""
    active = active_rows(assembly)
    if grazing is not None and len(grazing):
        active = active.copy()
        active[grazing] |= assembly.gap[grazing] <= GRAZING * assembly.model.length
    return active


def _solver(
    who: str, assembly: Assembly, active: NDArray[np.bool_], slip: Slips | None
) -> HeldFactor | Unresisted:
    """The tangent with the constraints that hold, across motions that meet no force."""
    factor, resists = factorised(assembly), np.nan
    if assembly.touch is not None:
        none = assembly.rows[:0]
        alone = None if factor.singular else HeldFactor(factor, none, none.T, NO_COMPLIANCE)
        props = propped(assembly) if _is_loose(assembly, alone) else None
        if props is not None:
            return without_props(assembly, props, active, slip)
    if not factor.singular:
        held = HeldFactor.of(assembly, factor, active, slip=slip)
        if assembly.touch is not None:
            return held
        resists = softest(assembly, held)
        if resists > NEAR * uncertain_stiffness(assembly):
            return held
    found = Unresisted(who, assembly, active)
    return held if np.isfinite(resists) and not found.motions.shape[1] else found


def _is_loose(assembly: Assembly, alone: HeldFactor | None) -> bool:
    """Whether a tangent may have motions that nothing but contacts and constraints resists.

    Args:
        assembly: what was evaluated.
        alone: its tangent without what holds; None if that is singular.
    """
    return alone is None or softest(assembly, alone) <= NEAR * uncertain_stiffness(assembly)
