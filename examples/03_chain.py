"""Three rods welded end to end with offsets: different sections, materials and splines."""

import numpy as np

import flexura as fx
from flexura.lie import se3


def main() -> fx.StaticResult:
    nylon = fx.Material(young=2e9, poisson=0.4, density=1150.0)
    rubber = fx.Material(young=5e6, poisson=0.48, density=1100.0)
    upper = fx.Rod("upper", 0.3, fx.Tube(outer=0.004, inner=0.003), nylon)
    middle = fx.Rod("middle", 0.2, fx.Circle(radius=0.012), rubber)
    hook = fx.Rod("hook", 0.15, fx.Circle(radius=0.002), nylon, rest=(0.0, np.pi / 0.15, 0.0))
    elbow = se3.pose(position=(0.01, 0.0, 0.0), rotation=(0.0, 0.0, np.pi / 4.0))
    robot = fx.Robot(
        "chain",
        rods=[upper, middle, hook],
        joints=[
            fx.Weld("world", "upper.base", name="wall"),
            fx.Weld("upper.tip", "middle.base", offset=elbow, name="elbow"),
            fx.Weld("middle.tip", "hook.base", name="wrist"),
        ],
        loads=[fx.Gravity(), fx.PointLoad("weight", at="hook.tip", force=(0.0, 0.0, -0.5))],
    )
    choices = {
        "upper": fx.Spline(degree=3, spans=10),
        "middle": fx.Spline(degree=3, spans=10),
        "hook": fx.Spline(degree=4, spans=8),
    }
    return fx.statics(fx.build(robot, rods=choices)).unwrap()


def figure(result: fx.StaticResult, path: str = "chain.png") -> None:
    from flexura import view

    view.picture(result, path)


if __name__ == "__main__":
    solved = main()
    print(solved)
    for joint in ("wall", "elbow", "wrist"):
        print(f"{joint:>6} carries", np.round(solved.reaction(joint), 4))
    figure(solved)
