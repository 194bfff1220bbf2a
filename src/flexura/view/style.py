"""Colours and fonts of pictures and plots."""

import colorsys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from flexura.typing import Array
from flexura.view.primitive import SurfaceRole

INK = "#2b303a"
FAINT = "#7d8591"
PALETTE = ("#4878a8", "#d08a3e", "#5a9e6f", "#a7639a", "#c25b56", "#7f7f7f")
COLORS = {
    "force": "#c8322b",
    "moment": "#7b3fa0",
    "gravity": "#4a515c",
    "contact": "#00796b",
    "rod": INK,
    "tendon": INK,
    "line": INK,
    "motor": INK,
    "result": INK,
    "scale": FAINT,
}
AXIS_COLORS = ("#d8352a", "#3a9c3a", "#2f62c9")
TENDONS = (
    *("#e8590c", "#d6246e", "#1c8fd9", "#7a4b2a", "#c98a00", "#3b4a66"),
    *("#7a3fe0", "#8f1d2c", "#c05fd0", "#2b9a3e", "#7d8f00", "#00a59a"),
)
GOLDEN = 0.6180339887498949  # (√5 − 1) / 2
PALE = 0.6  # white in the colour of a tendon that does not pull
HOLDER = "#8d949f"
BODY = "#a6aeb9"
EDGE = "#79818d"
JOINT = "#5d6673"
DISC = "#b2bbc7"
GHOST = "#9aa3b0"
GRID = "#c9ced6"
SHADOW = "#d3d8df"


@dataclass(frozen=True)
class Finish:
    """How surfaces of a role look.

    Attributes:
        color: of those that have none of their own.
        opacity: a factor of their own.
        solid: whether they have a shadow.
        edged: whether their edges are drawn.
        lit: whether light shades them.
    """

    color: str
    opacity: float = 1.0
    solid: bool = False
    edged: bool = False
    lit: bool = True


FINISHES: Mapping[SurfaceRole, Finish] = MappingProxyType(
    {
        "rod": Finish(BODY, solid=True),
        "ghost": Finish(GHOST, opacity=0.22),
        "holder": Finish(HOLDER),
        "body": Finish(BODY, solid=True, edged=True),
        "wheel": Finish(BODY, solid=True, edged=True),
        "joint": Finish(JOINT, solid=True),
        "disc": Finish(DISC, opacity=0.55, solid=True, edged=True),
        "tendon": Finish(INK, lit=False),
        "load": Finish(COLORS["force"]),
        "axis": Finish(INK),
    }
)
# At the bottom and at the top; one colour has no top, as renderers dither from one to another.
BACKGROUNDS = {"sky": ("#ffffff", "#e6ebf2"), "white": ("#ffffff", None)}
# Colours of values, from the smallest to the largest; those without a sign are viridis without its
# darkest part.
UNSIGNED = (
    *("#433e85", "#38588c", "#2e6f8e", "#25858e", "#1e9b8a"),
    *("#2ab07f", "#52c569", "#86d549", "#c2df23", "#fde725"),
)
SIGNED = ("#1f4fbf", "#6a97e3", "#a3a8ae", "#ef8a62", "#b3202c")


def distinct(palette: Sequence[str], number: int) -> str:
    """A colour of its own for every number: of a palette first, then others without end.

    Hues go on by the golden ratio, which never comes back to where it was; every other one is
    darker.
    """
    if number < len(palette):
        return palette[number]
    beyond = number - len(palette)
    hue, light = (0.07 + GOLDEN * beyond) % 1.0, (0.5, 0.34)[beyond % 2]
    return _hex(colorsys.hls_to_rgb(hue, light, 0.62))


def tendon_color(number: int, taut: bool) -> str:
    """The colour of a tendon by its number in the robot, paler if it does not pull."""
    color = distinct(TENDONS, number)
    return color if taut else _hex([c + PALE * (1.0 - c) for c in channels(color) / 255.0])


def channels(color: str) -> Array:
    """Red, green and blue of a colour, from 0 to 255, (3,)."""
    return np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)], dtype=np.float64)


def _hex(channels: Iterable[float]) -> str:
    """Red, green and blue from 0 to 1 as a colour."""
    return "#" + "".join(f"{round(255.0 * c):02x}" for c in channels)
