"""Pictures of vibration modes, side by side."""

from typing import TYPE_CHECKING, Literal

import numpy as np

from flexura.errors import ModelError
from flexura.io.target import PathLike, target, write_whole
from flexura.result.modes import Modes, mode_in_words
from flexura.robot.check import check_count
from flexura.typing import ArrayLike
from flexura.view.extra import require
from flexura.view.picture import SUFFIXES, TOWARDS, encoded, picture

if TYPE_CHECKING:
    from flexura.view.plotter import Pixels

PANEL = (960, 600)  # of one mode, in pixels
COLUMNS = 2
MOST = 8  # more would be too small to be seen


def mode_shapes(
    modes: Modes,
    path: PathLike | None = None,
    *,
    count: int = 6,
    amplitude: float | None = None,
    towards: ArrayLike = TOWARDS,
    background: Literal["sky", "white"] = "sky",
) -> "Pixels":
    """The first modes of a robot in one picture: each as it moves to both sides of equilibrium.

    Args:
        modes: what ``fx.modes`` found.
        path: where to write the picture, by its ending as PNG, JPEG, TIFF or WebP; None writes
            nothing.
        count: how many modes at most.
        amplitude: largest displacement [m]; None is a tenth of the length.
        towards: direction from the robot to the eye, world axes.
        background: "sky", or "white" for a page.

    Returns:
        The picture, red, green and blue from 0 to 255, shape (height, width, 3).
    """
    if not isinstance(modes, Modes):
        raise ModelError(f"mode_shapes draws what fx.modes found, got {type(modes).__name__}")
    check_count("mode_shapes", "count", count, MOST)
    file = None if path is None else target(path, "a picture", SUFFIXES)
    require("view.mode_shapes", "pyvista")
    panels = [
        picture(
            [modes.shape(i, amplitude), modes.result, modes.shape(i, amplitude, np.pi)],
            color=None,
            size=PANEL,
            ghost=False,
            names=[f"mode {i}: {mode_in_words(complex(modes.eigenvalue[i]))}", "", ""],
            towards=towards,
            background=background,
        )
        for i in range(min(count, len(modes)))
    ]
    rest = -len(panels) % min(COLUMNS, len(panels))
    panels += [np.full_like(panels[0], 255)] * rest
    width = min(COLUMNS, len(panels))
    rows = [np.concatenate(panels[i : i + width], axis=1) for i in range(0, len(panels), width)]
    pixels: Pixels = np.concatenate(rows)
    if file is not None:
        write_whole(file, encoded(pixels, file.suffix.lower()))
    return pixels
