"""Diagrams of paths of equilibria: an input over what the robot does."""

from collections.abc import Callable, Sequence
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

import numpy as np

from flexura.errors import ModelError, show
from flexura.io.target import PathLike, target
from flexura.result.path import EquilibriumPath
from flexura.result.static import StaticResult
from flexura.typing import Array
from flexura.view.chart import SUFFIXES, dress, write_figure
from flexura.view.extra import require
from flexura.view.style import INK, PALETTE, distinct

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LINES = {True: "-", False: (0, (4, 2)), None: ":"}  # stable, unstable, not known
MARKS = (("limit point", "o"), ("bifurcation", "X"))


def diagram(
    paths: EquilibriumPath | Sequence[EquilibriumPath],
    measure: Callable[[StaticResult], float],
    path: PathLike | None = None,
    label: str = "measure",
) -> "Figure":
    """The input that changes along paths over a measure of each equilibrium.

    Lines are solid where the robot is stable, dashed where it is not and dotted where that is
    not known. Limit points and bifurcations are marked. Of an input of several numbers, the one
    that changes most is drawn.

    Args:
        paths: one or several, with the same input.
        measure: what to draw of a result, for example ``lambda r: r.pose("arm.tip")[2, 3]``.
        path: where to write the diagram, by its ending as PNG, PDF, SVG, …; None writes nothing.
        label: what the measure is, with its unit.

    Returns:
        The matplotlib figure.

    Raises:
        ModelError: if there is no path, or inputs differ.
        FileError: if the file cannot be written.
        MissingExtra: if matplotlib is not installed.
    """
    every = _checked(paths)
    if not callable(measure) or not isinstance(label, str):
        raise ModelError(
            "diagram takes a function of a result as measure, such as lambda r: r.energy, and a "
            f"text as label, got {show(measure)} and {show(label)}"
        )
    if path is not None:
        target(path, "a plot", SUFFIXES)  # before the work
    require("view.diagram", "matplotlib")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.0, 4.2), layout="constrained")
    axes = figure.subplots()
    number = _number(every)
    for i, one in enumerate(every):
        _draw(axes, one, measure, number, distinct(PALETTE, i))
    first = every[0]
    entry = first.results[0].model.inputs[first.input]
    what = entry.meaning if number is None else entry.number(number)
    axes.set_ylabel(f"{first.input}: {what}", color=INK)
    axes.set_xlabel(label, color=INK)
    dress(axes)
    handles, labels = axes.get_legend_handles_labels()
    once = dict(zip(labels, handles, strict=True))
    if once:
        axes.legend(once.values(), once.keys())
    figure.suptitle(first.results[0].model.name, color=INK)
    if path is not None:
        write_figure(figure, path)
    return figure


def _checked(paths: object) -> list[EquilibriumPath]:
    """The paths, of one input."""
    every = [paths] if isinstance(paths, EquilibriumPath) else list(_sequence(paths))
    if not every or not all(isinstance(one, EquilibriumPath) for one in every):
        raise ModelError(
            f"diagram shows EquilibriumPaths, got {show(paths)}; follow one with continuation first"
        )
    names = sorted({one.input for one in every})
    if len(names) > 1:
        raise ModelError(f"diagram shows paths along one input, got {', '.join(map(repr, names))}")
    return every


def _sequence(paths: object) -> Sequence[EquilibriumPath]:
    return paths if isinstance(paths, list | tuple) else ()


def _number(paths: Sequence[EquilibriumPath]) -> int | None:
    """Which number of the input changes most; None if it is one number."""
    values = np.concatenate([one.value().reshape(len(one), -1) for one in paths])
    return int(np.ptp(values, axis=0).argmax()) if values.shape[1] > 1 else None


def _draw(
    axes: "Axes",
    path: EquilibriumPath,
    measure: Callable[[StaticResult], float],
    number: int | None,
    color: str,
) -> None:
    """One path with its marks."""
    x, y = _points(path.results, path.input, measure, number)
    # A line from point to point is stable if both of its ends are.
    pieces = [a if a == b else False for a, b in pairwise(path.stable)]
    begin = 0
    for stable, group in groupby(pieces):
        end = begin + len(list(group))
        axes.plot(
            x[begin : end + 1], y[begin : end + 1], color=color, linewidth=1.8,
            linestyle=LINES[stable],
        )  # fmt: skip
        begin = end
    for (name, symbol), marks in zip(MARKS, (path.limits, path.bifurcations), strict=True):
        if marks:
            at = _points([mark.result for mark in marks], path.input, measure, number)
            axes.plot(*at, symbol, color=color, markeredgecolor=INK, label=name)


def _points(
    results: Sequence[StaticResult],
    name: str,
    measure: Callable[[StaticResult], float],
    number: int | None,
) -> tuple[Array, Array]:
    """Measure and input of results."""
    values = np.array([np.ravel(result.inputs[name])[number or 0] for result in results])
    return np.array([_measured(measure(result)) for result in results]), values


def _measured(value: object) -> float:
    """What a measure has answered, if that can be drawn."""
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise ModelError(f"a measure of a diagram must be a number, got {show(value)}") from None
