"""Rods and bodies on balls and hinges, end to end, between two ends that the world holds.

They begin as they will hang. Balls carry no moment: they lie where tension and loads lead, and what
is between two of them as a rod on pins does. Beyond a hinge a limp rod goes on as beyond a weld;
stiff ones on hinges are linkages, and begin as these. Bodies between two balls are bars.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from flexura.model.bar import Bar, bar_beyond
from flexura.model.chain import Chains
from flexura.model.end import Clamp, End
from flexura.model.held import Held
from flexura.model.layout import Layout
from flexura.model.leg import Holder, Leg, ball, fast
from flexura.model.link import Link
from flexura.model.model import Model
from flexura.model.start_load import Forces, Loading
from flexura.model.topology import Passed
from flexura.rods.funicular import NOTHING, joints_between
from flexura.typing import Array, Pose, Vector


class Hung(NamedTuple):
    """How a strand hangs.

    Attributes:
        rods: between its balls, and loads on each meter of them [N/m].
        bodies: coordinates of its bodies, and their poses.
    """

    rods: list[tuple[Held, Vector]]
    bodies: list[tuple[int, Pose]]


@dataclass(frozen=True, eq=False)
class Strand:
    """Rods and bodies that follow each other, with balls between them.

    Attributes:
        links: from one ball to the next.
        begin: where the first one begins [m].
        end: where the last one ends [m].
    """

    links: Sequence[Link]
    begin: Vector
    end: Vector

    def evenly(self) -> list[Held | None]:
        """Its rods with balls evenly between its ends, for what loads do to them."""
        lengths = [link.length for link in self.links]
        part = np.cumsum([0.0, *lengths]) / sum(lengths)
        places = self.begin + part[:, None] * (self.end - self.begin)
        return [link.held(*own) for link, own in zip(self.links, pairwise(places), strict=True)]

    def hanging(self, loads: Sequence[Vector], forces: Forces, rest: Pose) -> Hung | None:
        """Where its rods and bodies hang; None where they cannot.

        Args:
            loads: on each meter of its links, in world axes [N/m].
            forces: on nodes.
            rest: coordinates, of which bodies turn no more than they need.
        """
        found, places = Hung([], []), self._places(loads, forces)
        if places is None:
            return None
        for link, load, own in zip(self.links, loads, pairwise(places), strict=True):
            placed = link.placed(*own, forces, rest)
            if placed is None:
                return None
            found.rods.extend((held, load) for held in placed.rods)
            found.bodies.extend(placed.bodies)
        return found

    def _places(self, loads: Sequence[Vector], forces: Forces) -> Array | None:
        """Where its ends and its balls hang [m]."""
        own = [link.span(load, forces) for link, load in zip(self.links, loads, strict=True)]
        spans = [span for span in own if span is not None]
        if len(spans) < len(own):
            return None
        if len(spans) == 1:
            return np.stack([self.begin, self.end])
        found = joints_between(spans, self.end - self.begin)
        return None if found is None else self.begin + np.concatenate([np.zeros((1, 3)), found])


def hung(
    model: Model, layout: Layout, poses: Pose, nodes: Pose, chains: Chains, loading: Loading
) -> list[Hung]:
    """How every strand with a ball or a hinge between two rods hangs that does.

    Args:
        model: the robot.
        layout: at the inputs of the start.
        poses: of the coordinates; those of what moves are no more than a guess.
        nodes: of the nodes, likewise.
        chains: of its rods.
        loading: what pulls at it.
    """
    strands = _Strands(model, layout, nodes, chains).all()
    evenly = [strand.evenly() for strand in strands]
    rods = [held for own in evenly for held in own if held is not None]
    loads, found = iter(loading.along(nodes, rods)), list[Hung]()
    for strand, own in zip(strands, evenly, strict=True):
        pulls = [NOTHING if held is None else next(loads) for held in own]
        hangs = strand.hanging(pulls, loading.forces, poses)
        found += [] if hangs is None else [hangs]
    return found


@dataclass(frozen=True, eq=False)
class _Strands:
    """Finds strands."""

    model: Model
    layout: Layout
    nodes: Pose
    chains: Chains

    def all(self) -> list[Strand]:
        """Every strand with a ball or a hinge between two rods."""
        found, known = list[Strand](), set[frozenset[int]]()
        if self.model.tubes or not len(self.model.joints.nodes):
            return found
        for first in self._beginnings():
            strand = None if frozenset(first) in known else self._strand(first)
            if strand is not None:
                known |= {frozenset(passed) for link in strand.links for passed in link.chain}
                found.append(strand)
        return found

    def _strand(self, first: Passed) -> Strand | None:
        """What leads from a piece that the world holds to another end that it holds, by joints."""
        entered = self._outside(first[0])
        leg = None if entered is None else self._leg(first, fast(entered))
        if entered is None or leg is None or (leg.last is not None and not leg.hinged):
            return None
        links: list[Link] = [leg]
        while (last := links[-1].last) is None:
            beyond = self._beyond(*links[-1].onward)
            if beyond is None:
                return None
            links.append(beyond)
        return Strand(links, entered.place, last)

    def _beyond(self, joint: int, node: int) -> Link | None:
        """What a strand goes on with beyond a ball."""
        first = self.chains.over(joint, node)
        if first is not None:
            return self._leg(first, ball(self.chains.pin(joint, first[0], np.eye(4))))
        return self._bar(joint, node)

    def _leg(self, first: Passed, entered: Holder) -> Leg | None:
        """The rods that a piece begins, up to a ball or to what the world holds."""
        chains, chain = self.chains, self.chains.along(*first)
        while (held := self._outside(last := chain[-1][1])) is None:
            joint, node = chains.jointed(last) or (-1, -1)
            if joint < 0 or not self._holds(joint):
                return None
            if self._turns(joint):
                left = ball(chains.pin(joint, last, np.eye(4)))
                return Leg(self.layout, chains, chain, entered, left, (joint, node))
            further = chains.over(joint, node)
            if further is None or not chains.goes_on(chain[-1], further):
                return None
            chain = [*chain, *chains.along(*further)]
        return Leg(self.layout, chains, chain, entered, fast(held), (-1, -1))

    def _bar(self, joint: int, node: int) -> Bar | None:
        """The body beyond a ball, up to another ball."""
        bar = bar_beyond(self.model, self.layout, joint, node)
        if bar is None or not (self._turns(bar.onward[0]) and self._holds(bar.onward[0])):
            return None
        other, beyond = bar.onward
        if not self._fixed(beyond):
            return bar
        joints = self.model.joints
        side = int(joints.nodes[other, 0] != beyond)
        return replace(bar, last=(self.nodes[beyond] @ joints.offset[other, side])[:3, 3])

    def _beginnings(self) -> list[Passed]:
        """Pieces that begin at an end that the world holds, each passed from it on."""
        layout, chains = self.layout, self.chains
        fixed = (layout.coordinate < 0) & ~layout.loose
        held = [x for node in np.flatnonzero(fixed).tolist() for x in chains.beginning(node)]
        for a, b in self.model.joints.nodes.tolist():
            moved = [node for node, other in ((a, b), (b, a)) if fixed[other] and not fixed[node]]
            held += [x for node in moved for x in chains.beginning(node)]
        return held

    def _outside(self, end: int) -> End | None:
        """What holds an end of a rod; None if it is not the world."""
        if self.layout.coordinate[end] < 0:
            return Clamp(self.nodes[end], fixed=True) if self._fixed(end) else None
        joint, other = self.chains.jointed(end) or (-1, end)
        if joint < 0 or not self._fixed(other) or not self._holds(joint):
            return None
        return replace(self.chains.pin(joint, end, self.nodes[other]), guessed=True)

    def _fixed(self, node: int) -> bool:
        """Whether the world holds a node."""
        return bool(self.layout.coordinate[node] < 0 and not self.layout.loose[node])

    def _holds(self, joint: int) -> bool:
        """Whether a joint lets nothing move along it."""
        return bool(self.model.joints.held[joint, 3:].all())

    def _turns(self, joint: int) -> bool:
        """Whether a joint is a ball."""
        return not self.model.joints.held[joint, :3].any()
