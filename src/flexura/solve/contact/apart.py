"""Equilibria found downhill where nothing presses: those of Newton's method, if it finds them, too.

On the way down what is in the way is respected, and steps are short, whether anything is met or
not. What all of them lead to may be just what a robot has that touches nothing.
"""

import numpy as np

from flexura.model.assemble import Assembly
from flexura.model.inputs import Inputs
from flexura.solve.equilibrium import Equilibrium, Iterate, solve_equilibrium

# States that differ by no more than this, relative to 1 rad and the length, are the same.
SAME = 1e-6


def leads_there(
    scout: Assembly, inputs: Inputs, start: Iterate, end: Iterate, iterations: int
) -> tuple[bool, int]:
    """Whether Newton's method with the full load leads from one point to another; iterations."""
    found = solve_equilibrium(Equilibrium(scout, inputs), start, iterations)
    layout = scout.layout
    way = layout.difference(end.state, found.point.state) / (layout.units * scout.model.length)
    way = way[~layout.multiplier]
    same = np.abs(way).max(initial=0.0) <= SAME
    return bool(found.converged and same), found.iterations
