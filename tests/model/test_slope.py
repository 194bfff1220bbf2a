"""Derivatives of the residual by inputs of every kind, against differences."""

from dataclasses import replace

import numpy as np
import pytest
from model.test_joint_term import machine
from model.test_tendon_term import tentacle
from support import branched, moved, random_state

import flexura as fx
from flexura.lie import se3
from flexura.model.assemble import Assembly
from flexura.model.slope import input_slope

CHOICES = [
    fx.Spline(3, 4),
    fx.Hermite(3),
    fx.Power(2, 3),  # white noise in longer elements has no twists
    fx.LinearStrain(3),
    fx.VariableStrain((2, 3, 3, 1, 2, 2), steps=6),
    fx.ConstantStrain(3),
    fx.RotationInterpolation(2),
]
EACH = pytest.mark.parametrize("choice", CHOICES, ids=lambda c: type(c).__name__)
# Loads, tensions and shortenings are linear; motions are curved.
STEP, CURVED_STEP = 0.01, 1e-4


def held_arm():
    """A rod held at both ends by welds that are inputs, a third one in its middle."""
    rod = fx.Rod("rod", 1.0, fx.Circle(0.03), fx.Material(young=1e6, poisson=0.4, density=900.0))
    bar = replace(rod, name="bar", length=0.5)
    return fx.Robot(
        "held",
        rods=[rod, bar],
        joints=[
            fx.Weld("world", "rod.base", offset=_pose(0.1), name="base"),
            fx.Weld("world", "rod.tip", offset=_pose(0.8), name="grip"),
            fx.Weld(fx.At("rod", 0.4, _pose(0.05)), "bar.tip", offset=_pose(0.02), name="inside"),
        ],
        loads=[fx.Gravity(), fx.PointLoad("push", "bar.base", force=(1.0, 0.5, 0.2))],
    )


def _pose(x):
    return se3.pose(position=(x, 0.1 * x, -0.2 * x), rotation=(0.3 * x, -0.2, 0.4 * x))


ROBOTS = {
    "loads": (branched(follower=True, moment=0.5), {}),
    "tensions": (tentacle(), {"helix": 3.0, "discs": 2.0}),
    "lengths": (tentacle("length", stiffness=50.0), {"helix": 0.01, "discs": 0.02}),
    "joints": (machine(), {"motor": 0.3, "elbow": -0.4, "pull": 2.0}),
    "welds": (held_arm(), {}),
}


def changed(inputs, change, h):
    """The inputs after a part of a change; poses along their body twists."""
    values = inputs.values + h * change
    for place in inputs.table.poses:
        T = inputs.values[place : place + 16].reshape(4, 4)
        new = T @ se3.exp(h * change[place : place + 6])
        values[place : place + 16] = new.ravel()
    return replace(inputs, values=values)


@EACH
@pytest.mark.parametrize("which", ROBOTS)
def test_slope_by_every_input(choice, which, rng):
    """At states that are no equilibria, and joints that do not fit."""
    robot, given = ROBOTS[which]
    model = fx.build(robot, rods=choice)
    inputs = model.read_inputs(given)
    state = moved(model, random_state(model, rng, 0.2), 0.1 * rng.normal(size=model.n_dof))
    state = replace(state, multipliers=rng.uniform(1.0, 2.0, size=len(state.multipliers)))
    assembly = Assembly(model)
    for name, entry in model.inputs.items():
        change = np.zeros(model.inputs.n_values)
        own = entry.directions
        change[own] = rng.normal(size=own.stop - own.start)
        assembly.evaluate(state, inputs)
        found, found_gap = input_slope(assembly, change)
        residuals, gaps = [], []
        h = STEP if entry.loads else CURVED_STEP
        for part in (h, -h, 2.0 * h, -2.0 * h):
            assembly.evaluate_residual(state, changed(inputs, change, part))
            residuals.append(assembly.residual.copy())
            gaps.append(assembly.gap.copy())
        rounding = 1e-13 * np.abs(residuals[0]).max() / h
        expected = difference(residuals, h)
        tolerance = 1e-8 * np.abs(expected).max(initial=1e-3) + rounding
        np.testing.assert_allclose(found, expected, atol=tolerance, err_msg=name)
        np.testing.assert_allclose(found_gap, difference(gaps, h), atol=1e-8, err_msg=name)


def difference(values, h):
    """A central difference with one extrapolation."""
    narrow, wide = (values[0] - values[1]) / (2.0 * h), (values[2] - values[3]) / (4.0 * h)
    return (4.0 * narrow - wide) / 3.0


@EACH
def test_the_potential_by_what_is_given_is_conjugate_to_it(choice, rng):
    """The length of a tendon is the derivative of the potential by its tension."""
    model = fx.build(tentacle(), rods=choice)
    inputs = model.read_inputs({"helix": 3.0, "wave": 1.0, "kinked": 2.0, "discs": 2.0})
    state, assembly = random_state(model, rng, 0.2), Assembly(model)
    for source in model.tendons.source:
        change = np.zeros(model.inputs.n_values)
        change[source] = 1.0
        potential = []
        for h in (0.5, -0.5):
            assembly.evaluate(state, changed(inputs, change, h))
            potential.append(assembly.potential())
        assert potential[0] - potential[1] == pytest.approx(assembly.conjugate[source], rel=1e-9)
