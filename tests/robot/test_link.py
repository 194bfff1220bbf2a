import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flexura.errors import ModelError
from flexura.lie import se3
from flexura.robot import (
    Anchor,
    At,
    Ball,
    Body,
    Circle,
    Graph,
    Hinge,
    Material,
    Motor,
    Rod,
    Slider,
    Weld,
)
from flexura.robot.link import free_joints, rigid_links

RODS = [Rod("r", 1.0, Circle(1e-3), Material(1e9, 0.3))]
BODIES = [Body("plate"), Body("cart")]
ROUNDING = 1e-13  # of products of about ten poses with entries of size one

coordinates = st.tuples(*[st.floats(-1.0, 1.0)] * 6)
poses = coordinates.map(lambda x: se3.exp(np.array(x)))
axes = st.tuples(*[st.floats(-1.0, 1.0)] * 3).filter(lambda x: np.linalg.norm(x) > 0.1)
axes = st.one_of(axes, st.sampled_from([(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, 0, -1), (1, 1, 1)]))


def random_pose(seed):
    return se3.exp(np.random.default_rng(seed).normal(size=6))


OFFSET_A, OFFSET_B, OFFSET = random_pose(1), random_pose(2), random_pose(3)
A, B = At("r", 0.25, OFFSET_A), At("plate", offset=OFFSET_B)


@pytest.mark.parametrize(
    ("joint", "value", "expected"),
    [
        (Weld(A, B, OFFSET), None, OFFSET),
        (Weld(A, B, OFFSET, name="grip"), random_pose(4), random_pose(4)),
        (
            Hinge("h", A, B, (0, 0, 1), OFFSET, driven=True),
            0.7,
            OFFSET @ se3.exp([0, 0, 0.7, 0, 0, 0]),
        ),
        (
            Slider("s", A, B, (0, 1, 0), OFFSET, driven=True),
            0.7,
            OFFSET @ se3.exp([0, 0, 0, 0, 0.7, 0]),
        ),
    ],
)
def test_links_place_the_second_frame_in_the_first(joint, value, expected):
    (link,) = rigid_links(RODS, BODIES, [joint])
    assert (link.label, link.joint) == (joint.label, joint)
    assert (link.a, link.b) == (Anchor("r", s=0.25), Anchor("plate"))
    T_ab = link.pose(link.motion(value))  # of the anchors
    np.testing.assert_allclose(np.linalg.inv(OFFSET_A) @ T_ab @ OFFSET_B, expected, atol=ROUNDING)
    rest = np.linalg.inv(OFFSET_A) @ link.rest @ OFFSET_B
    np.testing.assert_allclose(rest, OFFSET, atol=ROUNDING)


def test_a_motor_has_a_link_for_each_frame():
    installed = random_pose(5)
    motor = Motor("m", (1, 2, 3), (4, 5, 6), {"r.base": installed, B: OFFSET})
    first, second = rigid_links(RODS, BODIES, [motor])
    assert [(link.label, str(link.a), str(link.b)) for link in (first, second)] == [
        ("m", "world", "r.base"),
        ("m", "world", "plate"),
    ]
    G = motor.motion(0.8)
    np.testing.assert_array_equal(first.rest, installed)
    np.testing.assert_allclose(first.pose(first.motion(0.8)), G @ installed, atol=ROUNDING)
    placed = second.pose(second.motion(np.array(0.8))) @ OFFSET_B
    np.testing.assert_allclose(placed, G @ OFFSET, atol=ROUNDING)


def test_joints_are_links_or_free():
    joints = [
        Weld("world", "r.base"),
        Hinge("h", "r.tip", "plate", (1, 0, 0)),
        Hinge("driven", "world", "cart", (1, 0, 0), driven=True),
        Slider("s", At("r", 1.0), "cart", (1, 0, 0)),
        Ball("b", At("r", 0.5), "cart"),
    ]
    links, free = rigid_links(RODS, BODIES, joints), free_joints(RODS, BODIES, joints)
    assert [link.label for link in links] == ["world-r.base", "driven"]
    assert [(joint.label, str(joint.a), str(joint.b), joint.rows) for joint in free] == [
        ("h", "r.tip", "plate", (1, 2, 3, 4, 5)),
        ("s", "r.tip", "cart", (0, 1, 2, 4, 5)),
        ("b", "r@0.5", "cart", (3, 4, 5)),
    ]
    for joint in free:  # along x and without offsets
        np.testing.assert_array_equal(joint.T_a, np.eye(4))
        np.testing.assert_array_equal(joint.T_b, np.eye(4))


def twist(joint, g_a, g_b):
    """The motion of a free joint between anchors at these poses."""
    return se3.log(np.linalg.inv(g_a @ joint.T_a) @ g_b @ joint.T_b)


def place(joint, g_a, motion):
    """Pose of the second anchor where the frames of a joint are moved against each other."""
    return g_a @ OFFSET_A @ joint.transform @ motion @ np.linalg.inv(OFFSET_B)


@given(axes, st.floats(-3.0, 3.0), poses, poses)
@settings(deadline=None)
def test_held_rows_vanish_where_a_joint_has_moved_and_the_other_is_its_coordinate(
    axis, value, offset, g_a
):
    for cls, moved in ((Hinge, 0), (Slider, 3)):
        joint = cls("j", A, B, axis, offset)
        (free,) = free_joints(RODS, BODIES, [joint])
        found = twist(free, g_a, place(joint, g_a, joint.motion(value)))
        expected = np.zeros(6)
        expected[moved] = value
        assert moved not in free.rows
        np.testing.assert_allclose(found, expected, atol=20 * ROUNDING)  # log near a half turn


@given(st.tuples(*[st.floats(-1.5, 1.5)] * 3), poses, poses)
@settings(deadline=None)
def test_a_ball_holds_the_point_and_nothing_else(turn, offset, g_a):
    joint = Ball("j", A, B, offset)
    (free,) = free_joints(RODS, BODIES, [joint])
    found = twist(free, g_a, place(joint, g_a, se3.exp((*turn, 0, 0, 0))))
    np.testing.assert_allclose(found, (*turn, 0, 0, 0), atol=20 * ROUNDING)


@pytest.mark.parametrize("cls", [Hinge, Slider])
def test_other_motions_do_not_vanish(cls):
    joint = cls("j", A, B, (1, -2, 3), OFFSET)
    (free,) = free_joints(RODS, BODIES, [joint])
    g_a, R = random_pose(6), np.eye(4)
    R[:3, :3] = np.linalg.inv(OFFSET_B[:3, :3]) @ free.T_b[:3, :3]
    np.testing.assert_allclose(R[:3, 0], joint.axis, atol=ROUNDING)  # x is along the axis
    for row in range(6):
        motion = R @ se3.exp(0.3 * np.eye(6)[row]) @ R.T
        found = twist(free, g_a, place(joint, g_a, motion))
        np.testing.assert_allclose(found, 0.3 * np.eye(6)[row], atol=ROUNDING)


def test_offsets_that_floats_cannot_hold_are_named():
    far, back = np.eye(4), np.eye(4)
    far[:3, 3], back[:3, 3] = 9e49, -9e49
    joint = Hinge("h", At("r", 0.5, far), "plate", (1, 0, 0), far)
    with pytest.raises(ModelError, match=r"Hinge 'h': its offsets add up to \[.*\] m"):
        free_joints(RODS, BODIES, [joint])
    motor = Motor("m", (1, 0, 0), drives={At("plate", offset=back): far})
    with pytest.raises(ModelError, match=r"Motor 'm': its offsets .* metres"):
        rigid_links(RODS, BODIES, [motor])
    far[:3, :3] = se3.exp([0, 0, 0.7, 0, 0, 0])[:3, :3]
    with pytest.raises(ModelError, match=r"'plate' is farther from 'world' than .*, by Weld"):
        Graph.of(RODS, BODIES, [Weld("world", At("plate", offset=far))])
