"""Rods that are welded to each other, end to end: they begin as if they were one.

Where two pieces of rods meet, and nothing else holds them there but bodies that they carry, one
goes on where the other ends, if their tangents are one line; they may run either way, and their
sections may be turned about it. So it does beyond a joint that may turn so that they are.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np

from flexura.lie import se3
from flexura.model.bar import Bar
from flexura.model.end import Clamp, End, Turned
from flexura.model.held import Held
from flexura.model.layout import Layout
from flexura.model.model import Model
from flexura.model.piece import Piece, Pieces
from flexura.model.pin import Pin
from flexura.model.start_load import Forces
from flexura.model.walk import BY_JOINT
from flexura.rods.joined import BACKWARDS, Run
from flexura.typing import Matrix, Pose, Vector

# Rods go on where tangents differ by no more than this [rad], and where the second one begins no
# further than this beside the first, over the length of a robot; it may begin this much further on.
ALIGNED, ON = 1e-6, 0.1

# A piece of a rod and the way in which it is passed: the node where it is entered, and the other.
Passed = tuple[int, int]


class Chains:
    """Finds what goes on beyond the ends of pieces of rods."""

    def __init__(self, model: Model, layout: Layout) -> None:
        """Look at a robot at some inputs."""
        self._layout, self._length, self._pieces = layout, model.length, Pieces(model)
        self._joints = model.joints
        self._meeting: dict[int, list[Passed]] = defaultdict(list)
        jointed = layout.coordinate[model.joints.nodes].ravel().tolist()
        others = set(layout.coordinate[np.unique(layout.particles.node)].tolist())
        others |= {int(layout.coordinate[first]) for first, _ in layout.floats}
        other = others | set(jointed)
        passed = [(int(a), int(b)) for a, b in layout.closing]
        for near, far, way in layout.walk.tolist():
            if way == BY_JOINT:
                other |= {int(layout.coordinate[near]), int(layout.coordinate[far])}
            else:
                passed.append((near, far))
        for a, b in passed:
            self._meeting[int(layout.coordinate[a])].append((a, b))
            self._meeting[int(layout.coordinate[b])].append((b, a))
        self._through = {
            c for c, pieces in self._meeting.items() if len(pieces) == 2 and c not in other | {-1}
        }
        single = {c for c, count in Counter(jointed).items() if count == 1} - others - {-1}
        self._jointed = {
            c: number // 2
            for number, c in enumerate(jointed)
            if c in single and len(self._meeting[c]) == 1
        }
        twice = {c for c, count in Counter(jointed).items() if count == 2} - others - {-1}
        self._bodies = {c: list[int]() for c in twice if not self._meeting[c]}
        for number, c in enumerate(jointed):
            if c in self._bodies:
                self._bodies[c].append(number // 2)

    def along(self, a: int, b: int) -> list[Passed]:
        """The chain that a piece of a rod belongs to, which is passed from a to b."""
        known = {frozenset((a, b))}
        after, before = [(a, b)], [(b, a)]
        for found in (after, before):
            while (further := self._beyond(*found[-1])) and frozenset(further) not in known:
                known.add(frozenset(further))
                found.append(further)
        return [(b, a) for a, b in reversed(before[1:])] + after

    def beginning(self, node: int) -> list[Passed]:
        """The pieces that begin or end on what a node is on, each passed from there on."""
        own = int(self._layout.coordinate[node])
        return [x for x in self._meeting[own] if own >= 0 or x[0] == node]

    def jointed(self, end: int) -> tuple[int, int] | None:
        """The joint at an end of a piece that nothing else holds, and its node on the far side."""
        joint = self._jointed.get(int(self._layout.coordinate[end]))
        if joint is None:
            return None
        a, b = self._joints.nodes[joint].tolist()
        here = self._layout.coordinate[a] == self._layout.coordinate[end]
        return joint, int(b if here else a)

    def over(self, joint: int, beyond: int) -> Passed | None:
        """The piece beyond a joint, passed from there on, if nothing else holds its beginning."""
        own = int(self._layout.coordinate[beyond])
        return self._meeting[own][0] if self._jointed.get(own) == joint else None

    def bar(self, joint: int, beyond: int) -> Bar | None:
        """The body beyond a joint, if that and another joint are all that holds it."""
        own = int(self._layout.coordinate[beyond])
        joints = self._bodies.get(own, [])
        if joint not in joints or joints[0] == joints[1]:
            return None
        other = joints[1 - joints.index(joint)]
        here, there = (self._side(x, own) for x in (joint, other))
        places = [
            (self._layout.offset[self._joints.nodes[x, k]] @ self._joints.offset[x, k])[:3, 3]
            for x, k in ((joint, here), (other, there))
        ]
        return Bar(own, places[0], places[1], other, int(self._joints.nodes[other, 1 - there]))

    def _side(self, joint: int, own: int) -> int:
        """Which of its nodes a joint has on a coordinate."""
        return int(self._layout.coordinate[self._joints.nodes[joint, 0]] != own)

    def pin(self, joint: int, end: int, other: Pose) -> Pin:
        """A joint, seen from an end of a piece.

        Args:
            joint: its number.
            end: node of the piece.
            other: pose of what holds the node on the other side of the joint.
        """
        coordinate, offset = self._layout.coordinate, self._layout.offset
        (a, b), (T_a, T_b) = self._joints.nodes[joint], self._joints.offset[joint]
        if coordinate[a] == coordinate[end]:
            (a, T_a), (b, T_b) = (b, T_b), (a, T_a)
        free = np.eye(3)[~self._joints.held[joint, :3]]
        at = se3.inverse(offset[b] @ T_b) @ offset[end]
        return Pin(other @ offset[a] @ T_a, at, free)

    def between(self, chain: Sequence[Passed], entered: End, left: End) -> Held:
        """A chain and what holds its ends; it runs forwards, as far as that is possible."""
        if sum(a < b for a, b in chain) * 2 < len(chain):
            chain, entered, left = [(b, a) for a, b in reversed(chain)], left, entered
        pieces = [self._pieces.between(min(x), max(x)) for x in chain]
        return Held.of(pieces, self._runs(chain, pieces), entered, left)

    def carried(self, chain: Sequence[Passed], forces: Forces) -> tuple[Vector, float]:
        """What acts on nodes that a chain passes [N], and where, over its length, from its first.

        Forces on what both its neighbours ride on are on the one that is on the way before it.
        """
        begin, total, moment, size = 0.0, np.zeros(3), 0.0, 0.0
        for a, b in chain:
            piece = self._pieces.between(min(a, b), max(a, b))
            own = self._layout.coordinate[piece.first : piece.last + 1]
            s = piece.s - piece.s[0]
            s = begin + (s if a < b else piece.rod.length - s)
            begin += piece.rod.length
            passed = own == self._layout.coordinate[a]
            for coordinate in {int(c) for c in own[~passed]} - {-1}:
                force, _ = forces.on(coordinate)
                pull = float(np.linalg.norm(force))
                total = total + force
                moment, size = moment + pull * float(s[own == coordinate].mean()), size + pull
        first = int(self._layout.coordinate[chain[0][0]])
        if first >= 0:
            force, _ = forces.on(first)
            total, size = total + force, size + float(np.linalg.norm(force))
        return total, moment / (size * begin) if size > 0.0 else 0.5

    def clamped(self, chain: Sequence[Passed], nodes: Pose) -> Held:
        """A chain between two ends that are where nodes have them."""
        entered, left = (self._clamp(node, nodes) for node in (chain[0][0], chain[-1][1]))
        return self.between(chain, entered, left)

    def _clamp(self, node: int, nodes: Pose) -> Clamp:
        """What holds a node where it is."""
        free = self._layout.coordinate[node] >= 0 or self._layout.loose[node]
        return Clamp(nodes[node], fixed=not free)

    def _runs(self, chain: Sequence[Passed], pieces: Sequence[Piece]) -> list[Run]:
        """How pieces lie on the way along all of them."""
        found, begin, roll = list[Run](), 0.0, np.eye(3)
        for k, (passed, piece) in enumerate(zip(chain, pieces, strict=True)):
            if k:
                ahead = self._step(chain[k - 1], passed)
                begin, roll = begin + float(ahead[0, 3]), roll @ ahead[:3, :3]
            found.append(Run(piece.rod, begin, roll @ _axes(passed)))
            begin += piece.rod.length
        return found

    def _beyond(self, a: int, b: int) -> Passed | None:
        """The piece that goes on where another one ends, passed from a to b; None if none does."""
        own = int(self._layout.coordinate[b])
        if own not in self._through:
            return None
        one, other = self._meeting[own]
        further = other if frozenset(one) == frozenset((a, b)) else one
        return further if self.goes_on((a, b), further) else None

    def goes_on(self, before: Passed, after: Passed) -> bool:
        """Whether a piece goes on where another one ends, or would where a joint has turned."""
        step = self._step(before, after)
        beside = max(abs(float(x)) for x in step[1:3, 3])
        aligned = float(np.linalg.norm(step[1:3, 0])) < ALIGNED and step[0, 0] > 0.0
        on = -ALIGNED * self._length <= step[0, 3] <= ON * self._length
        return aligned and on and beside < ALIGNED * self._length

    def _step(self, before: Passed, after: Passed) -> Pose:
        """Pose of the beginning of a piece in the end of the one before it, both as passed."""
        offset, coordinate = self._layout.offset, self._layout.coordinate
        end, begin = offset[before[1]].copy(), offset[after[0]].copy()
        end[:3, :3] = end[:3, :3] @ _axes(before).T
        begin[:3, :3] = begin[:3, :3] @ _axes(after).T
        if coordinate[before[1]] == coordinate[after[0]]:
            return np.asarray(se3.inverse(end) @ begin)
        joint = self._jointed[int(coordinate[after[0]])]
        pin = Turned(self.pin(joint, after[0], se3.inverse(end)), _axes(after))
        return pin.aim(np.array([1.0, 0.0, 0.0]))


def _axes(passed: Passed) -> Matrix:
    """Sections of a piece of a rod as it is passed."""
    return np.eye(3) if passed[0] < passed[1] else BACKWARDS
