"""Derivatives of answers by parameters: closed forms, and differences of solves."""

import differences
import numpy as np
import pytest
from support import rod_of

import flexura as fx
from flexura.lie import se3
from flexura.robot.parameter import parameter

L, RADIUS, YOUNG, Y, PULL = 0.25, 0.5e-3, 80e9, 8e-3, 2.0
INPUTS = {"pull": PULL, "up": 1e-3, "tip": (0.0, 1e-3, 0.0, 0.02, 0.01, 0.03)}
# Differences of solves leave 1e-12 of the length over steps of 1e-3 of a parameter.
CLOSE = 1e-7


def arm():
    """A wire with a tendon that is pulled, one that is shortened, a load, and a hand."""
    metal = fx.Material(young=YOUNG, poisson=0.3, density=6500.0)
    return fx.Robot(
        "arm",
        rods=[fx.Rod("rod", L, fx.Circle(RADIUS), metal)],
        bodies=[fx.Body("hand", mass=1e-3)],
        joints=[
            fx.Weld("world", "rod.base", name="clamp"),
            fx.Weld("rod.tip", "hand", offset=se3.pose((0.01, 0.0, 0.0))),
        ],
        tendons=[
            fx.Tendon("pull", "rod", fx.Parallel(Y, 0.0)),
            fx.Tendon("up", "rod", fx.Helical(Y, turns=0.2, phase=1.5), drive="length"),
        ],
        loads=[fx.Gravity(), fx.PointLoad("tip", "hand")],
    )


def by_solves(result, answer, path, inputs):
    """Derivative of an answer by a parameter, by differences of solves."""
    own, columns = parameter(result.model.robot, path), []
    for i in range(own.size):
        size = 1.0 if own.is_pose else abs(own.value.ravel()[i])
        step = 1e-3 * (size or {"rest": 1.0}.get(path.split(".")[-1], 1e-2))
        values = []
        for k in (-2.0, -1.0, 1.0, 2.0):
            change = np.zeros(own.size)
            change[i] = k * step
            model = fx.build(own.moved(change), rods=result.model.rods)
            values.append(np.asarray(answer(fx.statics(model, inputs).unwrap())))
        columns.append(differences.slope(values, step))
    found = np.stack(columns, axis=-1)
    return found if own.value.ndim else found[..., 0]


@pytest.fixture(scope="module")
def result():
    return fx.statics(fx.build(arm(), rods=fx.Spline(3, 8)), INPUTS).unwrap()


ANSWERS = {
    "up.tension": lambda r: r.tension("up"),
    "pull.length": lambda r: r.tendon_length("pull"),
    "energy": lambda r: r.energy,
    "clamp.reaction": lambda r: r.reaction("clamp"),
    "strain": lambda r: r.strain("rod", [0.05, 0.2]),
    "wrench": lambda r: r.internal_wrench("rod", 0.1),
}
PATHS = [
    "rod.length", "rod.section.radius", "rod.material.young", "rod.material.density", "rod.rest",
    "pull.routing.y", "pull.routing.z", "up.routing.turns", "hand.mass", "rod.tip-hand.offset",
]  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_frames_by_parameters(result, path):
    home = se3.inverse(result.pose("hand"))
    found = fx.sensitivity(result, "hand", path)
    expected = by_solves(result, lambda r: se3.log(home @ r.pose("hand")), path, INPUTS)
    assert found.shape == expected.shape
    assert np.abs(expected).max() > 0.0
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=CLOSE * np.abs(expected).max())


@pytest.mark.parametrize("path", ["rod.section.radius", "pull.routing.y"])
@pytest.mark.parametrize("of", ANSWERS)
def test_answers_by_parameters(result, of, path):
    found = fx.sensitivity(result, of if "." in of or of == "energy" else ANSWERS[of], path)
    expected = by_solves(result, ANSWERS[of], path, INPUTS)
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=CLOSE * np.abs(expected).max())


def test_answers_by_inputs(result):
    """Frames as jacobians have them, what a tension is conjugate to, and a function by any way."""
    inputs = ["pull", "tip"]  # in one solve or two: the same but for rounding
    exact = result.jacobian("hand", inputs)
    np.testing.assert_allclose(fx.sensitivity(result, "hand", inputs), exact, rtol=1e-11)
    turned = fx.sensitivity(
        result, lambda r: r.pose("hand")[:3, 3], ["pull", "up", "clamp", "gravity"]
    )
    moved = result.jacobian("hand", ["pull", "up", "clamp", "gravity"])[3:]
    np.testing.assert_allclose(
        turned, result.pose("hand")[:3, :3] @ moved, rtol=0.0, atol=1e-9 * np.abs(moved).max()
    )
    tension = fx.sensitivity(result, "up.tension", "up")
    assert tension.shape == ()
    step = 1e-5
    pulls = [
        fx.statics(result.model, {**INPUTS, "up": 1e-3 + k * step}, start=result).tension("up")
        for k in (-2.0, -1.0, 1.0, 2.0)
    ]
    np.testing.assert_allclose(tension, differences.slope(pulls, step), rtol=1e-8)


def test_potential_by_a_tension_is_the_length():
    """What is conjugate to an input is the derivative of the potential by it."""
    result = fx.statics(fx.build(arm()), {"pull": PULL, "up": 1e-3}).unwrap()
    found = fx.sensitivity(result, "potential", "pull")
    np.testing.assert_allclose(found, result.tendon_length("pull"), rtol=1e-9)


def test_closed_forms_of_an_arc():
    """κ = τ y/EI: the tip turns by κL, so by E as -κL/E, by y as κL/y, by r as -4 κL/r."""
    rod = fx.Rod("rod", L, fx.Circle(RADIUS), fx.Material(young=YOUNG, poisson=0.3))
    robot = fx.Robot(
        "arc", [rod], [fx.Weld("world", "rod.base")],
        tendons=[fx.Tendon("pull", "rod", fx.Parallel(Y, 0.0))],
    )  # fmt: skip
    result = fx.statics(fx.build(robot, rods=fx.LinearStrain(1)), {"pull": PULL}).unwrap()
    turn = PULL * Y * L / rod.stiffness(0.0)[2]
    paths = {
        "rod.material.young": -turn / YOUNG,
        "rod.section.radius": -4.0 * turn / RADIUS,
        "rod.length": turn / L,
        "pull.routing.y": turn / Y,
    }
    found = fx.sensitivity(result, "rod.tip", list(paths))[2]
    np.testing.assert_allclose(found, list(paths.values()), rtol=2e-4)  # stretch: τ/EA is 3e-5


def test_a_load_that_is_described_is_its_input():
    robot = fx.Robot(
        "loaded",
        [rod_of()],
        [fx.Weld("world", "rod.base")],
        [fx.PointLoad("tip", "rod.tip", force=(0.0, 0.1, 0.0))],
    )
    result = fx.statics(fx.build(robot), {"tip": (0, 0, 0, 0, 0.7, 0.2)}).unwrap()
    np.testing.assert_allclose(
        fx.sensitivity(result, "rod.tip", "tip.force"),
        result.jacobian("rod.tip", ["tip"])[:, 3:],
        atol=1e-10,
    )


def test_parameters_at_a_limit_of_theirs_are_changed_to_one_side():
    """Poisson's ratio is 0.5 at most."""
    rubber = fx.Material(young=1e6, poisson=0.5)
    load = fx.PointLoad("tip", "rod.tip", moment=(1e-3, 0.0, 0.0))
    rod = fx.Rod("rod", L, fx.Circle(5e-3), rubber)
    robot = fx.Robot("rubber", [rod], [fx.Weld("world", "rod.base")], [load])
    result = fx.statics(fx.build(robot)).unwrap()
    turn = 1e-3 * L / rod.stiffness(0.0)[0]  # M L 2 (1 + ν) / EJ
    found = fx.sensitivity(result, "rod.tip", "rod.material.poisson")[0]
    np.testing.assert_allclose(found, turn / 1.5, rtol=1e-9)


@pytest.mark.parametrize(
    ("of", "by", "message"),
    [
        ("hnd", "pull", r"no quantity 'hnd'.*mean 'hand'"),
        ("rod", "pull", r"no quantity 'rod'.*mean 'rod.tip'"),
        ("hand", "rod.material.yuong", r"no parameter.*mean 'rod.material.young'"),
        ("hand", "rod.name", r"no number"),
        ("hand", "pull.points", r"no number"),
        ("hand", 3, r"takes a list"),
        ("hand", ["pull", 3], r"named by its path"),
        (lambda r: "far", "pull", r"returns numbers, got 'far'"),
    ],
)
def test_what_makes_no_sense_is_told(result, of, by, message):
    with pytest.raises(fx.ModelError, match=message):
        fx.sensitivity(result, of, by)


def test_only_equilibria_have_sensitivities(result):
    with pytest.raises(fx.ModelError, match="takes the result of statics"):
        fx.sensitivity(result.model, "hand", "pull")
    lost = fx.statics(result.model, INPUTS, iterations=1)
    with pytest.raises(fx.ModelError, match="belongs to an equilibrium"):
        fx.sensitivity(lost, "hand", "pull")


@pytest.mark.parametrize("choice", [fx.VariableStrain((2,) * 6), fx.Spline(3, 4)], ids=str)
def test_what_an_input_moves_counts_for_the_step(choice):
    """A stiff rod hardly bends when its base turns, and goes with it all the same."""
    steel = fx.Material(young=200e9, poisson=0.3, density=7800.0)
    rod = fx.Rod("arm", 0.3, fx.Circle(radius=3e-3), steel)
    base = fx.Weld("world", "arm.base", name="base")
    result = fx.statics(fx.build(fx.Robot("rod", [rod], [base], [fx.Gravity()]), choice)).unwrap()
    slope = fx.sensitivity(result, lambda x: x.pose("arm", 0.2)[:3, 3], "base")
    # it is bent by 7e-5 rad for the turn that takes its weight off
    np.testing.assert_allclose(slope[1:, 1:3], [[0.0, 0.2], [-0.2, 0.0]], atol=2e-4)
    np.testing.assert_allclose(slope[:, 3:], np.eye(3), atol=1e-9)
