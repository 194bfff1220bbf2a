"""Newton's method on the manifold of poses, for thin stiff rods too.

Poses as coordinates make any finite bending step stretch the rod a little, and a steel wire
answers with an enormous axial stress. The mixed-integration-point iteration [Magisano2017] keeps
the stress of each point as an unknown of its own: the geometric part of the tangent takes the
stress that the previous step predicted, not the one at the new pose. Same solution, same quadratic
end. Steps are limited by their rotation, never by the residual, which every useful step raises.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from flexura._kernel import kernel
from flexura.model.assemble import Assembly
from flexura.model.inputs import Inputs
from flexura.model.state import State
from flexura.solve.complementarity import pulling
from flexura.solve.linear import EPS, factorise_tangent, is_stable, shift_diagonal
from flexura.typing import Array

# The largest rotation of a section in one step [rad]. From 0.5 to 2 little changes (theory 4.2).
MAX_ROTATION = 1.0
# Where moments or tendons act, a longer first step is tried whole, and kept if the next one turns
# by less than this [rad]: a tip moment needs just one step, whatever the angle.
LANDED = 0.5
# A step this small, relative to 1 rad and to the length, is the last: the next one would be
# its square.
LAST_STEP = 1e-8
# A step below this belongs to a quadratic end. The next one may be this small to be left out, if of
# forces and gaps no more than this is left.
QUADRATIC = 1e-3
VANISHING = 1e-11
ARRIVED = 1e-12
# A step that turns by more than this [rad] follows a motion without resistance, or nearly; then
# the diagonal of the tangent is shifted by this part of it.
ENDLESS = 1e4
SHIFT = 1e-10
# What is left of the forces is nothing but rounding.
ROUNDED = 1e-13
# What is left of the forces after the last step, relative to them; far above round-off, far
# below anything but a failure.
BALANCED = 1e-6

NONE = np.zeros(0)


@dataclass(frozen=True)
class Outcome:
    """Where an iteration ended.

    Attributes:
        state: the last state; the ``Assembly`` has been evaluated there.
        converged: whether it is an equilibrium.
        singular: whether the tangent was.
        residuals: largest force out of balance at each evaluation, relative to the forces in
            play at the end; moments are divided by the length.
        steps: size of each Newton step, relative to 1 rad and to the length.
        stable: whether the equilibrium is stable, None where there is none or it cannot be told.
    """

    state: State
    converged: bool
    singular: bool
    residuals: tuple[float, ...]
    steps: tuple[float, ...]
    stable: bool | None

    @property
    def iterations(self) -> int:
        """Number of evaluations after the first one, rejected ones included."""
        return len(self.residuals) - 1


class Newton:
    """One Newton iteration: its assembly, load and history."""

    def __init__(self, assembly: Assembly, inputs: Inputs) -> None:
        self.assembly = assembly
        self.inputs = inputs
        assembly.take(inputs)
        self.symmetric = assembly.conservative
        self.forces: list[float] = []
        self.gaps: list[float] = []
        self.steps: list[float] = []
        self._scale: float | None = None

    def look(self, state: State) -> Outcome:
        """Evaluate at a state without a step."""
        self._evaluate(state)
        return self._outcome(state, finished=False)

    def run(self, start: State, iterations: int) -> Outcome:
        """Iterate from a state until the step is small, or ``iterations`` are used up."""
        self._evaluate(start)
        if not self.assembly.model.n_dof:
            return self._outcome(start, finished=True)
        state, step = start, self._step()
        far = step is not None and step.rotation > MAX_ROTATION and iterations > 1
        if step is not None and far and self._bends():
            state, step = self._leap(step)
        while step is not None and len(self.forces) <= iterations:
            fraction = min(1.0, MAX_ROTATION / step.rotation) if step.rotation else 1.0
            state = self._advance(fraction)
            self.steps.append(step.size)
            self._evaluate(state)
            if step.size <= LAST_STEP or self._at_rest() or (fraction == 1.0 and self._arrived()):
                return self._outcome(state, finished=True)
            step = self._step()
        return self._outcome(state, finished=False, singular=step is None)

    def _bends(self) -> bool:
        """Whether moments or tendons act."""
        return bool(self.inputs.wrench[:, :3].any() or self.inputs.tendon.any())

    def _leap(self, step: "Step") -> tuple[State, "Step | None"]:
        """Try the whole of a long first step; keep it if the next one is short, else shorten it."""
        near = self.assembly.predict(MAX_ROTATION / step.rotation)
        far = self.assembly.predict()
        self.steps.append(step.size)
        self._evaluate(far)
        further = self._step()
        if further is not None and further.rotation <= LANDED:
            return far, further
        self._evaluate(near)
        return near, self._step()

    def _arrived(self) -> bool:
        """Whether another step would be lost in rounding, and forces balance already.

        Steps of a quadratic end have the sizes s, c s², c³ s⁴: the third from the first two.
        """
        if len(self.steps) < 2 or self.gaps[-1] > ARRIVED:
            return False
        last, before = self.steps[-1], self.steps[-2]
        if last > QUADRATIC or last**3 > VANISHING * before**2:
            return False
        return self.forces[-1] <= ARRIVED * self._force_scale() + self._rounding()

    def _at_rest(self) -> bool:
        """Whether no force is left but rounding: then a step would only follow a free motion.

        Rounding in stiff strains counts only where steps do not shrink any more.
        """
        if self.gaps[-1] > ROUNDED or self.forces[-1] > 1e-6 * max(self.forces):
            return False
        stuck = len(self.steps) > 1 and self.steps[-1] > 0.5 * self.steps[-2]
        rounding = self._rounding() if stuck else 0.0
        return self.forces[-1] <= ROUNDED * self._force_scale() + rounding

    def _force_scale(self) -> float:
        """Size of the forces in play at the last evaluation [N]."""
        if self._scale is None:
            self._scale = self.assembly.force_scale()
        return self._scale

    def _rounding(self) -> float:
        """Size of rounding errors in the forces of stiff strains [N]."""
        return self.assembly.layout.n_nodes * EPS * self.assembly.model.stiffness

    def _advance(self, fraction: float) -> State:
        """Take a fraction of the last step."""
        return self.assembly.predict(fraction)

    def _evaluate(self, state: State) -> None:
        self.assembly.evaluate(state, self.inputs)
        force, gap = self.assembly.imbalance()
        self.forces.append(force)
        self.gaps.append(gap)
        self._scale = None

    def _step(self) -> "Step | None":
        """The Newton step from the last evaluation; None if there is no finite one."""
        if not math.isfinite(self.forces[-1]):
            return None
        step = self._solve(0.0)
        if step is None or step.rotation > ENDLESS:
            step = self._solve(SHIFT)
        return step

    def _solve(self, shift: float) -> "Step | None":
        """The Newton step with a shifted tangent; None if it is singular.

        A symmetric robot has motions without resistance, and a straight rod that cannot stretch an
        undetermined force. A shift picks the smallest step among them: for multipliers always, far
        below what can be seen, and for motions by the given part of the diagonal.
        """
        assembly, layout = self.assembly, self.assembly.layout
        tangent = assembly.tangent
        if shift or layout.n_multipliers:
            shift_diagonal(tangent.band, tangent.corner, layout.multiplier, shift)
        factor = factorise_tangent(tangent, self.symmetric, layout.n_multipliers)
        if factor.singular:
            return None
        increments = -factor.solve(assembly.residual)
        if not _finite(increments):
            return None
        d_tension, border = NONE, assembly.border
        if len(border):
            moved = factor.solve(np.asfortranarray(border.rows.T))
            give = border.rows @ moved + np.diag(border.compliance)
            excess = border.excess + border.rows @ increments + give @ border.tension
            d_tension = pulling(give, excess) - border.tension
            increments -= moved @ d_tension
            if not _finite(increments):
                return None
        return Step(increments, *assembly.linearise(increments, d_tension))

    def _outcome(self, state: State, finished: bool, singular: bool = False) -> Outcome:
        """Judge the last residual by the forces in play, and by rounding in the stiff strains."""
        scale = self._force_scale()
        enough = BALANCED * scale + self._rounding()
        balanced = self.forces[-1] <= enough and self.gaps[-1] <= BALANCED
        scale = scale if math.isfinite(scale) and scale > 0.0 else 1.0
        residuals = tuple(
            max(force / scale, gap) for force, gap in zip(self.forces, self.gaps, strict=True)
        )
        converged = finished and bool(balanced)
        stable = stability(self.assembly, self.inputs) if converged else None
        return Outcome(state, converged, singular, residuals, tuple(self.steps), stable)


class Step(NamedTuple):
    """A Newton step: increments of all unknowns, its largest rotation [rad], its size."""

    increments: Array
    rotation: float
    size: float


@kernel
def _finite(x: Array) -> bool:
    """Whether all numbers are."""
    largest = 0.0
    for value in x:
        largest = max(largest, abs(value - value))
    return largest == 0.0


def stability(assembly: Assembly, inputs: Inputs) -> bool | None:
    """Stability of the last evaluated state, None where the tangent cannot tell."""
    assembly.take(inputs)
    symmetric, multipliers = assembly.conservative, assembly.layout.n_multipliers
    taut = assembly.border.tension > 0.0
    if not len(taut) or not taut.any():
        return is_stable(assembly.tangent, symmetric, multipliers)
    factor = factorise_tangent(assembly.tangent, symmetric, multipliers)
    if factor.singular:
        return None
    rows = assembly.border.rows[taut]
    give = rows @ factor.solve(np.asfortranarray(rows.T))
    give += np.diag(assembly.border.compliance[taut])
    return is_stable(assembly.tangent, symmetric, multipliers, give)
