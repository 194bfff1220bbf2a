"""Where the sections of sets of tubes are, for given insertions.

Breaks, the tips and kinks of tubes and the places where anything acts on them, move with their
tubes. In the order in which they follow each other along the centreline they end its sections:

    s_b = clip(insertion_j - (length_j - s), 0, insertion_j)                     (theory 18.2)

so that there are always as many sections, some of which may have no length. Beyond its tip a tube
goes on without bending: its torque is zero there, and the angle stays as it is.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.model import tube_mesh_kernels as kernels
from flexura.model.tube_profile import Profile
from flexura.rods.tube_group import TubeRods
from flexura.rods.tubes import SetPlan
from flexura.typing import Array, Indices, frozen
from flexura.value import Value

# Sections that were looked up last.
KEPT = 4
# Sections shorter than this part of their set are as stiff as if they had that length. Where
# strains are differences of poses, they are no longer for that: what is not zero but rounding could
# not be told else. Where strains are unknowns, they have it: numbers stay finite, and what a tube
# does that is about to come out is known.
SHORTEST_OF_POSES, SHORTEST = 1e-8, 1e-12
# A break closer than this to the end of a piece, over the length of the tube, is that end.
NEAR = 1e-9
# Steps of differences along tapers, and rest shapes that are functions, over the tube's length.
APART = 1e-4
STEPS = (-2, -1, 0, 1, 2)


class Sections(NamedTuple):
    """Sections of the sets of a group, and what tubes have at its points.

    Attributes:
        ends: where sections end, from the plate on [m], (sets, sections + 1).
        rank: place of each break in that order, (sets, sections).
        scale: arc length by that of reference at the points, λ, (points,).
        stiff_scale: the one that they are stiff by, λ_f, which is not zero.
        part: λ/λ_f where strains are differences of poses, else 1.
        stretch: the same of elements whose stretch is locked, (elements,).
        s: arc length from the plate of the points [m], (points,).
        own: arc lengths of the tubes there [m], (points, tubes).
        present: whether the tubes are there, (points, tubes).
        stiffness: diagonals of K, (points, tubes, 6).
        rest: rest strains, (points, tubes, 6).
        hidden: compliance against torsion behind the plate [1/(N·m)], (sets, tubes).
        turned: rest twist behind the plate [rad], (sets, tubes).
        inserted: lengths outside [m], (sets, tubes).
        angle_at: where marks are found among the nodes with angles, (marks,).
        at: the same among the nodes of centrelines.
        firmest: largest stiffness against bending and torsion over λ_f [N·m²]; zero where strains
            are unknowns, which keep their digits in sections of any length.
    """

    ends: Array
    rank: Indices
    scale: Array
    stiff_scale: Array
    part: Array
    stretch: Array
    s: Array
    own: Array
    present: NDArray[np.bool_]
    stiffness: Array
    rest: Array
    hidden: Array
    turned: Array
    inserted: Array
    angle_at: Indices
    at: Indices
    firmest: float


class Moved(NamedTuple):
    """How sections move along a change of insertions: derivatives of what ``Sections`` has.

    Attributes:
        scale: (points,).
        own: (points, tubes).
        stretch: (elements,).
        behind: of the lengths behind the plate, (sets, tubes).
    """

    scale: Array
    own: Array
    stretch: Array
    behind: Array


@dataclass(frozen=True, eq=False)
class TubeMesh(Value):
    """Makes the sections of the sets of a group.

    Attributes:
        group: the sets.
        plans: their descriptions.
        insertion: places of insertions among the given values, (sets, tubes).
        rotation: places of rotations, (sets, tubes).
    """

    group: TubeRods
    plans: tuple[SetPlan, ...]
    insertion: Indices
    rotation: Indices

    def __eq__(self, other: object) -> bool:
        """Whether it is of the same sets, by the same inputs: the group follows from the plans."""
        if not isinstance(other, TubeMesh):
            return NotImplemented
        same = np.array_equal(self.insertion, other.insertion)
        return self.plans == other.plans and same and np.array_equal(self.rotation, other.rotation)

    def __hash__(self) -> int:
        return hash((len(self.plans), self.insertion.tobytes()))

    @cached_property
    def _kept(self) -> deque[tuple[Array, Sections]]:
        return deque(maxlen=KEPT)

    @cached_property
    def _breaks(self) -> tuple[Indices, Array]:
        """Tube of each break, and its distance to the tip of the tube [m], (sets, sections)."""
        tubes = [[b.tube for b in plan.breaks] for plan in self.plans]
        left = [[plan.members[b.tube].length - b.s for b in plan.breaks] for plan in self.plans]
        return np.array(tubes), np.array(left)

    @cached_property
    def _lengths(self) -> Array:
        """Of the tubes [m], (sets, tubes)."""
        return np.array([[tube.length for tube in plan.members] for plan in self.plans])

    @cached_property
    def profiles(self) -> tuple[tuple[Profile, ...], ...]:
        """What tubes have along themselves, set by set."""
        return tuple(tuple(Profile(tube) for tube in plan.members) for plan in self.plans)

    @cached_property
    def uniform(self) -> bool:
        """Whether nothing changes along the smooth pieces of all tubes."""
        return all(tube.uniform for own in self.profiles for tube in own)

    @cached_property
    def _ends(self) -> list[int]:
        """Where the points of each set begin, and the end."""
        rods = self.group.base.points.rod
        found: list[int] = np.searchsorted(rods, np.arange(len(self.plans) + 1)).tolist()
        return found

    def at(self, values: Array) -> Sections:
        """The sections for given values; those of the last few arrays of them are kept."""
        kept = tuple(self._kept)
        for known, found in kept:
            if known is values and not values.flags.writeable:
                return found
        inserted = values[self.insertion]
        same = kept and (kept[0][0][self.insertion] == inserted).all()
        found = kept[0][1] if same else self._sections(inserted)
        self._kept.appendleft((values if not values.flags.writeable else values.copy(), found))
        return found

    @cached_property
    def _tables(self) -> tuple[Indices, Array, Array]:
        """Pieces beyond breaks, (sets, sections), -1 for tips; stiffness and rests of pieces.

        These are zero for tubes that are not uniform, (sets, tubes, 6), (sets, tubes, pieces, 6).
        """
        most = max(len(tube.ends) for own in self.profiles for tube in own) - 1
        shape = self._lengths.shape
        stiffness, rest = np.zeros((*shape, 6)), np.zeros((*shape, most, 6))
        for i, own in enumerate(self.profiles):
            for j, tube in enumerate(own):
                if tube.uniform:
                    middle = (tube.ends[:-1] + tube.ends[1:]) / 2.0
                    stiffness[i, j], rest[i, j, : len(middle)] = (
                        self._of_free(tube.stiffness(middle)),
                        tube.rest(middle),
                    )
        beyond = [
            [self.profiles[i][b.tube].piece_beyond(b.s, NEAR) for b in plan.breaks]
            for i, plan in enumerate(self.plans)
        ]
        return np.array(beyond), stiffness, rest

    def _of_free(self, stiffness: Array) -> Array:
        """Stiffness; of locked stretch any, by which rounding of short sections is nothing."""
        if not len(self.group.locked[0]):
            return stiffness
        found = stiffness.copy()
        found[..., 3] = stiffness[..., 1] / max(plan.rod.length for plan in self.plans) ** 2
        return found

    @cached_property
    def least(self) -> Array:
        """Least scale of sections that are stiff as they are, at the points."""
        group = self.group
        least = SHORTEST if group.integrated else SHORTEST_OF_POSES
        sets = np.array([plan.rod.length for plan in self.plans]) / group.section_length
        return np.asarray(least * sets[group.base.points.rod])

    def _sections(self, inserted: Array) -> Sections:
        group, (tube, left) = self.group, self._breaks
        beyond, table, rests = self._tables
        (sets, m), n, q = tube.shape, group.tubes, len(group.section)
        ends, rank, order = np.empty((sets, m + 1)), *np.empty((2, sets, m), dtype=np.int64)
        piece = np.empty((sets, m + 1, n), dtype=np.int64)
        marks = group.marks
        angle_at, at = np.empty((2, len(marks.set)), dtype=np.int64)
        kernels.sort_breaks(
            inserted, tube, left, beyond, np.empty((sets, m)), order, rank, ends, piece, marks.set,
            marks.rank, group.section_nodes, group.angle_nodes, angle_at, at,
        )  # fmt: skip
        scale, stiff_scale, part, s = np.empty((4, q))
        own, present = np.empty((q, n)), np.empty((q, n), dtype=np.bool_)
        stiffness, rest = np.empty((2, q, n, 6))
        stretch = np.empty(len(group.locked[1]))
        kernels.fill_points(
            group.base.points.rod, group.section, group.part, group.section_length, self.least,
            group.integrated, inserted, self._lengths, ends, piece, table, rests, scale,
            stiff_scale, part, s, own, present, stiffness, rest,
        )  # fmt: skip
        kernels.stretches(group.locked[1], group.section_length, ends, stretch)
        np.maximum(stretch, SHORTEST * m, out=stretch)
        if not self.uniform:
            stiffness, rest = self._along(
                np.clip(own, 0.0, self._lengths[group.base.points.rod]), present
            )
        firmest = 0.0
        if not group.integrated:
            firmest = float((stiffness[:, :, :3].max(axis=(1, 2)) / stiff_scale).max())
        return Sections(
            ends, rank, scale, stiff_scale, part, stretch, s, own, present, stiffness, rest,
            *self._behind(self._lengths - inserted), inserted, angle_at, at, firmest,
        )  # fmt: skip

    def _along(self, own: Array, present: NDArray[np.bool_]) -> tuple[Array, Array]:
        """Stiffness and rest strain of the tubes at the points; beyond tips torsion alone."""
        n, m = own.shape
        stiffness, rest = np.empty((n, m, 6)), np.empty((n, m, 6))
        for own_set, a, b in zip(self.profiles, self._ends, self._ends[1:], strict=False):
            for j, tube in enumerate(own_set):
                stiffness[a:b, j] = self._of_free(tube.stiffness(own[a:b, j]))
                rest[a:b, j] = tube.rest(own[a:b, j])
        stiffness[~present, 1:] = 0.0
        rest[~present] = 0.0
        return stiffness, rest

    @cached_property
    def _plain(self) -> tuple[Array, Array] | None:
        """Compliance by length and rest twist behind the plate; None where these are no numbers."""
        if not all(tube.plain for own in self.profiles for tube in own):
            return None
        soft = [[tube.transmission_slopes(0.0)[0] for tube in own] for own in self.profiles]
        return np.array(soft), np.zeros_like(self._lengths)

    def _behind(self, length: Array) -> tuple[Array, Array]:
        """Compliance and rest twist of the tubes behind the plate."""
        if self._plain is not None:
            soft, twist = self._plain
            return soft * np.maximum(length, 0.0), twist
        pairs = zip(self.profiles, length.tolist(), strict=True)
        found = [[x.transmission(y) for x, y in zip(*own, strict=True)] for own in pairs]
        hidden, turned = np.moveaxis(np.array(found), 2, 0)
        return np.ascontiguousarray(hidden), np.ascontiguousarray(turned)

    def moved(self, values: Array, change: Array) -> Moved:
        """How sections move along a change of the given values.

        Where ends coincide, this is so to one side: as if they came in the order that they have.
        """
        group, (tube, left) = self.group, self._breaks
        d_inserted = change[self.insertion]
        if not np.count_nonzero(d_inserted):
            return self.still
        found = self.at(values)
        ends, where = np.empty((len(tube), tube.shape[1] + 1)), group.locked[1]
        scale, own = np.empty(len(group.section)), np.empty((len(group.section), group.tubes))
        stretch = np.empty(len(where))
        kernels.move(
            found.inserted, d_inserted, tube, left, found.rank, group.base.points.rod,
            group.section, group.part, group.section_length, where, ends, scale, own, stretch,
        )  # fmt: skip
        return Moved(scale, own, stretch, -d_inserted)

    def pushed(self, values: Array) -> Iterator[Moved]:
        """How sections move with each insertion, set by set."""
        for place in self.insertion.ravel():
            change = np.zeros(len(values))
            change[place] = 1.0
            yield self.moved(values, change)

    @cached_property
    def still(self) -> Moved:
        """What does not move."""
        group = self.group
        shapes = (len(group.section),), (len(group.section), group.tubes), (len(group.locked[1]),)
        return Moved(*(np.zeros(shape) for shape in (*shapes, self._lengths.shape)))

    def hidden_slopes(self, values: Array) -> tuple[Array, Array]:
        """Compliance and rest twist behind the plate by the length there, (sets, tubes) each."""
        if self._plain is not None:
            return self._plain
        pairs = zip(self.profiles, (self._lengths - values[self.insertion]).tolist(), strict=True)
        found = [[x.transmission_slopes(y) for x, y in zip(*own, strict=True)] for own in pairs]
        soft, twist = np.moveaxis(np.array(found), 2, 0)
        return soft, twist

    @cached_property
    def _no_slopes(self) -> tuple[Array, Array]:
        shape = (len(self.group.base.points.s), self.group.tubes, 6)
        return frozen(np.zeros(shape)), frozen(np.zeros(shape))

    def rest_slopes(self, found: Sections) -> tuple[Array, Array]:
        """Derivatives of stiffness and rest strain by the arc length of the tubes."""
        if self.uniform:
            return self._no_slopes
        stiffness, rest = np.zeros_like(found.stiffness), np.zeros_like(found.rest)
        middle, h = self._around(found.own)
        weights = _slope_weights((found.own - middle) / h) / h[..., None]
        for k, step in enumerate(STEPS):
            K, r = self._along(middle + step * h, found.present)
            stiffness += weights[..., k, None] * K
            rest += weights[..., k, None] * r
        stiffness[~found.present] = rest[~found.present] = 0.0
        for own, a, b in zip(self.profiles, self._ends, self._ends[1:], strict=False):
            for j, tube in enumerate(own):
                if tube.constant:
                    stiffness[a:b, j] = 0.0
                if tube.even:
                    rest[a:b, j] = 0.0
        return stiffness, rest

    def _around(self, own: Array) -> tuple[Array, Array]:
        """Middles and steps of differences that stay on the smooth piece of a tube, as of own."""
        begin, end = np.empty_like(own), np.empty_like(own)
        for tubes, a, b in zip(self.profiles, self._ends, self._ends[1:], strict=False):
            for j, tube in enumerate(tubes):
                ends = tube.ends[[0, -1]] if tube.even else tube.ends
                at = np.clip(np.searchsorted(ends, own[a:b, j], side="right"), 1, len(ends) - 1)
                begin[a:b, j], end[a:b, j] = ends[at - 1], ends[at]
        lengths = self._lengths[self.group.base.points.rod]
        h = np.minimum(APART * lengths, 0.2 * (end - begin))
        return np.clip(own, begin + 2.0 * h, end - 2.0 * h), h


def _slope_weights(x: Array) -> Array:
    """Weights of values at STEPS for the derivative of their polynomial at x, x.shape + (5,)."""
    nodes, found = np.array(STEPS, dtype=float), np.empty((*x.shape, len(STEPS)))
    for k, node in enumerate(nodes):
        others = np.delete(nodes, k)
        polynomial = np.poly1d(others, r=True) / np.prod(node - others)
        found[..., k] = polynomial.deriv()(x)
    return found
