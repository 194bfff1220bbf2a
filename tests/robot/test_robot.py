import dataclasses

import numpy as np
import pytest
from support import refused

import flexura as fx
from flexura.errors import UnknownName
from flexura.robot import (
    At,
    Ball,
    Body,
    Circle,
    Gravity,
    Hinge,
    LineLoad,
    Material,
    Motor,
    PointLoad,
    Pulley,
    Robot,
    Rod,
    Weld,
)

STEEL = Material(210e9, 0.3)
ROD = Rod("r", 0.3, Circle(1e-3), STEEL)
CLAMP = Weld("world", "r.base")


PLATE = Body("plate")
HELD = Weld("r.tip", "plate")


def robot(rods=(ROD,), joints=(CLAMP,), loads=(), name="arm", bodies=()):
    return Robot(name, rods, joints, loads, bodies=bodies)


def test_lists_become_tuples_and_robots_can_be_compared():
    arm = Robot("arm", [ROD], [CLAMP], [Gravity()])
    assert arm == robot(loads=(load for load in (Gravity(),)))
    assert hash(arm) == hash(dataclasses.replace(arm))
    assert (arm.rods, arm.joints, arm.loads) == ((ROD,), (CLAMP,), (Gravity(),))


def test_rod_by_name():
    assert robot().rod("r") is ROD
    with pytest.raises(UnknownName, match="no rod 'R'; there is 'r'"):
        robot().rod("R")


def test_body_by_name():
    held = robot(joints=(CLAMP, HELD), bodies=[PLATE])
    assert held.body("plate") is PLATE
    assert held.bodies == (PLATE,)
    with pytest.raises(UnknownName, match=r"no body 'plat'; there is 'plate'\. Did you mean"):
        held.body("plat")


def test_a_robot_may_have_no_rods():
    arm = Robot("arm", bodies=[PLATE], joints=[Hinge("h", "world", "plate", (0, 0, 1))])
    assert arm.rods == ()
    with pytest.raises(UnknownName, match="no rod 'plate'; there is none"):
        arm.jumps("plate")


@pytest.mark.parametrize("also", [None, "twig", "rest"])
def test_the_length_does_not_jump_by_what_is_attached(also):
    """Of a chain it was all of it, and half as soon as anything else was in its middle."""
    rods = [dataclasses.replace(ROD, name=f"r{i}", length=0.1) for i in range(10)]
    joints = [Weld("world", "r0.base"), *(Weld(f"r{i}.tip", f"r{i + 1}.base") for i in range(9))]
    if also is not None:
        rods.append(dataclasses.replace(ROD, name=also, length=0.1))
        joints.append(Weld("r4.tip" if also == "twig" else "r9.tip", f"{also}.base"))
    assert robot(rods, joints).length == 0.1


def test_loads_may_act_on_bodies():
    loads = [PointLoad("p", "plate"), Pulley("w", At("plate", offset=np.eye(4)), (0, 0, 1), 2.0)]
    held = robot(joints=(CLAMP, HELD), loads=loads, bodies=[PLATE])
    assert held.jumps("r") == ()


def test_jumps_lie_strictly_inside_and_come_once():
    other = Rod("other", 1.0, Circle(1e-3), STEEL)
    arm = robot(
        rods=(ROD, other),
        joints=(CLAMP, Weld("r.tip", "other.base")),
        loads=(
            Gravity(),
            PointLoad("tip", "r.tip"),
            PointLoad("almost tip", At("r", 0.1 + 0.2)),
            PointLoad("base", At("r", 0.0)),
            PointLoad("inside", At("r", 0.2)),
            PointLoad("almost the same", At("r", 0.2 + 1e-16)),
            LineLoad("part", "r", start=0.05, end=0.2),
            LineLoad("rest", "r", start=0.25),
            LineLoad("all", "r"),
            PointLoad("elsewhere", At("other", 0.7)),
        ),
    )
    assert arm.jumps("r") == (0.05, 0.2, 0.25)
    assert arm.jumps("other") == (0.7,)
    with pytest.raises(UnknownName, match="no rod 'nobody'"):
        arm.jumps("nobody")


def test_points_where_joints_and_pulleys_hold_a_rod_are_jumps():
    arm = robot(
        joints=(
            CLAMP,
            Weld(At("r", 0.05), "plate"),
            Hinge("h", At("r", 0.1), "b1", (0, 0, 1), driven=True),
            Ball("b", "b2", At("r", 0.1 + 0.05)),
            Motor("m", (0, 0, 1), drives={At("r", 0.2): np.eye(4)}),
            Ball("end", "b2", At("r", 0.1 + 0.2)),
        ),
        loads=(Pulley("w", At("r", 0.25), (0, 0, 1), 2.0), PointLoad("p", At("r", 0.15))),
        bodies=[PLATE, Body("b1"), Body("b2")],
    )
    np.testing.assert_allclose(arm.jumps("r"), (0.05, 0.1, 0.15, 0.2, 0.25), rtol=1e-15)


@pytest.mark.parametrize("a", ["world", "r.base"])
def test_a_rod_may_be_held_at_both_ends(a):
    assert robot(joints=(CLAMP, Weld(a, "r.tip", name="grip"))).joints[1].label == "grip"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"name": None}, ["Robot", "name", "None"]),
        ({"rods": ()}, ["rods", "at least one Rod"]),
        ({"rods": ROD}, ["rods", "list of Rod", "rods=[...]"]),
        ({"rods": None}, ["rods", "None"]),
        ({"rods": "r"}, ["rods", "'r'"]),
        ({"rods": [ROD, CLAMP]}, ["rods[1] must be Rod", "got Weld"]),
        ({"joints": [Gravity()]}, ["joints[0] must be Weld", "got Gravity"]),
        ({"joints": [Weld]}, ["joints[0]", "the class Weld"]),
        ({"loads": [Gravity(), 9.81]}, ["loads[1]", "Gravity or PointLoad or LineLoad", "9.81"]),
        ({"rods": [ROD, ROD]}, ["rods[0] and rods[1]", "'r'", "another name"]),
        ({"loads": [Gravity(), Gravity((0, 0, 1))]}, ["loads[0] and loads[1]", "'gravity'"]),
        (
            {"joints": [Weld("world", "r.base", name="g")], "loads": [Gravity(name="g")]},
            ["joints[0] and loads[0]", "'g'", "another name"],
        ),
        ({"joints": [CLAMP, CLAMP]}, ["attached twice"]),
        (
            {"rods": [], "joints": []},
            ["rods is empty", "Rod(...), Body(...), Volume(...) or TubeSet(...)"],
        ),
        ({"bodies": PLATE}, ["bodies", "list of Body", "bodies=[...]"]),
        *(({x: np.array(3)}, [f"{x} must be a list"]) for x in ("rods", "joints", "loads")),
        ({"bodies": [ROD]}, ["bodies[0] must be Body", "got Rod"]),
        ({"bodies": [PLATE, PLATE]}, ["bodies[0] and bodies[1]", "'plate'", "another name"]),
        ({"bodies": [Body("r")]}, ["rods[0] and bodies[0]", "'r'", "another name"]),
        (
            {
                "joints": [CLAMP, Ball("b", "r.tip", "plate")],
                "bodies": [PLATE],
                "loads": [Pulley("b", "plate", (0, 0, 1), 1.0)],
            },
            ["joints[1] and loads[0]", "'b'", "another name"],
        ),
        (
            {"joints": [CLAMP, Motor("m", (0, 0, 1), drives={"r.base": np.eye(4)})]},
            ["'r.base' is attached twice", "Weld 'world-r.base'", "Motor 'm'"],
        ),
        ({"joints": [CLAMP, Weld(At("r"), "r.base")]}, ["both of its frames", "'r.base'"]),
        (
            {"joints": [CLAMP, HELD], "bodies": [PLATE], "loads": [PointLoad("p", At("plte"))]},
            ["no rod or body 'plte'", "Did you mean 'plate'"],
        ),
        (
            {"joints": [CLAMP, HELD], "bodies": [PLATE], "loads": [PointLoad("p", "plat")]},
            ["no frame 'plat'", "Did you mean 'plate'"],
        ),
        (
            {"joints": [CLAMP, HELD], "bodies": [PLATE], "loads": [LineLoad("l", "plate")]},
            ["no rod 'plate'"],
        ),
        ({"joints": [Weld("world", At("r", 0.4))]}, ["Weld 'world-r@0.4'", "b.s", "[0, 0.3] m"]),
        ({"joints": [Weld("world", "r.bse")]}, ["'r.bse'", "Did you mean 'r.base'"]),
        ({"loads": [PointLoad("p", "q.tip")]}, ["'q.tip'", "Did you mean 'r.tip'"]),
        ({"loads": [PointLoad("p", At("q", 0))]}, ["no rod 'q'", "'r'"]),
        ({"loads": [PointLoad("p", At("r", 0.31))]}, ["PointLoad 'p'", "at.s", "[0, 0.3]", "0.31"]),
        ({"loads": [LineLoad("l", "q")]}, ["no rod 'q'"]),
        ({"loads": [LineLoad("l", "r", end=0.31)]}, ["LineLoad 'l'", "end", "[0, 0.3] m", "0.31"]),
        ({"loads": [LineLoad("l", "r", start=0.3)]}, ["start", "smaller than its end", "0.3"]),
        ({"loads": [LineLoad("l", "r", start=0.4)]}, ["start", "[0, 0.3] m", "0.4"]),
    ],
)
def test_bad_robots_are_named(changes, words):
    with refused(words):
        robot(**changes)


def test_errors_are_one_line(tmp_path):
    """Of what introduces itself in many lines, the first is enough."""
    rod = fx.Rod("arm", 0.1, fx.Circle(radius=1e-3), fx.materials.nitinol)
    robot = fx.Robot("arm", [rod], [fx.Weld("world", "arm.base")])
    model = fx.build(robot)
    for ask, words in (
        (lambda: fx.save_result(robot, tmp_path / "arm.npz"), "got Robot 'arm'; make"),
        (lambda: fx.build(model), "got Model 'arm'"),
        (lambda: fx.load_result(tmp_path / "arm.npz", robot), "got Robot 'arm'"),
        (lambda: fx.Robot("more", rods=robot), "got Robot 'arm'; write"),
        (lambda: fx.view.diagram(model, len), "got Model 'arm'"),
        (lambda: fx.simulate(model, 1.0, 0.1, integrator=model), "got Model 'arm'"),
    ):
        with pytest.raises(fx.ModelError, match=words) as caught:
            ask()
        assert "\n" not in str(caught.value)
