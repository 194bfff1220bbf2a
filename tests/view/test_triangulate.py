import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexura.view.triangulate import triangulate

SPIRAL = [
    (0, 0),
    (5, 0),
    (5, 5),
    (1, 5),
    (1, 2),
    (3, 2),
    (3, 3),
    (2, 3),
    (2, 4),
    (4, 4),
    (4, 1),
    (0, 1),
]


def areas(outline, triangles):
    a, b, c = (outline[corner] for corner in triangles.T)
    (x, y), (u, v) = (b - a).T, (c - a).T
    return 0.5 * (x * v - y * u)


def shoelace(outline):
    x, y = outline.T
    return 0.5 * (x @ np.roll(y, -1) - y @ np.roll(x, -1))


def check(outline):
    """Triangles that face up, do not overlap and fill the outline: their areas add up to it."""
    triangles = triangulate(outline)
    assert triangles.shape == (len(outline) - 2, 3)
    assert (areas(outline, triangles) >= 0.0).all()
    assert areas(outline, triangles).sum() == pytest.approx(shoelace(outline), rel=1e-12)


@pytest.mark.parametrize(
    "outline",
    [
        [(0, 0), (1, 0), (0, 1)],
        [(0, 0), (2, 0), (2, 1), (1, 1), (1, 3), (0, 3)],
        SPIRAL,
        [(0, 0), (1, 0), (2, 0), (2, 2), (1, 2), (0, 2)],  # corners on its sides
    ],
    ids=["triangle", "l", "spiral", "flat corners"],
)
def test_polygons_are_filled(outline):
    check(np.array(outline, dtype=np.float64))


@given(st.lists(st.floats(0.2, 5.0), min_size=3, max_size=25))
def test_stars_are_filled(radii):
    angle = np.linspace(0.0, 2.0 * np.pi, len(radii), endpoint=False)
    check(np.array(radii)[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1))


def test_a_polygon_that_crosses_itself_has_triangles_too():
    assert triangulate(np.array([(0.0, 0), (1, 1), (1, 0), (0, 1)])).shape == (2, 3)
