"""Scenes of one robot after another: what stays, and what follows inputs."""

import numpy as np
import pytest
from meshes import block

import flexura as fx
from flexura.browser.canvas import beside
from flexura.browser.staging import Sight, Staging
from flexura.lie import se3
from flexura.solve.unloaded import unloaded
from flexura.view.paint import painted
from flexura.view.primitive import Label

PATH = {"way of tip": np.array([[0.0, 0.0, 0.0], [0.1, 0.0, 0.1]])}


@pytest.fixture(scope="module")
def model():
    steel = fx.Material(young=210e9, poisson=0.3, density=7800.0)
    robot = fx.Robot(
        "arm",
        rods=[fx.Rod("arm", 0.3, fx.Circle(4e-4), steel)],
        joints=[fx.Weld("world", "arm.base", name="foot")],
        tendons=[fx.Tendon("left", "arm", fx.Parallel(8e-3, 0.0))],
        loads=[fx.Gravity(), fx.PointLoad("push", "arm.tip")],
    )
    return fx.build(robot, fx.LinearStrain(4))


def at(model, **inputs):
    return fx.statics(model, inputs).unwrap()


def middle(surfaces):
    return np.concatenate([x.points for x in surfaces]).mean(axis=0)


@pytest.mark.parametrize("gravity", [(0.0, 5.0, 0.0), (0.0, 0.0, 5.0)])
def test_the_arrow_of_gravity_follows_it(model, gravity):
    staging = Staging()
    staging.scene(at(model), Sight())
    found = staging.scene(at(model, gravity=gravity), Sight())
    (arrow,) = (x for x in found.arrows if x.role == "gravity")
    way = arrow.path[-1] - arrow.path[0]
    np.testing.assert_allclose(way / np.linalg.norm(way), np.divide(gravity, 5.0), atol=1e-12)
    assert any("5 m/s²" in label.text for label in found.labels)
    np.testing.assert_allclose(found.ground.up, -np.divide(gravity, 5.0), atol=1e-12)


def test_the_unloaded_shape_follows_its_base(model):
    staging, shift = Staging(), np.array([0.0, 0.02, 0.0])
    before = middle(staging.scene(at(model), Sight()).of("ghost"))
    found = staging.scene(at(model, foot=se3.pose(shift, np.zeros(3))), Sight())
    np.testing.assert_allclose(middle(found.of("ghost")) - before, shift, atol=1e-12)


def test_the_stage_stays_while_a_path_is_shown(model):
    staging = Staging()
    before = staging.scene(at(model, left=0.1), Sight(), lines=PATH)
    after = staging.scene(at(model, left=0.09), Sight(), lines=PATH)
    assert after.ground is before.ground
    assert after.scale is before.scale


def test_a_path_that_leaves_the_stage_makes_it_larger(model):
    staging = Staging()
    before = staging.scene(at(model), Sight())
    far = {"way": np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 3.0]])}
    after = staging.scene(at(model), Sight(), lines=far)
    assert np.ptp(after.points[:, 2]) > 3.0 > np.ptp(before.points[:, 2])


def test_what_is_not_to_be_seen_has_no_text_either(model):
    loaded = at(model, left=0.1, push=(0, 0, 0, 0, 0, 0.01))
    staging = Staging()
    seen = staging.scene(loaded, Sight(), lines=PATH)
    assert {x.role for x in seen.labels} >= {"tendon", "line", "force", "gravity"}
    found = staging.scene(loaded, Sight(tendons=False, loads=False, frames=False), lines=PATH)
    assert {x.role for x in found.labels} == {"line"}
    assert [x.name for x in found.tendons] == ["way of tip"]
    assert found.arrows == found.axes == ()


def test_switches_leave_the_stage(model):
    staging = Staging()
    before = staging.scene(at(model), Sight())
    after = staging.scene(at(model), Sight(ghost=False, tendons=False))
    assert after.ground is before.ground
    assert after.of("ghost") == ()


def test_the_unloaded_shape_may_lie_inside_of_what_it_touches():
    """A catheter that is fed round a bend: straight, it would be in the wall."""
    plastic = fx.Material(young=5e7, poisson=0.4, density=1100.0)
    bend = [(0.05, 0, 0), (0.1, 0.02, 0), (0.13, 0.06, 0), (0.14, 0.11, 0), (0.14, 0.2, 0)]
    way = [*((x, 0, 0) for x in np.arange(-0.35, 0.01, 0.05)), *bend]
    robot = fx.Robot(
        "catheter",
        rods=[fx.Rod("catheter", 0.3, fx.Circle(1e-3), plastic)],
        joints=[fx.Weld("world", "catheter.base", offset=se3.pose((-0.3, 0, 0)), name="feed")],
        obstacles=[fx.Obstacle("vessel", fx.Vessel(way, radius=4e-3))],
        contacts=[fx.Contact("catheter", "vessel")],
    )
    model = fx.build(robot, fx.Spline(3, 12))
    fed = model.read_inputs({"feed": se3.pose((-0.2, 0, 0))})
    shape = unloaded(model, fed)
    np.testing.assert_allclose(shape.pose("catheter.tip")[:3, 3], (0.1, 0, 0), atol=1e-12)
    seen = Staging().scene(shape, Sight())
    assert "vessel" in {x.name for x in seen.of("holder")}
    assert all(color.startswith("#") for color, _ in painted(seen))


def test_an_unloaded_volume_is_seen_where_the_volume_has_left_it():
    soft = fx.Material(young=1e5, poisson=0.45, density=1070.0)
    rubber = fx.Volume("bar", block(cells=(10, 2, 2)), soft)
    robot = fx.Robot(
        "bar",
        volumes=[rubber],
        joints=[fx.Clamp("world", fx.Nodes("bar", box=((0, -1, -1), (0, 1, 1))))],
        loads=[fx.Gravity()],
    )
    model, staging = fx.build(robot), Staging()
    assert staging.scene(at(model, gravity=(0, 0, -1e-3)), Sight("von_mises")).of("ghost") == ()
    (ghost,) = staging.scene(at(model), Sight("von_mises")).of("ghost")
    middle = ghost.points[ghost.triangles].mean(axis=1)
    held = middle[middle[:, 0] < 0.01]
    low, high = rubber.elements.points.min(axis=0), rubber.elements.points.max(axis=0)
    assert ((held > low) & (held < high)).all()  # inside of the volume, where that has not moved
    assert len(ghost.triangles) == len(rubber.elements.skin)
    assert ghost.points[:, 0].max() == pytest.approx(0.1, rel=0.02)


def test_no_text_is_written_over_another_one():
    up, around = np.array([0.0, 0.0, 1.0]), np.linspace(0.0, 2.0 * np.pi, 4)[:3]
    labels = [
        Label(f"{i}", 0.01 * np.array([np.cos(a), np.sin(a), 0.0]), np.zeros(3), "tendon")
        for i, a in enumerate(around)
    ]
    far = Label("far", np.array([0.5, 0.0, 0.0]), np.zeros(3), "tendon")
    *near, alone = np.array(beside([*labels, far], 1.0, up))
    heights = np.sort([place[2] for place in near])
    assert (np.diff(heights) >= 0.04).all()
    np.testing.assert_array_equal(alone, far.point)
