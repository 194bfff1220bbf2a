"""The elastic catenary: how a cord of constant weight w hangs in its plane between two points.

Its tension is (w a, w σ), with σ the arc length from the lowest point. With ε = w/EA and the
lowest point at arc length b,

    x = a asinh(σ/a) + ε a s,    z = t + ε t²/2,    t = √(a² + σ²),    σ = s - b

[Irvine1981, chapter 1]. The way (X, Z) to its end is the slope of a convex function of a and b,
∫ (t + ε t²/2) ds, so that Newton's method finds them from any good guess.
"""

import math
from dataclasses import dataclass

import numpy as np

from flexura.typing import Array

# From here on, ends over the length, a cord begins as a line that is stretched, by this at least.
TAUT, STRETCHED = 0.999, 1e-3
# A tension of so many times the weight makes a cord straight.
STRAIGHT = 1e6
ITERATIONS = 60
# An end is met where it is missed by no more than this part of the length; where rounding of a
# large tension keeps it from that, by no more than the second.
MET, NEARLY = 1e-13, 1e-8


@dataclass(frozen=True)
class Catenary:
    """A cord in its plane.

    Attributes:
        a: tension across the load, over the load [m].
        lowest: b, perhaps outside of the cord [m].
        give: ε [1/m], nothing for a cord that does not stretch.
    """

    a: float
    lowest: float
    give: float

    def places(self, s: Array) -> tuple[Array, Array]:
        """x and z at arc lengths s, from the base on [m]."""
        a, give, begin, along = self.a, self.give, -self.lowest, s - self.lowest
        x = a * (np.arcsinh(along / a) - np.arcsinh(begin / a)) + give * a * s
        z = np.hypot(a, along) - np.hypot(a, begin) + 0.5 * give * (along**2 - begin**2)
        return x, z

    def angle(self, s: Array) -> Array:
        """Angle of the tangent above x [rad]."""
        return self.pull(s)

    def pull(self, s: Array) -> Array:
        """Angle of the tension above x, which balances the load [rad]."""
        return np.arctan((s - self.lowest) / self.a)

    def bend(self, s: Array) -> Array:
        """Curvature, by arc length at rest [1/m]."""
        return np.asarray(self.a / (self.a**2 + (s - self.lowest) ** 2))

    def tension(self, s: Array) -> Array:
        """Tension over the load [m]."""
        return np.hypot(self.a, s - self.lowest)


def catenary_to(length: float, x: float, z: float, give: float) -> Catenary | None:
    """The catenary from the origin to a point; None where it is straight, or cannot get there.

    Args:
        length: of the cord at rest [m].
        x: across the load, more than nothing [m].
        z: against the load [m].
        give: ε [1/m].
    """
    if give == 0.0 and math.hypot(x, z) >= length:
        return None
    a, b = _guess(length, x, z, give)
    miss = math.inf
    for _ in range(ITERATIONS):
        begin, end = -b, length - b
        t0, t1 = math.hypot(a, begin), math.hypot(a, end)
        turn, slope = math.asinh(end / a) - math.asinh(begin / a), end / t1 - begin / t0
        miss_x = a * turn + give * a * length - x
        miss_z = t1 - t0 + 0.5 * give * (end**2 - begin**2) - z
        miss = max(abs(miss_x), abs(miss_z))
        if miss <= MET * length:
            break
        aa, bb = turn - slope + give * length, slope + give * length
        ab = a / t0 - a / t1
        square = aa * bb - ab * ab
        if square <= 0.0:  # as straight as numbers tell
            return None
        scale = 1.0 / square
        a_step = -scale * (bb * miss_x + ab * miss_z)
        b_step = scale * (aa * miss_z + ab * miss_x)
        part = min(1.0, 0.9 * a / max(-a_step, 1e-300))
        a, b = a + part * a_step, b + part * b_step
    least = math.hypot(a, max(-b, b - length, 0.0))
    met = miss <= NEARLY * length
    return Catenary(a, b, give) if met and least < STRAIGHT * length else None


def _guess(length: float, x: float, z: float, give: float) -> tuple[float, float]:
    """a and b: of a cord that does not stretch, or of a line that does."""
    apart = math.hypot(x, z)
    if apart >= TAUT * length and give > 0.0:
        pull = max(apart / length - 1.0, STRETCHED) / (give * apart)
        return pull * x, 0.5 * length - pull * z
    # sinh(y) / y = r, nearly
    r = max(math.sqrt(length**2 - z**2) / x, 1.0 + 1e-12)
    y = math.sqrt(6.0 * (r - 1.0)) if r < 3.0 else math.log(2.0 * r * math.log(2.0 * r))
    a = 0.5 * x / y
    return a, -a * math.sinh(math.atanh(z / length) - y)
