import numpy as np
import pytest
from view.view_robots import RUBBER, chain, solved

import flexura as fx
from flexura.view.rod import disc, half_widths, rod_surface, stations

SECTIONS = {
    "circle": fx.Circle(0.02),
    "tube": fx.Tube(0.02, 0.015),
    "rectangle": fx.Rectangle(0.03, 0.01),
    "general": fx.Section(1e-4, 1e-9, 1e-9, 2e-9),
}
# A polygon of 40 corners has an area smaller than its circle's by 2 π² / 3 / 40² = 0.41 %.
ROUND_TOL = 5e-3


def straight(section, length=1.0, count=50, **options):
    rod = fx.Rod("rod", length, section, RUBBER)
    s = np.linspace(0.0, length, count)
    poses = np.tile(np.eye(4), (count, 1, 1))
    poses[:, 0, 3] = s
    return rod_surface(rod, s, poses, **options)


def volume(surface):
    """Volume inside a closed surface whose triangles turn outwards, by Gauss' theorem."""
    a, b, c = surface.points[surface.triangles].transpose(1, 0, 2)
    return np.sum(a * np.cross(b, c)) / 6.0


@pytest.mark.parametrize("section", SECTIONS.values(), ids=SECTIONS)
def test_surface_is_closed_and_holds_the_volume_of_the_rod(section):
    assert volume(straight(section)) == pytest.approx(section.area * 1.0, rel=ROUND_TOL)


def test_rectangle_is_exact():
    assert volume(straight(fx.Rectangle(0.03, 0.01))) == pytest.approx(3e-4, rel=1e-12)


@pytest.mark.parametrize("section", SECTIONS.values(), ids=SECTIONS)
def test_normals_are_those_of_the_triangles(section):
    surface = straight(section)
    a, b, c = surface.points[surface.triangles].transpose(1, 0, 2)
    across = np.cross(b - a, c - a)
    size = np.linalg.norm(across, axis=1)
    proper = size > 1e-14  # the middle of a cap without a bore has triangles without area
    across = across[proper] / size[proper, None]
    for corner in surface.triangles[proper].T:
        cosine = np.sum(surface.normals[corner] * across, axis=1)
        assert cosine.min() > np.cos(np.pi / 40) - 1e-9
    np.testing.assert_allclose(np.linalg.norm(surface.normals, axis=1), 1.0, atol=1e-12)


def test_taper_has_the_radius_of_its_section_everywhere():
    surface = straight(fx.Taper(fx.Circle(0.03), fx.Circle(0.01)))
    side = np.abs(surface.normals[:, 0]) < 0.5
    x, y, z = surface.points[side].T
    np.testing.assert_allclose(np.hypot(y, z), 0.03 - 0.02 * x, rtol=1e-12)


def test_rectangle_lies_along_its_axes():
    y, z = straight(fx.Rectangle(0.03, 0.01)).points[:, 1:].T
    np.testing.assert_allclose([y.min(), y.max(), z.min(), z.max()], [-0.015, 0.015, -0.005, 0.005])


def test_surface_follows_the_result():
    result = solved(chain)
    rod = result.model.robot.rod("ribbon")
    s = stations(result.model.robot, rod)
    poses = result.pose("ribbon", s)
    surface = rod_surface(rod, s, poses)
    ring = surface.points[: 8 * len(s)].reshape(len(s), 8, 3)
    np.testing.assert_allclose(ring.mean(axis=1), poses[:, :3, 3], atol=1e-14)
    np.testing.assert_allclose(
        np.linalg.norm(ring - poses[:, None, :3, 3], axis=2), np.hypot(0.015, 0.003), rtol=1e-12
    )


def test_thin_rod_is_widened_to_the_least_width():
    surface = straight(fx.Circle(1e-4), least=0.01)
    assert np.hypot(*surface.points[:, 1:].T).max() == pytest.approx(0.01)
    ribbon = straight(fx.Rectangle(0.1, 1e-5), least=0.01)
    np.testing.assert_allclose(ribbon.points[:, 1:].max(axis=0), [0.05, 0.01])


def test_values_are_those_of_the_stations():
    value = np.linspace(0.0, 1.0, 50)
    surface = straight(fx.Circle(0.02), values=value)
    np.testing.assert_allclose(surface.values, surface.points[:, 0], atol=1e-12)


def test_stations_see_both_sides_of_a_jump():
    robot = chain()
    s = stations(robot, robot.rod("tube"), count=11)
    for jump in (0.1, 0.35):
        near = s[np.abs(s - jump) < 1e-6]
        assert near.min() < jump < near.max()
    assert s[0] == 0.0
    assert s[-1] == 0.4


def test_general_section_is_drawn_as_the_circle_of_its_area():
    radius, other = half_widths(fx.Section(1e-4, 1e-9, 2e-9, 3e-9))
    assert radius == other == pytest.approx(np.sqrt(1e-4 / np.pi))


def test_disc_lies_between_its_faces():
    points = disc("plate", np.eye(4), 0.1, -0.02, 0.0).points
    np.testing.assert_allclose([points[:, 0].min(), points[:, 0].max()], [-0.02, 0.0])
    assert np.hypot(*points[:, 1:].T).max() == pytest.approx(0.1)
