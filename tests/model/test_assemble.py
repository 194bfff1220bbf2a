"""Force is the gradient of the energy, the tangent its derivative, both whatever the load."""

from dataclasses import replace

import numpy as np
import pytest
from support import (
    EVERY_DEGREE,
    STEPS,
    branched,
    check_gradient,
    check_tangent,
    moved,
    random_state,
    slope,
    tangent_of,
)

import flexura as fx
from flexura.lie import se3
from flexura.model.assemble import Assembly
from flexura.model.evaluation import Ahead
from flexura.model.step import linearise


def assembly_of(robot):
    model = fx.build(robot, rods=fx.Spline(3, spans=4))
    return Assembly(model), model.read_inputs(None)


@pytest.mark.parametrize("degree", EVERY_DEGREE)
def test_force_is_the_energy_gradient(degree, rng):
    model = fx.build(branched(), rods=fx.Spline(degree, spans=4))
    state, direction = random_state(model, rng), rng.normal(size=model.n_dof)
    check_gradient(model, state, model.read_inputs(None), direction)


@pytest.mark.parametrize("follower", [False, True], ids=["dead", "follower"])
@pytest.mark.parametrize("moment", [0.0, 2.0], ids=["force", "moment"])
@pytest.mark.parametrize("degree", EVERY_DEGREE)
def test_tangent_is_the_force_derivative(degree, moment, follower, rng):
    model = fx.build(branched(follower, moment), rods=fx.Spline(degree, spans=4))
    state, direction = random_state(model, rng), rng.normal(size=model.n_dof)
    check_tangent(model, state, model.read_inputs(None), direction, 2e-10, order=True)


def test_tangent_of_loads_with_a_potential_is_symmetric(rng):
    assembly, inputs = assembly_of(branched())
    assembly.evaluate(random_state(assembly.model, rng), inputs)
    matrix = tangent_of(assembly)
    np.testing.assert_allclose(matrix, matrix.T, atol=1e-14 * np.abs(matrix).max())


@pytest.mark.parametrize(("follower", "moment"), [(True, 0.0), (False, 1.0)])
def test_other_loads_have_none(follower, moment, rng):
    assembly, inputs = assembly_of(branched(follower, moment))
    assert not assembly.model.conservative(inputs)
    assembly.evaluate(random_state(assembly.model, rng), inputs)
    matrix = tangent_of(assembly)
    assert np.abs(matrix - matrix.T).max() > 1e-6 * np.abs(matrix).max()


def test_prediction_is_the_linearised_strain(rng):
    """Predicted strain differs from the strain at the new state by the square of the step."""
    assembly, inputs = assembly_of(branched())
    state = random_state(assembly.model, rng)
    direction = rng.normal(size=assembly.model.n_dof)
    error = []
    for h in STEPS:
        assembly.evaluate(state, inputs)
        new, ahead = linearise(assembly, h * direction).advance()
        assembly.evaluate(new, inputs)
        error.append(np.abs(assembly.parts[0].work.strain - ahead.strains[0]).max())
    assert slope(STEPS, error) == pytest.approx(2.0, abs=0.1)


def test_the_tangent_takes_the_predicted_stress(rng):
    """Another prediction changes the tangent, but neither the residual nor the material part."""
    assembly, inputs = assembly_of(branched())
    state = random_state(assembly.model, rng)
    assembly.evaluate(state, inputs)
    residual, tangent = assembly.residual.copy(), tangent_of(assembly)
    strains = tuple(part.work.strain.copy() for part in assembly.parts)
    assembly.evaluate(state, inputs, Ahead(inputs, strains))
    np.testing.assert_array_equal(tangent_of(assembly), tangent)
    assembly.evaluate(state, inputs, Ahead(inputs, tuple(1.01 * strain for strain in strains)))
    np.testing.assert_array_equal(assembly.residual, residual)
    assert np.abs(tangent_of(assembly) - tangent).max() > 1e-6 * np.abs(tangent).max()


def test_step_of_a_chain_is_a_retraction(rng):
    """A step agrees with the exponential map to first order."""
    assembly, inputs = assembly_of(branched())
    model = assembly.model
    state = random_state(model, rng)
    direction = rng.normal(size=model.n_dof)
    assembly.evaluate(state, inputs)
    step = linearise(assembly, direction)
    error = [
        np.abs(step.advance(h)[0].poses - moved(model, state, h * direction).poses).max()
        for h in STEPS
    ]
    assert slope(STEPS, error) == pytest.approx(2.0, abs=0.1)


def test_difference_leads_back(rng):
    """What ``difference`` finds between two states, ``retract`` goes."""
    assembly, _ = assembly_of(branched())
    model = assembly.model
    begin, end = (random_state(model, rng) for _ in range(2))
    back = moved(model, begin, model.layout.difference(begin, end))
    np.testing.assert_allclose(back.poses, end.poses, atol=1e-12)
    np.testing.assert_allclose(back.numbers, end.numbers, atol=1e-12)


def test_rigid_motion_of_everything_changes_no_energy(rng):
    """Turn the base, the coordinates and the dead loads together."""
    T = se3.pose(position=(1.0, -2.0, 3.0), rotation=(0.5, 1.5, -1.0))
    R = T[:3, :3]
    rod = fx.Rod("rod", 1.0, fx.Circle(0.02), fx.Material(young=1e6, poisson=0.4, density=900.0))

    def energies(base, turn, poses=None):
        robot = fx.Robot(
            "r",
            rods=[rod],
            joints=[fx.Weld("world", "rod.base", offset=base)],
            loads=[
                fx.Gravity(turn @ (0.0, 0.0, -9.81)),
                fx.PointLoad("p", "rod.tip", turn @ (1.0, 2.0, 3.0)),
            ],
        )
        model = fx.build(robot, rods=fx.Spline(3, 4))
        state = random_state(model, np.random.default_rng(1))
        if poses is not None:
            state = replace(state, poses=model.layout.from_world(base @ poses))
        assembly = Assembly(model)
        assembly.evaluate(state, model.read_inputs(None))
        return assembly, state

    here, state = energies(np.eye(4), np.eye(3))
    there, _ = energies(T, R, state.poses)
    assert there.stored_energy() == pytest.approx(here.stored_energy(), rel=1e-11)
    np.testing.assert_allclose(
        there.residual, here.residual, atol=1e-10 * np.abs(here.residual).max()
    )
