"""Linear models: static gains are differences of equilibria, motions are simulated small ones."""

import pickle
from functools import cache

import numpy as np
import pytest
from scipy.signal import StateSpace, lsim
from support import mixed, refused
from vibrating import ARM, EVERY, LOOP, arm, loop

import flexura as fx
from flexura.lie import se3

ROBOTS = {"arm": (arm, ARM), "loop": (loop, LOOP)}


@cache
def solved(name, choice):
    robot, values = ROBOTS[name]
    return fx.statics(fx.build(robot(), rods=choice), values).unwrap()


def moved_inputs(result, name, change):
    """The inputs of a result with one of them changed by numbers; a pose by a body twist."""
    value = result.inputs[name]
    new = value @ se3.exp(change) if value.shape == (4, 4) else value + change.reshape(value.shape)
    return {**result.inputs, name: new}


def difference(result, name, number, count, frames):
    """Central difference of the body twists of frames and of lengths by a number of an input."""
    h = 1e-6 if name in ("cable", "right") else 1e-5
    change = np.zeros(count)
    change[number] = h
    ends = [
        fx.statics(result.model, moved_inputs(result, name, sign * change), start=result).unwrap()
        for sign in (-1.0, 1.0)
    ]
    twists = [se3.log(se3.inverse(ends[0].pose(f)) @ ends[1].pose(f)) for f in frames]
    lengths = ends[1].tendon_lengths - ends[0].tendon_lengths
    tensions = ends[1].tensions - ends[0].tensions
    return np.concatenate([np.ravel(twists), lengths, tensions]) / (2.0 * h)


@pytest.mark.parametrize("choice", EVERY, ids=str)
@pytest.mark.parametrize("name", ROBOTS)
def test_static_gains_are_differences_of_equilibria(name, choice):
    """Every input, frames at nodes and inside rods, lengths, tensions: what statics does."""
    if name == "loop" and isinstance(choice, fx.RotationInterpolation | fx.ConstantStrain):
        pytest.skip("too coarse for a loop")
    result = solved(name, choice)
    rod = result.model.robot.rods[0].name
    inside = fx.At(rod, 0.13, offset=se3.pose((0.01, 0.02, 0.0), (0.3, 0.0, 0.1)))
    frames = [f"{rod}.tip", inside, *(["plate"] if name == "loop" else [])]
    tendons = [tendon.name for tendon in result.model.robot.tendons]
    outputs = [*frames, *(f"{tendon}.length" for tendon in tendons)]
    outputs += ["right.tension"] if name == "arm" else []
    linear = fx.linearize(result, outputs=outputs)
    gain = linear.static_gain()
    assert gain.shape == (len(linear.outputs), len(linear.inputs))
    column = 0
    for which, entry in result.model.inputs.items():
        count = entry.directions.stop - entry.directions.start
        for number in range(count):
            assert linear.inputs[column].split(".")[0] == which
            found = difference(result, which, number, count, frames)
            n = 6 * len(frames) + len(tendons)
            expected = found[:n]
            if name == "arm":
                expected = np.append(expected, found[n + tendons.index("right")])
            scale = np.abs(expected).max() + 1e-6  # a slack tendon does nothing
            # of the difference: rounding of equilibria over h, h² times the curvature
            np.testing.assert_allclose(
                gain[:, column], expected, atol=3e-6 * scale, err_msg=linear.inputs[column]
            )
            column += 1
    assert column == len(linear.inputs)


def bump(name, choice, which, direction, size, frame, steps):
    """Body twists of a frame while a number of an input goes up and down again, in two ways.

    By a simulation with the trapezoidal rule, and by the state space, both (n, 6).
    """
    result = solved(name, choice)
    t = np.linspace(0.0, 0.4, steps + 1)
    u = size * np.sin(np.pi * np.clip(t / 0.2, 0.0, 1.0)) ** 4
    number = np.array(direction, dtype=float)
    samples = [moved_inputs(result, which, x * number)[which] for x in u]
    motion = fx.simulate(
        result.model, t[-1], t[1], inputs={**result.inputs, which: (t, np.array(samples))},
        start=result, integrator=fx.GeneralizedAlpha(rho=1.0),
    ).unwrap()  # fmt: skip
    simulated = se3.log(se3.inverse(result.pose(frame)) @ motion.pose(frame))
    system = StateSpace(*fx.linearize(result, [which], [frame]).state_space())
    return simulated, lsim(system, u[:, None] * number, t)[1].reshape(len(t), 6)


MOTIONS = {
    "force": ("arm", "tip", (0, 0, 0, 0, 0, 1.0), 1e-5, "rod.tip"),
    "tension": ("arm", "left", (1.0,), 1e-4, "rod.tip"),
    "length of an elastic tendon": ("arm", "right", (1.0,), 1e-5, "rod.tip"),
    "shaken base": ("arm", "base", (0.2, 0.5, 1.0, 0.1, 0.3, -0.2), 1e-4, "rod.tip"),
    "motor in a loop": ("loop", "turn", (1.0,), 1e-4, "plate"),
    "shaken foot of a loop": ("loop", "foot", (0.2, 0.5, 1.0, 0.1, 0.3, -0.2), 1e-4, "plate"),
    "length of a tendon in a loop": ("loop", "cable", (1.0,), 1e-6, "plate"),
}


@mixed(choice=[fx.Spline(3, 4), fx.LinearStrain(4)], case=MOTIONS)
def test_small_motions_are_those_of_a_simulation(case, choice):
    """What is left is the error of the time steps, which falls with their square."""
    errors = []
    for steps in (200, 400):
        simulated, linear = bump(*MOTIONS[case][:1], choice, *MOTIONS[case][1:], steps)
        errors.append(np.abs(simulated - linear).max() / np.abs(linear).max())
    assert errors[1] < 4e-3
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.2)


@pytest.mark.parametrize("choice", EVERY[:5], ids=str)
@pytest.mark.parametrize("name", ROBOTS)
def test_poles_are_the_eigenvalues_of_the_modes(name, choice):
    result = solved(name, choice)
    poles = fx.linearize(result).poles
    modes = fx.modes(result, 5)
    for s in modes.eigenvalue:
        # low poles lose digits beside the fastest ones, |s| ratio squared times rounding
        assert np.abs(poles - s).min() < 1e-6 * abs(s)
    assert modes.stable
    assert (poles.real < 0.0).all()


def test_the_response_to_oscillations():
    """At 0 Hz it is the static gain; elsewhere that of the state space."""
    linear = fx.linearize(solved("loop", fx.Spline(3, 4)), ["turn", "push"], ["plate"])
    np.testing.assert_allclose(linear.response(0.0), linear.static_gain(), rtol=1e-9)
    A, B, C, D = linear.state_space()
    for f, found in zip((3.0, 20.0), linear.response([3.0, 20.0]), strict=True):
        s = 2j * np.pi * f
        expected = C @ np.linalg.solve(s * np.eye(len(A)) - A, B.astype(complex)) + D
        np.testing.assert_allclose(found, expected, atol=1e-7 * np.abs(expected).max())


@pytest.mark.parametrize("viscosity", [0.0, 3000.0])
def test_rods_without_mass(viscosity):
    """What has no mass is eliminated: a heavy plate on light rods is the limit of lighter ones."""
    found = {}
    for density in (0.0, 1e-3):
        light = fx.Material(young=2e7, poisson=0.45, density=density, viscosity=viscosity)
        result = fx.statics(fx.build(loop(light), rods=fx.LinearStrain(3)), LOOP).unwrap()
        linear = fx.linearize(result, ["turn", "foot", "push"], ["plate", fx.At("left", 0.1)])
        found[density] = linear.response([1.0, 8.0])
        if not density:
            A, B, C, D = linear.state_space()
            assert len(A) < 2 * len(linear.mass)
            s = 2j * np.pi * 8.0
            own = C @ np.linalg.solve(s * np.eye(len(A)) - A, B + 0j) + D
            tolerance = 1e-8 * np.abs(own).max()
            np.testing.assert_allclose(own, linear.response(8.0), atol=tolerance)
    np.testing.assert_allclose(found[0.0], found[1e-3], atol=1e-4 * np.abs(found[0.0]).max())


def test_names_and_shapes():
    result = solved("arm", fx.Spline(3, 4))
    linear = fx.linearize(result, ["left", "tip", "base"], ["rod.tip", fx.At("rod", 0.1)])
    assert linear.inputs[:2] == ("left", "tip.mx")
    assert linear.inputs[7:9] == ("base.rx", "base.ry")
    assert linear.outputs[3] == "rod.tip.x"
    assert linear.outputs[-1] == "rod(0.1).z"
    n = len(linear.mass)
    assert linear.mass.shape == linear.damping.shape == linear.stiffness.shape == (n, n)
    assert linear.input.shape == (n, 13)
    assert linear.output.shape == (12, n)
    assert not linear.input_acceleration[:, :7].any()  # loads act at once
    assert linear.input_acceleration[:, 7:].any()
    np.linalg.cholesky(linear.mass)
    np.linalg.cholesky(linear.stiffness)
    everything = fx.linearize(result)
    assert "gravity.z" in everything.inputs
    assert everything.outputs == tuple(f"rod.tip.{x}" for x in ("rx", "ry", "rz", "x", "y", "z"))
    again = pickle.loads(pickle.dumps(linear))
    assert again == linear
    assert "tip.mx" in str(linear)
    assert "<table" in linear._repr_html_()


def test_bad_input():
    result = solved("arm", fx.Spline(3, 4))
    with pytest.raises(fx.UnknownName, match="left"):
        fx.linearize(result, ["lft"])
    with pytest.raises(fx.UnknownName, match=r"rod\.tip"):
        fx.linearize(result, [], ["rod"])
    with refused(["list of inputs", "'left'"]):
        fx.linearize(result, "left")
    with refused(["slack", "zero"]):
        fx.linearize(result, [], ["slack.tension"])
    with refused(["input", "left"]):
        fx.linearize(result, [], ["left.tension"])
    with refused(["cable", "stiffness"]):
        fx.linearize(solved("loop", fx.Spline(3, 4)), [], ["cable.tension"])
    with refused(["frequencies"]):
        fx.linearize(result).response("fast")
    empty = fx.linearize(result, [], [])
    assert empty.state_space().B.shape == (2 * len(empty.mass), 0)


def test_static_gains_of_thin_rods_are_those_of_beams():
    """Stretch is (length/radius)² = 6e8 times as stiff as bending, and more in a mesh."""
    L, r, young = 0.5, 2e-5, 6e10
    wire = fx.Rod("wire", L, fx.Circle(r), fx.Material(young, 0.3, density=6450.0))
    robot = fx.Robot(
        "wire", [wire], [fx.Weld("world", "wire.base")], [fx.PointLoad("push", "wire.tip")]
    )
    result = fx.statics(fx.build(robot, rods=fx.LinearStrain(24)))
    gain = fx.linearize(result, outputs=["wire.tip"]).static_gain()
    assert gain[4, 4] == pytest.approx(L**3 / (3.0 * young * np.pi * r**4 / 4.0), rel=1e-4)


def test_frequencies_are_finite():
    linear = fx.linearize(solved("arm", EVERY[0]))
    for value in (np.nan, np.inf, [1.0, np.nan]):
        with refused(["response", "finite"]):
            linear.response(value)
