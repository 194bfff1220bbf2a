"""Rods and bodies on balls and hinges, end to end, between two ends that the world holds.

They begin as they will hang. Balls carry no moment: they lie where tension and loads lead, and what
is between two of them as a rod on pins does. Beyond a hinge a limp rod goes on as beyond a weld;
stiff ones on hinges are linkages, and begin as these. Bodies between two balls are bars.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from flexura.lie import se3
from flexura.model.bar import Bar
from flexura.model.chain import Chains, Passed
from flexura.model.end import Clamp, End
from flexura.model.held import Held
from flexura.model.layout import Layout
from flexura.model.model import Model
from flexura.model.pin import Pin
from flexura.model.start_load import Forces
from flexura.robot.bending import bending
from flexura.rods.funicular import Lead, Span, joints_between
from flexura.rods.shape import PLACES, WEIGHT
from flexura.typing import Array, Pose, Vector

# Axes about which a ball turns.
BALL = 3
# Stands for a ball as bodies see it.
NO_PIN = Pin(np.eye(4), np.eye(4), np.eye(3))
# What follows its tension by more than this part is limp.
LIMP = 0.5


class Hung(NamedTuple):
    """How a strand hangs.

    Attributes:
        legs: its rods between its balls.
        bodies: coordinates of its bodies, and their poses.
    """

    legs: list[Held]
    bodies: list[tuple[int, Pose]]


@dataclass(frozen=True, eq=False)
class Strand:
    """Chains of rods, and bodies, that follow each other, with balls between them.

    Attributes:
        chains: finds how rods lie on them.
        links: from one ball to the next, the pieces of a leg that it passes, or a body.
        ends: what holds the beginning of the first one and the end of the last one.
        balls: each as seen from the leg that ends there, and from the one that begins there; None
            from a body.
    """

    chains: Chains
    links: Sequence[Sequence[Passed] | Bar]
    ends: tuple[End, End]
    balls: Sequence[tuple[Pin | None, Pin | None]]

    @property
    def legs(self) -> list[Sequence[Passed]]:
        """Its links but for bodies."""
        return [link for link in self.links if not isinstance(link, Bar)]

    @property
    def bars(self) -> list[tuple[int, Bar]]:
        """Its bodies, each with its place among all links."""
        return [(i, link) for i, link in enumerate(self.links) if isinstance(link, Bar)]

    def evenly(self) -> list[Held]:
        """Its legs with balls evenly between its ends, for what loads do to them."""
        legs = iter(self._held(np.zeros((len(self.balls), 3))))
        lengths = [x.length if isinstance(x, Bar) else next(legs).rod.length for x in self.links]
        first, last = (end.place for end in self.ends)
        part = np.cumsum(lengths)[:-1] / sum(lengths)
        return self._held(first + part[:, None] * (last - first))

    def hanging(
        self, legs: Sequence[Held], loads: Sequence[Vector], forces: Forces, rest: Pose
    ) -> Hung:
        """Where its legs and bodies hang; neither where they cannot.

        Args:
            legs: as they lie evenly.
            loads: on each meter of them, in world axes [N/m].
            forces: on nodes.
            rest: coordinates, of which bodies turn no more than they need.
        """
        spans = self._spans(legs, loads, forces)
        own = [x for x, link in zip(spans, self.links, strict=True) if not isinstance(link, Bar)]
        if not all(self._goes_on(*one) for one in zip(self.legs, own, strict=True)):
            return Hung([], [])
        if not self.balls:
            return Hung(list(legs), [])
        first, last = (end.place for end in self.ends)
        found = joints_between(spans, last - first)
        if found is None:
            return Hung([], [])
        held = self._held(first + found[:-1])
        if not all(leg.reaches for leg in held):
            return Hung([], [])
        places = first + np.concatenate([np.zeros((1, 3)), found])
        bodies = []
        for i, bar in self.bars:
            force, center = forces.on(bar.coordinate)
            pose = bar.placed(rest[bar.coordinate], places[i], places[i + 1], force, center)
            bodies.append((bar.coordinate, pose))
        return Hung(held, bodies)

    def _spans(self, legs: Sequence[Held], loads: Sequence[Vector], forces: Forces) -> list[Span]:
        """Its links as rods between two balls, led by what holds the ends of all."""
        spans, pairs = list[Span](), iter(zip(legs, loads, strict=True))
        for link in self.links:
            if isinstance(link, Bar):
                spans.append(link.span(*forces.on(link.coordinate)))
            else:
                spans.append(_span(*next(pairs), *self.chains.carried(link, forces)))
        first, last = self.links[0], self.links[-1]
        if not isinstance(first, Bar):
            spans[0] = spans[0]._replace(begin=_lead(self.ends[0], first[0]))
        if not isinstance(last, Bar):
            spans[-1] = spans[-1]._replace(end=_lead(self.ends[1], last[-1]))
        return spans

    def _goes_on(self, leg: Sequence[Passed], span: Span) -> bool:
        """Whether hinges that a leg passes, if any, make little difference to it."""
        hinged = any(self.chains.jointed(passed[1]) for passed in leg[:-1])
        return not hinged or span.follows > LIMP

    def _held(self, places: Array) -> list[Held]:
        """Its legs with balls in some places [m]."""
        entered, left = [self.ends[0]], list[End]()
        for (here, there), place in zip(self.balls, places, strict=True):
            joint = se3.pose(place)
            left.append(replace(here or NO_PIN, joint=joint, guessed=True))
            entered.append(replace(there or NO_PIN, joint=joint, guessed=True))
        held = zip(self.links, entered, [*left, self.ends[1]], strict=True)
        return [
            self.chains.between(link, *ends) for link, *ends in held if not isinstance(link, Bar)
        ]


def strands(model: Model, layout: Layout, nodes: Pose, chains: Chains) -> list[Strand]:
    """Every strand with a ball or a hinge between two rods.

    Args:
        model: the robot.
        layout: at the inputs of the start.
        nodes: poses of the nodes; those of what moves are no more than a guess.
        chains: of its rods.
    """
    found, known = list[Strand](), set[frozenset[int]]()
    if model.tubes or not len(model.joints.nodes):
        return found
    held = _Ends(model, layout, nodes, chains)
    for first in held.beginnings():
        if frozenset(first) in known:
            continue
        strand = _strand(model, held, chains, first)
        if strand is not None:
            known |= {frozenset(passed) for leg in strand.legs for passed in leg}
            found.append(strand)
    return found


@dataclass(frozen=True, eq=False)
class _Ends:
    """Finds ends of rods that the world holds."""

    model: Model
    layout: Layout
    nodes: Pose
    chains: Chains

    def beginnings(self) -> list[Passed]:
        """Pieces that begin at one, each passed from it on."""
        layout, joints = self.layout, self.model.joints.nodes
        fixed = (layout.coordinate < 0) & ~layout.loose
        held = [x for node in np.flatnonzero(fixed).tolist() for x in self.chains.beginning(node)]
        for a, b in joints.tolist():
            moved = [node for node, other in ((a, b), (b, a)) if fixed[other] and not fixed[node]]
            held += [x for node in moved for x in self.chains.beginning(node)]
        return held

    def at(self, end: int) -> End | None:
        """What holds an end of a rod; None if it is not the world."""
        layout = self.layout
        if layout.coordinate[end] < 0:
            return None if layout.loose[end] else Clamp(self.nodes[end], fixed=True)
        joint, other = self.chains.jointed(end) or (-1, end)
        if joint < 0 or layout.coordinate[other] >= 0 or not self.holds(joint):
            return None
        fixed = np.eye(4)  # its offset tells where it is
        return replace(self.chains.pin(joint, end, fixed), guessed=True)

    def beyond(self, link: Sequence[Passed] | Bar) -> End | None:
        """What holds the end of a link; None if it is not the world."""
        if not isinstance(link, Bar):
            return self.at(link[-1][1])
        joint, node, joints = link.joint, link.beyond, self.model.joints
        if self.layout.coordinate[node] >= 0 or self.layout.loose[node]:
            return None
        if joints.held[joint, :3].any() or not self.holds(joint):
            return None
        side = int(joints.nodes[joint, 0] != node)
        return replace(NO_PIN, joint=self.nodes[node] @ joints.offset[joint, side], guessed=True)

    def holds(self, joint: int) -> bool:
        """Whether a joint lets nothing move along it."""
        return bool(self.model.joints.held[joint, 3:].all())


def _strand(model: Model, held: _Ends, chains: Chains, first: Passed) -> Strand | None:
    """What leads from a piece that the world holds to another end that it holds, by joints."""
    entered, left = held.at(first[0]), None
    links, balls = (
        list[list[Passed] | Bar]([chains.along(*first)]),
        list[tuple[Pin | None, Pin | None]](),
    )
    if entered is None:
        return None
    joints = 0
    while (left := held.beyond(links[-1])) is None:
        last = links[-1]
        if isinstance(last, Bar):
            joint, other = last.joint, last.beyond
        else:
            joint, other = chains.jointed(last[-1][1]) or (-1, -1)
        if joint < 0 or not held.holds(joint):
            return None
        turns, joints = (~model.joints.held[joint, :3]).sum() == BALL, joints + 1
        further = chains.over(joint, other)
        beyond = chains.bar(joint, other) if further is None else chains.along(*further)
        if beyond is None or len(links) > len(model.joints.nodes):
            return None
        if turns:
            ends = (
                None if isinstance(last, Bar) else last[-1][1],
                None if isinstance(beyond, Bar) else beyond[0][0],
            )
            here, there = (None if x is None else chains.pin(joint, x, np.eye(4)) for x in ends)
            balls.append((here, there))
            links.append(beyond)
        elif isinstance(last, Bar) or isinstance(beyond, Bar) or further is None:
            return None
        elif chains.goes_on(last[-1], further):
            links[-1] = [*last, *beyond]
        else:
            return None
    return Strand(chains, links, (entered, left), balls) if joints else None


def _lead(end: End, passed: Passed) -> Lead:
    """How an end leads the strand at a piece that is passed some way."""
    return Lead(end.led, end.direction if passed[0] < passed[1] else -end.direction)


def _span(leg: Held, load: Vector, weight: Vector, center: float) -> Span:
    """A leg as a rod between two balls, with a force at a part of its length."""
    rod = leg.rod
    give = float(WEIGHT @ (1.0 / rod.stiffness(rod.length * PLACES)[:, 3]))
    length = rod.length + leg.base.lever + leg.tip.lever
    give = give if leg.stretches else 0.0
    return Span(length, load, give, bending(rod).least, weight=weight, center=center)
