"""What something leans on may be an obstacle, a body that is fixed, or one that an input places."""

import numpy as np
import pytest

import flexura as fx

RUBBER = fx.Material(young=2e6, poisson=0.4, density=1000.0)
AT = fx.lie.se3.pose((0.22, 0.006, -0.125))
BALL = fx.Sphere(0.025)


def leaning(kind, discretization):
    """A rod over a ball that it may fall off."""
    bodies, joints, obstacles = [], [fx.Weld("world", "rod.base")], []
    if kind == "obstacle":
        obstacles = [fx.Obstacle("ball", BALL, pose=AT)]
    else:
        bodies = [fx.Body("ball", shape=BALL)]
        slider = fx.Slider("slider", "world", "ball", (1, 0, 0), offset=AT, driven=True)
        joints.append(fx.Weld("world", "ball", offset=AT) if kind == "welded" else slider)
    robot = fx.Robot(
        "leaning",
        rods=[fx.Rod("rod", 0.3, fx.Circle(6e-3), RUBBER)],
        bodies=bodies,
        joints=joints,
        loads=[fx.Gravity(), fx.PointLoad("pull", "rod.tip")],
        obstacles=obstacles,
        contacts=[fx.Contact("rod", "ball")],
    )
    return fx.build(robot, rods=discretization)


@pytest.mark.parametrize("discretization", [fx.LinearStrain(20), fx.Spline(3, 12)], ids=repr)
@pytest.mark.parametrize("pull", [(-0.055, 0.0187, -0.142), (-0.05, 0.01, -0.06)])
def test_what_it_leans_on_is_the_same_however_it_is_fixed(pull, discretization):
    """Also where it slides off: the way down is told by how the normal turns, on either side."""
    kinds = ("obstacle", "welded", "driven")
    found = [
        fx.statics(leaning(kind, discretization), {"pull": (0, 0, 0, *pull)}) for kind in kinds
    ]
    assert all(x.converged and x.stable for x in found)
    ends = [x.pose("rod.tip")[:3, 3] for x in found]
    # iterations end with steps of 1e-8 of the length
    np.testing.assert_allclose(ends, [ends[0]] * len(kinds), atol=1e-8)
