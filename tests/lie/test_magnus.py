"""Steps along strains that change, against motions whose strain is known."""

import numpy as np
import pytest

from flexura.errors import ModelError
from flexura.lie import se3
from flexura.lie.magnus import POINTS, magnus

rng = np.random.default_rng(7)
A, B = rng.standard_normal((2, 6))


def strain(s):
    """Of g(s) = exp(s A) exp(s B): g⁻¹ g' = Ad(exp(-s B)) A + B."""
    return se3.Ad(se3.exp(-s[..., None] * B)) @ A + B


def reached(steps):
    """The pose at s = 1 after equal steps."""
    s = (np.arange(steps)[:, None] + POINTS) / steps
    g = np.eye(4)
    for step in se3.exp(magnus(strain(s) / steps)):
        g = g @ step
    return g


def test_the_order_is_six():
    exact = se3.exp(A) @ se3.exp(B)
    errors = [np.abs(reached(n) - exact).max() for n in (8, 16, 32)]
    assert errors[0] < 1e-6
    np.testing.assert_allclose(np.log2(errors[:-1]) - np.log2(errors[1:]), 6.0, atol=0.15)


def test_constant_strains_are_exact():
    np.testing.assert_array_equal(magnus([A, A, A]), A)


def test_stacks():
    x = rng.standard_normal((4, 5, 3, 6))
    found = magnus(x)
    assert found.shape == (4, 5, 6)
    np.testing.assert_allclose(found[2, 3], magnus(x[2, 3]), rtol=1e-13)


@pytest.mark.parametrize("bad", [np.zeros((2, 6)), np.zeros(6), [[np.nan] * 6] * 3, "abc"])
def test_what_is_no_stack_of_three_twists(bad):
    with pytest.raises(ModelError, match="magnus: twists must"):
        magnus(bad)
