"""Where a frame gets to: the positions of many results, from the side, the front and above."""

from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from flexura.errors import ModelError, known
from flexura.io.target import PathLike, target
from flexura.result.sequence import ResultSequence
from flexura.result.static import StaticResult
from flexura.robot import FrameLike
from flexura.typing import Array
from flexura.view.chart import SUFFIXES, dress, write_figure
from flexura.view.course import name_of
from flexura.view.ellipsoid import actuators, displacement, unit_of
from flexura.view.extra import require
from flexura.view.style import FAINT, INK, PALETTE, UNSIGNED

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Color: TypeAlias = Literal["stability", "tension", "manipulability"]
COLORS: tuple[str, ...] = get_args(Color)
ROOM = 1.1  # what axes show, over what the positions take
VIEWS = (("x", "z"), ("y", "z"), ("x", "y"))
STABLE = {True: ("stable", PALETTE[2]), False: ("unstable", PALETTE[4]), None: ("not known", FAINT)}


def workspace(
    many: ResultSequence,
    frame: FrameLike,
    path: PathLike | None = None,
    color: Color = "stability",
) -> "Figure":
    """The positions of a frame in many results, from three sides; solves that failed are left out.

    Args:
        many: results of ``statics_many``, or a path or a motion.
        frame: whose positions; a name, or ``At(...)``.
        path: where to write the plot, by its ending as PNG, PDF, SVG, …; None writes nothing.
        color: what points are coloured by: "stability"; "tension", the largest one [N];
            "manipulability", the volume that unit changes of the actuators move the frame through,
            √det(J Jᵀ), J the displacement by tendons, driven joints and motors; where fewer than
            three move it, the area or the length.

    Returns:
        The matplotlib figure.

    Raises:
        ModelError: if there are no results, or none with what is asked for.
        UnknownName: for an unknown frame or colour.
        FileError: if the file cannot be written.
        MissingExtra: if matplotlib is not installed.
    """
    if not isinstance(many, ResultSequence) or not len(many):
        raise ModelError(
            f"workspace shows many results, got {type(many).__name__}; solve them with statics_many"
        )
    known("color", color, COLORS)
    shown = [result for result in many if result.status.equilibrium]
    if not shown:
        raise ModelError("workspace shows equilibria, and none of these solves has found one")
    values = None if color == "stability" else _values(shown, frame, color)
    if path is not None:
        target(path, "a plot", SUFFIXES)
    require("view.workspace", "matplotlib")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10.5, 3.9), layout="constrained")
    panels = figure.subplots(1, len(VIEWS))
    places = np.array([result.pose(frame)[:3, 3] for result in shown])
    for axes, view in zip(panels, VIEWS, strict=True):
        drawn = _draw(axes, places, view, shown, values)
    if values is not None:
        bar = figure.colorbar(drawn, ax=panels, fraction=0.04)
        bar.set_label(_label(shown[0], color), color=INK, fontsize=9)
        bar.ax.tick_params(colors=FAINT, labelsize=8)
    else:
        panels[0].legend(fontsize=8)
    lost = len(many) - len(shown)
    note = f", {lost} of {len(many)} without an equilibrium" if lost else ""
    figure.suptitle(f"{shown[0].model.name}: {name_of(frame)}{note}", color=INK)
    if path is not None:
        write_figure(figure, path)
    return figure


def _values(shown: list[StaticResult], frame: FrameLike, color: str) -> Array:
    """What each point is coloured by."""
    model = shown[0].model
    if color == "tension":
        if not model.tendons.names:
            raise ModelError(f"{model.name!r} has no tendons whose tension to show")
        return np.array([result.tensions.max() for result in shown])
    if not actuators(shown[0]):
        raise ModelError(f"{model.name!r} has no actuators whose manipulability to show")
    found = (displacement(result, frame, "manipulability") for result in shown)
    return np.array([np.prod(np.linalg.svd(x, compute_uv=False)) for x in found])


def _label(result: StaticResult, color: str) -> str:
    """What the colours are."""
    if color == "tension":
        return "largest tension [N]"
    n = min(3, len(actuators(result)))
    unit = unit_of(result)
    power = "" if n == 1 else "²³"[n - 2]
    return f"manipulability [m{power}/{unit}{power}]"


def _draw(
    axes: "Axes",
    places: Array,
    view: tuple[str, str],
    shown: list[StaticResult],
    values: Array | None,
) -> Any:
    """The points from one side."""
    from matplotlib.colors import LinearSegmentedColormap

    across, up = ("xyz".index(axis) for axis in view)
    x, y = places[:, across], places[:, up]
    drawn = None
    if values is None:
        stable = np.array([str(result.stable) for result in shown])
        for answer, (text, own) in STABLE.items():
            of = stable == str(answer)
            if of.any():
                drawn = axes.scatter(x[of], y[of], s=9, color=own, label=text, linewidths=0)
    else:
        colors = LinearSegmentedColormap.from_list("values", UNSIGNED)
        drawn = axes.scatter(x, y, s=9, c=values, cmap=colors, linewidths=0)
    axes.set_xlabel(f"{view[0]} [m]", color=INK, fontsize=9)
    axes.set_ylabel(f"{view[1]} [m]", color=INK, fontsize=9)
    middle = 0.5 * (places.max(axis=0) + places.min(axis=0))
    half = ROOM * 0.5 * float(np.ptp(places, axis=0).max()) or 1.0
    axes.set_xlim(middle[across] - half, middle[across] + half)  # one scale for all sides
    axes.set_ylim(middle[up] - half, middle[up] + half)
    axes.set_aspect("equal", adjustable="box")
    dress(axes)
    return drawn
