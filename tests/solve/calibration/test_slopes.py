"""Slopes of residuals by all kinds of unknowns are differences of solves."""

import numpy as np
from measuring import arm, seen
from support import mixed

import flexura as fx
from flexura.lie import se3
from flexura.solve.calibration.family import family_of
from flexura.solve.calibration.setting import described, driven_inputs
from flexura.solve.calibration.slope import CalibrationProblem
from flexura.solve.calibration.unknown import registration_of
from flexura.solve.calibration.weight import Weights

PLACE = se3.pose((0.1, -0.2, 0.05), (0.1, 0.2, -0.3))
PATHS = [
    "arm.material.young",
    "arm.length",
    "arm.rest",
    "left.routing.y",
    "left.routing.z",
    "up.stiffness",
    "pull.force",
]
UNKNOWN = {
    "description": {"parameters": PATHS},
    "offset of a weld": {"parameters": ["base.offset"]},
    "input": {"inputs": ["pull"]},
    "numbers of inputs": {"inputs": ["gravity.z", "pull.fy", "base.position"]},
    "pose": {"inputs": ["base"]},
    "each": {"each": ["pull.force"]},
    "offsets": {"offsets": ["up", "left"]},
    "shared offset": {"offsets": [("left", "up")]},
    "translation": {"registration": "translation"},
    "place": {"registration": "pose"},
}


def problem_of(
    model, observations, parameters=(), inputs=(), each=(), offsets=(), registration=None
):
    family, guesses = family_of(model, parameters, None)
    unknowns = [
        *described(guesses),
        *driven_inputs(model, observations, inputs, each, offsets),
        *registration_of(registration),
    ]
    return CalibrationProblem(family, unknowns, observations, Weights(observations, model))


@mixed(unknown=UNKNOWN, choice=[fx.Spline(3, 4), fx.VariableStrain((2,) * 6)])
def test_slopes_are_differences_of_solves(unknown, choice):
    """At a guess that is off, so that residuals, also of rotations, are not small."""
    observations = seen(fx.build(arm(1.3e6), rods=choice), [(1.0, 2e-3), (0.5, 4e-3)], place=PLACE)
    model = fx.build(arm(), rods=choice)
    problem = problem_of(model, observations, **UNKNOWN[unknown])
    values = [x.start for x in problem.unknowns]
    point = problem.trial(values, model, problem.first(model, values).unwrap().results)
    J = problem.jacobian(point)
    assert J.shape == (len(point.residual), problem.n_unknowns)
    labels = [label for x in problem.unknowns for label in x.labels]
    sizes = {"arm.material.young": 1e6, "up.stiffness": 1e3}
    for i, label in enumerate(labels):
        step = np.zeros(len(labels))
        step[i] = 1e-5 * sizes.get(label, 0.1)
        ends = [problem.moved(point, sign * step).residual for sign in (1.0, -1.0)]
        slope = (ends[0] - ends[1]) / (2.0 * step[i])
        # of the difference: rounding of equilibria over the step, and its square
        np.testing.assert_allclose(J[:, i], slope, atol=1e-5 * np.abs(slope).max(), err_msg=label)
