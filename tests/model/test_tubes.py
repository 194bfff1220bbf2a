"""Tubes inside each other: forces are gradients, tangents and slopes their derivatives."""

from dataclasses import replace

import numpy as np
import pytest
from model.test_slope import difference
from support import OFFSET, TURNED, check_gradient, check_tangent, random_state, tangent_of

import flexura as fx
from flexura.model.assemble import Assembly
from flexura.model.slope import input_slope

SOFT = fx.Material(young=1e6, poisson=0.45, density=1000.0)
CHOICES = [
    fx.VariableStrain((2, 3, 3, 2, 1, 1), steps=8),
    fx.VariableStrain((2, 3, 3, 0, 0, 0), steps=8),
    fx.ConstantStrain(6),
    fx.Spline(3, 6),
    fx.Spline(2, 6, assumed_strain=False),
]
EACH = pytest.mark.parametrize("choice", CHOICES, ids=str)
INPUTS = {"inner.rotation": 0.7, "inner.insertion": 0.8, "outer.insertion": 0.5}
INPUTS |= {"outer.rotation": -0.4, "leg.insertion": 0.4, "leg.rotation": 0.2}


def wavy(s):
    """A curvature that changes along a tube."""
    return (0.3, 2.0 + 3.0 * s, np.sin(5.0 * s))


def nest(moment=0.0, follower=False):
    """A set on a rod, with a body at a tip, another set between it and the world, every load."""
    inner = fx.Rod("inner", 1.0, fx.Circle(0.02), SOFT, rest=wavy)
    rest = fx.PiecewiseRest([(0.3, (0.1, 0.0, 0.0)), (0.7, (0.2, 1.0, -2.0, 1.1, 0.0, 0.0))])
    outer = fx.Rod("outer", 0.7, fx.Taper(fx.Tube(0.04, 0.02), fx.Tube(0.03, 0.02)), SOFT, rest)
    leg = fx.Rod("leg", 0.9, fx.Rectangle(0.02, 0.03), SOFT)
    spin = (moment, -moment, 0.5 * moment)
    return fx.Robot(
        "nest",
        rods=[fx.Rod("stem", 0.5, fx.Circle(0.04), SOFT)],
        tubes=[fx.TubeSet("needle", [inner, outer]), fx.TubeSet("fed", [leg])],
        bodies=[fx.Body("tool", mass=0.2, inertia=(1e-3, 1e-3, 1e-3))],
        joints=[
            fx.Weld("world", "stem.base", offset=OFFSET),
            fx.Weld("stem.tip", "needle.base", offset=TURNED, name="plate"),
            fx.Weld("outer.tip", "tool", offset=OFFSET),
            fx.Hinge("swing", "tool", "fed.base", axis=(0.0, 1.0, 0.0), offset=OFFSET),
        ],
        loads=[
            fx.Gravity((1.0, 2.0, -9.81)),
            fx.PointLoad("end", "inner.tip", (1.0, 2.0, 3.0), spin, follower=follower),
            fx.PointLoad("inside", fx.At("inner", 0.6, OFFSET), (-1.0, 3.0, 0.5), spin, follower),
            fx.LineLoad("wind", "leg", (0.0, 3.0, 1.0), start=0.6, end=0.8),
            fx.Pulley("pull", "leg.tip", (1.0, 1.0, 1.0), 2.0),
        ],
    )


@EACH
def test_forces_are_gradients(choice, rng):
    model = fx.build(nest(), rods=choice)
    direction = rng.normal(size=model.n_dof)
    state = random_state(model, rng, 0.1)
    numbers = np.where(model.layout.multiplier, 0.0, state.numbers)  # what ties nodes has no energy
    direction[model.layout.multiplier] = 0.0
    check_gradient(model, replace(state, numbers=numbers), model.read_inputs(INPUTS), direction)


@EACH
@pytest.mark.parametrize(("moment", "follower"), [(0.0, False), (2.0, True)])
def test_tangents_are_derivatives(choice, moment, follower, rng):
    model = fx.build(nest(moment, follower), rods=choice)
    state, direction = random_state(model, rng, 0.1), rng.normal(size=model.n_dof)
    check_tangent(model, state, model.read_inputs(INPUTS), direction, 2e-9, order=True)


@EACH
def test_tangents_are_symmetric(choice, rng):
    model = fx.build(nest(), rods=choice)
    assembly = Assembly(model)
    assembly.evaluate(random_state(model, rng, 0.1), model.read_inputs(INPUTS))
    matrix = tangent_of(assembly)
    np.testing.assert_allclose(matrix, matrix.T, atol=1e-13 * np.abs(matrix).max())


@EACH
def test_slopes_by_every_input(choice, rng):
    """At a state that is no equilibrium; also by insertions, which move sections."""
    model = fx.build(nest(1.0), rods=choice)
    inputs, state, assembly = (
        model.read_inputs(INPUTS),
        random_state(model, rng, 0.1),
        Assembly(model),
    )
    for name, entry in model.inputs.items():
        change, own, h = np.zeros(model.inputs.n_values), entry.directions, 1e-4
        if entry.manifold == "pose":
            continue
        change[own] = rng.normal(size=own.stop - own.start)
        assembly.evaluate(state, inputs)
        found, _ = input_slope(assembly, change)
        residuals = []
        for part in (h, -h, 2.0 * h, -2.0 * h):
            assembly.evaluate_residual(state, replace(inputs, values=inputs.values + part * change))
            residuals.append(assembly.residual.copy())
        expected = difference(residuals, h)
        tolerance = 3e-8 * np.abs(expected).max() + 1e-13 * np.abs(residuals[0]).max() / h
        np.testing.assert_allclose(found, expected, atol=tolerance, err_msg=name)


@EACH
def test_slopes_along_tubes_near_kinks_and_tips(choice):
    """Sections of 20 µm: differences along tubes stay on their side of a kink, and before tips."""
    near = [fx.PointLoad(str(s), fx.At("inner", s)) for s in (0.3 + 2e-5, 1.0 - 2e-5)]
    robot = nest()
    model = fx.build(replace(robot, loads=[*robot.loads, *near]), rods=choice)
    values = model.read_inputs(INPUTS).values
    mesh = next(
        part.binding.mesh
        for part in model.parts
        if part.binding is not None and part.binding.mesh.group.tubes == 2
    )
    found = mesh.at(values)
    stiffness, rest = mesh.rest_slopes(found)
    inner, outer = found.present.T
    s = found.own[inner, 0]
    known = np.zeros((len(s), 6))
    known[:, 1], known[:, 2] = 3.0, 5.0 * np.cos(5.0 * s)  # of wavy
    np.testing.assert_allclose(rest[inner, 0], known, atol=1e-9)
    assert not stiffness[inner, 0].any()
    assert not rest[outer, 1].any()  # pieces are constant
    radius = 0.04 - 0.01 * found.own[outer, 1] / 0.7
    stretch = 1e6 * 2.0 * np.pi * radius * (-0.01 / 0.7)  # of E π (r² - 0.02²)
    if not len(mesh.group.locked[0]):  # what holds stretch needs no stiffness
        np.testing.assert_allclose(stiffness[outer, 1, 3], stretch, rtol=1e-8)
    bending = 1e6 * np.pi * radius**3 * (-0.01 / 0.7)  # of E π (r⁴ - 0.02⁴) / 4
    np.testing.assert_allclose(stiffness[outer, 1, 1], bending, rtol=1e-8)
