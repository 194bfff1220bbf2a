"""A robot at rest: what its motions weigh, and how they are damped."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from flexura.matrix.structure import Structure
from flexura.model.assemble import Assembly
from flexura.model.inputs import Inputs
from flexura.model.motion.flow import Flow, Tracks
from flexura.model.state import State
from flexura.typing import Array, frozen

# Stiffer than anything: what it is added to does not move.
RIGID = 1e12


@dataclass(frozen=True, eq=False)
class Rest:
    """A robot at rest, whose velocities and accelerations change with displacements.

    Attributes:
        tracks: of the model.
        flow: where it is; its rates do not count.
        inputs: there.
    """

    tracks: Tracks
    flow: Flow
    inputs: Inputs

    def evaluate(
        self, assembly: Assembly, pace: float = 0.0, push: float = 0.0, loose: bool = True
    ) -> Assembly:
        """Evaluate some of its laws and terms.

        Args:
            assembly: of these.
            pace: change of velocities with displacements [1/s].
            push: of accelerations [1/s²].
            loose: whether nothing is exerted by what ties the robot together.
        """
        carried = np.zeros((2, self.flow.rates.shape[1]))
        assembly.move_from(self.tracks.past(self.flow, pace, push, carried))
        state = self.flow.state
        assembly.evaluate(loosened(self.tracks, state) if loose else state, self.inputs)
        return assembly


def loosened(tracks: Tracks, state: State) -> State:
    """The state without what holds it together; forces of stretch and shear stay."""
    moving = tracks.moving
    held = moving.model.layout.multiplier & ~moving.forces
    return replace(state, numbers=frozen(np.where(held, 0.0, state.numbers)))


def hold(values: Array, structure: Structure, fixed: NDArray[np.bool_]) -> None:
    """Make some unknowns of a matrix so stiff that they do not move."""
    values[structure.diagonal[fixed]] += RIGID * np.abs(values).max(initial=0.0)
