"""Tendons of a serial chain in numbers without units: where they run, and what drives them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.polynomial.chebyshev import chebval
from numpy.polynomial.legendre import leggauss

from flexura.continuous.segment_law import Strands
from flexura.continuous.table import Panel
from flexura.errors import ModelError
from flexura.robot import Robot
from flexura.robot.tendon import Stretch
from flexura.typing import Array, Indices

# Where lengths at rest are summed, on each panel: its series have 17 terms.
_POINTS, _WEIGHTS = leggauss(40)


@dataclass(frozen=True)
class Drive:
    """What drives the tendons of a chain.

    Attributes:
        tension: of all tendons, zero where it is unknown, (t,).
        unknown: the tendons that are driven by their length, (u,).
        own: what is left of their own lengths, l0 minus the shortening, (u,).
        flexibility: their 1 / EA, zero for those that do not stretch, (u,).
        gap: what they are long between rods, (u,).
    """

    tension: Array
    unknown: Indices
    own: Array
    flexibility: Array
    gap: Array

    def tensions(self, unknown: Array) -> Array:
        """Tensions of all tendons, (t,), from the unknown ones, (u,)."""
        tension = self.tension.copy()
        tension[self.unknown] = unknown
        return tension

    def excess(self, length: Array, unknown: Array) -> Array:
        """How much too long the ways of tendons are that are driven by their length, (u,).

            l - (l0 - shortening) (1 + τ / EA) ≤ 0, and zero where τ > 0               (theory 9.5)

        Args:
            length: of all tendons along the rods, (t,).
            unknown: tensions τ of those that are driven by their length, (u,).
        """
        own = self.own * (1.0 + self.flexibility * unknown)
        return np.asarray(length[self.unknown] + self.gap - own)

    def energy(self, unknown: Array) -> float:
        """Strain energy of elastic tendons under unknown tensions τ, (u,)."""
        return float(0.5 * np.sum(self.own * self.flexibility * unknown**2))


def stretches(robot: Robot) -> list[tuple[int, Stretch]]:
    """The smooth parts of all tendons, with the number of their tendon.

    Raises:
        ModelError: for a tendon through the holes of discs.
    """
    rods = robot.graph.rods
    for tendon in robot.tendons:
        if tendon.holes(rods):
            raise ModelError(
                f"shooting knows tendons that touch their rods everywhere; {tendon.name!r} is "
                "straight between discs, which ties distant points together: use "
                "statics(build(robot, rods=...))"
            )
    return [
        (number, stretch)
        for number, tendon in enumerate(robot.tendons)
        for stretch in tendon.stretches(rods)
    ]


def strands_of(panels: Sequence[Panel], unknown: Indices, tendons: int, length: float) -> Strands:
    """The strands of all panels, without tension.

    Args:
        panels: of the chain.
        unknown: the tendons whose tension is unknown, (u,).
        tendons: how many tendons there are.
        length: unit of length [m].
    """
    first = np.cumsum([0, *(len(panel.tendons) for panel in panels)])
    series = np.zeros((first[-1], max(len(panel.offset) for panel in panels), 4))
    for begin, panel in zip(first, panels, strict=False):
        own = panel.offset.transpose(1, 0, 2)
        series[begin : begin + len(own), : own.shape[1]] = own
    series[:, :, :2] /= length
    number = np.full(tendons, -1)
    number[unknown] = np.arange(len(unknown))
    tendon = np.array([i for panel in panels for i in panel.tendons], dtype=np.int64)
    return Strands(first, tendon, number[tendon], series, np.zeros(tendons))


def rest_lengths(panel: Panel) -> Array:
    """Lengths of the tendons in a panel of an unloaded rod, ∫ |ν* + κ* × D + D'| ds [m], (t,)."""
    rest = chebval(_POINTS, panel.section[:, 6:])
    y, z, dy, dz = np.moveaxis(chebval(_POINTS, panel.offset), 1, 0)
    gamma = (
        rest[3] + rest[1] * z - rest[2] * y,
        rest[4] - rest[0] * z + dy,
        rest[5] + rest[0] * y + dz,
    )
    length = 0.5 * (panel.end - panel.begin) * np.linalg.norm(gamma, axis=0) @ _WEIGHTS
    return np.asarray(length)
