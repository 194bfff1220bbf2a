"""Motion of fed tubes: that of the rod that is outside of the plate."""

from dataclasses import replace

import numpy as np
import pytest
from support import refused

import flexura as fx
from flexura.model.laws.tube_kernels import add_viscous

STEEL = fx.Material(young=60e9, shear=23e9, density=6450.0)
RODS = fx.VariableStrain((2, 6, 6, 2, 2, 2), steps=24)
SECTION = fx.Tube(0.6e-3, 0.48e-3)
OUT = {"rod.insertion": 0.1}
GRAVITY = [fx.Gravity()]


def fed(material=STEEL):
    """A tube of 0.2 m in a plate; half of it is outside in the tests."""
    rod = fx.Rod("rod", 0.2, SECTION, material)
    joints = [fx.Weld("world", "set.base")]
    return fx.Robot("fed", tubes=[fx.TubeSet("set", [rod])], joints=joints, loads=GRAVITY)


def held(material=STEEL):
    """The same rod, as long as what is outside."""
    rod = fx.Rod("rod", 0.1, SECTION, material)
    return fx.Robot("held", rods=[rod], joints=[fx.Weld("world", "rod.base")], loads=GRAVITY)


@pytest.mark.parametrize("integrator", [fx.GeneralizedAlpha(), fx.ImplicitEuler()], ids=repr)
def test_a_fed_tube_moves_as_the_rod_that_is_outside(integrator):
    """In a plane, where the spin of the tube does not matter; it drops under its weight."""
    more = {"duration": 0.006, "step": 0.0005, "integrator": integrator}
    moved = fx.simulate(fx.build(fed(), rods=RODS), inputs=OUT, **more)
    known = fx.simulate(fx.build(held(), rods=RODS), **more)
    assert known[-1].kinetic > 1e-9
    for a, b in zip(moved, known, strict=True):
        np.testing.assert_allclose(a.pose("rod.tip"), b.pose("rod.tip"), atol=1e-9)
        assert a.kinetic == pytest.approx(b.kinetic, rel=1e-5, abs=1e-15)
        np.testing.assert_allclose(a.momentum, b.momentum, rtol=1e-5, atol=1e-12)
    assert abs(known.gravity[-1]) > 1e-9
    np.testing.assert_allclose(moved.gravity, known.gravity, rtol=1e-6, atol=1e-15)
    np.testing.assert_allclose(moved.elastic, known.elastic, rtol=1e-4, atol=1e-15)


def test_what_turns_a_tube_does_work():
    """A hook that is turned upwards, and swings: with half the step a quarter is left."""
    rest = fx.PiecewiseRest([(0.1, (0, 0, 0)), (0.2, (0, 12.0, 0))])
    tube = fx.Rod("rod", 0.2, SECTION, replace(STEEL, viscosity=1e7), rest=rest)
    robot = replace(fed(), tubes=(fx.TubeSet("set", [tube]),))
    model = fx.build(robot, rods=fx.VariableStrain((2, 4, 4, 0, 0, 0)))
    inputs = OUT | {"rod.rotation": lambda t: 2.0 * np.sin(15.0 * t) ** 2}
    off = []
    for step in (2e-3, 1e-3):
        motion = fx.simulate(model, inputs=inputs, duration=0.1, step=step).unwrap()
        off.append(np.ptp(motion.balance))
    assert off[1] < 0.01 * motion.work.max()
    assert 3.0 < off[0] / off[1] < 5.0


@pytest.mark.parametrize("integrator", [fx.Variational(), fx.SymplecticEuler()], ids=repr)
def test_variational_integrators_refuse_sets(integrator):
    model = fx.build(fed(), rods=RODS)
    with refused(["variational", "'fed'", "GeneralizedAlpha", "ImplicitEuler"]):
        fx.simulate(model, inputs=OUT, duration=1e-3, step=1e-4, integrator=integrator)


VISCOUS = replace(STEEL, viscosity=1e6)


@pytest.mark.parametrize("integrator", [fx.GeneralizedAlpha(), fx.ImplicitEuler()], ids=repr)
def test_viscous_tubes_move_as_viscous_rods(integrator):
    """One as the rod that is outside; two that are turned alike as one with the sum of both."""
    more = {"duration": 0.006, "step": 0.0005, "integrator": integrator}
    known = fx.simulate(fx.build(held(VISCOUS), rods=RODS), **more)
    still = fx.simulate(fx.build(held(), rods=RODS), **more)
    moved = fx.simulate(fx.build(fed(VISCOUS), rods=RODS), inputs=OUT, **more)
    half = [fx.Rod(name, 0.1, HALF, VISCOUS) for name in ("rod", "other")]
    two = replace(fed(), tubes=[fx.TubeSet("set", half)])
    both = fx.simulate(fx.build(two, rods=RODS), **more)
    end = known[-1]
    assert np.linalg.norm(end.pose("rod.tip") - still[-1].pose("rod.tip")) > 1e-5
    assert end.dissipated > 0.01 * end.kinetic
    # as many steps of integration are shared by two sections
    for x, apart in ((moved[-1], 1e-9), (both[-1], 2e-8)):
        np.testing.assert_allclose(x.pose("rod.tip"), end.pose("rod.tip"), atol=apart)
        assert x.dissipated == pytest.approx(end.dissipated, rel=1e-4)


HALF = fx.Section(*(0.5 * np.array(SECTION.constants(0.0))))


def test_viscous_stress_has_its_tangent(rng):
    """By differences; with rates that are those of no tube at rest."""
    n, size = 2, 10
    weight, scale, pace = np.array([0.3]), np.array([0.7]), 40.0
    damping, rate = rng.uniform(1.0, 2.0, (1, n, 6)), rng.normal(size=(1, n, 6))
    strain = rng.normal(size=(1, size))

    def stress(x):
        out, none, tangent = np.zeros((1, size)), np.zeros((1, size)), np.zeros((1, size * size))
        add_viscous(weight, scale, damping, rate, pace, 6, x, x, out, none, tangent)
        return out[0], tangent.reshape(size, size)

    steps = 1e-6 * np.eye(size)
    found = [(stress(strain + d)[0] - stress(strain - d)[0]) / 2e-6 for d in steps]
    np.testing.assert_allclose(np.array(found).T, stress(strain)[1], atol=1e-6)


def test_modes_of_viscous_tubes_are_damped():
    """As those of the rod that is outside."""
    results = (
        fx.statics(fx.build(fed(VISCOUS), rods=RODS), OUT),
        fx.statics(fx.build(held(VISCOUS), rods=RODS)),
    )
    a, b = (fx.modes(result.unwrap(), count=2) for result in results)
    np.testing.assert_allclose(a.frequency, b.frequency, rtol=1e-5)
    np.testing.assert_allclose(a.damping, b.damping, rtol=1e-4)


def test_mass_that_slides_out_is_carried_along():
    """A rigid tube that is pushed out while its plate turns.

    Its material moves in a polar way, r̈ = (-ω² r, 2 ω v): the hinge exerts the torque ρA ω v β² on
    what is outside, and that has the energy ρA (β v² + ω² β³/3)/2.
    """
    rigid = replace(STEEL, young=6e13, shear=2.3e13)
    rod = fx.Rod("rod", 0.2, SECTION, rigid)
    joints = [fx.Hinge("arm", "world", "set.base", axis=(0, 0, 1), driven=True)]
    model = fx.build(fx.Robot("arm", tubes=[fx.TubeSet("set", [rod])], joints=joints), rods=RODS)
    omega, speed = 3.0, 0.5
    inputs = {"arm": lambda t: omega * t, "rod.insertion": lambda t: 0.05 + speed * t}
    more = {"duration": 0.1, "step": 1e-3, "integrator": fx.ImplicitEuler()}
    end = fx.simulate(model, inputs=inputs, **more).unwrap()[-1]
    line, out = rod.mass_per_length(0.0), 0.05 + 0.1 * speed
    # of first order in steps that are a hundredth of the time
    assert end.torque("arm") == pytest.approx(line * omega * speed * out**2, rel=0.03)
    energy = 0.5 * line * (out * speed**2 + omega**2 * out**3 / 3.0)
    assert end.kinetic == pytest.approx(energy, rel=0.03)
    along = end.pose("rod.tip")[:3, 0] * line * out * speed
    across = end.pose("rod.tip")[:3, 1] * line * omega * out**2 / 2.0
    np.testing.assert_allclose(end.momentum[3:], along + across, rtol=0.03, atol=1e-9)


def test_an_insertion_that_jumps_is_told():
    """A motion goes by described insertions where none are given, whatever it begins with."""
    result = fx.statics(fx.build(fed(), rods=RODS), OUT).unwrap()
    more = {"duration": 1e-3, "step": 5e-4, "start": result, "integrator": fx.ImplicitEuler()}
    moved = fx.simulate(result.model, **more)
    assert any("'rod.insertion' jumps" in text for text in moved.remarks)
    still = fx.simulate(result.model, inputs=OUT, **more)
    assert not any("jumps" in text for text in still.remarks)
    assert still[-1].kinetic < 1e-20


def test_a_tube_that_begins_to_be_pushed_at_a_speed():
    """A straight one: the plate holds all of its mass back, ρA x ẍ, from the first instant on."""
    section = fx.Tube(outer_diameter=2e-3, inner_diameter=1.6e-3)
    tube = fx.Rod("a", 0.3, section, fx.Material(young=60e9, poisson=0.3, density=6450.0))
    robot = fx.Robot("fed", tubes=[fx.TubeSet("s", [tube])], joints=[fx.Weld("world", "s.base")])
    model = fx.build(robot, rods=fx.VariableStrain((3, 4, 4, 0, 0, 0), steps=12))
    start = fx.statics(model, {"a.insertion": 0.1})

    def pushed(t):
        return 0.1 + t + 1.5 * t * t

    motion = fx.simulate(model, 0.01, 1e-3, {"a.insertion": pushed}, start=start)
    mass = 6450.0 * section.area * np.array([pushed(t) for t in motion.t])
    held = np.array([instant.reaction("world-s.base")[3] for instant in motion])
    np.testing.assert_allclose(held, 3.0 * mass, rtol=1e-3)
