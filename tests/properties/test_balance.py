"""What joints exert holds the robot against its loads."""

import numpy as np
from hypothesis import assume, given
from properties.budget import robots
from properties.forces import reactions, wrenches
from properties.judge import equilibrium, stiffness_of
from properties.robots import cases

# The points where weights and line loads act are not those that are used here: what coarse
# descriptions bend between them counts.
QUADRATURE = 1e-4


@robots()
@given(cases())
def test_reactions_balance_the_loads(case):
    assume(all(len(getattr(joint, "drives", "1")) == 1 for joint in case.robot.joints))
    result = equilibrium(case)
    loads, held = np.array(list(wrenches(result))), np.array(list(reactions(result)))
    everything = np.concatenate([loads.reshape(-1, 6), held])
    arm = np.array([case.length] * 3 + [1.0] * 3)
    size = np.abs(everything / arm).sum() + 0.01 * stiffness_of(case) / case.length
    off = np.abs(everything.sum(axis=0) / arm).max() / size
    assert off <= QUADRATURE, f"off by {off:.2g}"
