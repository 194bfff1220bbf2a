"""Steps of symplectic Euler: ``variational`` with θ = 0, explicit in the forces."""

import numpy as np

from flexura.model.assemble_kernels import finite, largest
from flexura.model.inputs import Inputs
from flexura.model.motion.flow import Flow
from flexura.model.motion.momentum import carried_back, momenta, on_nodes
from flexura.model.state import State
from flexura.solve.motion.variational import Leap
from flexura.solve.motion.workspace import Workspace
from flexura.typing import Array, Wrench


class Explicit:
    """A step of ``SymplecticEuler``; a ``Problem`` for the state at its end.

    Forces are those of its beginning. Newton takes the mass there; what is left to find is how
    frames turn.
    """

    share = 1.0  # of multipliers that is a force, where momenta are those between steps

    def __init__(
        self, space: Workspace, flow: Flow, h: float, inputs: tuple[Inputs, Inputs]
    ) -> None:
        """Prepare a step.

        Args:
            space: work space.
            flow: where it begins, with its momentum.
            h: its length [s].
            inputs: at its beginning and at its end.
        """
        assert flow.momentum is not None
        self._space, self._flow, self._h, self._inputs = space, flow, h, inputs
        self._p0 = flow.momentum
        mass, ties = space.matrix(flow, inputs[0])
        self._factor = space.factorised(mass / h**2 + ties)
        space.set_out(flow, inputs[0])
        space.middle.move_from(space.tracks.now(flow))
        state = space.middle.layout.straightened(flow.state)
        self.begin = space.with_forces(state, inputs[0])
        self._force = np.where(space.moving, space.middle.residual, 0.0)
        self._residual = np.zeros_like(self._force)
        self.end = self.begin
        self._leap: Leap | None = None

    def evaluate(self, point: State) -> bool:
        """Evaluate what the momentum at the beginning misses."""
        space, flow, h = self._space, self._flow, self._h
        self.end = point
        space.end.evaluate_residual(point, self._inputs[1])
        self.displacement = space.displacement(flow)
        self._d = space.massive(self.displacement)
        if not finite(self._d.ravel()):
            return False
        residual = self._force + space.holding(flow, point.numbers, self._inputs[0])
        leave = momenta(space.inertia, self._d, h, forward=False)
        residual += (carried_back(space.tracks, space.begin, leave) - self._p0) / h
        residual[space.inside] = 0.0
        residual[space.held] = space.end.residual[space.held]
        self._residual = residual
        return True

    def imbalance(self) -> tuple[float, float]:
        """Largest force out of balance [N], and largest gap, relative to the length."""
        layout = self._space.bare.layout
        force, gap = largest(self._residual, layout.units, layout.multiplier)
        return float(force), float(gap)

    def step(self) -> Leap | None:
        """The step from the last evaluation; None if there is no finite one."""
        self._leap = None
        if self._factor.singular:
            return None
        space, dq = self._space, -self._factor.solve(self._residual)
        layout, length = space.bare.layout, space.bare.model.length
        self._leap = Leap.of(dq, layout, space.tracks.unknowns, length)
        return self._leap

    def advance(self, fraction: float) -> State:
        """The point after a fraction of the last step."""
        assert self._leap is not None
        layout, increments = self._space.bare.layout, fraction * self._leap.increments
        return layout.retract(self.end, increments)

    def report(self, converged: bool) -> None:
        """Nothing."""

    def momentum(self) -> Array:
        """What is conjugate to the unknowns at the end of the step, (n_dof,)."""
        space = self._space
        arrive = momenta(space.inertia, self._d, self._h, forward=True)
        left = space.left_over(self._residual, self._flow.state, self.end)
        return carried_back(space.tracks, space.end, arrive) - self._h * left

    def node_momenta(self) -> tuple[Wrench, Wrench]:
        """-D₁ L_d where it begins, with what joints have to it, and D₂ L_d, of all nodes."""
        space, h = self._space, self._h
        leave = momenta(space.inertia, self._d, h, forward=False)
        begin = on_nodes(space.tracks, space.begin, leave)[0] + h * space.middle.force
        if space.holds:
            begin += h * space.begin.force
        arrive = momenta(space.inertia, self._d, h, forward=True)
        return begin, on_nodes(space.tracks, space.end, arrive)[0]
