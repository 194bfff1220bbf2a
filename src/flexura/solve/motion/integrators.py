"""Integrators: how positions, velocities and accelerations belong together over a step."""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple, TypeAlias

import numpy as np

from flexura.robot.check import assign, bad, finite
from flexura.typing import Array, frozen


class Scheme(NamedTuple):
    """A step of given length: rates at its end from its displacement d and rates at its beginning.

    (v, v̇, a) ↦ gain d + carry (v, v̇, a), with a the mean acceleration that generalised-alpha
    carries along.

    Attributes:
        gain: (3,).
        carry: (3, 3).
    """

    gain: Array
    carry: Array


@dataclass(frozen=True)
class GeneralizedAlpha:
    """Generalised-alpha on Lie groups [Arnold2007, Bruls2010]: implicit, of second order.

    Attributes:
        rho: what is left, step by step, of oscillations too fast for the step: 1 keeps all (the
            trapezoidal rule), 0 lets none pass. Below 1 where joints or lengths hold the robot.
    """

    rho: float = 0.9
    order: ClassVar[int] = 2

    def __post_init__(self) -> None:
        rho = finite("GeneralizedAlpha", "rho", self.rho)
        if not 0.0 <= rho <= 1.0:
            raise bad("GeneralizedAlpha", "rho", "from 0 to 1", self.rho, "0.9 damps a little")
        assign(self, rho=rho)

    def scheme(self, h: float) -> Scheme:
        """A step of length h [s].

        d = h v + h² ((½ - β) a₀ + β a),  v₁ = v + h ((1 - γ) a₀ + γ a),
        (1 - α_m) a + α_m a₀ = (1 - α_f) v̇₁ + α_f v̇₀
        """
        am, af = (2.0 * self.rho - 1.0) / (self.rho + 1.0), self.rho / (self.rho + 1.0)
        gamma = 0.5 + af - am
        beta = 0.25 * (gamma + 0.5) ** 2
        mean = np.array([-1.0 / (beta * h), 0.0, 1.0 - 0.5 / beta])  # a of (v, v̇₀, a₀)
        gain = np.array([gamma * h, (1.0 - am) / (1.0 - af), 1.0]) / (beta * h * h)
        velocity = np.array([1.0, 0.0, (1.0 - gamma) * h]) + gamma * h * mean
        acceleration = ((1.0 - am) * mean + np.array([0.0, -af, am])) / (1.0 - af)
        return Scheme(frozen(gain), frozen(np.array([velocity, acceleration, mean])))

    def local_error(self, h: float, before: Array, after: Array) -> Array:
        """Error of the displacement of a step, from rates at its beginning and end, (n,).

        (β - 1/6) h² (a - a₀): what is left of the third derivative.
        """
        left = 1.0 / float(self.scheme(h).gain[2]) - h * h / 6.0
        return np.asarray(left * (after[2] - before[2]))

    def resized(self, rates: Array, ratio: float) -> Array:
        """Rates for steps so many times as long: a is as far in time from v̇ as a step is long."""
        found = rates.copy()
        found[2] = rates[1] + ratio * (rates[2] - rates[1])
        return found


@dataclass(frozen=True)
class ImplicitEuler:
    """v₁ = d/h, v̇₁ = (v₁ - v)/h: of first order, it damps all that moves."""

    order: ClassVar[int] = 1

    def scheme(self, h: float) -> Scheme:
        """A step of length h [s]."""
        rate = np.array([-1.0 / h, 0.0, 0.0])
        gain = np.array([1.0 / h, 1.0 / h**2, 1.0 / h**2])
        return Scheme(frozen(gain), frozen(np.array([np.zeros(3), rate, rate])))

    def local_error(self, h: float, before: Array, after: Array) -> Array:
        """Error of the displacement of a step, from rates at its beginning and end, (n,)."""
        return np.asarray(0.5 * h * h * after[1])

    def resized(self, rates: Array, ratio: float) -> Array:
        """Rates for steps so many times as long: the same."""
        return rates


@dataclass(frozen=True)
class Variational:
    """The symmetric variational integrator [MarsdenWest2001]: implicit, second order, symplectic.

    What is conserved stays so to rounding; energy oscillates and does not drift.
    """


@dataclass(frozen=True)
class SymplecticEuler:
    """The variational integrator with forces from the beginning of a step: of first order.

    A step must be shorter than 2 over the highest angular frequency of the robot.
    """


AnyIntegrator: TypeAlias = GeneralizedAlpha | Variational | SymplecticEuler | ImplicitEuler
