"""Bodies at joints that move freely: what neither inertia nor stiffness resists is refused."""

import pytest
from support import refused

import flexura as fx
from flexura.lie import se3

STIFF = fx.Material(young=1e8, poisson=0.3, density=1000.0)
BALL = fx.Ball("joint", "rod.tip", "bob")
HINGE = fx.Hinge("joint", "rod.tip", "bob", (0, 1, 0))
ASIDE = fx.Hinge("joint", "rod.tip", "bob", (0, 1, 0), offset=se3.pose((0.1, 0.0, 0.02)))
SLIDER = fx.Slider("joint", "rod.tip", "bob", (1, 0, 0))


def arm(joint, body, *loads):
    rod = fx.Rod("rod", 0.3, fx.Circle(0.004), STIFF)
    joints = [fx.Weld("world", "rod.base"), joint]
    robot = fx.Robot("arm", [rod], joints, [fx.Gravity(), *loads], bodies=[body])
    return fx.build(robot, rods=fx.LinearStrain(1))


@pytest.mark.parametrize(
    ("joint", "body", "words"),
    [
        (BALL, fx.Body("bob", 0.1), "ball 'joint'"),
        (BALL, fx.Body("bob", 0.1, center=(0.05, 0, 0)), "ball 'joint'"),  # about its arm
        (HINGE, fx.Body("bob", 0.1), "hinge 'joint'"),
        (ASIDE, fx.Body("bob", 0.1), "hinge 'joint'"),
        (SLIDER, fx.Body("bob"), "slider 'joint'"),
    ],
)
def test_what_nothing_resists_is_refused(joint, body, words):
    model = arm(joint, body)
    for solve in (lambda: fx.simulate(model, 2e-3, 1e-3), lambda: fx.modes(fx.statics(model))):
        with refused(["body 'bob'", words, "nothing resists", "give it", "weld it"]):
            solve()


@pytest.mark.parametrize(
    ("joint", "body", "loads"),
    [
        (BALL, fx.Body("bob", 0.1, (1e-12, 1e-12, 1e-12)), []),
        (HINGE, fx.Body("bob", 0.1, center=(0.05, 0, 0)), []),
        # a lever without mass, that a cord holds
        (
            HINGE,
            fx.Body("bob"),
            [fx.Pulley("cord", fx.At("bob", offset=se3.pose((0.05, 0, 0))), (0.5, 0, 0), 0.1)],
        ),
    ],
)
def test_a_little_inertia_or_stiffness_is_enough(joint, body, loads):
    model = arm(joint, body, *loads)
    assert fx.simulate(model, 2e-3, 1e-3).status.converged
    assert fx.modes(fx.statics(model), 4).frequency[-1] > 0.5
