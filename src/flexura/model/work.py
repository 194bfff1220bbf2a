"""Arrays of an evaluation: what a solve owns for each part and each term of a model."""

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Protocol, Self

import numpy as np

from flexura.model import assemble_kernels as kernels
from flexura.model.constraint import Constraint
from flexura.model.inputs import Inputs
from flexura.model.law import Given
from flexura.model.layout import Layout
from flexura.model.layout_kernels import add_inner, gather_inner
from flexura.model.member import Active
from flexura.model.model import Model
from flexura.model.part import Part
from flexura.model.particles import ParticleWork
from flexura.model.scatter import Scatter, TermScatter, scatter_of
from flexura.model.state import State
from flexura.model.term import NodeForces, Term
from flexura.rods.discretization import Coupling, PointForces, RodGroup
from flexura.typing import Array, Indices, Pose, frozen


@dataclass(eq=False)
class PartWork:
    """A part of a model, and the arrays for it.

    Attributes:
        part: the part.
        work: where its points are.
        forces: what acts at them.
        nodes: poses of its nodes.
        force: forces of its nodes.
        inner: its inner unknowns.
        inner_force: their residuals.
        d_inner: increments of the inner unknowns.
        loose: its loose nodes.
        inner_dof, inner_size: where its inner unknowns are, row by row.
        spacing: distance of the nodes about each point [m]; none where strains are unknowns.
        scatter: how its tangent gets to the matrix.
        coupling: its tangent, of the last evaluation.
    """

    part: Part
    work: Any
    forces: PointForces
    nodes: Pose
    force: Array
    inner: Array
    inner_force: Array
    d_inner: Array
    loose: Indices
    inner_dof: Indices
    inner_size: Indices
    spacing: Array
    scatter: Scatter | None = None
    coupling: Coupling | None = None

    @classmethod
    def of(
        cls,
        part: Part,
        layout: Layout,
        nodes: Pose,
        force: Array,
        inner_force: Array,
        end_tangent: Array,
    ) -> Self:
        """Arrays for a part; those of nodes are shared with all others."""
        group, own = part.group, part.nodes
        forces = PointForces(
            len(group.points.s), part.n_nodes, group.components, end_tangent=end_tangent[own]
        )
        forces.posed[part.posed] = True
        forces.loose[:] = layout.loose[own]
        inner, d_inner = np.zeros((2, part.n_nodes, group.n_inner))
        loose = np.flatnonzero(forces.loose)
        work = group.work()
        return cls(
            part, work, forces, nodes[own], force[own], inner, inner_force, d_inner, loose,
            layout.inner_dof[own], layout.inner_size[own], _spacing(group),
        )  # fmt: skip

    def winds(self) -> bool:
        """Whether curvatures have lost whole turns against what was predicted."""
        return bool(kernels.winds(self.work.strain, self.work.strain_ahead, self.spacing))

    def lost_turns(self, before: Array | None) -> tuple[Array, float]:
        """Whole turns that curvatures have lost against what was predicted, and the largest count.

        Args:
            before: those that were lost before, (n_points, 3); None for none.
        """
        work = self.work
        turns = np.zeros((len(work.strain), 3)) if before is None else before.copy()
        if not len(self.spacing):
            return turns, 0.0
        wound = kernels.count_turns(work.strain, work.strain_ahead, self.spacing, turns)
        return frozen(turns), wound

    def gather(self, numbers: Array, out: Array) -> None:
        """The inner unknowns of all its nodes, or their increments, from those of the model."""
        if out.shape[1]:
            gather_inner(numbers, self.inner_dof, self.inner_size, out)

    def scatter_inner(self, inner: Array, out: Array) -> None:
        """Add what belongs to its inner unknowns to a vector of all unknowns."""
        if inner.shape[1]:
            add_inner(self.inner_dof, self.inner_size, inner, out)

    def pull_back(self, layout: Layout, values: Array) -> None:
        """Carry what acts back to forces and to the values of the matrix."""
        group = self.part.group
        self.coupling = group.pull_back(self.forces, self.force, self.inner_force, self.work)
        if self.scatter is None:
            self.scatter = scatter_of(group, self.part.nodes, layout, self.coupling)
        self.scatter.add(self.coupling, layout, values)

    def multiply(self, motion: Array, force: Array, inner: Array) -> None:
        """Add what the tangent of the last evaluation makes of a motion of the nodes."""
        assert self.scatter is not None
        self.scatter.multiply(self.coupling, motion, force, inner)

    @cached_property
    def changes(self) -> PointForces:
        """For changes of what acts, at the same points and loose ends."""
        group, own = self.part.group, self.forces
        return PointForces(
            len(group.points.s), self.part.n_nodes, group.components,
            posed=own.posed, loose=own.loose,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class TermWork:
    """A term of a model, and the arrays for it.

    Attributes:
        term: the term.
        rows: unknowns that its elements bring.
        out: what it writes.
        scatter: how its tangent gets to the matrix.
        loose: its elements on loose nodes.
    """

    term: Term
    rows: Indices
    out: NodeForces
    scatter: TermScatter
    loose: Indices

    @classmethod
    def of(cls, term: Term, rows: Indices, layout: Layout, force: Array) -> Self:
        """Arrays for a term; the forces of nodes are shared with all others."""
        loose = np.flatnonzero(layout.loose[term.nodes].any(axis=1))
        scatter = TermScatter.of(term, rows, layout)
        return cls(term, rows, NodeForces.of(term, force), scatter, loose)


class Evaluated(Protocol):
    """A model where it was last evaluated; see ``Assembly``."""

    model: Model
    layout: Layout
    state: State
    inputs: Inputs
    given: Given
    nodes: Pose
    force: Array
    residual: Array
    gap: Array
    parts: list[PartWork]
    terms: list[TermWork]
    constraints: list[tuple[Constraint, slice]]
    particles: ParticleWork
    members: list[Active]


def _spacing(group: RodGroup) -> Array:
    """Distance of the nodes about each point of a group whose curvatures follow from poses [m]."""
    if group.integrated:
        return np.empty(0)
    found, rods = np.empty(len(group.points.s)), group.points.rod
    ends = np.searchsorted(rods, np.arange(len(group.rod_nodes)))
    for rod, (a, b) in enumerate(pairwise(ends.tolist())):
        nodes = group.node_lengths(rod)
        if len(nodes) < 2:  # points without length
            found[a:b] = 0.0
            continue
        at = np.clip(np.searchsorted(nodes, group.points.s[a:b]), 1, len(nodes) - 1)
        found[a:b] = np.diff(nodes)[at - 1]
    return found


def zeros_together(*shapes: tuple[int, ...]) -> tuple[Array, list[Array]]:
    """Zeros in one array, to be set at once, and its parts in the given shapes."""
    ends = np.cumsum([math.prod(shape) for shape in shapes])
    whole = np.zeros(ends[-1])
    parts = np.split(whole, ends[:-1])
    return whole, [part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)]
