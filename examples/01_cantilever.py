"""A tapered soft arm, clamped at its base and pulled at its tip: the first robot to solve."""

import flexura as fx


def main() -> fx.StaticResult:
    rubber = fx.Material(young=1e6, poisson=0.45, density=1000.0)
    arm = fx.Rod(
        "arm",
        length=1.0,
        section=fx.Taper(fx.Circle(radius=0.03), fx.Circle(radius=0.015)),
        material=rubber,
    )
    robot = fx.Robot(
        "soft arm",
        rods=[arm],
        joints=[fx.Weld("world", "arm.base")],
        loads=[fx.PointLoad("pull", at="arm.tip", force=(-0.2, 0.4, 0.3))],
    )
    model = fx.build(robot, rods=fx.Spline(degree=3, spans=12))
    return fx.statics(model).unwrap()


def figure(result: fx.StaticResult, path: str = "cantilever.png") -> None:
    from flexura import view

    view.picture(result, path, color="bending")


if __name__ == "__main__":
    solved = main()
    print(solved)
    print("tip at", solved.pose("arm.tip")[:3, 3])
    figure(solved)
