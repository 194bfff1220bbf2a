"""Derivatives of equilibria with volumes, and what is built on them."""

from dataclasses import replace

import numpy as np
import pytest
from meshes import block

import flexura as fx
from flexura.lie import se3

INSIDE = fx.On("block", (0.06, 0.012, 0.013))
GIVEN = {"pull": 1.0, "air": 2e3, "push": (0, 0, 0, 0.1, 0.05, 0.1)}


def platform(law="corotational", quadratic=False):
    """A block between the world and a plate, with a tendon and pressure."""
    soft = fx.Material(young=5e5, poisson=0.3, density=1000.0)
    volume = fx.Volume("block", block(cells=(4, 1, 1)), soft, law=law, quadratic=quadratic)
    way = [(0.03, 0.01, 0.018), (0.06, 0.01, 0.019), (0.1, 0.01, 0.018)]
    return fx.Robot(
        "platform",
        bodies=[fx.Body("plate", mass=0.01, inertia=(1e-6, 1e-6, 1e-6))],
        volumes=[volume],
        joints=[
            fx.Clamp("world", fx.Nodes("block", box=((0, 0, 0), (0, 0.02, 0.02)))),
            fx.Clamp("plate", fx.Nodes("block", box=((0.1, 0, 0), (0.1, 0.02, 0.02)))),
        ],
        loads=[
            fx.Gravity(),
            fx.PointLoad("push", at="plate"),
            fx.Pressure("air", volume="block", surface="boundary"),
        ],
        tendons=[fx.Tendon("pull", volume="block", points=way, pull=(-0.02, 0.01, 0.02))],
    )


@pytest.fixture(scope="module", params=[("corotational", False), ("neo-hookean", True)])
def result(request):
    return fx.statics(fx.build(platform(*request.param)), GIVEN).unwrap()


def moved(home, result, on=INSIDE):
    """Twist of a point from where it was, in its own axes."""
    return se3.log(se3.inverse(home.pose(on)) @ result.pose(on))


PLACES = [
    *(fx.On("block", x) for x in ((0.06, 0.012, 0.013), (0.1, 0.01, 0.01), (0.0, 0.01, 0.01))),
    fx.Nodes("block", box=((0.05, 0, 0), (0.05, 1, 1))),
    fx.Nodes("block", box=((0.02, 0, 0), (0.09, 1, 1))),
]


@pytest.mark.parametrize("on", PLACES, ids=str)
def test_points_move_with_inputs_as_their_jacobian_says(result, on):
    """Inside, on the plate, on the wall, where nothing but the rotation can change; and means."""
    found = result.jacobian(on, ["pull", "air"])
    for i, (name, h) in enumerate((("pull", 1e-3), ("air", 10.0))):
        ends = [
            fx.statics(result.model, {**GIVEN, name: GIVEN[name] + x}, start=result).unwrap()
            for x in (-h, h)
        ]
        slope = (moved(result, ends[1], on) - moved(result, ends[0], on)) / (2.0 * h)
        assert found[:, i] == pytest.approx(slope, abs=1e-6 * np.abs(slope).max())
    give = result.compliance(on)
    assert give == pytest.approx(give.T, abs=1e-12 * np.abs(give).max())


def test_the_mean_of_nodes_is_their_rigid_motion():
    """A face on a plate goes with the plate; nodes on a line tell no rotation."""
    model = fx.build(platform())
    home, there = fx.statics(model).unwrap(), fx.statics(model, GIVEN).unwrap()
    face = fx.Nodes("block", box=((0.1, 0, 0), (0.1, 1, 1)))
    to_face = se3.pose((0.1, 0.01, 0.01))
    for result in (home, there):
        assert result.pose(face) == pytest.approx(result.pose("plate") @ to_face, abs=1e-13)
    pulled = fx.statics(model, {"pull": 0.7}).unwrap().pose(face)
    back = fx.inverse(model, {face: pulled[:3, 3]}, using=["pull"], start=home).unwrap()
    assert back.inputs["pull"] == pytest.approx(0.7, rel=1e-6)
    with pytest.raises(fx.ModelError, match="three nodes of a frame, not all on a line"):
        home.pose(fx.Nodes("block", box=((0, 0, 0), (0.1, 0, 0))))


def test_material_and_places_are_parameters(result):
    robot = result.model.robot
    volume = robot.volumes[0]
    for field, h in (("young", 50.0), ("poisson", 1e-5), ("density", 1.0)):
        found = fx.sensitivity(result, INSIDE, f"block.material.{field}")
        ends = []
        for x in (-h, h):
            value = getattr(volume.material, field) + x
            other = replace(volume, material=replace(volume.material, **{field: value}))
            model = fx.build(replace(robot, volumes=[other]))
            ends.append(moved(result, fx.statics(model, GIVEN).unwrap()))
        slope = (ends[1] - ends[0]) / (2.0 * h)
        assert found == pytest.approx(slope, abs=1e-5 * np.abs(slope).max())


def test_inputs_for_targets_of_points(result):
    pytest.importorskip("qpsolvers")
    wanted = fx.statics(result.model, {**GIVEN, "pull": 1.3, "air": 3e3}).unwrap()
    goal = wanted.pose(INSIDE)[:3, 3]
    given = {"push": GIVEN["push"]}
    found = fx.inverse(result.model, {INSIDE: goal}, using=["pull", "air"], inputs=given).unwrap()
    assert found.result.pose(INSIDE)[:3, 3] == pytest.approx(goal, abs=1e-9)


def test_paths_and_many_equilibria(result):
    model, ways = result.model, np.linspace(0.0, 2.0, 6)
    path = fx.continuation(model, "pull", to=2.0)
    many = fx.statics_many(model, {"pull": ways}, progress=False)
    assert all(one.converged for one in many)
    end = path[-1]
    assert end.points("block") == pytest.approx(many[-1].points("block"), abs=1e-9)


def test_linear_models_have_points_as_outputs(result):
    """At rest for long, a linear model is where the Jacobian says."""
    linear = fx.linearize(result, inputs=["pull", "air"], outputs=[INSIDE])
    gain = linear.output @ np.linalg.solve(linear.stiffness, linear.input) + linear.feedthrough
    assert gain == pytest.approx(result.jacobian(INSIDE, ["pull", "air"]), rel=1e-8, abs=1e-14)


def test_accuracy_of_volumes_is_not_known(result):
    assert result.accuracy == np.inf
