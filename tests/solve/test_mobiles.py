"""What hangs on one joint by other joints: lamps on lines, sticks on threads, mobiles."""

import numpy as np
import pytest

import flexura as fx
from flexura.lie import se3, so3
from flexura.model.turning import Rigid, let_hang

DESCRIPTIONS = [
    fx.Spline(),
    fx.LinearStrain(),
    fx.LinearStrain(24),
    fx.VariableStrain(),
    fx.Hermite(12),
]
EACH = pytest.mark.parametrize("rods", DESCRIPTIONS, ids=str)
G = 9.81
LINE = fx.Rod("line", 0.5, fx.Circle(diameter=0.4e-3), fx.materials.nylon)


def stretched(rod, below):
    """Its length with a weight at its end, upright [m]."""
    own = G * rod.mass_per_length(0.0) * rod.length
    return rod.length * (1.0 + (below + 0.5 * own) / rod.stiffness(0.0)[3])


@EACH
@pytest.mark.parametrize("end", ["base", "tip"])
@pytest.mark.parametrize("mass", [0.001, 0.02, 0.2])
def test_a_lamp_hangs_below_its_line(mass, end, rods):
    """By balls at both ends it was at its LIMIT after 601 iterations, at load factor 0."""
    eye = np.array([0.0, 0.05, 0.03])
    other = {"base": "tip", "tip": "base"}[end]
    joints = [
        fx.Ball("hook", "world", f"line.{end}"),
        fx.Ball("eye", f"line.{other}", fx.At("lamp", offset=se3.pose(eye))),
    ]
    lamp = fx.Body("lamp", mass)
    robot = fx.Robot("lamp", [LINE], joints, [fx.Gravity()], bodies=[lamp])
    result = fx.statics(fx.build(robot, rods)).unwrap()
    assert result.stable
    assert result.iterations <= 8
    depth = stretched(LINE, G * mass) + np.linalg.norm(eye)
    # strains are small, (W/EA)² of the length is what differs
    assert result.pose("lamp")[:3, 3] == pytest.approx([0.0, 0.0, -depth], abs=1e-4)


@EACH
@pytest.mark.parametrize("radius", [2e-4, 3e-4])
def test_a_stick_hangs_below_its_thread(radius, rods):
    """LinearStrain was at its LIMIT, a spline took 214 to 321 iterations."""
    thread = fx.Rod("thread", 0.3, fx.Circle(radius), fx.materials.find("tpu"))
    stick = fx.Rod("stick", 0.2, fx.Circle(5e-3), fx.materials.nylon)
    joints = [fx.Ball("hook", "world", "thread.base"), fx.Ball("eye", "thread.tip", "stick.base")]
    pull = fx.PointLoad("pull", "stick.tip", force=(0.0, 0.0, -0.3))
    robot = fx.Robot("stick", [thread, stick], joints, [fx.Gravity(), pull])
    result = fx.statics(fx.build(robot, rods)).unwrap()
    assert result.stable
    assert result.iterations <= 8
    weight = G * stick.mass_per_length(0.0) * stick.length
    depth = stretched(thread, 0.3 + weight)
    # the law of stretch is linear in the strain, which is 8 % at most
    assert result.pose("stick.base")[:3, 3] == pytest.approx([0.0, 0.0, -depth], abs=1e-6)


@EACH
def test_a_mobile_leans_to_its_heavier_side(rods):
    """A bar with its eye above its middle: tan θ = (m₁ - m₂) l / ((m₁ + m₂ + m) h)."""
    half, above, masses, bar = 0.2, 0.05, (0.03, 0.02), 0.04
    names = ("top", "left", "right")
    lines = [fx.Rod(x, 0.3, fx.Circle(diameter=0.3e-3), fx.materials.nylon) for x in names]
    bodies = [fx.Body("bar", bar), fx.Body("a", masses[0]), fx.Body("b", masses[1])]
    joints = [
        fx.Ball("hook", "world", "top.base"),
        fx.Ball("eye", "top.tip", fx.At("bar", offset=se3.pose((0.0, 0.0, above)))),
    ]
    for name, body, x in (("left", "a", -half), ("right", "b", half)):
        at = fx.At("bar", offset=se3.pose((x, 0.0, 0.0)))
        joints += [fx.Ball(f"at {name}", at, f"{name}.base"), fx.Weld(f"{name}.tip", body)]
    robot = fx.Robot("mobile", lines, joints, [fx.Gravity()], bodies=bodies)
    result = fx.statics(fx.build(robot, rods)).unwrap()
    assert result.stable
    assert result.iterations <= 12
    own = LINE.material.density * np.pi * 0.15e-3**2 * 0.3  # of a line, as good as at its eye
    first, second = masses[0] + own, masses[1] + own
    lean = np.arctan2((first - second) * half, (first + second + bar) * above)
    R = result.pose("bar")[:3, :3]
    assert R[2, 0] == pytest.approx(np.sin(lean), abs=1e-5)
    left, low = (result.pose(x)[:3, 3] for x in ("left.base", "left.tip"))
    assert (low - left)[:2] == pytest.approx([0.0, 0.0], abs=1e-6)


@EACH
def test_lines_point_along_what_pulls_at_them(rods):
    """A side load on the lower one of two bodies pulls both lines, each by what is below it."""
    lines = [fx.Rod(x, 0.4, fx.Circle(diameter=0.3e-3), fx.materials.nylon) for x in ("a", "b")]
    bodies = [fx.Body("upper", 0.1), fx.Body("lower", 0.05)]
    joints = [
        fx.Ball("hook", "world", "a.base"),
        fx.Ball("one", "a.tip", "upper"),
        fx.Hinge("two", "upper", "b.tip", (0.0, 1.0, 0.0)),
        fx.Ball("three", "b.base", "lower"),
    ]
    push = fx.PointLoad("push", "lower", force=(0.6, 0.0, 0.0))
    robot = fx.Robot("lines", lines, joints, [fx.Gravity(), push], bodies=bodies)
    result = fx.statics(fx.build(robot, rods)).unwrap()
    assert result.stable
    assert result.iterations <= 16
    places = [result.pose(x)[:3, 3] for x in ("a.base", "upper", "lower")]
    for here, there, mass in ((places[0], places[1], 0.15), (places[1], places[2], 0.05)):
        way = (there - here) / np.linalg.norm(there - here)
        pull = np.array([0.6, 0.0, -G * mass])
        # lines weigh 0.3 mN, a two-thousandth of the pull
        assert way == pytest.approx(pull / np.linalg.norm(pull), abs=1e-3)


def test_pieces_on_hinges_turn_until_no_moment_is_left():
    """About every axis, by all forces beyond; and it is a minimum there."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        pieces = []
        for k in range(4):
            axes = np.eye(3) if k == 0 else so3.exp(rng.normal(size=3))[:1]
            piece = Rigid(np.eye(4), int(rng.integers(k)) if k else -1, rng.normal(size=3), axes)
            for _ in range(3):
                piece.pulled(rng.normal(size=3), rng.normal(size=3) - [0.0, 0.0, 2.0])
            pieces.append(piece)
        let_hang(pieces, 1.0)
        moved = [
            [(piece.moved(x), f) for x, f in zip(piece.places, piece.forces, strict=True)]
            for piece in pieces
        ]
        for k, piece in enumerate(pieces):
            beyond = {k}
            for i in range(k + 1, len(pieces)):
                beyond |= {i} if pieces[i].before in beyond else set()
            pivot = piece.moved(piece.pivot)
            pulls = [(x - pivot, f) for i in beyond for x, f in moved[i]]
            size = sum(np.linalg.norm(arm) * np.linalg.norm(f) for arm, f in pulls)
            moment = sum(np.cross(arm, f) for arm, f in pulls)
            for axis in piece.axes @ piece.motion[:3, :3].T:
                assert abs(axis @ moment) < 1e-5 * size
                across = sum((arm - (arm @ axis) * axis) @ f for arm, f in pulls)
                assert across > -1e-6 * size
            if piece.before >= 0:  # joints stay together
                assert pieces[piece.before].moved(piece.pivot) == pytest.approx(pivot, abs=1e-9)
