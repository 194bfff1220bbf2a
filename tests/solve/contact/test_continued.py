"""What slides where a motion goes on, or begins: ways count from where the step began."""

import numpy as np
import pytest

import flexura as fx
from flexura.solve.unloaded import unloaded

H = 2e-3
FLOOR = fx.Obstacle("floor", fx.Plane(normal=(0, 0, 1), point=(0, 0, 0)))
RUBBER = fx.Material(young=1e6, poisson=0.4, density=1000.0)


def box():
    """A box far from the world's origin, which spins and slides on a floor."""
    body = fx.Body("box", mass=1.0, inertia=(2e-3, 2e-3, 2e-3), shape=fx.Box(0.1, 0.1, 0.1))
    robot = fx.Robot(
        "box",
        bodies=[body],
        loads=[fx.Gravity()],
        obstacles=[FLOOR],
        contacts=[fx.Contact("box", "floor", friction=0.3)],
    )
    return fx.build(robot)


def arm(height=0.03):
    """An arm that hangs down to a floor, its base on a slider, far from the world's origin."""
    above = fx.lie.se3.pose((0.3, 0.2, height))
    robot = fx.Robot(
        "arm",
        rods=[fx.Rod("arm", 0.3, fx.Circle(radius=8e-3), RUBBER)],
        joints=[fx.Slider("go", "world", "arm.base", (1, 0, 0), offset=above, driven=True)],
        loads=[fx.Gravity()],
        obstacles=[FLOOR],
        contacts=[fx.Contact("arm", "floor", friction=0.2)],
    )
    return fx.build(robot, rods=fx.Spline(3, 6))


@pytest.fixture(scope="module")
def thrown():
    place = {"box": fx.lie.se3.pose((0.3, 0.2, 0.08), (0.3, 0.4, 0.1))}
    velocity = {"box": (0.0, 0.0, 3.0, 0.5, 0.0, 0.0)}
    return fx.simulate(box(), 0.15, H, place=place, velocity=velocity).unwrap()


@pytest.mark.parametrize("saved", [False, True])
def test_a_motion_that_goes_on_begins_where_the_other_ended(thrown, saved, tmp_path):
    """The same instant says the same: ways of the last step, and what acts on bodies."""
    last = thrown[-1]
    if saved:
        fx.save_result(thrown, tmp_path / "thrown.npz")
        last = fx.load_result(tmp_path / "thrown.npz")[-1]
    first = fx.simulate(last.model, 2 * H, H, start=last).unwrap()[0]
    assert any(x.sliding for x in last.contacts)
    for x, y in zip(last.contacts, first.contacts, strict=True):
        np.testing.assert_array_equal(y.slip, x.slip)
        np.testing.assert_array_equal(y.force, x.force)
    np.testing.assert_array_equal(first.evaluation.node_forces, last.evaluation.node_forces)


def test_a_motion_that_goes_on_with_other_inputs_has_slid_as_it_has():
    model = arm()
    rest = fx.statics(model).unwrap()
    go = fx.simulate(model, 20 * H, H, start=rest, inputs={"go": lambda t: 0.2 * t}).unwrap()[-1]
    assert any(x.sliding for x in go.contacts)
    slid = fx.simulate(model, 2 * H, H, start=go, inputs={"go": go.inputs["go"] + 1e-5})[0]
    for x, y in zip(go.contacts, slid.contacts, strict=True):
        np.testing.assert_array_equal(y.slip, x.slip)


def test_nothing_has_slid_where_a_motion_begins_at_rest():
    model = arm()
    rest = fx.statics(model, {"go": 0.02}, start=fx.statics(model)).unwrap()
    assert any(np.any(x.slip) for x in rest.contacts)
    first = fx.simulate(model, 2 * H, H, start=rest).unwrap()[0]
    assert first.contacts
    assert not any(np.any(x.slip) for x in first.contacts)


def test_nothing_has_slid_of_a_robot_that_was_not_solved():
    """However the arrays were used before."""
    model = arm(height=8.1e-3)  # about to touch
    fx.statics(model, {"go": 0.02}, start=fx.statics(model)).unwrap()
    found = unloaded(model, model.inputs.described)
    assert not np.any(found.evaluation.slip.ways)


def test_a_way_that_is_followed_is_one_increment():
    """A rod turned on a table by 2.5 rad; a pendulum elsewhere lets its inputs be followed."""
    found = []
    for pendulum in (False, True):
        bob = fx.Body("bob", 0.1, (1e-4,) * 3, center=(0, 0, -0.1))
        pivot = fx.Hinge("pivot", "world", "bob", (0, 1, 0), offset=fx.lie.se3.pose((5, 0, 0)))
        robot = fx.Robot(
            "turned",
            rods=[
                fx.Rod("rod", 0.3, fx.Circle(5e-3), fx.Material(1e6, poisson=0.4, density=1000.0))
            ],
            bodies=[bob] if pendulum else [],
            joints=[
                fx.Hinge("turn", "world", "rod.base", (0, 0, 1), driven=True),
                *([pivot] if pendulum else []),
            ],
            loads=[fx.Gravity()],
            obstacles=[fx.Obstacle("table", fx.Plane(point=(0, 0, -0.03)))],
            contacts=[fx.Contact("rod", "table", friction=0.3)],
        )
        model = fx.build(robot, rods=fx.Spline(3, 6))
        start = fx.statics(model).unwrap()
        result = fx.statics(model, {"turn": 2.5}, start=start).unwrap()
        found.append([np.concatenate([x.force, x.slip]) for x in result.contacts])
    np.testing.assert_allclose(found[0], found[1], rtol=1e-4, atol=1e-6)
