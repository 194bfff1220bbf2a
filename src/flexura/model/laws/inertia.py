"""Inertia of rods: wrenches on the poses of points that resist their acceleration."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexura.model import inertia_kernels as kernels
from flexura.model.law import Given, Law, PointValues
from flexura.robot import Rod
from flexura.rods.along import inertia_at
from flexura.rods.discretization import PointForces, Points
from flexura.typing import Array, Indices, frozen

NOTHING: Array = frozen(np.empty(0))


@dataclass(frozen=True, eq=False)
class Inertia(Law):
    """Inertia at the points of a group.

    Attributes:
        part: number of the part that it belongs to.
        point: points with mass, (n,).
        inertia: their moments of inertia and masses, as described, (n, 6).
    """

    part: int
    point: Indices
    inertia: Array

    def passing(self, values: Array) -> Array:
        """Arc lengths of what slides through the points [m]: of nothing, these move with rods."""
        return NOTHING

    def at(self, values: Array) -> Array:
        """Moments of inertia and masses of the points for given values of inputs, (n, 6)."""
        return self.inertia

    def sliding(self, values: Array, rates: Array) -> Array | None:
        """Σ m u, Σ m u² and Σ m u̇ of what slides along x at the points, (n, 3); None if nothing."""
        return None

    @classmethod
    def of(cls, part: int, rods: Sequence[Rod], points: Points) -> "Inertia":
        """Evaluate sections at the points of a group of rods."""
        inertia = points.weight[:, None] * inertia_at(rods, points)
        own = np.flatnonzero(inertia[:, 3] > 0.0)
        return cls(part, frozen(own), frozen(inertia[own]))

    def posed(self) -> Indices:
        """The points with mass."""
        return self.point

    def add(self, at: PointValues, given: Given, out: PointForces) -> None:
        """Inertial wrenches, if anything moves."""
        past = given.past
        if past is not None and len(self.point):
            kernels.add_at_points(
                self.point, self.at(given.values), *past.points[self.part], past.pace, past.push,
                past.in_space, at.pose, out.load, out.load_tangent, given.tangents,
            )  # fmt: skip

    @property
    def reads(self) -> frozenset[int]:
        """None of the given values."""
        return frozenset()

    def add_slope(self, at: PointValues, given: Given, change: Array, out: PointForces) -> None:
        """Nothing that is given changes it."""


@dataclass(frozen=True, eq=False)
class InertiaTangent(Inertia):
    """The tangent of inertia without its wrenches, for steps that balance momenta instead."""

    def add(self, at: PointValues, given: Given, out: PointForces) -> None:
        """How inertial wrenches would change, if anything moves."""
        past = given.past
        if past is not None and len(self.point) and given.tangents:
            kernels.add_at_points(
                self.point, self.inertia, *past.points[self.part], past.pace, past.push,
                past.in_space, at.pose, np.zeros_like(out.load), out.load_tangent, True,
            )  # fmt: skip
