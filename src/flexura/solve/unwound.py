"""Turns that rods have lost: what drives have wound them up by, against what they still hold.

A rod that may bend lets go of torsion: it forms a loop, and where that is pulled over one of its
ends, or through the rod itself, two turns are gone. Energy falls on that way, so that it is open to
all that goes downhill, and what is left is an equilibrium like any other.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array, lil_array

from flexura.lie import se3
from flexura.model.layout import OffsetFactor
from flexura.model.loop import Edge, Loop, loops
from flexura.model.model import Model
from flexura.result.static import StaticResult
from flexura.robot import Hinge, Motor
from flexura.solve.writhe import writhe
from flexura.text import counted
from flexura.typing import Array, frozen

UNWOUND = (
    "rods have lost {} of those that they were wound up by: loops were pulled over their ends, or "
    "through rods, on the way here"
)
# Turns go by two. Where ends are held leaves up to half a turn open, and a loop that is not pulled
# over yet up to one.
PAIR, LOST = 2, 1.5
# Axes whose cosine with that of a rod is more than this are its own: about half a degree.
ALONG = 1.0 - 4e-5
# Places along a rod, at least, and for each point where its strain is known.
PLACES, PER_POINT = 32, 2
# Unloaded rods turn by no more than this from place to place [rad].
FINE = 0.25


class _Piece(NamedTuple):
    """A piece of a rod that a loop passes, from an arc length to another one [m]."""

    rod: str
    begin: float
    end: float


class _Drive(NamedTuple):
    """A driven hinge or motor that a loop passes.

    Attributes:
        place: of its angle among the inputs.
        axis: of it, in its own frame.
        node: a node that it moves in its body.
        after: factors of the offset of that node beyond its own.
        sign: of the turn of what comes next on the way.
        beside: nodes of the rods next to it, and 1 where the way goes along these, else -1.
    """

    place: int
    axis: Array
    node: int
    after: tuple[OffsetFactor, ...]
    sign: float
    beside: tuple[tuple[int, float], ...]


class _Winding(NamedTuple):
    """A loop whose rods drives wind up.

    Attributes:
        pieces: the rods along the loop, from the world on.
        drives: what turns them.
        rest: turns that unloaded rods hold.
    """

    pieces: tuple[_Piece, ...]
    drives: tuple[_Drive, ...]
    rest: float


class _Windings(NamedTuple):
    """All of them.

    Attributes:
        each: one by one.
        torsion: what torsions at the points of all parts are multiplied by for the turns that they
            hold, (n, n_points).
        rest: turns that those of unloaded rods hold, (n,).
        turns: what inputs are multiplied by for the turns that drives may ask for, (n, n_values).
    """

    each: tuple[_Winding, ...]
    torsion: csr_array
    rest: Array
    turns: csr_array


def told_if_unwound(found: StaticResult) -> StaticResult:
    """The same, and how many turns its rods have lost, if any."""
    known, strains = found.model.once(_windings), found.evaluation.strains
    if known is None or not found.status.equilibrium or strains is None:
        return found
    torsion = known.torsion @ np.concatenate([strain[:, 0] for strain in strains]) - known.rest
    suspected = np.abs(torsion) + known.turns @ np.abs(found.given.values) >= LOST
    pairs = zip(known.each, torsion.tolist(), suspected, strict=True)
    lost = max((_lost(found, own, held) for own, held, suspect in pairs if suspect), default=0)
    if not lost:
        return found
    return replace(found, remarks=(*found.remarks, UNWOUND.format(counted(lost, "turn"))))


def _lost(found: StaticResult, winding: _Winding, torsion: float) -> int:
    """Whole turns that rods were wound up by, and that neither their torsion nor shape holds."""
    asked = _asked(found, winding.drives)
    if asked is None or not (by_torsion := _pairs(asked - torsion)):
        return 0
    held = turns_held([_curve(found, piece) for piece in winding.pieces])
    return PAIR * min(by_torsion, _pairs(asked - held + winding.rest))


def _pairs(missing: float) -> int:
    """Pairs of turns that are missing for sure."""
    return int((abs(missing) + PAIR - LOST) // PAIR)


def _asked(found: StaticResult, drives: tuple[_Drive, ...]) -> float | None:
    """Turns that drives ask for, about the axes of rods; None if they turn far about others."""
    nodes, motions, turns = found.evaluation.nodes, found.model.motions(found.given), 0.0
    for drive in drives:
        turn = drive.sign * float(found.given.values[drive.place]) / (2.0 * np.pi)
        axis = drive.axis
        for factor in drive.after:
            axis = factor.at(motions)[:3, :3].T @ axis
        axis = nodes[drive.node, :3, :3] @ axis
        along = [way * float(nodes[node, :3, 0] @ axis) for node, way in drive.beside]
        own = [round(x) for x in along if abs(x) > ALONG]
        if own:
            turns -= turn * own[0]
        elif abs(turn) > 0.5:
            return None
    return turns


def _curve(found: StaticResult, piece: _Piece) -> tuple[Array, float]:
    """Places along a piece, and the angle by which it is twisted [rad]."""
    place = found.model.places[piece.rod]
    points = int(np.count_nonzero(found.model.parts[place.part].group.points.rod == place.index))
    s = np.linspace(piece.begin, piece.end, max(PLACES, PER_POINT * points) + 1)
    torsion = found.curvature(piece.rod, 0.5 * (s[1:] + s[:-1]))[:, 0]
    return found.pose(piece.rod, s)[:, :3, 3], float(torsion @ np.abs(np.diff(s)))


def turns_held(curves: Sequence[tuple[Array, float]]) -> float:
    """Twist and writhe of rods one after the other, in turns.

        Tw + Wr,    Wr = 1/4π ∬ (t(s) × t(s')) · (x(s) - x(s')) / |x(s) - x(s')|³ ds ds'

    which changes with what the ends do only, until a curve passes through itself [Fuller1971].

    Args:
        curves: of each rod, places along it (n, 3), and the angle by which it is twisted [rad].
    """
    twist = sum(angle for _, angle in curves) / (2.0 * np.pi)
    return twist + writhe(np.concatenate([places for places, _ in curves]))


def _windings(model: Model) -> _Windings | None:
    """The loops whose rods drives wind up, and whose joints let nothing turn freely, if any."""
    if model.tubes or not any(isinstance(mover.joint, Hinge | Motor) for mover in model.movers):
        return None
    ways = _Ways(model)
    found = (ways.winding(loop) for loop in loops(model))
    each = tuple(winding for winding in found if winding is not None)
    if not each:
        return None
    points = [part.group.points for part in model.parts]
    first = np.cumsum([0, *(len(own.s) for own in points)])
    torsion = lil_array((len(each), first[-1]))
    turns = lil_array((len(each), len(model.inputs.described.values)))
    for i, winding in enumerate(each):
        for piece in winding.pieces:
            place = model.places[piece.rod]
            own, begin = points[place.part], first[place.part]
            inside = (own.s - piece.begin) * (own.s - piece.end) < 0.0
            (there,) = np.nonzero(inside & (own.rod == place.index))
            torsion[i, begin + there] = own.weight[there] / (2.0 * np.pi)
        turns[i, [drive.place for drive in winding.drives]] = 0.5 / np.pi
    weight = csr_array(torsion)
    rest = weight @ np.concatenate([part.rest_strain[:, 0] for part in model.parts])
    return _Windings(each, weight, frozen(rest), csr_array(turns))


class _Ways:
    """Ways along rods, and across what is between them."""

    def __init__(self, model: Model) -> None:
        self._model, self._moving = model, dict(model.layout.moving)
        self._at: dict[int, tuple[str, float]] = {}
        for name, place in model.places.items():
            nodes, group = model.rod_nodes(place), model.parts[place.part].group
            lengths = group.node_lengths(place.index).tolist()
            for node, s in zip(range(nodes.start, nodes.stop), lengths, strict=True):
                self._at[node] = name, s
        firm = np.flatnonzero(model.joints.held[:, :3].all(axis=1))
        self._firm = {frozenset(pair) for pair in model.joints.nodes[firm].tolist()}

    def winding(self, loop: Loop) -> _Winding | None:
        """What winds up a loop; None if nothing does, or if something in it turns freely."""
        joints = [edge for edge in loop.edges if not edge.rod]
        if any(frozenset((edge.near, edge.far)) not in self._firm for edge in joints):
            return None
        pieces = [self._piece(edge) for edge in self._from_the_world(loop) if edge.rod]
        drives = [drive for come, leave in loop.bodies() for drive in self._drives(come, leave)]
        if not (pieces and drives):
            return None
        rest = sum(turns_held([self._at_rest(piece)]) for piece in pieces)
        return _Winding(tuple(pieces), tuple(drives), rest)

    def _from_the_world(self, loop: Loop) -> tuple[Edge, ...]:
        """The edges, beginning where they leave the world, if they do."""
        on = self._model.layout.coordinate
        first = next((i for i, edge in enumerate(loop.edges) if on[edge.near] < 0), 0)
        return (*loop.edges[first:], *loop.edges[:first])

    def _piece(self, edge: Edge) -> _Piece:
        rod, begin = self._at[edge.near]
        return _Piece(rod, begin, self._at[edge.far][1])

    def _drives(self, come: Edge, leave: Edge) -> list[_Drive]:
        """What turns the nodes of a body by which a loop comes and leaves against each other."""
        ends = (come.far, -1.0, come), (leave.near, 1.0, leave)
        beside = tuple((node, np.sign(e.far - e.near)) for node, _, e in ends if e.rod)
        found: dict[int, list[_Drive]] = {}
        for node, sign, _ in ends:
            factors = self._moving.get(node, ())
            for i, factor in enumerate(factors):
                mover = None if factor.pose is not None else self._model.movers[factor.motion]
                if mover is not None and isinstance(mover.joint, Hinge | Motor):
                    after, way = factors[i + 1 :], sign if factor.forward else -sign
                    axis = mover.joint.screw[:3]
                    drive = _Drive(mover.place, axis, node, after, way, beside)
                    found.setdefault(factor.motion, []).append(drive)
        # what moves both of them turns neither against the other
        return [drives[0] for drives in found.values() if len(drives) == 1]

    def _at_rest(self, piece: _Piece) -> tuple[Array, float]:
        """Places along an unloaded piece, and its twist."""
        rest = self._model.places[piece.rod].rod.rest_strain
        s = np.linspace(piece.begin, piece.end, PLACES + 1)
        bent = np.linalg.norm(rest(s)[:, :3], axis=1).mean() * abs(piece.end - piece.begin)
        s = np.linspace(piece.begin, piece.end, PLACES + int(bent / FINE) + 1)
        strain = rest(0.5 * (s[1:] + s[:-1]))
        poses = [np.eye(4)]
        for step in se3.exp(strain * np.diff(s)[:, None]):
            poses.append(poses[-1] @ step)
        return np.array(poses)[:, :3, 3], float(strain[:, 0] @ np.abs(np.diff(s)))
