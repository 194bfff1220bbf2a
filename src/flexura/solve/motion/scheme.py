"""A step of an integrator that takes an equilibrium with inertia at its end."""

from typing import NamedTuple, Protocol

import numpy as np

from flexura.typing import Array, frozen


class Scheme(NamedTuple):
    """A step of given length: rates at its end from its displacement d and rates at its beginning.

    (v, v̇, a) ↦ gain d + carry (v, v̇, a), with a the mean acceleration that generalised-alpha
    carries along.

    Attributes:
        gain: (3,).
        carry: (3, 3).
        in_space: whether frames carry their momenta along in space, not in themselves (``Past``).
    """

    gain: Array
    carry: Array
    in_space: bool = False

    @classmethod
    def implicit_euler(cls, h: float) -> "Scheme":
        """v₁ = d/h, v̇₁ = (v₁ - v)/h, for a step of length h [s].

        In frames that turn by ω h, what they carried along in themselves would brake all that they
        do by ω² h / 2 a second.
        """
        rate = np.array([-1.0 / h, 0.0, 0.0])
        gain = np.array([1.0 / h, 1.0 / h**2, 1.0 / h**2])
        return cls(frozen(gain), frozen(np.array([np.zeros(3), rate, rate])), in_space=True)


class Rule(Protocol):
    """What makes schemes, for steps of any length."""

    def scheme(self, h: float) -> Scheme:
        """A step of length h [s]."""

    def calmed(self, rates: Array, h: float, jerk: Array) -> Array:
        """Rates at the beginning with which nothing rings whose way is given.

        Args:
            rates: velocities and accelerations, (3, n).
            h: length of the steps [s].
            jerk: rates of the accelerations of what is led, zero for all else, (n,).
        """

    def resized(self, rates: Array, ratio: float) -> Array:
        """Rates for steps so many times as long."""
