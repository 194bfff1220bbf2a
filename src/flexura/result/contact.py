"""What touches what, in a result."""

from dataclasses import dataclass

import numpy as np

from flexura.model.assemble import Assembly
from flexura.model.evaluation import Evaluation
from flexura.model.inputs import Inputs
from flexura.model.state import State
from flexura.typing import Array, Vector, frozen
from flexura.value import Value

# A force this near to its cone slides, if anything moves at all: forces are found to 1e-6.
NEARLY = 1e-5
# Ways below this are none [m].
STILL = 1e-10
# Gaps below this part of the robot's length are closed.
CLOSED = 1e-9


@dataclass(frozen=True, eq=False, repr=False)
class Touching(Value):
    """A place where two things touch.

    Attributes:
        a: Name of the first of them, as in the ``Contact``.
        b: Name of the second.
        s: Arc length of the place on the rod, of the first one if both are rods [m]; None if there
            is no rod.
        point: The place in the world [m], (3,).
        normal: Direction from b to a there, of length one, (3,).
        gap: Between them [m]; below zero is how deep they are in each other.
        force: Of b on a, in world axes [N], (3,).
        friction: Coefficient of friction.
        slip: How far a has slid along b, in the step of a motion or since ``start`` [m], (3,).
    """

    a: str
    b: str
    s: float | None
    point: Vector
    normal: Vector
    gap: float
    force: Vector
    friction: float
    slip: Vector

    @property
    def pressing(self) -> float:
        """Force along the normal [N]."""
        return float(self.force @ self.normal)

    @property
    def rubbing(self) -> Vector:
        """Force along the surface [N], (3,)."""
        return np.asarray(self.force - self.pressing * self.normal)

    @property
    def sliding(self) -> bool:
        """Whether a slides along b: it moves, against no friction or all of it; else it sticks."""
        most = self.friction * self.pressing
        rubs = np.linalg.norm(self.rubbing) >= (1.0 - NEARLY) * most
        return bool(rubs and np.linalg.norm(self.slip) > STILL)

    @property
    def sticking(self) -> bool:
        """Whether friction holds a where it is."""
        return not self.sliding

    def __repr__(self) -> str:
        how = "slides" if self.sliding else "sticks"
        at = "" if self.s is None else f" at s = {self.s:.4g} m"
        return f"{self.a!r} on {self.b!r}{at}: {self.pressing:.4g} N, {how}"


def touching(
    assembly: Assembly, state: State, inputs: Inputs, evaluation: Evaluation
) -> tuple[Touching, ...]:
    """All places of a state where things touch.

    Args:
        assembly: of the model.
        state: where it is.
        inputs: there.
        evaluation: what is known of it.
    """
    assembly.place(state, inputs)
    touch = assembly.touch
    if touch is None:
        return ()
    own, forces, found = touch.contacts, touch.forces(state.multipliers), []
    closed = forces.any(axis=1) | (touch.gap <= CLOSED * assembly.model.length)
    closed &= touch.found
    slips = np.zeros_like(forces) if evaluation.slip is None else evaluation.slip
    for c in np.flatnonzero(closed).tolist():
        a, b = own.names[own.contact[c]]
        side = -1.0 if own.swapped[c] else 1.0
        s = float(own.length[c])
        force = forces[c]
        if own.friction[c] == 0.0:
            force = (force @ touch.normal[c]) * touch.normal[c]
        found.append(
            Touching(
                a,
                b,
                None if np.isnan(s) else s,
                _own(touch.point[c]),
                _own(side * touch.normal[c]),
                float(touch.gap[c]),
                _own(side * force),
                float(own.friction[c]),
                _own(side * slips[c]),
            )
        )
    return tuple(found)


def _own(x: Array) -> Vector:
    return frozen(np.array(x))
