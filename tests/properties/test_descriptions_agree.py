"""All descriptions of a random robot have one equilibrium, as they are refined."""

from hypothesis import given
from hypothesis import strategies as st
from properties.budget import robots
from properties.changes import described
from properties.drafts import suited
from properties.judge import check_shapes, equilibrium, shape
from properties.robots import cases

import flexura as fx

REFERENCE = fx.LinearStrain(32)
# And how far poses may be off, over the length: by refinement, and of descriptions without stretch
# and shear by what these are, of tendons that are shortened a percent.
FINE = {
    fx.Spline(3, 24): 1e-4,
    fx.Hermite(24): 1e-4,
    fx.Power(3, 16): 1e-4,
    fx.VariableStrain((7, 9, 9, 5, 5, 5), steps=32): 1e-4,
    fx.ConstantStrain(48): 3e-3,
    fx.RotationInterpolation(8): 2e-2,
    fx.VariableStrain((7, 9, 9, 0, 0, 0), steps=32): 2e-2,
}


@robots()
@given(cases(), st.sampled_from(list(FINE)))
def test_every_description(case, choice):
    reference = described(case, REFERENCE)
    wanted = equilibrium(reference, gentle=True)
    choices = {rod.name: suited(rod, choice) for rod in case.robot.rods}
    other = type(case)(case.robot, case.inputs, choices)
    result = other.solve()
    assert result.converged, result.status.name
    check_shapes(shape(other, result), shape(reference, wanted), case.length, FINE[choice])
