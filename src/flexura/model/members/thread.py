"""Rods that are threaded through volumes: they slide through points of these without friction.

    L = Σ λ_k · (p(s_k) - x_k),     λ_k · p'(s_k) = 0

p is the rod, x_k a point of the volume, s_k where the rod passes it: an unknown of its own, but for
an anchored tip. λ_k is what the volume exerts on the rod. Everything else follows from L, and so
does its tangent; the slope p' of the rod is that of its strain, R ν.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flexura.model.layout import Layout
from flexura.model.member import Active, Around, Brought, Member
from flexura.model.members import thread_kernels as kernels
from flexura.model.particles import ParticleWork
from flexura.rods.window import Window
from flexura.rods.windows import window
from flexura.typing import Array, Indices, Pose
from flexura.value import Value


@dataclass(frozen=True, eq=False, repr=False)
class Threads(Member, Value):
    """All points that the rods of one group slide through, or are anchored at.

    Attributes:
        labels: of what ties rods and volumes, one by one.
        tie: number of the tie that each point belongs to, (m,).
        part: number of the group among the parts of the model.
        begin: first node of the group in the model.
        rod: rod of the group that passes each point, (m,).
        rod_nodes: first and last node of that rod in the model, (m, 2).
        length: of that rod [m], (m,).
        rest: arc lengths where the rod passes on the unloaded robot, or is anchored [m], (m,).
        slides: whether it slides there, (m,).
        particles: of the points, (m, k).
        weights: of the particles, (m, k).
    """

    labels: tuple[str, ...]
    tie: Indices
    part: int
    begin: int
    rod: Indices
    rod_nodes: Indices
    length: Array
    rest: Array
    slides: Indices
    particles: Indices
    weights: Array

    @property
    def brings(self) -> tuple[Brought, ...]:
        """λ, and s where it slides: a block for each point."""
        return tuple(
            Brought(
                (True, True, True, False) if slides else (True, True, True),
                (1.0,) * (4 if slides else 3),
                own,
                np.arange(first, last + 1),
            )
            for slides, own, (first, last) in zip(
                self.slides.tolist(), self.particles, self.rod_nodes.tolist(), strict=True
            )
        )

    @cached_property
    def offset(self) -> Indices:
        """Where the numbers of each point begin among those that the threads bring, (m,)."""
        sizes = 3 + self.slides
        return np.asarray(np.cumsum(sizes) - sizes)

    @cached_property
    def _sliding(self) -> tuple[Indices, Indices]:
        """Points that slide, and where their ways are among those numbers."""
        at = np.flatnonzero(self.slides == 1)
        return at, self.offset[at] + 3

    @cached_property
    def _pulling(self) -> Indices:
        """Where λ of all points is among those numbers, (m, 3)."""
        return np.asarray(self.offset[:, None] + np.arange(3))

    @cached_property
    def anchored(self) -> NDArray[np.bool_]:
        """Whether the rod is anchored in the tie of each point, (m,)."""
        return np.isin(self.tie, self.tie[self.slides == 0])

    def abscissae(self, numbers: Array) -> Array:
        """s of all points, for the numbers that the threads bring [m], (m,)."""
        found, (at, ways) = self.rest.copy(), self._sliding
        found[at] += numbers[ways]
        return found

    def beyond(self, numbers: Array) -> Array:
        """How far beyond an end of its rod each point is, which has left it then [m], (m,)."""
        found = np.empty(len(self.rest))
        kernels.beyond(numbers, self.offset, self.slides, self.rest, self.length, found)
        return found

    def forces(self, numbers: Array) -> Array:
        """λ of all points [N], (m, 3)."""
        return np.asarray(numbers[self._pulling])

    def active(self, layout: Layout, particles: ParticleWork, rows: Indices) -> "ActiveThreads":
        """The threads in an evaluation."""
        return ActiveThreads(self, layout, particles, rows)


class ActiveThreads(Active):
    """Threads in an evaluation."""

    def __init__(
        self, own: Threads, layout: Layout, particles: ParticleWork, rows: Indices
    ) -> None:
        self._own, self._work, self._rows = own, particles, rows
        self._first = self._rows[own.offset]  # a block lies together
        self._window: Window | None = None
        self._seen, self._slots = b"", np.empty(0, dtype=np.int64)
        start = particles.start[own.particles]
        block = self._first[:, None]
        slots = [layout.structure.slots(block, start), layout.structure.slots(start, block)]
        self._to_particles = slots[0], slots[1]
        self._transfer = np.zeros((3, 6))
        self._lambda, self._sliding = np.zeros((len(own.rest), 3)), self._first[own.slides == 1] + 3
        self._largest = 0.0

    def place(self, assembly: Around) -> None:
        """Look at the rods where the points are."""
        own, part, seen = self._own, assembly.parts[self._own.part], self._window
        s = np.empty(len(own.rest))
        self._largest = kernels.read(
            assembly.state.numbers, self._first, own.slides, own.rest, s, self._lambda
        )
        if seen is None or not seen.move(s):
            seen = self._window = window(part.part.group, own.rod, s)
        seen.place(part.nodes, part.inner)

    def act(self, assembly: Around) -> None:
        """Forces on rods and particles, gaps, and what is left along the rods."""
        seen, own, work = self._window, self._own, self._work
        assert seen is not None
        self._load, self._along = np.zeros((seen.m, 6)), np.empty((seen.m, 3))
        kernels.turn(seen.pose, seen.strain, self._lambda, self._load, self._along)
        part = assembly.parts[own.part]
        kernels.add_to_rods(
            seen.carry(self._load), seen.nodes, seen.inner_nodes, seen.inner_begin, seen.n_inner,
            part.force, part.inner_force,
        )  # fmt: skip
        kernels.add_to_particles(
            seen.pose, self._lambda, self._along, own.particles, own.weights, own.slides,
            self._first, work.particles.rest, work.displacement, work.force, assembly.residual,
        )  # fmt: skip

    def pull_back(self, assembly: Around, values: Array) -> None:
        """Tangents: second variations of L."""
        seen, own, layout = self._window, self._own, assembly.layout
        assert seen is not None
        w, m = seen.width, seen.m
        matrix, load, curvature = np.zeros((m, w + 4, w + 4)), np.zeros((m, 6)), np.zeros((m, 36))
        kernels.curve(self._load, curvature)
        matrix[:, :w, :w] = seen.tangent(self._load, curvature)
        for i in range(3):
            load[:, 3:] = seen.pose[:, i, :3]
            matrix[:, w + i, :w] = seen.carry(load)
        matrix[:, w + 3, :w] = seen.carry_along(self._load[:, 3:])
        kernels.border(matrix, seen.strain, seen.slope, self._load, self._along)
        self._between = matrix.copy()
        self._find_slots(seen, layout)
        node = self._node
        kernels.add_matrices(
            values, self._slots, layout.adjoint[node], layout.plain[node], matrix, own.slides,
            seen.n_inner, np.empty(6),
        )  # fmt: skip
        kernels.add_particles(
            values, *self._to_particles, own.particles, own.weights, self._work.ride,
            self._work.reach, self._transfer,
        )  # fmt: skip

    def _find_slots(self, seen: Window, layout: Layout) -> None:
        """Slots of the blocks of all points: of their nodes, inner unknowns, and own ones."""
        key = seen.nodes.tobytes() + seen.inner_begin.tobytes()
        if key == self._seen:
            return
        self._seen, self._node = key, self._own.begin + seen.nodes
        starts = [layout.dof[self._node]]
        if seen.n_inner:
            at = self._own.begin + seen.inner_nodes
            own = layout.inner_dof[at] + seen.inner_begin
            starts.append(np.where(layout.inner_size[at] > 0, own, -1))
        starts.append(self._first[:, None])
        every = np.concatenate(starts, axis=1)
        self._slots = layout.structure.slots(every[:, :, None], every[:, None, :])

    def multiply(self, assembly: Around, motion: Array, force: Array, found: Array) -> None:
        """Gaps of a motion of the points."""
        moved = np.einsum("mk,mkc->mc", self._own.weights, motion[self._own.particles])
        found[self._first[:, None] + np.arange(3)] -= moved

    def drift(self, assembly: Around, drift: Array, force: Array, found: Array) -> None:
        """What a motion of the nodes does through the places on the rods."""
        seen, own, layout = self._window, self._own, assembly.layout
        assert seen is not None
        node, r, n = own.begin + seen.nodes, seen.nodes.shape[1], seen.n_inner
        moved = drift[node].reshape(seen.m, -1)
        if not moved.any():
            return
        change = np.einsum("mij,mj->mi", self._between[:, :, : 6 * r], moved)
        np.add.at(force, node, change[:, : 6 * r].reshape(-1, r, 6))
        at = own.begin + seen.inner_nodes
        for e in range(seen.m):
            for i, inner in enumerate(at[e].tolist()):
                if layout.inner_size[inner]:
                    begin, left = layout.inner_dof[inner] + seen.inner_begin[e, i], 6 * r + i * n
                    found[begin : begin + n] += change[e, left : left + n]
            size = 3 + own.slides[e]
            found[self._first[e] : self._first[e] + size] += change[e, seen.width :][:size]

    def jumps(self, part: int, rod: int) -> tuple[Array, Array, Pose] | None:
        """Where a rod slides, or is anchored inside of its length."""
        seen, own = self._window, np.flatnonzero(self._own.rod == rod)
        if seen is None or part != self._own.part or not len(own):
            return None
        return seen.s[own], self._load[own], seen.pose[own]

    def energy(self, assembly: Around, stored: bool) -> float:
        """Sliding stores nothing."""
        return 0.0

    def measure(self, assembly: Around, motion: Array, dq: Array) -> tuple[float, float]:
        """How far points slide, over the length."""
        return 0.0, kernels.largest_of(dq, self._sliding) / assembly.model.length

    def force_size(self) -> float:
        """The largest force between rods and volumes [N]."""
        return self._largest
