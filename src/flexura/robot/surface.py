"""Surfaces of triangles that enclose a solid."""

from typing import TypeAlias

import numpy as np

from flexura.robot.check import LARGEST, BadField
from flexura.typing import ArrayLike, real_numbers

Rows: TypeAlias = tuple[tuple[float, ...], ...]
Corners: TypeAlias = tuple[tuple[int, ...], ...]
WRITE = "write points=[(0, 0, 0), ...] and triangles=[(0, 2, 1), ...]"


def closed_surface(points: object, triangles: object) -> tuple[Rows, Corners]:
    """Points and triangles of a closed surface, with its inside behind it.

    Raises:
        BadField: for numbers that are none, for corners that are missing or flat triangles, and
            for a surface with holes.
    """
    corners = _numbers("points", points)
    faces = _numbers("triangles", triangles)
    if (faces != np.round(faces)).any() or faces.min() < 0 or faces.max() >= len(corners):
        raise BadField(
            f"Triangles: triangles must hold numbers of points, 0 to {len(corners) - 1}",
            "triangles",
        )
    own = faces.astype(np.int64)
    a, b, c = (corners[own[:, i]] for i in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    longest = np.maximum(np.linalg.norm(b - a, axis=1), np.linalg.norm(c - a, axis=1))
    flat = np.flatnonzero(area <= 1e-12 * longest**2)
    if len(flat):
        raise BadField(f"Triangles: triangle {flat[0]} is flat; leave it out", "triangles")
    _check_closed(own)
    held = float(np.sum((a - corners[0]) * np.cross(b - corners[0], c - corners[0])))
    if abs(held) <= 1e-12 * float(np.sum(area * longest)):
        raise BadField("Triangles: the surface holds no volume: a contact needs a solid", "points")
    if held < 0.0:
        raise BadField(
            "Triangles: its triangles are clockwise seen from outside; swap two corners of each",
            "triangles",
        )
    return tuple(map(tuple, corners.tolist())), tuple(map(tuple, own.tolist()))


def _numbers(field: str, value: object) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Rows of three numbers, at least four."""
    try:
        given = real_numbers(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        given = np.empty(0)
    if given.ndim != 2 or given.shape[1] != 3 or len(given) < 4:
        short = f", got {len(given)}" if given.ndim == 2 and given.shape[1] == 3 else ""
        raise BadField(
            f"Triangles: {field} must be at least four rows of three numbers{short}, as no fewer "
            f"close around anything; {WRITE}",
            field,
        )
    wild = np.flatnonzero(~(np.abs(given) <= LARGEST).all(axis=1))
    if len(wild):
        row = ", ".join(f"{x:g}" for x in given[wild[0]])
        raise BadField(
            f"Triangles: {field}[{wild[0]}] is ({row}); all must be numbers of at most "
            f"{LARGEST:g}, in metres",
            field,
        )
    return given


def _check_closed(triangles: ArrayLike) -> None:
    """Raise unless each edge belongs to two triangles that run along it in opposite directions."""
    own = np.asarray(triangles, dtype=np.int64)
    edges = np.concatenate([own[:, [0, 1]], own[:, [1, 2]], own[:, [2, 0]]])
    there, count = np.unique(edges, axis=0, return_counts=True)
    back = {(b, a) for a, b in there.tolist()}
    lone = [edge for edge in map(tuple, there.tolist()) if edge not in back]
    shared = there[count > 1]
    if lone or len(shared):
        at = lone[0] if lone else tuple(shared[0].tolist())
        why = (
            "the surface is not closed, or they do not agree on what is outside"
            if lone
            else "several of them run along one edge in the same direction, or one is there twice"
        )
        raise BadField(
            f"Triangles: {why}: see the edge between points {at[0]} and {at[1]} "
            f"({len(lone) or len(shared)} such edges); a contact needs a solid",
            "triangles",
        )
