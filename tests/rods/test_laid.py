"""Curves through points, with which threaded rods begin."""

import numpy as np
import pytest

import flexura as fx
from flexura.rods.laid import Laid

STEEL = fx.Material(young=5e9, poisson=0.3)


def test_points_of_an_arc_give_an_arc():
    """Curvature, arc lengths and poses of a circle, beyond which the rest shape goes on."""
    turn, points = np.linspace(0.0, 1.5, 7)[1:], np.zeros((6, 3))
    points[:, 0], points[:, 1] = 0.1 * np.sin(turn), 0.1 * (1.0 - np.cos(turn))
    rod = fx.Rod("r", 0.2, fx.Circle(1e-3), STEEL, rest=(2.0, 0.0, -3.0))
    laid = Laid(rod, points)
    assert laid.passes == pytest.approx(0.1 * turn, rel=2e-3)
    # a cubic curve is off by the fourth power of the distance of points
    assert laid.poses(laid.passes)[:, :3, 3] == pytest.approx(points, abs=1e-4)
    inside = laid.strain(np.linspace(0.02, 0.08, 9))  # at the end it bends no more
    assert np.linalg.norm(inside[:, 1:3], axis=1) == pytest.approx(10.0, rel=0.02)
    assert inside[:, 0] == pytest.approx(2.0)
    assert laid.strain(np.array([0.19]))[0] == pytest.approx([2.0, 0.0, -3.0, 1.0, 0.0, 0.0])


def test_points_at_the_base_are_passed_there():
    laid = Laid(fx.Rod("r", 0.1, fx.Circle(1e-3), STEEL), np.array([[0.0, 0, 0], [0.1, 0, 0]]))
    assert laid.passes == pytest.approx([0.0, 0.1])
    assert laid.poses(np.array([0.05]))[0, :3, 3] == pytest.approx([0.05, 0.0, 0.0])
