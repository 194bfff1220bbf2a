"""What simulate and Simulation do not take is refused with its name and what is allowed."""

import numpy as np
import pytest
from support import RUBBER, refused

import flexura as fx
from flexura.lie import se3

NAN, INFINITE = float("nan"), float("inf")


def arm(material=RUBBER):
    return fx.Robot(
        "arm",
        rods=[fx.Rod("rod", 0.3, fx.Circle(0.01), material)],
        joints=[fx.Weld("world", "rod.base", name="wall")],
        loads=[fx.Gravity(), fx.PointLoad("tip", "rod.tip")],
        tendons=[fx.Tendon("pull", "rod", fx.Parallel(0.005, 0.0))],
    )


@pytest.fixture(scope="module")
def model():
    return fx.build(arm(), rods=fx.Spline(3, 4))


@pytest.mark.parametrize("value", [0, -1, NAN, INFINITE, "1", None, True, [1], 1e60])
@pytest.mark.parametrize("which", ["duration", "step"])
def test_times(model, which, value):
    times = {"duration": 0.002, "step": 0.001, which: value}
    with refused([which]):
        fx.simulate(model, **times)
    with refused(["step"]):
        fx.Simulation(model, value)


def test_a_step_that_is_too_long(model):
    with refused(["step = 0.02 s", "duration = 0.01 s"]):
        fx.simulate(model, 0.01, 0.02)


OPTIONS = [
    ({"every": 0}, ["every", "from 1"]),
    ({"every": 1.5}, ["every"]),
    ({"until": True}, ["until", "function", "True"]),
    ({"until": lambda instant: 1 / 0}, ["until", "t = 0.001 s", "division by zero"]),
    ({"until": lambda instant: np.ones(2)}, ["until", "t = 0.001 s", "True or False"]),
    ({"until": lambda instant: np.nan}, ["until", "t = 0.001 s", "True or False", "nan"]),
    ({"until": lambda instant: "no"}, ["until", "t = 0.001 s", "True or False", "no"]),
    ({"progress": "yes"}, ["progress", "'yes'"]),
    ({"integrator": "euler"}, ["integrator", "GeneralizedAlpha", "'euler'"]),
    ({"integrator": fx.GeneralizedAlpha}, ["integrator", "GeneralizedAlpha"]),
    ({"start": 3}, ["start", "same model"]),
    ({"velocity": 3}, ["velocity", "dict", "3"]),
    ({"velocity": {"rob": np.zeros(6)}}, ["'rob'", "'rod'"]),
    ({"velocity": {"rod": np.zeros(5)}}, ["'rod'", "six finite numbers"]),
    ({"velocity": {"rod": lambda s: np.full(6, NAN)}}, ["'rod'", "at s =", "nan"]),
    ({"velocity": {"rod": lambda s: 1 / 0}}, ["'rod'", "at s =", "ZeroDivisionError"]),
    ({"velocity": {"rod": np.full(6, 1e300)}}, ["'rod'", "at most 1e+50"]),
    ({"place": {"rod": np.eye(4)}}, ["place", "held"]),
    ({"place": 3}, ["place", "dict", "3"]),
]


@pytest.mark.parametrize(
    ("options", "words"), OPTIONS, ids=lambda x: str(x).split(" at 0x")[0][:40]
)
def test_options(model, options, words):
    with refused(words):
        fx.simulate(model, 0.002, 0.001, **options)


def test_starts_of_another_model(model):
    other = fx.build(arm(), rods=fx.Spline(3, 5))
    with refused(["start", "same model"]):
        fx.simulate(model, 0.002, 0.001, start=fx.statics(other))
    with refused(["Model that build returns", "Robot"]):
        fx.simulate(arm(), 0.002, 0.001)
    with refused(["Model that build returns", "Robot"]):
        fx.Simulation(arm(), 0.001)


@pytest.mark.parametrize("place", [{"rod": 2 * np.eye(4)}, {"rod": NAN}, {"rod": np.eye(3)}])
def test_places(place):
    flying = fx.build(fx.Robot("fly", arm().rods))
    with refused(["place['rod']", "pose"]):
        fx.simulate(flying, 0.002, 0.001, place=place)
    with refused(["'red'", "'rod'"]):
        fx.simulate(flying, 0.002, 0.001, place={"red": np.eye(4)})
    with refused(["place", "dict"]):
        fx.simulate(flying, 0.002, 0.001, place=[1])
    last = fx.simulate(flying, 0.002, 0.001)[-1]
    with refused(["place", "start"]):
        fx.simulate(flying, 0.002, 0.001, place={"rod": np.eye(4)}, start=last)


@pytest.mark.parametrize("rho", [-0.1, 1.1, NAN, "a", None, True])
def test_rho(rho):
    with refused(["rho"]):
        fx.GeneralizedAlpha(rho)


POSE = se3.pose((0.1, 0.0, 0.0))
INPUTS = [
    (3, ["inputs", "dict"]),
    ({"pul": 1.0}, ["'pul'", "'pull'"]),
    ({"pull": NAN}, ["'pull'", "nan"]),
    ({"pull": lambda t: NAN}, ["at t = 0 s", "'pull'", "nan"]),
    ({"pull": lambda t: None}, ["at t = 0 s", "'pull'"]),
    ({"pull": lambda t: 1.0 if t < 1.5e-3 else -1.0}, ["at t = 0.002 s", "'pull'", "-1.0"]),
    ({"pull": lambda t: 1.0 / (t - 0.002)}, ["'pull'", "at t = 0"]),
    ({"pull": lambda: 1.0}, ["'pull'", "fails at t = 0 s", "TypeError"]),
    ({"pull": ([0, 1], [1, 2, 3])}, ["'pull'", "samples"]),
    ({"pull": ([0, 1e-3], [1, 2])}, ["'pull'", "0 s to 0.001 s", "cover", "0.002 s"]),
    ({"pull": ([1e-3, 1], [1, 2])}, ["'pull'", "from 0.001 s", "cover"]),
    ({"pull": ([0, 0], [1, 2])}, ["'pull'", "grow"]),
    ({"pull": ([0, NAN], [1, 2])}, ["'pull'", "grow"]),
    ({"pull": ([0, 1], [1, -2])}, ["'pull'", "-2"]),
    ({"pull": ([0], [1])}, ["'pull'", "n >= 2"]),
    ({"wall": ([0, 1], [POSE, 2 * POSE])}, ["'wall'", "pose"]),
    ({"wall": lambda t: POSE[:3]}, ["at t = 0 s", "'wall'", "4x4"]),
    ({"tip": ([0, 1], np.zeros((6, 2)))}, ["'tip'", "n x 6"]),
]


@pytest.mark.parametrize(("inputs", "words"), INPUTS, ids=lambda x: str(x).split(" at 0x")[0][:30])
def test_inputs(model, inputs, words):
    with refused(words):
        fx.simulate(model, 0.002, 0.001, inputs)


def test_inputs_of_steps(model):
    """A step that is refused leaves the simulation where it was."""
    sim = fx.Simulation(model, 0.001)
    for inputs in ({"pul": 1.0}, 3, {"pull": NAN}, {"pull": lambda t: 1.0}):
        with pytest.raises(fx.ModelError):
            sim.step(inputs)
    assert sim.t == 0.0
    assert sim.step({"pull": 1.0}).t == 0.001


def test_robots_without_mass():
    light = fx.build(arm(fx.Material(1e6, 0.4)))
    with refused(["'arm'", "no mass", "rod 'rod'", "density", "statics"]):
        fx.simulate(light, 0.002, 0.001)
    body = fx.build(fx.Robot("b", bodies=[fx.Body("x")], joints=[fx.Weld("world", "x")]))
    with refused(["no mass", "body 'x'"]):
        fx.Simulation(body, 0.001)


def test_symplectic_euler_takes_no_lengths():
    robot = fx.Robot(
        "arm", arm().rods, arm().joints,
        tendons=[fx.Tendon("pull", "rod", fx.Parallel(0.005, 0.0), drive="length")],
    )  # fmt: skip
    with refused(["SymplecticEuler", "length", "Variational"]):
        fx.simulate(fx.build(robot), 0.002, 0.001, integrator=fx.SymplecticEuler())
