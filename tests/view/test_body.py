import numpy as np
import pytest
from view.view_robots import STEEL, linkage, platform, solved

import flexura as fx
from flexura.lie import se3
from flexura.view import scene
from flexura.view.body import THICKNESS
from flexura.view.rod import AROUND

CORNERS = [(0, 0), (0.1, 0), (0, 0.2)]


def local(result, name, surface):
    """The points of a surface in the frame of a body."""
    pose = result.pose(name)
    return (surface.points - pose[:3, 3]) @ pose[:3, :3]


def carried(body, offset=None):
    """A body at the tip of a rod."""
    rod = fx.Rod("rod", 0.5, fx.Circle(1e-3), STEEL)
    joints = [fx.Weld("world", "rod.base"), fx.Weld("rod.tip", body.name, offset=offset)]
    load = fx.PointLoad("push", body.name, force=(0.0, 0.0, -0.2))
    return fx.statics(fx.build(fx.Robot("r", [rod], joints, [load], bodies=[body]))).unwrap()


@pytest.mark.parametrize(
    ("shape", "low", "high"),
    [
        (fx.Box(0.02, 0.04, 0.06), (-0.01, -0.02, -0.03), (0.01, 0.02, 0.03)),
        (fx.Cylinder(0.03, 0.1), (-0.05, -0.03, -0.03), (0.05, 0.03, 0.03)),
        (fx.Sphere(0.03), (-0.03, -0.03, -0.03), (0.03, 0.03, 0.03)),
        (fx.Plate(CORNERS, 0.01), (-0.005, 0, 0), (0.005, 0.1, 0.2)),
    ],
    ids=lambda x: type(x).__name__,
)
def test_shapes_are_drawn_in_the_frame_of_the_body(shape, low, high):
    result = carried(fx.Body("load", shape=shape))
    found = scene(result)
    (surface,) = found.of("body")
    points = local(result, "load", surface)
    # the grid of a sphere keeps its axes: between two points it is lower by r (π / AROUND)² / 2
    chord = 0.5 * 0.03 * (np.pi / AROUND) ** 2 if isinstance(shape, fx.Sphere) else 1e-12
    np.testing.assert_allclose(points.min(axis=0), low, atol=chord)
    np.testing.assert_allclose(points.max(axis=0), high, atol=chord)
    assert (found.points.max(axis=0) >= surface.points.max(axis=0)).all()


@pytest.mark.parametrize(
    ("shape", "low", "high"),
    [
        (fx.Box(0.02, 0.04, 0.06, se3.pose((0.1, 0, 0))), (0.09, -0.02, -0.03), (0.11, 0.02, 0.03)),
        (fx.Sphere(0.03, se3.pose((0, 0, 0.1))), (-0.03, -0.03, 0.07), (0.03, 0.03, 0.13)),
        (fx.Cylinder(0.03, 0.1, (0, 0, 1)), (-0.03, -0.03, -0.05), (0.03, 0.03, 0.05)),
        (
            fx.Cylinder(0.03, 0.1, (0, 5, 0), se3.pose((0, 0, 1), (np.pi / 2, 0, 0))),
            *((-0.03, -0.03, 0.95), (0.03, 0.03, 1.05)),
        ),
        (
            fx.Plate([(0, 0), (0.1, 0), (0, 0.2)], 0.01, (0, 0, 1)),
            (0, 0, -0.005),
            (0.1, 0.2, 0.005),
        ),
        (
            fx.Plate([(0, 0), (0.1, 0), (0, 0.2)], 0.01, (0, 1, 0)),
            (0, -0.005, 0),
            (0.2, 0.005, 0.1),
        ),
    ],
    ids=["box", "sphere", "cylinder", "turned", "plate z", "plate y"],
)
def test_shapes_are_drawn_where_their_pose_and_axis_have_them(shape, low, high):
    result = carried(fx.Body("load", shape=shape))
    points = local(result, "load", scene(result).of("body")[0])
    chord = 0.5 * 0.03 * (np.pi / AROUND) ** 2 if isinstance(shape, fx.Sphere) else 1e-12
    np.testing.assert_allclose(points.min(axis=0), low, atol=chord)
    np.testing.assert_allclose(points.max(axis=0), high, atol=chord)


def test_a_body_without_a_shape_is_a_plate_through_what_it_carries():
    result = solved(platform)
    found = scene(result)
    (plate,) = found.of("body")
    points = local(result, "top", plate)
    half = 0.5 * THICKNESS * found.extent
    np.testing.assert_allclose([points[:, 2].min(), points[:, 2].max()], [-half, half])
    assert (np.abs(points[:, :2]).max(axis=0) > 0.1).all()
    assert np.abs(points[:, :2]).max() < 0.15


@pytest.mark.parametrize("shape", [None, fx.Sphere(0.01)])
def test_bars_lead_to_what_is_attached_elsewhere(shape):
    result = carried(fx.Body("load", shape=shape), offset=se3.pose((0.0, 0.0, -0.1)))
    *solid, link = scene(result).of("body")
    assert len(solid) == (shape is not None)
    ends = [result.pose(frame)[:3, 3] for frame in ("rod.tip", "load")]
    np.testing.assert_allclose(link.points.mean(axis=0), np.mean(ends, axis=0), atol=1e-12)


def test_a_body_without_a_shape_at_the_end_of_a_rod_is_nothing():
    assert scene(carried(fx.Body("load"))).of("body") == ()


def test_what_has_no_plane_has_bars():
    offsets = np.array([(0.1, 0.0, 0.0), (0.0, 0.1, 0.0), (-0.1, -0.1, 0.0), (0.0, 0.0, 0.1)])
    rods = [fx.Rod(f"r{i}", 0.2, fx.Circle(1e-3), STEEL) for i in range(4)]
    welds = [
        fx.Weld("hub", f"r{i}.base", offset=se3.pose(offset)) for i, offset in enumerate(offsets)
    ]
    joints = [fx.Weld("world", "hub"), *welds]
    found = scene(fx.Robot("star", rods, joints, bodies=[fx.Body("hub")]))
    assert len(found.of("body")) == 4
    middles = [link.points.mean(axis=0) for link in found.of("body")]
    np.testing.assert_allclose(middles, offsets / 2.0, atol=1e-12)
    assert found.of("holder") == ()  # the body holds the rods, no wall


def test_the_unloaded_bodies_are_ghosts():
    result = carried(fx.Body("load", shape=fx.Sphere(0.03)))
    rod, body = scene(result).of("ghost")
    assert (rod.name, body.name) == ("rod", "load")
    np.testing.assert_allclose(body.points.mean(axis=0), [0.5, 0.0, 0.0], atol=1e-9)


def test_bodies_have_axes_and_many_ends_of_rods_have_none():
    assert {a.name for a in scene(solved(platform)).axes} == {"world", "top"} | {
        f"{rod}.{end}" for rod in "abcd" for end in ("base", "tip")
    }
    base = platform()
    more = [fx.Rod(f"more{i}", 0.1, fx.Circle(1e-3), STEEL) for i in range(2)]
    hung = [fx.Weld("top", f"more{i}.base", offset=se3.pose((0, 0.05 * i, 0))) for i in range(2)]
    many = fx.Robot("many", [*base.rods, *more], [*base.joints, *hung], base.loads, (), base.bodies)
    assert {a.name for a in scene(many).axes} == {"world", "top"}


def test_a_robot_of_bodies_only():
    hang = fx.Hinge("pin", "world", fx.At("b", offset=se3.pose((0, 0, 0.1))), axis=(0, 1, 0))
    body = fx.Body("b", mass=1.0, center=(0.02, 0.0, -0.05), shape=fx.Box(0.04, 0.03, 0.1))
    robot = fx.Robot("pendulum", joints=[hang], loads=[fx.Gravity()], bodies=[body])
    found = scene(fx.statics(fx.build(robot)).unwrap())
    assert found.of("rod") == ()
    assert found.scale is None
    assert found.extent == pytest.approx(0.115, abs=0.01)


def test_loads_act_at_points_of_bodies():
    base = linkage()
    at = fx.At("cart", offset=se3.pose((0.0, 0.0, 0.01)))
    tap = fx.PointLoad("tap", at, force=(0.0, 0.0, -0.1))
    robot = fx.Robot("tapped", base.rods, base.joints, [*base.loads, tap], (), base.bodies)
    result = fx.statics(fx.build(robot)).unwrap()
    (arrow,) = [a for a in scene(result).arrows if a.name == "tap"]
    expected = (result.pose("cart") @ (0.0, 0.0, 0.01, 1.0))[:3]
    np.testing.assert_allclose(arrow.path[0], expected, atol=1e-12)


@pytest.mark.parametrize(("down", "drawn"), [(True, 2), (False, 1)])
def test_a_plate_does_not_hide_the_fingers_of_a_hand(down, drawn):
    """Fingers along the plane of what holds them have bars to it; across it a plate is seen."""
    turn = se3.pose(rotation=(0, np.pi / 2, 0) if down else (0, 0, np.pi / 2))
    rods = [fx.Rod(name, 0.1, fx.Circle(6e-3), STEEL) for name in "lr"]
    lift = fx.Slider("lift", "world", "hand", (0, 0, 1), driven=True)
    sides = [se3.pose((x, 0, 0.11)) @ turn for x in (-0.024, 0.024)]
    welds = [fx.Weld("hand", f"{rod.name}.base", x) for rod, x in zip(rods, sides, strict=True)]
    robot = fx.Robot("hand", rods, [lift, *welds], bodies=[fx.Body("hand", 0.1, (1e-4,) * 3)])
    found = scene(fx.statics(fx.build(robot)))
    assert len(found.of("body")) == drawn
