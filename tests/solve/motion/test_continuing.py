"""Motions that go on, stop, are cut, and fail."""

import copy
import pickle

import numpy as np
import pytest
from motions import EACH
from support import RUBBER

import flexura as fx
from flexura.lie import se3
from flexura.result.motion import MotionStatus
from flexura.solve.motion.simulation import prepared

INTEGRATORS = [
    fx.GeneralizedAlpha(0.9),
    fx.ImplicitEuler(),
    fx.Variational(),
    fx.SymplecticEuler(),
]
EACH_INTEGRATOR = pytest.mark.parametrize("integrator", INTEGRATORS, ids=str)
# Binary steps: sums of them are exact, so that no step is longer than another by rounding.
STEP = 2.0**-12


def arm(viscosity=0.0):
    material = fx.Material(1e6, 0.45, density=1000.0, viscosity=viscosity)
    return fx.Robot(
        "arm",
        rods=[fx.Rod("rod", 0.3, fx.Circle(0.01), material)],
        joints=[fx.Weld("world", "rod.base", name="wall")],
        loads=[fx.Gravity(), fx.PointLoad("push", "rod.tip")],
        tendons=[fx.Tendon("pull", "rod", fx.Parallel(0.008, 0.0))],
    )


def same(a, b):
    """Two instants, to the bit."""
    assert a.t == b.t
    assert a.state == b.state
    assert a.flow == b.flow
    assert a.energy == b.energy
    assert a.dissipated == b.dissipated


@EACH_INTEGRATOR
def test_going_on_is_as_if_it_had_not_stopped(integrator):
    model = fx.build(arm(viscosity=20.0), rods=fx.LinearStrain(4))
    inputs = {"pull": 1.0}
    whole = fx.simulate(model, 32 * STEP, STEP, inputs, integrator=integrator).unwrap()
    first = fx.simulate(model, 12 * STEP, STEP, inputs, integrator=integrator).unwrap()
    second = fx.simulate(
        model, 20 * STEP, STEP, inputs, start=first[-1], integrator=integrator
    ).unwrap()
    exact = not isinstance(integrator, fx.Variational)  # its guess comes from the step before
    for one, other in zip(second.results, whole.results[12:], strict=True):
        if exact:
            same(one, other)
        else:
            np.testing.assert_allclose(one.pose("rod.tip"), other.pose("rod.tip"), atol=1e-12)


@EACH
def test_steps_of_a_simulation_are_those_of_simulate(rods):
    model = fx.build(arm(), rods=rods)
    motion = fx.simulate(model, 10 * STEP, STEP, {"pull": 1.0}).unwrap()
    sim = fx.Simulation(model, STEP, inputs={"pull": 1.0})
    same(sim.instant, motion[0])
    for expected in motion.results[1:]:
        same(sim.step(), expected)
    assert sim.t == motion.t[-1]
    again = fx.Simulation(model, STEP, start=sim.instant)
    same(again.step(), sim.step())


def test_a_start_that_is_in_equilibrium_stays_there():
    model = fx.build(arm())
    start = fx.statics(model, {"pull": 0.5}).unwrap()
    motion = fx.simulate(model, 0.05, 1e-3, {"pull": 0.5}, start=start).unwrap()
    # An equilibrium is found to 1e-8 of forces; the rest is rounding.
    poses = motion.pose("rod.tip")
    np.testing.assert_allclose(poses, [start.pose("rod.tip")] * len(motion), atol=1e-8)
    assert motion.kinetic.max() <= 1e-12 * start.energy


def test_what_a_simulation_begins_with():
    """The inputs of its start, unless others are given."""
    model = fx.build(arm())
    start = fx.statics(model, {"pull": 0.5}).unwrap()
    assert fx.Simulation(model, 1e-3, start=start).instant.inputs["pull"] == 0.5
    assert fx.Simulation(model, 1e-3, start=start, inputs={}).instant.inputs["pull"] == 0.0


def test_every_and_the_last():
    model = fx.build(arm(), rods=fx.LinearStrain(4))
    whole = fx.simulate(model, 10 * STEP, STEP).unwrap()
    some = fx.simulate(model, 10 * STEP, STEP, every=4).unwrap()
    np.testing.assert_array_equal(some.t, STEP * np.array([0, 4, 8, 10]))
    for i, instant in zip((0, 4, 8, 10), some.results, strict=True):
        same(instant, whole[i])
    assert some.iterations.sum() == whole.iterations.sum()


def test_the_last_step_is_shorter():
    model = fx.build(arm(), rods=fx.LinearStrain(4))
    motion = fx.simulate(model, 0.0105, 1e-3).unwrap()
    np.testing.assert_allclose(motion.t, [*np.arange(11) * 1e-3, 0.0105], atol=1e-15)
    assert len(fx.simulate(model, 0.3, 0.1).t) == 4  # no step of rounding
    assert len(fx.simulate(model, 0.1, 0.1).t) == 2


def test_until():
    model = fx.build(arm(), rods=fx.LinearStrain(4))
    motion = fx.simulate(
        model, 1.0, 1e-3, until=lambda instant: instant.pose("rod.tip")[2, 3] < -0.01
    )
    assert motion.status is MotionStatus.STOPPED
    assert motion.converged
    assert motion.unwrap() is motion
    z = motion.pose("rod.tip")[:, 2, 3]
    assert z[-1] < -0.01 < z[-2]


def limp(spans):
    """A soft rod that is let go."""
    rod = fx.Rod("rod", 0.5, fx.Circle(0.002), fx.Material(1e6, 0.45, density=1000.0))
    wall = fx.Weld("world", "rod.base")
    return fx.build(fx.Robot("limp", [rod], [wall], [fx.Gravity()]), rods=fx.Spline(3, spans))


def test_a_step_that_does_not_converge_is_cut():
    """Steps are as long as half of its fall."""
    motion = fx.simulate(limp(24), 1.0, 0.1)
    assert motion.cuts
    assert motion.converged
    assert set(motion.cuts) <= set(motion.t.tolist())
    np.testing.assert_allclose(motion.t, 0.1 * np.arange(11), atol=1e-12)
    assert "cut" in repr(motion)
    assert motion.pose("rod.tip")[:, 2, 3].min() < -0.3


def test_a_rod_that_is_too_coarse_says_so():
    """It whips, and one of its spans would turn by more than half a turn."""
    motion = fx.simulate(limp(8), 1.0, 0.01)
    assert motion.status is MotionStatus.COARSE
    last = motion[-1]
    assert last.evaluation.turn < 1.0  # the last one that can be told
    assert last.energy <= 1e-4  # and it has not gained any
    with pytest.raises(fx.NotConverged, match="more spans"):
        motion.unwrap()
    sim = fx.Simulation(limp(8), 0.01, start=motion[-2])
    with pytest.raises(fx.NotConverged, match="more spans"):
        [sim.step() for _ in range(2)]


def test_a_motion_that_fails_keeps_what_was_computed():
    """The grips of a rod that hardly stretches are pulled apart."""
    rod = fx.Rod("rod", 0.3, fx.Circle(0.01), RUBBER)
    welds = [
        fx.Weld("world", "rod.base"),
        fx.Weld("world", "rod.tip", se3.pose((0.3, 0, 0)), name="grip"),
    ]
    model = fx.build(fx.Robot("held", [rod], welds), rods=fx.RotationInterpolation(3))
    motion = fx.simulate(model, 0.1, 0.01, {"grip": lambda t: se3.pose((0.25 + t, 0, 0))})
    assert motion.status is MotionStatus.LOST
    assert not motion.converged
    assert len(motion) >= 5  # it is straight at 0.05 s
    assert motion.t[-1] <= 0.051
    assert np.isfinite(motion.pose("rod", 0.15)).all()
    # The last instant is that of the last step that was found, not of one that was tried.
    assert motion[-1].potential <= 1.1 * motion[-2].potential + 1e-3
    with pytest.raises(fx.NotConverged, match=r"however short.*t = 0\.0"):
        motion.unwrap()
    assert "failed" in repr(motion)


def test_a_simulation_that_fails_stays_where_it_was():
    rod = fx.Rod("rod", 0.3, fx.Circle(0.01), RUBBER)
    welds = [
        fx.Weld("world", "rod.base"),
        fx.Weld("world", "rod.tip", se3.pose((0.29, 0, 0)), name="grip"),
    ]
    model = fx.build(fx.Robot("held", [rod], welds), rods=fx.RotationInterpolation(3))
    sim = fx.Simulation(model, 0.01, record=True)
    before = sim.step({"grip": se3.pose((0.28, 0.0, 0.0))})
    known = sim.motion()
    with pytest.raises(fx.NotConverged, match="however short"):
        sim.step({"grip": se3.pose((0.4, 0.0, 0.0))})
    assert sim.t == before.t
    assert sim.instant is before
    assert sim.motion() == known  # its cuts, too
    again = sim.step({"grip": se3.pose((0.28, 0.0, 0.0))})
    assert again.t == pytest.approx(0.02)
    assert again.iterations <= 20  # those of this step; 13 tries have failed
    assert sim.motion().cuts == known.cuts


def test_iterations_of_steps_that_are_not_found_count():
    rod = fx.Rod("rod", 0.3, fx.Circle(0.01), RUBBER)
    grip = fx.Weld("world", "rod.tip", se3.pose((0.29, 0, 0)), name="grip")
    welds = [fx.Weld("world", "rod.base"), grip]
    model = fx.build(fx.Robot("held", [rod], welds), rods=fx.RotationInterpolation(3))
    engine = prepared(model, None, None, None, None, None)
    away = model.read_inputs({"grip": se3.pose((0.4, 0.0, 0.0))})
    assert engine.look(0.01, 0.01, lambda t: away) is MotionStatus.LOST
    assert engine.iterations > 0


@pytest.mark.parametrize("integrator", [fx.Variational(), fx.GeneralizedAlpha()], ids=str)
def test_no_element_turns_farther_than_it_can_tell(integrator):
    """A rod is wound up to more than a turn and comes back: looked at on the way, or not."""
    model = fx.build(
        fx.Robot(
            "shaft",
            rods=[fx.Rod("rod", 0.3, fx.Circle(0.01), RUBBER)],
            joints=[fx.Weld("world", "rod.base")],
        ),
        rods=fx.RotationInterpolation(1),
    )
    wound = {"rod": lambda s: (4e3 * s, 0, 0, 0, 0, 0)}
    for every in (1, 1000):
        motion = fx.simulate(model, 0.05, 5e-4, velocity=wound, integrator=integrator, every=every)
        assert motion.status is MotionStatus.COARSE
        assert motion.t[-1] < 0.01
        assert motion[-1].evaluation.turn < 1.0
    simulation = fx.Simulation(model, 5e-4, integrator, velocity=wound)
    while simulation.t < 0.006:  # it fails after 0.0067 s
        simulation.step()
    with pytest.raises(fx.NotConverged, match="turns by more than its description can tell"):
        _steps(simulation, 10)


def _steps(simulation, count):
    for _ in range(count):
        simulation.step()


@EACH_INTEGRATOR
def test_copies_and_pickles_go_on_alike(integrator):
    model = fx.build(arm(viscosity=20.0), rods=fx.Spline(3, 4))
    motion = fx.simulate(model, 5 * STEP, STEP, {"pull": 1.0}, integrator=integrator).unwrap()
    for again in (copy.deepcopy(motion), pickle.loads(pickle.dumps(motion))):
        assert again == motion
        assert again.status is motion.status
        np.testing.assert_array_equal(again.pose("rod.tip"), motion.pose("rod.tip"))
        np.testing.assert_array_equal(again.velocity("rod.tip"), motion.velocity("rod.tip"))
        np.testing.assert_array_equal(again.momentum, motion.momentum)
        ends = [
            fx.simulate(m[-1].model, 3 * STEP, STEP, start=m[-1], integrator=integrator)[-1]
            for m in (motion, again)
        ]
        same(*ends)
    sim = fx.Simulation(model, STEP, integrator=integrator, start=motion[-1])
    twin = copy.deepcopy(sim)
    for _ in range(3):
        one, other = sim.step({"pull": 0.5}), twin.step({"pull": 0.5})
        same(one, other)
    later = pickle.loads(pickle.dumps(sim))
    same(sim.step(), later.step())
