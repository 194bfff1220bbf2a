"""Schemes against polynomials of time, for which rates are known."""

import numpy as np
import pytest

import flexura as fx

H = 0.01


def led(integrator, rates, steps, begin=0.0):
    """Rates after each of some steps along d = t³/6; the third one is that of a whole motion."""
    t, found = begin, []
    for h in steps:
        d = ((t + h) ** 3 - t**3) / 6.0
        scheme = integrator.scheme(h)
        rates = scheme.gain[:, None] * d + scheme.carry @ rates
        t += h
        found.append((t, rates))
    return found


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.9, 1.0])
def test_what_is_led_does_not_ring(rho):
    """With a jerk of one: accelerations are t, to rounding over h²."""
    integrator = fx.GeneralizedAlpha(rho)
    calm = integrator.calmed(np.zeros((3, 1)), H, np.ones(1))
    assert calm[1, 0] == 0.0
    for t, rates in led(integrator, calm, 50 * [H]):
        assert rates[1, 0] == pytest.approx(t, abs=1e-9)
        assert rates[0, 0] - 0.5 * t**2 == pytest.approx(calm[0, 0], abs=1e-11)


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("ratio", [0.5, 2.0])
def test_mean_accelerations_of_other_steps(rho, ratio):
    """a lies (α_m - α_f) h beyond v̇, so that it is as calm with steps of another length."""
    integrator = fx.GeneralizedAlpha(rho)
    calm = [integrator.calmed(np.zeros((3, 1)), h, np.ones(1)) for h in (H, ratio * H)]
    np.testing.assert_allclose(integrator.resized(calm[0], ratio)[2], calm[1][2], atol=1e-16)


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.9, 1.0])
def test_local_error_of_generalised_alpha(rho):
    """A free motion with constant jerk, from exact rates: v̇ = t, so that a is known."""
    integrator = fx.GeneralizedAlpha(rho)
    am, af = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
    before = np.array([[0.0], [0.0], [(am - af) * H]])
    after = np.array([[0.5 * H**2], [H], [H + (am - af) * H]])
    gamma = 0.5 + af - am
    beta = 0.25 * (gamma + 0.5) ** 2
    way = H**2 * ((0.5 - beta) * before[2] + beta * after[2])
    # Of its mean acceleration (½ + Δ) h² a part Δ/2 h³ is what a lies beyond v̇, no error.
    error = way - H**3 / 6.0 - 0.5 * (am - af) * H**3
    np.testing.assert_allclose(integrator.local_error(H, before, after), error, rtol=1e-12)


def test_local_error_of_implicit_euler():
    """v₁ = d/h and v̇₁ = (v₁ - v₀)/h from rest, with an acceleration of one: d = h², not h²/2."""
    after = np.array([[H], [1.0], [1.0]])
    error = fx.ImplicitEuler().local_error(H, np.zeros((3, 1)), after)
    np.testing.assert_allclose(error, H**2 - 0.5 * H**2, rtol=1e-15)
