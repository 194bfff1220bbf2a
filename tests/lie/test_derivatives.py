"""Tangents and their derivatives by the order of the Taylor remainder."""

import numpy as np
import pytest

from flexura.lie import se3, so3

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


GROUPS = pytest.mark.parametrize(("group", "n"), [(so3, 3), (se3, 6)], ids=["so3", "se3"])


@GROUPS
@pytest.mark.parametrize("angle", ANGLES)
@pytest.mark.parametrize("side", ["", "_left"])
def test_tangent(group, n, angle, side):
    x, y, _ = sample(n, angle)
    tangent = getattr(group, f"dexp{side}")(x)

    def remainder(h):
        g, back = group.exp(x + h * y), group.inverse(group.exp(x))
        step = g @ back if side else back @ g
        return group.log(step) - h * tangent @ y

    assert order(remainder) > 1.9


@GROUPS
@pytest.mark.parametrize("angle", ANGLES)
@pytest.mark.parametrize("suffix", ["", "inv"])
def test_derivative_of_tangent(group, n, angle, suffix):
    x, y, mu = sample(n, angle, seed=1)
    tangent = getattr(group, f"dexp{suffix}")
    N = getattr(group, f"dexp{suffix}_derivative")(x, mu)

    def remainder(h):
        return mu @ (tangent(x + h * y) - tangent(x)) - h * y @ N

    assert order(remainder) > 1.9
