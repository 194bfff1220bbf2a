"""Pictures of vibration modes, side by side."""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

import numpy as np

from flexura.errors import ModelError
from flexura.io.target import PathLike, target, write_whole
from flexura.result.modes import Modes
from flexura.robot.check import check_count
from flexura.typing import ArrayLike
from flexura.view.extra import require
from flexura.view.film import outermost
from flexura.view.part import part
from flexura.view.picture import SUFFIXES, TOWARDS, checked_way, encoded
from flexura.view.scene import Plan, Scene, compose, plan_of, points_of, set_stage
from flexura.view.subject import of_result

if TYPE_CHECKING:
    from flexura.view.plotter import Pixels

PANEL = (960, 600)  # of one mode, in pixels
COLUMNS = 2
MOST = 8  # more would be too small to be seen
FAR = 0.2  # the largest displacement, relative to the length


def mode_shapes(
    modes: Modes,
    path: PathLike | None = None,
    *,
    count: int = 6,
    amplitude: float | None = None,
    towards: ArrayLike = TOWARDS,
    background: Literal["sky", "white"] = "sky",
) -> "Pixels":
    """The first modes of a robot in one picture, seen by one camera: each in a panel of its own.

    The grey shape is the equilibrium; the frequency and the damping ratio are written above.

    Args:
        modes: what ``fx.modes`` found.
        path: where to write the picture, by its ending as PNG, JPEG, TIFF or WebP; None writes
            nothing.
        count: how many modes at most.
        amplitude: largest displacement [m]; None is a fifth of the length.
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
    from flexura.view.plotter import photographs

    way = checked_way(PANEL, towards, background)
    panels = list(photographs(_scenes(modes, min(count, len(modes)), amplitude), *way))
    rest = -len(panels) % min(COLUMNS, len(panels))
    panels += [np.full_like(panels[0], 255)] * rest
    width = min(COLUMNS, len(panels))
    rows = [np.concatenate(panels[i : i + width], axis=1) for i in range(0, len(panels), width)]
    pixels: Pixels = np.concatenate(rows)
    if file is not None:
        write_whole(file, encoded(pixels, file.suffix.lower()))
    return pixels


def _scenes(modes: Modes, count: int, amplitude: float | None) -> Iterator[Scene]:
    """Each mode beside the equilibrium, on one ground."""
    far = FAR * modes.result.model.length if amplitude is None else amplitude
    shapes = [modes.shape(i, far) for i in range(count)]
    shown = [of_result(x, x.inputs, _words(modes, i)) for i, x in enumerate(shapes)]
    rest = of_result(modes.result, modes.result.inputs, "")
    plan = Plan(plan_of(shown, None, False, None, several=True).look, rest)
    parts = [part(one, 0, plan.look) for one in shown]
    stage = set_stage(plan, shown, [outermost(points_of(own)) for own in parts], None)
    for one, own in zip(shown, parts, strict=True):
        yield compose(stage, [one], [own], (), labels=False)


def _words(modes: Modes, i: int) -> str:
    """Number, frequency and damping of a mode."""
    s = complex(modes.eigenvalue[i])
    if s.imag == 0.0:
        how = "a free motion" if s == 0.0 else f"exp({s.real:+.3g} t/s), without oscillating"
        return f"mode {i}: {how}"
    damping = f", damping ratio {-s.real / abs(s):.2g}" if s.real else ""
    return f"mode {i}: {abs(s.imag) / (2.0 * math.pi):.4g} Hz{damping}"
