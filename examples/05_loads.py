"""Every kind of load on one rod: gravity, a line load, a point load inside, a follower."""

import flexura as fx


def main() -> fx.StaticResult:
    silicone = fx.Material(young=0.6e6, poisson=0.49, density=1080.0)
    tentacle = fx.Rod(
        "tentacle",
        length=0.6,
        section=fx.Taper(fx.Circle(0.025), fx.Circle(0.01)),
        material=silicone,
        rest=lambda s: (0.0, -1.5 * s, 0.0),  # curls up towards its tip: k = (k1, k2, k3)
    )
    robot = fx.Robot(
        "tentacle",
        rods=[tentacle],
        joints=[fx.Weld("world", "tentacle.base")],
        loads=[
            fx.Gravity((0.0, 0.0, -9.81)),
            fx.LineLoad("stream", rod="tentacle", force=(0.0, 0.8, 0.0), start=0.2, end=0.5),
            fx.PointLoad("grip", at=fx.At("tentacle", s=0.35), force=(0.0, 0.0, 1.2)),
            fx.PointLoad("jet", at="tentacle.tip", force=(0.0, 0.0, 0.1), follower=True),
        ],
    )
    return fx.statics(fx.build(robot)).unwrap()


def figure(result: fx.StaticResult, path: str = "loads.png") -> None:
    from flexura import view

    view.picture(result, path)
    view.profiles(result, path.replace(".png", "_profiles.png"))


if __name__ == "__main__":
    solved = main()
    print(solved)
    figure(solved)
