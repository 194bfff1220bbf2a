"""Jacobians of random robots are the derivatives of their equilibria."""

import differences
import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st
from properties.budget import robots
from properties.judge import equilibrium
from properties.robots import cases

import flexura as fx

# Differences of fourth order with steps of 4e-4, over what bends robots by as little: rods that are
# about to buckle answer less linearly than others.
CLOSE = 1e-5


@robots()
@given(cases(), st.data())
def test_jacobian_is_the_derivative_of_solves(case, data):
    result = equilibrium(case, gentle=True)
    assume(result.stable and result.model.n_dof > 0 and len(result.model.inputs) > 0)
    frames, inputs = differences.frames_of(case.robot), list(result.model.inputs)
    chosen = data.draw(st.sampled_from(inputs))
    try:
        found, expected = differences.jacobians(result, frames, [chosen])
    except fx.ModelError as error:  # nothing resists, or a step leaves the range of the input
        assume("meets no force" not in str(error) and "takes a number" not in str(error))
        raise
    taut = [bool(result.slack(name)) for name in result.model.tendons.names]
    assume(not any(taut) or np.abs(expected).max() > 0.0)
    assert differences.apart(found, expected, case.length) < CLOSE
