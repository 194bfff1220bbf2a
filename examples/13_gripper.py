"""A gripper of three soft fingers on a palm; a tendon closes each finger, a motor turns the palm.

A fingertip that touches something is a load: here one of them pushes against a grape.
"""

import numpy as np

import flexura as fx
from flexura.lie import se3

FINGERS = ("thumb", "index", "middle")


def gripper() -> fx.Robot:
    silicone = fx.Material(young=1.2e6, poisson=0.48, density=1100.0)
    taper = fx.Taper(fx.Circle(radius=8e-3), fx.Circle(radius=5e-3))
    down = se3.pose(rotation=(0.0, np.pi / 2.0, 0.0))  # fingers run along their local x axis
    around = [se3.pose(rotation=(0.0, 0.0, angle)) for angle in np.radians([0.0, 120.0, 240.0])]
    out = se3.pose((0.03, 0.0, 0.0))
    return fx.Robot(
        "gripper",
        rods=[fx.Rod(name, 0.1, taper, silicone) for name in FINGERS],
        bodies=[fx.Body("palm", mass=0.2, shape=fx.Box(0.08, 0.08, 0.012))],
        joints=[
            fx.Motor("wrist", axis=(0.0, 0.0, 1.0), drives={"palm": np.eye(4)}),
            *(
                fx.Weld("palm", f"{name}.base", offset=turn @ out @ down)
                for name, turn in zip(FINGERS, around, strict=True)
            ),
        ],
        loads=[fx.Gravity(), fx.PointLoad("touch", at="thumb.tip")],
        # Inside of the finger: its local z axis points outwards.
        tendons=[fx.Tendon(f"{name} tendon", name, fx.Parallel(0.0, -4e-3)) for name in FINGERS],
    )


def main() -> list[fx.StaticResult]:
    model = fx.build(gripper(), rods=fx.Spline(degree=3, spans=8))
    pulled = {f"{name} tendon": 2.5 for name in FINGERS}
    touch = (0.0, 0.0, 0.0, 0.03, 0.01, 0.0)  # moment and force in the world
    opened = fx.statics(model).unwrap()
    closed = fx.statics(model, pulled).unwrap()
    return [opened, closed, fx.statics(model, pulled | {"touch": touch}, start=closed).unwrap()]


def figure(results: list[fx.StaticResult], path: str = "gripper.png") -> None:
    from flexura import view

    view.picture(results[1], path, towards=(0.6, -1.0, 0.2))


if __name__ == "__main__":
    solved = main()
    for what, state in zip(("open", "closed", "touching"), solved, strict=True):
        apart = [np.linalg.norm(state.pose(f"{name}.tip")[:2, 3]) for name in FINGERS]
        print(f"{what:>8}: tips are {np.round(1e3 * np.array(apart), 1)} mm from the axis")
    print(f"the wrist holds {1e3 * solved[-1].torque('wrist'):.3f} mN m")
    figure(solved)
