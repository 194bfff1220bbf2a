"""The exponential of a strain that changes along its way: the expansion of Magnus."""

import numpy as np

from flexura.lie import se3
from flexura.lie.stack import Kind, checked
from flexura.typing import ArrayLike, Twist, frozen

# Gauss-Legendre points of a step, as parts of it.
POINTS = frozen(0.5 + np.array([-1.0, 0.0, 1.0]) * np.sqrt(0.15))
TWISTS = Kind((len(POINTS), 6))


def magnus(twists: ArrayLike) -> Twist:
    """Twist of a step with strains that change along it, to sixth order.

        g' = g ξ̂,   g(h) = g(0) exp(Ω),
        Ω = a + c/12 + [20a + c + [a, b], b + [a, 2c - [a, b]]/60]/240,
        a = x_2,   b = √15/3 (x_3 - x_1),   c = 10/3 (x_3 - 2 x_2 + x_1)

    with x_i = h ξ at the places ``POINTS`` of the step, and an error of h⁷.

    Args:
        twists: x_i [rad, m], shape (..., 3, 6).

    Returns:
        Ω [rad, m], shape (..., 6).

    Reference: [Blanes2009], with the signs of a strain in the body frame.
    """
    first, a, third = np.moveaxis(checked("magnus: twists", twists, TWISTS), -2, 0)
    b, c = np.sqrt(15.0) / 3.0 * (third - first), 10.0 / 3.0 * (third - 2.0 * a + first)
    ab = _bracket(a, b)
    outer = _bracket(20.0 * a + c + ab, b + _bracket(a, 2.0 * c - ab) / 60.0)
    return np.asarray(a + c / 12.0 + outer / 240.0)


def _bracket(x: Twist, y: Twist) -> Twist:
    """[x, y] of twists, (..., 6)."""
    return np.asarray(np.einsum("...ij,...j->...i", se3.ad(x), y))
