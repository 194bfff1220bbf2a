"""The adapter for cosseratbench, and cases of peers, on small cases of their own."""

import numpy as np
import pytest

import flexura as fx
from benchmarks.peers import rubber_rod, viscous_arm

MISSING = "cosseratbench is not installed: pip install 'flexura[peers]'"


@pytest.fixture
def scenes():
    return pytest.importorskip("cosseratbench.scenario", reason=MISSING)


def rod(scenes, **changes):
    """A rubber rod along x, clamped at its start."""
    given = {
        "centerline": ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)),
        "radius": 0.02,
        "material": scenes.Material(1e6, 1e6 / 3.0, 1000.0),
        "start": scenes.EndCondition.CLAMPED,
    }
    return scenes.Rod(**{**given, **changes})


def test_a_clamped_rod_is_found_with_its_directors(scenes):
    from flexura_cosseratbench.statics import StaticSolver

    load = scenes.PointLoad(force=(0.0, 0.0, -1e-3))
    own = rod(scenes, loads=(load,))
    scenario = scenes.Scenario((own,), duration=1.0, quasi_static=True)
    found = StaticSolver().run(scenario, n_elements=8, n_frames=3)
    stiffness = 1e6 * own.second_moment_of_area
    # F L³ / 3EI; shear and large rotations change it by a thousandth.
    deflection = 1e-3 / (3.0 * stiffness)
    assert found.positions[0][-1, -1, 2] == pytest.approx(-deflection, rel=2e-3)
    np.testing.assert_array_equal(found.positions[0][0], own.nodes(8))
    # It bends in the plane of its director, which stays in that plane, of unit length.
    np.testing.assert_allclose(np.linalg.norm(found.directors[0], axis=2), 1.0, atol=1e-12)
    np.testing.assert_allclose(found.directors[0][:, :, 1], 0.0, atol=1e-9)


def test_a_motion_begins_with_the_shape_that_is_given(scenes):
    from flexura_cosseratbench.motion import MotionSolver

    angle = np.linspace(-0.5, 0.5, 101)
    arc = np.stack([np.sin(angle) + np.sin(0.5), 0.0 * angle, np.cos(0.5) - np.cos(angle)], axis=1)
    pinned = scenes.EndCondition.PINNED
    own = rod(
        scenes, centerline=tuple(map(tuple, arc)), normal=(0.0, 1.0, 0.0), start=pinned, end=pinned
    )
    scenario = scenes.Scenario((own,), duration=0.02, gravity=(0.0, 0.0, -9.81))
    found = MotionSolver().run(scenario, n_elements=16, n_frames=3)
    # Three chords of the arc between nodes of its spline, and strains of 100 frames.
    np.testing.assert_allclose(found.positions[0][0], own.nodes(16), atol=2e-4)
    np.testing.assert_allclose(found.directors[0][0], own.directors(16), atol=1e-12)
    # Both ends are held, and no force has a component out of the plane.
    ends = own.nodes(16)[[[0, -1]] * 3]
    np.testing.assert_allclose(found.positions[0][:, [0, -1]], ends, atol=1e-6)
    np.testing.assert_allclose(found.positions[0][:, :, 1], 0.0, atol=1e-9)


def test_a_driven_end_turns_and_slides(scenes):
    from flexura_cosseratbench.motion import MotionSolver

    turn, pull = 0.3, 2.0
    twist = scenes.Motion(
        times=(0.0, 0.5),
        displacement=((0.0, 0.0, 0.0),) * 2,
        rotation=((0.0, 0.0, 0.0), (turn, 0.0, 0.0)),
        slides_along=(1.0, 0.0, 0.0),
    )
    own = rod(
        scenes,
        end=scenes.EndCondition.CLAMPED,
        end_motion=twist,
        loads=(scenes.PointLoad(force=(pull, 0.0, 0.0)),),
    )
    scenario = scenes.Scenario((own,), duration=4.0, quasi_static=True)
    found = MotionSolver().run(scenario, n_elements=8, n_frames=81)
    # F L / EA, to what implicit steps leave of the oscillation in 4 s.
    assert found.positions[0][-1, -1, 0] - 1.0 == pytest.approx(pull / (1e6 * own.area), rel=1e-3)
    first, last = found.directors[0][[0, -1], -1]
    # The middle of the last of eight elements.
    assert np.arcsin(np.cross(first, last)[0]) == pytest.approx(turn * 15.0 / 16.0, abs=1e-3)


def test_statics_answers_no_motion(scenes):
    from flexura_cosseratbench.statics import StaticSolver

    scenario = scenes.Scenario((rod(scenes),), duration=1.0)
    with pytest.raises(NotImplementedError, match="motion"):
        StaticSolver().run(scenario, n_elements=8, n_frames=3)


def test_the_rubber_rod_falls_as_its_reference_does():
    """By splines, of another kind and with longer steps than those of the benchmark."""
    model = fx.build(rubber_rod.robot(), rods=fx.Spline(degree=3, spans=8))
    motion = fx.simulate(model, 1.0, 4e-3).unwrap()
    # Eight spans miss by 6e-4 m, steps of 4 ms by 1e-3 m.
    assert rubber_rod.astray(motion.t, motion.pose("rod.tip")[:, :3, 3]) < 2e-3


def test_energy_of_the_viscous_arm_is_balanced():
    """Motion, elasticity, weight and the tendon's work, and what viscosity has taken."""
    model = fx.build(viscous_arm.robot(), rods=fx.VariableStrain((5, 7, 7, 3, 3, 3)))
    motion = fx.simulate(model, 0.5, 5e-3, inputs={"t1": viscous_arm.TENSION}).unwrap()
    total = motion.balance
    # Steps of 5 ms miss by 0.3 % of the largest kinetic energy, viscosity takes 20 % of it.
    assert np.abs(total - total[0]).max() < 0.01 * motion.kinetic.max()
    assert motion.dissipated[-1] > 0.05 * motion.kinetic.max()
