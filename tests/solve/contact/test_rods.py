"""Rods on tables, drums and each other: closed forms."""

import re
from itertools import pairwise

import numpy as np
import pytest
from contact_laws import check_contacts

import flexura as fx
from flexura.solve.cone import coulomb

G = 9.81
RUBBER = fx.Material(young=1e6, poisson=0.4, density=1000.0)

# A block.
CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
FACES = [
    (0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
    (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3),
]  # fmt: skip


def cantilever_over_table(height, friction=0.0, rods=None, length=0.5):
    """A heavy rod, clamped level so far above a table [m]."""
    radius = 0.005
    rod = fx.Rod("rod", length=length, section=fx.Circle(radius=radius), material=RUBBER)
    robot = fx.Robot(
        "heavy",
        rods=[rod],
        joints=[fx.Weld("world", "rod.base")],
        loads=[fx.Gravity()],
        obstacles=[fx.Obstacle("table", fx.Plane(point=(0, 0, -radius - height)))],
        contacts=[fx.Contact("rod", "table", friction=friction)],
    )
    return fx.build(robot, rods=rods or fx.Spline(3, 40)), rod


@pytest.mark.parametrize(
    ("rods", "friction"),
    [
        (fx.Spline(3, 30), 0.0),
        (fx.LinearStrain(30), 0.0),
        (fx.LinearStrain(30), 0.3),
        (fx.Spline(3, 30), 0.3),
        (fx.Hermite(30), 0.0),
    ],
    ids=str,
)
def test_length_that_lifts_off(rods, friction):
    """ℓ = (72 EI H / q)^¼ is free; the clamp carries ⅔ q ℓ, the place of touch-down ⅓ q ℓ."""
    height = 0.002
    model, rod = cantilever_over_table(height, friction, rods)
    result = fx.statics(model)
    assert result.converged
    # more places stick than a spline has motions: contacts end where steps shrink no more
    check_contacts(result, depth=1e-7 if friction and isinstance(rods, fx.Spline) else 1e-9)
    q, stiffness = rod.mass_per_length(0.0) * G, rod.stiffness(0.0)[1]
    free = (72.0 * stiffness * height / q) ** 0.25
    clamp = result.reaction("world-rod.base")[5]
    assert clamp == pytest.approx(
        2.0 / 3.0 * q * free, rel=1e-2
    )  # shear, and places 4 to 8 mm apart
    most = max(x.pressing for x in result.contacts)
    first = min(x.s for x in result.contacts if x.pressing > 1e-3 * most)
    assert abs(first - free) < rod.length / 30
    total = sum(x.force[2] for x in result.contacts)
    assert clamp + total == pytest.approx(q * rod.length, rel=1e-9)
    if friction == 0.0:
        assert result.stable


def test_newton_ends_quadratically():
    model, _ = cantilever_over_table(0.05)
    result = fx.statics(model).unwrap()
    first = result.residuals[0]
    late = [(a, b) for a, b in pairwise(result.residuals) if 1e-7 * first < a < 0.5 * first]
    # each is below the square of the one before, until places that share a force are all that moves
    assert all(b <= a**2 / first for a, b in late[-2:])
    assert late[-1][1] < 1e-7 * first
    assert result.residual < 1e-9


def test_two_crossed_cantilevers_share_a_load():
    """c = F (3 L - a) / (4 a), where two equal ones cross a from their clamps."""
    length, a, force, radius = 0.3, 0.2, 5e-4, 1e-3
    steel = fx.Material(young=1e9, poisson=0.3, density=1000.0)
    rods = [
        fx.Rod(x, length=length, section=fx.Circle(radius=radius), material=steel) for x in "ab"
    ]
    across = np.eye(4)
    across[:3, :3] = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    across[:3, 3] = (a, -a, -2.0 * radius)
    robot = fx.Robot(
        "crossed",
        rods=rods,
        joints=[fx.Weld("world", "a.base"), fx.Weld("world", "b.base", offset=across)],
        loads=[fx.PointLoad("push", at="a.tip")],
        contacts=[fx.Contact("a", "b")],
    )
    model = fx.build(robot, rods=fx.Spline(3, 30))
    result = fx.statics(model, {"push": (0, 0, 0, 0, 0, -force)})
    assert result.converged
    check_contacts(result)
    pressing = sum(x.pressing for x in result.contacts)
    assert pressing == pytest.approx(force * (3 * length - a) / (4 * a), rel=1e-2)
    np.testing.assert_allclose(
        result.pose("a", a)[2, 3] - result.pose("b", a)[2, 3], 2 * radius, atol=1e-6
    )


FRICTION, DRUM, PULL = 0.3, 0.05, 1.0


def rope_around_a_drum():
    """A rope that is pulled around a quarter of a drum, and where its grip is."""
    radius, length = 0.3e-3, 0.25
    bend = 1.03 * (DRUM + radius)  # it begins beside the drum
    straight = 0.5 * (length - 0.5 * np.pi * bend)

    def rest(s):
        return (0, 0, 1 / bend if straight < s < length - straight else 0.0, 1, 0, 0)

    rope = fx.Rod(
        "rope", length=length, section=fx.Circle(radius=radius), rest=rest,
        material=fx.Material(young=2e8, poisson=0.3, density=1000.0),
    )  # fmt: skip
    base = np.eye(4)
    base[:3, 3] = (-straight, -bend, 0)
    robot = fx.Robot(
        "capstan",
        rods=[rope],
        joints=[fx.Weld("world", "rope.base", offset=base, name="grip")],
        loads=[fx.PointLoad("pull", at="rope.tip")],
        obstacles=[fx.Obstacle("drum", fx.Cylinder(DRUM, 0.2, axis=(0, 0, 1)))],
        contacts=[fx.Contact("rope", "drum", friction=FRICTION)],
    )
    return fx.build(robot, rods=fx.Spline(3, 40)), base


def drawn(model, base, steps):
    """What its grip draws along, 2 mm in each step."""
    load = {"pull": (0, 0, 0, 0, PULL, 0)}
    result = fx.statics(model, load).unwrap()
    for k in range(steps):
        grip = base.copy()
        grip[0, 3] -= 2e-3 * (k + 1)
        result = fx.statics(model, load | {"grip": grip}, start=result)
        assert result.converged
        check_contacts(result)
    return result


def test_rope_around_a_drum():
    """Euler and Eytelwein: tensions differ by exp(μ φ) where a rope slides, to 1 %."""
    result = drawn(*rope_around_a_drum(), 4)
    held = -result.reaction("grip")[3:]
    turned = np.arccos(-held @ [0, 1, 0] / np.linalg.norm(held))
    wrapped = np.pi - turned
    assert np.log(np.linalg.norm(held) / PULL) == pytest.approx(FRICTION * wrapped, rel=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("alternations", [200, 500, 1000])
def test_what_converged_obeys_whatever_way_led_there(monkeypatch, alternations):
    """Where cone problems end on the way does not count, but the state where it all ends does."""
    monkeypatch.setattr(coulomb, "ALTERNATIONS", alternations)
    drawn(*rope_around_a_drum(), 1)


def test_parts_that_begin_inside_each_other():
    rod = fx.Rod("rod", length=0.5, section=fx.Circle(radius=0.005), material=RUBBER)
    there = fx.lie.se3.exp(np.array([0, 0, 0, 0.3, 0, 0]))
    robot = fx.Robot(
        "inside", rods=[rod], joints=[fx.Weld("world", "rod.base")],
        obstacles=[fx.Obstacle("post", fx.Sphere(0.05), pose=there)],
        contacts=[fx.Contact("rod", "post")],
    )  # fmt: skip
    where = r"'rod' begins inside 'post' at s = 0\.\d+ m of 'rod', 0\.049"
    with pytest.raises(fx.ModelError, match=where):
        fx.statics(fx.build(robot))


@pytest.mark.parametrize("first", ["long", "short"])
def test_rods_that_begin_inside_each_other_are_told_with_the_places_of_both(first):
    """A rod crosses another one, whose links are shorter; whichever is named first."""
    second = "short" if first == "long" else "long"
    robot = fx.Robot(
        "crossed",
        rods=[
            fx.Rod("long", length=0.5, section=fx.Circle(radius=0.005), material=RUBBER),
            fx.Rod("short", length=0.1, section=fx.Circle(radius=0.005), material=RUBBER),
        ],
        joints=[
            fx.Weld("world", "long.base"),
            fx.Weld("world", "short.base", fx.lie.se3.pose((0.4, -0.03, 0.0), (0, 0, np.pi / 2))),
        ],
        contacts=[fx.Contact(first, second)],
    )
    with pytest.raises(fx.ModelError, match=f"{first!r} begins inside {second!r}") as error:
        fx.statics(fx.build(robot))
    told = {b: float(a) for a, b in re.findall(r"s = ([\d.]+) m of '(\w+)'", str(error.value))}
    assert list(told) == [first, second]
    assert told == pytest.approx({"long": 0.4, "short": 0.03}, abs=1e-3)  # a fifth of the radius


def test_a_dropped_rod_loses_energy_and_comes_to_rest():
    rod = fx.Rod("rod", length=0.3, section=fx.Circle(radius=0.01), material=RUBBER)
    robot = fx.Robot(
        "dropped", rods=[rod], loads=[fx.Gravity()], obstacles=[fx.Obstacle("table", fx.Plane())],
        contacts=[fx.Contact("rod", "table", friction=0.5)],
    )  # fmt: skip
    pose = fx.lie.se3.exp(np.array([0.0, -0.4, 0.0, 0.0, 0.0, 0.0]))
    pose[2, 3] = 0.05
    model = fx.build(robot, rods=fx.Spline(3, 6))
    motion = fx.simulate(model, 0.5, 0.002, place={"rod": pose}).unwrap()
    energy = motion.energy
    assert np.all(np.diff(energy) <= 1e-8 * np.abs(energy).max())
    for instant in motion[::10]:
        check_contacts(instant, depth=1e-7)
    weight = rod.mass_per_length(0.0) * rod.length * G
    assert sum(x.force[2] for x in motion[-1].contacts) == pytest.approx(weight, rel=1e-2)


def test_a_rod_that_spins_freely_on_a_table_is_said_to():
    """Balls at both ends leave its rotation about itself free, contacts or not."""
    rubber = fx.Material(young=1e6, poisson=0.4, density=1000.0)
    ends = [fx.lie.se3.pose((x, 0.0, 6e-3)) for x in (0.0, 0.3)]
    robot = fx.Robot(
        "lies",
        rods=[fx.Rod("rod", 0.3, fx.Circle(5e-3), rubber)],
        bodies=[fx.Body("shoe", 0.1, (1e-3,) * 3)],
        joints=[
            fx.Ball("foot", "world", "rod.base", offset=ends[0]),
            fx.Slider("slide", "world", "shoe", (1, 0, 0), offset=ends[1]),
            fx.Ball("head", "shoe", "rod.tip"),
        ],
        loads=[fx.Gravity()],
        obstacles=[fx.Obstacle("table", fx.Plane())],
        contacts=[fx.Contact("rod", "table")],
    )
    result = fx.statics(fx.build(robot, rods=fx.Spline(3, 6))).unwrap()
    assert result.contacts
    assert any("free" in remark or "no force" in remark for remark in result.remarks)


@pytest.mark.parametrize("rods", [fx.LinearStrain(8), fx.Spline(3, 12)], ids=str)
def test_a_rod_that_may_touch_itself_bends_as_it_does(rods):
    """Nothing is near itself: which of its links is the nearest may change all the same."""
    found = []
    for contacts in ((), (fx.Contact("rod", "rod"),)):
        robot = fx.Robot(
            "arm",
            rods=[fx.Rod("rod", 0.3, fx.Circle(5e-3), RUBBER)],
            joints=[fx.Weld("world", "rod.base")],
            loads=[fx.PointLoad("pull", "rod.tip", force=(0, 0, 0.01))],
            contacts=contacts,
        )
        found.append(fx.statics(fx.build(robot, rods=rods)).unwrap().pose("rod.tip"))
    np.testing.assert_allclose(*found, atol=1e-9)


@pytest.mark.parametrize("x", [0.10, 0.12, 0.14, 0.16])
def test_no_post_fits_between_the_places_that_touch(x):
    """A rod of 3 mm on a post of 2 mm: places that describe it are 12 mm apart."""
    post = fx.Obstacle(
        "post", fx.Cylinder(2e-3, 0.1, axis=(0, 1, 0)), pose=fx.lie.se3.pose((x, 0, -6e-3))
    )
    robot = fx.Robot(
        "lies",
        rods=[fx.Rod("rod", 0.3, fx.Circle(3e-3), RUBBER)],
        joints=[fx.Weld("world", "rod.base")],
        obstacles=[post],
        contacts=[fx.Contact("rod", "post")],
        loads=[fx.PointLoad("weight", "rod.tip", force=(0, 0, -2e-3))],
    )
    result = fx.statics(fx.build(robot, rods=fx.Spline(3, 12))).unwrap()
    assert result.contacts
    s = np.linspace(0.0, 0.3, 601)
    middle = result.pose("rod", s)[:, :3, 3] - np.array([x, 0.0, -6e-3])
    # of both radii, places that touch leave 3 % at most; and it is above the post
    assert np.linalg.norm(middle[:, [0, 2]], axis=1).min() > 0.96 * 5e-3
    assert middle[np.abs(middle[:, 0]).argmin(), 2] > 0.0


def test_a_rod_along_the_axis_of_a_pipe_of_triangles():
    """All walls are as near: which of them is nearest says nothing of what was passed."""
    around = 2.0 * np.pi * np.arange(32) / 32
    places = [(-0.05, 3e-3), (0.25, 3e-3), (0.25, 0.02), (-0.05, 0.02)]
    points = [(x, r * np.cos(a), r * np.sin(a)) for x, r in places for a in around]
    triangles = []
    for i in range(4):
        for a in range(32):
            p, q = 32 * i + a, 32 * i + (a + 1) % 32
            r, s = (p + 32) % 128, (q + 32) % 128
            triangles += [(p, r, q), (q, r, s)]
    robot = fx.Robot(
        "pipe",
        rods=[fx.Rod("rod", 0.2, fx.Circle(1e-3), RUBBER)],
        joints=[fx.Weld("world", "rod.base")],
        obstacles=[fx.Obstacle("pipe", fx.Triangles(points, triangles))],
        contacts=[fx.Contact("rod", "pipe")],
    )
    result = fx.statics(fx.build(robot, rods=fx.Spline(3, 16)))
    assert result.status is fx.Status.CONVERGED
    np.testing.assert_allclose(result.pose("rod.tip")[:3, 3], (0.2, 0, 0), atol=1e-12)


@pytest.mark.parametrize("kind", ["box", "cylinder", "mesh"])
@pytest.mark.parametrize("beside", [0.0, 3e-3, 7e-3, 0.012])
def test_a_rod_leans_on_an_edge_where_that_is(kind, beside):
    """From a hinge, wherever its samples lie: N d = W L/2 cos α, d to where the edge is round."""
    tilt, far, below, length, radius = 0.1, 0.2 + beside, 0.01, 0.4, 4e-3
    steel = fx.Material(young=2e11, poisson=0.3, density=8000.0)
    rod = fx.Rod("rod", length, fx.Circle(radius=radius), steel)
    wide, size = 0.2, 0.1
    shape = fx.Box(wide, wide, size)
    turn = np.eye(4)
    if kind == "cylinder":  # upright: the rim is nearest to the hinge on the line of the rod
        shape, turn = fx.Cylinder(0.5 * wide, size), fx.lie.se3.pose((0, 0, 0), (0, 0.5 * np.pi, 0))
    if kind == "mesh":
        shape = fx.Triangles(0.5 * np.array([wide, wide, size]) * CORNERS, FACES)
    top = np.tan(tilt) * far - radius / np.cos(tilt) - below
    place = fx.lie.se3.pose((far + 0.5 * wide, 0, top - 0.5 * size)) @ turn
    hinge = fx.Hinge(
        "hinge", "world", "rod.base", (0, 1, 0), offset=fx.lie.se3.pose((0, 0, 0), (0, -tilt, 0))
    )
    robot = fx.Robot(
        "leaning", rods=[rod], joints=[hinge], loads=[fx.Gravity()],
        obstacles=[fx.Obstacle("o", shape, pose=place)], contacts=[fx.Contact("rod", "o")],
    )  # fmt: skip
    result = fx.statics(fx.build(robot, rods=fx.Spline(3, 8))).unwrap()
    along = result.pose("rod.base")[:3, 0]
    round_by = 0.0 if kind == "mesh" else 0.01 * size
    centre = np.array([far + round_by, 0.0, top - round_by])
    weight = G * rod.mass_per_length(0.0) * length
    wanted = 0.5 * weight * length * along[0] / (centre @ along)
    pressing = [x for x in result.contacts if x.pressing > 0.0]
    assert sum(x.pressing for x in pressing) == pytest.approx(wanted, rel=1e-4)
    assert all(x.s_a == pytest.approx(centre @ along, abs=1e-4) for x in pressing)


@pytest.mark.parametrize("rods", [fx.LinearStrain(12), fx.Hermite(10), fx.Spline(3, 8)], ids=str)
def test_what_slides_along_a_bent_rod_goes_from_piece_to_piece(rods):
    """A post presses as a capsule does, which rods touch at places: to 6 %, as these are coarse."""
    rubber = fx.Material(young=2e6, poisson=0.4, density=1000.0)
    found = []
    for post in (fx.Cylinder(0.03, 0.15, axis=(0, 1, 0)), fx.Capsule(0.03, 0.15, axis=(0, 1, 0))):
        robot = fx.Robot(
            "bent over", rods=[fx.Rod("rod", 0.3, fx.Circle(6e-3), rubber)],
            joints=[fx.Weld("world", "rod.base")], loads=[fx.PointLoad("pull", "rod.tip")],
            obstacles=[fx.Obstacle("post", post, pose=fx.lie.se3.pose((0.12, 0, -0.04)))],
            contacts=[fx.Contact("rod", "post")],
        )  # fmt: skip
        model, last, forces = fx.build(robot, rods=rods), None, []
        for pull in np.linspace(0.18, 0.25, 8):
            last = fx.statics(model, {"pull": (0, 0, 0, 0, 0, -pull)}, start=last).unwrap()
            forces.append(last.pressing("rod", "post"))
        found.append(forces)
    np.testing.assert_allclose(*found, rtol=0.06)


@pytest.mark.parametrize(
    ("rods", "radius"), [(fx.Spline(3, 6), 5e-3), (fx.Spline(3, 12), 2e-3), (fx.Hermite(10), 5e-3)]
)
def test_a_rod_hangs_over_the_edge_of_a_mesh_as_over_that_of_a_box(rods, radius):
    """Wherever the edge is between points of the rod; it bends there by κ h²/8, 2 % of its radius.

    The box has a radius itself, of 1 % of its thickness, which makes it no larger.
    """
    rubber = fx.Material(young=1e6, poisson=0.45, density=1100.0)
    pull = 0.05 * (radius / 5e-3) ** 3.5
    tips = []
    for at in (0.1365, 0.1402, 0.1439):
        for shape in (fx.Box(0.1, 0.2, 0.1), fx.Triangles((0.05, 0.1, 0.05) * CORNERS, FACES)):
            where = np.array([at - 0.05, 0.0, -radius - 0.05 - 1e-6])
            robot = fx.Robot(
                "hangs", rods=[fx.Rod("rod", 0.3, fx.Circle(radius), rubber)],
                joints=[fx.Weld("world", "rod.base")],
                loads=[fx.PointLoad("pull", "rod.tip", force=(0, 0, -pull))],
                obstacles=[fx.Obstacle("o", shape, pose=fx.lie.se3.pose(where))],
                contacts=[fx.Contact("rod", "o")],
            )  # fmt: skip
            result = fx.statics(fx.build(robot, rods=rods)).unwrap()
            tips.append(result.pose("rod.tip")[:3, 3])
        x = result.pose("rod", np.linspace(0.01, 0.3, 2001))[:, :3, 3] - where
        # of the block, which is as wide as all of it: from its upper edge and its sides
        out = np.abs(x[:, [0, 2]]) - 0.05
        away = np.linalg.norm(np.maximum(out, 0.0), axis=1) + np.minimum(out.max(axis=1), 0.0)
        assert away.min() > 0.97 * radius
        # round by 1 mm, the box is lower by 0.4 mm at its edge, and the rod as it is longer there
        assert np.linalg.norm(tips[-1] - tips[-2]) < 0.02 * 0.3


@pytest.mark.parametrize("angle", [0.25 * np.pi, 0.3])
def test_a_block_of_triangles_that_is_dropped_on_a_rod_does_not_sink_in(angle):
    """Its edge is held as its corners are: to 3 % of the radius, by what the rod bends."""
    rubber = fx.Material(young=1e6, poisson=0.45, density=1100.0)
    radius, half = 5e-3, 0.025
    robot = fx.Robot(
        "dropped", rods=[fx.Rod("rod", 0.3, fx.Circle(radius), rubber)], loads=[fx.Gravity()],
        joints=[
            fx.Weld("world", "rod.base"),
            fx.Weld("world", "rod.tip", offset=fx.lie.se3.pose((0.3, 0, 0))),
        ],
        bodies=[fx.Body("block", 0.05, (2e-5,) * 3, shape=fx.Triangles(half * CORNERS, FACES))],
        contacts=[fx.Contact("rod", "block", friction=0.3)],
    )  # fmt: skip
    above = fx.lie.se3.pose((0.143, 1e-3, 0.05), (0, angle, 0.15))
    model = fx.build(robot, rods=fx.Spline(3, 8))
    motion = fx.simulate(model, 0.11, 1e-3, place={"block": above}).unwrap()
    least = np.inf
    for instant in motion[50::2]:
        T, x = instant.pose("block"), instant.pose("rod", np.linspace(0.05, 0.25, 801))[:, :3, 3]
        out = np.abs((x - T[:3, 3]) @ T[:3, :3]) - half
        away = np.linalg.norm(np.maximum(out, 0.0), axis=1) + np.minimum(out.max(axis=1), 0.0)
        least = min(least, away.min())
    assert 0.97 * radius < least < radius + 1e-4
