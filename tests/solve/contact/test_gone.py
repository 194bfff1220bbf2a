"""Contacts that are gone leave nothing: no force in the state, and nothing that counts as one."""

import numpy as np

import flexura as fx

RUBBER = fx.Material(young=1e6, poisson=0.45, density=1100.0)


def finger():
    """A finger over a ball on a driven slider, which lifts it."""
    below = fx.lie.se3.pose((0.08, 0.0, -0.03))
    lift = fx.Slider("lift", "world", "ball", (0, 0, 1), offset=below, driven=True)
    robot = fx.Robot(
        "finger",
        rods=[fx.Rod("finger", 0.1, fx.Circle(radius=3e-3), RUBBER)],
        joints=[fx.Weld("world", "finger.base"), lift],
        bodies=[fx.Body("ball", mass=0.02, shape=fx.Sphere(5e-3))],
        loads=[fx.Gravity()],
        contacts=[fx.Contact("finger", "ball", friction=0.3)],
    )
    return fx.build(robot, rods=fx.Spline(3, 10))


def test_what_was_let_go_is_as_it_would_hang_alone():
    """The ball goes far in one step: the finger ends as if it had never been there, as soon."""
    model, held = finger(), None
    for lift in np.linspace(0.0, 0.05, 11):
        held = fx.statics(model, {"lift": lift}, start=held).unwrap()
    assert held.pressing("finger", "ball") > 1e-4
    gone, alone = fx.statics(model, {"lift": -0.5}, start=held), fx.statics(model, {"lift": -0.5})
    assert gone.converged
    assert gone.stable
    assert not gone.state.multipliers.any()
    assert gone.load_steps == 1
    np.testing.assert_allclose(gone.pose("finger.tip"), alone.pose("finger.tip"), atol=1e-9)
