"""Rods that are welded to each other, end to end: they begin as if they were one.

Where two pieces of rods meet, and nothing else holds them there but bodies that they carry, one
goes on where the other ends, if their tangents are one line; they may run either way, and their
sections may be turned about it. So it does beyond a joint that may turn so that they are.
"""

from collections.abc import Sequence

import numpy as np

from flexura.lie import se3
from flexura.model.end import Clamp, End, Turned
from flexura.model.held import Held
from flexura.model.layout import Layout
from flexura.model.model import Model
from flexura.model.piece import Piece, Pieces
from flexura.model.pin import Pin
from flexura.model.topology import Passed, topology
from flexura.rods.joined import BACKWARDS, Run
from flexura.typing import Matrix, Pose

# Rods go on where tangents differ by no more than this [rad], and where the second one begins no
# further than this beside the first, over the length of a robot; it may begin this much further on.
ALIGNED, ON = 1e-6, 0.1


class Chains:
    """Finds what goes on beyond the ends of pieces of rods."""

    def __init__(self, model: Model, layout: Layout) -> None:
        """Look at a robot at some inputs."""
        self._layout, self._length, self._joints = layout, model.length, model.joints
        self._meets, self._pieces = model.once(topology), model.once(Pieces)

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
        own = self._at(node)
        return [x for x in self._meeting(own) if own >= 0 or x[0] == node]

    def jointed(self, end: int) -> tuple[int, int] | None:
        """The joint at an end of a piece that nothing else holds, and its node on the far side."""
        joint = self._meets.jointed.get(self._at(end))
        if joint is None:
            return None
        a, b = self._joints.nodes[joint].tolist()
        return joint, int(b if self._at(a) == self._at(end) else a)

    def over(self, joint: int, beyond: int) -> Passed | None:
        """The piece beyond a joint, passed from there on, if nothing else holds its beginning."""
        own = self._at(beyond)
        return self._meeting(own)[0] if self._meets.jointed.get(own) == joint else None

    def pin(self, joint: int, end: int, other: Pose) -> Pin:
        """A joint, seen from an end of a piece.

        Args:
            joint: its number.
            end: node of the piece.
            other: pose of the node on the other side of the joint.
        """
        offset = self._layout.offset
        (a, b), (T_a, T_b) = self._joints.nodes[joint].tolist(), self._joints.offset[joint]
        if self._at(a) == self._at(end):
            b, T_a, T_b = a, T_b, T_a
        free = np.eye(3)[~self._joints.held[joint, :3]]
        return Pin(other @ T_a, se3.inverse(offset[b] @ T_b) @ offset[end], free)

    def piece(self, passed: Passed) -> Piece:
        """The piece that is passed."""
        return self._pieces.between(min(passed), max(passed))

    def between(self, chain: Sequence[Passed], entered: End, left: End) -> Held:
        """A chain and what holds its ends; it runs forwards, as far as that is possible."""
        if sum(a < b for a, b in chain) * 2 < len(chain):
            chain, entered, left = [(b, a) for a, b in reversed(chain)], left, entered
        pieces = [self.piece(x) for x in chain]
        return Held.of(pieces, self._runs(chain, pieces), entered, left)

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
        own = self._at(b)
        if own not in self._meets.through:
            return None
        one, other = self._meeting(own)
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
        joint, before_it = self.jointed(after[0]) or (-1, -1)
        near = se3.inverse(end) @ offset[before_it]
        pin = Turned(self.pin(joint, after[0], near), _axes(after))
        return pin.aim(np.array([1.0, 0.0, 0.0]))

    def _meeting(self, coordinate: int) -> Sequence[Passed]:
        """The pieces that begin or end on a coordinate."""
        return self._meets.meeting.get(coordinate, ())

    def _at(self, node: int) -> int:
        """The coordinate that a node rides on."""
        return int(self._layout.coordinate[node])


def _axes(passed: Passed) -> Matrix:
    """Sections of a piece of a rod as it is passed."""
    return np.eye(3) if passed[0] < passed[1] else BACKWARDS
