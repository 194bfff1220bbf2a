"""A tendon-driven arm is calibrated, and then feels what pushes at its tip by its shape.

The measurements are made here: positions of the tip and of two markers, with noise of 0.3 mm.
"""

import numpy as np

import flexura as fx

MARKERS = (fx.At("arm", 0.1), fx.At("arm", 0.2), "arm.tip")
SIGMA = 3e-4  # [m]
PUSH = (0.0, 0.1, 0.08)  # [N]
RODS = fx.Spline(degree=3, spans=8)


def arm(young: float = 1e6, y: float = 8e-3) -> fx.Robot:
    rubber = fx.Material(young=young, poisson=0.45, density=1000.0)
    return fx.Robot(
        "soft arm",
        rods=[fx.Rod("arm", 0.3, fx.Circle(radius=0.01), rubber)],
        joints=[fx.Weld("world", "arm.base")],
        tendons=[fx.Tendon("left", "arm", fx.Parallel(y=y, z=0.0))],
        loads=[fx.Gravity(), fx.PointLoad("push", "arm.tip")],
    )


def measured(inputs: dict, noise: np.random.Generator, known: tuple = ("left",)) -> fx.Observation:
    """What a camera sees of the true arm, which is stiffer than it was thought to be."""
    result = fx.statics(fx.build(arm(young=1.15e6, y=7.4e-3), RODS), inputs).unwrap()
    places = {frame: result.pose(frame)[:3, 3] + SIGMA * noise.normal(size=3) for frame in MARKERS}
    return fx.Observation({name: inputs[name] for name in known}, positions=places, sigma=SIGMA)


def main() -> list[fx.StaticResult]:
    noise = np.random.default_rng(1)
    free = [measured({"left": tension}, noise) for tension in (0.0, 0.7, 1.4, 2.0)]
    names = ["arm.material.young", "left.routing.y"]
    arm_fit = fx.calibrate(fx.build(arm(), RODS), free, parameters=names).unwrap()
    print(arm_fit)

    touched = measured({"left": 1.0, "push": (0, 0, 0, *PUSH)}, noise)
    felt = fx.calibrate(arm_fit.model, [touched], inputs=["push.force"]).unwrap()
    print(felt)
    return [*arm_fit.results, *felt.results]


def figure(results: list[fx.StaticResult], path: str = "force_sensing.png") -> None:
    from flexura import view

    view.picture(results[-3:], path, names=["1.4 N", "2 N", "1 N, pushed"])


if __name__ == "__main__":
    figure(main())
