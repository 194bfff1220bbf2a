"""How two equilibria are compared."""

import numpy as np
from hypothesis import assume

# What rounding leaves of poses and energies, over the size of the robot: steps of Newton end at
# 1e-8 of it, and what comes after them is far smaller.
ROUNDING = 1e-6


def is_judged(result):
    """Whether a solve has ended in an equilibrium that is not known to be unstable."""
    return result.converged and result.stable is not False


def equilibrium(case, gentle=False):
    """The stable equilibrium of a robot; one that has none is not judged (``test_solved``).

    With ``gentle`` no robot is judged that stores more energy than it takes to bend it a lot: rods
    that are pulled hard between their ends have boundary layers, which take very fine
    descriptions, and rods that are pushed buckle to either side.
    """
    result = case.solve()
    assume(is_judged(result))
    assume(not gentle or result.energy <= stiffness_of(case))
    return result


def stiffness_of(case):
    """What it takes to bend all rods by one radian [J]."""
    robot = case.robot
    return min(min(rod.stiffness(0.5 * rod.length)[:3]) for rod in robot.rods) / case.length


def shape(case, result):
    """Poses along all rods and of all bodies, by name, (n, 4, 4)."""
    found = {
        rod.name: result.pose(rod.name, np.linspace(0.0, rod.length, 5)) for rod in case.robot.rods
    }
    return found | {body.name: result.pose(body.name)[None] for body in case.robot.bodies}


def check_shapes(found, expected, length, tolerance=ROUNDING):
    """Poses are the same, positions to a part of the length."""
    assert found.keys() == expected.keys()
    for name, poses in expected.items():
        unit = np.array([[1.0, 1.0, 1.0, length]] * 3)
        off = np.abs((found[name] - poses)[:, :3] / unit).max()
        assert off <= tolerance, f"{name} is off by {off:.2g}"


def check_same(found, expected, change=lambda T: T, tolerance=ROUNDING, length=1.0, energy=1.0):
    """Two solves have the same equilibrium, but for a change of poses and of units.

    Args:
        found, expected: pairs of a case and its result.
        change: of the poses that are expected.
        tolerance: over the size of the robot.
        length, energy: factors of the units.
    """
    (case, result), (reference, wanted) = found, expected
    assert result.converged, f"{result.status.name} instead of {wanted.status.name}"
    shapes = {
        name: np.array([change(T) for T in poses])
        for name, poses in shape(reference, wanted).items()
    }
    check_shapes(shape(case, result), shapes, case.length, tolerance)
    assert result.stable == wanted.stable
    unit = energy * stiffness_of(reference)
    off = abs(result.energy - energy * wanted.energy) / (unit + result.energy)
    assert off <= tolerance, f"energy is off by {off:.2g}"
    check_tendons(result, wanted, unit, tolerance, length, energy)


def check_tendons(result, wanted, unit, tolerance, length, energy):
    """Tensions and lengths of tendons are the same."""
    for tendon in wanted.model.robot.tendons:
        pull, way = wanted.tension(tendon.name), wanted.tendon_length(tendon.name)
        force = energy / length
        size = force * pull + 100.0 * unit / (length * way)
        off = abs(result.tension(tendon.name) - force * pull) / size
        assert off <= tolerance, f"the tension of {tendon.name} is off by {off:.2g}"
        off = abs(result.tendon_length(tendon.name) / (length * way) - 1.0)
        assert off <= tolerance, f"the length of {tendon.name} is off by {off:.2g}"
