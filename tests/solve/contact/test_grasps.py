"""Forces of contacts that rub are asked for: more, less, or beyond reach; one increment each."""

import numpy as np
import pytest
from contact_laws import check_contacts
from support import mixed

import flexura as fx
from flexura.solve.derivative.response import Response

RUBBER = fx.Material(young=3e6, poisson=0.45, density=1100.0)
POSE = fx.lie.se3.pose
# limits of forces are kept to 1e-6 of their size
KEPT = 2e-6


def finger(friction, also=()):
    """A finger with a tendon, and others, 2 mm above a key."""
    robot = fx.Robot(
        "finger",
        rods=[fx.Rod("finger", 0.08, fx.Circle(radius=4e-3), RUBBER)],
        joints=[fx.Weld("world", "finger.base")],
        tendons=[fx.Tendon("flexor", "finger", fx.Parallel(0.0, -3e-3)), *also],
        obstacles=[fx.Obstacle("other", fx.Plane(point=(0.0, 0.0, -6e-3)))],
        contacts=[fx.Contact("finger", "other", friction=friction)],
    )
    return fx.build(robot, rods=fx.Spline(3, 12))


def finger_on_ball(friction):
    """A finger with a tendon on a ball beside its middle, so that it slides to the side, too."""
    ball = fx.Body("other", 0.05, (1e-5,) * 3, shape=fx.Sphere(0.02))
    robot = fx.Robot(
        "finger",
        rods=[fx.Rod("finger", 0.08, fx.Circle(radius=4e-3), RUBBER)],
        bodies=[ball],
        joints=[
            fx.Weld("world", "finger.base"),
            fx.Weld("world", "other", offset=POSE((0.07, 0.003, -0.0265))),
        ],
        tendons=[fx.Tendon("flexor", "finger", fx.Parallel(0.0, -3e-3))],
        contacts=[fx.Contact("finger", "other", friction=friction)],
    )
    return fx.build(robot, rods=fx.Spline(3, 10))


def lowered(friction):
    """A slanting rod that a slider lowers on a floor."""
    base = POSE((0.0, 0.0, 0.085), (0.0, np.pi / 3.5, 0.0))
    robot = fx.Robot(
        "lowered",
        rods=[fx.Rod("finger", 0.1, fx.Circle(radius=2e-3), RUBBER)],
        joints=[fx.Slider("flexor", "world", "finger.base", (0, 0, 1), offset=base, driven=True)],
        obstacles=[fx.Obstacle("other", fx.Plane())],
        contacts=[fx.Contact("finger", "other", friction=friction)],
    )
    return fx.build(robot, rods=fx.Spline(3, 10))


def gripper(friction):
    """Two fingers with tendons around a cube on a soft stem."""
    side = 0.03
    cube = fx.Body("cube", 0.01, (1.5e-6,) * 3, shape=fx.Box(side, side, side))
    rods = [fx.Rod(x, 0.08, fx.Circle(radius=4e-3), RUBBER) for x in ("left", "right")]
    down = (0.0, 0.5 * np.pi, 0.0)
    robot = fx.Robot(
        "gripper",
        rods=[*rods, fx.Rod("stem", 0.05, fx.Circle(radius=3e-3), RUBBER)],
        bodies=[cube],
        joints=[
            fx.Weld("world", "left.base", offset=POSE((-0.021, 0.0, 0.08), down)),
            fx.Weld("world", "right.base", offset=POSE((0.0205, 0.0, 0.08), down)),
            fx.Weld("world", "stem.base", offset=POSE((0.0, 0.0, -0.065), (0, -0.5 * np.pi, 0))),
            fx.Weld("stem.tip", "cube", offset=POSE((0.5 * side, 0.0, 0.0))),
        ],
        tendons=[
            fx.Tendon("pull left", "left", fx.Parallel(0.0, 3e-3)),
            fx.Tendon("pull right", "right", fx.Parallel(0.0, -3e-3)),
        ],
        loads=[fx.Gravity()],
        contacts=[fx.Contact(x, "cube", friction=friction) for x in ("left", "right")],
    )
    return fx.build(robot, rods=fx.Spline(3, 8))


def raised(model, values):
    """The equilibrium after an input was raised step by step."""
    found = fx.statics(model).unwrap()
    for value in values:
        found = fx.statics(model, {"flexor": value}, found).unwrap()
    return found


SCENES = {
    "key": (finger, (0.5, 0.8, 1.0)),
    "ball": (finger_on_ball, (1.0, 2.0)),
    "floor": (lowered, (-0.07, -0.071, -0.072)),
}


# less, a little less, where it sticks first, a little more, more; without enough friction the
# finger slides off the ball
PARTS = (0.5, 0.97, 0.985, 1.03, 1.5)


@mixed(
    together=2,
    where=lambda scene, friction, part: scene != "ball" or part < 1.5 or friction > 0.1,
    scene=SCENES,
    friction=(0.0, 0.1, 0.4),
    part=PARTS,
)
def test_more_and_less_is_asked_for(scene, friction, part):
    """What a single increment from the start presses with is what was asked for."""
    make, values = SCENES[scene]
    model = make(friction)
    start = raised(model, values)
    asked = part * start.pressing("finger", "other")
    answer = fx.inverse(model, {("finger", "other"): asked}, using=["flexor"], start=start)
    assert answer.status is fx.InverseStatus.REACHED
    assert answer.result.pressing("finger", "other") == pytest.approx(asked, rel=KEPT)
    check_contacts(answer.result, depth=1e-6)
    direct = fx.statics(model, answer.inputs, start).unwrap()
    assert direct.pressing("finger", "other") == pytest.approx(asked, rel=2 * KEPT)


@pytest.mark.parametrize("part", [0.5, 0.9, 1.1, 2.0])
@pytest.mark.parametrize("friction", [0.0, 0.6])
def test_two_fingers_grip_as_hard_as_asked(friction, part):
    model = gripper(friction)
    start = fx.statics(model).unwrap()
    for pull in (0.3, 0.6, 1.0):
        start = fx.statics(model, {"pull left": pull, "pull right": pull}, start).unwrap()
    asked = part * start.pressing("left", "cube")
    targets = {("left", "cube"): asked, ("right", "cube"): asked}
    answer = fx.inverse(model, targets, using=["pull left", "pull right"], start=start)
    assert answer.status is fx.InverseStatus.REACHED
    direct = fx.statics(model, answer.inputs, start).unwrap()
    for side in ("left", "right"):
        assert answer.result.pressing(side, "cube") == pytest.approx(asked, rel=KEPT)
        assert direct.pressing(side, "cube") == pytest.approx(asked, rel=2 * KEPT)
        assert answer.inputs[f"pull {side}"] >= 0.0


def test_a_path_of_forces_is_one_increment_after_the_other():
    """There and back: what slid sticks first, and the way back is another one."""
    model = finger(0.3)
    start = raised(model, (0.5, 0.8, 1.0))
    forces = start.pressing("finger", "other") * np.array([1.2, 1.4, 1.2, 1.0])
    path = [{("finger", "other"): x} for x in forces]
    answers = fx.inverse(model, path, using=["flexor"], start=start)
    assert answers.converged
    before = start
    for answer, force in zip(answers, forces, strict=True):
        before = fx.statics(model, answer.inputs, before).unwrap()
        assert before.pressing("finger", "other") == pytest.approx(force, rel=2 * KEPT)
    there, _, back, _ = answers.inputs["flexor"]
    assert there - back > 0.01  # [N], it takes less to hold than to press on


@pytest.mark.parametrize("more", [1e-3, 5e-3])
def test_friction_turns_into_its_way_however_short_that_is(more):
    """After a small increment, steps that are below 1e-8 still turn it."""
    model = finger_on_ball(0.4)
    start = raised(model, (1.0, 2.0))
    found = fx.statics(model, {"flexor": 2.0 + more}, start).unwrap()
    assert found.iterations <= 5
    (contact,) = found.contacts
    np.testing.assert_allclose(
        np.cross(contact.force - contact.pressing * contact.normal, contact.slip),
        0.0,
        atol=1e-5 * contact.pressing * np.linalg.norm(contact.slip),
    )


def test_what_rubs_elsewhere_is_no_contact():
    """Places that a step looks at, and that touch nothing, have no force, not even rounding."""
    found = raised(finger_on_ball(0.4), (1.0, 2.0))
    assert len(found.contacts) == 1
    assert np.count_nonzero(found.state.multipliers) <= 3


@pytest.mark.parametrize("part", [30.0, 1e3])
def test_what_is_beyond_reach_is_said_soon(part):
    """The most that was found, how far off it is, and that it is the most."""
    model = gripper(0.6)
    start = fx.statics(model, {"pull left": 1.0, "pull right": 1.0}, fx.statics(model)).unwrap()
    asked = part * start.pressing("left", "cube")
    bounds = {"pull left": (0.0, 3.0), "pull right": (0.0, 3.0)}
    answer = fx.inverse(model, {("left", "cube"): asked}, list(bounds), bounds, start)
    assert answer.status is fx.InverseStatus.INFEASIBLE
    assert answer.iterations <= 60
    assert answer.active["left on cube"] == "below"
    found = answer.result.pressing("left", "cube")
    assert found > 2.0 * start.pressing("left", "cube")
    assert answer.inputs["pull left"] == pytest.approx(3.0, abs=1e-6)
    (told,) = (x for x in answer.remarks if "left on cube" in x)
    assert f"{found:.4g} N" in told
    assert f"{asked - found:.4g} N below" in told


def test_a_finger_that_slides_off_presses_no_harder():
    """By a scan of statics, 10 to 40 spans, the most is 0.3240 N near 5.78 N, then it slides."""
    model = finger_on_ball(0.4)
    start = raised(model, (1.0, 2.0))
    asked = 1e3 * start.pressing("finger", "other")
    answer = fx.inverse(model, {("finger", "other"): asked}, using=["flexor"], start=start)
    assert answer.status is fx.InverseStatus.INFEASIBLE
    assert answer.iterations <= 60
    assert answer.result.pressing("finger", "other") == pytest.approx(0.3240, rel=2e-3)


def test_the_most_is_the_same_however_much_is_asked_for():
    """Without friction it slides off the ball at 0.1081 to 0.1084 N, by scans of statics."""
    model = finger_on_ball(0.0)
    start = raised(model, (1.0, 2.0))
    for asked in (0.3, 3.0, 100.0):
        answer = fx.inverse(model, {("finger", "other"): asked}, using=["flexor"], start=start)
        assert answer.status is fx.InverseStatus.INFEASIBLE
        assert answer.result.pressing("finger", "other") == pytest.approx(0.1083, rel=5e-3)


def test_slopes_of_what_has_slid_are_those_of_increments():
    """Friction turns with the way since the start: by differences of statics from there."""
    model = finger(0.2, [fx.Tendon("side", "finger", fx.Parallel(3e-3, 0.0))])
    start = fx.statics(model, {"flexor": 1.0}).unwrap()
    inputs, step = {"flexor": 1.01, "side": 0.1}, 1e-5
    here = fx.statics(model, inputs, start).unwrap()
    names = list(inputs)
    response = Response("test", here, slip=here.evaluation.slip)
    found = response.moved(response.twist("finger.tip"), names)[3:]
    for i, name in enumerate(names):
        ends = [
            fx.statics(model, {**inputs, name: inputs[name] + d}, start).pose("finger.tip")[:3, 3]
            for d in (-step, step)
        ]
        there = here.pose("finger.tip")[:3, :3].T @ (ends[1] - ends[0]) / (2.0 * step)
        # how far the place that touches moves by turning is left out, in proportion to the way
        np.testing.assert_allclose(found[:, i], there, atol=1e-2 * np.abs(there).max())


def jaw(friction):
    """A rod that is pressed on a box that nothing but the floor carries."""
    down = fx.lie.se3.pose((-0.02, 0, 0.115), (0, np.pi / 2, 0))
    plastic = fx.Material(young=2e9, poisson=0.35, density=1200.0)
    robot = fx.Robot(
        "jaw",
        rods=[fx.Rod("jaw", 0.12, fx.Circle(4e-3), plastic)],
        bodies=[fx.Body("box", 0.05, (1e-5,) * 3, shape=fx.Box(0.03, 0.04, 0.04))],
        joints=[
            fx.Slider("close", "world", "jaw.base", axis=(0, 0, 1), driven=True, offset=down),
            fx.Slider("drop", "world", "box", axis=(0, 0, 1)),
        ],
        loads=[fx.Gravity()],
        obstacles=[fx.Obstacle("floor", fx.Plane(point=(0, 0, -0.02)))],
        contacts=[
            fx.Contact("jaw", "box", friction=friction),
            fx.Contact("box", "floor", friction=friction),
        ],
    )
    return fx.build(robot, rods=fx.Spline(3, 10))


@pytest.mark.parametrize("friction", [0.0, 0.4])
@pytest.mark.parametrize("asked", [1.0, 3.0])
def test_what_stands_on_a_floor_is_pressed_as_asked(asked, friction):
    model = jaw(friction)
    start = fx.statics(model).unwrap()
    for way in np.linspace(1e-3, 2e-3, 5):
        start = fx.statics(model, {"close": way}, start=start).unwrap()
    found = fx.inverse(model, {("jaw", "box"): asked}, using=["close"], start=start)
    assert found.status is fx.InverseStatus.REACHED
    there = fx.statics(model, found.inputs, start=start).unwrap()
    assert there.pressing("jaw", "box") == pytest.approx(asked, rel=1e-5)


@pytest.mark.parametrize("way", [1.925e-3, 1.8e-3, 1.6e-3])
def test_what_leans_on_an_edge_slides_back(way):
    """Forces at an edge turn with the rod, and push what is free by more than its props resist."""
    model = jaw(0.4)
    start = fx.statics(model).unwrap()
    for close in np.linspace(1e-3, 2e-3, 5):
        start = fx.statics(model, {"close": close}, start=start).unwrap()
    found = fx.statics(model, {"close": way}, start=start).unwrap()
    assert found.iterations <= 8
    check_contacts(found)
    leans = [x for x in found.contacts if x.a == "jaw" and x.pressing > 0.0]
    assert leans
    assert all(x.sliding for x in leans)
    pressed = sum(x.force[2] for x in leans)  # by what the jaw leans on
    carried = sum(x.pressing for x in found.contacts if x.a == "box")
    assert carried == pytest.approx(0.05 * 9.81 + pressed, rel=1e-6)
