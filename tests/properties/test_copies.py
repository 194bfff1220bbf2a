"""A robot that is written to a file or pickled is the same robot, to the bit."""

import pickle

from hypothesis import given
from properties.budget import robots
from properties.robots import cases

import flexura as fx


def same_bits(a, b):
    """Two results of the same solve."""
    assert a.status is b.status
    assert a.state == b.state
    assert a.evaluation == b.evaluation
    assert a.residuals == b.residuals


@robots()
@given(cases(functions=False))
def test_a_robot_that_is_read_back(tmp_path_factory, case):
    path = tmp_path_factory.mktemp("robots") / "robot.toml"
    fx.save(case.robot, path)
    again = fx.load(path)
    assert again == case.robot
    same_bits(case.solve(), fx.statics(fx.build(again, rods=case.rods), case.inputs))


@robots()
@given(cases())
def test_what_is_pickled(case):
    result = case.solve()
    again = pickle.loads(pickle.dumps(result))
    assert again == result
    assert again.model == result.model
    assert again.model.robot == case.robot
    same_bits(again, result)
    same_bits(fx.statics(again.model, case.inputs), result)
