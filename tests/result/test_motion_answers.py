"""What motions and their instants answer."""

import numpy as np
import pytest
from support import RUBBER, refused

import flexura as fx
from flexura.lie import se3
from flexura.result.motion import MotionStatus


def robot():
    return fx.Robot(
        "arm",
        rods=[fx.Rod("rod", 0.3, fx.Circle(0.01), RUBBER)],
        bodies=[fx.Body("bob", 0.05, (1e-5, 1e-5, 1e-5), (0.01, 0, 0))],
        joints=[
            fx.Motor("motor", (0, 0, 1), (0, 0, 0), {"rod.base": np.eye(4)}),
            fx.Hinge("wrist", "rod.tip", "bob", (0, 1, 0)),
        ],
        loads=[fx.Gravity()],
        tendons=[fx.Tendon("pull", "rod", fx.Parallel(0.005, 0.0))],
    )


def angle(t):
    return 0.5 * (1.0 - np.cos(10.0 * t))


@pytest.fixture(scope="module")
def motion():
    model = fx.build(robot(), rods=fx.LinearStrain(6))
    return fx.simulate(model, 0.05, 1e-3, {"motor": angle, "pull": lambda t: 10.0 * t}).unwrap()


def test_shapes(motion):
    n = len(motion)
    assert n == 51
    assert motion.t.shape == motion.kinetic.shape == motion.energy.shape == (n,)
    assert motion.momentum.shape == (n, 6)
    assert motion.pose("bob").shape == (n, 4, 4)
    assert motion.pose("rod", [0.1, 0.2]).shape == (n, 2, 4, 4)
    assert motion.velocity("bob").shape == (n, 6)
    assert motion.tension("pull").shape == motion.torque("motor").shape == (n,)
    assert motion.reaction("wrist").shape == (n, 6)
    parts = motion.kinetic + motion.elastic + motion.gravity
    np.testing.assert_allclose(motion.energy, parts, rtol=1e-12)
    np.testing.assert_allclose(motion.balance, motion.energy + motion.dissipated - motion.work)
    np.testing.assert_allclose(motion.tension("pull"), 10.0 * motion.t, atol=1e-12)
    assert all(instant.converged for instant in motion)


def test_parts(motion):
    assert motion[3].t == pytest.approx(3e-3)
    assert motion[-1] is motion.results[-1]
    half = motion[:10]
    assert half.status is MotionStatus.PART
    assert not half.converged
    assert motion[::10].status is MotionStatus.REACHED  # the last one is among them
    np.testing.assert_array_equal(motion[motion.t > 0.03].t, motion.t[motion.t > 0.03])
    assert len(motion[[]]) == 0
    assert "without instants" in repr(motion[[]])
    assert motion[[]].table() == {}
    with refused(["in their order"]):
        motion[[3, 1]]
    for number in (1000, -1000):
        with pytest.raises(IndexError, match=f"{len(motion)} results.*got {number}"):
            motion[number]


def test_table(motion):
    table = motion.table()
    first = ["t", "kinetic", "elastic", "gravity", "dissipated", "work"]
    assert list(table)[:6] == first
    np.testing.assert_array_equal(table["energy"], motion.energy)
    assert all(len(column) == len(motion) for column in table.values())
    np.testing.assert_array_equal(table["bob.z"], motion.pose("bob")[:, 2, 3])
    np.testing.assert_array_equal(table["motor.torque"], motion.torque("motor"))
    np.testing.assert_allclose(table["motor"], [angle(t) for t in motion.t], atol=1e-15)


def test_words(motion):
    for word in ("'arm'", "reached", "0 to 0.05 s", "51 instants", "0.001 s"):
        assert word in repr(motion)
    for word in ("'arm'", "t = 0.05 s", "kinetic", "gravity"):
        assert word in repr(motion[-1])
    assert "Motion" in motion._repr_html_()


def test_between_instants(motion):
    """A cubic through places and velocities: exact at both ends, of fourth order between."""
    assert motion.at(0.0) is motion[0]
    assert motion.at(float(motion.t[7])) is motion[7]
    thin = motion[::2]
    for i in (20, 30):
        found, expected = thin.at(float(motion.t[i + 1])), motion[i + 1]
        for frame in ("bob", "rod.tip", "rod.base", fx.At("rod", 0.1)):
            step = se3.log(se3.inverse(motion[i].pose(frame)) @ expected.pose(frame))
            off = np.abs(found.pose(frame) - expected.pose(frame)).max()
            assert off <= 0.05 * np.abs(step).max()
            # Waves that are as short as a few steps are not resolved by fewer.
            error = 0.1 * np.abs(step).max() / 1e-3
            np.testing.assert_allclose(found.velocity(frame), expected.velocity(frame), atol=error)
        assert found.energy == pytest.approx(expected.energy, abs=0.02 * motion.kinetic.max())
        assert found.t == expected.t
    near = motion.at(float(motion.t[20]) + 1e-9)
    np.testing.assert_allclose(near.pose("bob"), motion[20].pose("bob"), atol=1e-8)
    np.testing.assert_allclose(near.velocity("bob"), motion[20].velocity("bob"), atol=1e-4)


def test_beyond_the_motion(motion):
    for t in (-1e-3, 0.051):
        with refused(["from 0 s to 0.05 s"]):
            motion.at(t)
    with refused(["t must be"]):
        motion.at("soon")
    with pytest.raises(fx.ModelError, match="no instants"):
        motion[:0].at(0.0)


def test_velocities_of_what_is_driven(motion):
    rate = 5.0 * np.sin(10.0 * motion.t)
    found = motion.velocity("rod.base")
    # Steps are 1e-4 of the motor's period squared; generalised-alpha oscillates at the beginning.
    np.testing.assert_allclose(found[5:, 2], rate[5:], atol=0.01 * 5.0)
    np.testing.assert_allclose(found[:, 3:], 0.0, atol=1e-9)


def test_unknown_frames(motion):
    with refused(["'bib'", "'bob'"]):
        motion.velocity("bib")
    with refused(["'rod'", "give s="]):
        motion.velocity("rod")
    with refused(["0.3", "0.4"]):
        motion.velocity("rod", 0.4)
