"""Robots that lie elsewhere in the world rest, move and answer as they do near its origin."""

from dataclasses import replace

import numpy as np
import pytest
from properties.changes import moved as carried_off
from properties.drafts import Case

import flexura as fx
from flexura.lie import se3, so3

NITINOL = fx.materials.nitinol
PLACES = [(3.0, -2.0, 1.0), (10.0, 10.0, 0.0)]
EACH = pytest.mark.parametrize("at", PLACES, ids=str)


def folded():
    """Rods of 24 to 42 mm between a ball and a hinge, whose joints gravity alone holds."""
    base, tip = np.eye(4), np.eye(4)
    base[:3, :3] = so3.nearest(
        [[-0.474299, -0.217311, -0.853122], [0.126518, 0.942172, -0.310332],
         [0.871226, -0.255125, -0.419377]]
    )  # fmt: skip
    tip[:3, :3] = so3.nearest(
        [[0.720482, 0.348111, -0.59977], [0.158098, 0.759649, 0.630823],
         [0.675212, -0.549319, 0.492278]]
    )  # fmt: skip
    tip[:3, 3] = 0.006, -0.004, 0.01
    rods = [
        fx.Rod("r0", 0.03, fx.Circle(4e-4), NITINOL),
        fx.Rod("r1", 0.0424, fx.Circle(3e-4), NITINOL),
        fx.Rod("r2", 0.0244, fx.Circle(5e-4), NITINOL, rest=(-77.4, -13.0, 216.0)),
    ]
    joints = [
        fx.Ball("j0", "world", "r0.base", base),
        fx.Hinge("j1", "r0.tip", "r1.base", axis=(0, 0, 1)),
        fx.Ball("j2", "r1.tip", "r2.base"),
        fx.Hinge("end", "world", "r2.tip", axis=(0, 1, 0), offset=tip),
    ]
    return fx.Robot("folded", rods=rods, joints=joints, loads=[fx.Gravity()])


def arm():
    """A short arm on a motor, between a pulley and a dead force, that rests on a ball."""
    rod = fx.Rod("rod", 0.1, fx.Circle(5e-4), NITINOL)
    return fx.Robot(
        "arm",
        rods=[rod],
        joints=[fx.Motor("motor", (0, 0, 1), (0.01, 0, 0), {"rod.base": np.eye(4)})],
        loads=[
            fx.Gravity(),
            fx.Pulley("pulley", "rod.tip", (0.05, 0.1, 0.02), 0.05),
            fx.PointLoad("dead", "rod.tip", (0.01, 0.02, -0.05)),
        ],
    )


def at_origin_and(robot, at, inputs=None):
    """The robot, and the same moved by a vector."""
    rods = {rod.name: fx.Spline() for rod in robot.rods}
    return robot, carried_off(Case(robot, inputs or {}, rods), se3.pose(at)).robot


@EACH
@pytest.mark.parametrize("rods", [fx.Spline(3, 24), fx.LinearStrain(24)], ids=str)
def test_what_gravity_holds_is_not_free_elsewhere(rods, at):
    """It rested upside down, "moved freely", with 42 times the energy."""
    here, there = (fx.statics(fx.build(x, rods)) for x in at_origin_and(folded(), at))
    assert there.status is here.status is fx.Status.CONVERGED
    assert there.stable
    assert there.remarks == here.remarks == ()
    assert there.iterations == here.iterations
    assert there.energy == pytest.approx(here.energy, rel=1e-8)
    places = there.pose("r1.base")[:3, 3] - at
    np.testing.assert_allclose(places, here.pose("r1.base")[:3, 3], atol=1e-11)
    assert there.accuracy == pytest.approx(here.accuracy, rel=0.1)


@EACH
def test_chains_to_a_joint_of_the_world_begin_where_that_is(at):
    """Strands between a weld and a ball that is not at the world's origin, nor where nodes are."""
    rods = [fx.Rod(name, 0.1, fx.Circle(5e-4), NITINOL) for name in ("first", "last")]
    joints = [
        fx.Weld("world", "first.base"),
        fx.Ball("knee", "first.tip", "last.base"),
        fx.Ball("end", "world", "last.tip", offset=se3.pose((0.12, 0.03, -0.05))),
    ]
    loads = [fx.Gravity(), fx.PointLoad("pull", "first.tip", (0, 0.02, 0.01))]
    robot = fx.Robot("strand", rods, joints, loads)
    here, there = (fx.statics(fx.build(x, fx.Spline(3, 24))) for x in at_origin_and(robot, at))
    assert (there.status, there.iterations) == (here.status, here.iterations)
    assert there.energy == pytest.approx(here.energy, rel=1e-7)


@EACH
def test_answers_are_those_of_the_world(at):
    here, there = (
        fx.statics(fx.build(x, fx.LinearStrain(12)), {"motor": 0.3}).unwrap()
        for x in at_origin_and(arm(), at)
    )
    s = np.linspace(0.0, 0.1, 5)
    np.testing.assert_array_equal(there.pose("world"), np.eye(4))
    for frame, lengths in (("rod.tip", None), ("rod", s), (fx.At("rod", 0.03), None)):
        moved = here.pose(frame, lengths).copy()
        moved[..., :3, 3] += at
        np.testing.assert_allclose(there.pose(frame, lengths), moved, atol=1e-12)
    assert there.torque("motor") == pytest.approx(here.torque("motor"), rel=1e-8)
    wrench = here.internal_wrench("rod", s)
    np.testing.assert_allclose(there.internal_wrench("rod", s), wrench, atol=1e-9)
    rod, load = here.model.robot.rods[0], np.array([0.01, 0.02, -0.05])
    weight = rod.material.density * rod.section.area * rod.length * np.array([0.0, 0.0, -9.81])
    rise = -float(np.array(at) @ (load + weight))
    assert there.potential == pytest.approx(here.potential + rise, rel=1e-9)
    tip = next(row for row in str(there).splitlines() if "rod.tip" in row)
    assert f"{there.pose('rod.tip')[0, 3]:.4g}" in tip


@EACH
def test_motions_elsewhere_are_the_same(at):
    here, there = (
        fx.simulate(fx.build(x, fx.LinearStrain(6)), 0.02, step=1e-3)
        for x in at_origin_and(arm(), at)
    )
    np.testing.assert_allclose(
        there.pose("rod.tip")[:, :3, 3] - at, here.pose("rod.tip")[:, :3, 3], atol=1e-9
    )
    np.testing.assert_allclose(there.kinetic, here.kinetic, rtol=1e-6, atol=1e-15)
    rod = arm().rods[0]
    weight = rod.material.density * rod.section.area * rod.length * 9.81
    np.testing.assert_allclose(there.gravity, here.gravity + weight * at[2], rtol=1e-8, atol=1e-9)
    turn, push = np.split(here[-1].momentum, 2)
    about = np.concatenate([turn + np.cross(at, push), push])
    np.testing.assert_allclose(there[-1].momentum, about, rtol=1e-5, atol=1e-10)


@EACH
def test_files_and_shooting_elsewhere(at, tmp_path):
    rod = fx.Rod("rod", 0.1, fx.Circle(5e-4), NITINOL)
    robot = fx.Robot(
        "wire", [rod], [fx.Weld("world", "rod.base", offset=se3.pose(at))],
        [fx.Gravity(), fx.PointLoad("pull", "rod.tip", (0, 0, 0.3))],
    )  # fmt: skip
    model = fx.build(robot)
    result, exact = fx.statics(model).unwrap(), fx.shooting(robot).unwrap()
    tip = exact.pose("rod.tip")
    np.testing.assert_allclose(result.pose("rod.tip"), tip, atol=1e-7)
    np.testing.assert_allclose(exact.pose("rod", 0.1), tip, atol=1e-12)
    assert result.potential == pytest.approx(exact.potential, rel=1e-6)
    again = fx.shooting(robot, start=result)
    np.testing.assert_allclose(again.pose("rod.tip"), tip, atol=1e-9)
    fx.save_result(result, tmp_path / "far.npz")
    loaded = fx.load_result(tmp_path / "far.npz")
    np.testing.assert_array_equal(loaded.pose("rod", 0.05), result.pose("rod", 0.05))
    found = fx.inverse(model, {"rod.tip": tip[:3, 3]}, using=["pull"])
    assert found.result.pose("rod.tip")[:3, 3] == pytest.approx(tip[:3, 3], abs=1e-8)


def test_a_described_place_may_be_calibrated_over_many_lengths():
    """The models of a calibration count from one origin, wherever their bases are."""
    rod = fx.Rod("rod", 0.1, fx.Circle(5e-4), NITINOL)
    weld = fx.Weld("world", "rod.base", name="foot")

    def wire(x):
        loads = [fx.Gravity(), fx.PointLoad("pull", "rod.tip", (0, 0, 0.3))]
        return fx.Robot("wire", [rod], [replace(weld, offset=se3.pose((x, 0, 0)))], loads)

    seen = fx.statics(fx.build(wire(1.7))).unwrap().pose("rod.tip")[:3, 3]
    found = fx.calibrate(wire, [fx.Observation({}, positions={"rod.tip": seen})], {"x": 0.05})
    assert found.values["x"] == pytest.approx(1.7, abs=1e-8)
