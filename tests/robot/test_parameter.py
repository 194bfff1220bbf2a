"""Parameters: numbers of a description by their paths."""

import numpy as np
import pytest

import flexura as fx
from flexura.lie import se3
from flexura.robot.parameter import names, parameter


@pytest.fixture
def robot():
    steel = fx.Material(young=2e11, poisson=0.3)
    ends = [(0.1, fx.Parallel(0.01, 0.0)), (0.2, fx.Convergent(0.01, 0.0))]
    return fx.Robot(
        "arm",
        rods=[fx.Rod("rod", 0.3, fx.Tube(2e-3, 1e-3), steel)],
        bodies=[fx.Body("hand", mass=0.1)],
        joints=[fx.Weld("world", "rod.base"), fx.Weld("rod.tip", "hand", name="wrist")],
        tendons=[fx.Tendon("left", "rod", fx.Piecewise(ends), end=0.2)],
        loads=[fx.Gravity(), fx.PointLoad("pull", fx.At("rod", 0.1), force=(1.0, 0.0, 0.0))],
    )


@pytest.mark.parametrize(
    ("path", "value", "new"),
    [
        ("rod.length", 0.3, 0.25),
        ("rod.material.young", 2e11, 1e11),
        ("rod.section.inner", 1e-3, 0.5e-3),
        ("rod.rest", (0.0, 0.0, 0.0), (0.0, 1.0, 0.0)),
        ("hand.mass", 0.1, 0.2),
        ("left.routing.pieces.0.0", 0.1, 0.15),
        ("pull.force", (1.0, 0.0, 0.0), (0.0, 2.0, 0.0)),
        ("pull.force.1", 0.0, 2.0),
        ("pull.at.s", 0.1, 0.05),
        ("gravity.acceleration", (0.0, 0.0, -9.81), (0.0, 0.0, -1.6)),
        ("world-rod.base.offset", np.eye(4), se3.pose((0.1, 0.0, 0.0))),
        ("wrist.offset", np.eye(4), se3.pose((0.1, 0.0, 0.0))),
    ],
)
def test_numbers_are_read_and_replaced(robot, path, value, new):
    own = parameter(robot, path)
    np.testing.assert_array_equal(own.value, value)
    other = own.with_value(new)
    np.testing.assert_array_equal(parameter(other, path).value, new)
    assert parameter(other, path).with_value(value) == own.with_value(value)
    assert path in names(robot) or path == "pull.force.1"


def test_poses_move_along_body_twists(robot):
    own = parameter(robot, "wrist.offset")
    assert own.size == 6
    twist = np.array([0.1, 0.2, -0.3, 0.01, 0.02, 0.03])
    np.testing.assert_allclose(parameter(own.moved(twist), "wrist.offset").value, se3.exp(twist))


def test_all_names_lead_to_numbers(robot):
    for path in names(robot):
        assert np.isfinite(parameter(robot, path).value).all()


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("rod.material.yuong", r"no parameter .*mean 'rod.material.young'"),
        ("rd.length", r"no parameter 'rd.length'.*mean 'rod.length'"),
        ("rod.material", r"no parameter 'rod.material'; there is 'rod.material.density'"),
        ("rod.name", r"'rod.name' is no number: 'rod'"),
        ("rod.material.shear", r"'rod.material.shear' is not given"),
        ("left.routing.pieces.7.0", r"no parameter"),
        (3, r"named by its path"),
    ],
)
def test_what_is_no_parameter_is_told(robot, path, message):
    with pytest.raises(fx.ModelError, match=message):
        parameter(robot, path)


def test_values_that_make_no_sense_are_told(robot):
    with pytest.raises(fx.ModelError, match="takes a number, got"):
        parameter(robot, "rod.length").with_value((1.0, 2.0))
    with pytest.raises(fx.ModelError, match="length must be"):
        parameter(robot, "rod.length").with_value(-1.0)
