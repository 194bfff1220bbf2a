"""A moment at the tip rolls a straight rod up twice. Newton takes it in one step."""

import numpy as np

import flexura as fx


def main() -> fx.StaticResult:
    rod = fx.Rod("strip", 1.0, fx.Rectangle(width=1e-3, height=0.02), fx.Material(210e9, 0.3))
    bending = rod.stiffness(0.0)[2]  # about z, the soft direction of the strip
    moment = (0.0, 0.0, 4.0 * np.pi * bending / rod.length)
    robot = fx.Robot(
        "double circle",
        rods=[rod],
        joints=[fx.Weld("world", "strip.base")],
        loads=[fx.PointLoad("roll", at="strip.tip", moment=moment)],
    )
    return fx.statics(fx.build(robot, rods=fx.Spline(degree=3, spans=16))).unwrap()


def figure(result: fx.StaticResult, path: str = "double_circle.png") -> None:
    from flexura import view

    view.picture(result, path, color="moment_z")


if __name__ == "__main__":
    solved = main()
    print(solved)
    print("distance of the tip from the base", np.linalg.norm(solved.pose("strip.tip")[:3, 3]))
    figure(solved)
