"""Rods that cross rods several times, themselves, or that are joined to each other."""

import numpy as np
import pytest
from contact_laws import check_contacts

import flexura as fx
from flexura.contact.link import Chains, Links
from flexura.contact.link_kernels import SLOTS, measure, wrap
from flexura.model.touch import Seen

RADIUS = 1e-3
SOFT = fx.Material(young=1e8, poisson=0.3, density=1000.0)
STIFF = fx.Material(young=1e11, poisson=0.3, density=1000.0)
pose = fx.lie.se3.pose


def distances(result, a, b, count=801):
    """Of places of a from all places of b, over both radii, (count,)."""
    places = [
        result.pose(x, np.linspace(0.0, rod.length, count))[:, :3, 3]
        for x, rod in ((a, result.model.robot.graph.rods[a]), (b, result.model.robot.graph.rods[b]))
    ]
    return np.linalg.norm(places[0][:, None] - places[1], axis=2) / (2.0 * RADIUS)


def over_a_hairpin(a, b):
    """A cantilever that is pressed on both strands of a hairpin, the first of which is higher."""
    length, apart, drop = 0.2, 5e-3, 4e-4
    straight = 0.5 * (length - 0.5 * np.pi * apart)

    def rest(s):
        return (0, 0, 2.0 / apart if straight < s < length - straight else 0.0, 1, 0, 0)

    turned = pose((0, 0, 0), (0, np.arcsin(drop / apart), 0)) @ pose((0, 0, 0), (0, 0, np.pi / 2))
    robot = fx.Robot(
        "hairpin",
        rods=[
            fx.Rod("beam", 0.1, fx.Circle(RADIUS), SOFT),
            fx.Rod("pin", length, fx.Circle(RADIUS), STIFF, rest=rest),
        ],
        joints=[
            fx.Weld("world", "beam.base"),
            fx.Weld("world", "pin.base", offset=pose((0.065, -0.04, -2.2e-3 - drop)) @ turned),
        ],
        loads=[fx.PointLoad("push", "beam.tip")],
        contacts=[fx.Contact(a, b)],
    )
    return fx.build(robot, rods={"beam": fx.Spline(3, 5), "pin": fx.Spline(3, 24)})


def test_both_strands_hold_whichever_rod_is_named_first():
    found = []
    for names in (("beam", "pin"), ("pin", "beam")):
        result = fx.statics(over_a_hairpin(*names), {"push": (0, 0, 0, 0, 0, -0.01)})
        assert result.converged
        check_contacts(result)
        assert len([x for x in result.contacts if x.pressing > 1e-3]) == 2
        # chords of the beam are off by what it bends between places, 1 % of both radii
        assert distances(result, "beam", "pin").min() > 0.98
        side = 1.0 if names[0] == "beam" else -1.0
        up = side * sum(x.force[2] for x in result.contacts)
        assert up + result.reaction("world-beam.base")[5] == pytest.approx(0.01, rel=1e-9)
        found.append(result.pose("beam.tip"))
    np.testing.assert_allclose(*found, atol=1e-12)


@pytest.mark.parametrize("radius", [5e-4, 2e-4, 5e-5])
@pytest.mark.parametrize("x", [0.13, 0.15, 0.155, 0.16])
def test_wires_do_not_go_through_each_other(radius, x):
    """However long links are for their radii, 14 to 500 of them here, and wherever they cross."""
    rods = [fx.Rod(name, 0.3, fx.Circle(radius), STIFF) for name in "ab"]
    below = pose((x, -0.15, -2.2 * radius), (0, 0, np.pi / 2))
    robot = fx.Robot(
        "crossed",
        rods=rods,
        joints=[fx.Weld("world", "a.base"), fx.Weld("world", "b.base", offset=below)],
        loads=[fx.PointLoad("push", "a.tip")],
        contacts=[fx.Contact("a", "b")],
    )
    stiffness = rods[0].stiffness(0.0)[1]
    force = 10.0 * radius * 3.0 * stiffness / 0.3**3
    result = fx.statics(
        fx.build(robot, rods=fx.Spline(3, 4)), {"push": (0, 0, 0, 0, 0, -force)}
    ).unwrap()
    above = result.pose("a", x)[2, 3] - result.pose("b", 0.15)[2, 3]
    assert result.contacts
    # 0.6 % is what springs leave (link_kernels), the rest what the wire bends between places
    assert above > 0.93 * 2.0 * radius


def frames_at(points):
    found = np.tile(np.eye(4), (len(points), 1, 1))
    found[:, :3, 3] = points
    return found


def looked_at(points, ends, radius):
    """Gaps and chain links that a link finds on a chain through points."""
    n, pairs = len(points), SLOTS
    frames = frames_at([*points, *ends])
    links = Links(
        np.tile([n, n + 1], (pairs, 1)), np.full(pairs, radius), np.full(pairs, 1e-9 * radius**2),
        np.zeros(pairs, dtype=np.int64), np.zeros(pairs), np.zeros(pairs),
    )  # fmt: skip
    chains = Chains(
        np.arange(n), np.array([0, n]), np.full(n, radius), np.full(n, 1e-9 * radius**2),
        np.arange(n) * 1.0,
    )  # fmt: skip
    packs, box = chains.packs()
    seen = Seen(
        np.zeros(pairs, dtype=np.int64), np.zeros((pairs, 4), dtype=np.int64),
        np.zeros((pairs, 4)), np.zeros((pairs, 3)), *np.zeros((2, pairs)),
        *np.zeros((2, pairs, 3)), np.zeros(pairs), np.zeros((pairs, 3)),
        np.zeros((pairs, 9)), np.zeros((pairs, 3)), np.zeros(pairs),
        np.zeros((pairs, 2, 2), dtype=np.int64), np.zeros((pairs, 2)), np.zeros(pairs, dtype=bool),
    )  # fmt: skip
    gap = np.zeros(pairs)
    wrap(chains.frame, chains.begin, chains.radius, packs, frames, box)
    measure(
        links, chains, packs, box, frames, np.zeros((SLOTS, 2)), gap, seen.normal, seen.point, seen
    )
    near = gap < 1e20
    return gap[near], seen.who[near, 2]


def test_a_link_finds_the_strands_that_are_nearest():
    """By all distances: places of a chain that are nearer than those before and after them."""
    rng, radius = np.random.default_rng(1), 0.05
    several = 0
    for _ in range(300):
        turns = rng.integers(1, 7)
        u = np.linspace(0.0, np.pi * turns, 40 * turns)
        points = np.stack([0.2 * u / np.pi, np.cos(u), 0.1 * np.sin(0.7 * u + 1.0)], axis=1)
        points += rng.normal(size=3) * 0.05
        ends = rng.normal(size=(2, 3)) * (1.0, 0.02, 0.02)
        s = np.linspace(0.0, 1.0, 401)[:, None]
        link = ends[0] + s * (ends[1] - ends[0])
        p, q = points[:-1], points[1:]
        part = ((link[:, None] - p) * (q - p)).sum(axis=2) / ((q - p) ** 2).sum(axis=1)
        nearest = p + np.clip(part, 0.0, 1.0)[..., None] * (q - p)
        away = np.linalg.norm(link[:, None] - nearest, axis=2).min(axis=0)
        padded = np.concatenate([[np.inf], away, [np.inf]]) - 2.0 * radius
        least = np.flatnonzero((padded[1:-1] < padded[:-2]) & (padded[1:-1] <= padded[2:]))
        least = least[np.argsort(away[least])]
        kept = [k for k in least if padded[k + 1] < 2.0 * radius][:SLOTS] or [least[0]]
        gap, where = looked_at(points, ends, radius)
        other = np.append(True, (np.diff(where) > 1) | (np.abs(np.diff(gap)) > 4e-3 * radius))
        gap = gap[other]
        within = 0.03 * radius  # places that are compared are apart by 0.005 to 0.01
        np.testing.assert_allclose(np.sort(gap), np.sort(padded[1:-1][kept]), atol=within)
        assert (np.diff(where) > 0).all()
        several += len(gap) > 1
    assert several > 50


@pytest.mark.parametrize("shift", [-1e-9, 0.0, 1e-9])
def test_a_link_beside_two_that_are_as_near_touches_both(shift):
    """Which of them is nearer by rounding, or by less than a step leads, decides nothing."""
    points = np.array([(-1.0, 0, 0), (0, 0, -1e-4), (1.0, 0, 0)])
    ends = np.array([(-0.5 + shift, 0, 0.11), (0.5 + shift, 0, 0.11)])
    gap, where = looked_at(points, ends, radius=0.05)
    assert where.tolist() == [0, 1]
    np.testing.assert_allclose(gap, 0.01005, atol=1e-6)


@pytest.mark.parametrize("rods", [fx.Spline(3, 24), fx.LinearStrain(24)], ids=str)
def test_a_hairpin_closes_until_its_legs_touch(rods):
    """Friction holds round legs on each other. The base has the force that closes it, no more."""
    bend = 6e-3
    leg = 2.5 * np.pi * bend  # ten of 24 spans: rests jump between them
    length = 2.0 * leg + np.pi * bend

    def rest(s):
        return (0, 0, 1.0 / bend if leg < s < length - leg else 0.0, 1, 0, 0)

    results = {}
    for contacts in ((), (fx.Contact("pin", "pin", friction=0.5),)):
        robot = fx.Robot(
            "hairpin",
            rods=[fx.Rod("pin", length, fx.Circle(RADIUS), SOFT, rest=rest)],
            joints=[fx.Weld("world", "pin.base")],
            loads=[fx.PointLoad("close", "pin.tip", force=(0, -0.012, 0))],
            contacts=contacts,
        )
        results[len(contacts)] = fx.statics(fx.build(robot, rods=rods)).unwrap()
    free, held = results[0], results[1]
    away = distances(free, "pin", "pin")
    s = np.linspace(0.0, length, len(away))
    apart = np.abs(s[:, None] - s) > 4.0 * bend
    assert np.where(apart, away, np.inf).min() < 0.5  # nothing holds it
    away = np.where(apart, distances(held, "pin", "pin"), np.inf)
    assert away.min() == pytest.approx(1.0, abs=0.02)
    assert sum(x.pressing for x in held.contacts) > 1e-3
    check_contacts(held)
    np.testing.assert_allclose(held.reaction("world-pin.base")[3:], (0, 0.012, 0), atol=1e-9)
    # each pair of links once: no place touches another one twice
    places = [tuple(np.round(x.point, 9)) for x in held.contacts if x.pressing > 0.0]
    assert len(places) == len(set(places))


@pytest.mark.parametrize("radius", [1e-4, 5e-4, 2e-3])
@pytest.mark.parametrize(
    "rods",
    [fx.LinearStrain(12), fx.LinearStrain(24), fx.Spline(3, 4), fx.Spline(3, 24), fx.Hermite(8)],
    ids=str,
)
def test_a_straight_rod_does_not_touch_itself(rods, radius):
    """Whatever parts it is cut into: those at its ends are shorter than their neighbours."""
    rod = fx.Rod("rod", 0.3, fx.Circle(radius), SOFT)
    robot = fx.Robot(
        "alone",
        rods=[rod],
        joints=[fx.Weld("world", "rod.base")],
        contacts=[fx.Contact("rod", "rod")],
    )
    result = fx.statics(fx.build(robot, rods=rods)).unwrap()
    assert not result.remarks
    assert not result.contacts


@pytest.mark.parametrize("radius", [1e-3, 3e-3, 8e-3])
@pytest.mark.parametrize("how", ["in line", "at an angle", "ball", "beside"])
def test_rods_that_are_joined_do_not_begin_inside_each_other(radius, how):
    section = fx.Circle(radius)
    rods = [fx.Rod(name, 0.3, section, SOFT) for name in "ab"]
    angle = 0.0 if how == "in line" else 1.4
    joints = {
        "ball": fx.Ball("knee", "a.tip", "b.base", offset=pose((0, 0, 0), (0, 0, angle))),
        "beside": fx.Weld(fx.At("a", 0.15), "b.base", offset=pose((0, 0, 0), (0, 0, angle))),
    }
    joint = joints.get(how, fx.Weld("a.tip", "b.base", offset=pose((0, 0, 0), (0, 0, angle))))
    robot = fx.Robot(
        "joined",
        rods=rods,
        joints=[fx.Weld("world", "a.base"), joint],
        contacts=[fx.Contact("a", "b")],
    )
    model = fx.build(robot, rods=fx.Spline(3, 8))
    result = fx.statics(model) if how != "ball" else fx.simulate(model, 2e-3, 1e-3)
    assert result.converged
    one = result if how != "ball" else result[-1]
    assert not one.contacts
    if how != "ball":
        assert any("within 2 radii of the joint" in x for x in result.remarks)


@pytest.mark.parametrize("far", [0.0025, 0.25])
def test_rods_of_the_world_are_joined_where_they_are_near(far):
    """Beyond their radii what both hang on joins nothing: they touch all along."""
    rods = [fx.Rod(name, 0.3, fx.Circle(1.5e-3), SOFT) for name in "ab"]
    beside = fx.Weld("world", "b.base", offset=pose((0, far, 0)))
    ball = fx.Body("ball", shape=fx.Sphere(0.01))
    robot = fx.Robot(
        "beside",
        rods=rods,
        bodies=[ball],
        joints=[
            fx.Weld("world", "a.base"),
            beside,
            fx.Weld("world", "ball", offset=pose((0.2, 0, far - 0.1))),
        ],
        contacts=[fx.Contact("a", "b"), fx.Contact("a", "ball")],
    )
    told = [x for x in fx.build(robot, rods=fx.Spline(3, 8)).contacts.ignored if "joined" in x]
    assert len(told) == (2 if far < 0.01 else 0)
    assert all("'b'" in x for x in told)
