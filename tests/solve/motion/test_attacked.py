"""Motions that once were wrong, and said that they were right."""

from dataclasses import replace

import numpy as np
import pytest

import flexura as fx

RUBBER = fx.Material(young=1e6, poisson=0.45, density=1000.0)
GOOD = [fx.GeneralizedAlpha(), fx.ImplicitEuler(), fx.Variational(), fx.SymplecticEuler()]
each = pytest.mark.parametrize("integrator", GOOD, ids=str)


def angle(t):
    return 0.5 * (1.0 - np.cos(12.0 * t))


def arm(joint, rods=None, material=RUBBER, **more):
    robot = fx.Robot(
        "arm", rods=[fx.Rod("arm", 0.3, fx.Circle(0.01), material)], joints=[joint], **more
    )
    return fx.build(robot, rods=rods or fx.LinearStrain(4))


@each
def test_a_driven_body_tells_its_speed_and_torque(integrator):
    """J θ̈ about the hinge; the methods of first order, and of half steps, are late by h."""
    hinge = fx.Hinge("j", "world", "b", (0, 1, 0), driven=True)
    model = fx.build(fx.Robot("b", bodies=[fx.Body("b", 1.0, (0.01, 0.02, 0.03))], joints=[hinge]))
    h = 1e-3
    end = fx.simulate(model, 0.1, h, {"j": angle}, integrator=integrator).unwrap()[-1]
    speed, push = 6.0 * np.sin(1.2), 72.0 * np.cos(1.2)
    assert end.velocity("b")[1] == pytest.approx(speed, abs=1.5 * h * push)
    assert end.kinetic == pytest.approx(0.01 * speed**2, rel=0.02)
    assert end.torque("j") == pytest.approx(0.02 * push, abs=0.02 * 1.5 * h * 12.0 * 72.0)


@pytest.mark.parametrize("kind", ["ball", "hinge"])
def test_reactions_are_the_change_of_momentum(kind):
    joint = (
        fx.Ball("j", "world", "arm.base")
        if kind == "ball"
        else fx.Hinge("j", "world", "arm.base", (0, 1, 0))
    )
    model, h = arm(joint, loads=[fx.Gravity()]), 1e-3
    weight = 9.81 * RUBBER.density * np.pi * 1e-4 * 0.3
    for integrator in (fx.GeneralizedAlpha(), fx.Variational()):
        motion = fx.simulate(model, 0.05, h, integrator=integrator).unwrap()
        p = motion.momentum[:, 3:]
        force = (p[-3] - p[-5]) / (2.0 * h) + (0.0, 0.0, weight)
        pose = motion[-4].pose("arm.base")[:3, :3]
        found = pose @ motion[-4].reaction("j")[3:]
        # Reactions of Variational act through a step: late by half of it.
        np.testing.assert_allclose(found, force, atol=0.03 * weight)


def test_motions_go_on_by_another_integrator():
    model = arm(fx.Weld("world", "arm.base"), loads=[fx.Gravity()])
    half = fx.simulate(model, 0.05, 1e-3, integrator=fx.Variational()).unwrap()
    on = fx.simulate(model, 0.05, 1e-3, start=half[-1]).unwrap()
    whole = fx.simulate(model, 0.1, 1e-3).unwrap()
    tip = on[-1].pose("arm.tip")[:3, 3] - whole[-1].pose("arm.tip")[:3, 3]
    assert np.abs(tip).max() < 2e-5  # both are of second order; 3.7e-4 with no acceleration
    assert np.abs(on.energy).max() < 2e-5


@pytest.mark.parametrize("viscosity", [0.0, 1000.0])
def test_longest_stable_step(viscosity):
    """4 - 2 h τ ω² - h² ω² > 0, τ = 3η/E, with the highest frequency as modes have it."""
    weld, rods, euler = fx.Weld("world", "arm.base"), fx.LinearStrain(12), fx.SymplecticEuler()
    elastic = arm(weld, rods)
    highest = 2.0 * np.pi * fx.modes(fx.statics(elastic), count=elastic.n_dof).frequency.max()
    lag = 3.0 * viscosity / RUBBER.young
    limit = np.hypot(lag, 2.0 / highest) - lag
    model = arm(weld, rods, replace(RUBBER, viscosity=viscosity))
    with pytest.raises(fx.ModelError, match="stable with steps below"):
        fx.simulate(model, 1.0, 1.02 * limit, integrator=euler)
    twist = {"arm": lambda s: (0, 0, 0, 0.01 * s, 0.02 * s, 0.01 * s)}
    motion = fx.simulate(model, 300 * limit, 0.97 * limit, velocity=twist, integrator=euler)
    assert motion.unwrap().energy.max() < 1.5 * motion.energy[0]
    with pytest.raises(fx.ModelError, match="stable with steps below"):
        fx.simulate(model, 1.0, 2.0 * limit, start=motion[-1], integrator=euler)


def test_speed_is_no_frequency():
    body = fx.Body("b", 1.0, (0.01, 0.02, 0.03))
    model = fx.build(fx.Robot("b", bodies=[body]))
    velocity = {"b": (0.0, 1.0, 0.0, 1.0, 0.0, 0.0)}
    fx.simulate(model, 1.0, 0.1, velocity=velocity, integrator=fx.SymplecticEuler()).unwrap()


def test_turns_in_a_step_are_followed():
    """One turn in each step of 5 ms, from rest to 200 turns a second; a stiff short bar."""
    steel = fx.Material(young=2e11, poisson=0.3, density=7800.0)
    joint = fx.Hinge("j", "world", "bar.base", (0, 0, 1), driven=True)
    bar = fx.Rod("bar", 0.05, fx.Circle(0.005), steel)
    model = fx.build(fx.Robot("bar", rods=[bar], joints=[joint]), rods=fx.LinearStrain(2))
    rate = 2.0 * np.pi * 20.0

    def turn(t):
        return 0.5 * rate * t**2 / 0.05 if t < 0.05 else rate * (t - 0.025)

    motion = fx.simulate(model, 0.15, 0.05, {"j": turn}).unwrap()
    assert motion.cuts
    # As a rigid bar; it hardly bends, and rings a little from how it was started.
    inertia = steel.density * np.pi * 0.005**2 * 0.05**3 / 3.0
    assert motion.kinetic[-1] == pytest.approx(0.5 * inertia * rate**2, rel=0.05)


def test_driven_frames_between_instants():
    slider = fx.Slider("j", "world", "arm.base", (0, 0, 1), driven=True)
    motion = fx.simulate(
        arm(slider), 0.2, 5e-4, {"j": lambda t: 0.05 * (1.0 - np.cos(20.0 * t))}
    ).unwrap()
    t = 0.1125
    found = motion[::25].at(t).pose("arm.base")[2, 3]
    assert found == pytest.approx(0.05 * (1.0 - np.cos(20.0 * t)), abs=2e-5)  # of fourth order


def test_hints():
    model = arm(fx.Weld("world", "arm.base"))
    motion = fx.simulate(model, 0.01, 1e-3)
    with pytest.raises(fx.ModelError, match=r"motion\[-1\]"):
        fx.simulate(model, 0.01, 1e-3, start=motion)
    with pytest.raises(fx.ModelError, match=r"call it: Variational\(\)"):
        fx.simulate(model, 0.01, 1e-3, integrator=fx.Variational)
