"""Distances from solids: derivatives by differences, and shapes against each other."""

import numpy as np
import pytest

import flexura as fx
from flexura.contact.measure_kernels import distance
from flexura.contact.solid import Solids

ROUND = 0.01  # of the thickness of the box, 1 m
BOX = [
    (x, y, z)
    for x in (ROUND - 0.5, 0.5 - ROUND)
    for y in (ROUND - 1.0, 1.0 - ROUND)
    for z in (ROUND - 1.5, 1.5 - ROUND)
]
FACES = [
    (0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
    (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3),
]  # fmt: skip
BEND = [(0, 0, 0), (2, 0.5, 0), (4, 2, 0.5), (5, 4, 1)]
SHAPES = {
    "plane": fx.Plane(),
    "sphere": fx.Sphere(1.2),
    "box": fx.Box(1.0, 2.0, 3.0),
    "cylinder": fx.Cylinder(0.8, 2.0),
    "capsule": fx.Capsule(0.6, 2.0),
    "vessel": fx.Vessel(BEND, 1.0),
    "mesh": fx.Triangles(BOX, FACES),
}


def field(shape):
    solids = Solids.of([(shape, -1, np.eye(4))])
    mesh = solids.meshes.with_stack()

    def at(p):
        first, last = solids.span[0]
        found = distance(
            int(solids.kind[0]), solids.size[0], solids.table, int(first), int(last), mesh, tuple(p)
        )
        phi, n, (xx, yy, zz, xy, xz, yz) = found
        return phi, np.array(n), np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])

    return at


@pytest.mark.parametrize("name", SHAPES)
def test_derivatives(name):
    at, rng, h, checked = field(SHAPES[name]), np.random.default_rng(3), 1e-6, 0
    for _ in range(200):
        p = rng.uniform(-2.0, 2.0, 3) + (2.0 if name == "vessel" else 0.0)
        phi, n, H = at(p)
        if abs(phi) > 10.0 or (name == "vessel" and not 0.1 < phi < 0.9):
            continue
        assert np.linalg.norm(n) == pytest.approx(1.0, abs=1e-12)
        around = [(at(p + h * e), at(p - h * e)) for e in np.eye(3)]
        if any(np.linalg.norm(a[1] - b[1]) > 0.1 for a, b in around):
            continue  # where the nearest point jumps
        if max(np.abs(a[2] - b[2]).max() for a, b in around) > 1e-3 * (1.0 + np.abs(H).max()):
            continue  # where an edge begins, the second derivative jumps
        slope = np.array([(a[0] - b[0]) / (2 * h) for a, b in around])
        turn = np.array([(a[1] - b[1]) / (2 * h) for a, b in around])
        np.testing.assert_allclose(slope, n, atol=1e-7)
        np.testing.assert_allclose(turn, H, atol=1e-6 * (1.0 + np.abs(H).max()) ** 3)
        checked += 1
    assert checked > 20


def test_a_box_is_one_of_triangles_with_round_edges():
    box, mesh, rng = field(SHAPES["box"]), field(SHAPES["mesh"]), np.random.default_rng(1)
    for p in rng.uniform(-3.0, 3.0, (500, 3)):
        assert mesh(p)[0] - ROUND == pytest.approx(box(p)[0], abs=1e-12)


def test_a_straight_vessel_is_a_cylinder_from_inside():
    inside, outside = (
        field(fx.Vessel([(-5, 0, 0), (0, 0, 0), (5, 0, 0)], 1.0)),
        fx.Cylinder(1.0, 10.0),
    )
    solid = field(outside)
    for p in np.random.default_rng(2).uniform(-0.9, 0.9, (100, 3)):
        assert inside(p)[0] == pytest.approx(1.0 - np.hypot(p[1], p[2]), abs=1e-12)
        assert inside(p)[0] == pytest.approx(-solid(p)[0], abs=1e-12)


@pytest.mark.parametrize(
    ("points", "triangles", "words"),
    [
        (BOX, FACES[:-1], "not closed"),
        (BOX, [face[::-1] for face in FACES], "clockwise"),
        (BOX, [*FACES[:-1], (1, 1, 3)], "flat"),
        (BOX, [*FACES[:-1], (1, 7, 8)], "numbers of points"),
        ([(0, 0)], FACES, "four rows"),
    ],
)
def test_bad_meshes(points, triangles, words):
    with pytest.raises(fx.ModelError, match=words):
        fx.Triangles(points, triangles)
