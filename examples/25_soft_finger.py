"""A soft finger with a cable inside: the cable is a rod that slides, and its stiffness counts.

Pulled by the same 4 mm, a thick cable bends the silicone less than a thin one.
"""

from itertools import product

import numpy as np

import flexura as fx
from flexura import view
from flexura.lie import se3

LENGTH, WIDTH, HEIGHT = 0.08, 0.014, 0.018
CORNERS = np.array(list(product((0, 1), repeat=3)))
SIX = [(0, 4, 6, 7), (0, 5, 4, 7), (0, 6, 2, 7), (0, 2, 3, 7), (0, 1, 5, 7), (0, 3, 1, 7)]


def finger() -> tuple[np.ndarray, np.ndarray]:
    """A bar with notches below, of cubes that are six tetrahedra each."""
    grid = [np.linspace(0, a, n) for a, n in ((LENGTH, 17), (WIDTH, 3), (HEIGHT, 4))]
    points = np.stack(np.meshgrid(*grid, indexing="ij"), -1).reshape(-1, 3)
    number = np.arange(len(points)).reshape(17, 3, 4)
    cubes = [c for c in product(range(16), range(2), range(3)) if c[2] or c[0] % 4 != 2]
    cells = [[number[tuple(c + CORNERS[i])] for i in t] for c in cubes for t in SIX]
    used, cells = np.unique(cells, return_inverse=True)
    return points[used] - (0, WIDTH / 2, 0), cells.reshape(-1, 4)


def robot(radius: float, y: float) -> fx.Robot:
    silicone = fx.Material(young=5e5, poisson=0.45, density=1100.0)
    nylon = fx.Material(young=5e9, poisson=0.4, density=1150.0)
    points, cells = finger()
    way = [(x, y, 0.008) for x in np.linspace(0.0, LENGTH, 9)]
    return fx.Robot(
        f"finger with a cable of {1e3 * radius:g} mm",
        rods=[fx.Rod("cable", LENGTH, fx.Circle(radius), nylon)],
        volumes=[fx.Volume("finger", (np.add(points, (0, y, 0)), cells), silicone, quadratic=True)],
        joints=[
            fx.Clamp("world", fx.Nodes("finger", box=((0, -1, -1), (0, 1, 1)))),
            fx.Slider("pull", "world", "cable.base", (-1, 0, 0), se3.pose(way[0]), True),
            fx.Threaded("cable", "finger", points=way),
        ],
        loads=[fx.Gravity()],
    )


def main() -> list[fx.StaticResult]:
    sides = ((3e-4, -0.015), (1.2e-3, 0.015))
    models = [fx.build(robot(*side), rods=fx.LinearStrain(8)) for side in sides]
    return [fx.statics(model, {"pull": 4e-3}).unwrap() for model in models]


def figure(results: list[fx.StaticResult], file: str) -> None:
    view.picture(results, file, color="von_mises", opacity=0.5, ghost=False)


if __name__ == "__main__":
    figure(main(), "soft_finger.png")
