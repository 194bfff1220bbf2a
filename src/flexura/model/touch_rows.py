"""Rows of contacts: how the residual changes with unit forces of pairs, ∂r/∂λ.

For a robot at rest they are -∂(gap)/∂q. In a step in time forces have the arms of the middle of its
arc (theory 20.5) where one side is fixed: rows are those of the work that they do, and differ from
-∂(gap)/∂q by half of what the step turns.
Where both sides move, rows are made of those of the frames that carry them, and so is what turns
with the normal: K + Bᵀ D B is the tangent, with the motions B of these frames and a small D.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError
from flexura.model.assemble import Assembly
from flexura.model.contact import NODE, PARTICLE
from flexura.model.room import ROOM
from flexura.model.touch import Touch
from flexura.typing import Array, Indices, Matrix, Twist, frozen

UNITS = frozen(np.eye(6))

Wrenches: TypeAlias = tuple[tuple[int, Array], ...]  # frames, and gradients in their axes

NOTHING = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
# Matrices as large as its compliance that a solve has at a time.
COPIES = 5


class TouchRows(NamedTuple):
    """Rows of the pairs that are near: one each, or three where it rubs.

    Attributes:
        pairs: which these are, (k,).
        axes: normal and two directions along the surface of each, (k, 3, 3).
        counts: how many rows it has, (k,).
        base: rows of pairs with one side, then motions of the frames of the others, (m, n_dof).
        made: all rows as combinations of these, (n, m).
        turning: what frames that move add to the tangent, by the last so many of the base, (l, l).
        wrenches: frames, and what acts on each, that the base are the rows of, for each row.
    """

    pairs: Indices
    axes: Array
    counts: Indices
    base: Matrix
    made: Matrix
    turning: Matrix
    wrenches: tuple[Wrenches, ...]

    def drifted(self, assembly: Assembly, touch: Touch, drifts: Sequence[Twist]) -> Matrix:
        """What the base does where inputs move nodes besides, k ways, (m, k).

        Args:
            assembly: where it was evaluated last.
            touch: what touches there.
            drifts: how nodes move, each (n_nodes, 6).
        """
        carrier, found = _Carrier(assembly, touch), np.zeros((len(self.base), len(drifts)))
        ways = np.reshape(drifts, (len(drifts), -1))
        for own, wrenches in zip(found, self.wrenches, strict=True):
            for frame, wrench in wrenches:
                own += ways @ carrier.forces(frame, wrench).ravel()
        return found


def touch_rows(assembly: Assembly, touch: Touch) -> TouchRows:
    """Rows of all pairs that are near, where the assembly was evaluated last."""
    pairs, forces = touch.near, touch.forces(assembly.state.multipliers)
    axes = _axes(touch, pairs)
    friction = touch.contacts.friction[pairs]
    counts = np.where(friction > 0.0, 3, 1)
    alone = touch.one_sided[pairs] | touch.bowed[pairs]
    turns = ~touch.one_sided[pairs] & (~alone | _presses(axes[:, 0], forces[pairs]))
    carrier = _Carrier(assembly, touch)
    singles = [
        _carried(touch.seen.who[c], wrench)
        for i, c in enumerate(pairs.tolist())
        if alone[i]
        for wrench in touch.unit_wrenches(c, axes[i, : counts[i]])
    ]
    places = _Places(touch, pairs[turns])
    wrenches = (*singles, *(((frame, UNITS[component]),) for frame, component in places.motions))
    _check_room(assembly, pairs, int(counts.sum()), len(wrenches))
    base = np.zeros((len(wrenches), assembly.layout.n_dof))
    for row, own_wrenches in zip(base, wrenches, strict=True):
        for frame, wrench in own_wrenches:
            carrier.carry(frame, wrench, row)
    made, turning = np.zeros((int(counts.sum()), len(base))), np.zeros((places.count,) * 2)
    at = single = 0
    for i, c in enumerate(pairs.tolist()):
        n = int(counts[i])
        own, kept = places.of(c) if turns[i] else NOTHING
        if alone[i]:
            made[range(at, at + n), range(single, single + n)] = 1.0
            single += n
        else:
            units = touch.unit_wrenches(c, axes[i, :n])[:, kept]
            for j, column in enumerate((len(singles) + own).tolist()):
                made[at : at + n, column] += units[:, j]
        force = forces[c] if friction[i] > 0.0 else (forces[c] @ axes[i, 0]) * axes[i, 0]
        if turns[i] and force @ axes[i, 0] > 0.0:
            local = touch.local_tangent(c, force)[np.ix_(kept, kept)]
            np.add.at(turning, (own[:, None], own[None, :]), local)
        at += n
    return TouchRows(pairs, axes, counts, base, made, turning, wrenches)


def _presses(normals: Array, forces: Array) -> NDArray[np.bool_]:
    """Which forces press, (n,)."""
    return np.asarray(np.einsum("ci,ci->c", normals, forces) > 0.0)


def _carried(who: Indices, wrench: Array) -> Wrenches:
    """What a pair does to the frames that it acts on, (24,)."""
    return tuple((k, wrench[6 * e : 6 * e + 6]) for e, k in enumerate(who.tolist()) if k >= 0)


def _check_room(assembly: Assembly, pairs: Indices, n: int, m: int) -> None:
    """Raise if n rows, made of a base of m, have no room: all matrices of contacts are dense."""
    size = 8.0 * (2.0 * (n + m) * assembly.layout.n_dof + n * m + COPIES * n**2)
    if size > ROOM:
        raise ModelError(
            f"{len(pairs)} places of {assembly.model.name!r} touch at once, or nearly: {n} rows of "
            f"{assembly.layout.n_dof} unknowns take {1e-9 * size:.3g} GB, and there is room for "
            f"{1e-9 * ROOM:.3g} GB; name fewer contacts, or take coarser rods and meshes"
        )


class _Places:
    """Motions of the frames of pairs: six each, or three of a particle.

    Attributes:
        motions: frame and component of each.
        count: of them.
    """

    def __init__(self, touch: Touch, pairs: Indices) -> None:
        own, self._who = touch.contacts, touch.seen.who
        frames = np.unique(self._who[pairs])
        frames = frames[frames >= 0]
        soft = own.n_frames - len(own.particles)
        self.motions: list[tuple[int, int]] = []
        self._first: dict[int, tuple[int, int]] = {}
        for k in frames.tolist():
            components = range(3 if k >= soft else 0, 6)
            self._first[k] = len(self.motions), components[0]
            self.motions += [(k, j) for j in components]
        self.count = len(self.motions)

    def of(self, pair: int) -> tuple[Indices, Indices]:
        """Places of the motions of a pair, and which of its 24 these are."""
        own: list[int] = []
        kept: list[int] = []
        for e, k in enumerate(self._who[pair].tolist()):
            if k >= 0:
                first, begin = self._first[k]
                own += range(first, first + 6 - begin)
                kept += range(6 * e + begin, 6 * e + 6)
        return np.array(own, dtype=np.int64), np.array(kept, dtype=np.int64)


def _axes(touch: Touch, pairs: Indices) -> Array:
    """Normal and two directions along the surface of pairs, (k, 3, 3)."""
    n = touch.normal[pairs]
    found = np.empty((len(pairs), 3, 3))
    if not len(pairs):
        return found
    least = np.eye(3)[np.argmin(np.abs(n), axis=1)]
    along = np.cross(n, least)
    found[:, 0] = n
    found[:, 1] = along / np.linalg.norm(along, axis=1)[:, None]
    found[:, 2] = np.cross(n, found[:, 1])
    return found


class _Carrier:
    """Carries wrenches on frames back to the unknowns."""

    def __init__(self, assembly: Assembly, touch: Touch) -> None:
        own, layout = touch.contacts, assembly.layout
        self._assembly, self._places = assembly, own.places
        self._force, self._rest = np.zeros((layout.n_nodes, 6)), np.zeros(layout.n_dof)
        self._soft = np.zeros((len(layout.particles), 3))
        self._inner = [np.zeros_like(part.inner) for part in assembly.parts]
        self._loose = layout.loose.tolist()
        for part in assembly.parts:
            part.changes.clear()

    def carry(self, frame: int, wrench: Array, row: Array) -> None:
        """Write the row of a wrench on a frame, a gradient in its axes."""
        self._assembly.layout.add_node_forces(self.forces(frame, wrench, row), row)

    def forces(self, frame: int, wrench: Array, row: Array | None = None) -> Array:
        """What a wrench on a frame is on the nodes, (n_nodes, 6); overwritten by the next.

        Args:
            frame: that it acts on.
            wrench: a gradient in its axes.
            row: what it is on unknowns besides is added there, if it is asked for, (n_dof,).
        """
        assembly, force = self._assembly, self._force
        force.fill(0.0)
        row = self._rest if row is None else row
        part, at = self._places[frame]
        if part == PARTICLE:
            self._soft[at] = wrench[3:]
            assembly.layout.particles.carry(assembly.nodes, self._soft, force, row)
            self._soft[at] = 0.0
            leads = -1
        elif part == NODE:
            force[at] = wrench
            leads = self._leads(at) if self._loose[at] else -1
        else:
            assembly.parts[part].changes.load[at] = wrench
            leads = part
        if leads >= 0:
            work = assembly.parts[leads]
            inner = self._inner[leads]
            work.part.group.carry_back(work.changes, force[work.part.nodes], inner, work.work)
            work.scatter_inner(inner, row)
            inner.fill(0.0)
        if part >= 0:
            assembly.parts[part].changes.load[at] = 0.0
        return force

    def _leads(self, node: int) -> int:
        """The part whose rod leads to a loose node."""
        for i, part in enumerate(self._assembly.parts):
            if part.part.nodes.start <= node < part.part.nodes.stop:
                return i
        return -1
