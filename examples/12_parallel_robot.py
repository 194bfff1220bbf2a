"""A continuum parallel robot: three motors turn six rods, and the rods carry a platform.

The robot is that of ParallelRobots2025, with a geometry of our own: a cable pulls at the platform.
"""

import numpy as np

import flexura as fx
from flexura.lie import se3

UPRIGHT = np.eye(4)[[1, 2, 0, 3]]  # rods run along their local x axis: upwards
MOTORS = ("east", "north", "south")


def robot() -> fx.Robot:
    fibreglass = fx.Material(young=11.3e9, poisson=0.3, density=1900.0)
    rods, motors, welds = [], [], []
    for name, angle in zip(MOTORS, np.radians([0.0, 120.0, 240.0]), strict=True):
        turn = se3.pose(rotation=(0.0, 0.0, angle))
        drives = {}
        for side, y in (("left", 0.015), ("right", -0.015)):
            rod = fx.Rod(f"{name} {side}", 0.25, fx.Circle(radius=0.5e-3), fibreglass)
            rods.append(rod)
            drives[f"{rod.name}.base"] = turn @ se3.pose((0.05, y, 0.0)) @ UPRIGHT
            top = turn @ se3.pose((0.03, y, 0.0)) @ UPRIGHT
            welds.append(fx.Weld("platform", f"{rod.name}.tip", offset=top))
        axis, point = turn[:3, 1], turn[:3, 0] * 0.05  # turns about the tangent of a circle
        motors.append(fx.Motor(name, axis=axis, point=point, drives=drives))
    return fx.Robot(
        "three motors, six rods",
        rods=rods,
        bodies=[fx.Body("platform", 0.017, (7e-6, 7e-6, 1.4e-5), shape=fx.Box(0.07, 0.07, 0.003))],
        joints=[*motors, *welds],
        loads=[fx.Pulley("cable", at="platform", point=(0.15, 0.0, 0.3), force=0.03)],
    )


def main(count: int = 10) -> list[fx.StaticResult]:
    model = fx.build(robot(), rods=fx.Spline(degree=3, spans=6))
    results: list[fx.StaticResult] = []
    for phase in np.linspace(0.0, 2.0 * np.pi, count):
        angles = np.pi / 12.0 * (np.sin(phase + 2.0 * np.pi / 3.0 * np.arange(3)) + 1.0)
        inputs = dict(zip(MOTORS, angles, strict=True))
        results.append(fx.statics(model, inputs, start=results[-1] if results else None).unwrap())
    return results


def figure(results: list[fx.StaticResult], path: str = "parallel_robot.png") -> None:
    from flexura import view

    view.picture(results[2], path)


if __name__ == "__main__":
    solved = main()
    print("platform [mm]            torques [mN m]")
    for result in solved:
        torques = [1e3 * result.torque(name) for name in MOTORS]
        print(np.round(1e3 * result.pose("platform")[:3, 3], 2), np.round(torques, 3), sep="\t")
    figure(solved)
