"""From tangents between nodes to the values of the matrix, through slots that are found once."""

from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from flexura.model import scatter_kernels as kernels
from flexura.model.layout import Layout
from flexura.model.term import NodeForces, Term
from flexura.rods.discretization import (
    AngleBlocks,
    Coupling,
    ElementMatrices,
    MarkedMatrices,
    NodeBlocks,
    RodGroup,
)
from flexura.typing import Array, Indices


@dataclass(frozen=True, eq=False)
class NodeScatter:
    """Of nodes that are near each other in a rod, and of numbers stored with them.

    Attributes:
        nodes: of the group in the model.
        blocks: slots of the blocks, (n_nodes, 2 reach + 1, 3).
        rows: slots of rows between numbers and poses, and of their transposes, (2, n, 2 reach, 3).
        between: slots of what couples numbers, and of their transposes, (2, n, reach, 3).
        work: for kernels to write in.
    """

    nodes: slice
    blocks: Indices
    rows: Indices
    between: Indices
    work: Array = field(default_factory=lambda: np.empty((2, 36)))

    @classmethod
    def of(cls, group: RodGroup, nodes: slice, layout: Layout) -> "NodeScatter":
        """Find the slots of a group."""
        structure, reach, n = layout.structure, group.reach, nodes.stop - nodes.start
        rod = np.searchsorted(group.rod_nodes, np.arange(n), side="right")

        def neighbours(first: int, count: int, of: Indices) -> Indices:
            """What the nodes n + first … n + first + count - 1 have, -1 beyond the rod's ends."""
            near = np.arange(n)[:, None] + first + np.arange(count)
            inside = (near >= 0) & (near < n)
            near = np.clip(near, 0, n - 1)
            return np.where(inside & (rod[near] == rod[:, None]), of[near], -1)

        pose, own = layout.dof[nodes], np.where(layout.inner_size, layout.inner_dof, -1)[nodes]
        blocks = structure.slots(pose[:, None], neighbours(-reach, 2 * reach + 1, pose))
        if not group.n_inner:
            none = np.empty((2, 0, 0, 3), dtype=np.int64)
            return cls(nodes, blocks, none, none)
        poses, others = neighbours(-reach, 2 * reach, pose), neighbours(0, reach, own)
        rows = [structure.slots(own[:, None], poses), structure.slots(poses, own[:, None])]
        between = [structure.slots(own[:, None], others), structure.slots(others, own[:, None])]
        between[1][:, 0] = (-1, 0, 0)  # the diagonal is its own transpose
        return cls(nodes, blocks, np.array(rows), np.array(between))

    def add(self, coupling: NodeBlocks, layout: Layout, values: Array) -> None:
        """Add a tangent to the values."""
        adjoint, plain = layout.adjoint[self.nodes], layout.plain[self.nodes]
        kernels.add_blocks(values, self.blocks, adjoint, plain, coupling.blocks, self.work)
        if coupling.rows is not None:
            kernels.add_rows(
                values, self.rows[0], self.rows[1], self.between[0], self.between[1], adjoint,
                coupling.rows, coupling.between, self.work,
            )  # fmt: skip

    def multiply(self, coupling: NodeBlocks, motion: Array, force: Array, inner: Array) -> None:
        """Add what the tangent makes of a motion of the nodes."""
        kernels.multiply_blocks(coupling.blocks, motion, force)
        if coupling.rows is not None:
            kernels.multiply_rows(coupling.rows, motion, inner)


@dataclass(frozen=True, eq=False)
class ElementScatter:
    """Of elements between neighbouring nodes.

    Attributes:
        nodes: of the group in the model.
        slots: of the parts (pose before, shared numbers, inner numbers, pose), (n_nodes, 4, 4, 3).
        begins: where the parts begin in the matrices, and their end, (5,).
        sizes: how much of each part counts, (n_nodes, 4).
        square, row: for kernels to write in.
    """

    nodes: slice
    slots: Indices
    begins: Indices
    sizes: Indices
    square: Array
    row: Array

    @classmethod
    def of(
        cls, group: RodGroup, nodes: slice, layout: Layout, coupling: ElementMatrices
    ) -> "ElementScatter":
        """Find the slots of a group."""
        n, m = nodes.stop - nodes.start, coupling.matrices.shape[1]
        begin = width = np.zeros(n, dtype=np.int64)
        if coupling.shared is not None:
            begin, width = coupling.shared
        widest = int(width.max(initial=0))
        begins = np.array([0, 6, 6 + widest, m - 6, m])
        first = np.isin(np.arange(n), group.rod_nodes)
        before = np.concatenate([[0], np.arange(n - 1)])
        pose, size = layout.dof[nodes], layout.inner_size[nodes]
        inner = np.where(size > 0, layout.inner_dof[nodes], -1)
        reaches = (width > 0) & (inner[before] >= 0)
        starts = np.stack(
            [pose[before], np.where(reaches, inner[before] + begin, -1), inner, pose], axis=1
        )
        starts[first] = -1
        sizes = np.stack([0 * size + 6, width, np.minimum(size, m - 12 - widest), 0 * size + 6], 1)
        slots = layout.structure.slots(starts[:, :, None], starts[:, None, :])
        return cls(nodes, slots, begins, sizes, np.empty((m, m)), np.empty((2, 6)))

    def add(self, coupling: ElementMatrices, layout: Layout, values: Array) -> None:
        """Add a tangent to the values."""
        kernels.add_elements(
            values, self.slots, self.begins, self.sizes, layout.adjoint[self.nodes],
            layout.plain[self.nodes], coupling.matrices, self.square, self.row,
        )  # fmt: skip

    def multiply(
        self, coupling: ElementMatrices, motion: Array, force: Array, inner: Array
    ) -> None:
        """Add what the tangent makes of a motion of the nodes."""
        begin = np.zeros(len(force), dtype=np.int64)
        if coupling.shared is not None:
            begin = coupling.shared[0]
        kernels.multiply_elements(
            coupling.matrices, self.begins, self.sizes, begin, motion, force, inner
        )


@dataclass(frozen=True, eq=False)
class AngleScatter:
    """Of angles along rods whose nodes interact near each other.

    Attributes:
        nodes: of the rods in the model.
        along: of the rods.
        own: slots of the parts (angles at the beginning, row at the end), (a, 2, 2, 3).
        begins: where the parts begin in the matrices, (2,).
        sizes: how much of each part counts, (a, 2).
        first: first node of each element in its group, (a,).
        count: its nodes, (a,).
        cross: slots between poses and (angles at the beginning, coefficients), and their
            transposes, (2, a, nodes, 2, 3).
        columns: how many of each there are, (2,).
        rows: where these are in the rows of nodes, (a,) each, and the nodes.
        column: for kernels to write in.
    """

    nodes: slice
    along: NodeScatter
    own: Indices
    begins: Indices
    sizes: Indices
    first: Indices
    count: Indices
    cross: Indices
    columns: Indices
    rows: tuple[Indices, Indices, Indices]
    column: Array

    @classmethod
    def of(cls, group: Any, nodes: slice, layout: Layout, coupling: AngleBlocks) -> "AngleScatter":
        """Find the slots of a group."""
        at, plates, n = group.angle_nodes, group.plates, group.tubes
        inner = layout.inner_dof[nodes][at]
        led = ~group.at_plate
        begin = np.where(led, group.columns[2], 0)
        first_own = np.where(led, group.columns[0], 0)
        before = np.where(led, np.roll(inner + begin, 1), -1)
        own = np.where(led, inner + first_own, -1)
        starts = np.stack([before, own], axis=1)
        structure = layout.structure
        slots = structure.slots(starts[:, :, None], starts[:, None, :])
        wide = np.where(np.isin(np.arange(len(at)) - 1, plates), 2 * n, n)
        sizes = np.stack([wide, np.full(len(at), group.n_angle)], axis=1)
        first = np.where(led, np.roll(at, 1), 0)
        count = np.where(led, at - np.roll(at, 1) + 1, 0)
        longest = coupling.cross.shape[1]
        near = first[:, None] + np.arange(longest)
        inside = np.arange(longest) < count[:, None]
        pose = np.where(inside, layout.dof[nodes][np.minimum(near, group.n_base - 1)], -1)
        ends = np.stack([before, own], axis=1)
        rows, columns = pose[:, :, None], ends[:, None, :]
        cross = np.array([structure.slots(rows, columns), structure.slots(columns, rows)])
        size = layout.inner_size.copy()
        size[nodes.start + at[plates]] = 0
        rods = slice(nodes.start, nodes.start + group.n_base)
        along = NodeScatter.of(group.base, rods, replace(layout, inner_size=size))
        return cls(
            rods, along, slots, np.array([0, 2 * n]), sizes, first, count, cross,
            np.array([n, coupling.cross.shape[3] - n]), (begin, first_own, at), np.empty(6),
        )  # fmt: skip

    def add(self, coupling: AngleBlocks, layout: Layout, values: Array) -> None:
        """Add a tangent to the values."""
        self.along.add(coupling.along, layout, values)
        kernels.add_angles(
            values, self.own, self.begins, self.sizes, self.first, self.count, self.cross[0],
            self.cross[1], self.columns, layout.adjoint[self.nodes], coupling.own, coupling.cross,
            self.column, np.empty(6),
        )  # fmt: skip

    def multiply(self, coupling: AngleBlocks, motion: Array, force: Array, inner: Array) -> None:
        """Add what the tangent makes of a motion of the nodes."""
        self.along.multiply(coupling.along, motion, force, inner)
        begin, own, at = self.rows
        n, more = self.columns.tolist()
        for e in np.flatnonzero(self.count).tolist():
            nodes = slice(self.first[e], self.first[e] + self.count[e])
            found = np.einsum("lcd,lc->d", coupling.cross[e, : self.count[e]], motion[nodes])
            inner[at[e - 1], begin[e - 1] : begin[e - 1] + n] += found[:n]
            inner[at[e], own[e] : own[e] + more] += found[n:]


@dataclass(frozen=True, eq=False)
class MarkedScatter:
    """Of sets of tubes: along centrelines, and of the frames of tubes.

    Attributes:
        nodes: of the group in the model.
        along: of centrelines and angles.
        slots: of the parts of marks (pose of the centreline, angle, ties, pose of the mark), for
            every node that a mark may be found at, (n_marks, n_nodes, 4, 4, 3).
        columns: where angles are in the rows of these nodes, (n_marks, n_nodes).
        sizes: how much of each part counts, (n_marks, 4).
        square, row: for kernels to write in.
    """

    nodes: slice
    along: "Scatter"
    slots: Indices
    columns: Indices
    sizes: Indices
    square: Array
    row: Array

    @classmethod
    def of(
        cls, group: Any, nodes: slice, layout: Layout, coupling: MarkedMatrices
    ) -> "MarkedScatter":
        """Find the slots of a group."""
        n, first = len(coupling.at), group.n_base
        slots, columns = np.full((n, first, 4, 4, 3), -1), np.zeros((n, first), dtype=np.int64)
        pose, inner, size = (x[nodes] for x in (layout.dof, layout.inner_dof, layout.inner_size))
        sizes = np.zeros((n, 4), dtype=np.int64)
        for m, node in group.pairs.tolist():
            begin = 0 if node in group.angle_nodes[group.plates] else int(group.columns[2])
            columns[m - first, node] = begin + group.marks.tube[m - first]
            angle = inner[node] + columns[m - first, node]
            ties = inner[m] if size[m] else -1
            starts = np.array([pose[node], angle, ties, pose[m]])
            slots[m - first, node] = layout.structure.slots(starts[:, None], starts[None])
            sizes[m - first] = (6, 1, size[m], 6)
        along = scatter_of(group, nodes, layout, coupling.along)
        work = np.empty((19, 19)), np.empty((2, 6))
        return cls(nodes, along, slots, columns, sizes, *work)

    def add(self, coupling: MarkedMatrices, layout: Layout, values: Array) -> None:
        """Add a tangent to the values."""
        self.along.add(coupling.along, layout, values)
        nodes = self.nodes
        kernels.add_marks(
            values, self.slots, coupling.at, self.sizes, layout.adjoint[nodes],
            layout.plain[nodes], coupling.marks, self.square, self.row,
        )  # fmt: skip

    def multiply(self, coupling: MarkedMatrices, motion: Array, force: Array, inner: Array) -> None:
        """Add what the tangent makes of a motion of the nodes."""
        self.along.multiply(coupling.along, motion, force, inner)
        first = len(force) - len(coupling.at)
        for m, at in enumerate(coupling.at.tolist()):
            matrix = coupling.marks[m]
            found = matrix[:, :6] @ motion[at] + matrix[:, 13:] @ motion[first + m]
            force[at] += found[:6]
            force[first + m] += found[13:]
            inner[first + m, :6] += found[7:13]


@dataclass(frozen=True, eq=False)
class TermScatter:
    """Of a term.

    Attributes:
        blocks: slots between the nodes of its elements, (m, k, k, 3).
        element: element that brings each unknown, (n,).
        rows: slots between the unknowns that elements bring and the nodes, and their
            transposes, (2, n, k, 3).
        somewhere: whether any node of the term is an unknown.
        work: for kernels to write in.
    """

    blocks: Indices
    element: Indices
    rows: Indices
    somewhere: bool
    work: Array = field(default_factory=lambda: np.empty((2, 36)))

    @classmethod
    def of(cls, term: Term, rows: Indices, layout: Layout) -> "TermScatter":
        """Find the slots of a term whose unknowns are at the given rows."""
        structure, dof = layout.structure, layout.dof[term.nodes]
        element = np.repeat(np.arange(len(dof)), term.brings)
        poses, blocks = dof[element], structure.slots(dof[:, :, None], dof[:, None, :])
        across = [structure.slots(rows[:, None], poses), structure.slots(poses, rows[:, None])]
        return cls(blocks, element, np.array(across), bool((dof >= 0).any()))

    def add(self, term: Term, out: NodeForces, layout: Layout, values: Array) -> None:
        """Add a tangent to the values."""
        if self.somewhere:
            kernels.add_pairs(
                values, self.blocks, term.nodes, layout.adjoint, out.blocks, self.work
            )
        if len(self.element):
            kernels.add_held(
                values, self.rows[0], self.rows[1], term.nodes, self.element, layout.adjoint,
                out.rows, np.empty((1, 6)),
            )  # fmt: skip


class Scatter(Protocol):
    """How the tangent of a group gets to the values of the matrix."""

    def add(self, coupling: Any, layout: Layout, values: Array) -> None:
        """Add a tangent to the values."""

    def multiply(self, coupling: Any, motion: Array, force: Array, inner: Array) -> None:
        """Add what the tangent makes of a motion of the nodes."""


def scatter_of(group: RodGroup, nodes: slice, layout: Layout, coupling: Coupling) -> Scatter:
    """How the tangent of a group gets to the values of the matrix."""
    if isinstance(coupling, MarkedMatrices):
        return MarkedScatter.of(group, nodes, layout, coupling)
    if isinstance(coupling, AngleBlocks):
        return AngleScatter.of(group, nodes, layout, coupling)
    if isinstance(coupling, NodeBlocks):
        return NodeScatter.of(group, nodes, layout)
    return ElementScatter.of(group, nodes, layout, coupling)
