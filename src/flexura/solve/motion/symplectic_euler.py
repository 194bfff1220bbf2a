"""Steps of symplectic Euler: ``variational`` with θ = 0, explicit in the forces."""

from dataclasses import dataclass, replace

import numpy as np

from flexura.model.assemble_kernels import finite, largest
from flexura.model.inputs import Inputs
from flexura.model.motion.flow import Flow
from flexura.model.state import State
from flexura.solve.motion.momentum import carried_back, momenta
from flexura.solve.motion.variational import Stage
from flexura.typing import Array, frozen


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


class Explicit:
    """A step of ``SymplecticEuler``; a ``Problem`` for the state at its end.

    Forces are those of its beginning. Newton takes the mass there; what is left to find is how
    frames turn.
    """

    def __init__(self, stage: Stage, flow: Flow, h: float, inputs: tuple[Inputs, Inputs]) -> None:
        """Prepare a step.

        Args:
            stage: work space.
            flow: where it begins, with its momentum.
            h: its length [s].
            inputs: at its beginning and at its end.
        """
        assert flow.momentum is not None
        self._stage, self._flow, self._h, self._inputs = stage, flow, h, inputs
        self._p0 = flow.momentum
        mass, ties = stage.matrix(flow, inputs[0])
        values, structure = mass / h**2 + ties, stage.bare.layout.structure
        self._factor = structure.factorise(values, False)
        stage.middle.move_from(stage.tracks.now(flow))
        self.begin = stage.with_forces(flow.state, inputs[0])
        self._force = np.where(stage.moving, stage.middle.residual, 0.0)
        self._residual = np.zeros_like(self._force)
        self.end = self.begin
        self._leap: Leap | None = None

    def evaluate(self, point: State) -> bool:
        """Evaluate what the momentum at the beginning misses."""
        stage, flow, h = self._stage, self._flow, self._h
        self.end = point
        stage.end.evaluate_residual(point, self._inputs[1])
        numbers = np.where(stage.held, point.numbers, flow.state.numbers)
        begun = replace(flow.state, numbers=frozen(numbers))
        stage.begin.evaluate_residual(begun, self._inputs[0])
        self._d = stage.displacement(flow)
        if not finite(self._d.ravel()):
            return False
        leave = momenta(stage.inertia, self._d, h, forward=False)
        kinetic = carried_back(stage.tracks, stage.begin, leave)
        residual = (kinetic - self._p0) / h + self._force + stage.begin.residual
        residual[stage.inside] = 0.0
        residual[stage.held] = stage.end.residual[stage.held]
        self._residual = residual
        return True

    def imbalance(self) -> tuple[float, float]:
        """Largest force out of balance [N], and largest gap, relative to the length."""
        layout = self._stage.bare.layout
        force, gap = largest(self._residual, layout.units, layout.multiplier)
        return float(force), float(gap)

    def step(self) -> Leap | None:
        """The step from the last evaluation; None if there is no finite one."""
        self._leap = None
        if self._factor.singular:
            return None
        dq = -self._factor.solve(self._residual)
        if finite(dq):
            layout, length = self._stage.bare.layout, self._stage.bare.model.length
            twists = np.abs(dq[layout.pose_dof[:, None] + np.arange(6)])
            rotation = float(twists[:, :3].max(initial=0.0))
            others = float(np.abs(dq[self._stage.tracks.unknowns]).max(initial=0.0))
            size = max(rotation, float(twists[:, 3:].max(initial=0.0)) / length, others)
            self._leap = Leap(dq, rotation, size)
        return self._leap

    def advance(self, fraction: float) -> State:
        """The point after a fraction of the last step."""
        assert self._leap is not None
        layout, increments = self._stage.bare.layout, fraction * self._leap.increments
        return layout.retract(self.end, increments, 0.0 * self.end.multipliers)

    def report(self, converged: bool) -> None:
        """Nothing."""

    def momentum(self) -> Array:
        """What is conjugate to the unknowns at the end of the step, (n_dof,)."""
        stage = self._stage
        arrive = momenta(stage.inertia, self._d, self._h, forward=True)
        return carried_back(stage.tracks, stage.end, arrive)
