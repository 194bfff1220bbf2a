"""Loops whose rods inputs wind up: which rods and inputs they pass, and what these turn."""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from flexura.lie import se3
from flexura.model.grip import Grip, turned_on
from flexura.model.inputs import Inputs
from flexura.model.layout import OffsetFactor
from flexura.model.linked import Mover
from flexura.model.loop import Edge, Loop, Passage, loops, passages
from flexura.model.model import Model
from flexura.robot import Hinge, Motor, Rod, Slider, Weld
from flexura.typing import Array, Indices, Matrix, Pose, Rotation, Strain, frozen

# Each turn about an axis that is no further than 60 degrees from that of a rod is one of the rod:
# the axis can be turned into that of the rod, and the rod's end never looks the other way.
ALONG = 0.5
# Bent rods are straight pieces that turn by so much [rad]: they are beside the rod by a part 1/200
# of its radius, and rods as near as that to each other are one in the other.
FINE = 0.2
# Rods follow each other without a gap, and axes are equally far, up to this part of the length.
NEAR = 1e-9


class Piece(NamedTuple):
    """A piece of a rod that a loop passes.

    Attributes:
        rod: its rod.
        begin: arc length where the loop comes to it [m].
        end: where it leaves it.
        points: of it, among those of all parts.
        weight: of each [m].
    """

    rod: Rod
    begin: float
    end: float
    points: Indices
    weight: Array

    def places(self, strain: Strain) -> Array:
        """Arc lengths on the way along it, closer where it bends, by the strain of all parts."""
        bent = np.linalg.norm(strain[self.points, 1:3], axis=1) * self.weight
        bent += FINE * self.weight / self.weight.sum()  # one straight piece, at least
        turned, length = np.append(0.0, bent.cumsum()), np.append(0.0, self.weight.cumsum())
        even = np.linspace(0.0, turned[-1], 2 + int(turned[-1] / FINE))
        s = np.asarray(min(self.begin, self.end) + np.interp(even, turned, length))
        return s if self.begin < self.end else s[::-1]


# Rods that follow each other without a gap or a drive, each with the rotation that leads to it.
Block: TypeAlias = tuple[tuple[Rotation, Piece], ...]


class Drive(NamedTuple):
    """A driven hinge or motor that a loop passes.

    Attributes:
        joint: what is driven.
        place: of its angle among the inputs.
        sign: of the turn of what comes next on the way.
        node: a node that it moves in its body.
        beyond: factors of the offset of that node after its own.
        beside: nodes of the rods next to it, and 1 where the way goes along these, else -1.
    """

    joint: Hinge | Motor
    place: int
    sign: float
    node: int
    beyond: tuple[OffsetFactor, ...]
    beside: tuple[tuple[int, float], ...]

    def along(self, nodes: Pose, motions: Pose, length: float) -> float:
        """1 or -1 for its axis along or against the rod that it turns; 0 if it turns none.

        Of the rods before and after it, that nearest its axis: rods beside each other that look
        the same way are wound up by opposite turns.
        """
        frame = nodes[self.node]
        for factor in reversed(self.beyond):
            frame = frame @ se3.inverse(factor.at(motions))
        turn, shift = self.joint.screw[:3], self.joint.screw[3:]
        axis, point = frame[:3, :3] @ turn, frame[:3, :3] @ np.cross(turn, shift) + frame[:3, 3]
        own = list[tuple[float, float]]()
        for node, way in self.beside:
            cosine = way * float(nodes[node, :3, 0] @ axis)
            if abs(cosine) > ALONG:
                apart = np.linalg.norm(np.cross(axis, nodes[node, :3, 3] - point))
                own.append((float(apart), np.sign(cosine)))
        own.sort()
        if len(own) == 2 and own[0][1] != own[1][1] and own[1][0] - own[0][0] <= NEAR * length:
            return 0.0
        return own[0][1] if own else 0.0


class Winding(NamedTuple):
    """A loop whose rods drives and poses of welds wind up.

    Attributes:
        blocks: its rods.
        drives: joints and motors that turn them.
        grips: where poses of welds do.
        first: number of the first of these among those of all loops.
        points: of all of its rods.
        weight: what torsions there are multiplied by for turns [m].
        rest: turns of torsion of the unloaded rods.
    """

    blocks: tuple[Block, ...]
    drives: tuple[Drive, ...]
    grips: tuple[Grip, ...]
    first: int
    points: Indices
    weight: Array
    rest: float


def windings(model: Model) -> tuple[Winding, ...]:
    """The loops whose rods inputs wind up, and whose joints let nothing turn freely."""
    if all(isinstance(mover.joint, Slider) for mover in model.movers):
        return ()
    ways, found = _Ways(model), list[Winding]()
    for loop in model.once(loops):
        winding = ways.winding(loop, sum(len(own.grips) for own in found))
        if winding is not None:
            found.append(winding)
    return tuple(found)


def gripped_turns(model: Model, begin: Inputs, end: Inputs, before: Matrix | None) -> Matrix | None:
    """Turns that poses of welds have made, by loop (``turned_on``); None if none are counted.

    Args:
        model: the robot.
        begin: inputs before.
        end: inputs after.
        before: turns before; None if none were counted.
    """
    if before is None:
        return None
    own = [grip for winding in model.once(windings) for grip in winding.grips]
    return turned_on(model, own, begin, end, before)


def no_turns(model: Model) -> Matrix | None:
    """Those of the described robot, (n, 2); None if no poses wind up a loop."""
    grips = sum(len(own.grips) for own in model.once(windings))
    return frozen(np.zeros((grips, 2))) if grips else None


class _Ways:
    """Ways along rods, and across what is between them."""

    def __init__(self, model: Model) -> None:
        self._model = model
        sets = {place.set for place in model.tubes.values()}
        first = np.cumsum([0, *(len(part.group.points.s) for part in model.parts)])
        self._rods = {name: first[place.part] for name, place in model.places.items()}
        self._at: dict[int, tuple[str, float]] = {}
        for name, place in model.places.items():
            if name not in sets:
                nodes, group = model.rod_nodes(place), model.parts[place.part].group
                lengths = group.node_lengths(place.index).tolist()
                for node, s in zip(range(nodes.start, nodes.stop), lengths, strict=True):
                    self._at[node] = name, s
        firm = np.flatnonzero(model.joints.held[:, :3].all(axis=1))
        self._firm = {frozenset(pair) for pair in model.joints.nodes[firm].tolist()}

    def winding(self, loop: Loop, first: int) -> Winding | None:
        """What winds up a loop; None if nothing does, or if something in it turns freely.

        Args:
            loop: the way.
            first: number of its first grip.
        """
        passed = [(own, self._model.movers[own.mover]) for own in passages(self._model, loop)]
        drives = [
            self._drive(own, mover.joint, mover.place)
            for own, mover in passed
            if isinstance(mover.joint, Hinge | Motor)
        ]
        grips = self._grips(passed)
        if not (drives or grips) or not all(self._holds(edge) for edge in loop.edges()):
            return None
        blocks = self._blocks(
            loop, {own.come for own, mover in passed if not isinstance(mover.joint, Slider)}
        )
        if not blocks:
            return None
        pieces = [piece for block in blocks for _, piece in block]
        points = np.concatenate([piece.points for piece in pieces])
        weight = np.concatenate([piece.weight for piece in pieces]) / (2.0 * np.pi)
        strain = np.concatenate([part.rest_strain[:, 0] for part in self._model.parts])
        return Winding(
            blocks,
            tuple(drives),
            grips,
            first,
            frozen(points),
            frozen(weight),
            float(weight @ strain[points]),
        )

    def _holds(self, edge: Edge) -> bool:
        """Whether an edge holds turns, and is no tube of a set."""
        return edge.near in self._at if edge.rod else frozenset((edge.near, edge.far)) in self._firm

    def _grips(self, passed: Sequence[tuple[Passage, Mover]]) -> tuple[Grip, ...]:
        """Where a loop passes poses of welds, node by node that they move."""
        each = dict[tuple[Edge, Edge, int], list[tuple[int, Mover]]]()
        for own, mover in passed:
            each.setdefault((own.come, own.leave, own.node), []).append((own.mover, mover))
        found = list[Grip]()
        for (come, leave, node), movers in each.items():
            poses = {x.joint.label: i for i, x in movers if isinstance(x.joint, Weld)}
            if poses:
                turns = any(isinstance(x.joint, Hinge | Motor) for _, x in movers)
                found.append(self._grip(poses, come, leave, node == come.far, turns))
        return tuple(found)

    def _grip(
        self, poses: dict[str, int], come: Edge, leave: Edge, comes: bool, turns: bool
    ) -> Grip:
        """What poses turn at one of the nodes by which a loop comes to a body and leaves it.

        Args:
            poses: names of their welds, and numbers among the inputs.
            come: edge by which the loop comes.
            leave: that by which it leaves.
            comes: whether they move the node by which it comes.
            turns: whether joints may turn that node, too.
        """
        names, numbers = tuple(sorted(poses)), tuple(poses.values())
        ends = [(come, self._offset(come.far), 1.0), (leave, self._offset(leave.near), -1.0)]
        (edge, own, side), (beyond, other, _) = ends if comes else reversed(ends)
        if turns or not (edge.rod or beyond.rod) or self._folds(come, leave):
            return Grip(names, numbers, (), own, 0.0)
        if edge.rod:
            return Grip(names, numbers, (), own, side * _way(edge))
        return Grip(names, numbers, own, other, -side * _way(beyond))

    def _folds(self, come: Edge, leave: Edge) -> bool:
        """Whether a loop goes back where it has come, along a rod on the same line."""
        if not (come.rod and leave.rod):
            return False
        here, there = self._model.layout.offset[[come.far, leave.near]]
        back = _way(come) * _way(leave) * float(here[:3, 0] @ there[:3, 0]) < -ALONG
        apart = np.cross(here[:3, 0], there[:3, 3] - here[:3, 3])
        return back and bool(np.linalg.norm(apart) <= NEAR * self._model.length)

    def _offset(self, node: int) -> tuple[OffsetFactor, ...]:
        """Factors of the pose of a node in its body."""
        layout = self._model.layout
        return dict(layout.moving).get(node, (OffsetFactor(layout.offset[node]),))

    def _drive(self, passage: Passage, joint: Hinge | Motor, place: int) -> Drive:
        ends = (passage.come.far, passage.come), (passage.leave.near, passage.leave)
        beside = tuple((node, _way(e)) for node, e in ends if e.rod)
        return Drive(joint, place, passage.sign, passage.node, passage.beyond, beside)

    def _blocks(self, loop: Loop, driven: set[Edge]) -> tuple[Block, ...]:
        """Rods of a loop that follow each other.

        They begin where the loop is driven, wherever the walk has found it open.

        Args:
            loop: the way.
            driven: edges after which it is.
        """
        edges = loop.edges()
        first = next(i for i, edge in enumerate(edges, 1) if edge in driven)
        edges = (*edges[first:], *edges[:first])
        blocks, turn, model = [list[tuple[Rotation, Piece]]()], np.eye(3), self._model
        for edge, after in zip(edges, (*edges[1:], edges[0]), strict=True):
            if edge.rod:
                blocks[-1].append((turn, self._piece(edge)))
            offset = model.layout.offset[[edge.far, after.near]]
            step = se3.inverse(offset[0]) @ offset[1]
            turn, apart = step[:3, :3], float(np.linalg.norm(step[:3, 3]))
            if edge in driven or not (edge.rod and after.rod and apart <= NEAR * model.length):
                blocks.append([])
                turn = np.eye(3)
        return tuple(tuple(block) for block in blocks if block)

    def _piece(self, edge: Edge) -> Piece:
        rod, begin = self._at[edge.near]
        end, place = self._at[edge.far][1], self._model.places[rod]
        own = self._model.parts[place.part].group.points
        near, stop = np.searchsorted(own.rod, [place.index, place.index + 1])
        inside = (own.s[near:stop] - begin) * (own.s[near:stop] - end) < 0.0
        here = near + np.flatnonzero(inside)
        return Piece(place.rod, begin, end, self._rods[rod] + here, own.weight[here])


def _way(edge: Edge) -> float:
    """1 where a way goes along a rod, else -1."""
    return float(np.sign(edge.far - edge.near))
