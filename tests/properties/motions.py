"""Random robots that are let go: what is compared of their motions."""

import numpy as np
from hypothesis import assume, reject
from properties.judge import check_shapes, shape, stiffness_of

import flexura as fx

STEPS = 4
# Of poses, over the size of the robot: steps of Newton end at 1e-8 of it, a few of them add up, and
# rounding in stiff strains counts as balanced.
ROUNDING = 1e-5


def mass_of(case):
    """Of all that has one [kg]."""
    rods = sum(float(rod.mass_per_length(0.5 * rod.length)) * rod.length for rod in case.robot.rods)
    return rods + sum(body.mass for body in case.robot.bodies)


def pace_of(case):
    """A time in which the robot moves about as far as it bends [s]: √(m L³ / EI)."""
    return float(np.sqrt(mass_of(case) * case.length**2 / stiffness_of(case)))


def let_go(case, h=None, integrator=None):
    """A few steps from the unloaded robot; one without mass or with open loops is not judged.

    Tendons that are driven by their length begin at the one that they have there, and are wound up
    slowly, by 1e-4 of the length in all.
    """
    assume(mass_of(case) > 0.0)
    h = 0.02 * pace_of(case) if h is None else h
    wound = {
        tendon.name: _wound(1e-4 * case.length, STEPS * h)
        for tendon in case.robot.tendons
        if tendon.drive == "length"
    }
    try:
        return fx.simulate(
            case.model(), STEPS * h, h, {**case.inputs, **wound}, integrator=integrator
        )
    except fx.NotConverged:  # its loops cannot be closed
        return reject()


def _wound(most, duration):
    """A length that grows from rest."""
    return lambda t: most * (t / duration) ** 2


def check_motions(found, expected, change=lambda T: T, tolerance=ROUNDING):
    """Two motions end alike, but for a change of poses; pairs of a case and a motion.

    Robots with loops may begin in one of several shapes: those that do not begin alike are not
    judged (``test_invariance`` is for equilibria).
    """
    (case, motion), (reference, wanted) = found, expected
    begins, ends = (
        (shape(case, motion[i]), _changed(shape(reference, wanted[i]), change)) for i in (0, -1)
    )
    try:
        check_shapes(*begins, case.length, tolerance)
    except AssertionError:
        reject()
    assert motion.status is wanted.status
    check_shapes(*ends, case.length, tolerance)


def _changed(shapes, change):
    return {name: np.array([change(T) for T in poses]) for name, poses in shapes.items()}
