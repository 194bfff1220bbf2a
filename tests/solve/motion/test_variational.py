"""What variational steps promise: momentum to rounding, energy without drift, at any step."""

from dataclasses import replace

import numpy as np
import pytest
from motions import momentum_between

import flexura as fx

RUBBER = fx.Material(young=1e6, poisson=0.45, density=1000.0)
ROD = fx.Rod("arm", 1.0, fx.Circle(0.01), RUBBER)
DESCRIPTIONS = [
    fx.Spline(3, 8),
    fx.Spline(3, 8, assumed_strain=False),
    fx.LinearStrain(12),
    fx.VariableStrain((3, 3, 3, 2, 2, 2)),
    fx.ConstantStrain(5),
    fx.Hermite(3),
    fx.RotationInterpolation(2),
]
each = pytest.mark.parametrize("rods", DESCRIPTIONS, ids=str)
# splines, elements of strain and of rotation in `make test`, all in `make test-long`
some = pytest.mark.parametrize(
    "rods",
    [
        x if i in (0, 2, 6) else pytest.param(x, marks=pytest.mark.long)
        for i, x in enumerate(DESCRIPTIONS)
    ],
    ids=str,
)


# Newton stops where steps are 1e-12 of the length: in 10 ms that is 1e-10 m/s, beside 0.7 m/s. What
# is left then goes on to the next step, so that it does not add up.
TOLD = 1e-10


def thrown(rods, h, steps, integrator, every=None):
    """A rod that flies, turns and vibrates."""
    model = fx.build(fx.Robot("free", rods=[ROD]), rods=rods)
    velocity = {"arm": lambda s: (1.0, 2.0 + 6.0 * s, 3.0, 0.3, 0.2 + s, 2.0 * s * s)}
    return fx.simulate(
        model, steps * h, h, velocity=velocity, integrator=integrator, every=every or steps // 10
    ).unwrap()


def swinging(rods, gravity=(0.0, 0.0, -9.81)):
    """A rod that is clamped, and falls."""
    joints, loads = [fx.Weld("world", "arm.base")], [fx.Gravity(gravity)]
    return fx.build(fx.Robot("arm", rods=[ROD], joints=joints, loads=loads), rods=rods)


@each
def test_momentum_is_constant_to_rounding(rods):
    # 10 ms: a wave of stretch (32 m/s) crosses elements in a third of it.
    motion = thrown(rods, 0.01, 100, fx.Variational(), every=1)
    momentum, energy = motion.momentum, motion.energy
    most = np.abs(momentum[0]).max()
    assert np.abs(momentum - momentum[0]).max() <= 1e-12 * most
    whole = [i for i, t in enumerate(motion.t[:-1]) if t not in motion.cuts]
    told = np.array([momentum_between(motion[i], motion[i + 1]) for i in whole])
    off = np.abs(told - momentum[0]).max(axis=1)
    assert len(told) >= 99
    assert off.max() <= TOLD * most
    assert np.median(off) <= 1e-12 * most
    # Velocities are told by differences.
    still = [x.tracks.momentum(replace(x.flow, momentum=None), x.given) for x in motion]
    assert np.abs(still - momentum[0]).max() <= 1e-9 * most
    assert np.abs(energy - energy[0]).max() <= 0.03 * energy[0]  # of second order in the step


@pytest.mark.long
def test_momentum_is_constant_over_ten_thousand_steps():
    motion = thrown(fx.Spline(3, 2), 0.01, 10_000, fx.Variational())
    momentum, energy = motion.momentum, motion.energy
    turning, going = np.abs(momentum - momentum[0]).max(axis=0).reshape(2, 3)
    flown = np.linalg.norm(motion[-1].pose("arm.tip")[:3, 3])
    L, P = np.linalg.norm(momentum[0].reshape(2, 3), axis=1)
    assert flown > 50.0
    assert going.max() <= 1e-12 * P
    on = fx.simulate(motion.model, 0.01, 0.01, start=motion[-1], integrator=fx.Variational())
    told = momentum_between(*on) - momentum[0]
    assert np.abs(told[3:]).max() <= TOLD * P
    assert np.abs(told[:3]).max() <= TOLD * (L + P * flown)
    # About the origin, from far away: what is rounded are products of positions and momentum.
    assert turning.max() <= 1e-13 * (L + P * flown)
    assert np.abs(energy - energy[0]).max() <= 0.01 * energy[0]


def test_symplectic_euler_keeps_momentum_too():
    motion = thrown(fx.Spline(3, 2), 2e-4, 200, fx.SymplecticEuler())
    assert (
        np.abs(motion.momentum - motion.momentum[0]).max()
        <= 1e-12 * np.abs(motion.momentum[0]).max()
    )


@some
def test_energy_comes_back_with_steps_above_the_waves(rods):
    """A whip: at 0.55 s the tip is fastest, and errors of second order are largest."""
    kinetic, error = [], []
    for h in (0.008, 0.004):
        motion = fx.simulate(swinging(rods), 0.96, h, integrator=fx.Variational()).unwrap()
        kinetic.append(motion.kinetic.max())
        error.append(np.abs(motion.energy).max())  # zero at the beginning
        assert abs(motion.energy[-1]) <= 2e-3 * kinetic[-1]
        assert not motion.cuts
    assert error[0] <= 0.05 * kinetic[0]
    assert error[1] <= 0.4 * error[0]


@pytest.mark.parametrize("rods", DESCRIPTIONS[:4], ids=str)
def test_the_longest_stable_step_is_that_of_the_highest_frequency(rods):
    model = swinging(rods, (0.0, 0.0, 0.0))
    highest = fx.modes(fx.statics(model), count=model.n_dof).frequency.max()
    limit = 1.0 / (np.pi * highest)
    euler = fx.SymplecticEuler()
    # Power iteration ends a little below the highest frequency.
    with pytest.raises(fx.ModelError, match=r"below .* s here.*Variational\(\)"):
        fx.simulate(model, 1.0, 1.02 * limit, integrator=euler)
    fx.simulate(model, 3.0 * limit, 0.98 * limit, integrator=euler).unwrap()


def pulled(stiffness, viscosity):
    """An arm with an elastic tendon of given length, in equilibrium."""
    soft = fx.Material(young=1e6, poisson=0.45, density=1000.0, viscosity=viscosity)
    way = fx.Parallel(0.0, 6e-3)
    tendon = fx.Tendon("pull", "arm", way, drive="length", stiffness=stiffness)
    robot = fx.Robot(
        "arm",
        rods=[fx.Rod("arm", 0.3, fx.Circle(0.01), soft)],
        joints=[fx.Weld("world", "arm.base")],
        tendons=[tendon],
    )
    return fx.statics(fx.build(robot, rods=fx.LinearStrain(1)), {"pull": 4e-3}).unwrap()


def waved(start, duration, h, rate):
    """It goes on with velocities that grow along the arm."""
    velocity, inputs = {"arm": lambda s: (0.0, 0.0, 0.0, 0.0, 0.0, rate * s)}, {"pull": 4e-3}
    integrator = fx.Variational()
    return fx.simulate(
        start.model, duration, h, inputs, start=start, velocity=velocity, integrator=integrator
    ).unwrap()


def test_an_elastic_tendon_of_given_length_gives_no_energy():
    """Nothing does any work: what comes and goes is of second order, and stays."""
    start = pulled(200.0, 0.0)
    motion = waved(start, 0.3, 2e-3, 0.1)
    assert motion.tension("pull").min() > 0.0
    assert np.abs(motion.balance - motion.balance[0]).max() <= 1e-3 * motion.kinetic[0]


def test_an_elastic_tendon_that_gets_slack_and_taut_leaves_the_second_order():
    start, ends, slack = pulled(20.0, 300.0), [], []
    for h in (2e-3, 1e-3, 5e-4):
        motion = waved(start, 0.12, h, 5.0)
        ends.append(motion[-1].pose("arm.tip")[:3, 3])
        slack.append(np.mean(motion.tension("pull") == 0.0))
    assert 0.2 < slack[-1] < 0.95
    first, second = np.linalg.norm(np.diff(ends, axis=0), axis=1)
    assert 3.6 <= first / second <= 4.4


def test_the_longest_stable_step_of_materials_that_differ():
    """Steel and goo: what is fast is not what is damped, and both limit the step."""
    steel = fx.Material(young=2e11, poisson=0.3, density=7800.0)
    goo = fx.Material(young=1e5, poisson=0.45, density=1000.0, viscosity=1e5)
    rods = [fx.Rod(name, 0.02, fx.Circle(5e-3), x) for name, x in (("a", steel), ("b", goo))]
    joints = [fx.Weld("world", "a.base"), fx.Weld("a.tip", "b.base")]
    model = fx.build(fx.Robot("two", rods, joints), rods=fx.LinearStrain(1))
    euler = fx.SymplecticEuler()
    with pytest.raises(fx.ModelError) as error:
        fx.simulate(model, 1.0, 0.5, integrator=euler)
    h = 0.9 * float(str(error.value).split("below ")[1].split(" s")[0])
    velocity = {"b": lambda s: (0.0, 0.0, 0.0, 1e-3 * s, 1e-3 * s, 0.0)}
    motion = fx.simulate(model, 200 * h, h, velocity=velocity, integrator=euler, every=20).unwrap()
    assert motion.energy.max() <= 1.01 * motion.energy[0]


def test_symplectic_euler_needs_mass_everywhere():
    light = fx.Rod("light", 0.3, fx.Circle(4e-3), fx.Material(young=1e8, poisson=0.3))
    joints = [fx.Weld("world", "light.base"), fx.Weld("light.tip", "bob")]
    robot = fx.Robot("arm", [light], joints, bodies=[fx.Body("bob", 0.1, (1e-6, 1e-6, 1e-6))])
    for n in (1, 12):
        model = fx.build(robot, rods=fx.LinearStrain(n))
        with pytest.raises(fx.ModelError, match=r"rod 'light' can move without.*Variational\(\)"):
            fx.simulate(model, 1e-4, 1e-6, integrator=fx.SymplecticEuler())
