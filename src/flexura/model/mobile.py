"""Mobiles: all that hangs on one joint that turns, a tree of rods and bodies.

They begin as they will hang by forces that do not turn with them. What pulls at every place, all
that is beyond it, is known then: limp rods lie along that, bodies and stiff rods turn until nothing
turns them further; but not where something may be in the way, nor where constraints may hold them.
"""

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from flexura.lie import se3
from flexura.model.chain import Chains
from flexura.model.dangling import Dangling
from flexura.model.end import Clamp
from flexura.model.held import Bent, Held
from flexura.model.inputs import Inputs
from flexura.model.layout import Layout
from flexura.model.model import Model
from flexura.model.start_load import Forces, forces_on_nodes, mean_loads
from flexura.model.topology import Passed
from flexura.model.turning import Rigid, let_hang
from flexura.model.walk import BY_JOINT
from flexura.robot.bending import bending
from flexura.rods.dangling import is_limp
from flexura.typing import Array, Pose, Vector

# Axes about which a ball turns.
BALL = 3


@dataclass(eq=False)
class Link:
    """What leads from one coordinate of a mobile to the next one.

    Attributes:
        near, far: the nodes at its ends.
        joint: its number; -1 for rods.
        chain: pieces of rods from one end to the other; none for a joint.
        held: these pieces.
        load: on each meter of them [N/m].
        inside: forces on nodes between their ends, with their places at first [N, m].
        end: force at its far end [N].
    """

    near: int
    far: int
    joint: int
    chain: Sequence[Passed] = ()
    held: Held | None = None
    load: Vector = field(default_factory=lambda: np.zeros(3))
    inside: list[tuple[Vector, Vector]] = field(default_factory=list)
    end: Vector = field(default_factory=lambda: np.zeros(3))

    @property
    def along(self) -> Vector:
        """What acts along it, but not at its ends [N]."""
        length = 0.0 if self.held is None else self.held.rod.length
        return np.asarray(self.load * length + sum((f for f, _ in self.inside), np.zeros(3)))

    @property
    def pull(self) -> Vector:
        """What pulls at its near end [N]."""
        return np.asarray(self.end + self.along)

    @property
    def limp(self) -> bool:
        """Whether it lies along what pulls at it."""
        return self.held is not None and is_limp(self.held.rod, self.pull)

    @property
    def from_base(self) -> bool:
        """Whether its near end is the base of all its pieces, which lie forwards if they can."""
        return 2 * sum(a < b for a, b in self.chain) >= len(self.chain)


@dataclass(eq=False)
class HungTree:
    """How a mobile hangs.

    Attributes:
        poses: of coordinates.
        bent: its limp rods.
    """

    poses: list[tuple[int, Pose]] = field(default_factory=list)
    bent: list[Bent] = field(default_factory=list)


class Mobiles:
    """Finds the mobiles of a robot and lets them hang."""

    def __init__(
        self, model: Model, layout: Layout, poses: Pose, nodes: Pose, inputs: Inputs
    ) -> None:
        """Look at a robot.

        Args:
            model: the robot.
            layout: at the inputs of the start.
            poses: of its coordinates.
            nodes: of its nodes, also of loose ones.
            inputs: with the loads that will act.
        """
        self._model, self._layout, self._joints = model, layout, model.joints
        self._poses, self._nodes, self._inputs = poses, nodes, inputs
        self._motion: dict[int, Pose] = {}
        self._number = {
            frozenset(pair): joint for joint, pair in enumerate(self._joints.nodes.tolist())
        }

    @cached_property
    def _chains(self) -> Chains:
        """Finds what rods are one."""
        return Chains(self._model, self._layout)

    def hung(self) -> Iterator[HungTree]:
        """Each mobile, as it hangs."""
        found = list(self._found())
        if not found:
            return
        forces = forces_on_nodes(self._model, self._layout, self._inputs)
        held = [link.held for own in found for link in own if link.held is not None]
        loads = mean_loads(self._model, self._layout, self._nodes, held, self._inputs)
        rods = (link for own in found for link in own if link.held is not None)
        for link, load in zip(rods, loads, strict=True):
            link.load = load
        for own in found:
            self._load(own, forces)
            if any(link.pull.any() for link in own):
                yield self._hang(own)

    def _found(self) -> Iterator[list[Link]]:
        """The links of each mobile, the joint that it hangs on first, each after its near end."""
        layout, walk = self._layout, self._layout.walk.tolist()
        bound = self._bound()
        own, at = list[list[Link]](), dict[int, list[Link]]()
        for near, far, way in walk:
            here, there = int(layout.coordinate[near]), int(layout.coordinate[far])
            if way == BY_JOINT:
                link = Link(near, far, self._number[frozenset((near, far))])
                if here in at:
                    at[here].append(link)
                    at[there] = at[here]
                elif there not in bound and self._axes(link.joint):
                    at[there] = [link]
                    own.append(at[there])
            elif here in at:
                chain = self._chains.along(near, far)
                if chain[0] != (near, far):
                    chain = [(near, far)]
                last = chain[-1][1]
                ends = Clamp(self._nodes[near]), Clamp(self._nodes[last])
                held = self._chains.between(chain, *ends)
                at[here].append(Link(near, last, -1, chain, held))
                if (there := int(layout.coordinate[last])) >= 0:
                    at[there] = at[here]
        yield from own

    def _bound(self) -> set[int]:
        """Coordinates that something holds besides what leads there, and those on the way there."""
        layout, walk = self._layout, self._layout.walk.tolist()
        passed = {frozenset(step[:2]) for step in walk if step[2] == BY_JOINT}
        held, joints = layout.closing.ravel().tolist(), self._joints.nodes.tolist()
        for joint, pair in enumerate(joints):
            if (own := frozenset(pair)) not in passed or self._number[own] != joint:
                held += pair
        held += np.unique(layout.particles.node).tolist()
        found = {int(layout.coordinate[node]) for node in held}
        found |= {int(c) for _, own in layout.floats for c in own}
        for near, far, _ in reversed(walk):
            if int(layout.coordinate[far]) in found - {-1}:
                found.add(int(layout.coordinate[near]))
        return found

    def _axes(self, joint: int) -> int:
        """About how many axes a joint turns; none if it slides, or if it is none."""
        held = self._joints.held[joint]
        return int((~held[:3]).sum()) if held[3:].all() else 0

    def _load(self, links: Sequence[Link], forces: Forces) -> None:
        """Find what pulls at the far ends of links, and along them, in place."""
        layout = self._layout
        acting = defaultdict(list)
        for coordinate, node, force, place in zip(*forces, strict=True):
            pose = self._poses[coordinate] if coordinate >= 0 else self._nodes[node]
            key = int(coordinate) if coordinate >= 0 else -1 - int(node)
            acting[key].append((force, pose[:3, :3] @ place + pose[:3, 3]))
        self._acting = acting
        beyond: dict[int, Vector] = defaultdict(lambda: np.zeros(3))
        for link in reversed(links):
            there = int(layout.coordinate[link.far])
            key = there if there >= 0 else -1 - link.far
            link.end = beyond[key] + sum((f for f, _ in acting[key]), np.zeros(3))
            link.inside = [x for c in self._inside(link) for x in acting[c]]
            beyond[int(layout.coordinate[link.near])] += link.pull

    def _inside(self, link: Link) -> list[int]:
        """The coordinates of a link between its ends."""
        coordinate = self._layout.coordinate
        ends = {int(coordinate[link.near]), int(coordinate[link.far]), -1}
        own = {int(c) for a, b in link.chain for c in coordinate[min(a, b) : max(a, b) + 1]}
        return sorted(own - ends)

    def _hang(self, links: Sequence[Link]) -> HungTree:
        """Let a mobile hang."""
        beyond, hung = defaultdict(list), HungTree()
        for link in links[1:]:
            beyond[int(self._layout.coordinate[link.near])].append(link)
        waiting = deque(links[:1])
        while waiting:
            link = waiting.popleft()
            carried = self._motion.get(int(self._layout.coordinate[link.near]), np.eye(4))
            if link.held is None:
                motion, pivot = carried @ self._gap(link), self._pivot(link)
                pieces, further = self._rigid(link, motion, pivot, beyond)
            else:
                begin = carried @ self._nodes[link.near]
                pieces, further = self._below(link, begin, beyond, hung)
            for piece in pieces:
                for c in piece.coordinates:
                    self._motion[c] = piece.motion
                    hung.poses.append((c, piece.motion @ self._poses[c]))
            waiting.extend(further)
        return hung

    def _below(
        self, link: Link, begin: Pose, beyond: dict[int, list[Link]], hung: HungTree
    ) -> tuple[list[Rigid], list[Link]]:
        """A limp rod, and what hangs on its end, if anything does."""
        assert link.held is not None
        length = link.held.rod.length
        loads = link.along / length, link.end
        held = link.held, self._layout, loads, (begin, link.from_base)
        lies, pieces, further = Dangling.hung(*held), list[Rigid](), list[Link]()
        if self._layout.coordinate[link.far] >= 0:
            there = self._nodes[link.far]
            motion = lies.tip(link.from_base) @ se3.inverse(there)
            pieces, further = self._rigid(link, motion, there[:3, 3], beyond)
            axes = pieces[0].motion[:3, :3] @ there[:3, :3]
            lies = Dangling.hung(*held, axes)
            moved = lies.tip(link.from_base)[:3, 3] - pieces[0].moved(there[:3, 3])
            for piece in pieces:
                piece.motion[:3, 3] += moved
        hung.bent += lies.bent(self._layout)
        return pieces, further

    def _gap(self, link: Link) -> Pose:
        """The motion that closes a joint where nothing has turned."""
        (near, T_near), (far, T_far) = self._sides(link)
        return np.asarray(near @ T_near @ se3.inverse(far @ T_far))

    def _pivot(self, link: Link) -> Vector:
        """Where a joint is on its far side [m]."""
        _, (far, T_far) = self._sides(link)
        return np.asarray((far @ T_far)[:3, 3])

    def _sides(self, link: Link) -> tuple[tuple[Pose, Pose], tuple[Pose, Pose]]:
        """The nodes of a joint, and where it is in them: the near one, and the far one."""
        pair, offset = self._joints.nodes[link.joint].tolist(), self._joints.offset[link.joint]
        sides = {node: (self._nodes[node], offset[k]) for k, node in enumerate(pair)}
        return sides[link.near], sides[link.far]

    def _rigid(
        self, entered: Link, motion: Pose, pivot: Vector, beyond: dict[int, list[Link]]
    ) -> tuple[list[Rigid], list[Link]]:
        """What turns as one, or by hinges, beyond a link, as it hangs; and the links beyond that.

        Args:
            entered: the link.
            motion: of its far end, until that turns.
            pivot: about which it turns [m].
            beyond: links by the coordinates of their near ends.
        """
        axes = np.eye(3) if entered.held is not None else self._free(entered)
        pieces, further = [Rigid(motion, -1, pivot, axes)], list[Link]()
        if entered.held is not None:
            pieces[0].pulled(pivot - self._lead(entered, entered.far), -entered.end)
        reached = deque([(0, entered)])
        while reached:
            number, link = reached.popleft()
            piece, own = pieces[number], int(self._layout.coordinate[link.far])
            if own < 0:
                continue
            piece.coordinates.append(own)
            for force, place in self._acting[own]:
                piece.pulled(place, force)
            for ahead in beyond[own]:
                if ahead.held is None and self._axes(ahead.joint) < BALL:
                    moved = piece.motion @ self._gap(ahead)
                    at = number, self._pivot(ahead), self._free(ahead)
                    pieces.append(Rigid(moved, *at))
                    reached.append((len(pieces) - 1, ahead))
                elif ahead.held is None or ahead.limp:
                    place = self._nodes[ahead.near, :3, 3]
                    if ahead.held is None:
                        near, T_near = self._sides(ahead)[0]
                        place = (near @ T_near)[:3, 3]
                    else:
                        place = place + self._lead(ahead, ahead.near)
                    piece.pulled(place, ahead.pull)
                    further.append(ahead)
                else:
                    self._stiff(piece, ahead)
                    reached.append((number, ahead))
        let_hang(pieces, self._model.length)
        return pieces, further

    def _free(self, link: Link) -> Array:
        """The axes that a joint turns about, on its far side, (k, 3)."""
        if not self._axes(link.joint):
            return np.empty((0, 3))
        _, (far, T_far) = self._sides(link)
        free = np.eye(3)[~self._joints.held[link.joint, :3]]
        return np.asarray(free @ (far @ T_far)[:3, :3].T)

    def _lead(self, link: Link, node: int) -> Vector:
        """The arm on which a limp rod turns what it is welded to: √(EI/T) on along it [m]."""
        assert link.held is not None
        pull = float(np.linalg.norm(link.pull if node == link.near else link.end))
        if pull == 0.0:
            return np.zeros(3)
        a, b = link.chain[0] if node == link.near else link.chain[-1]
        ahead = self._nodes[node, :3, 0] * (1.0 if a < b else -1.0)
        decay = min(link.held.rod.length, np.sqrt(bending(link.held.rod).least / pull))
        return np.asarray(decay * ahead)

    def _stiff(self, piece: Rigid, link: Link) -> None:
        """Add a stiff rod to a rigid piece."""
        assert link.held is not None
        piece.coordinates += self._inside(link)
        for force, place in link.inside:
            piece.pulled(place, force)
        for one in link.held.pieces:
            places = self._nodes[one.first : one.last + 1, :3, 3]
            middles, parts = 0.5 * (places[1:] + places[:-1]), np.diff(one.s)
            piece.pulled(parts @ middles / parts.sum(), link.load * one.rod.length)
        if self._layout.coordinate[link.far] < 0:
            piece.pulled(self._nodes[link.far, :3, 3], link.end)
