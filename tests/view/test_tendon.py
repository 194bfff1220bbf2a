from functools import cache

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from view.view_robots import RUBBER, puppet

import flexura as fx
from flexura.view import scene
from flexura.view.rod import AROUND
from flexura.view.style import TENDONS, tendon_color
from flexura.view.tendon import RIM, THICKNESS, WIDTH


@cache
def pulled():
    return fx.statics(fx.build(puppet()), {"a": 0.5, "d": 0.2, "loose": -0.05}).unwrap()


def robot_with(tendons):
    rod = fx.Rod("arm", 0.5, fx.Circle(0.01), RUBBER)
    return fx.Robot("arm", [rod], [fx.Weld("world", "arm.base")], tendons=tendons)


def place(result, s, y, z):
    """A point of the section at s in the world."""
    return (result.pose("arm", s) @ (0.0, y, z, 1.0))[:3]


def flat(result, disc):
    """The points of a disc in the section frame of its rod."""
    s = float(disc.name.removeprefix("arm@"))
    pose = result.pose("arm", s)
    return s, (disc.points - pose[:3, 3]) @ pose[:3, :3]


def test_tendons_run_through_their_holes_to_their_anchors():
    result = pulled()
    drawn = {cable.name: cable.path for cable in scene(result).tendons}
    assert list(drawn) == ["a", "b", "c", "d", "e", "loose"]
    holes = [place(result, s, 0.03, 0.0) for s in (0.0, 0.1, 0.2, 0.3, 0.4)]
    np.testing.assert_allclose(drawn["a"], holes, atol=1e-12)
    ends = [place(result, s, 0.0, 0.05) for s in (0.1, 0.5)]
    np.testing.assert_allclose(drawn["loose"][[0, -1]], ends, atol=1e-12)


def test_tendons_without_tension_are_pale():
    colors = {cable.name: cable.color for cable in scene(pulled()).tendons}
    assert pulled().slack("loose")
    for i, name in enumerate(colors):
        full = np.array(to_rgb(TENDONS[i]))
        if name in ("a", "d"):
            np.testing.assert_allclose(to_rgb(colors[name]), full, atol=1 / 255)
        else:
            assert (np.array(to_rgb(colors[name])) > full).all()


def test_there_is_one_disc_for_all_holes_at_a_place():
    names = [disc.name for disc in scene(pulled()).of("disc")]
    assert sorted(names) == [f"arm@{s:g}" for s in (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)]


def test_discs_are_thin_plates_with_a_rim_around_their_holes():
    result = pulled()
    found = scene(result)
    rim, half = RIM * 0.03 + WIDTH * found.extent, 0.5 * THICKNESS * found.extent
    chord = 0.5 * rim * (np.pi / AROUND) ** 2  # what straight sides cut off a rounded corner
    angles = np.radians([0.0, 120.0, 240.0])
    corners = np.stack([np.cos(angles), np.sin(angles)])
    for s, points in (flat(result, disc) for disc in found.of("disc")):
        np.testing.assert_allclose([points[:, 0].min(), points[:, 0].max()], [-half, half])
        if 0.0 < s < 0.5:  # a triangle, whose sides are half as far as its corners
            reach = points[:, 1:] @ corners
            np.testing.assert_allclose(reach.max(axis=0), 0.03 + rim, atol=1.01 * chord)
            np.testing.assert_allclose(-reach.min(axis=0), 0.015 + rim, atol=1.01 * chord)


def test_a_disc_with_two_holes_is_round():
    result = pulled()
    found = scene(result)
    (points,) = [points for s, points in (flat(result, x) for x in found.of("disc")) if s == 0.5]
    radius = np.hypot(*points[:, 1:].T)
    rim = RIM * 0.02 + WIDTH * found.extent
    np.testing.assert_allclose(radius[radius > 1e-6], 0.02 + rim, rtol=1e-9)


def test_smooth_tendons_have_no_discs():
    helix = fx.Tendon("helix", "arm", fx.Helical(0.03, 1.0))
    found = scene(robot_with([helix]))
    assert found.of("disc") == ()
    assert len(found.tendons) == 1


def test_labels_are_names_and_tensions_in_the_colour_of_the_tendon():
    labels = [label for label in scene(pulled()).labels if label.role == "tendon"]
    assert [label.text for label in labels] == [
        "a 0.5 N", "b 0 N", "c 0 N", "d 0.2 N", "e 0 N", "loose slack",
    ]  # fmt: skip
    assert [label.color for label in labels] == [tendon_color(i, taut=True) for i in range(6)]
    assert scene(pulled(), labels=False).labels == ()


def test_a_tendon_that_ends_on_the_axis_has_a_label_ahead():
    (label,) = scene(robot_with([fx.Tendon("t", "arm", fx.Convergent(0.03, 0.0))])).labels
    np.testing.assert_allclose(label.point, (0.5, 0.0, 0.0), atol=1e-12)
    np.testing.assert_allclose(label.away / np.linalg.norm(label.away), (1.0, 0.0, 0.0), atol=1e-12)


@pytest.mark.parametrize(("count", "labelled"), [(9, 9), (10, 0)])
def test_many_tendons_have_no_labels(count, labelled):
    tendons = [fx.Tendon(f"t{i}", "arm", fx.Parallel(0.02, 0.001 * i)) for i in range(count)]
    found = scene(robot_with(tendons))
    assert len(found.tendons) == count
    assert len(found.labels) == labelled


def test_tendons_and_discs_are_in_the_picture():
    found = scene(pulled())
    low, high = found.points.min(axis=0), found.points.max(axis=0)
    for points in [cable.path for cable in found.tendons] + [
        disc.points for disc in found.of("disc")
    ]:
        assert (points >= low).all()
        assert (points <= high).all()


def test_the_unloaded_shape_has_no_tendons():
    with_ghost, without = scene(pulled()), scene(pulled(), ghost=False)
    assert len(with_ghost.of("ghost")) == 1
    assert len(with_ghost.tendons) == len(without.tendons) == 6
    assert len(with_ghost.of("disc")) == len(without.of("disc"))


def test_the_wall_holds_the_tendons_that_begin_there():
    wide = fx.Tendon("wide", "arm", fx.Parallel(0.0, 0.1))
    (wall,) = scene(robot_with([wide])).of("holder")
    assert np.hypot(*wall.points[:, 1:].T).max() == pytest.approx(0.13)
    late = fx.Tendon("late", "arm", fx.Parallel(0.0, 0.1), start=0.2)
    (wall,) = scene(robot_with([late])).of("holder")
    assert np.hypot(*wall.points[:, 1:].T).max() < 0.03


def test_a_robot_is_drawn_with_its_tendons():
    found = scene(puppet())
    assert len(found.tendons) == 6
    assert len(found.of("disc")) == 6
    np.testing.assert_allclose(found.tendons[0].path[-1], [0.4, 0.03, 0.0], atol=1e-9)
