"""Choices of strain functions: along whole rods, or constant on sections.

``strain_rods`` has the rods that they describe.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil, sqrt
from typing import Any

import numpy as np

from flexura.errors import ModelError, show
from flexura.robot.check import check_count
from flexura.rods.basis import distinct
from flexura.rods.discretization import RodPlan
from flexura.rods.strain_basis import find_basis, legendre
from flexura.rods.strain_rods import StrainRods
from flexura.typing import Array


@dataclass(frozen=True)
class VariableStrain:
    """Strain components expanded in a basis, poses by fourth-order Magnus integration.

    A rod is cut into smooth pieces where point loads act and line loads begin or end: the
    functions are those of each piece.

    Attributes:
        orders: number of functions for torsion, bending y, bending z, stretch, shear y, shear z, on
            each piece; 0 switches a component off: it keeps its rest value, at any load.
        basis: "legendre", "chebyshev", "monomial" or "bspline".
        steps: integration steps along the rod, two Gauss points each; poses converge with the
            fourth power of their length. Pieces share them by length, but have at least as many
            points as functions.
    """

    orders: tuple[int, ...] = (5, 7, 7, 3, 3, 3)
    basis: str = "legendre"
    steps: int = 16

    def __post_init__(self) -> None:
        object.__setattr__(self, "orders", _orders(self.orders))
        find_basis(self.basis)
        check_count("VariableStrain", "steps", self.steps, 100_000)

    @property
    def kind(self) -> Hashable:
        """Rods with the same functions are evaluated together."""
        return ("variable strain", self.orders, self.basis)

    def finer(self, factor: float) -> "VariableStrain":
        """The same with so many times as many steps of integration, and functions to match.

        At the ends of a rod, n functions tell what m steps do if n² is 3 m.
        """
        steps, most = ceil(factor * self.steps), max(self.orders)
        more = max(1.0, sqrt(3.0 * steps) / most)
        return replace(self, steps=steps, orders=tuple(ceil(more * n) for n in self.orders))

    def group(self, plans: Sequence[RodPlan]) -> StrainRods:
        """Discretize rods with the same functions."""
        return StrainRods(self.orders, find_basis(self.basis), plans)

    def step_ends(self, plan: RodPlan) -> list[Array]:
        """Ends of the integration steps of each piece of a rod [m]."""
        length = plan.rod.length
        ends = [0.0, *distinct(plan.jumps, length), length]
        fewest = (max(self.orders) + 1) // 2
        shares = [round(self.steps * (b - a) / length) for a, b in pairwise(ends)]
        return [
            np.linspace(a, b, max(fewest, share) + 1)
            for (a, b), share in zip(pairwise(ends), shares, strict=True)
        ]


@dataclass(frozen=True)
class ConstantStrain:
    """Piecewise constant strain: sections of a rod with one strain each, exact exponentials.

    Attributes:
        sections: number of equal sections; those where point loads act and line loads begin or
            end are cut there.
    """

    sections: int = 8

    def __post_init__(self) -> None:
        check_count("ConstantStrain", "sections", self.sections, 1000)

    @property
    def kind(self) -> Hashable:
        """All rods of constant sections are evaluated together."""
        return ("constant strain",)

    def finer(self, factor: float) -> "ConstantStrain":
        """The same with so many times as many sections."""
        return replace(self, sections=ceil(factor * self.sections))

    def group(self, plans: Sequence[RodPlan]) -> StrainRods:
        """Discretize rods whose choices are all of this kind."""
        return StrainRods((1,) * 6, legendre, plans)

    def step_ends(self, plan: RodPlan) -> list[Array]:
        """Ends of each section of a rod: one step, exact for a constant strain [m]."""
        length = plan.rod.length
        equal = np.linspace(0.0, length, self.sections + 1)[1:-1]
        inside = distinct([*equal, *plan.jumps], length)
        return [np.array(ends) for ends in pairwise([0.0, *inside, length])]


def _orders(orders: object) -> tuple[int, ...]:
    """Six whole numbers, not all zero."""
    allowed = (
        "six whole numbers from 0 to 100, not all 0: torsion, bending y, z, stretch, shear y, z"
    )
    try:
        values: tuple[Any, ...] = tuple(orders)  # type: ignore[arg-type]
    except TypeError:
        values = ()
    whole = all(isinstance(n, int | np.integer) and not isinstance(n, bool) for n in values)
    good = len(values) == 6 and whole and all(0 <= n <= 100 for n in values)
    if not good or not any(values):
        raise ModelError(f"VariableStrain orders must be {allowed}; got {show(orders)}")
    return tuple(int(n) for n in values)
