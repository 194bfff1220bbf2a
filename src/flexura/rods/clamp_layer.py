"""How a rod under tension turns at a clamp to the direction of the cord that it is beyond.

Under a tension T it is the elastica that comes in from infinity: with the distance σ from the clamp
and the stretch λ,

    EI θ'' = λ T sin θ,    tan θ/4 = tan θ₀/4 exp(-σ/l),    l = √(EI/λT)         (theory 8.2)
"""

import math
from dataclasses import dataclass

import numpy as np

from flexura.lie import so3
from flexura.typing import Array, Vector


@dataclass(frozen=True)
class ClampLayer:
    """What the clamp at one end adds to a cord, in axes that do not turn.

    Attributes:
        place: arc length of the clamp [m].
        sense: +1 at the base, -1 at the tip.
        turn: from the clamp's direction to the cord's, θ₀ about an axis [rad].
        tangent: of the cord at the clamp.
        decay: l [m].
        stretch: λ.
    """

    place: float
    sense: float
    turn: Vector
    tangent: Vector
    decay: float
    stretch: float

    def rotations(self, s: Array) -> Array:
        """By which the sections of the cord are turned, (n, 3, 3)."""
        return np.asarray(so3.exp(-np.outer(self._angle(s), self._axis)))

    def bend(self, s: Array) -> Array:
        """What it adds to the curvature [1/m], (n, 3)."""
        return np.outer(self.sense * 2.0 / self.decay * np.sin(0.5 * self._angle(s)), self._axis)

    def shift(self, s: Array) -> Array:
        """What it adds to places: nothing but near the clamp [m], (n, 3)."""
        half, aside = 0.5 * self._angle(s), np.cross(self._axis, self.tangent)
        way = np.outer(1.0 - np.cos(half), self.tangent) + np.outer(np.sin(half), aside)
        return np.asarray(self.sense * 2.0 * self.decay * self.stretch * way)

    @property
    def _axis(self) -> Vector:
        size = float(np.linalg.norm(self.turn))
        return self.turn / size if size > 0.0 else self.turn

    def _angle(self, s: Array) -> Array:
        """θ, no more than π."""
        first = math.tan(0.25 * float(np.linalg.norm(self.turn)))
        return np.asarray(4.0 * np.arctan(first * np.exp(-np.abs(s - self.place) / self.decay)))
