"""Makes the animation of the README: ``python docs/images/animation.py``."""

from dataclasses import replace
from pathlib import Path

import numpy as np

import flexura as fx
from flexura import view

EXAMPLES = Path(__file__).parents[2] / "examples"


def main() -> None:
    """The parallel robot of the examples goes around once, in 2 s."""
    robot = fx.load(EXAMPLES / "parallel.toml")
    rods = [replace(rod, material=fx.materials.glass_fiber) for rod in robot.rods]
    bodies = [replace(body, mass=0.02, inertia=(1e-5, 1e-5, 2e-5)) for body in robot.bodies]
    motors = [joint.name for joint in robot.joints if isinstance(joint, fx.Motor)]
    moving = fx.Robot(robot.name, rods, robot.joints, robot.loads, bodies=bodies)
    model = fx.build(moving, rods=fx.LinearStrain(4))

    def angle(i):
        return lambda t: np.pi / 9.0 * (np.sin(np.pi * t + 2.0 * np.pi / 3.0 * i) + 1.0)

    inputs = {name: angle(i) for i, name in enumerate(motors)}
    start = fx.statics(model, {name: turn(0.0) for name, turn in inputs.items()}).unwrap()
    motion = fx.simulate(
        model, 2.0, 0.02, inputs, start=start, integrator=fx.ImplicitEuler()
    ).unwrap()
    view.animate(
        motion, Path(__file__).with_name("parallel.gif"), fps=12, size=(640, 480), color="bending"
    )


if __name__ == "__main__":
    main()
