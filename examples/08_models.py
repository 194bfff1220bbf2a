"""One robot, every model: the tip of a tapered arm by seven descriptions and by shooting."""

import flexura as fx

MODELS = {
    "spline": fx.Spline(degree=3, spans=12),
    "Hermite": fx.Hermite(elements=8),
    "power": fx.Power(degree=3, elements=8),
    "linear strain": fx.LinearStrain(elements=8),
    "variable strain": fx.VariableStrain(orders=(5, 7, 7, 3, 3, 3)),
    "constant strain": fx.ConstantStrain(sections=24),
    "rotation interpolation": fx.RotationInterpolation(elements=4),  # cannot stretch
}


def arm() -> fx.Robot:
    rubber = fx.Material(young=1e6, poisson=0.45, density=1000.0)
    section = fx.Taper(fx.Circle(radius=0.02), fx.Circle(radius=0.01))
    return fx.Robot(
        "arm",
        rods=[fx.Rod("arm", 0.6, section, rubber)],
        joints=[fx.Weld("world", "arm.base")],
        loads=[fx.Gravity(), fx.PointLoad("pull", at="arm.tip", force=(0.0, 0.3, 0.4))],
    )


def main() -> list[fx.StaticResult]:
    robot = arm()
    exact = fx.shooting(robot).unwrap()
    return [
        *(fx.statics(fx.build(robot, rods=choice)).unwrap() for choice in MODELS.values()),
        exact,
    ]


def figure(results: list[fx.StaticResult], path: str = "models.png") -> None:
    from flexura import view

    view.picture(results[0], path)


if __name__ == "__main__":
    *solved, truth = main()
    for name, result in zip(MODELS, solved, strict=True):
        error = fx.shape_error(result, truth)
        print(f"{name:>22}: {error.max_percent:.1e} % off, {result.iterations} iterations")
    figure(solved)
