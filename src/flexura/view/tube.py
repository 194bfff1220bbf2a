"""Tubes and arrows along paths as surfaces."""

import numpy as np

from flexura.typing import Array, Indices, Vector
from flexura.view.primitive import Surface, SurfaceRole

SIDES = 10  # of what is drawn often
HEAD = 3.2  # diameter of an arrow's head relative to its shaft
SLIM = 1.4  # length of an arrow's head relative to its diameter
CLEAR = 0.2  # sine of the angle that directions keep from a reference


def tube(
    name: str, path: Array, width: float, color: str, role: SurfaceRole, sides: int = SIDES
) -> Surface:
    """A round tube along a path (n, 3), open at its ends."""
    around = _around(path, sides)
    points = path[:, None] + 0.5 * width * around
    n = len(path)
    i, j = np.meshgrid(np.arange(n - 1), np.arange(sides), indexing="ij")
    a, b = sides * i + j, sides * i + (j + 1) % sides
    quads = np.stack([a, b, b + sides, a + sides], axis=-1).reshape(-1, 4)
    triangles = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    normals = around.reshape(-1, 3)
    return Surface(name, points.reshape(-1, 3), normals, triangles, color=color, role=role)


def arrow(
    name: str,
    path: Array,
    width: float,
    color: str,
    role: SurfaceRole = "load",
    sides: int = SIDES,
) -> Surface:
    """A shaft along a path, and a head at its end."""
    head, tip = HEAD * width, path[-1]
    reach = np.linalg.norm(path - tip, axis=1)
    shaft = path[:-1][reach[:-1] > SLIM * head]
    base = shaft[-1] if len(shaft) else path[0]
    along = (tip - base) / (np.linalg.norm(tip - base) or 1.0)
    neck = tip - SLIM * head * along
    begin = shaft if len(shaft) else path[:1]
    stem = tube(name, np.vstack([begin, neck]), width, color, role, sides)
    points, normals, triangles = _cone(neck, tip, head, sides)
    return stem.but(
        points=np.concatenate([stem.points, points]),
        normals=np.concatenate([stem.normals, normals]),
        triangles=np.concatenate([stem.triangles, len(stem.points) + triangles]),
    )


def _cone(base: Vector, tip: Vector, width: float, sides: int) -> tuple[Array, Array, Indices]:
    """Points, normals and triangles of a cone: its side, then its bottom."""
    around = _around(np.array([base, tip]), sides)[0]
    ring = base + 0.5 * width * around
    size = float(np.linalg.norm(tip - base)) or 1.0
    along = (tip - base) / size
    slant = size * around + 0.5 * width * along
    slant /= np.hypot(size, 0.5 * width)
    back = np.broadcast_to(-along, ring.shape)
    j = np.arange(sides)
    side = np.stack([j, (j + 1) % sides, j + sides], axis=1)
    fan = 2 * sides + np.stack([np.zeros(sides - 2, dtype=int), j[2:], j[1:-1]], axis=1)
    points = np.concatenate([ring, np.tile(tip, (sides, 1)), ring])
    return points, np.concatenate([slant, slant, back]), np.concatenate([side, fan])


def _across(along: Array) -> Array:
    """A unit vector across each direction (n, 3), turning as little as may be from one to the next.

    Where all directions keep away from one, that is as good as a reference as any.
    """
    away = np.linalg.eigh(along.T @ along)[1][:, 0]  # in a plane, its normal
    across = np.cross(along, away)
    sizes = np.linalg.norm(across, axis=1, keepdims=True)
    if sizes.min() > CLEAR:
        return np.asarray(across / sizes)
    across[0] = np.cross(along[0], np.eye(3)[np.abs(along[0]).argmin()])
    for i in range(1, len(along)):
        across[i] = across[i - 1] - (across[i - 1] @ along[i]) * along[i]
    return np.asarray(across / np.linalg.norm(across, axis=1, keepdims=True))


def _around(path: Array, sides: int) -> Array:
    """Unit vectors across a path to all sides, which do not turn about it, (n, sides, 3)."""
    steps = np.gradient(path, axis=0)
    sizes = np.linalg.norm(steps, axis=1, keepdims=True)
    along = np.where(sizes > 0.0, steps / np.where(sizes > 0.0, sizes, 1.0), [1.0, 0.0, 0.0])
    across = _across(along)
    other = np.cross(along, across)
    angle = 2.0 * np.pi / sides * np.arange(sides)[None, :, None]
    return np.asarray(np.cos(angle) * across[:, None] + np.sin(angle) * other[:, None])
