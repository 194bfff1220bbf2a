"""A catheter is fed into a vessel with a bend: contact with friction, increment by increment."""

import numpy as np

import flexura as fx

STRAIGHT = [(x, 0.0, 0.0) for x in np.arange(-0.35, 0.01, 0.05)]
BEND = [(0.05, 0, 0), (0.1, 0.02, 0), (0.13, 0.06, 0), (0.14, 0.11, 0), (0.14, 0.2, 0)]
LENGTH, STEP = 0.3, 0.01


def robot() -> fx.Robot:
    plastic = fx.Material(young=5e7, poisson=0.4, density=1100.0)
    catheter = fx.Rod("catheter", LENGTH, section=fx.Circle(radius=1e-3), material=plastic)
    return fx.Robot(
        "catheter",
        rods=[catheter],
        joints=[fx.Weld("world", "catheter.base", offset=base(0.0), name="feed")],
        obstacles=[fx.Obstacle("vessel", fx.Vessel([*STRAIGHT, *BEND], radius=4e-3))],
        contacts=[fx.Contact("catheter", "vessel", friction=0.05)],
    )


def base(way: float) -> np.ndarray:
    return fx.lie.se3.pose((way - LENGTH, 0.0, 0.0))


def main() -> list[fx.StaticResult]:
    model = fx.build(robot(), rods=fx.Spline(degree=3, spans=24))
    found = [fx.statics(model).unwrap()]
    for k in range(1, 20):
        found.append(fx.statics(model, {"feed": base(STEP * k)}, start=found[-1]).unwrap())
    return found


def figure(results: list[fx.StaticResult], path: str = "catheter.png") -> None:
    from flexura import view

    view.picture(results[-1], path, towards=(0.1, -0.4, 1.0))


if __name__ == "__main__":
    fed = main()
    for one in fed[::3]:
        tip, push = one.pose("catheter.tip")[:3, 3], one.reaction("feed")[3]
        print(f"tip at {np.round(tip, 4)}, pushed with {1e3 * push:.2f} mN")
    figure(fed)
