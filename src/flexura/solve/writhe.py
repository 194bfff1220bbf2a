"""How often a curve winds about itself."""

import numpy as np
from numpy.typing import NDArray

from flexura.typing import Array, Matrix, Vector

# What poses along a rod are off by, at most, over the extent of the curve: rounding, added up.
ROUNDING = 1e-12


def writhe(*curves: Matrix) -> float | None:
    """Writhe of curves of straight pieces that need not be closed, (n, 3) each, about all of them.

    Two pieces are seen to cross from a part |Ω|/2π of all directions, Ω the area on the unit sphere
    of the directions from one to the other [Klenin2000, method 1a]: of two triangles, as
    [VanOosterom1983] find them. Pieces in one plane are not, but where they cross or cover each
    other: what is lifted there to either side has -1 or 1.

    Returns:
        None where pieces in one plane cross or cover each other.
    """
    begin, end = (np.concatenate([x[own] for x in curves]) for own in (np.s_[:-1], np.s_[1:]))
    area, least = 0.0, ROUNDING * float(np.ptp(np.concatenate(curves), axis=0).max())
    for k in range(len(begin) - 1):
        a, b, c, d = begin[k], end[k], begin[k + 1 :], end[k + 1 :]
        u, v, w, z = d - a, c - a, d - b, c - b
        volume = _dot(np.cross(u, v), w)
        reach = np.linalg.norm(u, axis=1) + np.linalg.norm(z, axis=1)
        flat = np.abs(volume) <= least * reach * reach
        if (flat & (_crossing(b - a, d - c, v, least) | _covering(u, v, w, z, least))).any():
            return None
        if not flat.all():
            own = ~flat
            area += float(np.sum(_areas(u[own], v[own], w[own], z[own], volume[own])))
    return area / (2.0 * np.pi)


def _areas(u: Matrix, v: Matrix, w: Matrix, z: Matrix, volume: Array) -> Array:
    """Areas of spherical quadrangles between directions, of two triangles, signed, (n,)."""
    a, b, c, d = (np.linalg.norm(p, axis=1) for p in (u, v, w, z))
    vw = _dot(v, w)
    first = a * b * c + _dot(u, v) * c + vw * a + _dot(w, u) * b
    second = c * b * d + vw * d + _dot(v, z) * c + _dot(z, w) * b
    return np.asarray(2.0 * (np.arctan2(volume, first) + np.arctan2(volume, second)))


def _crossing(own: Vector, other: Matrix, between: Matrix, least: float) -> NDArray[np.bool_]:
    """Which pieces in one plane cross a piece, each having the ends of the other on two sides."""
    own = np.broadcast_to(own, other.shape)
    there = _apart(own, between, between + other, least)
    return np.asarray(there & _apart(other, -between, own - between, least))


def _apart(line: Matrix, p: Matrix, q: Matrix, least: float) -> NDArray[np.bool_]:
    """Whether two points in a plane are on two sides of a line through the origin."""
    p, q = np.cross(line, p), np.cross(line, q)
    beyond = np.minimum(_dot(p, p), _dot(q, q)) > least * least * _dot(line, line)
    return np.asarray(beyond & (_dot(p, q) < 0.0))


def _covering(u: Matrix, v: Matrix, w: Matrix, z: Matrix, least: float) -> NDArray[np.bool_]:
    """Which pieces have both of their ends where another piece has its own."""
    met = [np.abs(p).max(axis=1) <= least for p in (u, v, w, z)]
    return np.asarray((met[1] & met[2]) | (met[0] & met[3]))


def _dot(p: Matrix, q: Matrix) -> Array:
    return np.asarray(np.einsum("ni,ni->n", p, q))
