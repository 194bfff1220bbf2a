"""Motions say what else to know of them."""

import numpy as np
import pytest

import flexura as fx
from flexura.lie import se3

RUBBER = fx.Material(young=1e6, poisson=0.45, density=1000.0, viscosity=300.0)
ROD = fx.Rod("arm", 0.3, fx.Circle(0.01), RUBBER)
HELD = fx.Weld("world", "arm.base")
FEW = fx.LinearStrain(3)


def built(**parts):
    return fx.build(fx.Robot("robot", **{"rods": [ROD], "joints": [HELD], **parts}), rods=FEW)


def said(motion, *words):
    """Whether one remark has all the words."""
    return any(all(word in remark for word in words) for remark in motion.remarks)


def test_an_ordinary_motion_has_nothing_to_say():
    motion = fx.simulate(built(loads=[fx.Gravity()]), 0.2, 5e-3)
    assert motion.remarks == ()


def test_slips_of_units():
    soft = fx.Rod("arm", 0.3, fx.Circle(0.01), fx.Material(young=210.0, poisson=0.3, density=1e3))
    motion = fx.simulate(built(rods=[soft]), 1e-3, 1e-4)
    assert said(motion, "Young's modulus of 210 Pa", "is that meant")
    assert "210 Pa" in repr(motion)


def test_large_strains():
    """500 N on EA = 314 N."""
    load = fx.PointLoad("pull", "arm.tip", (500.0, 0.0, 0.0))
    robot = fx.Robot("robot", rods=[ROD], joints=[HELD], loads=[load])
    motion = fx.simulate(fx.build(robot, rods=fx.Spline(3, 4)), 0.1, 1e-3)
    assert said(motion, "stretched to")


def test_steps_too_long_for_a_spin():
    """5 rad/s in steps of 0.2 s are 1 rad each."""
    disc = fx.Body("disc", 1.0, (0.1, 0.1, 0.2))
    model = fx.build(fx.Robot("top", bodies=[disc]))
    spin = {"disc": (0, 0, 5.0, 0, 0, 0)}
    assert said(fx.simulate(model, 2.0, 0.2, velocity=spin), "turn by up to 1 rad", "0.1 s")
    assert not fx.simulate(model, 2.0, 0.05, velocity=spin).remarks


def test_steps_too_long_for_a_vibration():
    """A steel arm at 42 Hz: 5 ms are 1.3 rad of it, 1 ms 0.26 rad."""
    steel = fx.Material(young=2.1e11, poisson=0.3, density=7800.0)
    rod = fx.Rod("arm", 0.3, fx.Circle(2.25e-3), steel)
    model = built(rods=[rod], loads=[fx.PointLoad("pull", "arm.tip")])
    bent = fx.statics(model, {"pull": (0, 0, 0, 0, 0, 1.0)}).unwrap()
    frequency = fx.modes(fx.statics(model).unwrap()).frequency[0]
    assert frequency == pytest.approx(35.0, rel=0.3)
    for h, long in ((5e-3, True), (1e-3, False)):
        motion = fx.simulate(model, 0.2, h, {"pull": np.zeros(6)}, start=bent)
        assert said(motion, "vibrates faster than steps") is long


def test_velocities_that_contradict_each_other():
    other = fx.Rod("other", 0.3, fx.Circle(0.01), RUBBER)
    model = built(rods=[ROD, other], joints=[fx.Weld("arm.tip", "other.base")])
    along = {"arm": (0, 0, 0, 1.0, 0, 0), "other": (0, 0, 0, 1.0, 0, 0)}
    assert not fx.simulate(model, 0.01, 1e-3, velocity=along).remarks
    apart = {**along, "other": (0, 0, 0, 0, -1.0, 0)}
    assert said(fx.simulate(model, 0.01, 1e-3, velocity=apart), "velocity=", "nearest")


def test_a_forgotten_weld():
    other = fx.Rod("other", 0.3, fx.Circle(0.01), RUBBER)
    model = built(rods=[ROD, other], loads=[fx.Gravity()])
    assert said(fx.simulate(model, 0.01, 1e-3), "other flies free", "Weld")
    known = fx.simulate(model, 0.01, 1e-3, place={"other": se3.pose((0, 1, 0))})
    assert not known.remarks
    alone = fx.build(fx.Robot("stick", rods=[ROD]), rods=FEW)
    assert not fx.simulate(alone, 0.01, 1e-3).remarks


def test_a_base_that_jumps():
    model = built(joints=[fx.Weld("world", "arm.base", name="base")])
    rest = fx.statics(model).unwrap()
    away = se3.pose((0.0, 0.0, 0.1))
    motion = fx.simulate(model, 0.01, 1e-3, {"base": away}, start=rest)
    assert said(motion, "'base' jumps at the beginning")

    def late(t):
        return away if t > 0.0051 else np.eye(4)

    motion = fx.simulate(model, 0.01, 1e-3, {"base": late})
    assert not motion.converged
    assert said(motion, "'base' jumps at t = 0.0051 s")


SHAKEN = {"joints": [fx.Slider("drive", "world", "arm.base", (0, 0, 1), driven=True)]}
JUMPING = {
    "place": (lambda t: 0.01 * t**2 + 1e-3 * (t > 0.0123), "jumps at t = 0.0123 s"),
    "speed": (lambda t: max(0.0, 0.1 * (t - 0.0123)), "changes its speed at once at t = 0.0123 s"),
}


@pytest.mark.parametrize("integrator", [fx.GeneralizedAlpha(), fx.Variational()], ids=str)
@pytest.mark.parametrize("case", JUMPING)
def test_jumps_on_the_way_that_steps_can_follow(case, integrator):
    course, words = JUMPING[case]
    motion = fx.simulate(built(**SHAKEN), 0.03, 1e-3, {"drive": course}, integrator=integrator)
    assert motion.converged
    assert said(motion, "'drive'", words)


@pytest.mark.parametrize("h", [1e-3, 0.02])
def test_what_goes_smoothly_does_not_jump(h):
    """However coarse the steps are, from rest on and through samples."""
    samples = ([0.0, 0.05, 0.06, 0.2], [0.0, 0.0, 5e-3, 5e-3])
    for course in (lambda t: 2e-3 * (1.0 - np.cos(70.0 * t)), samples):
        motion = fx.simulate(built(**SHAKEN), 0.2, h, {"drive": course})
        assert not said(motion, "at once")
        assert not said(motion, "jumps")


@pytest.mark.parametrize("integrator", [fx.GeneralizedAlpha(), fx.Variational()], ids=str)
def test_a_tendon_that_is_shortened_at_once(integrator):
    """It moves the robot by that in no time, if it does not stretch."""
    for stiffness in (None, 100.0):
        tendon = fx.Tendon(
            "pull", "arm", fx.Parallel(0.0, 8e-3), drive="length", stiffness=stiffness
        )
        model = built(tendons=[tendon])
        for inputs, words in (
            ({"pull": 1e-3}, "jumps at the beginning"),
            ({"pull": lambda t: 0.1 * t}, "begins at once with a speed"),
            ({"pull": lambda t: 1e-3 * (t > 3.2e-3)}, "jumps at t = 0.0032 s"),
        ):
            motion = fx.simulate(model, 6e-3, 1e-3, inputs, integrator=integrator)
            assert said(motion, "'pull'", words) is (stiffness is None)
    gives = fx.simulate(model, 6e-3, 1e-3, {"pull": -1e-3}, integrator=integrator)
    assert not gives.remarks


def test_a_flying_loop_that_begins_open():
    rods = [fx.Rod(name, 0.3, fx.Circle(0.01), RUBBER) for name in ("a", "b")]
    joints = [
        fx.Hinge("first", "a.base", "b.base", (0, 0, 1)),
        fx.Ball("second", "a.tip", "b.tip", offset=se3.pose((0.0, 0.05, 0.0))),
    ]
    model = built(rods=rods, joints=joints)
    motion = fx.simulate(model, 2e-3, 1e-3, place={"a": np.eye(4)})
    assert said(motion, "'second' is open by", "at the beginning")


def test_short_pulses_are_not_missed():
    """A pulse of 1 ms in a second: adaptive steps end at its corners."""
    model = built(loads=[fx.PointLoad("kick", "arm.tip")])
    times = [0.0, 0.5, 0.5005, 0.501, 1.0]
    force = np.zeros((5, 6))
    force[2, 5] = 10.0
    motion = fx.simulate(model, 1.0, "adaptive", {"kick": (times, force)}).unwrap()
    for corner in times[1:4]:
        assert np.abs(motion.t - corner).min() <= 1e-12
    even = fx.simulate(model, 1.0, 5e-4, {"kick": (times, force)}).unwrap()
    highest = even.pose("arm.tip")[:, 2, 3].max()
    assert highest > 5e-3
    assert motion.pose("arm.tip")[:, 2, 3].max() == pytest.approx(highest, rel=0.1)


def test_remarks_are_saved(tmp_path):
    model = fx.build(fx.Robot("top", bodies=[fx.Body("disc", 1.0, (0.1, 0.1, 0.2))]))
    motion = fx.simulate(model, 2.0, 0.2, velocity={"disc": (0, 0, 5.0, 0, 0, 0)})
    fx.save_result(motion, tmp_path / "top.npz")
    assert fx.load_result(tmp_path / "top.npz") == motion


def test_a_control_loop_is_a_motion():
    model = built(loads=[fx.Gravity(), fx.PointLoad("push", "arm.tip")])
    simulation = fx.Simulation(model, 1e-3, record=True)
    for _ in range(5):
        simulation.step()
    motion = simulation.motion()
    whole = fx.simulate(model, 5e-3, 1e-3)
    np.testing.assert_allclose(motion.t, whole.t, atol=1e-15)
    np.testing.assert_array_equal(motion.pose("arm.tip"), whole.pose("arm.tip"))
    assert motion.step == 1e-3
    with pytest.raises(fx.ModelError, match="record=True"):
        fx.Simulation(model, 1e-3).motion()


def test_a_control_loop_says_what_simulate_says():
    """Steps too long for a spin, and strains that are large."""
    disc = fx.build(fx.Robot("top", bodies=[fx.Body("disc", 1.0, (0.1, 0.1, 0.2))]))
    load = fx.PointLoad("pull", "arm.tip", (500.0, 0.0, 0.0))
    robot = fx.Robot("robot", rods=[ROD], joints=[HELD], loads=[load])
    spin = {"disc": (0, 0, 5.0, 0, 0, 0)}
    for model, h, steps, velocity, words in (
        (disc, 0.2, 10, spin, "turn by up to"),
        (fx.build(robot, rods=fx.Spline(3, 4)), 1e-3, 100, None, "stretched to"),
    ):
        simulation = fx.Simulation(model, h, velocity=velocity, record=True)
        for _ in range(steps):
            simulation.step()
        motion = simulation.motion()
        assert said(motion, words)
        assert motion.remarks == fx.simulate(model, steps * h, h, velocity=velocity).remarks


def test_what_rests_does_not_vibrate():
    """Velocities are rounding there, and differ as they like from step to step."""
    arm = fx.Body("arm", 1.0, (0.01, 0.01, 0.01), center=(0.2, 0.0, 0.0))
    joints = [
        fx.Hinge("motor", "world", "crank", (0, 0, 1), driven=True),
        fx.Ball("elbow", "crank", "arm", se3.pose((0.1, 0.2, 0.3))),
    ]
    robot = fx.Robot("resting", bodies=[fx.Body("crank", 1.0, (0.1, 0.1, 0.1)), arm], joints=joints)
    for integrator in (fx.GeneralizedAlpha(), fx.ImplicitEuler()):
        motion = fx.simulate(
            fx.build(robot), 0.05, 1e-3, {"motor": lambda t: 0.3}, integrator=integrator
        )
        assert motion.remarks == ()


def test_a_speed_that_jumps():
    """From rest; what begins at rest, or where velocities are given, has nothing to say."""
    disc = fx.Body("disc", 1.0, (0.1, 0.1, 0.2))
    motor = fx.Hinge("motor", "world", "disc", (0, 0, 1), driven=True)
    model = fx.build(fx.Robot("top", bodies=[disc], joints=[motor]))
    for integrator in (fx.GeneralizedAlpha(), fx.Variational()):
        options = {"integrator": integrator}
        assert said(fx.simulate(model, 0.1, 1e-2, {"motor": lambda t: 5.0 * t}, **options), "motor")
        even = fx.simulate(model, 0.1, 1e-2, {"motor": lambda t: 2.0 * t**2}, **options)
        assert even.remarks == ()
        spun = fx.simulate(
            model, 0.1, 1e-2, {"motor": lambda t: 5.0 * t}, velocity={"disc": (0, 0, 5.0, 0, 0, 0)},
            **options,
        )  # fmt: skip
        assert spun.remarks == ()
        assert spun.kinetic == pytest.approx(2.5, rel=1e-9)
        assert spun.coordinate("motor") == pytest.approx(5.0 * spun.t)
