"""Cylinders are round: they roll on their sides and rims, lie still, and stand on flat ends."""

from itertools import product

import numpy as np
import pytest
from contact_laws import check_contacts
from support import mixed, moved, start_of

import flexura as fx
from flexura.contact.measure_kernels import distance
from flexura.contact.rim_kernels import around, support
from flexura.contact.solid import Solids
from flexura.lie import se3
from flexura.model.assemble import Assembly
from flexura.model.state import State
from flexura.model.touch_rows import touch_rows
from flexura.model.touch_tangent_kernels import mean_rim

G = 9.81
RADIUS, LENGTH, MASS = 0.02, 0.06, 0.1
SPIN = 0.5 * MASS * RADIUS**2
ACROSS = MASS * (3.0 * RADIUS**2 + LENGTH**2) / 12.0
CYLINDER = fx.Cylinder(RADIUS, LENGTH)
BODY = fx.Body("c", MASS, (SPIN, ACROSS, ACROSS), shape=CYLINDER)
CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
FACES = [
    (0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
    (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3),
]  # fmt: skip
SLAB = (2.0, 0.2, 0.1)
ASIDE = se3.pose((0, 0, 0), (0, 0, 0.5 * np.pi))  # axis along y
FLOORS = {
    "plane": [fx.Obstacle("f", fx.Plane())],
    "box": [fx.Obstacle("f", fx.Box(*SLAB), pose=se3.pose((0, 0, -0.05)))],
    "narrow box": [fx.Obstacle("f", fx.Box(2.0, 0.03, 0.1), pose=se3.pose((0, 0, -0.05)))],
    "mesh": [
        fx.Obstacle(
            "f", fx.Triangles(0.5 * CORNERS * SLAB, FACES), pose=se3.pose((0, 0, -0.05))
        )
    ],
    "rails": [
        fx.Obstacle(f"f{i}", fx.Capsule(0.01, 2.0), pose=se3.pose((0, y, -0.01)))
        for i, y in enumerate((-0.02, 0.02))
    ],
}  # fmt: skip


def on(obstacles, friction=0.5, body=BODY):
    touch = [fx.Contact(body.name, x.name, friction=friction) for x in obstacles]
    return fx.build(
        fx.Robot("r", bodies=[body], loads=[fx.Gravity()], obstacles=obstacles, contacts=touch)
    )


@pytest.mark.parametrize("friction", [0.5, 0.1])
def test_one_rolls_or_slides_down_a_slope(friction):
    """a = 2/3 g sin α where friction is above 1/3 tan α; else it slides, and spins."""
    angle, time = np.radians(25.0), 0.2
    turn = se3.pose((0, 0, 0), (0, angle, 0))
    down, up = turn[:3, 0], turn[:3, 2]
    model = on([fx.Obstacle("slope", fx.Plane(normal=up))], friction)
    place = turn @ se3.pose((0, 0, RADIUS)) @ ASIDE
    motion = fx.simulate(model, time, 1e-3, place={"c": place}).unwrap()
    twist, pose = motion.velocity("c")[-1], motion.pose("c")[-1]
    rolls = friction > np.tan(angle) / 3.0
    drive = 2.0 / 3.0 * np.sin(angle) if rolls else np.sin(angle) - friction * np.cos(angle)
    spin = drive if rolls else 2.0 * friction * np.cos(angle)
    assert down @ pose[:3, :3] @ twist[3:] == pytest.approx(drive * G * time, rel=1e-6)
    assert twist[0] == pytest.approx(spin * G * time / RADIUS, rel=1e-6)
    check_contacts(motion[-1])


@pytest.mark.parametrize(("floor", "h"), list(product(FLOORS, (2e-3, 2e-2))))
def test_one_rolls_on(floor, h):
    """At up to 0.4 rad a step: it goes as far as it turns, and nothing brakes."""
    speed, time = 0.4, 0.2
    motion = fx.simulate(
        on(FLOORS[floor]), time, h, place={"c": se3.pose((-0.1, 0, RADIUS)) @ ASIDE},
        velocity={"c": (speed / RADIUS, 0, 0, 0, -speed, 0)},
    ).unwrap()  # fmt: skip
    assert motion.pose("c")[-1, 0, 3] + 0.1 == pytest.approx(speed * time, rel=1e-7)
    # it begins higher than springs hold its side on rails, by half of 1e-6 of its radius at most
    fallen = MASS * G * 0.5e-6 * RADIUS
    assert motion.energy == pytest.approx(motion.energy[0], rel=1e-7, abs=fallen)


def test_one_that_spins_rolls_in_the_end():
    """v = ω₀ R / 3: friction takes from the spin what it gives, J v / R."""
    model, spin = on(FLOORS["plane"]), 4.0 / RADIUS
    motion = fx.simulate(
        model, 0.5, 2e-3, place={"c": se3.pose((0, 0, RADIUS)) @ ASIDE},
        velocity={"c": (spin, 0, 0, 0, 0, 0)},
    ).unwrap()  # fmt: skip
    twist = motion.velocity("c")[-1]
    assert motion.pose("c")[-1, 0, :3] @ twist[3:] == pytest.approx(4.0 / 3.0, rel=1e-6)
    assert twist[0] * RADIUS == pytest.approx(4.0 / 3.0, rel=1e-6)


def test_one_swings_in_a_tube():
    """ω² = 2/3 g / (distance of both axes), for small swings in a round tube."""
    wall, time, angle = 0.1, 0.2, 0.02
    tube = fx.Obstacle("tube", fx.Vessel([(0, -1, 0), (0, 0, 0), (0, 1, 0)], wall))
    apart = wall - RADIUS
    at = apart * np.array([np.sin(angle), 0.0, -np.cos(angle)])
    motion = fx.simulate(on([tube]), time, 5e-4, place={"c": se3.pose(at) @ ASIDE}).unwrap()
    wanted = apart * angle * np.cos(np.sqrt(2.0 / 3.0 * G / apart) * time)
    assert motion.pose("c")[-1, 0, 3] == pytest.approx(wanted, abs=2e-3 * apart * angle)


def circling(elevation, precession, thick):
    """A coin that rolls in a circle on its rim, its axis that far above level: closed form.

    With p from the centre to where it touches, ω = Ω z + σ a and v = -ω × p, moments about the
    centre are those of N = m g and of what holds it on its circle: Ω L_x = -m p_z Ω v - p_x m g.
    """
    radius, mass = 0.05, 0.2
    spin, across = 0.5 * mass * radius**2, mass * (3.0 * radius**2 + thick**2) / 12.0
    coin = fx.Body("c", mass, (spin, across, across), shape=fx.Cylinder(radius, thick))
    c, s, r = np.cos(elevation), np.sin(elevation), 0.01 * thick
    axis, up = np.array([c, 0.0, s]), np.array([-s, 0.0, c])
    p = (r - 0.5 * thick) * axis - (radius - r) * up - r * np.array([0.0, 0.0, 1.0])
    x, z, W = p[0], p[2], precession
    sigma = mass * x * (W**2 * z - G) - W**2 * c * s * (spin - across)
    sigma /= W * (c * spin + mass * z * (c * z - s * x))
    omega = np.array([0.0, 0.0, W]) + sigma * axis
    pose = np.eye(4)
    pose[:3, :3] = np.stack([axis, [0.0, 1.0, 0.0], np.cross(axis, [0.0, 1.0, 0.0])], axis=1)
    pose[:3, 3] = -p
    twist = np.append(omega, -np.cross(omega, p)) @ np.kron(np.eye(2), pose[:3, :3])
    return coin, pose, twist, float(-np.cross(omega, p)[1])


@pytest.mark.parametrize(("elevation", "precession"), [(0.3, 2.0), (0.8, 8.0), (1.2, 14.0)])
def test_a_coin_rolls_in_a_circle_on_its_rim(elevation, precession):
    coin, pose, twist, speed = circling(elevation, precession, 4e-3)
    model, time, errors = on(FLOORS["plane"], 2.0, coin), 0.1, []
    for h in (1e-3, 5e-4):
        motion = fx.simulate(model, time, h, place={"c": pose}, velocity={"c": twist}).unwrap()
        found, angle = motion.pose("c")[-1], precession * time
        way = speed / precession * np.array([np.cos(angle) - 1.0, np.sin(angle)])
        errors.append(np.linalg.norm(found[:2, 3] - pose[:2, 3] - way))
        errors.append(abs(found[2, 0] - np.sin(elevation)))
        assert np.diff(motion.energy).max() <= 1e-9 * abs(motion.energy[0])
    assert errors[0] < 1e-2 * abs(speed) * time
    assert errors[1] < 1e-2
    assert errors[2] < 0.6 * errors[0] + 1e-9  # implicit Euler: of first order
    assert errors[3] < 0.6 * errors[1] + 1e-9


@pytest.mark.parametrize("size", [1e-3, 0.1, 1.0])
def test_what_a_force_on_a_rim_does_in_a_step_is_what_the_rim_rises(size):
    """n · (φ × x̄) = n · (x - x₀): planes do no work on coins that roll."""
    rng, normal = np.random.default_rng(3), (0.0, 0.0, 1.0)
    for turn, way, rim in rng.normal(size=(50, 3, 3)):
        phi = size * way / np.linalg.norm(way)
        before = se3.pose((0, 0, 0), turn)
        after = se3.pose((0, 0, 0), phi) @ before
        mean, ahead = mean_rim(tuple(rim), normal, tuple(phi), after, before)
        rises = support(normal, tuple(after[:3, :3] @ rim))[0][2]
        rises -= support(normal, tuple(before[:3, :3] @ rim))[0][2]
        assert np.cross(phi, mean)[2] == pytest.approx(rises, abs=1e-12)
        # it is a place of the circle, and none is further ahead
        ring = se3.pose((0, 0, 0), rim / np.linalg.norm(rim) * np.pi / 180.0)[:3, :3]
        own = after[:3, :3].T @ ahead
        assert own @ rim == pytest.approx(0.0, abs=1e-12)
        assert np.linalg.norm(own) == pytest.approx(np.linalg.norm(rim), rel=1e-12)
        for _ in range(360):
            own = ring @ own
            assert (after[:3, :3] @ own)[2] >= ahead[2] - 1e-12


@pytest.mark.parametrize("floor", ["plane", "box", "mesh"])
def test_one_lies_still(floor):
    place = {"c": se3.pose((0, 0, RADIUS)) @ ASIDE}
    motion = fx.simulate(on(FLOORS[floor]), 0.1, 5e-3, place=place).unwrap()
    np.testing.assert_allclose(motion.pose("c")[-1], place["c"], atol=1e-9)
    assert sum(x.pressing for x in motion[-1].contacts) == pytest.approx(MASS * G, rel=1e-6)


@mixed(floor=["plane", "box", "mesh"], part=[0.97, 1.03])
def test_one_stands_on_its_end_until_it_tips(floor, part):
    """A force across its middle, F L/2 = W R: to half a percent by the points around its rim."""
    up = se3.pose((0, 0, 0.5 * LENGTH), (0, -0.5 * np.pi, 0))
    push = 2.0 * part * MASS * G * RADIUS / LENGTH
    angle = 0.1  # between two of these points
    load = fx.PointLoad("push", "c")
    model = fx.build(
        fx.Robot(
            "r", bodies=[BODY], loads=[fx.Gravity(), load], obstacles=FLOORS[floor],
            contacts=[fx.Contact("c", "f", friction=1.0)],
        )
    )  # fmt: skip
    force = np.array([0, 0, 0, push * np.cos(angle), push * np.sin(angle), 0])
    motion = fx.simulate(model, 0.2, 5e-3, inputs={"push": force}, place={"c": up}).unwrap()
    tipped = np.arccos(min(motion.pose("c")[-1, 2, 0], 1.0))
    assert tipped < 1e-6 if part < 1.0 else tipped > 1e-2


SHAPES = {
    "plane": fx.Plane(normal=(1, 0, 0)),
    "sphere": fx.Sphere(0.05),
    "box": fx.Box(0.08, 0.1, 0.06),
    "cylinder": fx.Cylinder(0.04, 0.1),
    "capsule": fx.Capsule(0.03, 0.1),
    "mesh": fx.Triangles(0.04 * CORNERS, FACES),
    "vessel": fx.Vessel([(-0.2, 0, 0), (0, 0.02, 0), (0.2, 0, 0)], 0.06),
}


@pytest.mark.parametrize("draws", [100, pytest.param(300, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", SHAPES)
def test_rims_are_nearest_where_dense_places_are(name, draws):
    """Of those outside; where they do not count, the disc is nearer inside of its rim."""
    solids = Solids.of([(SHAPES[name], -1, np.eye(4))])
    first, last = solids.span[0].tolist()
    solid = int(solids.kind[0]), solids.size[0], solids.table, first, last
    mesh, rng, counted = solids.meshes.with_stack(), np.random.default_rng(3), 0
    turns = np.linspace(0.0, 2.0 * np.pi, 721)[:-1]
    for _ in range(draws):
        p, rho = rng.normal(size=3) * (0.02 if name == "vessel" else 0.08), 0.02
        axis, side = np.linalg.qr(rng.normal(size=(3, 2)))[0].T
        other = np.cross(axis, side)
        circle = rho * (np.cos(turns)[:, None] * side + np.sin(turns)[:, None] * other)
        values = [distance(*solid, mesh, tuple(p + x))[0] for x in circle]
        least = float(min(values))
        if not 0.0 < least < 1.0 or max(values) > 1.0:
            continue
        gap, n, _, x, ahead = around(*solid, mesh, tuple(p), tuple(rho * axis), np.inf)
        k = int(np.argmin(values))
        inside = distance(*solid, mesh, tuple(p + 0.999 * circle[k]))[0]
        if gap > 1.0:
            assert inside < least + 1e-3 * rho
            continue
        counted += 1
        # dense places are within 0.0044 rad; of two minima in what is hollow, one is found
        assert gap > least - 1e-4 * rho
        assert gap < least + (5e-3 * rho if name == "vessel" else 1e-12)
        assert np.dot(x, axis) == pytest.approx(0.0, abs=1e-14)
        assert np.linalg.norm(x) == pytest.approx(rho)
        assert np.cross(axis, x) @ n == pytest.approx(0.0, abs=1e-12)
        assert ahead == pytest.approx(-np.dot(n, x))
    assert counted > draws / 5


def beside(shape, carried):
    """A cylinder whose rim is nearly on a solid, which a body carries, or the world."""
    pose = np.eye(4)
    tilt = se3.pose((0, 0, 0), (0.4, 0.9, 0.3))
    other = {"plane": -0.02}.get(shape, 0.0)
    solid = SHAPES[shape]
    robot = fx.Robot(
        "r",
        bodies=[BODY, *([fx.Body("o", 1.0, (1e-3,) * 3, shape=solid)] if carried else [])],
        obstacles=[] if carried else [fx.Obstacle("o", solid)],
        contacts=[fx.Contact("c", "o", friction=0.3)],
    )
    model = fx.build(robot)
    assembly, state = Assembly(model), start_of(model)
    poses = np.array(state.poses)
    at, away = model.layout.coordinate[model.frames["c"]], np.array([0.9, 0.3, 0.2])
    if shape == "vessel":
        away = np.array([0.01, 0.3, 0.9])
    low, high = 0.0 + other, 0.4
    for _ in range(60):  # as near as its rims are to the surface
        pose[:3, 3] = 0.5 * (low + high) * away
        poses[at] = pose @ tilt
        state = State(poses.copy(), state.numbers, state.multipliers)
        assembly.place(state, model.inputs.described)
        touch = assembly.touch
        rims = touch.seen.rim.any(axis=1)
        inside = touch.gap[rims].min() < 1e-4
        if inside == (shape == "vessel"):
            high = 0.5 * (low + high)
        else:
            low = 0.5 * (low + high)
    return assembly, state, int(np.flatnonzero(rims)[np.argmin(touch.gap[rims])])


@pytest.mark.parametrize(
    ("shape", "carried"),
    # balls find rims, not these them
    [(x, False) for x in SHAPES if x != "sphere"]
    + [(x, True) for x in SHAPES if x not in ("plane", "vessel", "sphere")],
)
def test_rows_and_tangents_of_rims_are_what_differences_say(shape, carried):
    assembly, state, pair = beside(shape, carried)
    model, touch, inputs = assembly.model, assembly.touch, assembly.model.inputs.described
    assembly.place(state, inputs)
    assert abs(touch.gap[pair]) < 1e-3
    force = touch.normal[pair] + np.array([0.05, -0.1, 0.02])
    pressing, normal = force @ touch.normal[pair], touch.normal[pair].copy()
    multipliers = np.zeros((touch.contacts.count, 3))
    multipliers[pair] = force
    state = State(state.poses, state.numbers, multipliers.ravel())
    assembly.evaluate(state, inputs)
    rows = touch_rows(assembly, touch)
    (at,) = np.flatnonzero(rows.pairs == pair)
    row = (rows.made @ rows.base)[3 * at]
    local, arms = touch.local_tangent(pair, force).copy(), touch.arm[pair].copy()
    who = touch.seen.who[pair]
    frames = touch.frames.copy()
    rng, h = np.random.default_rng(5), 1e-6
    for _ in range(4):
        way = rng.normal(size=model.n_dof) * model.layout.units * model.length
        gaps, wrenches, twists = [], [], []
        for part in (h, -h):
            there = moved(model, state, part * way)
            assembly.place(there, inputs)
            gaps.append(touch.gap[pair])
            dn = touch.normal[pair] - normal
            turned = np.zeros_like(multipliers)
            turned[pair] = force + pressing * dn - (force @ dn) * normal
            assembly.evaluate_residual(State(there.poses, there.numbers, turned.ravel()), inputs)
            wrenches.append(_wrenches(touch, pair, turned[pair]))
            twists.append(_twists(frames, touch.frames, who))
        slope = (gaps[0] - gaps[1]) / (2.0 * h)
        assert -row @ way == pytest.approx(slope, rel=1e-8, abs=1e-8 * np.abs(row * way).max())
        change = (wrenches[0] - wrenches[1]) / (2.0 * h)
        twist = (twists[0] - twists[1]) / (2.0 * h)
        wanted = local @ twist + _dead(frames, arms, who, force, touch.seen.share[pair]) @ twist
        scale = np.abs(wanted).max()
        np.testing.assert_allclose(change, wanted, atol=2e-8 * scale)


def _twists(frames, there, who):
    """Twists of four frames from one place to another, (24,)."""
    found = np.zeros((4, 6))
    for e, k in enumerate(who):
        if k >= 0:
            found[e] = se3.log(np.linalg.inv(frames[k]) @ there[k])
    return found.ravel()


def _wrenches(touch, pair, force):
    """Gradients of a force on its frames, (24,)."""
    size = np.linalg.norm(force)
    return size * touch.unit_wrenches(pair, force[None] / size)[0]


def _dead(frames, arms, who, force, share):
    """How gradients of a force at a fixed place of frames change with these, (24, 24)."""
    found, hat = np.zeros((24, 24)), fx.lie.so3.hat
    for e, k in enumerate(who):
        if k >= 0:
            R = frames[k, :3, :3]
            f, a = share[e] * R.T @ force, R.T @ arms[e]
            found[6 * e : 6 * e + 3, 6 * e : 6 * e + 3] = -hat(a) @ hat(f)
            found[6 * e + 3 : 6 * e + 6, 6 * e : 6 * e + 3] = -hat(f)
    return found
