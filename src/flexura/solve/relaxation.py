"""Going downhill to a stable equilibrium, where Newton's method finds none.

Newton goes to whatever equilibrium is near, or nowhere. Here motions are held back by D > 0, as
much as it takes to make the tangent positive definite on the motions that constraints allow, and
steps short:

    (K + damping D) dq = -r

an implicit step of the gradient flow D dq/dt = -r. As it ends, the damping vanishes and it is
Newton's method again. Its equilibrium is stable, but another one than raising the load may lead to.
"""

from dataclasses import replace

import numpy as np

from flexura.model.assemble import Assembly
from flexura.model.inputs import Inputs
from flexura.model.step import Linearised
from flexura.solve.equilibrium import (
    Equilibrium,
    Iterate,
    shifted_step,
    solve_equilibrium,
)
from flexura.solve.newton import Outcome
from flexura.typing import Array

RELAXING = 300  # iterations
# Sections turn by no more than this in a step [rad].
REACH = 0.5
# Damping, relative to the stiffness: the least, and how it grows from try to try and shrinks from
# step to step. Below the least there is none.
LEAST, MOST = 1e-6, 1e6
HARDER, EASIER = 10.0, 0.1


def relax(
    assembly: Assembly,
    inputs: Inputs,
    start: Iterate,
    iterations: int,
    relief: Array | None = None,
) -> Outcome[Iterate]:
    """Go downhill from a point."""
    problem = Equilibrium(assembly, inputs, DampedStep(), relief)
    return solve_equilibrium(problem, start, iterations)


class DampedStep:
    """The least damped step that goes downhill and is short; a ``Stepper``."""

    def __init__(self) -> None:
        self._damping = 0.0

    def __call__(self, problem: Equilibrium) -> Linearised | None:
        """The step from the last evaluation; None if there is none."""
        assembly = problem.assembly
        diagonal = assembly.layout.structure.diagonal
        bare, weight = assembly.values[diagonal], _weight(assembly)
        damping = self._damping
        while damping <= MOST:
            assembly.values[diagonal] += damping * weight
            step = shifted_step(assembly, 0.0) if _downhill(assembly) else None
            assembly.values[diagonal] = bare
            if step is not None and step.rotation <= REACH:
                self._damping = damping * EASIER if damping > LEAST else 0.0
                # A damped step is no sign of an end, however small it is.
                return step if damping == 0.0 else replace(step, size=max(step.size, 1.0))
            damping = max(LEAST, HARDER * damping)
        return None


def _downhill(assembly: Assembly) -> bool:
    """Whether motions that constraints allow meet resistance only."""
    structure, values = assembly.layout.structure, assembly.values
    found = structure.inertia(values if assembly.conservative else structure.symmetric_part(values))
    return found == assembly.layout.n_multipliers


def _weight(assembly: Assembly) -> Array:
    """D: rotations times the length like translations, in the units of the stiffness."""
    layout = assembly.layout
    diagonal, moves = assembly.values[layout.structure.diagonal], ~layout.multiplier
    size = np.abs(diagonal[moves]) * layout.units[moves] ** 2
    size = size[size > 0.0]
    typical = float(np.median(size)) if len(size) else 1.0
    return np.where(moves, typical / layout.units**2, 0.0)
