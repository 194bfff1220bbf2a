"""Newton's method on the manifold of poses, for thin stiff rods too.

Poses as coordinates make any finite bending step stretch the rod a little, and a steel wire
answers with an enormous axial stress. The mixed-integration-point iteration [Magisano2017] keeps
the stress of each point as an unknown of its own: the geometric part of the tangent takes the
stress that the previous step predicted, not the one at the new pose. Same solution, same quadratic
end. Steps are limited by their rotation, never by the residual, which every useful step raises.
"""

from dataclasses import dataclass

import numpy as np

from flexura.model.assemble import Assembly
from flexura.model.state import State
from flexura.solve.linear import factorise
from flexura.typing import Array

# The largest rotation of a section in one step [rad]. From 0.5 to 2 little changes (theory 4.2).
MAX_ROTATION = 1.0
# A longer first step is tried whole, and kept if the next one turns by less than this [rad]: a
# tip moment needs just one step, whatever the angle.
LANDED = 0.5
# A step this small, relative to 1 rad and to the length, is the last: the next one would be
# its square.
LAST_STEP = 1e-8
# What is left of the forces after the last step, relative to them; far above round-off, far
# below anything but a failure.
BALANCED = 1e-6


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
    """

    state: State
    converged: bool
    singular: bool
    residuals: tuple[float, ...]
    steps: tuple[float, ...]

    @property
    def iterations(self) -> int:
        """Number of evaluations after the first one, rejected ones included."""
        return len(self.residuals) - 1


class Newton:
    """One Newton iteration: its assembly, load and history."""

    def __init__(self, assembly: Assembly, inputs: Array) -> None:
        self.assembly = assembly
        self.inputs = inputs
        self.symmetric = assembly.model.conservative(inputs)
        self.length = assembly.model.length
        translation = 1.0 / self.length
        self._weight = np.tile([1.0] * 3 + [translation**2] * 3, assembly.model.n_dof // 6)
        self.residuals: list[float] = []
        self.steps: list[float] = []

    def look(self, state: State) -> Outcome:
        """Evaluate at a state without a step."""
        self.assembly.forget_prediction()
        self._evaluate(state)
        return self._outcome(state, finished=False)

    def run(self, start: State, iterations: int) -> Outcome:
        """Iterate from a state until the step is small, or ``iterations`` are used up."""
        self.assembly.forget_prediction()
        self._evaluate(start)
        state, step = start, self._step()
        if step is not None and _rotation(step) > MAX_ROTATION:
            state, step = self._leap(state, step)
        while step is not None and len(self.residuals) <= iterations:
            state = self.assembly.predict(step, min(1.0, MAX_ROTATION / _rotation(step)))
            self.steps.append(self._size(step))
            self._evaluate(state)
            if self.steps[-1] <= LAST_STEP:
                return self._outcome(state, finished=True)
            step = self._step()
        return self._outcome(state, finished=False, singular=step is None)

    def _leap(self, state: State, step: Array) -> tuple[State, Array]:
        """Try the whole of a long first step; keep it if the next one is short."""
        far = self.assembly.predict(step)
        self._evaluate(far)
        further = self._step()
        if further is not None and _rotation(further) <= LANDED:
            self.steps.append(self._size(step))
            return far, further
        self.assembly.forget_prediction()
        self.assembly.evaluate(state, self.inputs)
        return state, step

    def _evaluate(self, state: State) -> None:
        self.assembly.evaluate(state, self.inputs)
        residual = np.abs(self.assembly.residual.reshape(-1, 6))
        self.residuals.append(max(residual[:, :3].max() / self.length, residual[:, 3:].max()))

    def _step(self) -> Array | None:
        """The Newton step from the last evaluation; None if there is no finite one."""
        if not np.isfinite(self.residuals[-1]):
            return None
        half = self.assembly.model.layout.half_bandwidth
        factor = factorise(self.assembly.band, half, self.symmetric)
        if factor.singular:
            return None
        step = -factor.solve(self.assembly.residual)
        return step if np.isfinite(step).all() else None

    def _size(self, step: Array) -> float:
        """Root mean square of the rotations [rad] and of the translations over the length."""
        return float(np.sqrt(step @ (self._weight * step) / len(step)))

    def _outcome(self, state: State, finished: bool, singular: bool = False) -> Outcome:
        """Judge the last residual by the forces in play, and by rounding in the stiff strains."""
        assembly = self.assembly
        scale = assembly.force_scale(self.inputs)
        rounding = assembly.model.layout.n_nodes * np.finfo(float).eps * assembly.stiffness()
        converged = finished and bool(self.residuals[-1] <= BALANCED * scale + rounding)
        scale = scale if np.isfinite(scale) and scale > 0.0 else 1.0
        residuals = tuple(float(r / scale) for r in self.residuals)
        return Outcome(state, converged, singular, residuals, tuple(self.steps))


def _rotation(step: Array) -> float:
    """Largest rotation in a step [rad]."""
    return float(np.sqrt((step.reshape(-1, 6)[:, :3] ** 2).sum(axis=1).max())) or 1e-300
