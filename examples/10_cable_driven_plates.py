"""A soft manipulator that hangs from a ceiling, with ten triangular plates and three cables.

The robot is that of LieGroup2025, section 8.1: cables run straight from plate to plate.
"""

import numpy as np

import flexura as fx
from flexura.lie import se3

CABLES = ("right", "front", "left")


def manipulator() -> fx.Robot:
    rubber = fx.Material(young=1e6, poisson=0.45)  # the modulus is missing in the paper
    taper = fx.Taper(fx.Circle(radius=0.04), fx.Circle(radius=0.02))
    plates = np.linspace(0.1, 1.0, 10)  # where they sit on the rod [m]
    angles = np.radians([70.0, 190.0, 310.0])
    return fx.Robot(
        "cable-driven manipulator",
        rods=[fx.Rod("rod", 1.0, taper, rubber)],
        joints=[fx.Weld("world", "rod.base", offset=se3.pose(rotation=(0.0, np.pi / 2.0, 0.0)))],
        tendons=[
            fx.Tendon(name, "rod", fx.Discs(plates, y=0.08 * np.cos(a), z=0.08 * np.sin(a)))
            for name, a in zip(CABLES, angles, strict=True)
        ],
    )


def main() -> list[fx.StaticResult]:
    model = fx.build(manipulator(), rods=fx.Spline(degree=3, spans=20))
    before = fx.statics(model).unwrap()
    after = fx.statics(model, {"right": 12.0, "left": 4.0}).unwrap()
    return [before, after]


def figure(results: list[fx.StaticResult], path: str = "plates.png") -> None:
    from flexura import view

    before, after = results
    above = (0.45, -1.0, 0.7)
    view.picture(before, path.replace(".png", "_before.png"), color=None, towards=above)
    view.picture(after, path, towards=above)


if __name__ == "__main__":
    solved = main()
    for state in solved:
        print("tip at", np.round(state.pose("rod.tip")[:3, 3], 3))
        for cable in CABLES:
            print(f"  {cable:>5}: {state.tension(cable):4g} N, {state.tendon_length(cable):.4f} m")
    figure(solved)
