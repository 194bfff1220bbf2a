"""Friction where joints hold directions along a surface: what both could carry joints carry."""

import numpy as np
import pytest

import flexura as fx

POSE = fx.lie.se3.pose
WEIGHT, PULL = 9.81, 2.0
TURNS = [(0.0, 0.0, 0.0), (0.3, 0.2, 0.1), (1.0, 2.0, 0.5), (0.0, 3.0, 0.2)]
# Forces are solved to 1e-11 of the largest one; a step of Newton's method squares what is off.
SAME = 1e-8 * WEIGHT


def on_sliders(turn, shape, ways):
    """A body on a floor that joints let go along some ways, pulled along x; all of it turned."""
    there = POSE((0.0, 0.0, 0.0), turn)

    def turned(*x):
        return tuple(there[:3, :3] @ x)

    frames = ["world", *(f"c{k}" for k in range(len(ways) - 1)), "body"]
    robot = fx.Robot(
        "slides",
        bodies=[*map(fx.Body, frames[1:-1]), fx.Body("body", 1.0, (2e-3,) * 3, shape=shape)],
        joints=[
            fx.Slider(f"joint {k}", frames[k], frames[k + 1], way, offset=None if k else there)
            for k, way in enumerate(ways)
        ],
        loads=[
            fx.Gravity(turned(0.0, 0.0, -WEIGHT)),
            fx.PointLoad("pull", "body", force=turned(PULL, 0.0, 0.0)),
        ],
        obstacles=[fx.Obstacle("floor", fx.Plane(turned(0, 0, 1), turned(0, 0, -0.05)))],
        contacts=[fx.Contact("body", "floor", friction=0.6)],
    )
    return fx.build(robot), there[:3, :3]


def force_of(result, turn):
    """Of the floor on the body, where nothing is turned [N]."""
    return turn.T @ np.sum([x.force for x in result.contacts], axis=0)


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("shape", [fx.Sphere(0.05), fx.Box(0.1, 0.1, 0.1)], ids=["ball", "box"])
@pytest.mark.parametrize(
    ("ways", "expected"),
    [
        ([(1, 0, 0), (0, 0, 1)], (-PULL, 0.0, WEIGHT)),
        ([(0, 0, 1)], (0.0, 0.0, WEIGHT)),
        ([(1, 1, 0), (0, 0, 1)], (-PULL / 2, -PULL / 2, WEIGHT)),
    ],
    ids=["x and z", "z", "aslant"],
)
def test_friction_carries_what_joints_do_not(ways, expected, shape, turn):
    """At rest, where nothing changes, and in motion: balance tells all but what joints hold."""
    model, back = on_sliders(turn, shape, ways)
    found = fx.statics(model).unwrap()
    again = fx.statics(model, start=found).unwrap()
    motion = fx.simulate(model, 0.03, 0.01, start=found).unwrap()
    for result in (found, again):
        np.testing.assert_allclose(force_of(result, back), expected, atol=SAME)
    for result in motion.results:  # what presses closes gaps of rounding first
        np.testing.assert_allclose(force_of(result, back)[:2], expected[:2], atol=SAME)


@pytest.mark.parametrize("turn", TURNS)
def test_what_inputs_draw_over_a_floor_rubs_against_its_way(turn):
    """A ball on an arm that goes round: the whole cone along its way, and nothing to the hub."""
    there = POSE((0.0, 0.0, 0.0), turn)
    down, friction = -there[:3, 2], 0.6
    robot = fx.Robot(
        "goes round",
        bodies=[fx.Body("hub"), fx.Body("ball", 1.0, (2e-3,) * 3, shape=fx.Sphere(0.05))],
        joints=[
            fx.Hinge("drive", "world", "hub", (0, 0, 1), offset=there, driven=True),
            fx.Slider("lift", "hub", "ball", (0, 0, 1), offset=POSE((0.2, 0.0, 0.0))),
        ],
        loads=[fx.Gravity(tuple(WEIGHT * down))],
        obstacles=[fx.Obstacle("floor", fx.Plane(tuple(-down), tuple(0.05 * down)))],
        contacts=[fx.Contact("ball", "floor", friction=friction)],
    )
    model, before = fx.build(robot), None
    for angle in (0.0, 0.1, 0.3, 0.3, 0.2):
        found = fx.statics(model, {"drive": angle}, start=before).unwrap()
        moved = 0.0 if before is None else angle - before.inputs["drive"]
        # along the chord that leads here, which the arm has turned away from by half its angle
        c, s = np.cos(0.5 * moved), np.sin(0.5 * moved)
        expected = WEIGHT * np.array([-friction * abs(s), -friction * c * np.sign(moved), 1.0])
        pose = found.pose("ball")[:3, :3]
        np.testing.assert_allclose(force_of(found, pose), expected, atol=SAME)
        before = found


@pytest.mark.parametrize("part", [0.99, 1.01])
def test_what_is_pushed_a_little_beyond_its_friction_is_not_held(part):
    """A block on a slope, pushed by less than a millionth of its weight too much, or too little."""
    slope = 0.074
    friction = 1.001 * np.tan(slope)
    there = POSE(0.05 * np.array([np.sin(slope), 0, np.cos(slope)]), (0, slope, 0))
    down = np.array([np.cos(slope), 0.0, -np.sin(slope)])
    back = there[:3, :3].T
    robot = fx.Robot(
        "slope",
        bodies=[fx.Body("guide"), fx.Body("block", 1.0, (2e-3,) * 3, shape=fx.Box(0.1, 0.1, 0.1))],
        joints=[
            fx.Slider("x", "world", "guide", tuple(back[:, 0]), offset=there),
            fx.Slider("z", "guide", "block", tuple(back[:, 2])),
        ],
        loads=[fx.Gravity((0, 0, -WEIGHT)), fx.PointLoad("push", "block")],
        obstacles=[fx.Obstacle("floor", fx.Plane((np.sin(slope), 0, np.cos(slope))))],
        contacts=[fx.Contact("block", "floor", friction=friction)],
    )
    model = fx.build(robot)
    rests = fx.statics(model).unwrap()
    spare = (friction * np.cos(slope) - np.sin(slope)) * WEIGHT
    pushed = fx.statics(model, {"push": (0, 0, 0, *(part * spare * down))}, start=rests)
    assert pushed.converged is (part < 1.0)
    assert part < 1.0 or pushed.status is fx.Status.UNHELD
