"""What takes the error out of an equilibrium, to first order.

Seen from the origin, in world axes, with small motions z of places, small wrenches y in steps along
rods, and twists Δ that are missing in them,

    z_b - z_a - h Ĉ (y + ad_zᵀ S) = Δ   for every step,    Σ (± y) + δ(loads) = 0   at every place,

where Ĉ is the compliance of the section and S the wrench in the cut. Tensions of tendons that are
driven by their length follow: strains change by -Ĉ b τ with them, and ways keep the lengths of the
tendons. With y + ad_zᵀ S, z in the middle of the step, as unknowns the
matrix is symmetric where forces balance and have a potential: the tangent of continuous rods.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array, diags_array
from scipy.sparse.linalg import splu

from flexura.lie import se3, so3
from flexura.matrix.negative import count_negative
from flexura.model.assemble import Assembly
from flexura.model.balance import forces_of_terms
from flexura.model.part import Place
from flexura.model.work import TermWork
from flexura.solve.accuracy.pull import Pulls
from flexura.typing import Array, Indices, Matrix, Matrix6, Pose, Twist, Wrench

# Resistance of places against any motion, over that of the rods: keeps free motions at rest.
RESISTANCE = 1e-10
# What holds gives by this part of what rods give: what holds twice is no motion then. More would
# let the short steps at the ends of limp rods shear by more than they are long.
GIVE = 1e-13
TINY = 1e-300


@dataclass(frozen=True, eq=False)
class Steps:
    """Fine steps along a rod.

    Attributes:
        place: which rod it is.
        s: ends of the steps [m], (n + 1,).
        position: of the rod there [m], (n + 1, 3).
        missing: Δ of each step, (n, 6).
        compliance: h Ĉ of each step, (n, 6, 6).
        cut: S in the middle of each step, (n, 6).
        pulled: h Ĉ b of each step, for each of k multipliers (``Pulls``), (n, k, 6).
        give: Σ h bᵀ Ĉ b along the rod, (k, k).
        longer: what the ways are longer by with the strains that wrenches ask for [m], (k,).
        soft: how far rods give to moments [rad/(N m)], and to forces over the length, about.
    """

    place: Place
    s: Array
    position: Array
    missing: Twist
    compliance: Matrix6
    cut: Wrench
    pulled: Twist
    give: Array
    longer: Array
    soft: float


class Moved(NamedTuple):
    """A motion, from one end of a short way to the other.

    Attributes:
        places: what moves, -1 for what is fixed, (n,).
        begin, end: poses of each, (n, 4, 4).
    """

    places: Indices
    begin: Pose
    end: Pose

    def row(self, length: float, n_sixes: int) -> Array:
        """vᵀ D for all motions of places, seen from the origin, (n_sixes, 6)."""
        moves = self.places >= 0
        a, b = self.begin[moves], self.end[moves]
        turn = so3.log(b[:, :3, :3] @ a[:, :3, :3].swapaxes(1, 2))
        shift = (b[:, :3, 3] - a[:, :3, 3]) / length**2
        found = np.zeros((n_sixes, 6))
        arm = np.cross(0.5 * (a[:, :3, 3] + b[:, :3, 3]), shift)
        found[self.places[moves]] = np.concatenate([turn + arm, shift], axis=1)
        return found


class Correction:
    """The linear equations of the error, for a whole robot.

    Its unknowns are motions of places and wrenches of steps, six numbers each, and multipliers of
    joints and of constraints. What rides on one coordinate is one place; what is fixed is none, -1.

    Attributes:
        of_nodes: place of each node, (n_nodes,).
    """

    def __init__(self, assembly: Assembly, pulling: Pulls) -> None:
        layout = assembly.layout
        self._assembly, self._n_sixes = assembly, layout.n_coordinates
        self.of_nodes = layout.coordinate.copy()
        self.of_nodes[layout.loose] = self._new(int(layout.loose.sum()))
        self._to_body = se3.Ad(se3.inverse(assembly.nodes)).reshape(-1, 6, 6)
        self._entries: list[tuple[Array, Indices, Indices]] = []
        self._right: list[tuple[Indices, Array]] = []
        self._soft = 0.0
        self._pulling = pulling
        self._give = np.diag(pulling.compliance)
        self._longer = np.zeros_like(pulling.compliance)
        self._pulled: list[tuple[Indices, Twist]] = []

    @property
    def reach(self) -> float:
        """How far two shapes of the rods may be apart [m]."""
        return 2.0 * sum(place.rod.length for place in self._assembly.model.places.values())

    def _new(self, count: int) -> Indices:
        """Numbers of new places or wrenches."""
        self._n_sixes += count
        return np.arange(self._n_sixes - count, self._n_sixes)

    def _add(self, rows: Indices, columns: Indices, blocks: Matrix6) -> None:
        """Add blocks, (n, 6, 6), at rows and columns that are counted by sixes, (n,)."""
        used = (rows >= 0) & (columns >= 0)
        r, c = 6 * rows[used, None, None], 6 * columns[used, None, None]
        shape, six = (int(used.sum()), 6, 6), np.arange(6)
        r, c = np.broadcast_to(r + six[:, None], shape), np.broadcast_to(c + six, shape)
        blocks = np.broadcast_to(blocks, (len(used), 6, 6))[used]
        self._entries.append((blocks.ravel(), r.ravel(), c.ravel()))

    def add_rod(self, steps: Steps) -> Indices:
        """Add the steps of a rod and what acts along it; the places of their ends."""
        places, wrenches = self._places(steps), self._new(len(steps.missing))
        a, b, one = places[:-1], places[1:], np.eye(6)
        carried = 0.5 * _carried(steps.cut)
        for place, sign in ((a, 1.0), (b, -1.0)):
            self._add(place, a, sign * carried)
            self._add(place, b, sign * carried)
        self._add(wrenches, a, -one)
        self._add(wrenches, b, one)
        self._add(wrenches, wrenches, -steps.compliance)
        self._add(a, wrenches, -one)
        self._add(b, wrenches, one)
        self._right.append((wrenches, steps.missing))
        self._pulled.append((wrenches, steps.pulled))
        self._give = self._give + steps.give
        self._longer = self._longer + steps.longer
        self._soft += steps.soft
        self._add_loads(steps, places)
        return places

    def _places(self, steps: Steps) -> Indices:
        """Places of the ends of a rod's steps: those of its nodes where something else acts."""
        model, place = self._assembly.model, steps.place
        own, nodes = self._new(len(steps.s)), model.rod_nodes(place)
        lengths = model.parts[place.part].group.node_lengths(place.index)
        ties = self._ties[nodes].copy()
        ties[[0, -1]] = True
        own[nearest(steps.s, lengths[ties])] = self.of_nodes[nodes][ties]
        return own

    @cached_property
    def _ties(self) -> NDArray[np.bool_]:
        """Nodes that terms act on, or that do not ride alone on their coordinate, (n_nodes,)."""
        layout = self._assembly.layout
        fixed = layout.coordinate < 0
        riders = np.bincount(layout.coordinate[~fixed], minlength=layout.n_coordinates)
        found = fixed | (riders[layout.coordinate] > 1 if len(riders) else fixed)
        for work in self._assembly.terms:
            found[work.term.nodes.ravel()] = True
        return np.asarray(found)

    def _add_loads(self, steps: Steps, places: Indices) -> None:
        """Add how the loads along a rod change as it moves.

        Those of a span of quadrature act evenly on the ends of its steps, as in the cut: rods that
        are limp beside a step would feel them where they are not.
        """
        part = self._assembly.parts[steps.place.part]
        points, posed = part.part.group.points, part.part.posed
        own = posed[points.rod[posed] == steps.place.index]
        if not len(own):
            return
        _, ends = points.spans(steps.place.index)
        pieces = (len(steps.s) - 1) // (len(ends) - 1)
        span = np.searchsorted(ends, points.s[own]) - 1
        share = np.ones(pieces + 1) / pieces
        share[[0, -1]] *= 0.5
        to_body = np.zeros((len(own), 6, 6))
        turned = part.work.pose[own, :3, :3].swapaxes(1, 2)
        to_body[:, :3, :3] = to_body[:, 3:, 3:] = turned
        tangent = part.forces.load_tangent[own].reshape(-1, 6, 6)
        tangent = tangent - 0.5 * _carried(part.forces.load[own])
        tangent = to_body.swapaxes(1, 2) @ tangent @ to_body
        for k, part_of in enumerate(share):
            at = span * pieces + k
            there = np.tile(np.eye(6), (len(own), 1, 1))
            there[:, 3:, :3] = -so3.hat(steps.position[at])
            self._add(places[at], places[at], part_of * there.swapaxes(1, 2) @ tangent @ there)

    def _add_terms(self) -> int:
        """Add how what acts on nodes changes as they move, and what joints hold; number of rows."""
        force = forces_of_terms(self._assembly)
        to_world = self._to_body.swapaxes(1, 2)
        turned = -0.5 * to_world @ _carried(force) @ self._to_body
        self._add(self.of_nodes, self.of_nodes, turned)
        first = 6 * self._n_sixes
        for work in self._assembly.terms:
            m, k = work.term.nodes.shape
            a, b = (
                np.repeat(work.term.nodes, k, axis=1).ravel(),
                np.tile(work.term.nodes, k).ravel(),
            )
            blocks = work.out.blocks.reshape(m * k * k, 6, 6)
            self._add(self.of_nodes[a], self.of_nodes[b], to_world[a] @ blocks @ self._to_body[b])
            if len(work.rows):
                first = self._add_gaps(work, first)
        return first

    def _add_gaps(self, work: TermWork, first: int) -> int:
        """Add the gaps that a term closes, from a row on; the row after them."""
        element = np.repeat(np.arange(len(work.term.nodes)), work.term.brings)
        nodes = work.term.nodes[element]
        slopes = np.einsum("nkc,nkcd->nkd", work.out.rows, self._to_body[nodes])
        gap = np.broadcast_to(first + np.arange(len(nodes))[:, None, None], slopes.shape)
        used = np.broadcast_to((self.of_nodes[nodes] >= 0)[..., None], slopes.shape)
        motion = 6 * self.of_nodes[nodes][..., None] + np.arange(6)
        entry, r, c = slopes[used], gap[used], motion[used]
        self._entries += [(entry, r, c), (entry, c, r)]
        return first + len(nodes)

    def _add_lengths(self, first: int) -> int:
        """Add what tensions change, and that ways stay as long, from a row on; the row after."""
        f = np.einsum("nkc,ncd->nkd", self._pulling.force, self._to_body)
        lengths = first + np.arange(len(self._longer))
        for sixes, blocks in [*self._pulled, (self.of_nodes, f)]:
            used = sixes >= 0
            r = np.broadcast_to(lengths[:, None], blocks[used].shape)
            c = np.broadcast_to((6 * sixes[used, None] + np.arange(6))[:, None], r.shape)
            entry = (blocks[used].ravel(), r.ravel(), c.ravel())
            self._entries += [entry, (entry[0], entry[2], entry[1])]
        rows = np.repeat(lengths, len(lengths))
        self._entries.append((-self._give.ravel(), rows, np.tile(lengths, len(lengths))))
        return first + len(lengths)

    def solve(self) -> Twist:
        """Motions of all places, and zero for the one that is none, (n + 1, 6)."""
        matrix = self._matrix
        right = np.zeros(matrix.shape[0])
        for rows, values in self._right:
            right[(6 * rows[:, None] + np.arange(6)).ravel()] = values.ravel()
        right[len(right) - len(self._longer) :] = -self._longer
        try:
            found = splu(matrix.tocsc()).solve(right)
        except RuntimeError:  # singular
            found = np.full(len(right), np.inf)
        return np.concatenate([found[: 6 * self._n_sixes].reshape(-1, 6), np.zeros((1, 6))])

    def stable(self, free: Sequence[Moved], slack: float = 0.0) -> bool | None:
        """Whether continuous rods resist all motions that joints allow; None if it is not told.

        Args:
            free: motions that nothing resists: the sign of what does is that of an error, and they
                are left out.
            slack: what may be missing of resistance at each place, over that of the rods.
        """
        matrix, give = self._matrix, self._gives()
        more = slack * self._unit(len(give)) - give
        symmetric = csr_array(0.5 * (matrix + matrix.T)) + diags_array(more)
        found = count_negative(csr_array(symmetric), self._held(free))
        return None if found is None else found == int(np.count_nonzero(give))

    def _held(self, free: Sequence[Moved]) -> Matrix:
        """Vᵀ D of motions, D the metric: rows that leave them out, (k, n)."""
        length, n_sixes = self._assembly.model.length, self._n_sixes
        rows = np.zeros((len(free), self._matrix.shape[0]))
        for row, motion in zip(rows, free, strict=True):
            row[: 6 * n_sixes] = motion.row(length, n_sixes).ravel()
        return rows

    def _gives(self) -> Array:
        """How much all that ties motions gives, zero for these, (n,)."""
        layout, length = self._assembly.layout, self._assembly.model.length
        found = np.zeros(self._matrix.shape[0])
        sixes = found[: 6 * self._n_sixes].reshape(-1, 6)
        for rows, _ in self._right:
            sixes[rows] = np.repeat([1.0, length**2], 3)
        tensions = np.full(len(self._longer), 1.0 / length)
        units = np.concatenate([layout.units[layout.brought], tensions])
        found[6 * self._n_sixes :] = units**-2.0
        return GIVE * self._soft * found

    @cached_property
    def _matrix(self) -> csr_array:
        """Of all equations, once all rods were added."""
        size = self._add_lengths(self._add_terms())
        everywhere = np.arange(size)
        held = RESISTANCE * self._unit(size)
        entries = [*self._entries, (held, everywhere, everywhere)]
        value, row, column = (np.concatenate(column) for column in zip(*entries, strict=True))
        return csr_array(coo_array((value, (row, column)), shape=(size, size)))

    def _unit(self, size: int) -> Array:
        """Resistance of places that is as firm as the rods are together, (size,)."""
        found, length = np.zeros(size), self._assembly.model.length
        sixes = found[: 6 * self._n_sixes].reshape(-1, 6)
        sixes[:] = 1.0 / max(self._soft, TINY) / np.repeat([1.0, length**2], 3)
        for rows, _ in self._right:
            sixes[rows] = 0.0
        return found


def _carried(wrench: Wrench) -> Matrix6:
    """The matrices M of M z = ad_zᵀ w, row by row."""
    found = np.zeros((len(wrench), 6, 6))
    moment, force = so3.hat(wrench[:, :3]), so3.hat(wrench[:, 3:])
    found[:, :3, :3], found[:, :3, 3:], found[:, 3:, :3] = moment, force, force
    return found


def nearest(grid: Array, s: Array) -> Indices:
    """Number of the nearest arc length of a grid that grows."""
    after = np.clip(np.searchsorted(grid, s), 1, len(grid) - 1)
    return np.asarray(after - (s - grid[after - 1] < grid[after] - s))
