"""How often a curve winds about itself."""

import numpy as np

from flexura.typing import Array, Matrix


def writhe(x: Matrix) -> float:
    """Writhe of a curve of straight pieces that need not be closed, (n, 3).

    Two pieces are seen to cross from a part |Ω|/2π of all directions, Ω the area on the unit sphere
    of the directions from one to the other [Klenin2000, method 1a]: of two triangles, as
    [VanOosterom1983] find them, which are exactly nothing where pieces are in line.
    """
    area = 0.0
    for k in range(len(x) - 3):
        a, b, c, d = x[k], x[k + 1], x[k + 2 : -1], x[k + 3 :]
        area += float(np.sum(_triangle(d - a, c - a, d - b) + _triangle(d - b, c - a, c - b)))
    return area / (2.0 * np.pi)


def _triangle(u: Matrix, v: Matrix, w: Matrix) -> Array:
    """Areas of spherical triangles between directions, signed, (n,)."""
    a, b, c = (np.linalg.norm(p, axis=1) for p in (u, v, w))
    volume = np.sum(np.cross(u, v) * w, axis=1)
    uv, vw, wu = (np.sum(p * q, axis=1) for p, q in ((u, v), (v, w), (w, u)))
    return np.asarray(2.0 * np.arctan2(volume, a * b * c + uv * c + vw * a + wu * b))
