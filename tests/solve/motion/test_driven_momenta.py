"""Robots that inputs move, by integrators that go from momentum to momentum."""

import numpy as np
import pytest

import flexura as fx
from flexura.lie import se3

STEEL = fx.Material(210e9, 0.3, density=7800.0)
STRIP = fx.Rectangle(width=1e-3, height=1e-2)
CRANK, COUPLER, ROCKER, GROUND = 0.1, 0.3, 0.25, 0.32
AXIS = (0.0, 0.0, 1.0)
EACH = pytest.mark.parametrize(
    "integrator", [fx.Variational(), fx.SymplecticEuler()], ids=lambda x: type(x).__name__
)


def turned(angle, x=0.0):
    return se3.pose((x, 0.0, 0.0), (0.0, 0.0, angle))


def crank(mass=0.1):
    body = fx.Body("crank", mass, (1e-5, 1e-4, 1e-4), center=(CRANK / 2, 0.0, 0.0))
    return body, fx.Hinge(
        "motor", "world", "crank", axis=AXIS, offset=turned(np.pi / 2), driven=True
    )


def four_bar(rigid):
    """Crank upright, coupler as a rod or as a body, rocker; all hinges are parallel."""
    begin, end = np.array([0.0, CRANK]), np.array([GROUND, 0.0])
    way = end - begin
    far = np.hypot(*way)
    up = np.arccos((COUPLER**2 + far**2 - ROCKER**2) / (2.0 * COUPLER * far))
    leaning = np.arctan2(way[1], way[0]) + up
    top = begin + COUPLER * np.array([np.cos(leaning), np.sin(leaning)]) - end
    steep = np.arctan2(top[1], top[0])
    body, motor = crank()
    bodies = [body, fx.Body("rocker", 0.1, (1e-5, 5e-4, 5e-4), center=(ROCKER / 2, 0.0, 0.0))]
    rods, first, last = [fx.Rod("coupler", COUPLER, STRIP, STEEL)], "coupler.base", "coupler.tip"
    if rigid:
        middle = se3.pose((COUPLER, 0.0, 0.0))
        rods, first, last = [], "coupler", fx.At("coupler", offset=middle)
        bodies.append(fx.Body("coupler", 0.02, (1e-7, 2e-4, 2e-4), center=(COUPLER / 2, 0, 0)))
    joints = [
        motor,
        fx.Hinge("A", "crank", first, axis=AXIS, offset=turned(leaning - np.pi / 2, CRANK)),
        fx.Hinge("G", "world", "rocker", axis=AXIS, offset=turned(steep, GROUND)),
        fx.Hinge("B", "rocker", last, axis=AXIS, offset=turned(leaning - steep, ROCKER)),
    ]
    return fx.Robot("four-bar", rods=rods, bodies=bodies, joints=joints)


def smooth(t):
    """From rest to 4π rad/s, with an acceleration that does not jump."""
    return 4.0 * np.pi * (t**3 / 0.04 - t**4 / 0.016)


def by_differences(motion, frame, i):
    """The velocity of a frame, from where it was before and is after, of second order."""
    before, after = motion[i - 1].pose(frame), motion[i + 1].pose(frame)
    return se3.log(se3.inverse(before) @ after) / (motion.t[i + 1] - motion.t[i - 1])


@pytest.mark.parametrize(
    "weightless", [False, True], ids=["all of it weighs", "a rod without mass"]
)
def test_what_hangs_on_a_driven_body_goes_with_it(weightless):
    body, motor = crank()
    material = fx.Material(210e9, 0.3, density=0.0 if weightless else 7800.0)
    robot = fx.Robot(
        "whip",
        rods=[fx.Rod("rod", COUPLER, STRIP, material)],
        bodies=[body, fx.Body("bob", 0.02, (1e-6, 1e-6, 1e-6))],
        joints=[
            motor,
            fx.Hinge("A", "crank", "rod.base", axis=AXIS, offset=turned(0.0, CRANK)),
            fx.Weld("rod.tip", "bob"),
        ],
    )
    model = fx.build(robot, rods=fx.Spline(degree=3, spans=3))
    motion = fx.simulate(model, 0.05, 1e-3, {"motor": smooth}, integrator=fx.Variational()).unwrap()
    for frame in ("crank", "rod.base", "rod.tip", "bob"):
        found, expected = motion[45].velocity(frame), by_differences(motion, frame, 45)
        # Of second order; the base turns to and fro faster than steps tell, so not by its rotation.
        np.testing.assert_allclose(found[3:], expected[3:], atol=1e-3 * np.abs(expected).max())


def test_the_balance_of_a_four_bar_is_of_second_order():
    model = fx.build(four_bar(rigid=False), rods=fx.Spline(degree=3, spans=3))
    start = fx.statics(model).unwrap(unstable=True)
    missing = []
    for h in (4e-3, 2e-3):
        motion = fx.simulate(
            model, 0.12, h, {"motor": smooth}, start=start, integrator=fx.Variational()
        ).unwrap()
        missing.append(np.ptp(motion.balance))
        assert missing[-1] <= 1e-3 * motion.work[-1]
    assert missing[0] / missing[1] == pytest.approx(4.0, rel=0.2)


@EACH
def test_a_loop_that_holds_itself_more_than_once(integrator):
    """Four parallel hinges leave three forces open; motions are determined, and told."""
    model = fx.build(four_bar(rigid=True))
    motion = fx.simulate(model, 0.05, 1e-3, {"motor": smooth}, integrator=integrator).unwrap()
    order = 2e-3 if isinstance(integrator, fx.Variational) else 0.04
    for frame in ("rocker", "coupler"):
        found, expected = motion[40].velocity(frame), by_differences(motion, frame, 40)
        np.testing.assert_allclose(found, expected, atol=order * np.abs(expected).max())


def test_what_a_hinge_holds_at_first():
    """A stick that is let go from the horizontal: a quarter of its weight, before it has swung."""
    stick = fx.Body("stick", 1.0, (0.0, 1.0 / 12.0, 1.0 / 12.0), center=(0.5, 0.0, 0.0))
    robot = fx.Robot(
        "stick", bodies=[stick], joints=[fx.Hinge("pin", "world", "stick", axis=(0, 1, 0))],
        loads=[fx.Gravity()],
    )  # fmt: skip
    motion = fx.simulate(fx.build(robot), 3e-3, 1e-3, integrator=fx.Variational()).unwrap()
    for instant in motion[1:]:
        assert instant.reaction("pin")[5] == pytest.approx(9.81 / 4.0, rel=1e-4)


@pytest.mark.parametrize("h", [2e-3, 1e-3])
def test_a_crank_that_begins_at_its_speed(h):
    """All goes along from the first step on, as rigid bars would, and nothing explodes."""
    model = fx.build(four_bar(rigid=False), rods=fx.Spline(degree=3, spans=3))
    motion = fx.simulate(
        model, 0.05, h, {"motor": lambda t: 5.0 * t}, start=fx.statics(model)
    ).unwrap()
    bars = fx.simulate(fx.build(four_bar(rigid=True)), 0.05, h, {"motor": lambda t: 5.0 * t})
    # A strip that weighs 3 g more than the bar, and bends by millimetres after a blow.
    np.testing.assert_allclose(motion.kinetic[:3], bars.kinetic[:3], rtol=0.05)
    np.testing.assert_allclose(motion.kinetic, bars.kinetic, rtol=0.25)
    assert np.ptp(motion.balance) <= 0.02 * motion.kinetic[0]
    assert any("'motor' begins at once" in remark for remark in motion.remarks)
