"""What nothing moves against each other does not touch: no force, no disturbance, a remark."""

import numpy as np
import pytest
from meshes import block

import flexura as fx

POSE = fx.lie.se3.pose
FOAM = fx.Material(young=5e5, poisson=0.3, density=300.0)
RUBBER = fx.Material(young=1e6, poisson=0.45, density=1100.0)
TURNS = [(0.0, 0.0, 0.0), (0.3, 0.5, 0.1), (0.0, 0.0, 0.7), (1.0, -2.0, 0.4)]
THERE = (0.1, 0.2, 0.3)
# Forces of contacts are found to 1e-9 of those in play, here less than a newton [N].
SAME = 1e-9


def foam(name, frame, size=(0.02, 0.02, 0.04), beside=0.0):
    """A block of foam upon the origin of a frame, and the nodes that it stands on."""
    points, cells = block(size, (2, 2, 2))
    points = points - [0.5 * size[0] - beside, 0.5 * size[1], 0.0]
    base = np.flatnonzero(points[:, 2] == 0.0)
    placed = points @ frame[:3, :3].T + frame[:3, 3]
    return fx.Volume(name, (placed, cells), FOAM), fx.Nodes(name, indices=base)


def palm_scene(frame, friction, joint, more=()):
    """A foam finger that is clamped onto a palm, over the middle of its face."""
    finger, base = foam("finger", frame)
    box = fx.Box(0.1, 0.1, 0.02, pose=POSE((0.0, 0.0, -0.01)))
    contacts = [fx.Contact(a, b, friction) for a, b in (("finger", "palm"), *more)]
    ball = fx.Body("ball", 0.02, (1e-6,) * 3, shape=fx.Sphere(5e-3))
    return fx.build(
        fx.Robot(
            "hand",
            bodies=[fx.Body("palm", 0.5, (1e-3,) * 3, shape=box), *([ball] if more else [])],
            volumes=[finger],
            joints=[joint, fx.Clamp("palm", base)],
            loads=[fx.Gravity(tuple(-9.81 * frame[:3, 2]))],
            contacts=contacts,
        )
    )


@pytest.mark.parametrize("friction", [0.0, 0.5])
@pytest.mark.parametrize("turn", TURNS, ids=str)
@pytest.mark.parametrize("driven", [False, True])
def test_what_is_clamped_does_not_press_on_what_holds_it(turn, friction, driven):
    """It hangs as without the contact, in any frame, and says so."""
    frame = POSE(THERE, turn)
    joint = fx.Weld("world", "palm", offset=frame)
    if driven:
        joint = fx.Slider("s", "world", "palm", axis=(0, 0, 1), offset=frame, driven=True)
    result = fx.statics(palm_scene(frame, friction, joint))
    assert result.status is fx.Status.CONVERGED
    assert result.pressing("finger", "palm") == 0.0
    assert not result.contacts
    assert any("nothing but inputs moves them" in text for text in result.remarks)


@pytest.mark.parametrize("friction", [0.0, 0.5])
@pytest.mark.parametrize("turn", TURNS, ids=str)
def test_nor_in_motion_beside_what_does_press(turn, friction):
    frame = POSE(THERE, turn)
    model = palm_scene(frame, friction, fx.Weld("world", "palm", offset=frame), [("ball", "palm")])
    motion = fx.simulate(model, 0.004, 0.001, place={"ball": frame @ POSE((0.03, 0.03, 5e-3))})
    assert motion.converged
    assert motion[-1].pressing("finger", "palm") == 0.0
    assert motion[-1].pressing("ball", "palm") == pytest.approx(0.02 * 9.81, rel=1e-6)


def neighbours(frame, friction):
    """Two blocks of foam side by side upon a body, which both may touch."""
    blocks = [foam(name, frame, beside=x) for name, x in (("one", -0.01), ("other", 0.01))]
    joints = [fx.Clamp("palm", base) for _, base in blocks]
    box = fx.Box(0.04, 0.02, 0.02, pose=POSE((0.0, 0.0, -0.01)))
    names = (("one", "palm"), ("palm", "other"), ("one", "other"))
    return fx.Robot(
        "neighbours",
        bodies=[fx.Body("palm", 0.5, (1e-3,) * 3, shape=box)],
        volumes=[volume for volume, _ in blocks],
        joints=[fx.Weld("world", "palm", offset=frame), *joints],
        loads=[fx.Gravity(tuple(-9.81 * frame[:3, 2]))],
        contacts=[fx.Contact(*pair, friction=friction) for pair in names],
    )


def on_a_tip(frame, friction):
    """Foam that is clamped to the tip of a rod, which is round and ends within it."""
    turned = frame @ POSE((0.1, 0.0, 0.0), (0.0, 0.5 * np.pi, 0.0))
    volume, base = foam("foam", turned, (0.02,) * 3)
    return fx.Robot(
        "tip",
        rods=[fx.Rod("rod", 0.1, fx.Circle(5e-3), RUBBER)],
        volumes=[volume],
        joints=[fx.Weld("world", "rod.base", offset=frame), fx.Clamp("rod.tip", base)],
        loads=[fx.Gravity(tuple(-9.81 * frame[:3, 2]))],
        contacts=[fx.Contact("rod", "foam", friction)],
    )


def along_a_wall(frame, friction):
    """A thin rod that leaves a wall along its face; the first places ride on what is welded."""
    box = fx.Box(0.1, 0.1, 0.02, pose=POSE((0, 0, 0), (0.0, 0.1, 0.0)) @ POSE((0, 0, -0.011)))
    return fx.Robot(
        "wall",
        rods=[fx.Rod("rod", 0.2, fx.Circle(1e-3), RUBBER)],
        bodies=[fx.Body("wall", 0.5, (1e-3,) * 3, shape=box)],
        joints=[
            fx.Weld("world", "wall", offset=frame @ POSE((0, 0, 0), (0.0, -0.1, 0.0))),
            fx.Weld("wall", "rod.base", offset=POSE((0, 0, 0), (0.0, 0.1, 0.0))),
        ],
        loads=[fx.Gravity(tuple(9.81 * frame[:3, 2]))],
        contacts=[fx.Contact("rod", "wall", friction)],
    )


@pytest.mark.parametrize("friction", [0.0, 0.5])
@pytest.mark.parametrize("scene", [neighbours, on_a_tip, along_a_wall])
def test_what_hangs_together_presses_as_much_in_any_frame(scene, friction):
    """Nothing on what it is fixed to; other places as they do, whatever rounding makes of gaps."""
    found = []
    for turn in TURNS:
        robot = scene(POSE(THERE, turn), friction)
        result = fx.statics(fx.build(robot, rods=fx.ConstantStrain(2)))
        assert result.converged
        found.append([result.pressing(x.a, x.b) for x in robot.contacts])
    np.testing.assert_allclose(found, [found[0]] * len(TURNS), atol=SAME)
    assert not np.any(np.array(found)[:, : 2 if scene is neighbours else 1])
