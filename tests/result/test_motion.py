"""What a motion answers along the time."""

import numpy as np
import pytest
from support import RUBBER

import flexura as fx
from flexura.lie import se3


@pytest.fixture(scope="module")
def motion():
    """An arm that a tendon begins to pull."""
    robot = fx.Robot(
        "arm",
        rods=[fx.Rod("arm", 0.3, fx.Circle(0.01), RUBBER)],
        joints=[fx.Weld("world", "arm.base")],
        loads=[fx.Gravity()],
        tendons=[fx.Tendon("left", "arm", fx.Parallel(8e-3, 0.0))],
    )
    model = fx.build(robot, rods=fx.Spline(3, 4))
    return fx.simulate(model, 0.03, 2e-3, {"left": lambda t: 50.0 * t}).unwrap()


@pytest.mark.parametrize(
    ("frame", "s", "shape"),
    [
        ("arm.tip", None, (6,)),
        ("arm", 0.1, (6,)),
        ("arm", [[0.1, 0.2, 0.3]], (1, 3, 6)),
        (fx.At("arm", 0.2), None, (6,)),
    ],
)
def test_velocities_are_those_of_the_instants(motion, frame, s, shape):
    found = motion.velocity(frame, s)
    assert found.shape == (len(motion), *shape)
    np.testing.assert_array_equal(found, [i.velocity(frame, s) for i in motion])


def test_velocities_are_those_of_the_poses(motion):
    """Central differences over two steps of 2 ms; their error is a part of the change of v."""
    pose, v = motion.pose("arm.tip"), motion.velocity("arm.tip")
    found = se3.log(se3.inverse(pose[:-2]) @ pose[2:]) / 4e-3
    away, change = np.abs(found - v[1:-1]), np.abs(np.diff(v, 2, axis=0))
    assert (away[2:] < change[2:].max(axis=0) + 1e-9).all()
    assert np.abs(v).max() > 0.1


def test_momentum_of_a_thrown_body():
    """Momentum m v, and about the origin r × m v + R I ω."""
    inertia, mass, twist = np.array([1e-4, 2e-4, 3e-4]), 0.2, np.array([3.0, -2, 1, 0.5, 1, -1.5])
    place = se3.pose((0.3, -0.2, 0.5), (0.4, 0.1, -0.6))
    robot = fx.Robot("stone", bodies=[fx.Body("stone", mass=mass, inertia=tuple(inertia))])
    thrown = fx.simulate(
        fx.build(robot), 0.02, 1e-3, velocity={"stone": twist}, place={"stone": place}
    ).unwrap()
    R, r = place[:3, :3], place[:3, 3]
    p = mass * R @ twist[3:]
    expected = [*(np.cross(r, p) + R @ (inertia * twist[:3])), *p]
    np.testing.assert_allclose(thrown.momentum[0], expected, rtol=1e-9)
    np.testing.assert_allclose(thrown.momentum, [i.momentum for i in thrown])
    assert thrown.kinetic[0] == pytest.approx(
        0.5 * (inertia @ twist[:3] ** 2 + mass * twist[3:] @ twist[3:]), rel=1e-9
    )


def test_times_are_kept_and_not_to_be_changed(motion):
    np.testing.assert_allclose(motion.t, 2e-3 * np.arange(16), atol=1e-15)
    with pytest.raises(ValueError, match="read-only"):
        motion.t[0] = 1.0
