"""Jacobians of random robots are the derivatives of their equilibria, in every description."""

import differences
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from properties.budget import robots
from properties.changes import described
from properties.judge import equilibrium, stiffness_of
from properties.parts import DESCRIPTIONS
from properties.robots import cases

import flexura as fx

# Differences of fourth order with steps of 4e-4, over what bends robots by as little: rods that are
# about to buckle answer less linearly than others.
CLOSE = 1e-5
# Differences by a quarter of that step, which are judged by where the others are not close; if the
# two are further apart than this part of what they miss, a robot has gone elsewhere on the way.
CLOSER, SURE = 0.25 * differences.WAY, 0.1


def just_taut(case, result):
    """Whether a tendon of given length begins to pull: there is a slope to each side."""
    tendons = result.model.tendons
    given = result.evaluation.values[[result.model.inputs[name].begin for name in tendons.names]]
    hangs = tendons.rest - given - result.tendon_lengths
    near = np.abs(hangs) < 1e-6 * result.model.length
    limp = result.tensions < 1e-6 * stiffness_of(case) / case.length
    return bool((near & limp & tendons.by_length).any())


@pytest.mark.parametrize("rods", DESCRIPTIONS, ids=str)
@robots(times=0.5)
@given(cases(), st.data())
def test_jacobian_is_the_derivative_of_solves(rods, case, data):
    case = described(case, rods)
    result = equilibrium(case)
    assume(result.stable and result.model.n_dof > 0 and len(result.model.inputs) > 0)
    assume(not just_taut(case, result))
    frames, inputs = differences.frames_of(case.robot), list(result.model.inputs)
    chosen = data.draw(st.sampled_from(inputs))
    try:
        found, expected = differences.jacobians(result, frames, [chosen])
        off = differences.apart(found, expected, case.length)
        if off >= CLOSE:
            _, closer = differences.jacobians(result, frames, [chosen], CLOSER)
            off = differences.apart(found, closer, case.length)
            assume(off < CLOSE or differences.apart(expected, closer, case.length) < SURE * off)
    except fx.ModelError as error:  # nothing resists, or a step leaves the range of the input
        assume("meets no force" not in str(error) and "takes a number" not in str(error))
        raise
    assert off < CLOSE
