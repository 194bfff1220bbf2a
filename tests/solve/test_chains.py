"""Rods that are welded to each other end to end are found as one rod is."""

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ellipe, ellipk

import flexura as fx
from flexura.lie import se3, so3
from flexura.model import start_linkage, strand
from flexura.rods.hermite import HermiteRods

MATERIAL = fx.Material(young=1e9, poisson=0.3, density=1000.0)
DESCRIPTIONS = [
    fx.Hermite(12),
    fx.Spline(3, 16),
    fx.Power(3, 12),
    fx.RotationInterpolation(12),
    fx.ConstantStrain(24),
    fx.LinearStrain(24),
]
EACH = pytest.mark.parametrize("rods", DESCRIPTIONS, ids=lambda rods: type(rods).__name__)
BACK = se3.pose(rotation=(0.0, 0.0, np.pi))


def chain(n, section, material=MATERIAL, length=1.0):
    """Rods of a length altogether, and what welds them."""
    rods = [fx.Rod(f"r{i}", length / n, section, material) for i in range(n)]
    return rods, [fx.Weld(f"r{i}.tip", f"r{i + 1}.base") for i in range(n - 1)]


@pytest.mark.parametrize("n", [2, 3, 5])
@EACH
def test_a_ring_of_rods_is_a_circle(n, rods):
    """It was found with a full turn of twist, and called stable, after hundreds of iterations."""
    parts, welds = chain(n, fx.Circle(2e-3))
    ends = [fx.Weld("world", "r0.base"), fx.Weld("world", f"r{n - 1}.tip")]
    model = fx.build(fx.Robot("ring", parts, [*welds, *ends]), rods=rods.finer(1.0 / n))
    result = fx.statics(model).unwrap()
    assert result.stable
    assert result.iterations <= 10
    bending = parts[0].stiffness(0.0)[1]
    assert result.energy == pytest.approx(2.0 * np.pi**2 * bending, rel=1e-2)


def held(kind, base, tip, end, axes):
    """What holds a chain: clamps, hinges or balls."""
    if kind == "clamps":
        return [fx.Weld("world", *base), fx.Weld("world", tip[0], end @ tip[1])]
    if kind == "balls":
        return [fx.Ball("p", "world", *base), fx.Ball("q", "world", tip[0], end @ tip[1])]
    return [
        fx.Hinge("p", "world", base[0], axes[0] @ base[1][:3, :3], base[1]),
        fx.Hinge("q", "world", tip[0], axes[1] @ tip[1][:3, :3], end @ tip[1]),
    ]


@pytest.mark.parametrize("kind", ["clamps", "hinges", "balls"])
@pytest.mark.parametrize("seed", range(3))
def test_a_cut_does_not_matter_nor_which_way_parts_run(kind, seed):
    """Whole; of two rods that follow each other, face each other, or are turned about the axis."""
    rng = np.random.default_rng([seed, len(kind)])
    way = rng.normal(size=3)
    end = se3.pose(rng.uniform(0.1, 0.9) * way / np.linalg.norm(way), rng.normal(size=3))
    axes, rest = rng.normal(size=(2, 3)), 1.5 * rng.normal(size=3)
    section = fx.Rectangle(6e-3, 3e-3)

    def rod(name, length=0.5, backwards=False, turned=0.0):
        bent = so3.exp(np.array([-turned, 0.0, 0.0])) @ rest
        return fx.Rod(name, length, section, MATERIAL, rest=bent * ([1, 1, -1] if backwards else 1))

    def energy(rods, base, tip, welds, fine):
        joints = [*held(kind, base, tip, end, axes), *welds]
        result = fx.statics(fx.build(fx.Robot("held", rods, joints), rods=fx.Hermite(fine)))
        assert result.unwrap().stable
        return result.energy

    here = np.eye(4)
    whole = energy([rod("a", 1.0)], ("a.base", here), ("a.tip", here), [], 24)
    a, b = rod("a"), rod("b")
    weld, flip = fx.Weld("a.tip", "b.base"), [fx.Weld("a.tip", "b.tip", BACK)]
    assert energy([a, b], ("a.base", here), ("b.tip", here), [weld], 12) == pytest.approx(
        whole, rel=1e-4
    )
    b = rod("b", backwards=True)
    assert energy([b, a], ("a.base", here), ("b.base", BACK), flip, 12) == pytest.approx(
        whole, rel=1e-4
    )


@EACH
def test_a_strip_whose_second_half_is_turned_about_its_axis(rods):
    """A quarter of a turn: its weak side is the other one's strong side."""
    turn = se3.pose(rotation=(0.5 * np.pi, 0.0, 0.0))
    parts = [fx.Rod("a", 0.5, fx.Rectangle(6e-3, 3e-3), MATERIAL)]
    end = se3.pose((0.4, 0.5, 0.1), (0.3, -0.2, 0.5))
    energies = []
    for section, weld in ((fx.Rectangle(6e-3, 3e-3), turn), (fx.Rectangle(3e-3, 6e-3), np.eye(4))):
        second = fx.Rod("b", 0.5, section, MATERIAL)
        joints = [
            fx.Weld("world", "a.base"),
            fx.Weld("a.tip", "b.base", weld),
            fx.Weld("world", "b.tip", end @ weld),
        ]
        robot = fx.Robot("strip", [*parts, second], joints)
        result = fx.statics(fx.build(robot, rods=rods)).unwrap()
        assert result.iterations <= 12
        energies.append(result.energy)
    assert energies[0] == pytest.approx(energies[1], rel=1e-6)


CORDS = {
    "silicone": (fx.Circle(2e-3), fx.Material(young=1e5, poisson=0.49, density=1070.0)),
    "nylon": (fx.Circle(2e-4), fx.materials.nylon),
}


@pytest.mark.parametrize("cord", CORDS.values(), ids=CORDS)
@pytest.mark.parametrize("kind", ["clamps", "balls"])
def test_a_cord_in_parts_or_with_a_bead_hangs_as_one(kind, cord):
    """They took hundreds of iterations, or were called coarse."""
    section, material = cord
    end, here, rods = se3.pose((1.2, 0.0, 0.0)), np.eye(4), fx.Hermite(32)
    (one,), _ = chain(1, section, material, 2.0)
    whole = held(kind, ("r0.base", here), ("r0.tip", here), end, None)
    single = fx.statics(fx.build(fx.Robot("cord", [one], whole, [fx.Gravity()]), rods=rods))
    parts, welds = chain(2, section, material, 2.0)
    ends = held(kind, ("r0.base", here), ("r1.tip", here), end, None)
    robot = fx.Robot("cord", parts, [*welds, *ends], [fx.Gravity()])
    double = fx.statics(fx.build(robot, rods=fx.Hermite(16)))
    assert double.unwrap().stable
    assert double.iterations <= 8
    np.testing.assert_allclose(
        double.pose("r0.tip")[:3, 3], single.unwrap().pose("r0", 1.0)[:3, 3], atol=1e-3
    )
    bead = fx.Body("bead", mass=0.5 * one.mass_per_length(0.0) * 2.0)
    joints = [*whole, fx.Weld(fx.At("r0", 1.0), "bead")]
    robot = fx.Robot("cord", [one], joints, [fx.Gravity()], bodies=[bead])
    beaded = fx.statics(fx.build(robot, rods=rods)).unwrap()
    assert beaded.stable
    assert beaded.iterations <= 12
    assert beaded.pose("bead")[2, 3] < single.pose("r0", 1.0)[2, 3]


LIMP = {
    "silicone": (fx.Circle(1.2e-3), CORDS["silicone"][1]),
    "rubber": (fx.Circle(5e-4), fx.Material(young=2e6, poisson=0.49, density=1100.0)),
    "nylon": (fx.Circle(1e-4), CORDS["nylon"][1]),
}
FINE = [fx.Spline(3, 16), fx.Hermite(12), fx.ConstantStrain(16), fx.RotationInterpolation(12)]


def jointed(kind, n, section, material, backwards=(), length=2.0):
    """Rods on joints to each other, of which some run backwards, between two pins."""
    rods = [fx.Rod(f"r{i}", length / n, section, material) for i in range(n)]
    begin, end = (
        [f"r{i}.{'tip' if (i in backwards) == first else 'base'}" for i in range(n)]
        for first in (True, False)
    )
    joints = [
        fx.Ball("p", "world", begin[0]),
        fx.Ball("q", "world", end[-1], se3.pose((1.2, 0.0, 0.3))),
    ]
    for i in range(n - 1):
        turned = BACK if (i in backwards) != (i + 1 in backwards) else np.eye(4)
        if kind == "balls":
            joints.append(fx.Ball(f"j{i}", end[i], begin[i + 1]))
        else:
            joints.append(fx.Hinge(f"j{i}", end[i], begin[i + 1], (0.0, 1.0, 0.0), turned))
    return fx.Robot("chain", rods, joints, [fx.Gravity()])


@pytest.mark.parametrize("rods", FINE, ids=lambda rods: type(rods).__name__)
@pytest.mark.parametrize("cord", LIMP.values(), ids=LIMP)
@pytest.mark.parametrize("kind", ["balls", pytest.param("hinges", marks=pytest.mark.slow)])
def test_limp_rods_on_joints_hang_as_one(kind, cord, rods):
    """They were OPEN, COARSE, or took hundreds of iterations, most of all tip to tip."""
    whole = fx.statics(fx.build(jointed(kind, 1, *cord), rods=rods.finer(2.0))).unwrap()
    for n, backwards in ((2, ()), (2, (1,)), (3, (0, 2))):
        robot = jointed(kind, n, *cord, backwards)
        result = fx.statics(fx.build(robot, rods=rods))
        assert result.unwrap().stable
        assert result.iterations <= 8
        # a joint spares its moment, and the ball at its end what elements miss
        assert result.potential == pytest.approx(whole.potential, rel=5e-3)
        turned = fx.Robot("chain", robot.rods[::-1], robot.joints, robot.loads)
        again = fx.statics(fx.build(turned, rods=rods)).unwrap()
        assert again.potential == pytest.approx(result.potential, rel=1e-9)


@pytest.mark.parametrize("lengths", [(0.6, 0.7), (0.4, 0.3, 0.5), (0.3, 0.3, 0.3, 0.3)])
def test_stiff_rods_on_balls_hang_as_a_chain_of_bars(lengths):
    """Two went downhill from where they lay at rest, in 26 steps, four in more than 60."""
    rods = [fx.Rod(f"r{i}", x, fx.Circle(4e-3), MATERIAL) for i, x in enumerate(lengths)]
    joints = [
        fx.Ball("p", "world", "r0.base"),
        fx.Ball("q", "world", f"r{len(rods) - 1}.tip", se3.pose((1.0, 0.0, 0.0))),
    ]
    joints += [fx.Ball(f"j{i}", f"r{i}.tip", f"r{i + 1}.base") for i in range(len(rods) - 1)]
    result = fx.statics(
        fx.build(fx.Robot("bars", rods, joints, [fx.Gravity()]), rods=fx.Hermite(8))
    )
    assert result.unwrap().stable
    assert result.iterations <= 10


@pytest.mark.parametrize("rods", FINE, ids=lambda rods: type(rods).__name__)
@pytest.mark.parametrize("n", [1, 2, 4])
def test_straight_rods_on_balls_turn_about_themselves(n, rods):
    """Nothing of them moves as they do, which ended in an error of NumPy."""
    each = [fx.Rod(f"r{i}", 0.5, fx.Circle(0.02), fx.materials.nylon) for i in range(n)]
    tip = se3.pose((0.3 * n, 0.1, 0.0)) if n > 1 else se3.pose((0.5, 0.0, 0.0))
    joints = [fx.Ball("p", "world", "r0.base"), fx.Ball("q", "world", f"r{n - 1}.tip", tip)]
    joints += [fx.Ball(f"j{i}", f"r{i}.tip", f"r{i + 1}.base") for i in range(n - 1)]
    loads = [fx.Gravity()] if n > 1 else []
    result = fx.statics(fx.build(fx.Robot("bars", each, joints, loads), rods=rods)).unwrap()
    assert result.stable
    for i in range(n):
        assert any(f"r{i}" in remark and "turns freely" in remark for remark in result.remarks)


@pytest.mark.parametrize("twigs", [False, True])
@pytest.mark.parametrize("n", [50, 100, 200])
def test_a_wire_of_many_rods_falls_as_one_does(n, twigs):
    """10 m, clamped where it is level; twigs of 1 mm, ten or so, had it fall in 75 iterations."""
    section = fx.Circle(5e-4)
    parts, welds = chain(n, section, fx.materials.nitinol, 10.0)
    for i in range(1, n, n // 10) if twigs else ():
        parts.append(fx.Rod(f"twig{i}", 1e-3, section, fx.materials.nitinol))
        welds.append(fx.Weld(f"r{i}.tip", f"twig{i}.base"))
    robot = fx.Robot("wire", parts, [fx.Weld("world", "r0.base"), *welds], [fx.Gravity()])
    result = fx.statics(fx.build(robot, rods=fx.LinearStrain(1))).unwrap()
    assert result.stable
    (whole,), _ = chain(1, section, fx.materials.nitinol, 10.0)
    robot = fx.Robot("wire", [whole], [fx.Weld("world", "r0.base")], [fx.Gravity()])
    one = fx.statics(fx.build(robot, rods=fx.LinearStrain(n))).unwrap()
    assert result.status is one.status
    assert abs(result.iterations - one.iterations) <= 1
    np.testing.assert_allclose(
        result.pose(f"r{n - 1}.tip")[:3, 3], one.pose("r0.tip")[:3, 3], atol=0.01
    )


NYLON = fx.materials.nylon
TURNS = [(0.0, 0.0, 0.0), (0.7, -1.1, 2.0)]


def between_clamps(kind, radius, turn=(0.0, 0.0, 0.0), backwards=False):
    """A rod in a clamp that points elsewhere, a ball, and a rod in another clamp, or on a ball."""
    world = se3.pose((1.0, -2.0, 3.0) if any(turn) else (0.0, 0.0, 0.0), turn)
    rods = [fx.Rod(name, x, fx.Circle(radius), NYLON) for name, x in (("a", 0.9), ("b", 0.95))]
    tip = world @ se3.pose((-0.3, 0.35, 0.25), (0.3, -1.2, 1.9))
    near, far = ("a.tip", "a.base") if backwards else ("a.base", "a.tip")
    joints = [
        fx.Weld("world", near, world @ BACK if backwards else world),
        fx.Ball("j", far, "b.base"),
        fx.Weld("world", "b.tip", tip) if kind == "clamps" else fx.Ball("e", "world", "b.tip", tip),
    ]
    gravity = fx.Gravity(tuple(world[:3, :3] @ (0.0, 0.0, -9.81)))
    return fx.Robot("strand", rods, joints, [gravity])


@pytest.mark.parametrize("rods", [fx.LinearStrain(12), fx.Spline()], ids=["strain", "spline"])
@pytest.mark.parametrize("radius", [6e-4, 2e-3, 5e-3])
@pytest.mark.parametrize("kind", ["clamps", "clamp and ball"])
def test_rods_in_clamps_beside_a_ball_hang(kind, radius, rods):
    """Their clamps were left out, so that what was taut turned within nothing: kilojoules."""
    fine = fx.statics(fx.build(between_clamps(kind, radius), rods=fx.RotationInterpolation(24)))
    fine, scale = fine.unwrap().potential, abs(fine.potential) + fine.energy
    for turn in TURNS:
        for backwards in (False, True):
            robot = between_clamps(kind, radius, turn, backwards)
            result = fx.statics(fx.build(robot, rods=rods)).unwrap()
            assert result.stable
            lifted = 0.0
            if any(turn):
                mass = sum(rod.mass_per_length(0.0) * rod.length for rod in robot.rods)
                lifted = -mass * np.dot(robot.loads[0].acceleration, (1.0, -2.0, 3.0))
            assert result.potential - lifted == pytest.approx(fine, abs=2e-3 * scale)


def test_where_strands_lead_to_nothing_rods_begin_where_they_lie(monkeypatch):
    """What nothing is found from is no answer: these were thought to be stretched tenfold."""
    robot = between_clamps("clamps", 2e-3)
    model = fx.build(robot, rods=fx.LinearStrain(12))
    found = fx.statics(model).unwrap()
    monkeypatch.setattr(strand, "joints_between", lambda spans, way: np.array([-9.0 * way, way]))
    again = fx.statics(model).unwrap()
    assert again.potential == pytest.approx(found.potential, rel=1e-3)
    assert again.iterations > found.iterations


@pytest.mark.parametrize("kind", ["clamps", "balls"])
@pytest.mark.parametrize("rods", [fx.LinearStrain(12), fx.Spline()], ids=["strain", "spline"])
def test_what_ran_out_of_iterations_is_not_called_coarse_nor_open(kind, rods):
    section, material = CORDS["nylon"]
    (one,), _ = chain(1, section, material, 2.0)
    ends = held(kind, ("r0.base", np.eye(4)), ("r0.tip", np.eye(4)), se3.pose((1.4, 0, 0)), None)
    several = jointed("balls", 3, fx.Circle(4e-3), MATERIAL)
    for robot in (fx.Robot("cord", [one], ends, [fx.Gravity()]), several):
        model = fx.build(robot, rods=rods)
        most = fx.statics(model).unwrap().iterations
        for k in range(min(most, 6)):
            assert fx.statics(model, iterations=k).status is fx.Status.EXHAUSTED
        assert fx.statics(model, iterations=most).converged


LINES = [fx.Spline(), fx.Hermite(), fx.ConstantStrain(), fx.VariableStrain()]


@pytest.mark.parametrize("joint", ["ball", "weld"])
@pytest.mark.parametrize("rods", [*LINES, fx.LinearStrain(16)], ids=lambda x: type(x).__name__)
def test_a_camera_on_two_lines_hangs_where_their_circles_meet(rods, joint):
    """It went downhill for 17 to 50 iterations from where its lines lie, or was OPEN after 541."""
    lines = [fx.Rod("l", 1.5, fx.Circle(2e-4), NYLON), fx.Rod("r", 1.2, fx.Circle(2e-4), NYLON)]
    joints = [
        fx.Ball("A", "world", "l.base"),
        fx.Ball("B", "world", "r.base", se3.pose((2.0, 0.0, 0.0))),
        fx.Ball("C", "cam", "l.tip") if joint == "ball" else fx.Weld("cam", "l.tip"),
        fx.Ball("D", "cam", "r.tip"),
    ]
    for order in (1, -1):
        robot = fx.Robot(
            "lines", lines[::order], joints[::order], [fx.Gravity()], bodies=[fx.Body("cam", 0.5)]
        )
        result = fx.statics(fx.build(robot, rods=rods)).unwrap()
        assert result.stable
        assert result.iterations <= 12
        x = (1.5**2 - 1.2**2 + 2.0**2) / 4.0
        place = (x, 0.0, -np.sqrt(1.5**2 - x**2))
        # both stretch by 1 %: 0.5 kg · g over EA = 390 N
        np.testing.assert_allclose(result.pose("cam")[:3, 3], place, atol=0.03)


@pytest.mark.parametrize("rods", LINES[:3], ids=lambda rods: type(rods).__name__)
def test_bodies_between_balls_hang_as_bars(rods):
    """Two links, one with its weight in its middle, and a rope on either side, turned or not."""
    potentials = []
    for turn in TURNS:
        world = se3.pose((0.0, 0.0, 0.0), turn)
        ropes = [fx.Rod(x, 0.5, fx.Circle(3e-4), NYLON) for x in ("a", "b")]
        bodies = [fx.Body("k", 0.1), fx.Body("m", 0.2, center=(0.05, 0.0, 0.0))]
        joints = [
            fx.Ball("p", "world", "a.base", world),
            fx.Ball("i", "k", "a.tip", se3.pose((-0.1, 0.0, 0.0))),
            fx.Ball("j", "k", "m", se3.pose((0.1, 0.0, 0.0))),
            fx.Ball("n", "m", "b.base", se3.pose((0.1, 0.0, 0.0))),
            fx.Ball("q", "world", "b.tip", world @ se3.pose((1.0, 0.2, 0.1))),
        ]
        gravity = fx.Gravity(tuple(world[:3, :3] @ (0.0, 0.0, -9.81)))
        robot = fx.Robot("links", ropes, joints, [gravity], bodies=bodies)
        result = fx.statics(fx.build(robot, rods=rods)).unwrap()
        assert result.stable
        assert result.iterations <= 8  # 66 and more, or OPEN
        potentials.append(result.potential)
    assert potentials[1] == pytest.approx(potentials[0], rel=1e-6)


LIGHT = {
    "1 N": (0.0, 1.0),
    "1 mN": (0.0, 1e-3),
    "1 uN": (0.0, 1e-6),
    "-1 mN": (0.0, -1e-3),
    "0.1 kg/m3": (0.1, 0.0),
    "1 g/m3": (1e-3, 0.0),
}


@pytest.mark.parametrize(
    "rods", [fx.RotationInterpolation(12), fx.VariableStrain((5, 5, 5, 0, 0, 0))]
)
@pytest.mark.parametrize(("density", "force"), LIGHT.values(), ids=LIGHT)
@pytest.mark.parametrize("turn", [0.0, -0.5 * np.pi])
def test_what_hardly_any_load_acts_on_buckles_beside_its_ball(turn, density, force, rods):
    """Clamps in line, closer than what is between them: a LinAlgError, OPEN, or 70 iterations."""
    world = se3.pose((0.0, 0.0, 0.0), (0.0, turn, 0.0))
    steel = fx.Material(young=2e11, poisson=0.3, density=density)
    parts = [fx.Rod(x, 0.5, fx.Circle(1e-2), steel) for x in ("a", "b")]
    joints = [
        fx.Weld("world", "a.base", world),
        fx.Ball("j", "a.tip", "b.base"),
        fx.Weld("world", "b.tip", world @ se3.pose((0.9, 0.0, 0.0))),
    ]
    loads = [fx.Gravity(), fx.PointLoad("f", "a.tip", force=tuple(force * world[:3, 0]))]
    result = fx.statics(fx.build(fx.Robot("two", parts, joints, loads), rods=rods)).unwrap()
    assert result.stable
    assert result.iterations <= 10
    # half of an elastica on two pins each, 1 m long and 0.9 m wide
    m = brentq(lambda m: 2.0 * ellipe(m) / ellipk(m) - 1.9, 1e-6, 0.9)
    bent = 8.0 * ellipk(m) * (ellipe(m) - (1.0 - m) * ellipk(m))
    assert result.energy == pytest.approx(parts[0].stiffness(0.0)[1] * bent, rel=1e-3)


@pytest.mark.parametrize("rods", LINES[:3], ids=lambda rods: type(rods).__name__)
def test_a_post_that_is_welded_to_the_world_holds_as_the_world_does(rods):
    """Balls on it were looked for twice as far away as it is, in 116 iterations."""
    lines = [fx.Rod(x, 1.0, fx.Circle(2e-4), NYLON) for x in ("a", "b")]
    at = se3.pose((0.3, 0.2, 1.0), (0.3, 0.2, 0.1))
    others = [
        fx.Ball("j", "a.tip", "b.base"),
        fx.Ball("q", "world", "b.tip", se3.pose((1.5, 0.0, 0.0))),
    ]
    joints = [fx.Ball("p", "world", "a.base", at), *others]
    plain = fx.statics(fx.build(fx.Robot("line", lines, joints, [fx.Gravity()]), rods=rods))
    joints = [fx.Weld("world", "post", at), fx.Ball("p", "post", "a.base"), *others]
    robot = fx.Robot("line", lines, joints, [fx.Gravity()], bodies=[fx.Body("post", 1.0)])
    result = fx.statics(fx.build(robot, rods=rods)).unwrap()
    assert result.iterations == plain.iterations
    assert result.energy == pytest.approx(plain.energy, rel=1e-9)


def test_no_linkage_is_closed_nor_rods_looked_at_that_rest_for_a_chain_that_hangs(monkeypatch):
    """Both took time in proportion to the square of the number of rods, or its cube."""
    monkeypatch.setattr(start_linkage, "close", None)
    looked, shape = [], HermiteRods.shape
    monkeypatch.setattr(HermiteRods, "shape", lambda *x: looked.append(1) or shape(*x))
    n = 20
    robot = jointed("balls", n, fx.Circle(4e-3), MATERIAL, length=0.5 * n)
    joints = [joint for joint in robot.joints if joint.name != "q"]
    end = fx.Ball("q", "world", f"r{n - 1}.tip", se3.pose((0.3 * n, 0.0, 0.1 * n)))
    robot = fx.Robot("chain", robot.rods, [*joints, end], robot.loads)
    result = fx.statics(fx.build(robot, rods=fx.Hermite(2))).unwrap()
    assert result.stable
    assert sum("turns freely about its own axis" in x for x in result.remarks) == n
    assert len(looked) <= 3 * n
