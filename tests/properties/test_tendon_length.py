"""A tendon is as long as the curve that it is drawn as."""

import numpy as np
from hypothesis import assume, given
from properties.budget import robots
from properties.judge import equilibrium
from properties.robots import cases

POINTS = 500
COARSE = 2e-3  # curves of coarse descriptions miss their strains by so much, chords by far less


@robots()
@given(cases(loads=1))
def test_tendons_are_as_long_as_their_paths(case):
    assume(case.robot.tendons)
    result = equilibrium(case)
    for tendon in case.robot.tendons:
        path = result.tendon_path(tendon.name, POINTS)
        drawn = np.linalg.norm(np.diff(path, axis=0), axis=1).sum()
        off = abs(result.tendon_length(tendon.name) / drawn - 1.0)
        assert off <= COARSE, f"{tendon.name} is off by {off:.2g}"
