from dataclasses import replace

import numpy as np
import pytest
from view.view_robots import platform, solved

import flexura as fx
from flexura.view import scene
from flexura.view.load import FAR, WHEEL

POINT = np.array([0.6, 0.0, 0.5])


def moved(point):
    robot = platform()
    return scene(replace(robot, loads=[replace(robot.loads[0], point=point)]))


def test_the_force_leads_towards_the_wheel():
    result = solved(platform)
    found = scene(result)
    at = result.pose("top")[:3, 3]
    (arrow,), (line,) = found.arrows, found.lines
    np.testing.assert_allclose(arrow.path[0], at, atol=1e-12)
    directions = np.array([arrow.path[1] - at, POINT - at])
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    np.testing.assert_allclose(directions[0], directions[1], atol=1e-12)
    np.testing.assert_allclose(line.points, [at, POINT], atol=1e-12)
    assert "pull 0.5 N" in {label.text for label in found.labels}


def test_the_wheel_is_around_its_point_in_the_plane_of_the_cable():
    found = scene(solved(platform))
    rim, hub = found.of("wheel")
    for surface, (radius, half) in zip((rim, hub), WHEEL, strict=True):
        size = np.ptp(surface.points, axis=0)
        np.testing.assert_allclose(surface.points.mean(axis=0), POINT, atol=1e-12)
        assert size[1] == pytest.approx(2.0 * half * found.extent)
        assert size[2] == pytest.approx(2.0 * radius * found.extent, rel=0.01)
    assert found.points[:, 0].max() >= rim.points[:, 0].max()


def test_no_force_no_arrow():
    found = scene(fx.statics(fx.build(platform()), {"pull": 0.0}).unwrap())
    assert found.arrows == ()
    assert len(found.lines) == 1
    assert not any("pull" in label.text for label in found.labels)


def test_a_distant_pulley_is_left_out():
    found = moved((100.0, 0.0, 0.5))
    assert found.of("wheel") == ()
    assert len(found.lines) == 1
    assert np.ptp(found.points, axis=0).max() < FAR * found.extent


def test_a_pulley_where_it_pulls():
    top = fx.statics(fx.build(platform()), {"pull": 0.0}).unwrap().pose("top")[:3, 3]
    found = moved(top)
    assert found.of("wheel") == ()
    assert np.isfinite(found.points).all()
