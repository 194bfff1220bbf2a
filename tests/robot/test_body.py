import numpy as np
import pytest
from support import refused

from flexura.robot import Body, Box, Cylinder, Plate, Sphere

TRIANGLE = ((0, 0), (0.1, 0), (0, 0.1))


def test_defaults_and_normal_form():
    assert Body("b") == Body("b", 0, [0, 0, 0], np.zeros(3), None)
    body = Body("b", 2, np.array([1, 2, 3]), [0, 0, 1], Box(1, 2, 3))
    assert (body.mass, body.inertia, body.center) == (2.0, (1.0, 2.0, 3.0), (0.0, 0.0, 1.0))
    assert hash(body) == hash(Body("b", 2.0, (1, 2, 3), (0, 0, 1), Box(1.0, 2.0, 3.0)))


@pytest.mark.parametrize(
    "inertia", [(0, 0, 0), (0, 1, 1), (1, 2, 3), (0.1, 0.2, 0.1 + 0.2), (1.7e308,) * 3]
)
def test_moments_that_a_mass_can_have(inertia):
    assert Body("b", 1.0, inertia).inertia == inertia


def test_shapes():
    plate = Plate(np.array(TRIANGLE), 0.01)
    assert plate == Plate([[0, 0], [0.1, 0], [0, 0.1]], thickness=0.01)
    assert plate.points == ((0.0, 0.0), (0.1, 0.0), (0.0, 0.1))
    assert hash(plate) == hash(Plate(TRIANGLE, 0.01))
    assert Plate(TRIANGLE[::-1], 1.0).thickness == 1.0
    assert Plate([(1e308, 0), (-1e308, 0), (0, 1e308)], 1.0).points[0] == (1e308, 0.0)
    for shape in (Box(1, 2, 3), Cylinder(1, 2), Sphere(1), plate):
        assert Body("b", shape=shape).shape == shape


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
