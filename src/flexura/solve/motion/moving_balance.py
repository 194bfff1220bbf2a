"""When a step in time is found."""

from dataclasses import dataclass

from flexura.model.assemble_kernels import total_force
from flexura.model.measured import EPS
from flexura.solve.equilibrium import ARRIVED, BALANCED, LAST_STEP, RUBBED, ForceBalance
from flexura.solve.newton import History

# A tangent serves as long as each step is at most this part of the one before.
SHRINKING = 0.01
# What is left undone of a step, relative to its first correction, and to 1 rad and the length.
PART, MOST_LEFT = 1e-6, 1e-10
# Gaps of joints that are closed, relative to the length.
CLOSED = 1e-13


def leaves_nothing(steps: list[float]) -> bool:
    """Whether the next one of steps with one tangent would be nothing, by the sizes of all."""
    return steps[-1] ** 2 <= min(PART * steps[0], MOST_LEFT) * steps[-2]


@dataclass
class MovingBalance(ForceBalance):
    """``ForceBalance`` with inertia among the forces in play.

    Attributes:
        resistance: change of inertial forces with displacements [N/m].
        stiffer: by how much stretch and shear are stiffer in a step, as rates change with them.
        inertial: size of inertial forces that are not in the assembly [N].
    """

    resistance: float
    stiffer: float = 1.0
    inertial: float = 0.0

    def over(self, history: History) -> bool:
        """Whether the next step would be nothing, or the last one was.

        Steps with one tangent have the sizes s, c s, c² s: the third from the first two. The first
        one of all is what the start missed, which is of the order of the error of a step in time.
        """
        steps, left = history.steps, history.forces[-1]
        last = steps[-1]
        if len(steps) == 1 or last > SHRINKING * steps[-2]:  # by a tangent of its own
            # forces of contacts may be off where nothing moves
            small = last <= LAST_STEP and history.gaps[-1] <= RUBBED
        else:
            closed = CLOSED if self.assembly.touch is None else ARRIVED
            small = leaves_nothing(steps) and history.gaps[-1] <= closed
        balanced = small and left <= BALANCED * self._scale()
        return balanced or self._at_rest(history) or self._rubs(history)

    def forces(self) -> float:
        """Size of the forces in play, those that inertia makes included [N]."""
        loads = sum(total_force(part.forces.load) for part in self.assembly.parts)
        return max(self.assembly.force_scale(), self.inertial, float(loads))

    def rounding(self) -> float:
        """Size of rounding errors in strains, and in displacements times inertia [N]."""
        far = max(self.assembly.farthest(), self.assembly.model.length)
        return self.stiffer * self.assembly.rounding() + EPS * self.resistance * far
