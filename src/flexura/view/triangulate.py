"""Triangles that fill a polygon."""

import numpy as np

from flexura.typing import Array, Indices


def triangulate(outline: Array) -> Indices:
    """Triangles between the corners of a polygon, counterclockwise, by cutting off its ears.

    An ear is a corner that points outwards and whose triangle holds no other corner. A polygon
    that does not cross itself has two at least; of one that does, any corner is cut off when
    there is none.

    Args:
        outline: corners, counterclockwise, convex or not, (k, 2).

    Returns:
        Three corners each, (k - 2, 3).
    """
    left = list(range(len(outline)))
    triangles = []
    while len(left) > 3:
        corners = [(left[i - 1], left[i], left[(i + 1) % len(left)]) for i in range(len(left))]
        ears = (corner for corner in corners if _is_ear(outline, corner, left))
        triangles.append(next(ears, corners[0]))
        left.remove(triangles[-1][1])
    return np.array([*triangles, left], dtype=np.intp)


def _is_ear(outline: Array, corner: tuple[int, int, int], left: list[int]) -> bool:
    """Whether a corner can be cut off."""
    a, b, c = outline[list(corner)]
    if _cross(b - a, c - a) <= 0.0:
        return False
    others = outline[[i for i in left if i not in corner]]
    sides = [_cross(q - p, others - p) for p, q in ((a, b), (b, c), (c, a))]
    return not np.all(np.array(sides) >= 0.0, axis=0).any()


def _cross(a: Array, b: Array) -> Array:
    """Area of the parallelogram of vectors (2,) and (..., 2), positive if b is left of a."""
    return np.asarray(a[0] * b[..., 1] - a[1] * b[..., 0])
