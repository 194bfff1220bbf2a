import math

import numpy as np
import pytest

from flexura.errors import ModelError
from flexura.view.camera import frame_points

UP = np.array([0.0, 0.0, 1.0])
MARGINS = (0.05, 0.15, 0.1, 0.02)


@pytest.mark.parametrize("towards", [(0.5, -1.0, 0.4), (1.0, 0.0, 0.0), (0.1, 0.1, 5.0)])
def test_all_points_are_inside_the_margins_and_touch_them(towards, rng):
    points = rng.normal(size=(200, 3)) * [3.0, 1.0, 0.5]
    camera = frame_points(points, towards, UP, aspect=1.6, margins=MARGINS)
    x, y = camera.project(points).T
    x = x / 1.6 + 0.5  # from the left edge, in widths
    y = y + 0.5
    left, right, bottom, top = MARGINS
    gaps = [x.min() - left, 1.0 - right - x.max(), y.min() - bottom, 1.0 - top - y.max()]
    assert min(gaps) > -1e-9
    wide, tall = max(gaps[:2]), max(gaps[2:])
    assert min(wide, tall) < 1e-9  # one direction is filled from margin to margin


def test_picture_is_upright():
    camera = frame_points(np.eye(3), (0.5, -1.0, 0.4), UP, 1.6, MARGINS)
    x, y = camera.across(UP)
    assert x == pytest.approx(0.0, abs=1e-12)
    assert y > 0.0
    right, _ = camera.across(np.array([1.0, 0.0, 0.0]))
    assert right > 0.0
    assert camera.across(np.zeros(3)) == (0.0, 0.0)


def test_projection_agrees_with_the_angle_of_view():
    camera = frame_points(np.eye(3), (0.0, -1.0, 0.0), UP, 1.0, (0.0,) * 4)
    distance = np.linalg.norm(camera.position - camera.target)
    edge = camera.target + UP * distance * math.tan(math.radians(camera.angle / 2.0))
    np.testing.assert_allclose(camera.project(edge[None]), [[0.0, 0.5]], atol=1e-12)


@pytest.mark.parametrize(
    "towards", [(0.0, 0.0, 1.0), (0.0, 0.0, 0.0), (1.0, 2.0), "front", (np.nan, 1.0, 0.0), None]
)
def test_bad_directions_are_refused(towards):
    with pytest.raises(ModelError, match="the camera's direction must be three numbers"):
        frame_points(np.eye(3), towards, UP, 1.6, MARGINS)
