import numpy as np
import pytest

from flexura.lie import se3
from flexura.view.rod import AROUND
from flexura.view.solid import along, ball, bar, prism

POSE = se3.pose((0.3, -0.2, 0.1), (0.4, 0.5, -0.7))


def volume(surface):
    """By the divergence theorem: positive if the triangles face outwards."""
    a, b, c = (surface.points[corner] for corner in surface.triangles.T)
    return np.einsum("ni,ni->", a, np.cross(b, c)) / 6.0


def faces_agree(surface):
    """Whether the normals at the corners of each triangle are on its outer side."""
    a, b, c = (surface.points[corner] for corner in surface.triangles.T)
    outwards = np.cross(b - a, c - a)
    proper = np.linalg.norm(outwards, axis=1) > 1e-12
    sides = np.einsum("nki,ni->nk", surface.normals[surface.triangles], outwards)
    return (sides[proper] > 0.0).all()


ROUND = np.sin(2.0 * np.pi / AROUND) / (2.0 * np.pi / AROUND)  # area of the polygon to its circle
L_SHAPE = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0), (1.0, 3.0), (0.0, 3.0)]


@pytest.mark.parametrize("corners", [L_SHAPE, L_SHAPE[::-1]], ids=["left", "right"])
def test_a_prism_may_have_any_outline(corners):
    """Also one that is not convex, off the origin, and in either order."""
    solid = prism("l", POSE, np.array(corners) + 5.0, 0.5)
    assert volume(solid) == pytest.approx(0.5 * 4.0, rel=1e-12)
    assert faces_agree(solid)
    np.testing.assert_allclose(np.linalg.norm(solid.normals, axis=1), 1.0)
    local = (solid.points - POSE[:3, 3]) @ POSE[:3, :3]
    np.testing.assert_allclose(local.min(axis=0), [-0.25, 5.0, 5.0])
    np.testing.assert_allclose(local.max(axis=0), [0.25, 7.0, 8.0])


def test_a_ball_is_round():
    solid = ball("b", np.array([1.0, 2.0, 3.0]), 0.5)
    np.testing.assert_allclose(np.linalg.norm(solid.points - (1.0, 2.0, 3.0), axis=1), 0.5)
    # chords cut off a part of the order of their angle squared, (2π / 40)² = 0.025
    assert volume(solid) == pytest.approx(4.0 / 3.0 * np.pi * 0.125, rel=0.025)
    assert faces_agree(solid)


@pytest.mark.parametrize("end", [(1.0, 2.0, 3.0), (0.0, 0.0, 2.0), (0.0, 0.0, -2.0)])
def test_a_bar_leads_from_point_to_point(end):
    a, b = np.zeros(3), np.array(end)
    solid = bar("b", a, b, 0.1)
    length = np.linalg.norm(b)
    assert volume(solid) == pytest.approx(ROUND * np.pi * 0.01 * length, rel=1e-9)
    reach = solid.points @ b / length
    np.testing.assert_allclose([reach.min(), reach.max()], [0.0, length], atol=1e-12)


@pytest.mark.parametrize("direction", [(1.0, 0.0, 0.0), (0.0, 0.0, 3.0), (1.0, -2.0, 0.5)])
def test_along_is_a_pose(direction):
    pose = along(np.array([1.0, 2.0, 3.0]), np.array(direction))
    R = pose[:3, :3]
    np.testing.assert_allclose(R.T @ R, np.eye(3), atol=1e-15)
    assert np.linalg.det(R) > 0.0
    np.testing.assert_allclose(R[:, 0], np.array(direction) / np.linalg.norm(direction))
    np.testing.assert_array_equal(pose[:3, 3], [1.0, 2.0, 3.0])
