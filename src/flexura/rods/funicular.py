"""Where the joints of a chain of rods are that hangs between two places.

What hangs by balls carries no moment there. With the tension T(s) = f - ∫ w ds along it, T shrinks
or grows by the loads alone, and rods lie along it:

    end - begin = ∫ (1/|T| + 1/EA) T ds,

the slope by f of the convex function ∫ |T| + |T|²/2EA ds, so that Newton's method finds f. A limp
rod follows T all along; a stiff one lies straight along its mean.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from flexura.rods.shape import PLACES, WEIGHT
from flexura.typing import Array, Vector

# w l³ / EI at which a rod sags half as far as a limp one does: 5 w l⁴/384 EI beside w l²/8 T, where
# it carries about its weight.
SAGS = 10.0
# Tension below which rods do not lie along it, over the whole load: there they bend round.
SLACK = 1e-3
# Steps, and the part of the length by which the end may still be missed.
PATIENCE, CLOSE = 60, 1e-6
# What falls by this part of what a step promises has been served by it; steps get half as long.
SERVES, SHORTEST = 1e-4, 1e-6
# Tension over the whole load beyond which there is none that leads to the end.
MOST = 1e6


class Span(NamedTuple):
    """A rod between two joints.

    Attributes:
        length: of it [m].
        load: on each meter [N/m].
        give: what it stretches by for each newton, 1/EA, or nothing.
        bending: EI [N·m²].
    """

    length: float
    load: Vector
    give: float
    bending: float

    @property
    def pull(self) -> float:
        """Size of the load [N/m]."""
        return float(np.linalg.norm(self.load))

    @property
    def follows(self) -> float:
        """By which part it follows the tension, from 0 for a stiff to 1 for a limp one."""
        sags = self.pull * self.length**3
        return sags / (sags + SAGS * self.bending) if sags > 0.0 else 0.0


def joints_between(spans: Sequence[Span], way: Vector) -> Array | None:
    """Ways from where a chain begins to its joints and its end, (n, 3); None if it ends elsewhere.

    Args:
        spans: its rods.
        way: from where it begins to its end [m].
    """
    lengths = np.array([span.length for span in spans])
    pulls = np.array([span.length * span.load for span in spans])
    whole = float(np.linalg.norm(pulls, axis=1).sum())
    if whole == 0.0:
        return None
    part = 0.5 + np.array([span.follows for span in spans])[:, None] * (PLACES - 0.5)
    before = np.cumsum(pulls, axis=0) - pulls
    passed = (before[:, None] + part[:, :, None] * pulls[:, None]).reshape(-1, 3)
    weight = np.outer(lengths, WEIGHT).ravel()
    give = np.repeat([span.give for span in spans], len(PLACES))
    along, total = way / max(float(np.linalg.norm(way)), 1e-300), float(lengths.sum())
    force = 0.5 * pulls.sum(axis=0) + whole * along

    def energy(force: Vector) -> float:
        size = np.linalg.norm(force - passed, axis=1)
        return float(weight @ (np.hypot(size, SLACK * whole) + 0.5 * give * size**2) - force @ way)

    for _ in range(PATIENCE):
        tension = force - passed
        size = np.hypot(np.linalg.norm(tension, axis=1), SLACK * whole)
        steps = (weight * (1.0 / size + give))[:, None] * tension
        missed = steps.sum(axis=0) - way
        if np.linalg.norm(missed) <= CLOSE * total:
            return np.cumsum(steps.reshape(len(spans), -1, 3).sum(axis=1), axis=0)
        if np.linalg.norm(force) > MOST * whole:
            return None
        bends = np.einsum("q,qi,qj->ij", weight / size**3, tension, tension)
        slope = (weight @ (1.0 / size + give)) * np.eye(3) - bends
        step = -np.linalg.solve(slope, missed)
        here, promised, reach = energy(force), float(missed @ step), 1.0
        while energy(force + reach * step) > here + SERVES * reach * promised and reach > SHORTEST:
            reach *= 0.5
        force = force + reach * step
    return None
