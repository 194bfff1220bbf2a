"""Design of a routing: where must a tendon run, for the tip to pass through given points?

Three numbers of a helix are free; ``fx.sensitivity`` has the derivatives of the tip by them.
"""

from functools import lru_cache

import numpy as np
from scipy.optimize import least_squares

import flexura as fx

PATHS = ["pull.routing.radius", "pull.routing.turns", "pull.routing.phase"]
TENSIONS = (0.5, 1.0)  # [N]
TARGETS = np.array([[0.23, 0.034, 0.054], [0.197, 0.063, 0.101]])  # of the tip [m]


def arm(radius: float, turns: float, phase: float) -> fx.Robot:
    return fx.Robot(
        "arm",
        rods=[fx.Rod("arm", 0.242, fx.Circle(diameter=0.8e-3), fx.materials.nitinol)],
        joints=[fx.Weld("world", "arm.base")],
        tendons=[fx.Tendon("pull", "arm", fx.Helical(radius, turns, phase))],
    )


@lru_cache(maxsize=8)
def solve(design: tuple[float, ...]) -> list[fx.StaticResult]:
    model = fx.build(arm(*design), rods=fx.LinearStrain(4))
    return [fx.statics(model, {"pull": tension}).unwrap() for tension in TENSIONS]


def tip(result: fx.StaticResult) -> np.ndarray:
    return result.pose("arm.tip")[:3, 3]


def misses(design: np.ndarray) -> np.ndarray:
    return np.ravel([tip(result) for result in solve(tuple(design))] - TARGETS)


def slopes(design: np.ndarray) -> np.ndarray:
    return np.concatenate([fx.sensitivity(r, tip, PATHS) for r in solve(tuple(design))])


def main() -> list[fx.StaticResult]:
    found = least_squares(misses, x0=(6e-3, 0.1, 0.3), jac=slopes, x_scale=(1e-3, 0.1, 0.1))
    print(PATHS, found.x.round(5), f"{found.nfev} designs were solved")
    return solve(tuple(found.x))


def figure(results: list[fx.StaticResult], path: str = "design.png") -> None:
    from flexura import view

    view.picture(results, path, names=["0.5 N", "1 N"], lines={"wanted": TARGETS}, color=None)


if __name__ == "__main__":
    results = main()
    print("off by", np.linalg.norm([tip(r) for r in results] - TARGETS, axis=1), "m")
    figure(results)
