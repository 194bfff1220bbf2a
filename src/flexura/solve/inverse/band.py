"""Forces that have limits: tensions of tendons, and what contacts press with."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from flexura.typing import Array

# Forces this close to a limit, relative to its size, are there.
TOUCHING = 1e-6


@dataclass(frozen=True, eq=False)
class Band:
    """Limits of forces.

    Attributes:
        labels: how they are called.
        least, most: [N], (k,).
        unit: a small force of the robot [N], which limits of zero are judged by.
    """

    labels: tuple[str, ...]
    least: Array
    most: Array
    unit: float

    def active(self, now: Array) -> dict[str, str]:
        """Limits that hold or are broken, and which, with forces [N], (k,)."""
        if not self.labels:
            return {}
        low = self._beyond(self.least, self.least - now)
        high = self._beyond(self.most, now - self.most)
        found = {}
        for label, below, above in zip(self.labels, low, high, strict=True):
            if below >= -1.0:
                found[label] = "lower" if below <= 1.0 else "below"
            elif above >= -1.0:
                found[label] = "upper" if above <= 1.0 else "above"
        return found

    def off(self, now: Array) -> Iterator[tuple[int, str, float, float]]:
        """Limits that are broken, with forces [N]: which, the side, the limit, by how much [N]."""
        for label, side in self.active(now).items():
            if side in ("below", "above"):
                i = self.labels.index(label)
                limit = float((self.least if side == "below" else self.most)[i])
                yield i, side, limit, abs(float(now[i]) - limit)

    def broken(self, now: Array) -> float:
        """By how much limits are broken in all [N], with forces [N], (k,); 0 if they are kept."""
        if not self.labels:
            return 0.0
        below, above = self.least - now, now - self.most
        below = np.where(self._beyond(self.least, below) > 1.0, below, 0.0)
        above = np.where(self._beyond(self.most, above) > 1.0, above, 0.0)
        return float((below + above).sum())

    def _beyond(self, limit: Array, by: Array) -> Array:
        """Forces beyond a limit over what is none, (k,)."""
        known = np.isfinite(limit) & (limit > 0.0)
        return by / (TOUCHING * np.where(known, limit, self.unit))
