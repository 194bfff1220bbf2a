"""Colours and fonts of pictures and plots."""

from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.colors import LinearSegmentedColormap, ListedColormap, to_hex, to_rgb

INK = "#2b303a"
FAINT = "#7d8591"
PALETTE = ("#4878a8", "#d08a3e", "#5a9e6f", "#a7639a", "#c25b56", "#7f7f7f")
COLORS = {
    "force": "#c8322b",
    "moment": "#7b3fa0",
    "gravity": "#4a515c",
    "rod": INK,
    "tendon": INK,
    "motor": INK,
    "scale": FAINT,
}
AXIS_COLORS = ("#d8352a", "#3a9c3a", "#2f62c9")
TENDONS = ("#e8590c", "#d6246e", "#1c8fd9", "#7a4b2a", "#c98a00", "#3b4a66")
PALE = 0.6  # white in the colour of a tendon that does not pull
HOLDER = "#8d949f"
BODY = "#a6aeb9"
EDGE = "#79818d"
JOINT = "#5d6673"
DISC = "#b2bbc7"
GHOST = "#9aa3b0"
GRID = "#c9ced6"
SHADOW = "#d3d8df"
BACKGROUND = ("#ffffff", "#e6ebf2")  # bottom, top
SIGNED = ("#1f4fbf", "#6a97e3", "#a3a8ae", "#ef8a62", "#b3202c")

# The font of the plots: it has Greek letters and the signs of units.
FONT = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"


def tendon_color(number: int, taut: bool) -> str:
    """The colour of a tendon by its number in the robot, paler if it does not pull."""
    color = np.array(to_rgb(TENDONS[number % len(TENDONS)]))
    return to_hex(color if taut else color + PALE * (1.0 - color))


def color_map(signed: bool) -> Any:
    """A diverging map about zero for signed values, else one from dark to bright.

    Both keep away from the colour of the background and from black, which hides the shading.
    """
    if signed:
        return LinearSegmentedColormap.from_list("signed", SIGNED)
    return ListedColormap(matplotlib.colormaps["viridis"](np.linspace(0.18, 1.0, 256)))
