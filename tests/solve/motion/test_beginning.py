"""The first instant is in balance, and moves as inputs move it from the beginning on."""

import numpy as np
import pytest
from motions import EACH

import flexura as fx
from flexura.lie import se3

IMPLICIT = [fx.GeneralizedAlpha(0.9), fx.GeneralizedAlpha(0.5), fx.ImplicitEuler()]
EACH_IMPLICIT = pytest.mark.parametrize("integrator", IMPLICIT, ids=str)
RUBBER = fx.Material(1e6, 0.45, density=1000.0, viscosity=300.0)


def sled():
    slider = fx.Slider("drive", "world", "sled", (1, 0, 0), driven=True)
    return fx.build(fx.Robot("sled", bodies=[fx.Body("sled", 2.0)], joints=[slider]))


@EACH_IMPLICIT
def test_a_driven_body_moves_from_the_beginning_on(integrator):
    """The drive has a speed of 2 m/s from the first moment, the robot was said to rest."""
    rate, h = 20.0, 1e-3
    motion = fx.simulate(
        sled(), 0.1, h, {"drive": lambda t: 0.1 * np.sin(rate * t)}, integrator=integrator
    ).unwrap()
    t = motion.t
    v, a = 2.0 * np.cos(rate * t), -40.0 * np.sin(rate * t)
    if isinstance(integrator, fx.ImplicitEuler):  # half a step behind, and a whole one
        late, behind = 0.5 * 40.0 * h, 800.0 * h
    else:  # evenly off by (1/6 - β - Δ/2) h² j; the first force is of a hundredth of a step later
        late, behind = 0.12 * h**2 * 800.0, 0.011 * 800.0 * h
    np.testing.assert_allclose(motion.velocity("sled")[:, 3], v, atol=1.01 * late)
    np.testing.assert_allclose(motion.kinetic, v**2, atol=4.04 * late)
    np.testing.assert_allclose(motion.torque("drive"), 2.0 * a, atol=1.01 * 2.0 * behind)


@pytest.mark.parametrize("kind", ["slider", "weld", "motor"])
@EACH
def test_velocities_of_what_inputs_move(rods, kind):
    """The first instant has those of its inputs, and a force no larger than later."""
    rod = fx.Rod("rod", 0.3, fx.Circle(0.02), fx.Material(1e8, 0.45, density=1000.0))
    joint, course, twist = {
        "slider": (
            fx.Slider("drive", "world", "rod.base", (0, 0, 1), driven=True),
            lambda t: 0.1 * t, (0, 0, 0, 0, 0, 0.1),
        ),
        "weld": (
            fx.Weld("world", "rod.base", name="drive"),
            lambda t: se3.exp(t * np.array([0, 0, 0.3, 0, 0.2, 0])), (0, 0, 0.3, 0, 0.2, 0),
        ),
        "motor": (
            fx.Motor("drive", (0, 0, 1), (0, 0, 0), {"rod.base": np.eye(4)}),
            lambda t: 0.3 * t, (0, 0, 0.3, 0, 0, 0),
        ),
    }[kind]  # fmt: skip
    model = fx.build(fx.Robot("driven", [rod], [joint]), rods=rods)

    def rigid(s):
        return se3.Ad(se3.pose((-s, 0.0, 0.0))) @ twist

    motion = fx.simulate(model, 0.02, 1e-3, {"drive": course}, velocity={"rod": rigid}).unwrap()
    for s in (0.0, 0.1, 0.3):
        # Of short steps at the beginning, about 1e-5 s long, beside waves of 300 m/s.
        np.testing.assert_allclose(motion[0].velocity("rod", s), rigid(s), atol=1e-4)
    assert motion.remarks == ()
    np.testing.assert_allclose(motion[0].velocity("rod.base"), twist, atol=1e-6)
    np.testing.assert_allclose(motion.velocity("rod.base")[1:], [twist] * 20, atol=2e-3)


def test_what_a_simulation_drives_begins_at_rest():
    """The first step tells how it is accelerated."""
    h = 1e-3
    sim = fx.Simulation(sled(), h)
    forces = [sim.step({"drive": 10.0 * (i * h) ** 2}).torque("drive") for i in range(1, 30)]
    np.testing.assert_allclose(forces, 40.0, rtol=1e-6)  # 2 kg with 20 m/s²


def released():
    """A body on a hinge, horizontal."""
    body = fx.Body("bob", 1.0, (0.1, 0.1, 0.1), center=(0.5, 0, 0))
    hinge = fx.Hinge("hinge", "world", "bob", (0, 1, 0))
    return fx.build(fx.Robot("p", bodies=[body], joints=[hinge], loads=[fx.Gravity()]))


@EACH_IMPLICIT
def test_joints_carry_from_the_beginning_on(integrator):
    """m g (1 - m l²/J) on the hinge of a pendulum that is released."""
    motion = fx.simulate(released(), 3e-3, 1e-3, integrator=integrator).unwrap()
    expected = 9.81 * (1.0 - 0.25 / 0.35)
    np.testing.assert_allclose(motion.reaction("hinge")[:, 5], expected, rtol=1e-3)
    sim = fx.Simulation(released(), 1e-3, integrator=integrator)
    assert sim.instant.reaction("hinge")[5] == pytest.approx(expected, rel=1e-3)


@EACH
def test_energy_of_viscous_rods_that_move_from_the_beginning_on(rods):
    """A straight rod has no potential, however fast it is stretched."""
    rod = fx.Rod("rod", 0.3, fx.Circle(0.02), RUBBER)
    model = fx.build(fx.Robot("rod", [rod], [fx.Weld("world", "rod.base")]), rods=rods)

    def velocity(s):
        return (0.5 * s, 0, 0.2 * s, 0.1 * s, 0.1 * s**2, 0)

    first = fx.simulate(model, 1e-3, 1e-4, velocity={"rod": velocity})[0]
    # The forces are those of a hundredth of a step later.
    assert abs(first.elastic) <= 1e-3 * first.kinetic


@EACH
def test_the_wall_carries_from_the_beginning_on(rods):
    """A straight rod that is let go: what is beyond falls freely."""
    rod = fx.Rod("rod", 0.3, fx.Circle(0.02), fx.Material(1e6, 0.45, density=1000.0))
    wall = fx.Weld("world", "rod.base")
    model = fx.build(fx.Robot("rod", [rod], [wall], [fx.Gravity()]), rods=rods)
    weight = 9.81 * rod.mass_per_length(0.0) * rod.length
    first = fx.simulate(model, 1e-4, 1e-5)[0]
    for instant in (first, fx.Simulation(model, 1e-5).instant):
        np.testing.assert_allclose(instant.internal_wrench("rod", 0.2), 0.0, atol=0.05 * weight)
