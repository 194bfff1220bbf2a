"""The equilibrium of a model as a problem for Newton's method, for thin stiff rods too.

Poses as coordinates make any finite bending step stretch the rod a little, and a steel wire
answers with an enormous axial stress. The mixed-integration-point iteration [Magisano2017] keeps
the stress of each point as an unknown of its own: the geometric part of the tangent takes the
stress of the strains that the previous step predicted, not the one at the new pose. Same solution,
same quadratic end.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from flexura.matrix.structure import Factor
from flexura.model.assemble import Assembly
from flexura.model.assemble_kernels import finite
from flexura.model.closing import CLOSED, closed
from flexura.model.evaluation import Ahead, Evaluation
from flexura.model.inputs import Inputs
from flexura.model.state import State
from flexura.model.step import Linearised, linearise
from flexura.solve import equilibrium_kernels as kernels
from flexura.solve.constrained import constrained_step
from flexura.solve.contact.touching import Stepping
from flexura.solve.margin import uncertain_stiffness, with_margin
from flexura.solve.mechanism import Rest, at_rest
from flexura.solve.newton import History, Outcome, Step, StepControl, newton
from flexura.solve.resting import Resting
from flexura.solve.stability import Stability, stability
from flexura.typing import Array

# A step this small, relative to 1 rad and to the length, is the last: the next one would be
# its square.
LAST_STEP = 1e-8
# A step below this belongs to a quadratic end. The next one may be this small to be left out, if of
# forces and gaps no more than this is left.
QUADRATIC = 1e-3
VANISHING = 1e-11
ARRIVED = 1e-12
# A step that turns by more than this [rad] follows a motion without resistance, or nearly; then
# motions resist by this many times what rounding may make.
ENDLESS = 1e4
STIFFER = 1e3
# How much multipliers give then, relative to what rods do.
LOOSE = 1e-10
# A step this long may follow a motion without resistance; shorter ones are soon the last.
AFAR = 1e-7
# What is left of the forces is nothing but rounding.
ROUNDED = 1e-13
# Contacts that rub are near enough, relative to the length, if no more of the forces is left than
# that, and steps do not shrink any more.
RUBBED, SLIGHT = 1e-7, 1e-9
# A step after which a linkage cannot be closed is halved, so many times.
HALVED = 8
# What is left of the forces after the last step, relative to them; far above round-off, far
# below anything but a failure.
BALANCED = 1e-6
# So many steps friction may take to turn until it is off by less than what slid.
EARLY = 4
# Elements that round the forces of a node: those on its two sides.
BOTH_SIDES = 2.0


class Iterate(NamedTuple):
    """A point of an iteration: the state, and what to remember for its tangent."""

    state: State
    ahead: Ahead | None = None


class Report(NamedTuple):
    """What is worth knowing of the end of an iteration.

    Attributes:
        stable: whether the equilibrium is stable, None where there is none or it cannot be told.
        free: whether there are motions that meet no force.
        evaluation: what results keep.
        grows: whether slow disturbances grow, though it is not told if it is stable.
    """

    stable: bool | None
    free: bool
    evaluation: Evaluation
    grows: bool = False


class Stepper(Protocol):
    """How to find a step."""

    def __call__(self, problem: "Equilibrium") -> Linearised | None:
        """The step from the last evaluation; None if there is none."""


class Equilibrium:
    """A model under given inputs; a ``Problem``.

    Attributes:
        assembly: work space.
        inputs: of the model.
        relief: what the residual shall be; zero but for the gaps of joints on the way to closing a
            loop, (n_dof,), or None for zero everywhere.
    """

    closes = True  # linkages of bodies, after each step

    def __init__(
        self,
        assembly: Assembly,
        inputs: Inputs,
        stepper: Stepper | None = None,
        relief: Array | None = None,
    ) -> None:
        self.assembly, self.inputs, self.relief = assembly, inputs, relief
        self._stepper = plain_step if stepper is None else stepper
        self._step: Linearised | None = None

    def evaluate(self, point: Iterate) -> bool:
        """Evaluate residual and tangent; that is always possible."""
        self.assembly.evaluate(point.state, self.inputs, point.ahead)
        if self.relief is not None:
            self.assembly.residual -= self.relief
        return True

    def imbalance(self) -> tuple[float, float]:
        """Largest force out of balance [N], and largest gap, relative to the length.

        By how firm robots are where it acts (``Model.balance``).
        """
        return self.assembly.imbalance(self.assembly.model.balance)

    def step(self) -> Linearised | None:
        """The step from the last evaluation; None if there is no finite one."""
        self._step = self._stepper(self)
        return self._step

    def advance(self, fraction: float) -> Iterate:
        """The point after a fraction of the last step, or after less if a linkage would open."""
        assert self._step is not None
        model = self.assembly.model
        for k in range(HALVED + 1):
            state, ahead = self._step.advance(0.5**k * fraction)
            if not (self.closes and model.joints_loop):
                break
            state, gap = closed(model, self.inputs, state)
            if gap <= CLOSED:
                break
        return Iterate(state, ahead)

    def report(self, converged: bool) -> Report:
        """Stability and what results keep."""
        found = stability(self.assembly) if converged else Stability(None, free=False)
        return Report(found.stable, found.free, self.assembly.evaluation(), found.grows)


@dataclass
class ForceBalance:
    """Stops where steps vanish, judges by the forces in play and by rounding; a ``Stopping``."""

    assembly: Assembly

    def forces(self) -> float:
        """Size of the forces in play [N]."""
        return self.assembly.force_scale()

    def rounding(self) -> float:
        """Size of rounding errors in them [N]."""
        return self.assembly.rounding()

    def over(self, history: History) -> bool:
        """Whether the last step was small, or the next one would be lost in rounding."""
        if history.steps[-1] <= LAST_STEP:
            return not self._turns(history)
        if self._at_rest(history) or self._rubs(history):
            return True
        return history.fraction == 1.0 and self._arrived(history)

    def settled(self, history: History, step: Step | None) -> bool:
        """Never."""
        return False

    def accepts(self, history: History) -> bool:
        """Whether forces balance and gaps are closed, and no force is beyond floats anywhere."""
        left = max(history.forces[-1] / self._scale(), history.gaps[-1])
        return left <= BALANCED and self.assembly.finite()

    def residuals(self, history: History) -> tuple[float, ...]:
        """Largest forces, relative to those in play; gaps.

        Forces that are rounding in stiff strains, and nothing else, balance.
        """
        scale = self._scale()
        pairs = zip(history.forces, history.gaps, strict=True)
        return tuple(max(force / scale, gap) for force, gap in pairs)

    def _scale(self) -> float:
        """Forces in play, and so much that rounding is balanced [N]."""
        scale = self.forces() + BOTH_SIDES * self.rounding() / BALANCED
        return scale if math.isfinite(scale) and scale > 0.0 else 1.0

    def _arrived(self, history: History) -> bool:
        """Whether another step would be lost in rounding, and forces balance already.

        Steps of a quadratic end have the sizes s, c s², c³ s⁴: the third from the first two.
        """
        if len(history.steps) < 2 or history.gaps[-1] > ARRIVED:
            return False
        last, before = history.steps[-1], history.steps[-2]
        if last > QUADRATIC or last**3 > VANISHING * before**2:
            return False
        return history.forces[-1] <= ARRIVED * self.forces() + self.rounding()

    def _rubs(self, history: History) -> bool:
        """Whether what rubs is as near as contacts give in a step, and steps shrink no more.

        Where more of them stick than there are motions, which of them hold what is found slowly.
        """
        touch, steps = self.assembly.touch, history.steps
        if touch is None or not touch.contacts.frictional or len(steps) < 2:
            return False
        stuck = 0.5 * steps[-2] < steps[-1] <= 10.0 * RUBBED
        near = history.gaps[-1] <= RUBBED and history.forces[-1] <= SLIGHT * self.forces()
        return stuck and near

    def _turns(self, history: History) -> bool:
        """Whether friction still turns, or moves to others, however small the steps."""
        touch, gaps, forces = self.assembly.touch, history.gaps, history.forces
        if touch is None or not touch.contacts.frictional or len(gaps) < 2:
            return False
        # of the first small step there is no telling yet
        first = len(history.steps) < 2 or history.steps[-2] > LAST_STEP
        falls = first or forces[-1] <= 0.5 * forces[-2]
        moves = falls and forces[-1] > SLIGHT * self.forces() + self.rounding()
        shrinks = gaps[-1] <= 0.5 * gaps[-2] or len(gaps) <= EARLY  # not below the way at first
        return moves or (gaps[-1] > RUBBED and shrinks)

    def _at_rest(self, history: History) -> bool:
        """Whether no force is left but rounding: then a step would only follow a free motion.

        Rounding in stiff strains counts only where neither steps nor forces shrink any more.
        """
        steps, forces = history.steps, history.forces
        if history.gaps[-1] > ROUNDED or forces[-1] > 1e-6 * max(forces):
            return False
        stuck = len(steps) > 1 and steps[-1] > 0.5 * steps[-2] and forces[-1] > 0.5 * forces[-2]
        of_strains = self.rounding() if stuck else 0.0
        return forces[-1] <= ROUNDED * self.forces() + of_strains


def solve_equilibrium(problem: Equilibrium, start: Iterate, iterations: int) -> Outcome[Iterate]:
    """Newton's method for an equilibrium."""
    assembly = problem.assembly
    if not assembly.model.n_dof:  # nothing moves
        problem.evaluate(start)
        stopping = ForceBalance(assembly)
        force, gap = problem.imbalance()
        history = History([force], [gap])
        residuals = stopping.residuals(history)
        return Outcome(start, stopping.accepts(history), False, residuals, (), problem.report(True))
    control = StepControl(leap=problem.inputs.turning)
    return newton(problem, start, ForceBalance(assembly), control, iterations)


def evaluate_at(problem: Equilibrium, point: Iterate) -> Outcome[Iterate]:
    """Evaluate at a point without a step."""
    return newton(problem, point, ForceBalance(problem.assembly), StepControl(), 0)


def plain_step(problem: Equilibrium) -> Linearised | None:
    """Newton's step; where it follows a motion without resistance, the smallest one."""
    assembly = problem.assembly
    rest = at_rest(assembly)
    factor = factorised(assembly) if rest is None else regular(assembly)
    step = step_by(assembly, factor, rest=rest)
    if step is None or step.rotation > ENDLESS or _unresisted(assembly, step):
        values = with_margin(assembly, STIFFER * uncertain_stiffness(assembly), LOOSE)
        factor = assembly.layout.structure.factorise(values, False, overwrite=True)
        step = step_by(assembly, factor, rest=rest)
    return step


def regular(assembly: Assembly, held_back: Array | None = None) -> Factor:
    """The tangent of the last evaluation with a margin for motions that nothing resists."""
    layout = assembly.layout
    values = with_margin(assembly, uncertain_stiffness(assembly))
    if held_back is not None:
        values[layout.structure.diagonal] += held_back
    definite = assembly.symmetric and not layout.n_multipliers
    return layout.structure.factorise(values, definite, overwrite=True)


def _unresisted(assembly: Assembly, step: Linearised) -> bool:
    """Whether a step goes far and does no more work than rounding does.

    dqᵀ K dq <= (τ/R) dqᵀ D dq

    R is how far the robot reaches: chains of many rods sway as softly as one as long.
    """
    if step.size < AFAR or assembly.touch is not None:
        return False
    if step.resistance is None:
        force, gauge = assembly.residual + step.multipliers @ assembly.rows, assembly.model.gauge
        multiplier = assembly.layout.multiplier
        work, square = kernels.resistance(step.increments, force, gauge, multiplier)
    else:
        work, square = step.resistance
    least, work = uncertain_stiffness(assembly) * square, abs(work)
    if work * assembly.model.length > least:  # most often: it reaches no less far than that
        return False
    return bool(work * assembly.reach() <= least)


def step_by(
    assembly: Assembly,
    factor: Factor,
    residual: Array | None = None,
    gap: Array | None = None,
    brief: bool = False,
    stepping: Stepping | None = None,
    rest: Rest | None = None,
) -> Linearised | None:
    """Newton's step by a factorised tangent; None if it is singular.

    Args:
        assembly: what was evaluated.
        factor: of its tangent.
        residual: that shall vanish, (n_dof,); that of the assembly if None.
        gap: that shall close, likewise, (n_rows,).
        brief: whether strains are left out (``linearise``).
        stepping: keeps the small problem of contacts for steps with the same factor.
        rest: holds what nothing resists.
    """
    if factor.singular:
        return None
    resting = None if rest is None else Resting(factor, rest.rows)
    factor = resting or factor
    gauge, residual = assembly.model.gauge, assembly.residual if residual is None else residual
    increments = factor.solve(residual)
    multiplier = assembly.layout.multiplier
    sane, work, square = kernels.negate(increments, residual, gauge, multiplier)
    if not sane:
        return None
    if resting is not None and rest is not None:
        increments += resting.moved @ rest.gap
    multipliers = assembly.state.multipliers
    if not len(multipliers):
        return linearise(assembly, increments, multipliers, None, brief, (work, square))
    increments, multipliers = constrained_step(assembly, factor, increments, gap, stepping)
    if not finite(increments):
        return None
    return linearise(assembly, increments, multipliers, brief=brief)


def factorised(
    assembly: Assembly, shift: float = 0.0, definite: bool = True, held_back: Array | None = None
) -> Factor:
    """The tangent of the last evaluation, shifted and factorised; it is left as it was.

    A symmetric robot has motions without resistance, and a straight rod that cannot stretch an
    undetermined force. A shift picks the smallest step among them: for multipliers always, far
    below what can be seen, and for motions by the given part of the diagonal.

    Args:
        assembly: what was evaluated.
        shift: part of the diagonal.
        definite: whether Cholesky is worth a try where everything has a potential.
        held_back: what else is added to the diagonal, (n_dof,).
    """
    layout = assembly.layout
    definite &= assembly.symmetric and not layout.n_multipliers
    if shift or layout.n_multipliers or held_back is not None:
        values = shifted(assembly, shift, held_back)
        return layout.structure.factorise(values, definite, overwrite=True)
    return layout.structure.factorise(assembly.values, definite)


def shifted(assembly: Assembly, shift: float, held_back: Array | None = None) -> Array:
    """Values of the tangent of the last evaluation, shifted as in ``factorised``."""
    layout = assembly.layout
    values = assembly.values.copy() if held_back is None else stiffened(assembly, held_back)
    kernels.shift_diagonal(values, layout.structure.diagonal, layout.multiplier, shift)
    return values


def stiffened(assembly: Assembly, held_back: Array) -> Array:
    """Values of the tangent of the last evaluation, with more on the diagonal, (n_dof,)."""
    values = assembly.values.copy()
    values[assembly.layout.structure.diagonal] += held_back
    return values
