"""Drawing together what joints hold, where a robot begins with loops that are open.

A straight way from open to closed may lead through shapes in which a linkage is stretched out, and
no step goes on. Joints that give have no such shapes: with the multipliers λ of their gaps g,

    r + (∂g/∂q)ᵀ λ = 0,    g - c λ = 0                                         (theory 4.6)

the robot is in balance with springs of stiffness 1/c in its joints, and goes downhill. They get
stiffer from one equilibrium to the next, until joints hold.
"""

import numpy as np

from flexura.model.assemble import Assembly
from flexura.model.inputs import Inputs
from flexura.solve.equilibrium import Equilibrium, Iterate, solve_equilibrium
from flexura.solve.newton import Outcome
from flexura.solve.relaxation import DampedStep, relax
from flexura.typing import Array

# How much joints give, relative to the rods and to the loads.
GIVES = (1.0, 1e-1, 1e-2, 1e-3, 1e-4)
# Iterations for each.
PATIENCE = 60


class Giving(Equilibrium):
    """A model whose joints give; a ``Problem``."""

    def __init__(self, assembly: Assembly, inputs: Inputs, give: Array) -> None:
        """Prepare an iteration.

        Args:
            assembly: work space.
            inputs: of the model.
            give: c of all unknowns that terms bring, (k,).
        """
        super().__init__(assembly, inputs, DampedStep())
        self._give = give

    def evaluate(self, point: Iterate) -> bool:
        """Evaluate residual and tangent; that is always possible."""
        super().evaluate(point)
        assembly, rows = self.assembly, self.assembly.layout.brought
        assembly.residual[rows] -= self._give * assembly.state.numbers[rows]
        assembly.values[assembly.layout.structure.diagonal[rows]] -= self._give
        return True


def draw_together(
    assembly: Assembly, inputs: Inputs, start: Iterate, iterations: int
) -> tuple[Outcome[Iterate], int]:
    """Close joints from an open start; returns where that ended, and iterations."""
    Equilibrium(assembly, inputs).evaluate(start)
    give, point, used = _give(assembly), start, 0
    for part in GIVES:
        most = max(1, min(PATIENCE, iterations - used))
        found = solve_equilibrium(Giving(assembly, inputs, part * give), point, most)
        used += found.iterations
        if not found.converged:
            return found, used
        point = found.point
    found = relax(assembly, inputs, point, max(1, min(PATIENCE, iterations - used)))
    return found, used + found.iterations


def _give(assembly: Assembly) -> Array:
    """What lets gaps be as large as the robot is under its loads, or as its rods can bend it."""
    model, layout = assembly.model, assembly.layout
    force = max(assembly.load_size, model.limp_force)
    return np.asarray(1.0 / (force * model.length * layout.units[layout.brought] ** 2))
