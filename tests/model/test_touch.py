"""How far contacts are off their laws, as Newton's method asks."""

from dataclasses import replace

import numpy as np
import pytest

import flexura as fx
from flexura.model.start import start_state
from flexura.solve.equilibrium import ForceBalance
from flexura.solve.newton import History
from flexura.solve.workspace import workspace

LENGTH, UP, ALONG = 0.3, np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])


def ball(friction, above):
    """A ball over a floor."""
    robot = fx.Robot(
        "ball",
        bodies=[fx.Body("ball", 0.1, (1e-5,) * 3, shape=fx.Sphere(0.01))],
        obstacles=[fx.Obstacle("floor", fx.Plane(point=(0.0, 0.0, -0.01 - above)))],
        contacts=[fx.Contact("ball", "floor", friction=friction)],
    )
    return fx.build(robot)


@pytest.mark.parametrize("friction", [0.0, 0.5])
@pytest.mark.parametrize("above", [0.0, 0.05])
def test_what_pulls_is_missed(friction, above):
    """The whole of its force is wrong, which is as much as the length; so is what only rubs."""
    model = ball(friction, above)
    inputs = model.read_inputs(None)
    begin = start_state(model, inputs, inputs)[0]

    def missed(force):
        state = replace(begin, multipliers=np.array(force))
        with workspace(model) as assembly:
            assembly.evaluate(state, inputs)
            return assembly.touch.missed(state.multipliers, LENGTH)

    assert missed(0.0 * UP) == 0.0
    assert missed(-10.0 * UP) == pytest.approx(LENGTH)
    assert missed(10.0 * UP) == pytest.approx(above)
    if friction:
        assert missed(-10.0 * UP + ALONG) == pytest.approx(LENGTH)
        assert missed(10.0 * ALONG) == pytest.approx(LENGTH)


@pytest.mark.parametrize(
    ("force", "above", "obeys"),
    [
        (10.0 * UP + 5.0 * ALONG, 0.0, True),
        (10.0 * UP + 5.00002 * ALONG, 0.0, False),
        (-1e-3 * UP, 0.0, False),
        (10.0 * UP, -2e-6, False),
        (10.0 * UP, 2e-6, False),
        (0.0 * UP, -2e-6, False),
        (0.0 * UP, 2e-6, True),
    ],
)
def test_no_state_is_an_equilibrium_whose_contacts_break_their_laws(force, above, obeys):
    """However well all forces balance: to 1e-6 of the largest force, and of the length."""
    model = ball(0.5, above * ball(0.5, 0.0).length)
    inputs = model.read_inputs(None)
    state = replace(start_state(model, inputs, inputs)[0], multipliers=np.array(force))
    with workspace(model) as assembly:
        assembly.evaluate(state, inputs)
        _, gap = assembly.imbalance()
        assert ForceBalance(assembly).accepts(History([0.0], [gap])) is obeys
