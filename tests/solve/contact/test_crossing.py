"""Solids that cross between their corners: bars on bars, edges on edges."""

import numpy as np
import pytest
from contact_laws import check_contacts
from support import mixed

import flexura as fx
from flexura.contact.edge_kernels import along
from flexura.contact.measure_kernels import distance
from flexura.contact.solid import Solids

pose = fx.lie.se3.pose
HALF, LONG = 0.01, 0.2
CORNERS = [
    (x, y, z) for x in (-0.5 * LONG, 0.5 * LONG) for y in (-HALF, HALF) for z in (-HALF, HALF)
]
FACES = [
    (0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
    (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3),
]  # fmt: skip
BARS = {
    "cylinder": fx.Cylinder(HALF, LONG),
    "capsule": fx.Capsule(HALF, LONG),
    "box": fx.Box(LONG, 2 * HALF, 2 * HALF),
    "mesh": fx.Triangles(CORNERS, FACES),
}


@mixed(together=2, a=BARS, b=BARS, turn=[0.0, np.pi / 4])
def test_a_bar_that_falls_across_another_one_lies_on_it(a, b, turn):
    """Also edge on edge: the height of both is half the diagonal of a square bar."""
    heights = {x: HALF * (np.sqrt(2.0) if turn and x in ("box", "mesh") else 1.0) for x in BARS}
    height = heights[a] + heights[b]
    about = pose((0, 0, 0), (turn, 0, 0))
    robot = fx.Robot(
        "bars",
        bodies=[fx.Body("a", 0.1, (1e-4,) * 3, shape=BARS[a])],
        loads=[fx.Gravity()],
        obstacles=[fx.Obstacle("b", BARS[b], pose=pose((0, 0, 0), (0, 0, np.pi / 2)) @ about)],
        contacts=[fx.Contact("a", "b", friction=0.5)],
    )
    place = {"a": pose((0, 0, height + 2e-4)) @ about}
    motion = fx.simulate(fx.build(robot), 0.04, 2e-3, place=place).unwrap()
    last = motion[-1]
    check_contacts(last)
    # edges of boxes are round, by 1 % of their thickness
    assert last.pose("a")[2, 3] == pytest.approx(height, abs=2e-4)
    assert sum(x.force[2] for x in last.contacts) == pytest.approx(0.1 * 9.81, rel=1e-3)


def nearest(shape, p, e):
    """gap and u of an edge p ± e."""
    solids = Solids.of([(shape, -1, np.eye(4))])
    first, last = solids.span[0]
    gap, n, _, u = along(
        int(solids.kind[0]), solids.size[0], solids.table, int(first), int(last),
        solids.meshes.with_stack(), tuple(p), tuple(e), 1e-12, np.inf,
    )  # fmt: skip
    return gap, np.array(n), u


@pytest.mark.parametrize("draws", [100, pytest.param(300, marks=pytest.mark.long)])
@pytest.mark.parametrize("shape", BARS.values(), ids=list(BARS))
def test_edges_are_nearest_where_dense_places_are(shape, draws):
    """Of those that are outside: what counts is inside of the edge, and the normal across it."""
    rng, counted = np.random.default_rng(4), 0
    places = np.linspace(-1.0, 1.0, 801)
    solids = Solids.of([(shape, -1, np.eye(4))])
    first, last = solids.span[0].tolist()
    solid = int(solids.kind[0]), solids.size[0], solids.table, first, last
    mesh = solids.meshes.with_stack()
    for _ in range(draws):
        p, e = rng.normal(size=3) * (0.05, 0.02, 0.02), 0.05 * rng.normal(size=3)
        gap, n, _ = nearest(shape, p, e)
        values = [distance(*solid, mesh, tuple(x))[0] for x in p + np.outer(places, e)]
        k = int(np.argmin(values))
        if k in (0, len(places) - 1) or values[k] <= 0.0:
            continue
        step = np.linalg.norm(e) * 2.0 / (len(places) - 1)
        assert gap == pytest.approx(values[k], abs=step)
        assert gap <= values[k] + 1e-12
        assert n @ e == pytest.approx(0.0, abs=1e-6 * np.linalg.norm(e))
        counted += 1
    assert counted > draws / 15


def test_edges_that_cross_are_as_deep_as_their_lines():
    """Of the sharp edges of a mesh: along e × b, by how far one line is beyond the other."""
    rng = np.random.default_rng(5)
    b = np.array([LONG, 0.0, 0.0])  # the edge at y = z = HALF
    for _ in range(200):
        e = np.array([0.3, 1.0, -1.0]) * 0.02 + 2e-3 * rng.normal(size=3)
        foot = np.array([0.3 * LONG * rng.uniform(-1, 1), HALF, HALF])
        n = np.cross(e, b)
        n *= np.sign(n @ (0.0, 1.0, 1.0)) / np.linalg.norm(n)
        depth = 1e-3 * rng.uniform(0.01, 1.0)
        gap, normal, _ = nearest(BARS["mesh"], foot - depth * n + 0.3 * rng.uniform(-1, 1) * e, e)
        assert gap == pytest.approx(-depth, rel=1e-6)
        np.testing.assert_allclose(normal, n, atol=1e-6)


@pytest.mark.parametrize("thickness", [0.02, 1e-3])
def test_what_hits_a_plate_at_ten_times_its_thickness_a_step_is_not_thrown(thickness):
    """Corners are on its other side before they are seen: contacts must not make energy of it."""
    plate = np.array(CORNERS) * (1.0, 0.1 / HALF, 0.5 * thickness / HALF)
    corners = 0.03 * np.array([(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)])
    stone = fx.Triangles(corners, ((0, 1, 2), (0, 3, 1), (0, 2, 3), (1, 3, 2)))
    robot = fx.Robot(
        "stone",
        bodies=[fx.Body("stone", 0.1, (1.6e-5,) * 3, shape=stone)],
        loads=[fx.Gravity()],
        obstacles=[fx.Obstacle("plate", fx.Triangles(plate, FACES))],
        contacts=[fx.Contact("stone", "plate", friction=0.3)],
    )
    motion = fx.simulate(
        fx.build(robot), 0.02, 1e-3,
        place={"stone": pose((0, 0, 0.1), (0.3, 0.2, 0))}, velocity={"stone": (0, 0, 0, 0, 0, -10)},
    )  # fmt: skip
    assert np.diff(motion.energy).max() <= 1e-5 * motion.energy.max()
    assert motion.energy[-1] < 0.1 * motion.energy[0]
