"""Variational steps: the action of a step is stationary, so momenta are kept and energy drifts not.

    L_d = Σ dᵀ M d / 2h - h U(Q_θ),    Q_θ = Q₀ exp(θ η),  η = log(Q₀⁻¹ Q₁),  d = log(g₀⁻¹ g₁)

In momentum form a step is  p₀ = -D₁ L_d(Q₀, Q₁), solved for Q₁, then  p₁ = D₂ L_d(Q₀, Q₁). With
θ = ½ it is symmetric, of second order; with θ = 0 it is symplectic Euler, explicit in the forces
(theory 13.3). What has no potential acts by its virtual work at Q_θ. Joints hold at the ends of
steps, so that they do not drift: their forces act along their directions at Q₀, their gaps are
closed at Q₁.
"""

from dataclasses import replace

import numpy as np

from flexura.lie import se3
from flexura.model.assemble import Assembly
from flexura.model.assemble_kernels import finite, largest, missed
from flexura.model.inputs import Inputs
from flexura.model.motion.flow import Flow, Tracks
from flexura.model.past import Course, Past
from flexura.model.state import State
from flexura.model.step import Linearised, linearise
from flexura.solve.constrained import constrained_step
from flexura.solve.equilibrium import ForceBalance, Iterate
from flexura.solve.motion.momentum import carried_back, masses, momenta
from flexura.solve.newton import History, Step
from flexura.typing import Array, Twist, frozen

# A Newton step this small, relative to 1 rad and the length, is the last; so is one below the
# second, if it is not smaller than this part of the one before.
NOTHING = 1e-15
SMALL = 1e-9
STUCK = 0.3
# Stiffer than anything: what it is added to does not move.
FIXED = 1e12
# Where elements can move without weight, stiffness holds them, as it does in so short a time [s].
MOMENT = 1e-9


class Stage:
    """Work space of variational steps of a model.

    Attributes:
        tracks: of the model.
        inertia: of all frames with mass, which are the first ones, (n, 6).
        begin, end: what ties the robot together, where a step begins and where it ends.
        middle: all but inertia, at Q_θ.
        bare: nothing but inertia and joints.
        held: multipliers of what holds at the ends of steps, (n_dof,).
        inside: multipliers that belong to strains, at Q_θ, (n_dof,).
        moving: all other unknowns, (n_dof,).
    """

    def __init__(self, tracks: Tracks) -> None:
        moving = tracks.moving
        self.tracks, self.inertia = tracks, masses(tracks)
        self.begin, self.end = Assembly(moving.skeleton), Assembly(moving.skeleton)
        self.middle, self.bare = Assembly(moving.still), Assembly(moving.bare)
        layout = moving.model.layout
        self.inside = moving.forces
        self.held = layout.multiplier & ~self.inside
        self.moving = ~layout.multiplier

    def matrix(self, flow: Flow, inputs: Inputs) -> tuple[Array, Array]:
        """Values of the mass matrix at a flow, and of what ties the robot together.

        Forces of stretch and shear are left out.
        """
        found = []
        for push in (0.0, 1.0):
            self.bare.move_from(self._resting(flow, push))
            self.bare.evaluate(self.loosened(flow.state), inputs)
            found.append(self.bare.values.copy())
        mass, ties = found[1] - found[0], found[0]
        diagonal = self.bare.layout.structure.diagonal
        ties[diagonal[self.inside]] += FIXED * np.abs(ties).max(initial=0.0)
        return mass, ties

    def _resting(self, flow: Flow, push: float) -> Past:
        """A course without velocity and acceleration."""
        courses = []
        for own in (*self.tracks.points, self.tracks.bodies):
            zero = np.zeros((own.stop - own.start, 6))
            courses.append(Course(flow.poses[own], zero, zero))
        strains = tuple(np.zeros_like(part.work.strain) for part in self.bare.parts)
        return Past(0.0, push, tuple(courses[:-1]), strains, courses[-1])

    def loosened(self, state: State) -> State:
        """The state without what holds it together."""
        numbers = state.numbers.copy()
        numbers[self.held] = 0.0
        return replace(state, numbers=frozen(numbers))

    def displacement(self, flow: Flow) -> Twist:
        """d of all frames with mass, from a flow to where the end was evaluated, (n, 6)."""
        found = self.tracks.displacement(flow.places, self.tracks.read(self.end))
        return np.asarray(found[: 6 * len(self.inertia)].reshape(-1, 6))

    def gaps(self, state: State, inputs: Inputs) -> Array:
        """Gaps of constraints at a state, (n_rows,)."""
        if not len(self.middle.gap):
            return np.zeros(0)
        self.middle.evaluate_residual(self.loosened(state), inputs)
        return np.array(self.middle.gap)

    def with_forces(self, state: State, inputs: Inputs) -> State:
        """The state with the forces of stretch and shear that belong to its strains, nothing held.

        They are those where the middle was evaluated last.
        """
        middle, state = self.middle, self.loosened(state)
        if not self.inside.any():
            middle.evaluate_residual(state, inputs)
            return state
        middle.evaluate(state, inputs)
        values, structure = middle.values.copy(), middle.layout.structure
        values[structure.diagonal[~self.inside]] += FIXED * np.abs(values).max()
        right = np.where(self.inside, middle.residual, 0.0)
        change = structure.factorise(values, False, overwrite=True).solve(right)
        numbers = np.where(self.inside, state.numbers - change, state.numbers)
        state = replace(state, numbers=frozen(numbers))
        middle.evaluate_residual(state, inputs)
        return state

    def velocity(self, flow: Flow, inputs: Inputs) -> Array:
        """Rates of the unknowns that belong to the momentum of a flow, (n_dof,)."""
        mass, ties = self.matrix(flow, inputs)
        values, structure = mass + ties, self.bare.layout.structure
        if any(part.group.delicate for part in self.bare.model.parts):
            self.middle.evaluate(self.loosened(flow.state), inputs)
            values += MOMENT**2 * self.middle.values
        assert flow.momentum is not None
        right = np.where(self.moving, flow.momentum, 0.0)
        found = structure.factorise(values, False, overwrite=True).solve(right)
        return np.where(self.moving, found, 0.0)

    def momentum(self, flow: Flow, inputs: Inputs) -> Array:
        """What is conjugate to the unknowns, of the velocities of a flow, (n_dof,)."""
        self.begin.place(flow.state, inputs)
        n = len(self.inertia)
        velocity = flow.rates[0, : 6 * self.tracks.n_frames].reshape(-1, 6)[:n]
        return carried_back(self.tracks, self.begin, self.inertia * velocity)


class Middle:
    """A step of ``Variational``; a ``Problem`` for the state in its middle, Q_½.

    Its end mirrors its beginning: Q₁ = Q_½ (Q₀⁻¹ Q_½). Multipliers of what holds at the ends are
    twice those of the theory. Newton takes the mass at the beginning, and converges linearly, by a
    factor of the rotation of a step.
    """

    def __init__(
        self, stage: Stage, flow: Flow, h: float, inputs: tuple[Inputs, Inputs, Inputs]
    ) -> None:
        """Prepare a step.

        Args:
            stage: work space.
            flow: where it begins, with its momentum.
            h: its length [s].
            inputs: at its beginning, in its middle and at its end.
        """
        assert flow.momentum is not None
        self._stage, self._flow, self._h = stage, flow, h
        self._inputs, self._p0 = inputs, flow.momentum
        self._mass = (4.0 / h**2) * stage.matrix(flow, inputs[0])[0]
        self._open = stage.gaps(flow.state, inputs[0])
        self._step: Linearised | None = None
        nothing = np.zeros((2, flow.rates.shape[1]))
        stage.middle.move_from(stage.tracks.past(flow, 2.0 / h, 0.0, nothing))
        self.end, self.half = flow.state, np.zeros(len(flow.momentum))

    def evaluate(self, point: Iterate) -> bool:
        """Evaluate what the momentum at the beginning misses."""
        stage, flow, h = self._stage, self._flow, self._h
        middle, layout = stage.middle, stage.middle.model.layout
        middle.evaluate(stage.loosened(point.state), self._inputs[1], point.ahead)
        half = layout.difference(flow.state, point.state)
        half[~stage.moving] = 0.0
        self.half, self._numbers = half, point.state.numbers
        none = 0.0 * point.state.multipliers
        self.end = layout.retract(point.state, half, none)
        stage.end.evaluate_residual(self.end, self._inputs[2])
        numbers = np.where(stage.held, point.state.numbers, flow.state.numbers)
        stage.begin.evaluate_residual(replace(flow.state, numbers=frozen(numbers)), self._inputs[0])
        self._d = stage.displacement(flow)
        if not finite(self._d.ravel()):
            return False
        leave = momenta(stage.inertia, self._d, h, forward=False)
        kinetic = carried_back(stage.tracks, stage.begin, leave)
        residual = (2.0 / h) * (kinetic - self._p0) + stage.begin.residual
        residual += 2.0 * self._shared(middle.residual, forward=False)
        residual[stage.inside] = middle.residual[stage.inside]
        residual[stage.held] = 0.5 * stage.end.residual[stage.held]
        self._force = middle.residual.copy()
        middle.residual[:] = residual
        middle.gap -= 0.5 * self._open
        return True

    def _shared(self, force: Array, forward: bool) -> Array:
        """The part of forces in the middle that acts on an end: (∂Q_½/∂Q)ᵀ force, (n_dof,)."""
        layout = self._stage.middle.model.layout
        found = np.where(self._stage.moving, 0.5 * force, 0.0)
        if layout.n_coordinates:
            at = layout.pose_dof[:, None] + np.arange(6)
            half = self.half[at] if forward else -self.half[at]
            turned = np.einsum("nji,nj->ni", se3.dexp(half), force[at])
            found[at] = 0.5 * np.einsum("nji,nj->ni", se3.dexpinv(2.0 * half), turned)
        return found

    def imbalance(self) -> tuple[float, float]:
        """Largest force out of balance [N], and largest gap, relative to the length."""
        middle = self._stage.middle
        layout = middle.layout
        force, gap = largest(middle.residual, layout.units, layout.multiplier)
        if len(middle.gap):
            off = missed(middle.gap, middle.state.multipliers, middle.equal)
            gap = max(gap, off / middle.model.length)
        return force, gap

    def step(self) -> Linearised | None:
        """The step from the last evaluation; None if there is no finite one."""
        middle = self._stage.middle
        structure = middle.layout.structure
        factor = structure.factorise(middle.values + self._mass, False, overwrite=True)
        self._step = None
        if factor.singular:
            return None
        increments, multipliers = -factor.solve(middle.residual), middle.state.multipliers
        if len(multipliers):
            increments, multipliers = constrained_step(middle, factor, increments)
        if finite(increments):
            self._step = linearise(middle, increments, multipliers)
        return self._step

    def advance(self, fraction: float) -> Iterate:
        """The point after a fraction of the last step."""
        assert self._step is not None
        state, ahead = self._step.advance(fraction)
        before = np.where(self._stage.held, self._numbers, 0.0)  # left out by the evaluation
        numbers = state.numbers + before
        return Iterate(replace(state, numbers=frozen(numbers)), ahead)

    def report(self, converged: bool) -> None:
        """Nothing."""

    def momentum(self) -> Array:
        """What is conjugate to the unknowns at the end of the step, (n_dof,)."""
        stage = self._stage
        arrive = momenta(stage.inertia, self._d, self._h, forward=True)
        kinetic = carried_back(stage.tracks, stage.end, arrive)
        return kinetic - self._h * self._shared(self._force, forward=True)


class Settled:
    """Stops where steps do not shrink any more, at rounding; a ``Stopping``."""

    def __init__(self, balance: ForceBalance) -> None:
        self._balance = balance

    def over(self, history: History) -> bool:
        """Whether the last step was nothing, or rounding."""
        steps = history.steps
        if steps[-1] <= NOTHING:
            return True
        return len(steps) > 1 and steps[-1] <= SMALL and steps[-1] > STUCK * steps[-2]

    def settled(self, history: History, step: Step | None) -> bool:
        """Never."""
        return False

    def accepts(self, history: History) -> bool:
        """Whether forces balance and gaps are closed."""
        return self._balance.accepts(history)

    def residuals(self, history: History) -> tuple[float, ...]:
        """Largest forces, relative to those in play; gaps."""
        return self._balance.residuals(history)
