"""Rods on balls and hinges to each other, end to end, between two ends that the world holds.

They begin as they will hang. Balls carry no moment: they lie where tension and loads lead, and what
is between two of them as a rod on pins does. Beyond a hinge a limp rod goes on as beyond a weld;
stiff ones on hinges are linkages, and begin as these.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from flexura.lie import se3
from flexura.model.chain import Chains, Passed
from flexura.model.end import Clamp, End
from flexura.model.held import Held
from flexura.model.layout import Layout
from flexura.model.model import Model
from flexura.model.pin import Pin
from flexura.robot.bending import bending
from flexura.rods.funicular import Lead, Span, joints_between
from flexura.rods.shape import PLACES, WEIGHT
from flexura.typing import Array, Pose, Vector

# Axes about which a ball turns.
BALL = 3
# What follows its tension by more than this part is limp.
LIMP = 0.5


@dataclass(frozen=True, eq=False)
class Strand:
    """Chains of rods that follow each other, with balls between them.

    Attributes:
        chains: finds how rods lie on them.
        legs: the pieces that each passes, from one ball to the next.
        ends: what holds the beginning of the first one and the end of the last one.
        balls: each as seen from the leg that ends there, and from the one that begins there.
    """

    chains: Chains
    legs: Sequence[Sequence[Passed]]
    ends: tuple[End, End]
    balls: Sequence[tuple[Pin, Pin]]

    def evenly(self) -> list[Held]:
        """Its legs with balls evenly between its ends, for what loads do to them."""
        lengths = [held.rod.length for held in self._held(np.zeros((len(self.balls), 3)))]
        first, last = (end.place for end in self.ends)
        part = np.cumsum(lengths)[:-1] / sum(lengths)
        return self._held(first + part[:, None] * (last - first))

    def hanging(self, legs: Sequence[Held], loads: Sequence[Vector]) -> list[Held]:
        """Its legs where they hang; none where they cannot.

        Args:
            legs: as they lie evenly.
            loads: on each meter of them, in world axes [N/m].
        """
        spans = self._spans(legs, loads)
        if not all(self._goes_on(*one) for one in zip(self.legs, spans, strict=True)):
            return []
        if not self.balls:
            return list(legs)
        first, last = (end.place for end in self.ends)
        found = joints_between(spans, last - first)
        held = [] if found is None else self._held(first + found[:-1])
        return held if all(leg.reaches for leg in held) else []

    def _spans(self, legs: Sequence[Held], loads: Sequence[Vector]) -> list[Span]:
        """Its legs as rods between two balls, led by what holds the ends of all."""
        spans = list(map(_span, legs, loads))
        spans[0] = spans[0]._replace(begin=_lead(self.ends[0], self.legs[0][0]))
        spans[-1] = spans[-1]._replace(end=_lead(self.ends[1], self.legs[-1][-1]))
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
            left.append(replace(here, joint=joint, guessed=True))
            entered.append(replace(there, joint=joint, guessed=True))
        held = zip(self.legs, entered, [*left, self.ends[1]], strict=True)
        return [self.chains.between(*one) for one in held]


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
        return replace(self.chains.pin(joint, end, self.nodes[other]), guessed=True)

    def holds(self, joint: int) -> bool:
        """Whether a joint lets nothing move along it."""
        return bool(self.model.joints.held[joint, 3:].all())


def _strand(model: Model, held: _Ends, chains: Chains, first: Passed) -> Strand | None:
    """What leads from a piece that the world holds to another end that it holds, by joints."""
    entered, joints = held.at(first[0]), 0
    leg, legs, balls = chains.along(*first), list[list[Passed]](), list[tuple[Pin, Pin]]()
    while entered is not None and (left := held.at(leg[-1][1])) is None:
        joint, other = chains.jointed(leg[-1][1]) or (-1, -1)
        further = chains.over(joint, other) if joint >= 0 and held.holds(joint) else None
        if further is None:
            return None
        beyond, joints = chains.along(*further), joints + 1
        if (~model.joints.held[joint, :3]).sum() == BALL:
            at = (leg[-1][1], further[0])
            balls.append((chains.pin(joint, at[0], np.eye(4)), chains.pin(joint, at[1], np.eye(4))))
            legs.append(leg)
            leg = beyond
        elif chains.goes_on(leg[-1], further):
            leg = [*leg, *beyond]
        else:
            return None
    if entered is None or left is None or not joints:
        return None
    return Strand(chains, [*legs, leg], (entered, left), balls)


def _lead(end: End, passed: Passed) -> Lead:
    """How an end leads the strand at a piece that is passed some way."""
    return Lead(end.led, end.direction if passed[0] < passed[1] else -end.direction)


def _span(leg: Held, load: Vector) -> Span:
    """A leg as a rod between two balls."""
    rod = leg.rod
    give = float(WEIGHT @ (1.0 / rod.stiffness(rod.length * PLACES)[:, 3]))
    length = rod.length + leg.base.lever + leg.tip.lever
    return Span(length, load, give if leg.stretches else 0.0, bending(rod).least)
