from dataclasses import replace

import numpy as np
import pytest
from support import refused

from flexura.robot import Body, Box, Cylinder, Plate, Sphere

TRIANGLE = ((0, 0), (0.1, 0), (0, 0.1))


def shifted(x, y, z):
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T


def test_defaults_and_normal_form():
    assert Body("b") == Body("b", 0, [0, 0, 0], np.zeros(3), None)
    body = Body("b", 2, np.array([1, 2, 3]), [0, 0, 1], Box(1, 2, 3))
    assert (body.mass, body.inertia, body.center) == (2.0, (1.0, 2.0, 3.0), (0.0, 0.0, 1.0))
    assert hash(body) == hash(Body("b", 2.0, (1, 2, 3), (0, 0, 1), Box(1.0, 2.0, 3.0)))


@pytest.mark.parametrize(
    "inertia", [(0, 0, 0), (0, 1, 1), (1, 2, 3), (0.1, 0.2, 0.1 + 0.2), (1e50,) * 3]
)
def test_moments_that_a_mass_can_have(inertia):
    assert Body("b", 1.0, inertia).inertia == inertia


def test_shapes():
    plate = Plate(np.array(TRIANGLE), 0.01)
    assert plate == Plate([[0, 0], [0.1, 0], [0, 0.1]], thickness=0.01)
    assert plate.points == ((0.0, 0.0), (0.1, 0.0), (0.0, 0.1))
    assert hash(plate) == hash(Plate(TRIANGLE, 0.01))
    assert Plate(TRIANGLE[::-1], 1.0).thickness == 1.0
    assert Plate([(1e50, 0), (-1e50, 0), (0, 1e50)], 1.0).points[0] == (1e50, 0.0)
    for shape in (Box(1, 2, 3), Cylinder(1, 2), Sphere(1), plate):
        assert Body("b", shape=shape).shape == shape


def test_a_shape_is_where_its_pose_says():
    raised = shifted(0.0, 0.0, 0.3)
    for shape in (Box(1, 2, 3), Cylinder(1, 2), Sphere(1), Plate(TRIANGLE, 0.01)):
        np.testing.assert_array_equal(shape.placement, np.eye(4))
        moved = replace(shape, pose=raised)
        np.testing.assert_array_equal(moved.placement, raised)
        assert moved != shape
        assert hash(moved) == hash(replace(shape, pose=raised.tolist()))


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 2, 0), (0, 0, -3), (1, -2, 2), (-0.1, 0.2, 0.15)])
def test_the_axis_of_a_shape_is_the_x_axis_of_where_it_is_drawn(axis):
    unit = np.array(axis) / np.linalg.norm(axis)
    for shape in (Cylinder(1, 2, axis), Plate(TRIANGLE, 0.01, axis)):
        R = shape.placement[:3, :3]
        np.testing.assert_allclose(R[:, 0], unit, atol=1e-15)
        np.testing.assert_allclose(R.T @ R, np.eye(3), atol=1e-15)
        assert np.linalg.det(R) > 0.0
        turned = replace(shape, pose=np.eye(4)[[1, 2, 0, 3]])  # the pose turns the axis, too
        np.testing.assert_allclose(turned.placement[:3, 0], unit[[1, 2, 0]], atol=1e-15)


@pytest.mark.parametrize(("axis", "plane"), [("x", "yz"), ("y", "zx"), ("z", "xy")])
def test_the_corners_of_a_plate_go_on_from_its_axis(axis, plane):
    unit = dict(zip("xyz", np.eye(3), strict=True))
    R = Plate(TRIANGLE, 0.01, unit[axis]).placement[:3, :3]
    np.testing.assert_array_equal(R[:, 1:].T, [unit[letter] for letter in plane])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"name": ""}, ["Body: name", "''"]),
        ({"name": "world"}, ["Body: name", "'world'", "rod.base"]),
        ({"name": "a.b"}, ["Body: name", "without '.' and '@'", "'a.b'"]),
        ({"name": "a@1"}, ["Body: name", "'a@1'"]),
        ({"mass": -1}, ["Body 'b': mass", ">= 0", "-1"]),
        ({"mass": np.inf}, ["mass", "inf"]),
        ({"inertia": 1.0}, ["Body 'b': inertia", "3 finite numbers"]),
        ({"inertia": (1, -1, 1)}, ["inertia[1]", ">= 0"]),
        ({"inertia": (1, None, 1)}, ["inertia[1]", "None"]),
        ({"mass": 1, "inertia": (1, 1, 2.1)}, ["inertia", "sum of the others", "principal"]),
        ({"mass": 1, "inertia": (1, 0, 0)}, ["inertia", "sum of the others"]),
        ({"center": (0, 0)}, ["Body 'b': center", "3 finite numbers"]),
        ({"shape": "box"}, ["Body 'b': shape", "Box or Cylinder or Sphere or Plate", "'box'"]),
        ({"shape": Box}, ["shape", "the class Box"]),
    ],
)
def test_bad_bodies_are_named(arguments, words):
    with refused(words):
        Body(**({"name": "b"} | arguments))


@pytest.mark.parametrize(
    ("cls", "arguments", "words"),
    [
        (Box, (1, 0, 1), ["Box: y", "> 0", "0"]),
        (Box, (1, 1, None), ["Box: z", "None"]),
        (Cylinder, (-1, 1), ["Cylinder: radius", "> 0"]),
        (Cylinder, (1, "long"), ["Cylinder: length", "'long'"]),
        (Sphere, (0,), ["Sphere: radius", "> 0"]),
        (Sphere, (1, (0, 0, 1)), ["Sphere: pose", "4x4 pose", "(0, 0, 1)"]),
        (Box, (1, 1, 1, 2 * np.eye(4)), ["Box: pose", "last row"]),
        (Cylinder, (1, 1, (0, 0, 0)), ["Cylinder: axis", "not all zero", "(0, 0, 1)"]),
        (Cylinder, (1, 1, "z"), ["Cylinder: axis", "3 finite numbers", "'z'"]),
        (Plate, (TRIANGLE, 1, (0, 1)), ["Plate: axis", "3 finite numbers"]),
        (Plate, (TRIANGLE, 1, (0, 1, 0), 3), ["Plate: pose", "got 3"]),
        (Plate, (TRIANGLE, 0), ["Plate: thickness", "> 0"]),
        (Plate, (TRIANGLE[:2], 1), ["Plate: points", "at least three corners"]),
        (Plate, (None, 1), ["Plate: points", "None"]),
        (Plate, ([(0, 0), (1, 0), (1,)], 1), ["points[2]", "2 finite numbers"]),
        (Plate, ([(0, 0), (1, 0), (np.nan, 1)], 1), ["points[2][0]", "nan"]),
        (Plate, ([(0, 0), (1, 1), (0.3, 0.3)], 1), ["points", "encloses no area", "in order"]),
        (Plate, ([(0, 0)] * 3, 1), ["points", "encloses no area"]),
        (Plate, ([(5, 7)] * 4, 1), ["points", "encloses no area"]),
    ],
)
def test_bad_shapes_are_named(cls, arguments, words):
    with refused(words):
        cls(*arguments)
