import numpy as np
import pytest
from support import refused

from flexura.errors import ModelError
from flexura.robot import At, Body, Circle, Material, Motor, Rod

POSE = np.array([[0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]], dtype=float)
RODS = {"arm": Rod("arm", 1.0, Circle(1e-3), Material(1e9, 0.3))}
BODIES = {"plate": Body("plate")}


def test_a_mapping_and_a_list_of_pairs_are_the_same():
    motor = Motor("m", (0, 0, 5), (1, 2, 3), {"arm.base": POSE, "plate": np.eye(4)})
    pairs = [["arm.base", POSE.tolist()], ["plate", np.eye(4)]]
    same = Motor("m", axis=[0, 0, 1], point=[1, 2, 3], drives=pairs)
    assert motor == same
    assert hash(motor) == hash(same)
    assert motor.label == "m"
    assert [frame for frame, _ in motor.installed] == ["arm.base", "plate"]
    assert np.array_equal(motor.installed[0][1], POSE)


def test_a_motor_turns_about_its_axis_in_the_world():
    motor = Motor("m", (0, 0, 1), (1, 0, 7), {"arm.base": POSE})
    G = motor.motion(np.pi / 2)
    np.testing.assert_allclose(G @ (1, 0, 3, 1), (1, 0, 3, 1), atol=1e-15)  # on the axis
    np.testing.assert_allclose(G @ (2, 0, 3, 1), (1, 1, 3, 1), atol=1e-15)
    np.testing.assert_array_equal(motor.motion(0), np.eye(4))
    there = motor.motion(0.3) @ motor.motion(0.4)
    np.testing.assert_allclose(there, motor.motion(0.7), atol=1e-15)  # rounding


def test_where_motors_hold_rods():
    motor = Motor("m", (0, 0, 1), drives={At("arm", 0.5): POSE, "plate": POSE})
    assert motor.jumps == (("arm", 0.5),)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"name": ""}, ["Motor: name", "''"]),
        ({"axis": (0, 0, 0)}, ["Motor 'm': axis", "not all zero"]),
        ({"axis": None}, ["axis", "None"]),
        ({"point": (0, 0)}, ["Motor 'm': point", "3 finite numbers"]),
        ({"drives": {}}, ["Motor 'm': drives", "nonempty mapping", "{'backbone.base': pose}"]),
        ({"drives": ()}, ["drives", "nonempty"]),
        ({"drives": "arm.base"}, ["drives", "'arm.base'"]),
        ({"drives": ["arm.base"]}, ["drives[0]", "a pair", "'arm.base'"]),
        ({"drives": {3: POSE}}, ["drives[0]", "name of a frame", "3"]),
        ({"drives": {"arm.base": np.eye(3)}}, ["drives['arm.base']", "4x4 pose"]),
        ({"drives": {"arm": {"base": POSE}}}, ["drives['arm']", "4x4 pose", "quotes", "dots"]),
        ({"drives": {"arm.base": np.diag([1, 1, -1, 1])}}, ["drives['arm.base']", "mirror"]),
        ({"drives": [("arm.base", POSE)] * 2}, ["drives[1]", "another frame", "'arm.base'"]),
    ],
)
def test_bad_motors_are_named(changes, words):
    arguments = {"name": "m", "axis": (0, 0, 1), "drives": {"arm.base": POSE}} | changes
    with refused(words):
        Motor(**arguments)


@pytest.mark.parametrize("angle", [None, np.nan, "1", (1, 2)])
def test_bad_angles_are_named(angle):
    with pytest.raises(ModelError, match="Motor 'm': angle must be a finite number"):
        Motor("m", (0, 0, 1), drives={"arm.base": POSE}).motion(angle)


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        ("world", ["Motor 'm': drives['world']", "on the ground"]),
        ("arm.bas", ["no frame 'arm.bas'", "Did you mean 'arm.base'"]),
        (At("arm", 2.0), ["drives['arm@2'].s", "[0, 1.0] m"]),
    ],
)
def test_frames_that_a_motor_cannot_drive_are_named(frame, words):
    with refused(words):
        Motor("m", (0, 0, 1), drives={frame: POSE}).check(RODS, BODIES)
