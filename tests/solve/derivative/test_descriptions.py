"""Derivatives of functions and reactions in every description: differences of solves."""

import differences
import numpy as np
import pytest
from support import mixed

import flexura as fx
from flexura.lie import se3

DESCRIPTIONS = [
    fx.ConstantStrain(), fx.Power(), fx.RotationInterpolation(), fx.VariableStrain(),
    fx.LinearStrain(), fx.Spline(), fx.Hermite(),
]  # fmt: skip
RUBBER = fx.Material(1e6, 0.4)
INSIDE = fx.At("arm", 0.25)
# Differences of solves leave 1e-12 of a value over steps of 1e-3 of a parameter.
CLOSE = 1e-7


def bent(length=0.3, curvature=2.0):
    """A soft arm that is bent at rest and pulled aside."""
    rod = fx.Rod("arm", length, fx.Circle(0.01), RUBBER, rest=(0.0, 0.0, curvature))
    pull = fx.PointLoad("pull", "arm.tip", force=(0.0, 0.0, 0.05))
    return fx.Robot("a", [rod], joints=[fx.Weld("world", "arm.base", name="clamp")], loads=[pull])


ANSWERS = {
    "tip": lambda r: r.pose("arm.tip")[:3, 3],
    "inside": lambda r: r.pose(INSIDE)[:3, 3],
    "reaction": lambda r: r.reaction("clamp"),
    "energy": lambda r: np.array(r.energy),
}
CHANGES = {
    "arm.length": (1e-4, lambda x: bent(length=0.3 + x)),
    "arm.rest": (1e-3, lambda x: bent(curvature=2.0 + x)),
}


@mixed(path=CHANGES, choice=DESCRIPTIONS)
def test_functions_by_length_and_rest(path, choice):
    result = fx.statics(fx.build(bent(), rods=choice)).unwrap()
    step, robot = CHANGES[path]
    around = [fx.statics(fx.build(robot(k * step), rods=choice)).unwrap() for k in (-2, -1, 1, 2)]
    for name, answer in ANSWERS.items():
        found = fx.sensitivity(result, answer, [path])[..., -1]
        expected = differences.slope([answer(x) for x in around], step)
        close = CLOSE * np.abs(expected).max()
        np.testing.assert_allclose(found, expected, rtol=0.0, atol=close, err_msg=name)


@pytest.mark.parametrize("choice", DESCRIPTIONS, ids=str)
def test_points_inside_rods(choice):
    """Motion and give of a point with an offset, that of the load there by differences of it."""
    point = fx.At("arm", 0.19, offset=se3.pose((0.0, 0.01, 0.02), (0.1, 0.2, 0.3)))
    model, pull, step = fx.build(bent(), rods=choice), np.array([0.0, 0.0, 0.0, 0, 0, 0.05]), 1e-4
    result = fx.statics(model).unwrap()
    home = se3.inverse(result.pose(point))
    found = result.jacobian(point, ["pull"])
    for i in range(6):
        around = [
            se3.log(home @ fx.statics(model, {"pull": pull + k * step * np.eye(6)[i]}).pose(point))
            for k in (-2, -1, 1, 2)
        ]
        expected = differences.slope(around, step)
        np.testing.assert_allclose(
            found[:, i], expected, rtol=0.0, atol=CLOSE * np.abs(found).max()
        )


@mixed(path=["arm.length", "arm.rest"], choice=DESCRIPTIONS)
def test_length_and_rest_are_found_from_points_inside(path, choice):
    """Exact data, so that few steps lead to the truth if slopes are right."""
    true = 0.31 if path == "arm.length" else (0.0, 0.0, 2.2)
    robot = bent(length=0.31) if path == "arm.length" else bent(curvature=2.2)
    measured = fx.build(robot, rods=choice)
    seen = []
    for side, up in ((0.0, 0.0), (0.0, 0.05), (0.05, 0.1), (-0.05, 0.15)):
        inputs = {"pull": (0.0, 0.0, 0.0, 0.0, side, up)}
        place = fx.statics(measured, inputs).unwrap().pose(INSIDE)[:3, 3]
        seen.append(fx.Observation(inputs, {INSIDE: place}, sigma=1e-3))
    fitted = fx.calibrate(fx.build(bent(), rods=choice), seen, [path])
    assert fitted.status is fx.CalibrationStatus.CONVERGED
    assert fitted.iterations <= 8
    np.testing.assert_allclose(fitted.values[path], true, rtol=0.0, atol=1e-5)


STEEL = fx.Material(210e9, 0.3, density=7800.0)
HELD = {
    "motor": fx.Motor("held", axis=(0, 1, 0), drives={"arm.base": np.eye(4)}),
    "weld": fx.Weld("world", "arm.base", name="held"),
}


@pytest.mark.parametrize("choice", DESCRIPTIONS, ids=str)
@pytest.mark.parametrize("joint", HELD)
def test_motors_and_welds_that_move(joint, choice):
    """A stiff rod turns with its base and bends little."""
    rod = fx.Rod("arm", 0.3, fx.Circle(0.005), STEEL)
    robot = fx.Robot("s", [rod], joints=[HELD[joint]], loads=[fx.Gravity()])
    model, step = fx.build(robot, rods=choice), 1e-3

    def solved(turn):
        held = turn if joint == "motor" else se3.pose(rotation=(0.0, turn, 0.0))
        return fx.statics(model, {"held": held}).unwrap()

    answers = {
        "tip": lambda r: r.pose("arm.tip")[:3, 3],
        "load": lambda r: np.array(r.torque("held")) if joint == "motor" else r.reaction("held"),
    }
    result, around = solved(0.5), [solved(0.5 + k * step) for k in (-2, -1, 1, 2)]
    for name, answer in answers.items():
        found = fx.sensitivity(result, answer, "held")
        found = found if joint == "motor" else found[..., 1]
        expected = differences.slope([answer(x) for x in around], step)
        # forces are rounded to 1e-16 of EA = 1.6e7 N, which makes 1e-6 and more of a difference
        close = 1e-5 * np.abs(expected).max()
        np.testing.assert_allclose(found, expected, rtol=0.0, atol=close, err_msg=name)
