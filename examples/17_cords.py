"""Cords of three materials between two hinges: thin, soft, and stiff.

Nylon and steel hang nearly alike: neither stretches, and their length leaves them little choice.
"""

import flexura as fx
from flexura.lie import se3


def cord(material: fx.Material, radius: float) -> fx.Robot:
    """Two metres between points that are 1.4 m apart."""
    y = (0.0, 1.0, 0.0)
    hinges = [
        fx.Hinge("left", "world", "cord.base", axis=y),
        fx.Hinge("right", "world", "cord.tip", axis=y, offset=se3.pose((1.4, 0.0, 0.0))),
    ]
    rod = fx.Rod("cord", 2.0, fx.Circle(radius), material)
    return fx.Robot("cord", [rod], hinges, [fx.Gravity()])


def main() -> list[fx.StaticResult]:
    nylon = fx.Material(young=2e9, poisson=0.4, density=1150.0)
    silicone = fx.Material(young=1e5, poisson=0.49, density=1070.0)
    steel = fx.Material(young=210e9, poisson=0.3, density=7800.0)
    robots = [cord(nylon, 2e-4), cord(silicone, 2e-3), cord(steel, 3e-3)]
    return [fx.statics(fx.build(robot)).unwrap() for robot in robots]


def figure(results: list[fx.StaticResult], path: str = "cords.png") -> None:
    from flexura import view

    names = ["nylon", "silicone", "steel"]
    view.picture(results, path, names=names, color=None, towards=(0.1, -1.0, 0.15))


if __name__ == "__main__":
    solved = main()
    for result in solved:
        lowest = result.pose("cord", 1.0)[2, 3]
        pull = result.internal_wrench("cord", 1.0)[3]
        how = f"{abs(pull):.4g} N of {'tension' if pull > 0.0 else 'compression'}"
        print(f"{result.status}: {-lowest:.4f} m deep, {how} at the lowest point")
    figure(solved)
