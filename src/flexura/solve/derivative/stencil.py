"""Differences of fourth order, on both sides or on one."""

from collections.abc import Callable
from typing import NamedTuple, TypeVar

import numpy as np

from flexura.typing import Array

T = TypeVar("T")


class Stencil(NamedTuple):
    """Where to look, in steps, and the weights of what is found there over the step."""

    places: tuple[int, ...]
    weights: tuple[float, ...]

    def slope(self, values: list[Array], step: float) -> Array:
        """The derivative, from the values at its places."""
        pairs = zip(self.weights, values, strict=True)
        return np.asarray(sum(weight * value for weight, value in pairs) / step)

    def of(self, function: Callable[[float], Array], step: float) -> Array:
        """The derivative of a function of a number at zero."""
        return self.slope([function(place * step) for place in self.places], step)


CENTRAL = Stencil((-2, -1, 1, 2), (1 / 12, -8 / 12, 8 / 12, -1 / 12))
FORWARD = Stencil((0, 1, 2, 3, 4), (-25 / 12, 48 / 12, -36 / 12, 16 / 12, -3 / 12))
BACKWARD = Stencil((0, -1, -2, -3, -4), (25 / 12, -48 / 12, 36 / 12, -16 / 12, 3 / 12))
EVERY = (CENTRAL, FORWARD, BACKWARD)
