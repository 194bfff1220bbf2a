"""Weight of tubes, and dead forces along them: they act on the centreline, outside of the plate."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexura.model.law import Given, Law, PointValues
from flexura.model.tube_mesh import Moved, TubeMesh
from flexura.model.wrenches import Wrenches
from flexura.rods.discretization import PointForces
from flexura.rods.tube_work import TubeWork
from flexura.typing import Array, Indices, frozen
from flexura.value import Value

# Step of differences of masses along tapers, over the length of a tube.
APART = 1e-4


@dataclass(frozen=True, eq=False)
class TubeLoad(Value):
    """A dead force per mass or per arc length.

    Attributes:
        source: place of its three numbers among the given values.
        set, tube: numbers of the tube that it acts along; -1 for the weight of all tubes.
        span: arc lengths of the tube where it begins and ends [m].
    """

    source: int
    set: int = -1
    tube: int = -1
    span: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, eq=False)
class TubeLoads(Law):
    """Loads along the sets of a group."""

    mesh: TubeMesh
    loads: tuple[TubeLoad, ...]

    def posed(self) -> Indices:
        """All points of the centrelines."""
        return np.arange(len(self.mesh.group.base.points.s))

    @cached_property
    def reads(self) -> frozenset[int]:
        """Places of the forces, and of insertions."""
        forces = [load.source + i for load in self.loads for i in range(3)]
        return frozenset([*forces, *self.mesh.insertion.ravel().tolist()])

    @cached_property
    def _kept(self) -> dict[bytes, Wrenches]:
        return {}

    def wrenches_at(self, values: Array) -> Wrenches:
        """The loads at the points, for given insertions; the last ones are kept."""
        key = values[self.mesh.insertion].tobytes()
        found = self._kept.get(key)
        if found is None:
            found = self._made([self._density(load, values) for load in self.loads], values)
            self._kept.clear()
            self._kept[key] = found
        return found

    def _made(self, densities: list[Array], values: Array) -> Wrenches:
        group = self.mesh.group
        length = group.base.points.weight * self.mesh.at(values).scale
        return self._of([density * length for density in densities])

    def _of(self, coefficients: list[Array]) -> Wrenches:
        """Loads with these coefficients at the points."""
        n, m = len(self.mesh.group.base.points.s), len(self.loads)
        return Wrenches(
            frozen(np.tile(np.arange(n), m)),
            frozen(np.full(n * m, -1)),
            frozen(np.repeat([load.source for load in self.loads], n)),
            frozen(np.concatenate(coefficients)),
            frozen(np.zeros(n * m, dtype=np.bool_)),
            frozen(np.tile(np.eye(4), (n * m, 1, 1))),
        )

    def _density(self, load: TubeLoad, values: Array, step: float = 0.0) -> Array:
        """Mass per arc length, or 1 where a force acts, at the points and beside them."""
        mesh, found = self.mesh, self.mesh.at(values)
        rods = mesh.group.base.points.rod
        total = np.zeros(len(rods))
        for i, plan in enumerate(mesh.plans):
            own = rods == i
            for j, tube in enumerate(plan.members):
                s = np.clip(found.own[own, j] + step * tube.length, 0.0, tube.length)
                if load.set < 0:
                    total[own] += found.present[own, j] * tube.mass_per_length(s)
                elif (load.set, load.tube) == (i, j):
                    inside = (load.span[0] <= s) & (s <= load.span[1])
                    total[own] += found.present[own, j] & inside
        return total

    def add(self, at: PointValues, given: Given, out: PointForces) -> None:
        """Wrenches and their tangents."""
        wrenches = self.wrenches_at(given.values)
        wrenches.add(at.pose, given, out.load, wrenches.target, out.load_tangent)

    def add_slope(self, at: PointValues, given: Given, change: Array, out: PointForces) -> None:
        """Derivative of the wrenches by forces, and by insertions."""
        self.wrenches_at(given.values).add_slope(at.pose, change, out.load)
        moved = self.mesh.moved(given.values, change)
        if moved is not self.mesh.still:
            self._moved(given.values, moved).add_slope(at.pose, given.values, out.load)

    def push(self, at: PointValues, given: Given) -> Array:
        """Derivatives of the potential by insertions, from the plates on, poses kept."""
        assert isinstance(at, TubeWork)
        mesh, values = self.mesh, given.values
        base, pose = mesh.group.base, at.pose.copy()
        rods = base.points.rod
        pose[: len(rods), :3, 3] -= at.nodes[base.rod_nodes[rods], :3, 3]
        found = [self._moved(values, x).potential(pose, values) for x in mesh.pushed(values)]
        return np.reshape(found, mesh.insertion.shape)

    def _moved(self, values: Array, moved: Moved) -> Wrenches:
        """What loads at the points change by as sections move."""
        weight, scale = self.mesh.group.base.points.weight, self.mesh.at(values).scale
        more = []
        for load in self.loads:
            found = self._density(load, values) * weight * moved.scale
            if load.set < 0:
                found += self._tapered(values, moved.own) * weight * scale
            more.append(found)
        return self._of(more)

    def _tapered(self, values: Array, d_own: Array) -> Array:
        """Change of the mass per arc length at the points, with arc lengths of the tubes."""
        mesh, found = self.mesh, self.mesh.at(values)
        rods, total = mesh.group.base.points.rod, np.zeros(len(d_own))
        for i, plan in enumerate(mesh.plans):
            own = rods == i
            for j, tube in enumerate(plan.members):
                h = APART * tube.length
                around = [np.clip(found.own[own, j] + x * h, 0.0, tube.length) for x in (-1, 1)]
                before, after = (tube.mass_per_length(s) for s in around)
                slope = (after - before) / (2.0 * h)
                total[own] += found.present[own, j] * slope * d_own[own, j]
        return total

    def energy(self, at: PointValues, given: Given) -> float:
        """Potential [J]."""
        return self.wrenches_at(given.values).potential(at.pose, given.values)

    def size(self, values: Array) -> tuple[float, float]:
        """Sums of the sizes of all forces."""
        return self.wrenches_at(values).size(values)
