"""What hinges let go on, downhill from where it begins, until it leans on what is in the way."""

import numpy as np
import pytest
from contact_laws import check_contacts

import flexura as fx
from flexura.lie import se3

G, MASS, THICK = 9.81, 2.0, 0.01
STIFF = fx.Material(young=5e9, poisson=0.3, density=1000.0)
ROUND = fx.Sphere(THICK, pose=se3.pose((1.0, 0.0, 0.0)))
LONG = fx.Capsule(THICK, 1.0, axis=(1, 0, 0), pose=se3.pose((0.5, 0.0, 0.0)))


def hinged(degrees, solid, shape=LONG, friction=0.0, where=(0.0, 0.0, 0.0)):
    """A bar of 1 m or, without a shape, a rod on a hinge, described at an angle above x."""
    bodies, rods, name = [], [], "bar"
    offset = se3.pose((0.0, 0.0, 0.0), (0.0, -np.radians(degrees), 0.0))
    if shape is None:
        rods, name = [fx.Rod("bar", 1.0, fx.Circle(radius=THICK), STIFF)], "bar.base"
    else:
        inertia = (1e-3, MASS / 12.0, MASS / 12.0)
        bodies = [fx.Body("bar", MASS, inertia, center=(0.5, 0.0, 0.0), shape=shape)]
    robot = fx.Robot(
        "leans",
        rods=rods,
        bodies=bodies,
        joints=[fx.Hinge("foot", "world", name, axis=(0, 1, 0), offset=offset)],
        loads=[fx.Gravity()],
        obstacles=[fx.Obstacle("other", solid, pose=se3.pose(where))],
        contacts=[fx.Contact("bar", "other", friction=friction)],
    )
    return fx.build(robot, rods=fx.Spline(3, 3))


def angle(result, degrees):
    """Above x [degrees]."""
    return degrees - float(np.degrees(result.coordinate("foot")))


def wall(degrees, gap):
    return fx.Plane(normal=(-1, 0, 0), point=(np.cos(np.radians(degrees)) + THICK + gap, 0, 0))


@pytest.mark.parametrize("shape", [ROUND, LONG], ids=["ball", "capsule"])
@pytest.mark.parametrize(
    ("degrees", "gap", "friction"),
    [(60, 1e-4, 0.0), (65, 1e-4, 0.0), (75, 0.0, 0.3), (75, 1e-2, 0.0), (85, 1e-6, 0.3)],
)
def test_a_ladder_leans_on_its_wall(degrees, gap, friction, shape):
    """cos θ is where the wall is, N = W / (2 tan θ): the foot is held whatever rubs at the top."""
    result = fx.statics(hinged(degrees, wall(degrees, gap), shape, friction)).unwrap()
    check_contacts(result)
    leans = np.arccos(np.cos(np.radians(degrees)) + gap)
    assert np.radians(angle(result, degrees)) == pytest.approx(leans, abs=1e-8)
    if not friction:
        pressing = 0.5 * MASS * G / np.tan(leans)
        assert result.pressing("bar", "other") == pytest.approx(pressing, rel=1e-7)
        assert result.stable


@pytest.mark.parametrize("degrees", [60, 75])
def test_a_rod_leans_on_its_wall(degrees):
    """N z = W x / 2, but for what it bends: 2e-3 of that."""
    result = fx.statics(hinged(degrees, wall(degrees, 1e-4), None)).unwrap()
    check_contacts(result)
    weight = G * STIFF.density * np.pi * THICK**2
    pressing = 0.5 * weight / np.tan(np.radians(degrees))
    assert result.pressing("bar", "other") == pytest.approx(pressing, rel=5e-3)


@pytest.mark.parametrize("degrees", [30, 70, 89, 90 - 1e-4, 90 + 1e-4, 100, 150])
def test_a_flap_falls_to_its_side(degrees):
    """On a table below its hinge, however near to the top it begins: sin θ = -(h - r) / L."""
    result = fx.statics(hinged(degrees, fx.Plane(point=(0, 0, -0.2)))).unwrap()
    rests = -np.degrees(np.arcsin(0.19))
    wanted = rests if degrees < 90 else 180.0 - rests
    assert angle(result, degrees) == pytest.approx(wanted, abs=1e-5)
    assert result.pressing("bar", "other") == pytest.approx(0.5 * MASS * G, rel=1e-7)
    assert result.iterations <= 30


def test_what_leans_does_not_go_back_over_the_top():
    """From 0.1 degrees beyond it, onto a plane that it meets where it still meets no resistance."""
    normal, away = np.array([0.98548888, 0.0, 0.16973998]), 0.09924879869800101
    result = fx.statics(hinged(90.1152, fx.Plane(normal=normal, point=-away * normal))).unwrap()
    tilt = np.arctan2(normal[2], normal[0])
    wanted = np.pi + tilt - np.arccos(away - THICK)  # n · p = r - d
    assert np.radians(angle(result, 90.1152)) == pytest.approx(wanted, abs=1e-7)


def test_a_thin_bar_does_not_pass_a_ball():
    """The ball is thicker than the bar: their middles tell on which side of it the bar is."""
    radius, where = 0.11973967075472117, np.array([-0.7117825, 0.0, -0.4512881])
    degrees = float(np.degrees(1.570926996907035))
    result = fx.statics(hinged(degrees, fx.Sphere(radius), where=where)).unwrap()
    far = np.linalg.norm(where)
    wanted = np.arctan2(where[2], where[0]) - np.arcsin((radius + THICK) / far) + 2.0 * np.pi
    assert np.radians(angle(result, degrees)) == pytest.approx(wanted, abs=1e-7)
