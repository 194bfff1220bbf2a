"""Line plots of strains and internal wrenches along the rods."""

from typing import TYPE_CHECKING

import numpy as np

from flexura.errors import ModelError
from flexura.io.target import PathLike, target
from flexura.result.static import StaticResult
from flexura.typing import Array
from flexura.view.chart import SUFFIXES, dress, write_figure
from flexura.view.component import STRAINS, WRENCHES, Component
from flexura.view.extra import require
from flexura.view.remark import remark_of
from flexura.view.rod import stations
from flexura.view.style import GRID, INK, PALETTE, distinct

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STATIONS = 401
SMALLEST = 1e-3  # half of an axis' range, relative to the largest value of its row


def profiles(result: StaticResult, path: PathLike | None = None) -> "Figure":
    """The six strains and the six components of the internal wrench along each rod.

    Strains are those that bear a load, ξ − ξ*, with ξ* the strain of the unloaded rod; all
    are in the body frame. Dotted lines mark where point loads act and line loads begin or end.

    Args:
        result: what to plot.
        path: where to write the plot, by its ending as PNG, PDF, SVG, …; None writes nothing.

    Returns:
        The matplotlib figure.

    Raises:
        ModelError: if the result is something else.
        FileError: if the file cannot be written.
        MissingExtra: if matplotlib is not installed.
    """
    if not isinstance(result, StaticResult):
        raise ModelError(
            f"profiles shows a StaticResult, got {type(result).__name__}; "
            "solve with statics(model) first"
        )
    if path is not None:
        target(path, "a plot", SUFFIXES)  # before the work
    require("view.profiles", "matplotlib")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12.0, 11.0), layout="constrained")
    rows = figure.subplots(4, 3, sharex=True)
    robot = result.model.robot
    along = {rod.name: stations(robot, rod, STATIONS) for rod in robot.slender}
    for row, components in zip(
        rows, (STRAINS[:3], STRAINS[3:], WRENCHES[:3], WRENCHES[3:]), strict=True
    ):
        pairs = zip(row, components, strict=True)
        largest = max(_draw(axes, component, result, along) for axes, component in pairs)
        for axes in row:
            _widen(axes, SMALLEST * largest or 1.0)
    for axes in rows[-1]:
        axes.set_xlabel("arc length s [m]", color=INK)
    remark = remark_of(result)
    figure.suptitle(f"{robot.name}: {remark}" if remark else robot.name, color=INK)
    if len(along) > 1:
        figure.legend(*rows[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=6)
    if path is not None:
        write_figure(figure, path)
    return figure


def _draw(
    axes: "Axes", component: Component, result: StaticResult, along: dict[str, Array]
) -> float:
    """Draw a component of all rods; its largest absolute value."""
    robot = result.model.robot
    largest = 0.0
    axes.axhline(0.0, color=GRID, linewidth=0.8, zorder=0)
    for i, (rod, s) in enumerate(along.items()):
        color = distinct(PALETTE, i)
        values = component.values(result, rod, s)
        axes.plot(s, values, color=color, linewidth=1.8, label=rod)
        for jump in robot.jumps(rod):
            axes.axvline(jump, color=color, linewidth=0.8, linestyle=":", zorder=0)
        largest = max(largest, float(np.abs(values).max()))
    axes.set_title(component.heading, fontsize=10, color=INK)
    axes.margins(x=0.0)
    dress(axes)
    return largest


def _widen(axes: "Axes", least: float) -> None:
    """Keep an axis from blowing up rounding: give it at least ± least."""
    low, high = axes.get_ylim()
    middle = 0.0 if max(abs(low), abs(high)) < least else (low + high) / 2.0
    half = max((high - low) / 2.0, least)
    axes.set_ylim(middle - half, middle + half)
