"""A rod held at both ends: one end is turned by a gripper, each solve starting from the last."""

import numpy as np

import flexura as fx
from flexura.lie import se3


def main(count: int = 9) -> list[fx.StaticResult]:
    fibreglass = fx.Material(young=36.5e9, shear=3e9)
    rod = fx.Rod("rod", length=1.0, section=fx.Circle(radius=1e-3), material=fibreglass)
    bent = se3.pose(position=(0.5, 0.0, -0.5), rotation=(0.0, np.pi / 2.0, 0.0))
    robot = fx.Robot(
        "held rod",
        rods=[rod],
        joints=[
            fx.Weld("world", "rod.base", name="clamp"),
            fx.Weld("world", "rod.tip", offset=bent, name="grip"),
        ],
    )
    model = fx.build(robot, rods=fx.Spline(degree=3, spans=9))
    results: list[fx.StaticResult] = []
    for twist in np.linspace(0.0, np.pi, count):
        grip = bent @ se3.pose(rotation=(twist, 0.0, 0.0))
        start = results[-1] if results else None
        results.append(fx.statics(model, inputs={"grip": grip}, start=start).unwrap())
    return results


def figure(results: list[fx.StaticResult], path: str = "held_rod.png") -> None:
    from flexura import view

    view.picture(results[-1], path, color="torsion")


if __name__ == "__main__":
    solved = main()
    for result in solved:
        print(f"energy {result.energy:.5f} J, grip carries", np.round(result.reaction("grip"), 4))
    figure(solved)
