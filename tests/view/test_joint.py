import numpy as np
import pytest
from view.view_robots import linkage, platform, solved

import flexura as fx
from flexura.lie import se3
from flexura.view import scene
from flexura.view.joint import JOINT_RADIUS, MOTOR_RADIUS, RAIL, SLIM, THICKER


def drawn(found, name):
    return [surface for surface in found.of("joint") if surface.name == name]


def span(surface, point, axis):
    """From where to where a surface reaches along an axis through a point."""
    along = (surface.points - point) @ axis
    return along.min(), along.max()


def radius(surface, point, axis):
    """Largest distance of a surface from an axis."""
    return np.linalg.norm(np.cross(surface.points - point, axis), axis=1).max()


def test_a_hinge_is_a_pin_along_its_axis():
    result = solved(linkage)
    found = scene(result)
    (pin,) = drawn(found, "knee")
    T, size = result.pose("b.base"), max(JOINT_RADIUS * found.extent, THICKER * 3e-3)
    np.testing.assert_allclose(
        span(pin, T[:3, 3], T[:3, 1]), [-SLIM * size, SLIM * size], atol=1e-12
    )
    assert radius(pin, T[:3, 3], T[:3, 1]) == pytest.approx(size)


def test_a_slider_has_a_rail_from_zero_to_where_it_is():
    result = solved(linkage)
    found = scene(result)
    sleeve, rail = drawn(found, "rail")
    zero, d, more = np.array([0.4, 0.0, -0.2]), result.coordinate("rail"), RAIL * found.extent
    x = np.array([1.0, 0.0, 0.0])
    assert d > 0.05
    np.testing.assert_allclose(span(rail, zero, x), [-more, d + more], atol=1e-9)
    assert np.mean(span(sleeve, zero, x)) == pytest.approx(d, abs=1e-9)
    assert radius(rail, zero, x) < radius(sleeve, zero, x)


def test_a_ball_is_round():
    result = solved(linkage)
    found = scene(result)
    (surface,) = drawn(found, "socket")
    away = np.linalg.norm(surface.points - result.pose("b.tip")[:3, 3], axis=1)
    np.testing.assert_allclose(away, max(JOINT_RADIUS * found.extent, THICKER * 3e-3))


def test_links_lead_to_joints_that_are_apart():
    """From the rod over the hinge's offset, from bodies to the ball and to the driven hinge."""
    result = solved(linkage)
    found = scene(result)
    (link,) = [x for x in found.of("holder") if x.name == "knee"]
    ends = [result.pose(frame)[:3, 3] for frame in ("a.tip", "b.base")]
    np.testing.assert_allclose(link.points.mean(axis=0), np.mean(ends, axis=0), atol=1e-9)
    cart, post, flag, pole = found.of("body")
    assert [x.name for x in (cart, post, flag, pole)] == ["cart", "cart", "flag", "flag"]
    ends = [result.pose(frame)[:3, 3] for frame in ("cart", "b.tip")]
    np.testing.assert_allclose(post.points.mean(axis=0), np.mean(ends, axis=0), atol=1e-9)
    ends = [result.pose("flag")[:3, 3], result.pose("a", 0.1)[:3, 3]]
    np.testing.assert_allclose(pole.points.mean(axis=0), np.mean(ends, axis=0), atol=1e-9)


def test_a_motor_is_on_its_axis_and_linked_to_what_it_drives():
    result = fx.statics(fx.build(platform()), {"motor": 0.2}).unwrap()
    found = scene(result)
    (motor,) = found.of("joint")
    point, axis, size = np.array([0.1, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]), found.extent
    half = SLIM * MOTOR_RADIUS * size
    np.testing.assert_allclose(span(motor, point, axis), [-half, half], atol=1e-12)
    assert radius(motor, point, axis) == pytest.approx(MOTOR_RADIUS * size)
    middles = [x.points.mean(axis=0) for x in found.of("holder") if x.name == "motor"]
    np.testing.assert_allclose(middles, [(0.1, 0.05, 0.0), (0.1, -0.05, 0.0)], atol=1e-12)
    assert "motor 0.2 rad" in {label.text for label in found.labels}


def test_only_what_is_welded_to_the_world_has_a_wall():
    walls = [x.name for x in scene(solved(platform)).of("holder") if x.name != "motor"]
    assert walls == ["c.base", "d.base"]
    assert [x.name for x in scene(solved(linkage)).of("holder")] == ["a.base", "knee"]


def test_a_rod_held_inside_has_a_collar():
    rod = fx.Rod("rod", 0.5, fx.Circle(0.005), fx.Material(young=1e9, poisson=0.3))
    weld = fx.Weld("world", fx.At("rod", 0.2), offset=se3.pose((1.0, 0.0, 0.0)))
    (collar,) = scene(fx.Robot("held", [rod], [weld])).of("holder")
    assert collar.name == "rod@0.2"
    np.testing.assert_allclose(collar.points.mean(axis=0), [1.0, 0.0, 0.0], atol=1e-12)


def test_joints_are_in_the_picture():
    found = scene(solved(linkage))
    low, high = found.points.min(axis=0), found.points.max(axis=0)
    for surface in (*found.of("joint"), *found.of("body"), *found.of("holder")):
        assert (surface.points >= low).all()
        assert (surface.points <= high).all()
