"""Steps of models with contacts: constraints and pairs that are near, in one small problem.

Far from a solution, forces that turn may push more than anything holds, and the small problem may
have no solution: then the step is that of forces that do not turn.
"""

import numpy as np

from flexura.matrix.structure import Factor
from flexura.model.assemble import Assembly
from flexura.model.touch import Touch
from flexura.solve.cone.coulomb import ROUNDS, Solved
from flexura.solve.cone.projections import SOLVED
from flexura.solve.contact.lowering import lower
from flexura.solve.contact.problem import before, change_of_forces, gaps, small_problem
from flexura.solve.contact.propped import SOFT, Propped
from flexura.solve.contact.small import Small
from flexura.solve.contact.thin import product
from flexura.solve.contact.turning import ContactTangent
from flexura.solve.contact.yielding import yields
from flexura.typing import Array

# Ways below this part of the length are rounding, where joints hold what may slide.
STILL = 1e-11


class Stepping:
    """The small problem of the last tangent, kept for the steps that share it.

    Attributes:
        solved: the last small problem, with the multipliers of all rows.
        drift: where the last step would go on for ever, as no contact holds it, (n_dof,).
    """

    def __init__(self) -> None:
        self.drift: Array | None = None
        self.solved = Solved(np.empty(0), 0.0, 0, 0)
        self._factor: Factor | None = None
        self._tangent: ContactTangent | None = None
        self._small: Small

    def step(
        self, assembly: Assembly, factor: Factor, increments: Array, gap: Array | None
    ) -> tuple[Array, Array]:
        """Newton's step with all constraints and contacts in their cones.

        Arguments and what it returns as ``constrained_step`` has them.
        """
        touch = assembly.touch
        assert touch is not None
        tangent = self._for(assembly, touch, factor)
        problem = tangent.problem
        old = before(problem, assembly, touch)
        self.drift = None
        if not len(old):
            if isinstance(factor, Propped) and not factor.rests(assembly):
                self.drift = factor.motions @ (factor.along @ increments)
            return increments, -assembly.state.multipliers  # nothing is near, nor presses
        at = gaps(problem, assembly, touch, gap)
        turned, b = self._without(tangent, increments, at, old)
        if not np.isfinite(self._small.compliance.sum() + b.sum()):
            return np.full_like(increments, np.nan), np.zeros_like(assembly.state.multipliers)
        moved = self._settled(assembly, tangent, factor, turned, b, old)
        if self.solved.residual > SOLVED and tangent.turns:
            tangent.hold_still()
            self._small = self._given(tangent, touch.first, STILL * assembly.model.length)
            turned, b = self._without(tangent, increments, at, old)
            moved = self._settled(assembly, tangent, factor, turned, b, old)
        return moved, change_of_forces(problem, assembly, touch, self.solved.multipliers)

    def _without(
        self, tangent: ContactTangent, increments: Array, at: Array, old: Array
    ) -> tuple[Array, Array]:
        """The step that multipliers as they are leave, and gaps of all rows without any."""
        turned = tangent.turned(increments)
        return turned, at - tangent.problem.rows @ turned - self._small.compliance @ old

    def _settled(
        self,
        assembly: Assembly,
        tangent: ContactTangent,
        factor: Factor,
        increments: Array,
        b: Array,
        old: Array,
    ) -> Array:
        """The step, with props or without; arguments as for ``lower``."""
        if isinstance(factor, Propped):
            found = lower(assembly, tangent, factor, self._small, increments, b, old)
            self.solved, self.drift = found.solved, found.drift
            return found.step
        self.solved = self._small.settle(b, old, old, rounds=0 if tangent.turns else ROUNDS)
        return np.asarray(increments - tangent.moved @ (self.solved.multipliers - old))

    def _for(self, assembly: Assembly, touch: Touch, factor: Factor) -> ContactTangent:
        """The small problem of a factor, with the same pairs as long as none comes near."""
        if self._tangent is not None and self._factor is factor:
            known = self._tangent.problem.touched.pairs
            if np.isin(touch.near, known).all():
                return self._tangent
        problem = small_problem(assembly, touch)
        self._tangent = tangent = ContactTangent(problem, factor, assembly.rows)
        self._factor = factor
        self._small = self._given(tangent, touch.first, STILL * assembly.model.length)
        return tangent

    def _given(self, tangent: ContactTangent, first: int, still: float) -> Small:
        """What a tangent gives to its rows, the first of which are of constraints."""
        problem = tangent.problem
        compliance = product(problem.rows, tangent.moved)
        if isinstance(self._factor, Propped):  # of props, as little as of what they stand beside
            props = self._factor.compliance(problem.rows)
            own = yields(compliance - props, problem.rubbing)
            own += SOFT * yields(props, problem.rubbing)
        else:
            own = yields(compliance, problem.rubbing)
        own[range(first), range(first)] = 0.0
        compliance.flat[:: len(problem.give) + 1] += problem.give
        return Small(problem, compliance, own, still, isinstance(self._factor, Propped))
