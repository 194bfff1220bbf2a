"""Going downhill to a stable equilibrium, where Newton's method finds none.

Newton goes to whatever equilibrium is near, or nowhere. Here motions are held back by D > 0, as
much as it takes to make the tangent positive definite on the motions that constraints allow, and
steps short:

    (K + damping D) dq = -r

an implicit step of the gradient flow D dq/dt = -r. As it ends, the damping vanishes and it is
Newton's method again. Its equilibrium is stable, but another one than raising the load may lead to.
"""

import math

import numpy as np

from flexura.model.assemble import Assembly
from flexura.model.inputs import Inputs
from flexura.solve.linear import negative_eigenvalues
from flexura.solve.newton import Newton, Step
from flexura.typing import Array

RELAXING = 300  # iterations
# Sections turn by no more than this in a step [rad].
REACH = 0.5
# Damping, relative to the stiffness: the least, and how it grows from try to try and shrinks from
# step to step. Below the least there is none.
LEAST, MOST = 1e-6, 1e6
HARDER, EASIER = 10.0, 0.1


class Relaxation(Newton):
    """Newton's method with damped motions."""

    def __init__(self, assembly: Assembly, inputs: Inputs) -> None:
        super().__init__(assembly, inputs)
        self._damping = 0.0

    def _step(self) -> Step | None:
        """The least damped step that goes downhill and is short; None if there is none."""
        if not math.isfinite(self.forces[-1]):
            return None
        tangent = self.assembly.tangent
        bare, weight = tangent.copy(), self._weight()
        damping = self._damping
        while damping <= MOST:
            for part, original in zip(tangent[:4], bare[:4], strict=True):
                part[:] = original
            tangent.add_diagonal(damping * weight)
            step = self._solve(0.0) if self._downhill() else None
            if step is not None and step.rotation <= REACH:
                self._damping = damping * EASIER if damping > LEAST else 0.0
                # A damped step is no sign of an end, however small it is.
                return step if damping == 0.0 else step._replace(size=max(step.size, 1.0))
            damping = max(LEAST, HARDER * damping)
        return None

    def _downhill(self) -> bool:
        """Whether motions that constraints allow meet resistance only."""
        tangent = self.assembly.tangent
        found = negative_eigenvalues(tangent if self.symmetric else tangent.symmetric_part())
        return found == self.assembly.layout.n_multipliers

    def _weight(self) -> Array:
        """D: rotations times the length like translations, in the units of the stiffness."""
        layout, diagonal = self.assembly.layout, self.assembly.tangent.diagonal()
        size = np.abs(diagonal[~layout.multiplier]) * layout.units[~layout.multiplier] ** 2
        size = size[size > 0.0]
        typical = float(np.median(size)) if len(size) else 1.0
        return np.where(layout.multiplier, 0.0, typical / layout.units**2)
