"""From descriptions to models."""

from itertools import pairwise

import numpy as np
import pytest
from support import OFFSET, RUBBER, branched, rod_of

import flexura as fx
from flexura.lie import se3
from flexura.model.assemble import Assembly
from flexura.model.start import start_state

PLAIN = fx.Spline(3, 4, assumed_strain=False)


def chain(names, **kwargs):
    rods = [rod_of(name=name, length=0.5) for name in names]
    welds = [fx.Weld("world", f"{names[0]}.base")]
    welds += [fx.Weld(f"{a}.tip", f"{b}.base", **kwargs) for a, b in pairwise(names)]
    return fx.Robot("chain", rods=rods, joints=welds)


def test_a_chain_shares_the_poses_where_rods_meet():
    one = fx.build(chain("a"), rods=PLAIN)
    three = fx.build(chain("abc"), rods=PLAIN)
    assert one.n_dof == 6 * 6  # seven control poses, the first is held
    assert three.n_dof == 3 * one.n_dof
    assert three.layout.structure.half == one.layout.structure.half == 23


def test_unknown_forces_come_with_every_pair_of_control_poses():
    mixed = fx.build(chain("abc"), rods=fx.Spline(3, 4))
    assert mixed.n_dof == 3 * 6 * (6 + 3)
    assert mixed.layout.structure.half == 4 * 9 - 1


def test_bandwidth_does_not_depend_on_the_order_of_the_rods():
    robot = chain("abcdef")
    shuffled = fx.Robot("s", rods=[robot.rods[i] for i in (3, 0, 5, 1, 4, 2)], joints=robot.joints)
    assert fx.build(shuffled, rods=PLAIN).layout.structure.half == 23
    assert fx.build(shuffled, rods=fx.Spline(3, 4)).layout.structure.half == 4 * 9 - 1


ELEMENTS = [
    fx.LinearStrain(6),
    fx.ConstantStrain(5),
    fx.VariableStrain((2, 3, 3, 1, 2, 2)),
    fx.RotationInterpolation(4),
    fx.Power(3, 4),
]


@pytest.mark.parametrize("rods", ELEMENTS, ids=str)
def test_matrices_have_no_room_that_nothing_takes(rods):
    """What is unknown inside an element meets the poses of its ends, and nothing beyond."""
    pull = fx.PointLoad("pull", fx.At("a", 0.2), force=(0.1, 0.2, -0.3))
    held = fx.Weld("world", "b.tip", se3.pose((0.7, 0.3, 0.1)))
    robot = chain("ab")
    robot = fx.Robot("arch", rods=robot.rods, joints=[*robot.joints, held], loads=[pull])
    model = fx.build(robot, rods=rods)
    result = fx.statics(model)
    assembly = Assembly(model)
    assembly.evaluate(result.state, result.given)
    structure = model.layout.structure
    i, j = np.nonzero(structure.dense(assembly.values))
    assert structure.half == np.abs(i - j).max()


def test_start_follows_the_offsets():
    model = fx.build(chain("ab", offset=OFFSET), rods=fx.Spline(2, 3))
    tip = fx.statics(model).pose("b.tip")
    straight = se3.pose(position=(0.5, 0.0, 0.0))
    np.testing.assert_allclose(tip, straight @ OFFSET @ straight, atol=1e-13)


def test_different_rods_may_have_different_splines():
    choices = {
        "stem": fx.Spline(3, 40),
        "left": fx.Spline(5, 12),
        "right": fx.Spline(3, 25),
    }
    fine = fx.statics(fx.build(branched(), rods=fx.Spline(4, 24))).unwrap()
    mixed = fx.statics(fx.build(branched(), rods=choices)).unwrap()
    for frame in ("stem.tip", "left.base", "right.tip"):
        np.testing.assert_allclose(mixed.pose(frame), fine.pose(frame), atol=5e-6)


def test_the_model_is_read_only():
    model = fx.build(branched())
    for array in (
        start_state(model, model.read_inputs(None))[0].poses,
        model.layout.offset,
        model.parts[0].laws[0].stiffness,
        model.parts[0].group.b,
    ):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0.0


@pytest.mark.parametrize(
    ("rods", "message"),
    [
        ("spline", "rods= takes a discretization"),
        (None, "rods= takes a discretization"),
        ({"a": fx.Spline()}, "no discretization for 'b'"),
        ({"a": fx.Spline(), "b": fx.Spline(), "c": fx.Spline()}, "no rod 'c'"),
        ({"a": fx.Spline(), "b": 3}, "rods= takes a discretization"),
    ],
)
def test_bad_choices(rods, message):
    with pytest.raises(fx.ModelError, match=message):
        fx.build(chain("ab"), rods=rods)


def test_build_takes_a_robot():
    with pytest.raises(fx.ModelError, match="build takes a Robot, got Rod"):
        fx.build(fx.Rod("a", 1.0, fx.Circle(0.1), RUBBER))


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"ende": np.zeros(6)}, "Did you mean 'end'"),
        ({"end": np.zeros(3)}, "takes 6 finite numbers"),
        ({"end": 1.0}, "takes 6 finite numbers"),
        ({"end": [0, 0, 0, 0, 0, np.nan]}, "takes 6 finite numbers"),
        ({"end": "strong"}, "got 'strong'"),
        ({"gravity": np.zeros(6)}, "takes 3 finite numbers, an acceleration"),
        ([1.0], "inputs must be a dict"),
    ],
)
def test_bad_inputs(inputs, message):
    model = fx.build(branched())
    with pytest.raises(fx.ModelError, match=message):
        fx.statics(model, inputs=inputs)
