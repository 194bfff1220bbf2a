"""Drawing together what joints hold, where a robot begins with loops that are open.

A straight way from open to closed may lead through shapes in which a linkage is stretched out, and
no step goes on. Joints that give have no such shapes: with the multipliers λ of their gaps g,

    r + (∂g/∂q)ᵀ λ = 0,    g - c λ = 0                                         (theory 4.6)

the robot is in balance with springs of stiffness 1/c in its joints, and goes downhill. They get
stiffer from one equilibrium to the next, until joints hold: their gaps shrink with c. Where gaps
stay as they are, though springs are stiffer than all that could give way, they cannot be closed
from here.
"""

from typing import NamedTuple

import numpy as np

from flexura.model.assemble import Assembly
from flexura.model.inputs import Inputs
from flexura.robot.bending import PLACES
from flexura.solve.equilibrium import Equilibrium, Iterate, solve_equilibrium
from flexura.solve.newton import Outcome
from flexura.solve.relaxation import DampedStep, relax
from flexura.solve.remarks import GAP
from flexura.typing import Array

# How much joints give from one equilibrium to the next, relative to the rods and to the loads: they
# are tried without after so many, and so many serve to tell whether they stay apart.
GIVES = tuple(10.0**-k for k in range(11))
TRIED = 4
# Iterations for each.
PATIENCE = 60
# Gaps that do not fall to this part with springs ten times as stiff, which are this many times as
# stiff as all that bends or stretches, are as small as they get.
STAY, STIFF = 0.5, 100.0


class Drawn(NamedTuple):
    """Where drawing joints together ended.

    Attributes:
        outcome: the last equilibrium, with joints that hold if it is converged.
        iterations: that it took.
        apart: whether joints stay apart, however stiff they are; it is the closest they come.
    """

    outcome: Outcome[Iterate]
    iterations: int
    apart: bool


class Giving(Equilibrium):
    """A model whose joints give; a ``Problem``."""

    closes = False

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


def draw_together(assembly: Assembly, inputs: Inputs, start: Iterate, iterations: int) -> Drawn:
    """Close joints from an open start."""
    Equilibrium(assembly, inputs).evaluate(start)
    rows, units = assembly.layout.brought, assembly.layout.units[assembly.layout.brought]
    force = max(assembly.load_size, assembly.model.limp_force)
    stiffest = max(force, _stiffest(assembly))
    most_give = 1.0 / (force * assembly.model.length * units**2)
    point, used, before, closed = start, 0, np.inf, None

    def most() -> int:
        return max(0, min(PATIENCE, iterations - used))

    for k, part in enumerate(GIVES):
        give = part * most_give
        found = solve_equilibrium(Giving(assembly, inputs, give), point, most())
        used += found.iterations
        if not found.converged:
            break
        point = found.point
        gap = float(np.abs(give * point.state.numbers[rows] * units).max())
        stiff = STIFF * stiffest * part <= force
        if stiff and gap > max(GAP, STAY * before) and found.report.stable is not False:
            return Drawn(found, used, apart=True)
        before = gap
        if k == TRIED:
            closed = relax(assembly, inputs, point, most())
            used += closed.iterations
            if closed.converged:
                break
    return Drawn(closed or found, used, apart=False)


def _stiffest(assembly: Assembly) -> float:
    """The force of the rod that resists most: EI/L² if bent, EA if it can be stretched [N]."""
    found = 0.0
    for place in assembly.model.places.values():
        own = place.rod.stiffness(place.rod.length * PLACES).max(axis=0)
        own[:3] /= place.rod.length**2
        found = max(found, float(own[assembly.model.parts[place.part].group.free].max(initial=0.0)))
    return found
