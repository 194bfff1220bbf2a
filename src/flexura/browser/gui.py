"""Small parts of panels."""

import math
from typing import Any

import numpy as np

from flexura.typing import Array

STROKE = "#4878a8"


class Chart:
    """One number over another."""

    def __init__(self, gui: Any) -> None:
        self._plot = gui.add_uplot(
            (np.zeros(2), np.zeros(2)),
            _series("", ""),
            scales={"x": {"time": False}},
            aspect=1.6,
            visible=False,
        )

    def draw(self, x: Array, y: Array, across: str, up: str) -> None:
        """Show y over x, and what they are."""
        self._plot.data, self._plot.series = (x, y), _series(across, up)
        if not self._plot.visible:
            self._plot.visible = True


def offer(handle: Any, options: tuple[str, ...]) -> None:
    """Let users choose from these; a choice that is among them stays."""
    if handle.options != options:
        handle.options = options


def offers(handle: Any, value: object) -> bool:
    """Whether a value is one that users of a page can choose."""
    if hasattr(handle, "options"):
        return value in handle.options
    if isinstance(handle.value, bool) or not hasattr(handle, "min"):
        return True
    if not isinstance(value, int | float) or not math.isfinite(value):
        return False
    low, high = handle.min, handle.max
    return (low is None or low <= value) and (high is None or value <= high)


def _series(across: str, up: str) -> tuple[dict[str, str], ...]:
    return {"label": across}, {"label": up, "stroke": STROKE}
