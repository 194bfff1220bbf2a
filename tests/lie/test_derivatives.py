"""Tangents and their derivatives by the order of the Taylor remainder."""

import numpy as np
import pytest

from flexura.lie import cayley, se3, so3

STEPS = 1e-2, 1e-3
ANGLES = 1e-3, 0.7, 1.9, 3.0, 4.5


def sample(n, angle, seed=0):
    """A base point that turns by ``angle``, a direction and a covector, of size 1."""
    x, y, mu = np.random.default_rng(seed).standard_normal((3, n))
    x[:3] *= angle / np.linalg.norm(x[:3])
    return x, y, mu


def order(remainder):
    """Slope of the logarithm of a remainder over the logarithm of the step."""
    far, near = (np.max(np.abs(remainder(h))) for h in STEPS)
    return np.log10(far / near)


MAPS = pytest.mark.parametrize(
    ("maps", "group", "name", "n"),
    [
        (so3, so3, "exp", 3),
        (se3, se3, "exp", 6),
        (cayley.so3, so3, "cay", 3),
        (cayley.se3, se3, "cay", 6),
    ],
    ids=["so3", "se3", "cayley-so3", "cayley-se3"],
)


@MAPS
@pytest.mark.parametrize("angle", ANGLES)
@pytest.mark.parametrize("side", ["", "_left"])
def test_tangent(maps, group, name, n, angle, side):
    x, y, _ = sample(n, angle)
    retract, tangent = getattr(maps, name), getattr(maps, f"d{name}{side}")(x)

    def remainder(h):
        g, back = retract(x + h * y), group.inverse(retract(x))
        step = g @ back if side else back @ g
        return group.log(step) - h * tangent @ y

    assert order(remainder) > 1.9


@MAPS
@pytest.mark.parametrize("angle", ANGLES)
@pytest.mark.parametrize("suffix", ["", "inv"])
def test_derivative_of_tangent(maps, group, name, n, angle, suffix):
    x, y, mu = sample(n, angle, seed=1)
    tangent = getattr(maps, f"d{name}{suffix}")
    N = getattr(maps, f"d{name}{suffix}_derivative")(x, mu)

    def remainder(h):
        return mu @ (tangent(x + h * y) - tangent(x)) - h * y @ N

    assert order(remainder) > 1.9
