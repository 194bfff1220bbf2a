"""What drives robots: tendons, motors, loads; loops that stay closed; where the energy goes."""

import numpy as np
import pytest
from motions import EACH, EACH_STRETCHING, SOME

import flexura as fx
from flexura.lie import se3

SOFT = fx.Material(2e5, 0.45, density=1000.0, viscosity=200.0)
LENGTH, MASS = 0.3, 0.2
DOWN = se3.pose(rotation=(0.0, 0.5 * np.pi, 0.0))


def hanging(drive="length", stiffness=None):
    """A heavy body on a soft rod, with a tendon along its axis that carries most of the weight."""
    return fx.Robot(
        "hanging",
        rods=[fx.Rod("rod", LENGTH, fx.Circle(0.01), SOFT)],
        bodies=[fx.Body("bob", MASS, (1e-4, 1e-4, 1e-4))],
        joints=[fx.Weld("world", "rod.base", DOWN), fx.Weld("rod.tip", "bob")],
        loads=[fx.Gravity()],
        tendons=[fx.Tendon("cord", "rod", fx.Parallel(0.0, 0.0), drive=drive, stiffness=stiffness)],
    )


def wound(t):
    """From rest to rest in 0.2 s, by 1 cm."""
    x = min(t / 0.2, 1.0)
    return 0.01 * x**3 * (10.0 - 15.0 * x + 6.0 * x**2)


@EACH_STRETCHING
def test_a_body_on_a_cord_follows_its_length(rods):
    model = fx.build(hanging(), rods=rods)
    motion = fx.simulate(model, 0.2, 2e-3, {"cord": wound}, integrator=fx.GeneralizedAlpha(0.6))
    motion.unwrap()
    low = -motion.pose("bob")[:, 2, 3]
    expected = LENGTH - np.array([wound(t) for t in motion.t])
    np.testing.assert_allclose(motion.tendon_length("cord"), expected, atol=1e-9)
    # A curve of constant length along the axis of coarse rods.
    np.testing.assert_allclose(low, expected, atol=2e-4)
    # What pulls it up: weight, inertia, and the rod that is compressed.
    pull = motion.tension("cord")[50] + motion[50].internal_wrench("rod", LENGTH)[3]
    middle = (low[51] - 2.0 * low[50] + low[49]) / 2e-3**2
    assert pull == pytest.approx(MASS * (9.81 - middle), rel=0.02)


def test_a_cord_is_slack_while_its_body_is_thrown_up():
    """It carries nothing then, and the body flies as if there were none but the rod."""
    velocity = {"bob": (0, 0, 0, -1.0, 0, 0), "rod": lambda s: (0, 0, 0, -s / LENGTH, 0, 0)}
    motion = fx.simulate(fx.build(hanging()), 0.05, 1e-3, velocity=velocity).unwrap()
    assert motion.slack("cord")[1:].all()
    assert (motion.tension("cord")[1:] == 0.0).all()
    assert (motion.tendon_length("cord")[1:] < LENGTH).all()
    free = hanging()
    free = fx.Robot("free", free.rods, free.joints, free.loads, bodies=free.bodies)
    other = fx.simulate(fx.build(free), 0.05, 1e-3, velocity=velocity).unwrap()
    np.testing.assert_allclose(motion.pose("bob"), other.pose("bob"), atol=1e-9)


def test_an_elastic_cord_is_a_spring():
    """Let go, the body oscillates about where it hangs: the stiffness of rod and cord together."""
    stiffness = 4000.0  # of the cord, per strain [N]
    robot = hanging(stiffness=stiffness)
    material = fx.Material(2e5, 0.45, density=1e-6)
    rod = fx.Rod("rod", LENGTH, fx.Circle(0.005), material)
    robot = fx.Robot("r", [rod], robot.joints, robot.loads, robot.tendons, robot.bodies)
    k = (stiffness + rod.stiffness(0.0)[3]) / LENGTH
    omega = np.sqrt(k / MASS)
    half = np.pi / omega
    motion = fx.simulate(fx.build(robot), half, half / 50).unwrap()
    fallen = -motion.pose("bob")[:, 2, 3] - LENGTH
    expected = MASS * 9.81 / k * (1.0 - np.cos(omega * motion.t))
    np.testing.assert_allclose(fallen, expected, atol=0.01 * expected[-1])


def bent_arm(**driven):
    rod = fx.Rod("rod", LENGTH, fx.Circle(0.01), fx.Material(1e6, 0.45, density=1000.0))
    return {"rods": [rod], **driven}


def work(force, way):
    """∫ force d(way), by the trapezoidal rule."""
    return np.concatenate([[0.0], np.cumsum(0.5 * (force[1:] + force[:-1]) * np.diff(way))])


@pytest.mark.slow
@SOME
def test_work_of_a_motor(rods):
    motor = fx.Motor("motor", (0, 1, 0), (0, 0, 0), {"rod.base": np.eye(4)})
    model = fx.build(fx.Robot("arm", **bent_arm(joints=[motor], loads=[fx.Gravity()])), rods=rods)

    def angle(t):
        return 0.8 * (1.0 - np.cos(12.0 * t))

    motion = fx.simulate(
        model, 0.25, 1e-3, {"motor": angle}, integrator=fx.GeneralizedAlpha(1.0)
    ).unwrap()
    done = work(motion.torque("motor"), np.array([angle(t) for t in motion.t]))
    gained = motion.energy - motion.energy[0]
    np.testing.assert_allclose(done, gained, atol=0.01 * np.abs(gained).max())
    np.testing.assert_allclose(done, motion.work, atol=1e-3 * np.abs(gained).max())


@pytest.mark.slow
@SOME
def test_work_of_a_tendon_and_of_a_jet(rods):
    """A tension that grows, and a force that turns with the tip: -∫ T dl + ∫ f · v dt."""
    robot = fx.Robot(
        "arm",
        **bent_arm(
            joints=[fx.Weld("world", "rod.base")],
            loads=[fx.PointLoad("jet", "rod.tip", (0.0, 0.02, 0.01), follower=True)],
            tendons=[fx.Tendon("pull", "rod", fx.Parallel(0.008, 0.0))],
        ),
    )
    model = fx.build(robot, rods=rods)
    motion = fx.simulate(
        model, 0.2, 1e-3, {"pull": lambda t: 2.0 * np.sin(8.0 * t) ** 2},
        integrator=fx.GeneralizedAlpha(1.0),
    ).unwrap()  # fmt: skip
    tension, way = motion.tension("pull"), motion.tendon_length("pull")
    done = -work(tension, way)
    power = motion.velocity("rod.tip")[:, 3:] @ [0.0, 0.02, 0.01]
    done += work(power, motion.t)
    gained = motion.kinetic + motion.elastic
    gained -= gained[0]
    np.testing.assert_allclose(done, gained, atol=0.01 * np.abs(gained).max())
    np.testing.assert_allclose(done, motion.work, atol=1e-3 * np.abs(gained).max())


@EACH
def test_energy_of_a_viscous_fall(rods):
    """What is lost of the energy is what viscosity took away."""
    rod = fx.Rod("rod", LENGTH, fx.Circle(0.01), fx.Material(1e6, 0.45, density=1e3, viscosity=2e3))
    robot = fx.Robot("arm", [rod], [fx.Weld("world", "rod.base")], [fx.Gravity()])
    motion = fx.simulate(fx.build(robot, rods=rods), 0.3, 2e-3).unwrap()
    lost = motion.energy[0] - motion.energy
    assert lost[-1] > 0.004
    np.testing.assert_allclose(motion.dissipated, lost, atol=0.02 * lost[-1])


@EACH
def test_a_four_bar_stays_closed(rods):
    """Crank, flexible coupler and rocker: two hinges on the ground, two between."""
    coupler = fx.Rod("coupler", 0.4, fx.Circle(0.01), fx.Material(1e7, 0.45, density=1000.0))
    inertia = (1e-4, 1e-4, 1e-4)
    robot = fx.Robot(
        "four-bar",
        rods=[coupler],
        bodies=[
            fx.Body("crank", 0.1, inertia, (0, 0.05, 0)),
            fx.Body("rocker", 0.2, inertia, (0, 0.05, 0)),
        ],
        joints=[
            fx.Hinge("drive", "world", "crank", (0, 0, 1), driven=True),
            fx.Hinge("a", fx.At("crank", offset=se3.pose((0, 0.1, 0))), "coupler.base", (0, 0, 1)),
            fx.Hinge("b", "coupler.tip", fx.At("rocker", offset=se3.pose((0, 0.2, 0))), (0, 0, 1),
                     offset=se3.pose()),
            fx.Hinge("ground", "world", "rocker", (0, 0, 1), offset=se3.pose((0.4, -0.1, 0))),
        ],
    )  # fmt: skip
    model = fx.build(robot, rods=rods)
    motion = fx.simulate(model, 0.3, 2e-3, {"drive": lambda t: 0.6 * (1 - np.cos(10 * t))}).unwrap()
    for one, other in (
        (fx.At("crank", offset=se3.pose((0, 0.1, 0))), "coupler.base"),
        ("coupler.tip", fx.At("rocker", offset=se3.pose((0, 0.2, 0)))),
        ("rocker", None),
    ):
        there = motion.pose(one)[:, :3, 3]
        wanted = [[0.4, -0.1, 0.0]] * len(motion) if other is None else motion.pose(other)[:, :3, 3]
        np.testing.assert_allclose(there, wanted, atol=1e-10)
    assert np.ptp(motion.coordinate("ground")) > 0.3


def test_a_pulley_pulls_towards_its_point():
    """A free body that is drawn by a constant force along a line: uniform acceleration."""
    body = fx.Body("bob", 2.0, (0.1, 0.1, 0.1))
    pulley = fx.Pulley("cord", "bob", (3.0, 0.0, 4.0), 10.0)
    model = fx.build(fx.Robot("r", bodies=[body], loads=[pulley]))
    motion = fx.simulate(model, 0.5, 0.01).unwrap()
    way = 0.5 * 5.0 * motion.t[:, None] ** 2 * [0.6, 0.0, 0.8]
    np.testing.assert_allclose(motion.pose("bob")[:, :3, 3], way, atol=1e-9)
    np.testing.assert_allclose(motion.work, 10.0 * np.linalg.norm(way, axis=1), atol=1e-9)
    np.testing.assert_allclose(motion.energy, motion.work, atol=1e-9)


def test_a_jet_turns_with_its_body():
    """A follower force off the centre of a free body turns it evenly: θ = τ t² / 2J."""
    body = fx.Body("disc", 1.0, (0.5, 0.5, 0.2))
    jet = fx.PointLoad(
        "jet", fx.At("disc", offset=se3.pose((0.1, 0, 0))), (0, 3.0, 0), follower=True
    )
    model = fx.build(fx.Robot("r", bodies=[body], loads=[jet]))
    motion = fx.simulate(model, 1.0, 0.01).unwrap()
    assert motion.velocity("disc")[-1, 2] == pytest.approx(0.3 / 0.2, rel=1e-6)


@EACH
def test_a_sudden_load_needs_no_short_steps(rods):
    """What a moment does to a light section at once is no guess for a whole step."""
    rod = fx.Rod("rod", LENGTH, fx.Circle(0.001), fx.Material(2e11, 0.3, density=7800.0))
    load = fx.PointLoad("twist", "rod.tip", moment=(0, 0, rod.stiffness(0.0)[1] / LENGTH))
    robot = fx.Robot("arm", [rod], [fx.Weld("world", "rod.base")], [load])
    motion = fx.simulate(fx.build(robot, rods=rods), 0.01, 2e-3).unwrap()
    assert not motion.cuts
    assert motion.iterations.max() <= 10
