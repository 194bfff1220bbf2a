"""Rods of a strand between two of its balls."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from flexura.lie import se3
from flexura.model.chain import Chains
from flexura.model.end import End
from flexura.model.held import Held
from flexura.model.layout import Layout
from flexura.model.link import Placed
from flexura.model.pin import Pin
from flexura.model.start_load import Forces
from flexura.model.topology import Passed
from flexura.robot.bending import bending
from flexura.rods.funicular import NOTHING, Lead, Span
from flexura.rods.shape import PLACES, WEIGHT
from flexura.typing import Pose, Vector

# What follows its tension by more than this part is limp.
LIMP = 0.5
# What holds an end of a rod, for the place where its ball is [m].
Holder = Callable[[Vector], End]


@dataclass(frozen=True, eq=False)
class Leg:
    """Pieces of rods that follow each other, on hinges perhaps.

    Attributes:
        layout: at the inputs of the start.
        chains: finds how they lie.
        chain: they, as they are passed.
        entered: what holds the beginning of the first one.
        left: what holds the end of the last one.
        onward: the ball at its end, and the node beyond it; negative if there is none.
    """

    layout: Layout
    chains: Chains
    chain: Sequence[Passed]
    entered: Holder
    left: Holder
    onward: tuple[int, int]

    @property
    def last(self) -> Vector | None:
        """Where it ends, if the world holds it there [m]."""
        return self.left(NOTHING).place if self.onward[0] < 0 else None

    @property
    def length(self) -> float:
        """Length of its rods [m]."""
        return sum(self.chains.piece(passed).rod.length for passed in self.chain)

    @property
    def hinged(self) -> bool:
        """Whether there are hinges between its rods."""
        return any(self.chains.jointed(end) for _, end in self.chain[:-1])

    def held(self, begin: Vector, end: Vector) -> Held:
        """It between two places [m]."""
        return self.chains.between(self.chain, self.entered(begin), self.left(end))

    def span(self, load: Vector, forces: Forces) -> Span | None:
        """It as a rod between two balls; None if it is stiff and has hinges: that is a linkage."""
        leg, (weight, center) = self.held(NOTHING, NOTHING), self._carried(forces)
        give = float(WEIGHT @ (1.0 / leg.rod.stiffness(leg.rod.length * PLACES)[:, 3]))
        found = Span(
            length=leg.rod.length + leg.base.lever + leg.tip.lever,
            load=load,
            give=give if leg.stretches else 0.0,
            bending=bending(leg.rod).least,
            begin=_lead(self.entered(NOTHING), self.chain[0]),
            end=_lead(self.left(NOTHING), self.chain[-1]),
            weight=weight,
            center=center,
        )
        return None if self.hinged and found.follows <= LIMP else found

    def placed(self, begin: Vector, end: Vector, forces: Forces, rest: Pose) -> Placed | None:
        """It between two places [m], if it reaches."""
        held = self.held(begin, end)
        return Placed([held], []) if held.reaches else None

    def _carried(self, forces: Forces) -> tuple[Vector, float]:
        """What acts on nodes that it passes [N], and where, over its length, from its first.

        Forces on what both its neighbours ride on are on the one that is on the way before it.
        """
        begin, total, moment, size = 0.0, np.zeros(3), 0.0, 0.0
        for a, b in self.chain:
            piece = self.chains.piece((a, b))
            own = self.layout.coordinate[piece.first : piece.last + 1]
            s = piece.s - piece.s[0]
            s = begin + (s if a < b else piece.rod.length - s)
            begin += piece.rod.length
            passed = own == self.layout.coordinate[a]
            for coordinate in {int(c) for c in own[~passed]} - {-1}:
                force, _ = forces.on(coordinate)
                pull = float(np.linalg.norm(force))
                total = total + force
                moment, size = moment + pull * float(s[own == coordinate].mean()), size + pull
        first = int(self.layout.coordinate[self.chain[0][0]])
        if first >= 0:
            force, _ = forces.on(first)
            total, size = total + force, size + float(np.linalg.norm(force))
        return total, moment / (size * begin) if size > 0.0 else 0.5


def fast(end: End) -> Holder:
    """What the world holds, wherever balls are."""
    return lambda _: end


def ball(pin: Pin) -> Holder:
    """What a ball holds; how that is turned makes no difference."""
    return lambda place: replace(pin, joint=se3.pose(place), guessed=True)


def _lead(end: End, passed: Passed) -> Lead:
    """How an end leads the strand at a piece that is passed some way."""
    return Lead(end.led, end.direction if passed[0] < passed[1] else -end.direction)
