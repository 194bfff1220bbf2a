"""Distances from solids: derivatives by differences, and shapes against each other."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import flexura as fx
from flexura.contact.measure_kernels import distance
from flexura.contact.solid import Solids, thickness

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


@pytest.mark.parametrize("deep", [0.3, -0.1])
def test_flat_faces_have_no_edges_inside(deep):
    """Over diagonals of faces, and where they cross others, the surface is as flat as beside."""
    at = field(fx.Triangles(BOX, FACES))
    for u in (-0.4, 0.0, 0.3):
        on = (BOX[7][0] + deep, u * BOX[7][1], u * BOX[7][2])
        phi, n, H = at(on)
        assert phi == pytest.approx(deep, abs=1e-12)
        assert np.allclose(n, (1.0, 0.0, 0.0), atol=1e-12)
        assert not H.any()


def test_a_straight_vessel_is_a_cylinder_from_inside():
    inside, outside = (
        field(fx.Vessel([(-5, 0, 0), (0, 0, 0), (5, 0, 0)], 1.0)),
        fx.Cylinder(1.0, 10.0),
    )
    solid = field(outside)
    for p in np.random.default_rng(2).uniform(-0.9, 0.9, (100, 3)):
        assert inside(p)[0] == pytest.approx(1.0 - np.hypot(p[1], p[2]), abs=1e-12)
        assert inside(p)[0] == pytest.approx(-solid(p)[0], abs=1e-12)


def bent_vessels(rng, count):
    """Random curves: points that they lead through, and places along them."""
    for _ in range(count):
        points = np.cumsum(rng.normal((0.7, 0.0, 0.0), size=(rng.integers(2, 7), 3)), axis=0)
        ways = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1)))
        curve = CubicSpline(ways, points, bc_type="natural")
        yield points, curve(np.linspace(0.0, ways[-1], 2001))


def test_the_wall_of_a_vessel_is_where_its_middle_says():
    """By dense places along the middle, in bends and beside ends; beyond ends there is no wall."""
    rng, near, checked, beyond = np.random.default_rng(3), 0.8, 0, 0
    radius = 1e-3  # far beyond the wall of one so thin, places on each side of a bend are as near
    for points, middle in bent_vessels(rng, 40):
        at = field(fx.Vessel(points.tolist(), radius))
        for i in range(100):
            p = middle[rng.integers(len(middle) // (1 if i % 2 else 20))]
            p = p + 0.6 * near * rng.normal(size=3)
            away = np.linalg.norm(middle - p, axis=1)
            k, found = int(away.argmin()), at(p)[0]
            if k in (0, len(middle) - 1):
                inward = (middle[1] - middle[0]) if k == 0 else (middle[-2] - middle[-1])
                if (p - middle[k]) @ inward < -1e-3 * np.linalg.norm(inward):
                    assert found > 1e20
                    beyond += 1
            elif away[k] < 1.3 * near:
                step = np.linalg.norm(middle[k + 1] - middle[k - 1])
                assert found == pytest.approx(radius - away[k], abs=step)  # places are apart by it
                checked += 1
    assert checked > 1000
    assert beyond > 100


def turned(points, angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.asarray(points) @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]).T


@pytest.mark.parametrize("angle", [0.0, 0.4, np.pi / 4])
def test_a_plate_of_triangles_is_thin_however_it_lies(angle):
    """Half of its thickness, but for what its rim adds to its area."""
    plate = turned(np.sign(BOX) * (0.5, 0.005, 0.5), angle)
    assert 0.004 < thickness(fx.Triangles(plate, FACES)) < 0.005


def test_a_mesh_is_no_thicker_than_the_ball_inside():
    assert thickness(fx.Triangles(np.sign(BOX) * 0.5 + (9.0, 0, 0), FACES)) + 1e-12 > 0.5 / 3.0
    assert thickness(SHAPES["mesh"]) < 0.5


@pytest.mark.parametrize(
    ("points", "triangles", "words"),
    [
        (BOX, FACES[:-1], "not closed"),
        (BOX, [face[::-1] for face in FACES], "clockwise"),
        (BOX, [*FACES[:-1], (1, 1, 3)], "flat"),
        (BOX, [*FACES[:-1], (1, 7, 8)], "numbers of points"),
        ([(0, 0)], FACES, "four rows"),
        ([*BOX[:-1], (np.nan, 0, 0)], FACES, r"points\[7\] is \(nan, 0, 0\)"),
        ([(x, y, 0) for x, y, _ in BOX], FACES, "flat|no volume"),
        (BOX, [*FACES, *FACES], "there twice.*edge between points"),
    ],
)
def test_bad_meshes(points, triangles, words):
    with pytest.raises(fx.ModelError, match=words):
        fx.Triangles(points, triangles)
