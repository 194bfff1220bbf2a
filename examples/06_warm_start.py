"""A robot from a file, moved through a circle of tip forces, each solve starting from the last."""

from pathlib import Path

import numpy as np

import flexura as fx

FILE = Path(__file__).parent / "cantilever.toml"


def main(count: int = 24) -> list[fx.StaticResult]:
    model = fx.build(fx.load(FILE), rods=fx.Spline(degree=3, spans=12))
    results: list[fx.StaticResult] = []
    for angle in np.linspace(0.0, 2.0 * np.pi, count):
        force = 0.5 * np.array([0.0, np.cos(angle), np.sin(angle)])
        start = results[-1] if results else None
        wrench = np.concatenate([np.zeros(3), force])
        results.append(fx.statics(model, inputs={"pull": wrench}, start=start).unwrap())
    return results


def figure(results: list[fx.StaticResult], path: str = "warm_start.png") -> None:
    from flexura import view

    view.picture(results[len(results) // 3], path)


if __name__ == "__main__":
    solved = main()
    print("iterations", *(result.iterations for result in solved))
    figure(solved)
