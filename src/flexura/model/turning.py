"""Rigid pieces on one point that forces turn: how they hang.

Forces F do not turn with what they act on, at places r from a point that holds it. What turns about
that by R has the potential -Σ F·R r, so that R is the rotation nearest to Σ F rᵀ; about an axis it
is one angle. Pieces on hinges turn one after the other, until none turns any more.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from flexura.lie import so3
from flexura.typing import Matrix, Pose, Vector

# Where forces leave open how to turn, it turns the least, as if they held it by this part of them.
HELD = 1e-9
# Rounds, and the angle below which a round is the last [rad].
ROUNDS, TURNED = 60, 1e-6


@dataclass(eq=False)
class Rigid:
    """A rigid piece.

    Attributes:
        motion: from where it was first.
        before: number of the piece that carries it; -1 for the first one.
        pivot: of its joint, where it was first [m].
        axes: that it turns about there, likewise, (k, 3).
        coordinates: that it carries.
        places: where forces act, where it was first [m].
        forces: these, in world axes [N].
    """

    motion: Pose
    before: int
    pivot: Vector
    axes: Matrix
    coordinates: list[int] = field(default_factory=list)
    places: list[Vector] = field(default_factory=list)
    forces: list[Vector] = field(default_factory=list)

    def pulled(self, place: Vector, force: Vector) -> None:
        """Add a force at a place, where that was first."""
        self.places.append(place)
        self.forces.append(force)

    def moved(self, place: Vector) -> Vector:
        """Where a place is now [m]."""
        return np.asarray(self.motion[:3, :3] @ place + self.motion[:3, 3])


def let_hang(pieces: Sequence[Rigid], length: float) -> None:
    """Turn pieces about their joints until forces turn them no further, in place.

    Args:
        pieces: each after the one that carries it.
        length: of the robot [m].
    """
    own = np.repeat(np.arange(len(pieces)), [len(piece.places) for piece in pieces])
    if not len(own):
        return
    force = np.array([f for piece in pieces for f in piece.forces])
    at = np.array([piece.moved(x) for piece in pieces for x in piece.places])
    carried = np.eye(len(pieces), dtype=np.bool_)
    for k in range(len(pieces) - 1, 0, -1):
        carried[pieces[k].before] |= carried[k]
    held = HELD * length * float(np.linalg.norm(force, axis=1).sum())
    for _ in range(ROUNDS):
        most = 0.0
        for k, piece in enumerate(pieces):
            pulled, pivot = carried[k, own], piece.moved(piece.pivot)
            arms = at[pulled] - pivot
            pull = force[pulled].T @ arms
            for turn in _turns(piece, pull, held):
                at[pulled] = arms = pivot + (at[pulled] - pivot) @ turn.T
                for i in np.flatnonzero(carried[k]).tolist():
                    pieces[i].motion = _about(pivot, turn) @ pieces[i].motion
                most = max(most, float(np.linalg.norm(turn - np.eye(3))))
        if most <= TURNED:
            break


def _turns(piece: Rigid, pull: Matrix, held: float) -> list[Matrix]:
    """Rotations of a piece about its joint.

    Args:
        piece: what turns.
        pull: Σ F rᵀ [N·m].
        held: by how much it is held where it is [N·m].
    """
    if len(piece.axes) > 1:
        return [so3.nearest(pull + held * np.eye(3))]
    found = []
    for axis in piece.axes @ piece.motion[:3, :3].T:
        spread = np.trace(pull) - axis @ pull @ axis
        skew = np.array([pull[2, 1] - pull[1, 2], pull[0, 2] - pull[2, 0], pull[1, 0] - pull[0, 1]])
        found.append(so3.exp(math.atan2(float(axis @ skew), float(spread) + held) * axis))
    return found


def _about(place: Vector, turn: Matrix) -> Pose:
    """The motion that turns about a place."""
    motion = np.eye(4)
    motion[:3, :3] = turn
    motion[:3, 3] = place - turn @ place
    return motion
