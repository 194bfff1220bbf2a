"""A soft trunk leans against a post, and its tip follows a path around it: tensions by inverse."""

from itertools import product

import numpy as np

import flexura as fx

LENGTH, THICK, CELLS = 0.2, 0.024, (14, 2, 2)
TIP = fx.On("trunk", (LENGTH, 0.0, 0.0))
CORNERS = np.array(list(product((0, 1), repeat=3)))
SIX = [(0, 4, 6, 7), (0, 5, 4, 7), (0, 6, 2, 7), (0, 2, 3, 7), (0, 1, 5, 7), (0, 3, 1, 7)]
SIDES = {"left": (1, 0), "up": (0, 1), "right": (-1, 0), "down": (0, -1)}


def mesh() -> tuple[np.ndarray, np.ndarray]:
    """A bar of tetrahedra along x."""
    sizes, begin = (LENGTH, THICK, THICK), (0.0, -0.5 * THICK, -0.5 * THICK)
    grid = [b + np.linspace(0, a, n + 1) for a, b, n in zip(sizes, begin, CELLS, strict=True)]
    points = np.stack(np.meshgrid(*grid, indexing="ij"), -1).reshape(-1, 3)
    number = np.arange(len(points)).reshape([n + 1 for n in CELLS])
    cubes = product(*map(range, CELLS))
    return points, np.array(
        [[number[tuple(c + CORNERS[i])] for i in t] for c in cubes for t in SIX]
    )


def robot() -> fx.Robot:
    silicone = fx.Material(young=4e5, poisson=0.4, density=1080.0)
    tendons = []
    for name, (y, z) in SIDES.items():
        way = [(x, 0.009 * y, 0.009 * z) for x in np.linspace(0.0, LENGTH, 8)]
        tendons.append(fx.Tendon(name, volume="trunk", points=way[1:], pull=way[0]))
    upright = fx.lie.se3.pose((0.1, 0.034, 0.0), (0.0, 0.5 * np.pi, 0.0))
    return fx.Robot(
        "trunk",
        joints=[fx.Clamp("world", fx.Nodes("trunk", box=((0, -1, -1), (0, 1, 1))))],
        tendons=tendons,
        volumes=[fx.Volume("trunk", mesh(), silicone)],
        obstacles=[fx.Obstacle("post", fx.Cylinder(0.02, 0.12), pose=upright)],
        contacts=[fx.Contact("trunk", "post")],
    )


def path(count: int = 6) -> list[dict]:
    """The tip goes sideways, against the post, and then up behind it."""
    u = np.linspace(0.0, 1.0, count + 1)[1:]
    return [{TIP: (np.nan, 0.022 * min(1.5 * x, 1.0), 0.03 * max(x - 0.6, 0.0))} for x in u]


def main() -> list[fx.StaticResult]:
    model = fx.build(robot())
    answers = fx.inverse(model, path(), start=fx.statics(model).unwrap())
    return [answer.unwrap().result for answer in answers]


def figure(results: list[fx.StaticResult], path: str = "trunk_around_a_post.png") -> None:
    from flexura import view

    view.picture(results[-1], path, color="von_mises", towards=(0.3, -0.5, 1.0))
