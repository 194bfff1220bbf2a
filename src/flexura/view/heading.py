"""Title and remark in the upper left corner of a picture: their lines, and the room they take.

Lengths are in units of a picture of 1600 x 1000 pixels, or in parts of the picture.
"""

import textwrap

from flexura.view.scene import Scene

LETTER_WIDTH = 0.6  # of a letter, relative to its size
LINE = 1.4  # distance of two lines of text, relative to the size of letters
TITLE, REMARK = 26.0, 16.0  # sizes of letters
LEFT, TOP = 0.025, 0.975  # where the title begins
BELOW = 0.925  # where the remark begins
GAP = 0.015  # between the last line and what is below it


def remark_lines(scene: Scene, width: float) -> list[str]:
    """The remark in lines that fit beside the colour bar of a picture of that width."""
    letters = max(round(0.8 * width / (LETTER_WIDTH * REMARK)), 20)
    return [line for text in scene.remark.split("\n") for line in textwrap.wrap(text, letters)]


def room_at_top(scene: Scene, size: tuple[float, float]) -> float:
    """The part of the height that title and remark need in a picture of that size."""
    lines = len(remark_lines(scene, size[0]))
    return 1.0 - BELOW + GAP + lines * LINE * REMARK / size[1]


def heading_width(scene: Scene, size: tuple[float, float]) -> float:
    """The part of the width that title and remark need in a picture of that size."""
    lines = [TITLE * len(scene.title), *(REMARK * len(x) for x in remark_lines(scene, size[0]))]
    return min(1.0, LEFT + LETTER_WIDTH * max(lines) / size[0])
