"""Motions that meet no force, of what leans on something."""

import flexura as fx

STIFF = fx.Material(young=1e8, poisson=0.4, density=1000.0)


def test_what_leans_on_a_ball_turns_about_it():
    """A rod from a joint above a ball, all about one vertical line: it turns about that."""
    below = fx.lie.se3.pose((0.0, 0.0, -0.2))
    robot = fx.Robot(
        "leaning",
        rods=[fx.Rod("arm", 0.3, fx.Circle(radius=8e-3), STIFF)],
        joints=[fx.Ball("joint", "world", "arm.base")],
        loads=[fx.Gravity()],
        obstacles=[fx.Obstacle("ball", fx.Sphere(0.05), pose=below)],
        contacts=[fx.Contact("arm", "ball")],
    )
    found = fx.statics(fx.build(robot, rods=fx.Spline(3, 4))).unwrap()
    assert found.pressing("arm", "ball") > 0.0
    assert found.stable is True
    assert "freely about the axis (0, 0, 1)" in " ".join(found.remarks)
