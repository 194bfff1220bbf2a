"""A leaf spring that is pressed against what is round: how hard, where and in which direction."""

import numpy as np
import pytest
from scipy.optimize import brentq

import flexura as fx
from flexura.lie import se3

LENGTH, THICK, ROUND, CLOSED = 0.08, 5e-4, 0.015, 2.6e-3
STEEL = fx.Material(young=207e9, poisson=0.29)
EI = STEEL.young * np.pi * THICK**4 / 4.0
ACROSS = (0.0, 0.0, np.pi / 2.0)  # a capsule along y
DESCRIPTIONS = [fx.Spline(3, 6), fx.Spline(3, 12), fx.LinearStrain(8), fx.VariableStrain()]


def pressed(shape, turn, height, rods):
    """The leaf hangs from a slider and is moved on to what is round, by increments."""
    away = ROUND + THICK
    offset = se3.pose((-away - 1e-3, 0.0, 0.06), (0.0, np.pi / 2.0, 0.0))
    leaf = fx.Rod("leaf", LENGTH, fx.Circle(THICK), STEEL)
    robot = fx.Robot(
        "leaf",
        rods=[leaf],
        joints=[
            fx.Slider("close", "world", "leaf.base", axis=(0, 0, 1), offset=offset, driven=True)
        ],
        obstacles=[fx.Obstacle("post", shape, pose=se3.pose((0.0, 0.0, height), turn))],
        contacts=[fx.Contact("leaf", "post")],
    )
    model, found = fx.build(robot, rods), None
    for part in (0.2, 0.27, 0.3, 0.6, 1.0):
        found = fx.statics(model, {"close": part * (CLOSED + 1e-3)}, start=found)
    return found.unwrap()


def linear(height):
    """Force and slope of a straight cantilever that touches the circle where it is normal to it."""

    def force(slope):
        """That bends the leaf to the circle, and how far from the base."""
        reach = 0.06 - height - (ROUND + THICK) * np.sin(slope)
        way = CLOSED + (ROUND + THICK) * (np.cos(slope) - 1.0)
        return 3.0 * EI * way / reach**3, reach

    def excess(slope):
        pressing, reach = force(slope)
        return pressing * reach**2 / (2.0 * EI) - slope

    slope = brentq(excess, 0.0, 0.3)
    return force(slope)[0], slope


@pytest.mark.parametrize("rods", DESCRIPTIONS, ids=str)
@pytest.mark.parametrize(
    ("shape", "turn"),
    [(fx.Sphere(ROUND), (0, 0, 0)), (fx.Capsule(ROUND, 0.05), ACROSS)],
    ids=["ball", "capsule"],
)
def test_forces_stand_upright_on_leaves_wherever_they_touch(shape, turn, rods):
    """Between points of the rod, too: as directions tell whether friction holds."""
    for height in np.linspace(0.0, 4e-3, 5):
        force = pressed(shape, turn, height, rods).contact_wrench("leaf", "post")[3:]
        expected, slope = linear(height)
        direction = np.arctan2(force[2], -force[0])
        assert direction == pytest.approx(slope, abs=2e-3)  # slopes of 0.065 to second order
        assert -force[0] == pytest.approx(expected, rel=0.01)


RUBBER = fx.Material(young=1e6, poisson=0.45, density=1100.0, viscosity=2e4)


def drooping(at):
    """An arm of rubber over the edge of a box, which is handed on from tangent to tangent there."""
    return fx.Robot(
        "over",
        rods=[fx.Rod("arm", 0.25, fx.Circle(4e-3), RUBBER)],
        joints=[fx.Weld("world", "arm.base", offset=se3.pose((0.0, 0.0, 0.025)))],
        obstacles=[fx.Obstacle("box", fx.Box(0.04, 0.1, 0.04), pose=se3.pose((at, 0.0, 0.0)))],
        contacts=[fx.Contact("arm", "box")],
        loads=[fx.Gravity()],
    )


@pytest.mark.parametrize("at", [0.11995, 0.12, 0.12005])
def test_an_arm_rests_on_an_edge_between_two_of_its_tangents(at):
    model = fx.build(drooping(at), fx.Spline(3, 12))
    assert fx.statics(model).converged
    motion = fx.simulate(model, 0.8, 0.005).unwrap()
    half = len(motion.t) // 2
    gained = np.diff(motion.balance)[half:]
    assert all(instant.pressing("arm", "box") > 0.1 for instant in motion[half:])
    assert gained.max() < 1e-9
