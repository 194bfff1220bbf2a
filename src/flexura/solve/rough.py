"""What is too coarse to be the shape of a rod: one rule for all results.

Rods whose positions may be wrong by more than a part of their own length are, and need to be finer
by as much as takes that error out, were it one of second order.
"""

from collections.abc import Mapping
from math import sqrt

from flexura.model.model import Model

# Positions are wrong by no more than this part of the length.
ROUGH = 0.02
# Rods that should be finer should be so by this at least, and by this at most at once.
FINER, MOST = 1.5, 10.0


def rough_rods(model: Model, errors: Mapping[str, float]) -> dict[str, float]:
    """How many times as fine rods should be that are wrong by too much, by name.

    Args:
        model: the rods.
        errors: of the positions of each [m].
    """
    parts = {name: error / model.places[name].rod.length for name, error in errors.items()}
    return {name: finer(part) for name, part in parts.items() if not part <= ROUGH}


def finer(part: float) -> float:
    """How many times as fine a rod should be that is wrong by a part of its length."""
    return min(max(FINER, sqrt(part / ROUGH)), MOST)
