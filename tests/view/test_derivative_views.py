"""Ellipsoids in pictures, and workspaces."""

import numpy as np
import pytest
from support import rod_of

import flexura as fx
from flexura import view


@pytest.fixture(scope="module")
def model():
    robot = fx.Robot(
        "arm",
        rods=[rod_of(EA=1e4)],
        joints=[fx.Weld("world", "rod.base")],
        tendons=[
            fx.Tendon("left", "rod", fx.Parallel(0.02, 0.0)),
            fx.Tendon("up", "rod", fx.Parallel(0.0, 0.02)),
        ],
        loads=[fx.PointLoad("tip", "rod.tip")],
    )
    return fx.build(robot, rods=fx.Spline(3, 6))


@pytest.fixture(scope="module")
def many(model):
    return fx.statics_many(model, [[1.0, 2.0], [10.0, 0.0], [5.0, 30.0]], progress=False)


def drawn(result, kind):
    """Points of the ellipsoid about the tip, seen from there."""
    scene = view.scene(result, ellipsoid=kind)
    (surface,) = [x for x in scene.of("rod") if x.name == f"{kind} of rod.tip"]
    np.testing.assert_allclose(np.linalg.norm(surface.normals, axis=1), 1.0)
    return surface.points - result.pose("rod.tip")[:3, 3]


def test_the_ellipsoid_is_where_unit_forces_push(many):
    """Points p = A u with |u| = 1 but for the scale; the thinnest half axis is drawn thicker."""
    result = many[0]
    R, points = result.pose("rod.tip")[:3, :3], drawn(result, "compliance")
    turn, sizes, _ = np.linalg.svd(R @ result.compliance("rod.tip")[3:, 3:])
    unit = (points @ turn) / np.maximum(sizes, 0.01 * sizes[0])
    radii = np.linalg.norm(unit, axis=1)
    np.testing.assert_allclose(radii, radii[0], rtol=1e-9)


def test_the_ellipsoid_of_two_tendons_is_flat(many):
    result = many[2]
    points = drawn(result, "manipulability")
    turn, _, _ = np.linalg.svd(result.jacobian("rod.tip", ["left", "up"])[3:])
    across = result.pose("rod.tip")[:3, :3] @ turn[:, 2]
    assert np.abs(points @ across).max() <= 0.0101 * np.linalg.norm(points, axis=1).max()


def test_bodies_do_not_hide_their_ellipsoids():
    robot = fx.Robot(
        "arm",
        rods=[rod_of(EA=1e4)],
        bodies=[fx.Body("ball", shape=fx.Sphere(0.3))],
        joints=[fx.Weld("world", "rod.base"), fx.Weld("rod.tip", "ball")],
        loads=[fx.PointLoad("pull", "ball", force=(0.0, 0.0, 0.1))],
    )
    result = fx.statics(fx.build(robot, rods=fx.Spline(3, 6))).unwrap()
    scene = view.scene(result, ellipsoid="compliance")
    (surface,) = [x for x in scene.of("rod") if x.name == "compliance of ball"]
    far = np.linalg.norm(surface.points - result.pose("ball")[:3, 3], axis=1)
    assert far.max() > 0.3


def test_a_picture_has_the_ellipsoid(many):
    plain, with_it = (
        view.picture(many[0], size=(320, 200), ellipsoid=kind) for kind in (None, "compliance")
    )
    assert (plain != with_it).any()


@pytest.mark.parametrize("color", ["stability", "tension", "manipulability"])
def test_workspaces_show_all_positions(many, color, tmp_path):
    figure = view.workspace(many, "rod.tip", tmp_path / "space.png", color)
    assert (tmp_path / "space.png").stat().st_size > 5_000
    places = many.pose("rod.tip")[:, :3, 3]
    for axes, (across, up) in zip(figure.axes, [(0, 2), (1, 2), (0, 1)], strict=False):
        points = np.concatenate([x.get_offsets() for x in axes.collections])
        np.testing.assert_allclose(points, places[:, [across, up]])
        wide, high = np.ptp(axes.get_xlim()), np.ptp(axes.get_ylim())
        assert wide == pytest.approx(high)  # one scale from all sides
        assert wide == pytest.approx(1.1 * np.ptp(places, axis=0).max())
    if color == "tension":
        np.testing.assert_allclose(figure.axes[0].collections[0].get_array(), [2.0, 10.0, 30.0])


def test_manipulability_is_the_area_that_two_tendons_reach(many):
    figure = view.workspace(many, "rod.tip", color="manipulability")
    J = many.jacobian("rod.tip", ["left", "up"])[:, 3:]
    expected = np.sqrt(np.linalg.det(J.swapaxes(1, 2) @ J))
    np.testing.assert_allclose(figure.axes[0].collections[0].get_array(), expected, rtol=1e-9)


def test_tubes_are_actuators():
    """A straight tube moves along itself, by as much as it is fed; a turn moves nothing."""
    tubes = fx.TubeSet("needle", [rod_of()])
    robot = fx.Robot("needle", tubes=[tubes], joints=[fx.Weld("world", "needle.base")])
    result = fx.statics(fx.build(robot)).unwrap()
    points = drawn(result, "manipulability")
    size = np.abs(points).max(axis=0)
    assert size[1:].max() <= 0.011 * size[0]  # a hundredth is drawn at least


def test_what_makes_no_sense_is_told(many):
    with pytest.raises(fx.UnknownName, match=r"no ellipsoid 'complience'.*mean 'compliance'"):
        view.scene(many[0], ellipsoid="complience")
    with pytest.raises(fx.UnknownName, match="no color 'height'"):
        view.workspace(many, "rod.tip", color="height")
    with pytest.raises(fx.ModelError, match="solve them with statics_many"):
        view.workspace(many[0], "rod.tip")
    with pytest.raises(fx.UnknownName, match="no frame"):
        view.workspace(many, "rod.tp")
    bare = fx.Robot("bare", [rod_of()], [fx.Weld("world", "rod.base")])
    with pytest.raises(fx.ModelError, match="'bare' has no actuators"):
        view.scene(fx.statics(fx.build(bare)), ellipsoid="manipulability")
