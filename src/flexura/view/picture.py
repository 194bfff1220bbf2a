"""Pictures and windows of results and robots."""

import io
import os
import sys
from typing import Any, TypeAlias

import numpy as np
import pyvista as pv
from numpy.typing import NDArray
from PIL import Image

from flexura.errors import FlexuraError, ModelError
from flexura.io.target import PathLike, target, write_whole
from flexura.result.static import StaticResult
from flexura.robot import Robot
from flexura.typing import ArrayLike
from flexura.view.render import draw
from flexura.view.scene import scene

SUFFIXES = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp")
SIZE = (1600, 1000)
TOWARDS = (0.45, -1.0, 0.42)  # seen from the front, a little from the right and from above
LARGEST = 4096  # [pixels]; smoothing the edges takes four times that, what graphics can do

Pixels: TypeAlias = NDArray[np.uint8]  # (height, width, 3)


def picture(
    subject: StaticResult | Robot,
    path: PathLike | None = None,
    *,
    color: str | None = "bending",
    size: tuple[int, int] = SIZE,
    ghost: bool = True,
    labels: bool = True,
    towards: ArrayLike = TOWARDS,
) -> Pixels:
    """A lit picture of a result, or of a robot without load; it needs no display.

    Rods have their true sections, except that rods too thin to be seen are drawn about three
    pixels wide. Colours show a component of the strain or of the internal wrench; the grey shape
    is the unloaded robot. Red, green and blue axes are the x, y, z axes of frames. Each tendon has
    a colour of its own, paler if it does not pull. Bodies are light grey, joints and motors dark.

    Args:
        subject: what to look at.
        path: where to write the picture, by its ending as PNG, JPEG, TIFF or WebP; None writes
            nothing.
        color: name of one of ``view.COMPONENTS``, such as "bending", "torsion" or "moment_y", or
            None for plain colours.
        size: width and height in pixels.
        ghost: whether to show the unloaded shape.
        labels: whether to show sizes of loads, tendons' tensions, motors' angles and names of rods.
        towards: direction from the robot to the eye, world axes.

    Returns:
        The picture, red, green and blue from 0 to 255, shape (height, width, 3).

    Raises:
        ModelError: for a subject, a size or a direction that makes no sense.
        UnknownName: for an unknown colour.
        FileError: if the file cannot be written.
    """
    file = None if path is None else target(path, "a picture", SUFFIXES)
    width, height = _size(size)
    primitives = scene(subject, color, ghost, labels)
    with _quiet():
        plotter = pv.Plotter(off_screen=True, window_size=[width, height], lighting="none")
        try:
            draw(primitives, plotter, towards)
            plotter.enable_anti_aliasing("ssaa")
            pixels: Pixels = np.asarray(plotter.screenshot(return_img=True))[..., :3]
        finally:
            plotter.close()
    if file is not None:
        write_whole(file, _encoded(pixels, file.suffix.lower()))
    return pixels


def window(
    subject: StaticResult | Robot,
    *,
    color: str | None = "bending",
    size: tuple[int, int] = SIZE,
    ghost: bool = True,
    labels: bool = True,
    towards: ArrayLike = TOWARDS,
) -> None:
    """The same view in a window: drag to turn, scroll to zoom, q to close.

    The arguments are those of ``picture``.

    Raises:
        FlexuraError: if there is no display.
    """
    if not has_display():
        raise FlexuraError("there is no display for a window; write a picture instead")
    width, height = _size(size)
    primitives = scene(subject, color, ghost, labels)
    plotter = pv.Plotter(window_size=[width, height], lighting="none", title=primitives.title)
    draw(primitives, plotter, towards)
    plotter.enable_anti_aliasing("msaa", multi_samples=8)
    plotter.show()


def has_display() -> bool:
    """Whether a window can be opened."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _encoded(pixels: Pixels, suffix: str) -> bytes:
    """The content of a picture file."""
    content = io.BytesIO()
    Image.fromarray(pixels).save(content, format=Image.registered_extensions()[suffix])
    return content.getvalue()


def _quiet() -> Any:
    """Keep VTK from telling on stderr that it found no X server before it does without one."""
    return pv.vtk_verbosity("error")


def _size(size: tuple[int, int]) -> tuple[int, int]:
    """Width and height in pixels, checked."""
    try:
        width, height = (int(n) for n in size)
        proper = (width, height) == tuple(size) and min(width, height) >= 16
        proper = proper and max(width, height) <= LARGEST
    except (TypeError, ValueError):
        proper = False
    if not proper:
        raise ModelError(
            f"the size of a picture must be width and height in pixels, from 16 to {LARGEST}, "
            f"got {size!r}; {SIZE} is a good choice"
        )
    return width, height
