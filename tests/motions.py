"""What tests of motion share: descriptions, and sums over a robot that are found independently."""

import numpy as np
import pytest
from properties.forces import along, wrench_about_origin

import flexura as fx
from flexura.lie import se3
from flexura.model.motion.momentum import masses

DESCRIPTIONS = {
    "spline": fx.Spline(3, 8),
    "plain spline": fx.Spline(3, 8, assumed_strain=False),
    "hermite": fx.Hermite(6),
    "power": fx.Power(3, 4),
    "linear strain": fx.LinearStrain(8),
    "variable strain": fx.VariableStrain((4, 6, 6, 4, 4, 4)),
    "constant strain": fx.ConstantStrain(16),
    "rotation interpolation": fx.RotationInterpolation(4),
}
EACH = pytest.mark.parametrize("rods", DESCRIPTIONS.values(), ids=DESCRIPTIONS.keys())
KINDS = ("spline", "linear strain", "rotation interpolation")  # the others in `make test-long`
SOME = pytest.mark.parametrize(
    "rods",
    [
        pytest.param(rods, id=name, marks=() if name in KINDS else (pytest.mark.long,))
        for name, rods in DESCRIPTIONS.items()
    ],
)
STRETCHING = [name for name in DESCRIPTIONS if name != "rotation interpolation"]
EACH_STRETCHING = pytest.mark.parametrize(
    "rods", [DESCRIPTIONS[name] for name in STRETCHING], ids=STRETCHING
)


def momentum_of(instant, rods=None, begin=0.0):
    """Angular momentum about the origin, and momentum, in world axes, by quadrature, (6,).

    Args:
        instant: of a motion.
        rods: names of the rods that count, with no bodies; None for the whole robot.
        begin: arc length from which on they count [m].
    """
    robot, total = instant.model.robot, np.zeros(6)
    for rod in robot.rods:
        if rods is None or rod.name in rods:
            for s, weight, T in along(instant, rod.name, begin, rod.length):
                own = weight * rod.inertia(s) * instant.velocity(rod.name, s)
                total += wrench_about_origin(T, own)
    for body in robot.bodies if rods is None else ():
        center = se3.pose(body.center)
        twist = se3.Ad(se3.inverse(center)) @ instant.velocity(body.name)
        own = np.array([*body.inertia, *[body.mass] * 3]) * twist
        total += wrench_about_origin(instant.pose(body.name) @ center, own)
    return total


def momentum_between(before, after):
    """Momentum as two places tell it, one variational step apart, as ``momentum_of``, (6,).

    That of Σ dᵀ M d / 2h, d = log(g₀⁻¹ g₁), by the end of the step: what acts inside a robot that
    flies adds nothing to the sum. No momentum or velocity that the steps carry along is asked for.
    """
    inertia = masses(after.tracks, after.given)
    n, h = len(inertia), after.t - before.t
    begin, end = before.flow.poses[:n], after.flow.poses[:n]
    d = se3.log(se3.inverse(begin) @ end)
    own = np.einsum("nji,nj->ni", se3.dexpinv(d), inertia * d / h)
    return np.einsum("nij,nj->i", se3.Ad_dual(end), own)


def kinetic_of(instant):
    """Kinetic energy by quadrature [J]."""
    robot, total = instant.model.robot, 0.0
    for rod in robot.rods:
        for s, weight, _ in along(instant, rod.name, 0.0, rod.length):
            total += 0.5 * weight * np.sum(rod.inertia(s) * instant.velocity(rod.name, s) ** 2)
    for body in robot.bodies:
        twist = se3.Ad(se3.inverse(se3.pose(body.center))) @ instant.velocity(body.name)
        total += 0.5 * np.sum(np.array([*body.inertia, *[body.mass] * 3]) * twist**2)
    return total
