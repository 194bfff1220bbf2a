"""A simulation step by step and the same inputs as samples are one motion."""

import numpy as np

import flexura as fx


def test_inputs_of_steps_are_samples_of_a_motion():
    rubber = fx.Material(young=1e6, poisson=0.45, density=1000.0)
    robot = fx.Robot(
        "arm",
        rods=[fx.Rod("rod", 0.3, fx.Circle(radius=0.01), rubber)],
        joints=[fx.Weld("world", "rod.base")],
        tendons=[fx.Tendon("pull", "rod", fx.Parallel(8e-3, 0.0))],
    )
    model, h = fx.build(robot, rods=fx.LinearStrain(4)), 2e-3
    samples = ([0.0, h, 5 * h], [0.0, 0.5, 0.5])
    motion = fx.simulate(model, 5 * h, h, inputs={"pull": samples}).unwrap()
    simulation = fx.Simulation(model, h)
    for instant in motion[1:]:
        found = simulation.step({"pull": 0.5})
        # The same formulas with the same numbers, but for rounding of the inputs.
        np.testing.assert_allclose(found.pose("rod.tip"), instant.pose("rod.tip"), atol=1e-13)
