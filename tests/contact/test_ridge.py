"""Edges of meshes that rods lean on: which these are, and how far lines are from them."""

import numpy as np
import pytest

import flexura as fx
from flexura.contact.distance_kernels import FAR
from flexura.contact.mesh_edge import edges
from flexura.contact.mesh_kernels import from_mesh
from flexura.contact.ridge import SHARP, Ridged, is_edged
from flexura.contact.ridge_kernels import crossing, find
from flexura.contact.sample import samples
from flexura.contact.solid import Solids

CORNERS = [(0.0, 0.0, 0.0), (0.1, 0.0, 0.0), (0.0, 0.2, 0.0), (0.0, 0.0, 0.05)]
WEDGE = fx.Triangles(CORNERS, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
DENT = fx.Triangles(
    [*CORNERS, (0.01, 0.01, 0.01)],
    [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 4), (2, 3, 4), (3, 1, 4)],
)
# A block whose top has a point in its middle, and one on an edge.
BLOCK = fx.Triangles(
    [
        *[(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)],
        (0.3, 0.2, 1.0),
        (1.0, 0.1, 1.0),
    ],
    [
        (0, 1, 3), (0, 3, 2), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4),
        (4, 6, 9), (6, 7, 9), (5, 4, 9), (1, 5, 8), (5, 9, 8), (9, 7, 8), (7, 3, 8), (3, 1, 8),
    ],
)  # fmt: skip


def found(mesh, p, e, radius=0.0, far=1.0):
    """φ, n, H and u of the edges that a piece finds, slot by slot."""
    solids = Solids.of([(Ridged(mesh), -1, np.eye(4))])
    ridges, trees = solids.ridges.with_room(), solids.meshes.with_stack()
    p, e = tuple(map(float, p)), tuple(map(float, e))
    find(p, e, radius, ridges, int(solids.span[0, 0]), trees, int(solids.span[0, 1]), far)
    return [crossing(p, e, int(k), ridges) if k >= 0 else (FAR,) for k in ridges[8]]


@pytest.mark.parametrize(("mesh", "count"), [(WEDGE, 6), (DENT, 6), (BLOCK, 13)])
def test_edges_are_where_both_sides_descend(mesh, count):
    """Not inside of flat faces, nor in a hollow; an edge with a point on it is two."""
    points, triangles = np.array(mesh.points), np.array(mesh.triangles)
    own = edges(points, triangles, SHARP)
    assert len(own.turn) == count
    way = points[own.ends[:, 1]] - points[own.ends[:, 0]]
    for k in (0, 3):  # normals are out of the mesh, and what leads into the sides is along them
        normal, into = own.side[:, k : k + 3], own.side[:, k + 6 : k + 9]
        assert np.abs(np.sum(normal * into, axis=1)).max() < 1e-14
        assert np.abs(np.sum(way * into, axis=1)).max() < 1e-14
        middle = points[own.ends].mean(axis=1) + 1e-3 * into
        if mesh is not DENT:
            assert (np.sum((middle - points.mean(axis=0)) * normal, axis=1) > 0.0).all()


def test_solids_of_one_mesh_share_its_edges():
    one, two = (Solids.of([(Ridged(BLOCK), -1, np.eye(4))] * k) for k in (1, 2))
    assert len(two.ridges.turn) == len(one.ridges.turn)
    assert len(two.ridges.roots) == 1
    np.testing.assert_array_equal(two.span[0], two.span[1])


@pytest.mark.parametrize("rise", [1e-7, 4e-6, 4e-3, 1e-2])
def test_bodies_have_the_edges_of_rods_and_those_that_are_less_sharp(rise):
    """A flat pyramid: its upper edges turn by √2 times its slope, those below by nearly π."""
    corners = [(1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0), (0, 0, rise), (0, 0, -1)]
    around = [(0, 1), (1, 2), (2, 3), (3, 0)]
    flat = fx.Triangles(corners, [(i, j, 4) for i, j in around] + [(j, i, 5) for i, j in around])
    found = samples(flat, fx.Box(1.0, 1.0, 1.0))
    lines = np.count_nonzero(found.edge.any(axis=1))
    assert lines == (8 if rise < 1e-6 else 12)
    rods = edges(np.array(flat.points), np.array(flat.triangles), SHARP)
    assert len(rods.turn) == (12 if rise * np.sqrt(2.0) > SHARP else 8)
    middles = {tuple(x) for x in found.center[found.edge.any(axis=1)].round(9)}
    assert {tuple(x) for x in np.array(flat.points)[rods.ends].mean(axis=1).round(9)} <= middles
    assert is_edged(flat)


def test_edges_of_a_face_have_different_slots():
    for mesh in (WEDGE, DENT):
        ridges = Solids.of([(Ridged(mesh), -1, np.eye(4))]).ridges
        for triangle in mesh.triangles:
            own = [
                s for s, x in zip(ridges.slot, ridges.ends, strict=True) if set(x) <= {*triangle}
            ]
            assert len(set(own)) == len(own)


def test_what_is_nearest_is_found():
    """Of what is convex, the nearest place of a line that is not at its end is over an edge."""
    solids = Solids.of([(WEDGE, -1, np.eye(4))])
    trees, root = solids.meshes.with_stack(), int(solids.span[0, 0])
    rng, checked = np.random.default_rng(0), 0
    for _ in range(400):
        p, e = rng.uniform(-0.05, 0.15, 3), rng.normal(size=3)
        e *= 0.1 / np.linalg.norm(e)
        line = p + np.linspace(-1.0, 1.0, 2001)[:, None] * e
        away = np.array([from_mesh(tuple(x), trees, root)[0] for x in line])
        at = np.argmin(away)
        if away[at] < 1e-3 or min(away[0], away[-1]) < away[at] + 1e-4:
            continue  # it goes through, or is nearest at an end
        assert min(x[0] for x in found(WEDGE, p, e)) == pytest.approx(away[at], abs=1e-5)
        checked += 1
    assert checked > 30


@pytest.mark.parametrize("depth", [0.02, -0.01])
def test_lines_go_apart_across_both(depth):
    """Over a straight edge, and through it, in which n and H go on as they are."""
    n = np.array([1.0, 0.0, 1.0]) / np.sqrt(2.0)
    along = np.array([1.0, 0.6, -1.0])
    e = 0.3 * along / np.linalg.norm(along)
    p = np.array([1.0, -0.5, 1.0]) + depth * n + 0.2 * e
    seen = [x for x in found(BLOCK, p, e, far=0.1) if x[0] < FAR]
    assert len(seen) == 1
    phi, normal, h, u = seen[0]
    assert phi == pytest.approx(depth, abs=1e-14)
    np.testing.assert_allclose(normal, n, atol=1e-14)
    assert u == pytest.approx(-0.2, abs=1e-12)
    xx, yy, zz, xy, xz, yz = h
    np.testing.assert_allclose(
        np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]),
        (np.eye(3) - np.outer(n, n) - np.diag([0.0, 1.0, 0.0])) / depth,
        atol=1e-9 / abs(depth),
    )


@pytest.mark.parametrize("gap", [0.0, 1e-20, -1e-20, 1e-13, -1e-13])
@pytest.mark.parametrize("turn", np.linspace(0.0, 6.0, 7))
def test_lines_that_meet_an_edge_are_found_out_of_the_mesh(gap, turn):
    """Exactly, and as rounding has it, wherever both are; also where they meet at its end."""
    n = np.array([1.0, 0.0, 1.0]) / np.sqrt(2.0)
    side = np.array([1.0, 0.0, -1.0]) / np.sqrt(2.0)
    R = fx.lie.so3.exp(turn * np.array([0.3, -0.5, 0.8]))
    mesh = fx.Triangles(np.array(BLOCK.points) @ R.T, BLOCK.triangles)
    for place in (np.array([1.0, -0.5, 1.0]), np.array([1.0, -0.6123, 1.0])):
        for e in (0.3 * side, 0.2 * side + 0.1 * np.array([0.0, 1.0, 0.0])):
            seen = [x for x in found(mesh, R @ (place + gap * n), R @ e, far=0.1) if x[0] < FAR]
            assert len(seen) == 1
            assert abs(seen[0][0]) < 1e-12
            np.testing.assert_allclose(seen[0][1], R @ n, atol=1e-9)
    tip = R @ (np.array([1.0, 1.0, 1.0]) + gap * n)
    seen = found(mesh, tip, R @ (0.2 * np.array([1.0, -1.0, 0.0])), far=0.1)
    assert min(abs(x[0]) for x in seen) < 1e-12


def test_a_tip_is_found_once():
    """Three edges end there."""
    seen = [x for x in found(WEDGE, (-3e-3, -3e-3, 0.054), (0.02, -0.02, 0.0)) if x[0] < FAR]
    assert len(seen) == 1
    assert seen[0][0] == pytest.approx(np.sqrt(34e-6), rel=1e-12)


def test_what_hangs_below_an_edge_beside_its_wall_is_not_deep_in_it():
    """The way to the edge is behind its upper side, and nearly along the wall."""
    wall = fx.Triangles(
        np.array(BLOCK.points[:8]) * (0.01, 1.0, 1.0),
        [*BLOCK.triangles[:8], (4, 6, 7), (4, 7, 5), (1, 5, 7), (1, 7, 3)],
    )
    assert all(x[0] == FAR for x in found(wall, (0.012, 0.0, 0.5), (0.0, 0.2, 0.1), far=0.6))
    assert all(x[0] == FAR for x in found(wall, (0.05, 0.0, 0.9), (0.04, 0.2, 0.0), far=0.6))
