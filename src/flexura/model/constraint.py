"""Constraints whose multipliers lie in a cone.

    gap ≥ 0,   λ ≥ 0,   gap · λ = 0        (``Cone.NOT_NEGATIVE``)
    gap = 0                                (``Cone.EQUAL``)

What the multipliers exert comes from laws and terms that take them as a given value: a multiplier
is an input that the solver chooses. Their derivatives by it are the rows of the constraint,

    ∂r/∂λ = -∂(gap)/∂q,

so that a constraint adds nothing but its gap. Solvers see the model through
rows K⁻¹ rowsᵀ, small and dense. To add one, derive from ``Constraint``, as for a ``Law``.
"""

from abc import ABC, abstractmethod
from enum import Enum

from flexura.model.law import DIFFERENCE, Given
from flexura.typing import Array, Indices, Pose, frozen
from flexura.value import Value


class Cone(Enum):
    """Where multipliers may be."""

    EQUAL = "equal"
    NOT_NEGATIVE = "not negative"


class Constraint(Value, ABC):
    """What holds with a multiplier.

    Attributes:
        multipliers: places of its multipliers among the given values, (m,).
        cone: where they may be.
    """

    multipliers: Indices
    cone: Cone

    @abstractmethod
    def gap(self, pose: Pose, given: Given) -> Array:
        """Distance to what is forbidden [m], (m,); after all laws and terms have kept account.

        Args:
            pose: of all nodes, (n_nodes, 4, 4).
            given: inputs, multipliers and what is conjugate to them.
        """

    def compliance(self, given: Given) -> Array | float:
        """∂(gap)/∂λ of the constraint itself [m/N], (m,): zero for what does not give."""
        return 0.0

    def add_slope(self, pose: Pose, given: Given, change: Array, gap: Array) -> None:
        """Add the derivative of the gap along a change of the inputs, with the conjugate as it is.

        By differences, unless a constraint knows better: exact where it is linear.
        """
        for h in (DIFFERENCE, -DIFFERENCE):
            values = frozen(given.values + h * change)
            gap += self.gap(pose, given._replace(values=values)) / (2.0 * h)

    def energy(self, given: Given) -> float:
        """Energy that the constraint stores itself [J]."""
        return 0.0

    def impossible(self, values: Array) -> bool:
        """Whether it cannot hold, at given values."""
        return False

    def driven(self, values: Array) -> bool:
        """Whether inputs drive it away from where it is without load."""
        return False
