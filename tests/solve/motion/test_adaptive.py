"""Steps that adapt keep their error below a tolerance, and are short only where they must be."""

import numpy as np
import pytest

import flexura as fx
from flexura.lie import so3

RUBBER = fx.Material(young=1e6, poisson=0.45, density=1000.0, viscosity=300.0)


@pytest.fixture(scope="module")
def model():
    """An arm that a tendon bends."""
    robot = fx.Robot(
        "arm",
        rods=[fx.Rod("rod", 0.3, fx.Circle(radius=0.01), RUBBER)],
        joints=[fx.Weld("world", "rod.base")],
        tendons=[fx.Tendon("pull", "rod", fx.Parallel(8e-3, 0.0))],
    )
    return fx.build(robot, rods=fx.VariableStrain((2, 4, 4, 2, 2, 2)))


def tension(t):
    """Nothing for half a second, then a pull within 50 ms."""
    return 2.0 * np.clip((t - 0.5) / 0.05, 0.0, 1.0)


@pytest.fixture(scope="module")
def exact(model):
    """The motion by short steps."""
    return fx.simulate(model, 1.0, 5e-4, inputs={"pull": tension}, every=100)


@pytest.mark.parametrize("integrator", [fx.GeneralizedAlpha(), fx.ImplicitEuler()], ids=str)
def test_errors_fall_with_the_tolerance(model, exact, integrator):
    errors, steps = [], []
    for tolerance in (1e-4, 1e-5, 1e-6):
        motion = fx.simulate(
            model, 1.0, "adaptive", {"pull": tension}, integrator=integrator, tolerance=tolerance
        ).unwrap()
        tips = np.array([motion.at(t).pose("rod.tip")[:3, 3] for t in exact.t])
        errors.append(np.abs(tips - exact.pose("rod.tip")[:, :3, 3]).max())
        steps.append(len(motion))
    assert errors[2] < 0.5 * errors[1] < 0.25 * errors[0]
    # Errors of steps add up; those of second order also cancel.
    assert errors[2] < (1e-4 if integrator.order == 2 else 2e-3)
    assert steps[0] < steps[1] < steps[2] < 2000


def test_steps_are_short_only_where_they_must_be(model):
    motion = fx.simulate(model, 2.0, "adaptive", inputs={"pull": tension}).unwrap()
    times, steps = motion.t[:-1], np.diff(motion.t)
    assert motion.t[-1] == pytest.approx(2.0, abs=1e-12)
    assert steps[times < 0.4].max() == pytest.approx(0.04)  # a 50th: nothing moves
    pulled = steps[(times > 0.5) & (times < 0.56)]
    assert pulled.max() < 0.02
    assert steps[times > 1.5].min() >= 1.9 * pulled.max()  # doubled again, as it comes to rest


def test_what_conserves_does_not_adapt(model):
    for integrator in (fx.Variational(), fx.SymplecticEuler()):
        with pytest.raises(fx.ModelError, match="would lose what it conserves"):
            fx.simulate(model, 1.0, "adaptive", integrator=integrator)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"step": "fast"}, "a number .* or \"adaptive\", got 'fast'"),
        ({"step": "adaptive", "tolerance": 0.0}, "tolerance"),
        ({"step": "adaptive", "tolerance": "fine"}, "tolerance"),
        ({"step": 0.01, "tolerance": 1e-4}, 'tolerance is for step="adaptive"'),
    ],
)
def test_bad_values(model, options, words):
    with pytest.raises(fx.ModelError, match=words):
        fx.simulate(model, 1.0, **options)


def angle_between(one, other, frame):
    return np.linalg.norm(so3.log(one.pose(frame)[:3, :3].T @ other.pose(frame)[:3, :3]))


def test_rotations_count_by_the_radius_of_gyration():
    """A body that tumbles about its middle, and a rod in torsion: no centre of mass moves."""
    body = fx.build(fx.Robot("body", bodies=[fx.Body("body", 1.0, (0.01, 0.02, 0.03))]))
    held = [fx.Weld("world", "rod.base")]
    plain = fx.Material(young=1e6, poisson=0.45, density=1000.0)
    rod = fx.Robot("rod", rods=[fx.Rod("rod", 0.3, fx.Circle(0.01), plain)], joints=held)
    twist = {"rod": lambda s: (20.0 * np.sin(np.pi * s / 0.6), 0, 0, 0, 0, 0)}
    cases = (
        (body, "body", {"body": (0.5, 5.0, 0.5, 0, 0, 0)}, 2.0, 1e-3, (1e-4, 1e-6)),
        (fx.build(rod, rods=fx.LinearStrain(1)), "rod.tip", twist, 0.2, 5e-4, (1e-4, 1e-6)),
    )
    for model, frame, velocity, duration, step, tolerances in cases:
        exact = fx.simulate(model, duration, step, velocity=velocity, every=1000)[-1]
        errors = []
        for tolerance in tolerances:
            motion = fx.simulate(
                model, duration, "adaptive", velocity=velocity, tolerance=tolerance
            ).unwrap()
            errors.append(angle_between(motion[-1], exact, frame))
        assert errors[1] <= 0.3 * errors[0]


def test_steps_turn_nothing_farther_than_poses_tell():
    """An even spin has no error, and yet is to be seen between instants."""
    body = fx.build(fx.Robot("top", bodies=[fx.Body("top", 1.0, (0.01, 0.02, 0.03))]))
    motion = fx.simulate(body, 0.5, "adaptive", velocity={"top": (0, 0, 200.0, 0, 0, 0)}).unwrap()
    turn = so3.exp(np.array([0.0, 0.0, 200.0 * 0.123]))
    np.testing.assert_allclose(motion.at(0.123).pose("top")[:3, :3], turn, atol=1e-6)
