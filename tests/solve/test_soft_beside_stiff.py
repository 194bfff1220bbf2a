"""What is stiff elsewhere decides nothing about what is soft: forces, freedom and stability."""

import numpy as np
import pytest

import flexura as fx
from flexura.lie import se3

STEEL = fx.Material(young=210e9, poisson=0.3, density=0.0)
LENGTH, RADIUS = 0.2, 1e-3
DESCRIPTIONS = (fx.Spline(3, 12), fx.LinearStrain(8), fx.Hermite(8), fx.ConstantStrain(8))


def bending(young):
    """EI of the soft rod [N·m²]."""
    return young * np.pi * RADIUS**4 / 4.0


def robot(young, force, place, pull=0.0, bar=2e-2):
    """A soft rod under a force, and a bar of steel: nowhere, beside it, or what holds it."""
    soft = fx.Rod("soft", LENGTH, fx.Circle(RADIUS), fx.Material(young, 0.3, density=0.0))
    loads = [fx.PointLoad("force", "soft.tip", force)]
    if place == "alone":
        return fx.Robot("soft", [soft], [fx.Weld("world", "soft.base")], loads=loads)
    steel = fx.Rod("bar", 0.5, fx.Circle(bar), STEEL)
    loads.append(fx.PointLoad("pull", "bar.tip", (pull, 0.0, 0.0)))
    away = 5.0 if place == "beside" else 0.0
    joints = {
        "beside": [fx.Weld("world", "soft.base")],
        "on it": [fx.Weld("bar.tip", "soft.base", offset=se3.pose((-0.5, 0.0, 0.0)))],
        "on a body": [
            fx.Ball("ball", "bar.tip", "plate"),
            fx.Weld("plate", "soft.base", offset=se3.pose((-0.5, 0.0, 0.0))),
            fx.Weld("world", "plate", offset=se3.pose((0.5, 0.0, 0.0))),
        ],
    }[place]
    joints.append(fx.Weld("world", "bar.base", offset=se3.pose((0.0, away, 0.0))))
    bodies = [fx.Body("plate", 0.0, (0.0,) * 3)] if place == "on a body" else []
    return fx.Robot("both", [soft, steel], joints, loads=loads, bodies=bodies)


def solve(description, *given, **also):
    return fx.statics(fx.build(robot(*given, **also), description))


@pytest.mark.parametrize("pull", [0.0, 1000.0])
@pytest.mark.parametrize("young", [1e4, 1e5])
@pytest.mark.parametrize("place", ["beside", "on it", "on a body"])
@pytest.mark.parametrize("description", DESCRIPTIONS, ids=repr)
def test_forces_are_in_balance_where_they_are_small(description, place, young, pull):
    """A force that bends it, EI/L² times three: as alone. The bar is pulled by 4 µm at most."""
    force = (0.0, 0.0, 3.0 * bending(young) / LENGTH**2)
    alone = solve(description, young, force, "alone").unwrap()
    found = solve(description, young, force, place, pull).unwrap()
    off = found.pose("soft.tip")[:3, 3] - alone.pose("soft.tip")[:3, 3]
    moved = 0.5 * pull / (210e9 * np.pi * 0.02**2) if place == "on it" else 0.0
    assert found.stable
    np.testing.assert_allclose(off, (moved, 0.0, 0.0), atol=1e-8)
    assert found.remarks == alone.remarks
    assert abs(found.iterations - alone.iterations) <= 4  # a loop takes some more than a rod


@pytest.mark.parametrize("place", ["beside", "on it"])
@pytest.mark.parametrize("description", DESCRIPTIONS, ids=repr)
def test_columns_buckle(description, place):
    """At five times Euler's load, to whatever side: as far as alone."""
    force = (-5.0 * np.pi**2 * bending(1e6) / (4.0 * LENGTH**2), 0.0, 0.0)
    alone = solve(description, 1e6, force, "alone").unwrap()
    found = solve(description, 1e6, force, place).unwrap()
    x, *across = found.pose("soft.tip")[:3, 3]
    wanted, *aside = alone.pose("soft.tip")[:3, 3]
    assert found.stable
    assert x == pytest.approx(wanted, abs=1e-8)
    assert np.hypot(*across) == pytest.approx(np.hypot(*aside), abs=1e-8)


def test_free_motions_are_those_of_the_soft_rod():
    """On a ball it turns as it likes; beside a bar too, and nothing else does."""

    def pendulum(others):
        young = fx.Material(1e5, 0.3, density=1000.0)
        soft = fx.Rod("soft", LENGTH, fx.Circle(RADIUS), young)
        ball = fx.Ball("ball", "world", "soft.base", offset=se3.pose((0, 0, 0), (0, np.pi / 2, 0)))
        held = [fx.Weld("world", "bar.base", offset=se3.pose((0.0, 1.0, 0.0)))]
        return fx.Robot(
            "pendulum", [soft, *others], [ball, *held[: len(others)]], loads=[fx.Gravity()]
        )

    bar = fx.Rod("bar", 0.5, fx.Circle(2e-2), STEEL)
    alone = fx.statics(fx.build(pendulum([])))
    found = fx.statics(fx.build(pendulum([bar])))
    assert found.status == alone.status
    assert found.stable == alone.stable
    assert found.remarks == alone.remarks
    np.testing.assert_allclose(found.pose("soft.tip"), alone.pose("soft.tip"), atol=1e-8)


def test_modes_of_a_soft_rod_are_its_own():
    """Those that the bar does not have, by the same frequencies."""

    def modes(place):
        found = robot(1e5, (0.0, 0.0, 0.0), place)
        heavy = [
            fx.Rod(x.name, x.length, x.section, x.material, line_mass=1e-2) for x in found.rods
        ]
        whole = fx.Robot(found.name, heavy, found.joints, loads=found.loads)
        return fx.modes(fx.statics(fx.build(whole)).unwrap(), 4).frequency

    np.testing.assert_allclose(modes("beside"), modes("alone"), rtol=1e-6)
