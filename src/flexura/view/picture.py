"""Pictures and windows of results and robots."""

import io
import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from flexura.errors import FlexuraError, ModelError, known
from flexura.io.target import PathLike, target, write_whole
from flexura.result.static import StaticResult
from flexura.robot import Robot
from flexura.robot.check import direction
from flexura.typing import ArrayLike
from flexura.view.ellipsoid import Kind
from flexura.view.extra import require
from flexura.view.scene import scene
from flexura.view.style import BACKGROUNDS

if TYPE_CHECKING:
    from flexura.view.plotter import Pixels

SUFFIXES = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp")
SIZE = (1600, 1000)
TOWARDS = (0.45, -1.0, 0.42)  # seen from the front, a little from the right and from above
LARGEST = 4096  # [pixels]; smoothing the edges takes four times that, what graphics can do


def picture(
    subject: StaticResult | Robot | Sequence[StaticResult | Robot],
    path: PathLike | None = None,
    *,
    color: str | None = "bending",
    size: tuple[int, int] = SIZE,
    ghost: bool = True,
    labels: bool = True,
    towards: ArrayLike = TOWARDS,
    background: Literal["sky", "white"] = "sky",
    opacity: float | None = None,
    names: Sequence[str] | None = None,
    lines: Mapping[str, ArrayLike] | None = None,
    ellipsoid: Kind | None = None,
) -> "Pixels":
    """A lit picture of results, or of robots without load; it needs no display.

    Rods have their true sections, except that rods too thin to be seen are drawn about three
    pixels wide. Colours show a component of the strain or of the internal wrench; the grey shape
    is the unloaded robot. Red, green and blue axes are the x, y, z axes of frames. Each tendon has
    a colour of its own, paler if it does not pull; rods with tendons inside are like glass. Bodies
    are light grey, joints and motors dark. Several results are drawn in the same place, in one
    scale of colours, or with ``color=None`` in a colour for each of them.

    Args:
        subject: what to look at; a list of results and robots is shown together.
        path: where to write the picture, by its ending as PNG, JPEG, TIFF or WebP; None writes
            nothing.
        color: name of one of ``view.COMPONENTS``, such as "bending", "torsion" or "moment_y", or
            None for plain colours.
        size: width and height in pixels.
        ghost: whether to show the unloaded shape, of the first of several, unless the robot would
            be tiny beside it.
        labels: whether to show sizes of loads, tendons' tensions, motors' angles and names of
            rods; of several results only their names are shown.
        towards: direction from the robot to the eye, world axes.
        background: "sky", or "white" for a page.
        opacity: of the rods, above 0 and up to 1; None is 1, but 0.32 for rods with tendons inside.
        names: what to call the results, one text for each, written at their tips or beside them;
            None for nothing, but several instants of a motion are called by their times.
        lines: what else to show, points [m], (n, 3), by names: a rope of your own, a path to
            follow.
        ellipsoid: drawn about bodies, or else about tips of rods, all in one scale: "compliance",
            how far unit forces in all directions push them; "manipulability", how far unit changes
            of tendons, driven joints and motors move them.

    Returns:
        The picture, red, green and blue from 0 to 255, shape (height, width, 3).

    Raises:
        ModelError: for a subject, a size or a direction that makes no sense.
        UnknownName: for an unknown colour or background.
        FileError: if the file cannot be written.
        MissingExtra: if PyVista is not installed.
    """
    file = None if path is None else target(path, "a picture", SUFFIXES)
    require("view.picture", "pyvista")
    from flexura.view.plotter import photograph

    way = checked_way(size, towards, background)
    pixels = photograph(
        scene(subject, color, ghost, labels, names, opacity, lines, ellipsoid), *way
    )
    if file is not None:
        write_whole(file, encoded(pixels, file.suffix.lower()))
    return pixels


def window(
    subject: StaticResult | Robot | Sequence[StaticResult | Robot],
    *,
    color: str | None = "bending",
    size: tuple[int, int] = SIZE,
    ghost: bool = True,
    labels: bool = True,
    towards: ArrayLike = TOWARDS,
    background: Literal["sky", "white"] = "sky",
    opacity: float | None = None,
    names: Sequence[str] | None = None,
    lines: Mapping[str, ArrayLike] | None = None,
    ellipsoid: Kind | None = None,
) -> None:
    """The same view in a window: drag to turn, scroll to zoom, q to close.

    The arguments are those of ``picture``.

    Raises:
        FlexuraError: if there is no display.
        MissingExtra: if PyVista is not installed.
    """
    if not has_display():
        raise FlexuraError("there is no display for a window; write a picture instead")
    require("view.window", "pyvista")
    from flexura.view.plotter import open_window

    way = checked_way(size, towards, background)
    open_window(scene(subject, color, ghost, labels, names, opacity, lines, ellipsoid), *way)


def has_display() -> bool:
    """Whether a window can be opened."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def encoded(pixels: "Pixels", suffix: str) -> bytes:
    """The content of a picture file."""
    from PIL import Image

    content = io.BytesIO()
    Image.fromarray(pixels).save(content, format=Image.registered_extensions()[suffix])
    return content.getvalue()


def checked_way(
    size: tuple[int, int], towards: ArrayLike, background: str
) -> tuple[tuple[int, int], ArrayLike, str]:
    """How to look at a scene."""
    away = direction("a picture", "towards", towards)
    return _size(size), away, known("background", background, BACKGROUNDS)


def _size(size: tuple[int, int]) -> tuple[int, int]:
    """Width and height in pixels, checked."""
    try:
        width, height = (int(n) for n in size)
        proper = (width, height) == tuple(size) and min(width, height) >= 16
        proper = proper and max(width, height) <= LARGEST
    except (TypeError, ValueError, OverflowError):
        proper = False
    if not proper:
        raise ModelError(
            f"the size of a picture must be width and height in pixels, from 16 to {LARGEST}, "
            f"got {size!r}; {SIZE} is a good choice"
        )
    return width, height
