"""What all line plots have in common: how axes look, and how a figure becomes a file."""

import io
from typing import TYPE_CHECKING

from flexura.io.target import PathLike, target, write_whole
from flexura.view.style import FAINT, GRID

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SUFFIXES = (".png", ".pdf", ".svg", ".jpg", ".jpeg", ".tif", ".tiff", ".webp")


def dress(axes: "Axes") -> None:
    """Faint grid and ticks, no frame."""
    axes.tick_params(colors=FAINT, labelsize=8)
    axes.ticklabel_format(axis="y", scilimits=(-3, 4), useOffset=False)
    axes.yaxis.get_offset_text().set(color=FAINT, fontsize=8)
    axes.grid(color=GRID, linewidth=0.4)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(GRID)


def write_figure(figure: "Figure", path: PathLike) -> None:
    """Write a figure whole, in the format that the ending of the file names.

    Raises:
        FileError: if the file cannot be written.
    """
    file = target(path, "a plot", SUFFIXES)
    content = io.BytesIO()
    figure.savefig(content, format=file.suffix.lower().removeprefix("."), dpi=130)
    write_whole(file, content.getvalue())
