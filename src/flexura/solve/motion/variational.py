"""Variational steps: the action of a step is stationary, so momenta are kept and energy drifts not.

    L_d = Σ dᵀ M d / 2h - h U_d,    d = log(g₀⁻¹ g₁)

In momentum form a step is  p₀ = -D₁ L_d(Q₀, Q₁), solved for Q₁, then  p₁ = D₂ L_d(Q₀, Q₁). With U_d
at the mean of both ends, strains ½ (ξ₀ + ξ₁) and poses g₀ exp(d/2), it is symmetric, of second
order; with U(Q₀) it is symplectic Euler, explicit in the forces (theory 13.4, 13.5). What has no
potential acts by its virtual work there. Joints hold at the ends of steps, so that they do not
drift: their forces act along their directions at Q₀, their gaps are closed at Q₁. Tendons of
given length act where all else does: elastic ones by their potential, those that do not stretch so
that they are as long at Q₁ as they should be.
"""

from dataclasses import dataclass, replace

import numpy as np

from flexura.model.assemble_kernels import finite, largest, largest_motion, missed
from flexura.model.inputs import Inputs
from flexura.model.layout import Layout
from flexura.model.motion.flow import Flow
from flexura.model.motion.momentum import carried_back, momenta, on_nodes
from flexura.model.step import Linearised
from flexura.solve.equilibrium import ForceBalance, Iterate, factorised, step_by
from flexura.solve.motion.secants import Secants
from flexura.solve.motion.workspace import Workspace
from flexura.solve.newton import History, Step
from flexura.typing import Array, Indices, Wrench, frozen

# A Newton step this small, relative to 1 rad and the length, is the last; so is one below the
# second, if it is not smaller than this part of the one before and forces balance, or if the next
# one would be below the last of these, as steps shrink.
NOTHING = 1e-12
SMALL = 1e-9
STUCK = 0.3
ROUNDED = 1e-13
# After so many evaluations the factor of the tangent is kept.
FRESH = 1


@dataclass(frozen=True)
class Leap:
    """A step that was found.

    Attributes:
        increments: of all unknowns, (n_dof,).
        rotation: the largest one that it makes [rad].
        size: relative to 1 rad and to the length.
    """

    increments: Array
    rotation: float
    size: float

    @classmethod
    def of(cls, increments: Array, layout: Layout, moving: Indices, length: float) -> "Leap | None":
        """A step of these increments, of which some are motions; None if they are not finite."""
        if not finite(increments):
            return None
        rotation, size = largest_motion(increments, layout.pose_dof, moving, length)
        return cls(increments, rotation, size)


class Middle:
    """A step of ``Variational``; a ``Problem`` for the state in its middle, Q_½.

    Its end mirrors its beginning: Q₁ = Q_½ (Q₀⁻¹ Q_½). Multipliers of what holds at the ends are
    twice those of the theory. The derivative of the residual pairs Jacobians of Q₀ and of Q₁;
    Newton begins with the tangent of inertia at Q_½, which misses how strains change in the step,
    and learns that from its own steps.
    """

    share = 0.5  # of multipliers that is a force, where momenta are those between steps

    def __init__(
        self, space: Workspace, flow: Flow, h: float, inputs: tuple[Inputs, Inputs, Inputs]
    ) -> None:
        """Prepare a step.

        Args:
            space: work space.
            flow: where it begins, with its momentum.
            h: its length [s].
            inputs: at its beginning, in its middle and at its end.
        """
        assert flow.momentum is not None
        self._space, self._flow, self._h = space, flow, h
        self._inputs, self._p0 = inputs, flow.momentum
        self._open = space.gaps(flow.state, inputs[0])
        carried = np.zeros((2, flow.rates.shape[1]))
        carried[1] = (-2.0 / h) * flow.rates[0]
        space.middle.move_from(space.tracks.past(flow, 2.0 / h, 4.0 / h**2, carried))
        space.set_out(flow, inputs[0])
        self.end = flow.state
        self._fresh = FRESH
        self._secants: Secants | None = None
        self._residual, self._gap = np.zeros_like(flow.momentum), self._open
        self._step: Linearised | Leap | None = None

    def evaluate(self, point: Iterate) -> bool:
        """Evaluate what the momentum at the beginning misses."""
        space, flow, h = self._space, self._flow, self._h
        middle, secants = space.middle, self._secants is not None
        self._point = point
        self.end = middle.model.layout.mirrored(flow.state, point.state)
        if space.holds:
            space.end.evaluate_residual(self.end, self._inputs[2])
        else:
            space.end.place(self.end, self._inputs[2])
        self.displacement = space.displacement(flow)
        self._d = space.massive(self.displacement)
        if not finite(self._d.ravel()):
            return False
        carried = not secants or space.strains or len(middle.gap) > 0
        go = middle.place if carried else middle.enter
        go(space.loosened(point.state), self._inputs[1], point.ahead)
        space.meet()
        space.act(tangents=not secants)
        leaving = space.shares(2.0, forward=False)
        if not secants:
            middle.pull_back()
        elif carried:
            middle.carry_back()
        residual = space.holding(flow, point.state.numbers, self._inputs[0]) - (2.0 / h) * self._p0
        leave = momenta(space.inertia, self._d, 0.5 * h * h, forward=False)
        residual += carried_back(space.tracks, space.begin, leave, leaving)
        if space.strains:
            residual[space.inside] = middle.residual[space.inside]
        if space.holds:
            residual[space.held] = 0.5 * space.end.residual[space.held]
        self._residual, self._gap = residual, middle.gap - 0.5 * self._open
        return True

    def imbalance(self) -> tuple[float, float]:
        """Largest force out of balance [N], and largest gap, relative to the length."""
        middle = self._space.middle
        layout = middle.layout
        force, gap = largest(self._residual, layout.units, layout.multiplier)
        if len(self._gap):
            off = missed(self._gap, middle.state.multipliers, middle.equal)
            gap = max(gap, off / middle.model.length)
        return force, gap

    def step(self) -> Linearised | Leap | None:
        """The step from the last evaluation; None if there is no finite one."""
        middle, layout = self._space.middle, self._space.middle.layout
        if self._secants is not None:
            increments = self._secants.step(self._residual)
            length, others = middle.model.length, self._space.tracks.unknowns
            self._step = Leap.of(increments, layout, others, length)
            return self._step
        factor = factorised(middle)
        self._step = step_by(middle, factor, self._residual, self._gap)
        self._fresh -= 1
        if self._step is not None and self._fresh <= 0 and not len(self._gap):
            weight = np.where(self._space.moving, layout.units, np.inf) ** -2.0
            self._secants = Secants(factor, weight, self._step.increments)
        return self._step

    def advance(self, fraction: float) -> Iterate:
        """The point after a fraction of the last step."""
        step, before = self._step, self._point
        assert step is not None
        if fraction != 1.0:  # nothing is learnt from a part of a step
            self._secants, self._fresh = None, FRESH
        if isinstance(step, Leap):
            layout, dq = self._space.middle.model.layout, fraction * step.increments
            state = layout.retract(before.state, dq)
            return Iterate(state, before.ahead)
        state, ahead = step.advance(fraction)
        if not self._space.holds:
            return Iterate(state, ahead)
        held = np.where(self._space.held, before.state.numbers, 0.0)  # left out by the evaluation
        return Iterate(replace(state, numbers=frozen(state.numbers + held)), ahead)

    def report(self, converged: bool) -> None:
        """Nothing."""

    def momentum(self) -> Array:
        """What is conjugate to the unknowns at the end of the step, (n_dof,)."""
        space = self._space
        arrive = momenta(space.inertia, self._d, self._h, forward=True)
        found = carried_back(space.tracks, space.end, arrive, space.shares(-self._h, forward=True))
        left = space.left_over(self._residual, self._flow.state, self.end)
        return found - 0.5 * self._h * left

    def node_momenta(self) -> tuple[Wrench, Wrench]:
        """-D₁ L_d where it begins, with what joints have to it, and D₂ L_d, of all nodes."""
        space, h = self._space, self._h
        leave = momenta(space.inertia, self._d, h, forward=False)
        begin = on_nodes(space.tracks, space.begin, leave, space.shares(h, forward=False))[0]
        if space.holds:
            begin += 0.5 * h * space.begin.force
        arrive = momenta(space.inertia, self._d, h, forward=True)
        return begin, on_nodes(space.tracks, space.end, arrive, space.shares(-h, forward=True))[0]


class Settled:
    """Stops where steps do not shrink any more, at rounding; a ``Stopping``."""

    def __init__(self, balance: ForceBalance) -> None:
        self._balance = balance

    def over(self, history: History) -> bool:
        """Whether the last step was nothing, or rounding, and what holds the robot is found."""
        last, small = history.steps[-1], history.steps[-1] <= NOTHING
        if len(history.steps) > 1 and last <= SMALL:
            before = history.steps[-2]
            small |= last > STUCK * before or last**2 <= ROUNDED * before
        return small and self.accepts(history)

    def settled(self, history: History, step: Step | None) -> bool:
        """Never."""
        return False

    def accepts(self, history: History) -> bool:
        """Whether forces balance and gaps are closed."""
        return self._balance.accepts(history)

    def residuals(self, history: History) -> tuple[float, ...]:
        """Largest forces, relative to those in play; gaps."""
        return self._balance.residuals(history)
