"""Where energy goes: what a robot has, what viscosity takes, what inputs give."""

import numpy as np
import pytest
from support import mixed
from vibrating import LOOP, loop

import flexura as fx
from flexura.lie import se3

COARSE = {"spline": fx.Spline(3, 2), "hermite": fx.Hermite(1), "linear strain": fx.LinearStrain(2)}
EACH_COARSE = pytest.mark.parametrize("rods", COARSE.values(), ids=COARSE.keys())
SILICONE = fx.Material(young=1e6, poisson=0.45, density=1000.0, viscosity=1000.0)
ROD = fx.Rod("arm", 0.3, fx.Circle(0.01), SILICONE)
HELD = fx.Weld("world", "arm.base")
NONE = np.empty(0)  # values of inputs that make no difference


@EACH_COARSE
@pytest.mark.parametrize("integrator", [fx.GeneralizedAlpha(0.9), fx.Variational()], ids=str)
def test_what_viscosity_takes_is_what_is_missing(rods, integrator):
    """Whatever the mesh; up to the error of the step, which is of second order.

    An arm that falls from the horizontal and swings, its period about 0.4 s: steps of 5 ms are an
    80th of it, and (2π/80)² = 6e-3.
    """
    model = fx.build(fx.Robot("arm", rods=[ROD], joints=[HELD], loads=[fx.Gravity()]), rods=rods)
    missing = []
    for h in (0.005, 0.0025):
        motion = fx.simulate(model, 0.25, h, integrator=integrator).unwrap()
        total = motion.energy + motion.dissipated
        missing.append(np.ptp(total) / motion.dissipated[-1])
    assert missing[0] <= 8e-3
    assert missing[1] <= 0.3 * missing[0]


@pytest.mark.parametrize("rods", [fx.Spline(3, 2), fx.Hermite(2)], ids=str)
def test_rates_of_stretch_and_shear_are_those_of_the_forces(rods, rng):
    """Their means with every function of the forces are those of the strains of poses."""
    taper = fx.Taper(fx.Circle(0.02), fx.Circle(0.01))
    rod = fx.Rod("arm", 0.3, taper, SILICONE, (0.0, 2.0, 0.0, 1.1, 0.0, 0.1))
    model = fx.build(fx.Robot("arm", rods=[rod], joints=[HELD]), rods=rods)
    simulation = fx.Simulation(model, 1e-3)
    (law,) = simulation.instant.tracks.moving.viscous
    strain = law.rest + 0.1 * rng.normal(size=law.rest.shape)
    told, group = law.told(strain, NONE), model.parts[0].group
    np.testing.assert_array_equal(told[:, :3], strain[:, :3])
    means = np.zeros((model.parts[0].n_nodes, group.n_inner))
    group.assumed.carry(law.weight[:, None] * (told - strain)[:, 3:], means)
    np.testing.assert_allclose(means, 0.0, atol=1e-15)
    np.testing.assert_allclose(law.told(told, NONE), told, rtol=1e-12)


def swaying(t):
    """A base that is shaken and turned, from rest on."""
    turn = (0.0, 0.5 * (1.0 - np.cos(9.0 * t)), 0.2 * (1.0 - np.cos(7.0 * t)))
    return se3.pose((0.0, 0.0, 0.02 * (1.0 - np.cos(12.0 * t))), turn)


def tendon(**options):
    return fx.Tendon("pull", "arm", fx.Parallel(0.0, 8e-3), **options)


WRENCH = np.array([0.001, 0.003, 0.002, 0.0, 0.02, 0.03])
BESIDE = fx.At("arm", 0.3, offset=se3.pose((0.0, 0.02, 0.01)))
SECOND = fx.Rod("second", 0.2, fx.Circle(0.01), SILICONE)
ELBOW = fx.Hinge("elbow", "arm.tip", "second.base", (0, 1, 0), driven=True)
BASE = fx.Weld("world", "arm.base", name="base")
# Robots, and inputs that do work.
DRIVEN = {
    "tension": ({"tendons": [tendon()]}, {"pull": lambda t: 2.0 * np.sin(8.0 * t) ** 2}),
    "length": (
        {"tendons": [tendon(drive="length")]},
        {"pull": lambda t: 0.02 * np.sin(4.0 * t) ** 2},
    ),
    "elastic tendon": (
        {"tendons": [tendon(drive="length", stiffness=20.0)]},
        {"pull": lambda t: 0.02 * np.sin(4.0 * t) ** 2},
    ),
    "dead wrench": (
        {"loads": [fx.PointLoad("load", BESIDE)]},
        {"load": lambda t: WRENCH * np.sin(10.0 * t)},
    ),
    "follower": (
        {"loads": [fx.PointLoad("load", BESIDE, follower=True)]},
        {"load": lambda t: WRENCH * np.sin(10.0 * t)},
    ),
    "line load": (
        {"loads": [fx.LineLoad("load", "arm")]},
        {"load": lambda t: 5.0 * WRENCH * np.sin(10.0 * t)},
    ),
    "line follower": (
        {"loads": [fx.LineLoad("load", "arm", follower=True)]},
        {"load": lambda t: 5.0 * WRENCH * np.sin(10.0 * t)},
    ),
    "pulley": ({"loads": [fx.Pulley("cord", "arm.tip", (0.2, 0.3, 0.2), 0.1)]}, {}),
    "turning gravity": (
        {"loads": [fx.Gravity()]},
        {"gravity": lambda t: (9.81 * np.sin(5.0 * t), 0.0, -9.81 * np.cos(5.0 * t))},
    ),
    "base": ({"joints": [BASE], "loads": [fx.Gravity()]}, {"base": swaying}),
    "motor": (
        {
            "joints": [fx.Motor("motor", (0, 1, 0), (0.05, 0, 0), {"arm.base": np.eye(4)})],
            "loads": [fx.Gravity()],
        },
        {"motor": lambda t: 0.5 * (1.0 - np.cos(10.0 * t))},
    ),
    "elbow": (
        {"rods": [ROD, SECOND], "joints": [HELD, ELBOW], "loads": [fx.Gravity()]},
        {"elbow": lambda t: 0.5 * (1.0 - np.cos(10.0 * t))},
    ),
    "base of a loose elbow": (
        {
            "rods": [ROD, SECOND],
            "joints": [BASE, fx.Hinge("elbow", "arm.tip", "second.base", (0, 1, 0))],
            "loads": [fx.Gravity()],
        },
        {"base": swaying},
    ),
}


# Of these, steps of 4 ms are finer: 3e-4 of the work at most is missing.
CALM = ("length", "elastic tendon", "dead wrench", "follower")


def pushed(robot, inputs, h, integrator):
    parts = {"rods": [ROD], "joints": [HELD], **robot}
    model = fx.build(fx.Robot("arm", **parts), rods=fx.Spline(3, 2))
    return fx.simulate(model, 0.2, h, inputs, integrator=integrator).unwrap()


@mixed(case=DRIVEN, integrator=[fx.GeneralizedAlpha(0.9), fx.Variational()])
def test_work_is_where_energy_comes_from(case, integrator):
    """Up to errors of second order: a quarter with half the step."""
    robot, inputs = DRIVEN[case]
    missing = []
    for h in (0.004, 0.002):
        motion = pushed(robot, inputs, h, integrator)
        assert motion.work[0] == 0.0
        missing.append(np.ptp(motion.balance) / np.ptp(motion.work))
    assert missing[0] <= (1e-3 if case in CALM else 4e-3)
    assert missing[1] <= 0.3 * missing[0]


@pytest.mark.parametrize("rods", [fx.Spline(3, 4), fx.LinearStrain(6)], ids=str)
def test_a_viscous_loop_that_is_pushed_at_once(rods):
    """A loop under tension from a cable: what is stored does not depend on rates that jump.

    Of second order from the first instant on: before, it was 1e-3 of the work and of first order.
    """
    model, push = fx.build(loop(), rods=rods), {**LOOP, "push": np.zeros(6)}
    rest, missing = fx.statics(model, push).unwrap(), []
    for h in (0.002, 0.001):
        motion = fx.simulate(model, 0.1, h, LOOP, start=rest).unwrap()
        missing.append(np.ptp(motion.balance) / np.ptp(motion.work))
    assert missing[0] <= 1e-5
    assert missing[1] <= 0.35 * missing[0]


def test_a_dead_force_does_force_times_way():
    motion = pushed({"loads": [fx.PointLoad("load", "arm.tip", (0, 0.02, 0.05))]}, {}, 0.004, None)
    way = motion.pose("arm.tip")[:, :3, 3]
    expected = (way - way[0]) @ [0.0, 0.02, 0.05]
    np.testing.assert_allclose(motion.work, expected, atol=1e-12 * expected.max())


def test_a_tendon_does_tension_times_what_it_shortens():
    motion = pushed({"tendons": [tendon()]}, {"pull": 2.0}, 0.004, None)
    length = motion.tendon_length("pull")
    expected = 2.0 * (length[0] - length)
    np.testing.assert_allclose(motion.work, expected, atol=1e-12 * expected.max())


def test_work_is_kept_between_instants_and_when_it_goes_on():
    robot, inputs = DRIVEN["base"]
    motion = pushed(robot, inputs, 0.002, None)
    few = motion[::10].at(0.5 * (motion.t[10] + motion.t[20]))
    assert few.work == pytest.approx(0.5 * (motion.work[10] + motion.work[20]))
    on = fx.simulate(motion.model, 0.02, 0.002, start=motion[50])
    assert on.work[0] == motion.work[50]


def test_weight_does_no_work():
    model = fx.build(fx.Robot("arm", rods=[ROD], joints=[HELD], loads=[fx.Gravity()]))
    assert not fx.simulate(model, 0.1, 0.005).unwrap().work.any()
