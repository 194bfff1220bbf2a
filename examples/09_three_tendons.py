"""A continuum arm with three tendons under many tensions at once: where it reaches.

The arm is that of scenario A in TendonRobots2025: a steel backbone that stands upright.
"""

import numpy as np

import flexura as fx

NAMES = ("right", "back", "front")
TENSIONS = [(1, 0, 0), (3, 0, 0), (3, 0, 1), (3, 0, 3), (5, 5, 0), (5, 5, 5)]  # [N]


def arm() -> fx.Robot:
    steel = fx.Material(young=210e9, poisson=0.3125, density=95e3)  # with the weight of discs
    backbone = fx.Rod("backbone", 0.242, fx.Circle(radius=0.4e-3), steel)
    upright = np.eye(4)[[1, 2, 0, 3]]  # rods run along their local x axis
    angles = np.radians([0.0, 120.0, 240.0])
    return fx.Robot(
        "arm with three tendons",
        rods=[backbone],
        joints=[fx.Weld("world", "backbone.base", offset=upright)],
        loads=[fx.Gravity()],
        tendons=[
            fx.Tendon(name, "backbone", fx.Parallel(8e-3 * np.cos(a), 8e-3 * np.sin(a)))
            for name, a in zip(NAMES, angles, strict=True)
        ],
    )


def main() -> list[fx.StaticResult]:
    model = fx.build(arm(), rods=fx.Spline(degree=3, spans=12))
    return list(fx.statics_many(model, TENSIONS).unwrap())


def figure(results: list[fx.StaticResult], path: str = "three_tendons.png") -> None:
    from flexura import view

    view.picture(results, path, names=[f"{tensions} N" for tensions in TENSIONS])


if __name__ == "__main__":
    solved = main()
    print("tensions [N]     tip [m]                   cable drawn in [mm]")
    for tensions, result in zip(TENSIONS, solved, strict=True):
        tip = result.pose("backbone.tip")[:3, 3]
        drawn = [1e3 * (0.242 - result.tendon_length(name)) for name in NAMES]
        print(tensions, np.round(tip, 4), np.round(drawn, 2), sep="\t")
    figure(solved)
