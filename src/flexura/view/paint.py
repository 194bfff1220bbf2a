"""A scene as a few meshes of one colour each, for renderers that have no colours at points.

What is coloured by values is cut into bands of as many colours as the scale has steps.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from flexura.typing import Array, Indices
from flexura.view.coat import Coat, coats
from flexura.view.scene import Scale, Scene
from flexura.view.style import GHOST, SIGNED, UNSIGNED, channels

BANDS = 24
FADED = 0.35  # opacity of what is no longer true

Paint: TypeAlias = tuple[str, float]  # colour and opacity


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles of one colour.

    Attributes:
        points: (n, 3).
        triangles: three points each, counterclockwise from outside, (m, 3).
    """

    points: NDArray[np.float32]
    triangles: NDArray[np.uint32]


def painted(scene: Scene, faded: bool = False) -> Mapping[Paint, Mesh]:
    """All that is drawn of a scene, by colour and opacity.

    Args:
        scene: what to draw.
        faded: whether all of it is grey, for what is no longer true.
    """
    found: dict[Paint, list[tuple[Array, Indices]]] = {}
    for coat in coats(scene):
        for paint, points, triangles in _pieces(coat, scene.scale):
            key = (GHOST, FADED) if faded else paint
            found.setdefault(key, []).append((points, triangles))
    return {paint: _joined(pieces) for paint, pieces in found.items()}


def shades(signed: bool) -> tuple[str, ...]:
    """The colours of values from the smallest to the largest, one for each band."""
    stops = np.array([channels(color) for color in (SIGNED if signed else UNSIGNED)])
    at = (np.arange(BANDS) + 0.5) / BANDS * (len(stops) - 1)
    i = np.minimum(at.astype(int), len(stops) - 2)
    between = (at - i)[:, None]
    mixed = (1.0 - between) * stops[i] + between * stops[i + 1]
    return tuple("#" + "".join(f"{round(c):02x}" for c in color) for color in mixed.tolist())


def _pieces(coat: Coat, scale: Scale | None) -> Iterable[tuple[Paint, Array, Indices]]:
    """A surface, cut into its colours."""
    surface = coat.surface
    if coat.color is not None or scale is None or surface.values is None:
        yield (coat.color or GHOST, coat.opacity), surface.points, surface.triangles
        return
    low, high = scale.limits
    middle = surface.values[surface.triangles].mean(axis=1)
    band = np.clip(BANDS * (middle - low) / (high - low), 0, BANDS - 1).astype(np.int64)
    colors = shades(scale.component.signed)
    for i in np.unique(band).tolist():
        own = surface.triangles[band == i]
        used = np.zeros(len(surface.points), dtype=bool)
        used[own] = True
        number = np.cumsum(used) - 1
        yield (colors[i], coat.opacity), surface.points[used], number[own]


def _joined(pieces: Sequence[tuple[Array, Indices]]) -> Mesh:
    """One mesh of several."""
    begins = np.cumsum([0, *(len(points) for points, _ in pieces)])
    triangles = [own + begin for (_, own), begin in zip(pieces, begins, strict=False)]
    points = np.concatenate([own for own, _ in pieces])
    return Mesh(points.astype(np.float32), np.concatenate(triangles).astype(np.uint32))
