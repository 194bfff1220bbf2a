"""A soft trunk leans against a post, and its tip follows a path around it: tensions by inverse."""

import numpy as np

import flexura as fx

LENGTH, THICK, CELLS = 0.2, 0.024, (14, 2, 2)
TIP = fx.On("trunk", (LENGTH, 0.0, 0.0))
CORNERS = list(np.ndindex(2, 2, 2))
SIX = [(0, 4, 6, 7), (0, 5, 4, 7), (0, 6, 2, 7), (0, 2, 3, 7), (0, 1, 5, 7), (0, 3, 1, 7)]
SIDES = {"left": (1, 0), "up": (0, 1), "right": (-1, 0), "down": (0, -1)}


def mesh() -> tuple:
    """A bar of tetrahedra along x."""
    shape, size = np.add(CELLS, 1), (LENGTH, THICK, THICK)
    points = (np.indices(shape).reshape(3, -1).T / CELLS - (0.0, 0.5, 0.5)) * size
    number = np.arange(len(points)).reshape(shape)
    cells = [[number[*np.add(c, CORNERS[i])] for i in t] for c in np.ndindex(CELLS) for t in SIX]
    return points, cells


def robot() -> fx.Robot:
    silicone, tendons = fx.Material(young=4e5, poisson=0.4, density=1080.0), []
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


if __name__ == "__main__":
    found = main()
    print("tip at", *(np.round(one.pose(TIP)[:3, 3], 4) for one in found))
    figure(found)
