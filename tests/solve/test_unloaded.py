"""The robot without load, which views show."""

import numpy as np
import pytest
from support import RUBBER

import flexura as fx
from flexura.errors import ModelError
from flexura.lie import se3
from flexura.solve.unloaded import unloaded, unloaded_robot


def bent():
    """A bow on a hinge that is driven, with loads and tendons of both kinds."""
    return fx.Robot(
        "bent",
        rods=[fx.Rod("bow", 0.3, fx.Circle(0.01), RUBBER, rest=(0.0, 0.0, 2.0))],
        joints=[fx.Hinge("turn", "world", "bow.base", axis=(0.0, 0.0, 1.0), driven=True)],
        loads=[fx.Gravity(), fx.PointLoad("push", "bow.tip", force=(0.0, 0.0, 1.0))],
        tendons=[
            fx.Tendon("pulled", "bow", fx.Parallel(0.02, 0.0)),
            fx.Tendon("held", "bow", fx.Parallel(0.0, 0.02), drive="length"),
        ],
    )


def arch():
    """A rod that is held at both ends."""
    grip = se3.pose((0.2, 0.05, 0.0), (0.0, 0.5, 0.5))
    joints = [fx.Weld("world", "bow.base"), fx.Weld("world", "bow.tip", offset=grip)]
    return fx.Robot("arch", bent().rods, joints, [fx.Gravity()])


EVERY = [
    fx.Spline(),
    fx.LinearStrain(),
    fx.VariableStrain(),
    fx.ConstantStrain(),
    fx.RotationInterpolation(2),
]


@pytest.mark.parametrize("rods", EVERY, ids=str)
def test_an_open_robot_is_at_rest_where_inputs_have_it(rods):
    """A circle of curvature 2 about z, turned by 0.7 about z, is in every description."""
    model = fx.build(bent(), rods=rods)
    given = model.read_inputs({"turn": 0.7, "pulled": 3.0, "held": 0.01})
    result = unloaded(model, given)
    assert result.converged
    assert result.iterations == 0
    assert result.inputs["turn"] == 0.7
    loads = [result.inputs[name] for name in ("gravity", "push", "pulled", "held")]
    assert not any(np.any(load) for load in loads)
    s = np.linspace(0.0, 0.3, 7)
    heading = 0.7 + 2.0 * s
    line = np.stack([np.sin(heading) - np.sin(0.7), np.cos(0.7) - np.cos(heading), 0.0 * s], axis=1)
    np.testing.assert_allclose(result.pose("bow", s)[:, :3, 3], 0.5 * line, atol=1e-14)
    # rounding of strains is some 1e-15; stiffnesses are at most 314 N
    np.testing.assert_allclose(result.internal_wrench("bow", s), 0.0, atol=1e-11)
    assert result.energy == pytest.approx(0.0, abs=1e-25)
    assert result.potential == pytest.approx(0.0, abs=1e-25)
    np.testing.assert_array_equal(result.tensions, 0.0)
    np.testing.assert_allclose(result.tendon_lengths, model.tendons.rest, rtol=1e-14)
    np.testing.assert_allclose(result.reaction("turn"), 0.0, atol=1e-11)


def test_a_robot_with_loops_is_solved_without_its_loads():
    model = fx.build(arch())
    result = unloaded(model, model.inputs.described)
    expected = fx.statics(model, {"gravity": np.zeros(3)}).unwrap()
    np.testing.assert_array_equal(result.state.poses, expected.state.poses)
    assert result.energy == expected.energy > 0.0


@pytest.mark.parametrize("robot", [bent, arch])
def test_a_robot_that_was_not_built_is_described_finely(robot):
    found = unloaded_robot(robot()).unwrap()
    model = fx.build(robot(), rods=fx.Spline(degree=5, spans=64))
    expected = unloaded(model, model.inputs.described)
    s = np.linspace(0.0, 0.3, 31)
    # 64 cubic spans are 3e-7 from 96 quintic ones in the arch, 64 quintic ones 2e-8
    np.testing.assert_allclose(found.pose("bow", s), expected.pose("bow", s), atol=1e-6)


def test_only_robots_are_taken():
    with pytest.raises(ModelError, match="build takes a Robot"):
        unloaded_robot("arm")


@pytest.mark.parametrize("rods", [fx.Spline(3, 8), fx.Hermite(6), fx.LinearStrain(6)])
def test_a_curved_rod_begins_at_rest(rods):
    """Which is near the rest shape, but not at the knots of each description."""
    soft = fx.Material(young=1e6, poisson=0.4, density=1000.0)
    rod = fx.Rod(
        "rod", 0.3, fx.Circle(5e-3), soft, rest=lambda s: (0.0, 20.0 * np.sin(30.0 * s), 5.0)
    )
    model = fx.build(fx.Robot("curved", [rod], [fx.Weld("world", "rod.base")]), rods=rods)
    still = fx.statics(model).unwrap()
    motion = fx.simulate(model, 0.02, 1e-3)
    assert motion.kinetic.max() <= 1e-12 * rod.stiffness(0.0)[1] / rod.length
    np.testing.assert_allclose(motion[-1].pose("rod.tip"), still.pose("rod.tip"), atol=1e-9)
