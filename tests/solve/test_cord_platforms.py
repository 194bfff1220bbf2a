"""Platforms on limp cords, and cords whose ends are close, in elements that bend by themselves."""

import numpy as np
import pytest

import flexura as fx
from flexura.lie import se3
from flexura.model.start import start_state
from flexura.robot import Joint
from flexura.rods.discretization import Discretization
from flexura.solve.equilibrium import Equilibrium, Iterate
from flexura.solve.mechanism import at_rest
from flexura.solve.workspace import workspace


def platform(n: int, mixed: bool = False) -> fx.Robot:
    """A plate on cords from a wider ring, which lie in a plane unless they hang."""
    turns = 2.0 * np.pi * np.arange(n) / n
    sides = [np.array([np.cos(a), np.sin(a), 0.0]) for a in turns]
    rods = [fx.Rod(f"c{i}", 1.2, fx.Circle(3e-4), fx.materials.nylon) for i in range(n)]
    above: list[Joint] = [
        fx.Ball(f"a{i}", "world", f"c{i}.base", offset=se3.pose(0.8 * side))
        for i, side in enumerate(sides)
    ]
    below: list[Joint] = [
        fx.Ball(f"b{i}", "plate", f"c{i}.tip", offset=se3.pose(0.1 * side))
        for i, side in enumerate(sides)
    ]
    joints = [x for pair in zip(above, below, strict=True) for x in pair]
    bodies = [fx.Body("plate", mass=0.2)]
    return fx.Robot(
        "platform", rods, joints if mixed else above + below, [fx.Gravity()], bodies=bodies
    )


def cord(radius: float, end: tuple[float, float, float]) -> fx.Robot:
    """A nylon cord of 2 m on two balls."""
    rod = fx.Rod("cord", 2.0, fx.Circle(radius), fx.materials.nylon)
    joints = [
        fx.Ball("l", "world", "cord.base"),
        fx.Ball("r", "world", "cord.tip", offset=se3.pose(end)),
    ]
    return fx.Robot("cord", [rod], joints, [fx.Gravity()])


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("n", [3, 4])
@pytest.mark.parametrize("rods", [fx.LinearStrain(4), fx.LinearStrain(48), fx.Power(degree=3)])
def test_a_platform_on_cords_hangs(rods: Discretization, n: int, mixed: bool) -> None:
    """As deep as straight cords have it that stretch by their tension, in any order of joints."""
    found = fx.statics(fx.build(platform(n, mixed), rods))
    assert found.status.converged, found.status
    assert found.stable
    assert found.iterations < 100
    place = found.pose("plate")[:3, 3]
    straight = np.sqrt(1.2**2 - 0.7**2)
    pull = 0.2 * 9.81 / n * 1.2 / straight
    longer = 1.2 * (1.0 + pull / (fx.materials.nylon.young * np.pi * 3e-4**2))
    assert place == pytest.approx([0.0, 0.0, -np.sqrt(longer**2 - 0.7**2)], abs=1e-4)


@pytest.mark.parametrize("elements", [12, 24, 96])
@pytest.mark.parametrize(
    ("radius", "end"), [(2e-4, (0.1, 0.0, 0.0)), (2e-4, (0.3, 0.0, 0.4)), (2e-4, (0.002, 0, 0))]
)
def test_a_deep_cord_is_found_by_elements_that_can_follow(
    elements: int, radius: float, end: tuple[float, float, float]
) -> None:
    """Where it bends most, within 0.1 m, it is wider than any catenary between its ends."""
    robot, s = cord(radius, end), np.linspace(0.0, 2.0, 81)
    found = fx.statics(fx.build(robot, fx.LinearStrain(elements)))
    assert found.status.converged, found.status
    assert found.stable
    assert found.iterations <= 20
    fine = fx.statics(fx.build(robot, fx.Spline(spans=96))).pose("cord", s)
    away = np.linalg.norm((found.pose("cord", s) - fine)[:, :3, 3], axis=1)
    assert away.max() < 5e-3


@pytest.mark.parametrize("beyond", [np.inf, np.nan])
def test_forces_beyond_floats_hold_nothing_at_rest(beyond: float) -> None:
    """What nothing resists cannot be told then; LAPACK is not asked."""
    model = fx.build(platform(3), fx.Hermite(2))
    given = model.inputs.described
    with workspace(model) as assembly:
        Equilibrium(assembly, given).evaluate(Iterate(start_state(model, given).state))
        assert at_rest(assembly) is not None
        assembly.values[0] = beyond
        assert at_rest(assembly) is None
