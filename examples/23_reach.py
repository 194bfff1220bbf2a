"""Which tendons to pull: an arm of three segments and nine tendons draws a circle with its tip.

There are more tendons than numbers to reach: of all tensions that do it, those near 1 N are taken.
"""

from itertools import pairwise

import numpy as np

import flexura as fx
from flexura import view

UP = np.array([[0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 0, 1]], dtype=float)
SEGMENTS = ["lower", "middle", "upper"]


def arm() -> fx.Robot:
    steel = fx.Material(young=210e9, poisson=0.3, density=95e3)  # discs and tendons weigh, too
    thirds = 2.0 * np.pi / 3.0 * np.arange(3)
    return fx.Robot(
        "arm that reaches",
        rods=[fx.Rod(name, 0.1, fx.Circle(4e-4), steel) for name in SEGMENTS],
        joints=[
            fx.Weld("world", "lower.base", offset=UP),
            *(fx.Weld(f"{a}.tip", f"{b}.base") for a, b in pairwise(SEGMENTS)),
        ],
        tendons=[
            fx.Tendon(f"{name}{k}", SEGMENTS[: i + 1], _at(angle), end=0.1 * (i + 1))
            for i, name in enumerate(SEGMENTS)
            for k, angle in enumerate(thirds + 0.3 * i, 1)
        ],
        loads=[fx.Gravity()],
    )


def _at(angle: float) -> fx.Parallel:
    return fx.Parallel(8e-3 * np.cos(angle), 8e-3 * np.sin(angle))


def main() -> list[fx.StaticResult]:
    model = fx.build(arm(), rods=fx.VariableStrain((2, 3, 3, 0, 0, 0)))
    turns = np.linspace(0.0, 2.0 * np.pi, 13)
    circle = [{"upper.tip": (0.06 * np.cos(a), 0.06 * np.sin(a), 0.28)} for a in turns]
    names = [tendon.name for tendon in model.robot.tendons]
    bounds, wish = dict.fromkeys(names, (0.0, 6.0)), dict.fromkeys(names, 1.0)
    answers = fx.inverse(model, circle, bounds=bounds, prefer=wish).unwrap()
    print(f"the tip is {answers.error.max():.1e} m off at most")
    return [answer.result for answer in answers]


def figure(results: list[fx.StaticResult], file: str) -> None:
    drawn = [result.pose("upper.tip")[:3, 3] for result in results]
    view.picture(results[:-1:4], file, ghost=False, lines={"tip": drawn})


if __name__ == "__main__":
    figure(main(), "reach.png")
