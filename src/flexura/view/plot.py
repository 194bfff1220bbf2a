"""Plots of motions over time, and of the paths of their frames."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from flexura.errors import ModelError, show
from flexura.io.target import PathLike, target
from flexura.result.motion import Motion
from flexura.robot import At, Nodes, On
from flexura.typing import Array
from flexura.view.chart import SUFFIXES, dress, write_figure
from flexura.view.course import OF_FRAMES, Course, Frame, What, courses, name_of
from flexura.view.extra import require
from flexura.view.style import FAINT, GRID, INK, PALETTE, distinct

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PATH = "path"
FEW = 4  # frames at most where none are named
WIDTH, PANEL, SQUARE = 7.0, 2.3, 2.6  # of a figure, heights of a panel and of a path [inches]
PROJECTIONS = ((0, 2), (0, 1), (1, 2))  # from the side, from above, from the front
CUTS = 50  # that are marked at most
SMALLEST = 1e-9  # range of an axis, relative to what it shows: less is rounding


def plot(
    motion: Motion,
    what: What | Sequence[What] | None = None,
    path: PathLike | None = None,
    frames: Frame | Sequence[Frame] | None = None,
    label: str = "measure",
) -> "Figure":
    """What happens in a motion, over time, one panel below the other.

    Dotted lines mark steps that were cut into shorter ones. What tendons do is work; energies are
    those of ``Motion``.

    Args:
        motion: what ``simulate`` returned.
        what: "position", "velocity" or "rotation_rate" of frames, in world axes, "energy",
            "tension" of all tendons, "pressing" of all contacts, "path" of frames seen along the
            world's axes, or a function of an instant that returns a number, a few, or a dict of
            names and numbers, such as ``lambda i: i.torque("motor")``; a list of these; None for
            positions (if there are frames), energies, the tensions of tendons and what contacts
            press with.
        path: where to write the plot, by its ending as PNG, PDF, SVG, …; None writes nothing.
        frames: names of frames, ``At(...)`` or ``On(...)``, one or several; None for tips of rods
            and bodies.
        label: what a function measures, with its unit.

    Returns:
        The matplotlib figure.

    Raises:
        ModelError: if there is nothing to plot, or a function returns nonsense.
        UnknownName: for an unknown name of a quantity or a frame.
        FileError: if the file cannot be written.
        MissingExtra: if matplotlib is not installed.
    """
    _check(motion, label)
    places = _frames(motion, frames)
    wanted = _wanted(motion, what, places)
    if path is not None:
        target(path, "a plot", SUFFIXES)  # before the work
    require("view.plot", "matplotlib")
    from matplotlib.figure import Figure

    panels: list[Course | None] = []
    for one in wanted:
        panels += [None] if one == PATH else courses(motion, one, places, label)
    heights = [SQUARE if panel is None else PANEL for panel in panels]
    figure = Figure(figsize=(WIDTH, sum(heights) + 0.4), layout="constrained")
    grid = figure.add_gridspec(len(panels), 3, height_ratios=heights)
    for row, panel in enumerate(panels):
        if panel is None:
            _draw_paths([figure.add_subplot(grid[row, i]) for i in range(3)], motion, places)
        else:
            _draw(figure.add_subplot(grid[row, :]), motion, panel)
    ended = "" if motion.converged else f": {str(motion.status).split(';')[0]}"
    figure.suptitle(f"{motion.model.name}{ended}", color=INK)
    if path is not None:
        write_figure(figure, path)
    return figure


def _check(motion: object, label: object) -> None:
    """Raise unless this is a motion that can be plotted."""
    if not isinstance(motion, Motion):
        raise ModelError(
            f"plot shows a Motion, got {type(motion).__name__}; make one with simulate, and use "
            "view.profiles for a result, view.diagram for a path of equilibria"
        )
    if not len(motion):
        raise ModelError("plot shows a Motion with instants; this one is empty")
    if not isinstance(label, str):
        raise ModelError(f"plot takes a text as label, got {show(label)}")


def _wanted(motion: Motion, what: object, frames: Sequence[Frame]) -> list[What]:
    """What to plot, one after the other."""
    if what is None:
        tension = ["tension"] if motion.model.tendons.names else []
        pressing = ["pressing"] if motion.model.robot.contacts else []
        return [*(["position"] if frames else []), "energy", *tension, *pressing]
    found = [what] if isinstance(what, str) or callable(what) else what
    if not isinstance(found, list | tuple) or not found:
        raise ModelError(
            'plot takes a name such as "energy", a function of an instant, or a list of these, got '
            f"{show(what)}"
        )
    for one in found:
        if not frames and isinstance(one, str) and (one == PATH or one in OF_FRAMES):
            raise ModelError(
                f"{motion.model.name!r} has neither rods nor bodies whose {one} could be plotted: "
                "name points of its volumes, frames=[On(volume, point)]"
            )
    return list(found)


def _frames(motion: Motion, frames: object) -> list[Frame]:
    """The frames to plot; of a crowd that nobody has chosen, the first ones."""
    if frames is None:
        return [*motion.model.robot.ends[:FEW]]
    found = [frames] if isinstance(frames, str | At | On | Nodes) else frames
    if not isinstance(found, list | tuple) or not found:
        raise ModelError(f"plot takes a frame or a list of frames, got {show(frames)}")
    for frame in found:
        motion[0].pose(frame)  # there is such a frame
    return list(found)


def _draw(axes: "Axes", motion: Motion, course: Course) -> None:
    """Lines over time."""
    for i, (name, values) in enumerate(course.lines.items()):
        axes.plot(motion.t, values, color=course.color(i), linewidth=1.6, label=name)
    for cut in motion.cuts[:CUTS]:
        axes.axvline(cut, color=GRID, linewidth=0.8, linestyle=":", zorder=0)
    axes.set_xlabel("time [s]", color=INK, fontsize=9)
    axes.set_ylabel(course.label, color=INK, fontsize=9)
    axes.margins(x=0.0)
    dress(axes)
    _widen(axes, np.array([*course.lines.values()]))
    if len(course.lines) > 1:
        _legend(axes)


def _widen(axes: "Axes", values: Array) -> None:
    """Keep an axis from blowing up rounding."""
    low, high = axes.get_ylim()
    least = SMALLEST * float(np.abs(values).max(initial=0.0)) or 1.0
    if high - low < least:
        middle = (low + high) / 2.0
        axes.set_ylim(middle - least, middle + least)


def _draw_paths(panels: Sequence["Axes"], motion: Motion, frames: Sequence[Frame]) -> None:
    """Ways of frames as seen along the axes of the world, in one scale."""
    ways = [motion.pose(frame)[:, :3, 3] for frame in frames]
    every = np.concatenate(ways)
    middle = (every.min(axis=0) + every.max(axis=0)) / 2.0
    half = 0.55 * float(np.ptp(every, axis=0).max()) or 0.5
    for axes, (i, j) in zip(panels, PROJECTIONS, strict=True):
        for k, (frame, way) in enumerate(zip(frames, ways, strict=True)):
            color = distinct(PALETTE, k)
            axes.plot(way[:, i], way[:, j], color=color, linewidth=1.4, label=name_of(frame))
            axes.plot(way[0, i], way[0, j], "o", color=color, markersize=4, fillstyle="none")
            axes.plot(way[-1, i], way[-1, j], "o", color=color, markersize=4)
        axes.set_xlim(middle[i] - half, middle[i] + half)
        axes.set_ylim(middle[j] - half, middle[j] + half)
        axes.set_aspect("equal")
        axes.set_xlabel(f"{'xyz'[i]} [m]", color=INK, fontsize=9)
        axes.set_ylabel(f"{'xyz'[j]} [m]", color=INK, fontsize=9)
        dress(axes)
        axes.locator_params(nbins=4)
    panels[0].set_title("○ first, ● last", color=FAINT, fontsize=8, loc="left")
    _legend(panels[-1])


def _legend(axes: "Axes") -> None:
    """The names of the lines, above a panel."""
    names = len(axes.get_legend_handles_labels()[1])
    axes.legend(
        loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=names, frameon=False, fontsize=8,
        borderaxespad=0.1, columnspacing=1.2, handlelength=1.4,
    )  # fmt: skip
