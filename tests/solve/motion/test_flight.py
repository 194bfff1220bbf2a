"""Parts that nothing holds: they fly with simulate, and nothing else solves them."""

import numpy as np
import pytest
from motions import DESCRIPTIONS, EACH
from support import mixed, refused

import flexura as fx
from flexura import view
from flexura.cli.main import main
from flexura.lie import se3

RUBBER = fx.Material(1e6, 0.45, density=1000.0)
WEIGHTLESS = fx.Material(1e6, 0.45)
PLACE = se3.pose((0.1, 0.2, 0.3), (0.3, -0.5, 1.0))
G = np.array([0.5, 0.0, -9.81])


def rod(name="rod", material=RUBBER, **rest):
    return fx.Rod(name, 0.3, fx.Circle(0.01), material, **rest)


ROBOTS = {
    "rod": (fx.Robot("r", [rod()], loads=[fx.Gravity()]), "rod"),
    "body": (fx.Robot("r", bodies=[fx.Body("body", 1.0, (0.1, 0.1, 0.1))]), "body"),
    "one of two": (
        fx.Robot("r", [rod("held"), rod("loose")], [fx.Weld("world", "held.base")]), "loose",
    ),
    "ring": (
        fx.Robot(
            "r", [rod("ring", rest=(0, 0, 2 * np.pi / 0.3))], [fx.Weld("ring.base", "ring.tip")]
        ),
        "ring",
    ),
}  # fmt: skip
FLYING = pytest.mark.parametrize(("robot", "who"), ROBOTS.values(), ids=ROBOTS.keys())


@FLYING
def test_no_equilibrium_is_looked_for(robot, who):
    model = fx.build(robot)
    words = [repr(who), "no way to the world", "Weld('world'", "simulate"]
    for solve in (fx.statics, lambda m: fx.statics_many(m, [{}])):
        with refused(words):
            solve(model)
    instant = fx.simulate(model, 2e-3, 1e-3)[-1]
    with refused(words):
        fx.statics(model, start=instant)
    if robot.rods:
        with refused(words):
            fx.shooting(robot)


def test_no_path_is_followed():
    with refused(["'rod'", "no way to the world"]):
        fx.continuation(fx.build(ROBOTS["rod"][0]), "gravity", (0.0, 0.0, 1.0))


@FLYING
def test_they_are_drawn_and_told_of(robot, who, tmp_path, capsys):
    assert view.picture(robot, tmp_path / "robot.png", size=(320, 200)).any()
    path = tmp_path / "robot.toml"
    fx.save(robot, path)
    assert fx.load(path) == robot
    assert main(["show", str(path)]) == 0
    assert who in capsys.readouterr().out
    for command in ("solve", "compare"):
        assert main([command, str(path)]) == 2
        if robot.rods or command == "solve":
            assert "no way to the world" in capsys.readouterr().err
    assert who in repr(robot)
    assert fx.build(robot).n_dof > 0


@EACH
def test_free_fall(rods):
    """A curved rod falls as a whole, to the bit but for rounding, without any stress."""
    model = fx.build(fx.Robot("r", [rod(rest=(0, 0, 2.0))], loads=[fx.Gravity(G)]), rods=rods)
    motion = fx.simulate(model, 0.1, 0.01, place={"rod": PLACE}).unwrap()
    s = np.linspace(0.0, 0.3, 5)
    np.testing.assert_allclose(motion[0].pose("rod.base"), PLACE, atol=1e-15)
    fall = motion.pose("rod", s)[..., :3, 3] - motion[0].pose("rod", s)[:, :3, 3]
    expected = 0.5 * G * motion.t[:, None] ** 2
    np.testing.assert_allclose(fall, np.broadcast_to(expected[:, None], fall.shape), atol=1e-10)
    np.testing.assert_allclose(motion.internal_wrench("rod", 0.15), 0.0, atol=1e-9)
    assert np.ptp(motion.energy) <= 1e-10


def test_implicit_euler_falls_half_a_step_late():
    model = fx.build(fx.Robot("r", [rod()], loads=[fx.Gravity(G)]))
    motion = fx.simulate(model, 0.1, 0.01, integrator=fx.ImplicitEuler()).unwrap()
    t = motion.t[:, None]
    fall = motion.pose("rod.base")[:, :3, 3]
    np.testing.assert_allclose(fall, 0.5 * G * t * (t + 0.01), atol=1e-10)


def test_parts_that_hang_together_are_placed_together():
    ball = fx.Ball("ball", "rod.tip", "body")
    body = fx.Body("body", 1.0, (0.1, 0.1, 0.1))
    model = fx.build(fx.Robot("r", [rod()], [ball], bodies=[body]))
    first = fx.simulate(model, 1e-3, 1e-3, place={"body": PLACE})[0]
    np.testing.assert_allclose(first.pose("body"), PLACE, atol=1e-14)
    np.testing.assert_allclose(first.pose("rod.tip")[:3, 3], PLACE[:3, 3], atol=1e-14)
    with refused(["hang together", "'body'"]):
        fx.simulate(model, 1e-3, 1e-3, place={"rod": PLACE, "body": PLACE})


def test_the_unplaced_begin_at_the_origin():
    bodies = [fx.Body(name, 1.0, (0.1, 0.1, 0.1)) for name in "ab"]
    model = fx.build(fx.Robot("r", bodies=bodies))
    first = fx.simulate(model, 1e-3, 1e-3, place={"b": PLACE})[0]
    np.testing.assert_array_equal(first.pose("a"), np.eye(4))
    np.testing.assert_allclose(first.pose("b"), PLACE, atol=1e-15)


WEIGHTS = {
    "a rod without mass": (
        {"rods": [rod(), rod("light", WEIGHTLESS)]}, ["rod 'light'", "no mass", "a density"],
    ),
    "a body without mass": (
        {"rods": [rod()], "bodies": [fx.Body("light")]}, ["body 'light'", "no mass", "a mass"],
    ),
    "a point": ({"bodies": [fx.Body("point", 1.0)]}, ["body 'point'", "rotation", "inertia"]),
    "a point far off": (
        {"bodies": [fx.Body("point", 1.0, center=(1.0, 2.0, 3.0))]}, ["body 'point'", "rotation"],
    ),
    "two points": (
        {
            "bodies": [fx.Body("a", 1.0), fx.Body("b", 1.0)],
            "joints": [fx.Weld("a", "b", se3.pose((1.0, 2.0, 0.0)))],
        },
        ["body 'a'", "rotation"],
    ),
    "a rod that may roll": (
        {"rods": [fx.Rod("wire", 1.0, fx.Circle(0.01), WEIGHTLESS, line_mass=1.0,
                         line_inertia=(0.0, 0.0, 0.0))]},
        ["rod 'wire'", "rotation", "line_inertia"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("parts", "words"), WEIGHTS.values(), ids=WEIGHTS.keys())
def test_what_flies_must_resist_every_motion(parts, words):
    model = fx.build(fx.Robot("r", **parts))
    for start in (lambda: fx.simulate(model, 1e-2, 1e-3), lambda: fx.Simulation(model, 1e-3)):
        with refused(words):
            start()


def test_three_points_resist_every_motion():
    bodies = [
        fx.Body(name, 1.0, center=c)
        for name, c in (("a", (3, 4, 5)), ("b", (0, 1, 0)), ("c", (1, 1, 1)))
    ]
    welds = [fx.Weld("a", "b"), fx.Weld("b", "c")]
    model = fx.build(fx.Robot("r", bodies=bodies, joints=welds, loads=[fx.Gravity()]))
    motion = fx.simulate(model, 0.1, 0.01).unwrap()
    assert motion.pose("a")[-1, 2, 3] == pytest.approx(-0.5 * 9.81 * 0.01, rel=1e-9)


@EACH
def test_a_light_rod_between_heavy_bodies(rods):
    """Two bodies that are pushed apart on a spring without mass: x = F/2k (1 - cos ωt), ω² = 2k/m.

    They do not turn, as their moments of inertia are huge: 1/k = L³/12EI + L/GA.
    """
    spring = rod("spring", WEIGHTLESS)
    bodies = [fx.Body(name, 0.05, (10.0, 10.0, 10.0)) for name in "ab"]
    welds = [fx.Weld("spring.base", "a"), fx.Weld("spring.tip", "b")]
    bend, shear = spring.stiffness(0.0)[[1, 5]]
    flexibility = spring.length**3 / (12.0 * bend)
    if not isinstance(rods, fx.RotationInterpolation):
        flexibility += spring.length / shear
    omega, force = np.sqrt(2.0 / (0.05 * flexibility)), 1e-4 / flexibility
    loads = [fx.PointLoad(f"push {x}", x, (0, 0, f)) for x, f in (("a", -force), ("b", force))]
    model = fx.build(fx.Robot("r", [spring], welds, loads, bodies=bodies), rods=rods)
    half = np.pi / omega
    motion = fx.simulate(model, half, half / 40).unwrap()
    expected = 0.5 * (1.0 - np.cos(omega * motion.t))
    np.testing.assert_allclose(motion.pose("b")[:, 2, 3] / 1e-4, expected, atol=0.01)


LIGHT = {
    "along": ((0.0, 0.0, 0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0, 0.0, 0.0)),
    "across": ((0.0, 0.0, 0.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0, 0.0, 0.0, 1.0)),
    "turning": ((0.0, -2.0, 0.0, 0.0, 0.0, 0.0), (0.0, -2.0, 0.0, 0.0, 0.0, 0.6)),
    "stretching": ((0.0, 0.0, 0.0, -0.1, 0.0, 0.0), (0.0, 0.0, 0.0, 0.1, 0.0, 0.0)),
}


@mixed(
    together=2,
    rods=DESCRIPTIONS,
    ends=LIGHT,
    integrator=[fx.GeneralizedAlpha(), fx.Variational()],
)
def test_velocities_with_a_light_rod(rods, ends, integrator):
    """A rod without mass goes along with its ends as it would if it had to bend least."""
    rods, (a, b) = DESCRIPTIONS[rods], LIGHT[ends]
    if isinstance(rods, fx.RotationInterpolation) and a[3] != b[3]:
        pytest.skip("it does not stretch")
    bodies = [fx.Body(name, 0.05, (1e-3, 1e-3, 1e-3)) for name in "ab"]
    welds = [fx.Weld("rod.base", "a"), fx.Weld("rod.tip", "b")]
    model = fx.build(fx.Robot("r", [rod(material=WEIGHTLESS)], welds, bodies=bodies), rods=rods)
    motion = fx.simulate(model, 2e-6, 1e-6, velocity={"a": a, "b": b}, integrator=integrator)
    middle = 0.5 * (np.array(a) + b)
    # By then bodies and rod have moved by 2e-6 of what a second does.
    for instant in motion.unwrap().results:
        np.testing.assert_allclose(instant.velocity("a"), a, atol=1e-5)
        np.testing.assert_allclose(instant.velocity("b"), b, atol=1e-5)
        np.testing.assert_allclose(instant.velocity("rod", 0.15), middle, atol=1e-5)
