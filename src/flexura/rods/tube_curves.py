"""Rows of inner unknowns of sets of tubes, and shapes that they make."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError
from flexura.rods import tube_kernels as kernels
from flexura.rods.discretization import StrainField
from flexura.rods.tubes import angle_functions
from flexura.typing import Array, Indices, Pose, Strain, Wrench
from flexura.value import ReadOnly


class TubeCurves(ReadOnly):
    """What of ``TubeRods`` reads and writes rows of inner unknowns; names as there."""

    base: Any
    n_base: int
    n_nodes: int
    tubes: int
    functions: int
    n_angle: int
    columns: Indices
    at_plate: NDArray[np.bool_]
    angle_nodes: Indices
    plates: Indices
    section_nodes: Indices
    node_points: Indices
    value: Array
    slope: Array
    shown: Indices
    elements: Indices
    locked: tuple[Indices, Indices]
    stretch: int

    def carry_from(
        self, nodes: Pose, inner: Array, rod: int, s: float, wrenches: Wrench
    ) -> tuple[Array, Array]:
        """Refused: what acts between the frames of tubes moves with their insertion."""
        raise ModelError(
            "along sets of tubes, derivatives are known of frames: the tip of a tube, and points "
            "of it that something acts on, as PointLoad('mark', at=At(tube, s)) makes them"
        )

    def gather(self, inner: Array, base: Array, angle: Array) -> None:
        """Numbers of the centrelines and of the angles, from the rows of all nodes."""
        kernels.gather(
            self.columns, self.angle_nodes, self.at_plate, self.tubes, inner, base, angle
        )

    def _gathered(self, inner: Array) -> tuple[Array, Array]:
        """The same in new arrays."""
        base = np.empty((self.n_base, self.base.n_inner))
        angle = np.empty((len(self.angle_nodes), self.n_angle))
        self.gather(np.ascontiguousarray(inner), base, angle)
        return base, angle

    def scatter(self, base: Array, angle: Array, inner: Array) -> None:
        """Add what belongs to them to the rows of all nodes."""
        kernels.scatter(
            self.columns, self.angle_nodes, self.at_plate, self.tubes, base, angle, inner
        )

    def force(self, inner: Array, rod: int, s: Array) -> Array | None:
        """Force of a centreline, where it is an unknown of its own, (n, 3)."""
        base, _ = self._gathered(inner)
        found: Array | None = self.base.force(base, rod, s)
        return found

    def shape(self, nodes: Pose, inner: Array, rod: int, s: Array) -> tuple[Pose, Strain]:
        """Pose and strain of a centreline at any arc lengths of reference."""
        base, _ = self._gathered(inner)
        own = np.ascontiguousarray(nodes[: self.n_base])
        pose, strain = self.base.shape(own, base, rod, s)
        return pose, self._own_strain(strain)

    def _own_strain(self, strain: Strain) -> Strain:
        """The strain as laws see it."""
        return strain

    def angles(self, inner: Array, rod: int, s: Array) -> Array:
        """Angles of the tubes of a set at arc lengths of reference, (k, n)."""
        _, angle = self._gathered(inner)
        first, ends = self._elements_of(rod)
        element = np.clip(np.searchsorted(ends, s, "right") - 1, 0, len(ends) - 2)
        n, p = self.tubes, self.functions
        value, _ = angle_functions(p, (s - ends[element]) / np.diff(ends)[element])
        own = angle[first + 1 + element, n : n + n * p].reshape(-1, n, p)
        return np.asarray(angle[first + element, :n] + np.einsum("qi,qji->qj", value, own))

    def follow(
        self, rod: int, strain: StrainField, angle: StrainField, inner: Array, out: Strain
    ) -> None:
        """Let the centreline of a set follow a strain, and its tubes angles; in place.

        Args:
            rod: number of the set.
            strain: by arc length of reference, (k, 6).
            angle: of the tubes, likewise, (k, n).
            inner: rows of all nodes.
            out: generalised strains at all points.
        """
        first, stop = (int(x) for x in self.base.rod_nodes[rod : rod + 2])
        base = np.zeros((self.n_base, self.base.n_inner))
        base[first:stop] = self.base.fit(rod, strain)
        turned = self._fit_angles(rod, angle)
        rows, shown = np.zeros_like(inner), np.zeros_like(out)
        self.scatter(base, turned, rows)
        inner[first:stop] = rows[first:stop]
        points, own = self.base.points, np.flatnonzero(self.base.points.rod == rod)
        along = np.zeros((len(points.s), 6))
        along[own] = strain(points.s[own])
        self._show(along, base, turned, shown)
        locked, where = self.locked
        own = np.concatenate([own, self.shown[[rod]], locked[where[:, 0] == rod]])
        out[own] = shown[own]

    def _fit_angles(self, rod: int, angle: StrainField) -> Array:
        """Numbers of the angles of a set that follow functions of arc length of reference."""
        n, p = self.tubes, self.functions
        found = np.zeros((len(self.angle_nodes), self.n_angle))
        first, ends = self._elements_of(rod)
        last = first + len(ends)
        found[first:last, :n] = angle(ends)
        if p:
            u = 0.5 - 0.5 * np.cos(np.pi * np.arange(1, p + 1) / p)  # the end is one of them
            weights = np.linalg.inv(angle_functions(p, u)[0])
            at = ends[:-1, None] + np.diff(ends)[:, None] * u
            change = angle(at.ravel()).reshape(*at.shape, n) - found[first : last - 1, None, :n]
            fitted = np.einsum("kq,eqj->ejk", weights, change)
            found[first + 1 : last, n : n + n * p] = fitted.reshape(-1, n * p)
        return found

    def ties(self, inner: Array, rod: int, s: Array, section: Indices) -> tuple[Array, Array]:
        """Where elements end that have arc lengths of reference in a section, and their ties.

        Returns:
            Ends [m], (k,), and multipliers of the angles there, (k, n).
        """
        _, angle = self._gathered(inner)
        first, ends = self._elements_of(rod)
        begin = self.section_nodes[rod, section] - first
        stop = self.section_nodes[rod, section + 1] - first
        element = np.clip(np.searchsorted(ends, s, "right") - 1, begin, stop - 1)
        at = self.tubes * (1 + self.functions)
        return ends[element + 1], angle[first + 1 + element, at : at + self.tubes]

    def _elements_of(self, rod: int) -> tuple[int, Array]:
        """First node with angles of a set, and ends of its elements [m]."""
        first = int(self.plates[rod])
        stop = int(np.append(self.plates, len(self.angle_nodes))[rod + 1])
        lengths = self.base.node_lengths(rod)
        return first, np.asarray(lengths[self.angle_nodes[first:stop] - self.base.rod_nodes[rod]])

    def _show(self, strain: Strain, base: Array, angle: Array, out: Strain) -> None:
        """Generalised strains at all points."""
        kernels.show(
            self.node_points, self.value, self.slope, self.tubes, self.plates, self.shown,
            self.locked[0], self.elements, self.angle_nodes, self.stretch, strain, base, angle, out,
        )  # fmt: skip
