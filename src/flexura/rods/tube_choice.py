"""Descriptions that can carry angles of tubes along their rods."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import cast

from flexura.errors import ModelError
from flexura.rods.discretization import Discretization, RodGroup, RodPlan
from flexura.rods.spline import Spline
from flexura.rods.strain_basis import find_basis, legendre
from flexura.rods.tube_spline import TubeSplineRods
from flexura.rods.tube_strain import TubeStrainRods
from flexura.rods.tubes import SetPlan
from flexura.rods.variable_strain import ConstantStrain, VariableStrain

CARRIERS = (Spline, VariableStrain, ConstantStrain)  # of angles of tubes


@dataclass(frozen=True)
class TubeChoice:
    """How to discretize sets of tubes.

    Attributes:
        choice: for their centrelines.
        tubes: in a set.
        sections: of a set.
    """

    choice: Discretization
    tubes: int
    sections: int

    @property
    def kind(self) -> Hashable:
        """Sets of as many tubes and sections, with centrelines of one kind."""
        return ("tubes", self.tubes, self.sections, self.choice.kind)

    def finer(self, factor: float) -> "TubeChoice":
        """The same with so many times as many elements."""
        return replace(self, choice=self.choice.finer(factor))

    def group(self, plans: Sequence[RodPlan]) -> RodGroup:
        """Discretize sets."""
        choice, sets = self.choice, [plan for plan in plans if isinstance(plan, SetPlan)]
        if isinstance(choice, VariableStrain):
            found = TubeStrainRods(choice.orders, find_basis(choice.basis), sets)
        elif isinstance(choice, ConstantStrain):
            found = TubeStrainRods((1,) * 6, legendre, sets)
        elif isinstance(choice, Spline):
            return cast(RodGroup, TubeSplineRods(choice, sets))
        else:
            raise ModelError(
                f"{type(choice).__name__} cannot carry the angles of tubes; describe sets of tubes "
                "by Spline, VariableStrain or ConstantStrain"
            )
        return cast(RodGroup, found)
