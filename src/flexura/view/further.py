"""Lines that a picture is asked to show besides the robot: ropes, paths, measurements."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from flexura.errors import ModelError, show
from flexura.typing import Array, ArrayLike
from flexura.view.primitive import Cable, Label
from flexura.view.style import tendon_color
from flexura.view.tendon import WIDTH


@dataclass(frozen=True, eq=False)
class Further:
    """Lines and their names."""

    cables: list[Cable]
    labels: list[Label]


def further_lines(lines: Mapping[str, ArrayLike] | None, extent: float, tendons: int) -> Further:
    """Lines as thick as tendons, with a name beside each.

    Args:
        lines: points by names [m], (n, 3) each; None for none.
        extent: size of the robot [m].
        tendons: number of tendons, which have the first colours.

    Raises:
        ModelError: if they are something else.
    """
    found = Further([], [])
    for i, (name, points) in enumerate(_checked(lines).items()):
        color = tendon_color(tendons + i, taut=True)
        found.cables.append(Cable(name, points, WIDTH * extent, color, "line"))
        middle = (points[(len(points) - 1) // 2] + points[len(points) // 2]) / 2.0
        found.labels.append(Label(name, middle, np.zeros(3), "line", color, points))
    return found


def _checked(lines: Mapping[str, ArrayLike] | None) -> dict[str, Array]:
    """The points of each line."""
    if lines is None:
        return {}
    if not isinstance(lines, Mapping):
        raise ModelError(
            f"lines must be points by names, got {show(lines)}; write for example "
            'lines={"rope": [(0, 0, 0), (0, 0, 1)]}'
        )
    return {str(name): _points(name, points) for name, points in lines.items()}


def _points(name: str, points: ArrayLike) -> Array:
    """The points of a line."""
    try:
        found = np.asarray(points, dtype=np.float64)
    except (TypeError, ValueError):
        found = np.empty(0)
    if found.ndim != 2 or found.shape[1] != 3 or len(found) < 2 or not np.isfinite(found).all():
        raise ModelError(
            f"line {name!r} must be two points or more, three finite numbers each [m], "
            f"got {show(points)}"
        )
    return found
