"""Models, results and paths are pickled, copied and compared; another process solves to the bit."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest
from model.own_mechanics import Rope
from support import OFFSET, RUBBER, branched, rod_of

import flexura as fx

CHOICES = [
    fx.Spline(3, 4),
    fx.Hermite(3),
    fx.Power(3, 2),
    fx.LinearStrain(3),
    fx.VariableStrain((2, 3, 3, 1, 2, 2), steps=6),
    fx.ConstantStrain(3),
    fx.RotationInterpolation(2),
]
EACH = pytest.mark.parametrize("rods", CHOICES, ids=lambda c: type(c).__name__)
# What the other process does: read, solve again, give back the bits.
SOLVE = """
import pickle, sys
import flexura as fx
from flexura._kernel import seconds_spent_compiling
model, result = pickle.load(sys.stdin.buffer)
cold, warm = fx.statics(model, result.inputs), fx.statics(model, {"left": 0.02}, start=result)
assert seconds_spent_compiling() == 0.0, "arrays of another kind than before"
pickle.dump((cold, warm, result), sys.stdout.buffer)
"""


def robot():
    """Everything that a model may hold: tendons by length, discs, joints, bodies, a drawn rest."""
    return fx.Robot(
        "all",
        rods=[
            fx.Rod("stem", 1.0, fx.Taper(fx.Circle(0.03), fx.Circle(0.02)), RUBBER, (0.1, 0.2, 0)),
            rod_of(name="arm", length=0.5, EA=1e4),
        ],
        bodies=[fx.Body("plate", mass=0.1)],
        joints=[
            fx.Weld("world", "stem.base", offset=OFFSET, name="base"),
            fx.Hinge("knee", "stem.tip", "plate", axis=(0, 1, 0), driven=True),
            fx.Weld("plate", "arm.base"),
        ],
        tendons=[
            fx.Tendon("left", "stem", fx.Parallel(0.05, 0.0), drive="length"),
            fx.Tendon("right", "stem", fx.Discs([0.2, 0.6, 0.9], -0.05, 0.0)),
        ],
        loads=[fx.Gravity(), fx.PointLoad("tip", "arm.tip", force=(0.1, 0.2, 0.0))],
    )


def same_bits(a, b):
    """Two results of the same solve."""
    assert a.state == b.state
    assert a.status is b.status
    assert a.residuals == b.residuals
    assert a.evaluation == b.evaluation
    np.testing.assert_array_equal(a.pose("arm", 0.3), b.pose("arm", 0.3))
    np.testing.assert_array_equal(a.reaction("base"), b.reaction("base"))


@EACH
def test_round_trip_here(rods):
    model = fx.build(robot(), rods=rods)
    result = fx.statics(model, {"left": 0.01, "right": 0.5, "knee": 0.2}).unwrap()
    for again in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        assert again.model == model
        assert again.model is not model
        assert again == result
        assert again.model.layout == model.layout
        assert again.model.terms == model.terms
        assert again.model.constraints == model.constraints
        same_bits(again, result)
        same_bits(fx.statics(again.model, result.inputs), result)
        more = fx.statics(model, {"left": 0.02}, start=again)  # of an equal model
        same_bits(more, fx.statics(model, {"left": 0.02}, start=result))
        with pytest.raises(ValueError, match="read-only"):
            again.state.numbers[0] = 1.0
        with pytest.raises(ValueError, match="read-only"):
            again.model.layout.offset[0] = 1.0


@pytest.mark.long
def test_round_trip_through_another_process():
    for rods in CHOICES:
        model = fx.build(robot(), rods=rods)
        result = fx.statics(model, {"left": 0.01, "right": 0.5, "knee": 0.2}).unwrap()
        sent = pickle.dumps((model, result))
        found = subprocess.run(
            [sys.executable, "-c", SOLVE], input=sent, capture_output=True, check=True
        )
        cold, warm, back = pickle.loads(found.stdout)
        same_bits(cold, fx.statics(model, result.inputs))
        same_bits(warm, fx.statics(model, {"left": 0.02}, start=result))
        same_bits(back, result)


def test_a_path_and_many_results():
    rod = rod_of(EA=1e4)
    load = fx.PointLoad("tip", "rod.tip")
    arm = fx.Robot("arm", [rod], [fx.Weld("world", "rod.base")], [load])
    model = fx.build(arm)
    path = fx.continuation(model, "tip", (0, 0, 0, 0, 2.0, 0)).unwrap()
    again = pickle.loads(pickle.dumps(path))
    np.testing.assert_array_equal(again.pose("rod.tip"), path.pose("rod.tip"))
    assert again.status is path.status
    assert again == path
    many = fx.statics_many(model, {"tip": np.eye(6)[3:]})
    np.testing.assert_array_equal(copy.deepcopy(many).pose("rod.tip"), many.pose("rod.tip"))


def test_models_are_equal_if_robot_and_description_are():
    assert fx.build(robot(), fx.Spline(3, 4)) == fx.build(robot(), fx.Spline(3, 4))
    assert fx.build(robot(), fx.Spline(3, 4)) != fx.build(robot(), fx.Spline(3, 5))
    assert fx.build(branched(), fx.Spline(3, 4)) != fx.build(robot(), fx.Spline(3, 4))
    model = fx.build(robot(), fx.Spline(3, 4))
    assert fx.build(robot(), fx.Spline(3, 4), also=[Rope("world", "arm.tip", 3.0)]) != model
    assert hash(fx.build(robot(), fx.Spline(3, 4))) == hash(model)


def test_a_model_remembers_its_description():
    rods = {"stem": fx.Spline(3, 4), "arm": fx.LinearStrain(3)}
    assert fx.build(robot(), rods).rods == rods
