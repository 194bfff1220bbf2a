"""Many things that may touch and few that are near: how long it takes to find which.

A rod flies beside a row of posts at the edge of a field of them, and may touch all. What is near is
the row, whatever the size of the field. And capsules fly side by side, any two of which may touch:
near are neighbours.
"""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

import flexura as fx
from benchmarks.progress import track
from benchmarks.table import Table
from benchmarks.timing import measure
from flexura.solve.workspace import workspace
from flexura.typing import Pose

POST, THIN, CLEAR = 5e-3, 2e-3, 1e-3  # radii of posts and of the rod, and what is between them [m]
RUBBER = fx.Material(young=1e7, poisson=0.4, density=1000.0)
LENGTH, ROW = 1.0, 20  # of the rod [m], posts along it
STEP, STEPS = 1e-3, 5  # [s]
LINKS, POSTS, CAPSULES = (100, 300, 1000), (20, 100, 300), (10, 30, 100)
APART = 2.0 * POST + CLEAR  # of capsules, from middle to middle [m]


def field(links: int, posts: int) -> fx.Model:
    """A rod of so many links beside a field of posts."""
    places = [
        ((k % ROW + 0.5) * LENGTH / ROW, POST + THIN + CLEAR + k // ROW * 4.0 * POST, 0.0)
        for k in range(posts)
    ]
    obstacles = [
        fx.Obstacle(f"post {k}", fx.Sphere(POST), pose=fx.lie.se3.pose(place))
        for k, place in enumerate(places)
    ]
    robot = fx.Robot(
        "field",
        rods=[fx.Rod("rod", LENGTH, fx.Circle(THIN), RUBBER)],
        obstacles=obstacles,
        contacts=[fx.Contact("rod", x.name) for x in obstacles],
    )
    return fx.build(robot, rods=fx.Spline(3, links // 2))


def flock(count: int) -> tuple[fx.Model, dict[str, Pose]]:
    """Capsules any two of which may touch, and where they are, side by side."""
    names = [f"capsule {k}" for k in range(count)]
    robot = fx.Robot(
        "flock",
        bodies=[fx.Body(x, 0.1, (1e-4,) * 3, shape=fx.Capsule(POST, 0.1)) for x in names],
        contacts=[fx.Contact(a, b) for a, b in combinations(names, 2)],
    )
    place = {x: fx.lie.se3.pose((0.0, APART * k, 0.0)) for k, x in enumerate(names)}
    return fx.build(robot), place


def times(
    model: fx.Model, place: dict[str, Pose] | None, seconds: float, least: int = 3
) -> tuple[int, float, float]:
    """Pairs that are seen, and times to look at all of them and of a step in time [s]."""
    motion = fx.simulate(model, STEP, STEP, place=place).unwrap()
    instant = motion[-1]
    with workspace(model) as assembly:
        assembly.place(instant.state, instant.given)
        touch = assembly.touch
        assert touch is not None
        seen = int(np.count_nonzero(touch.found))
        look = measure(assembly.look, seconds, least)

    def go() -> None:
        fx.simulate(model, STEPS * STEP, STEP, start=instant).unwrap()

    return seen, look.median, measure(go, seconds, least).median / STEPS


def cases(quick: bool) -> Iterator[tuple[str, int, fx.Model, dict[str, Pose] | None]]:
    """Names, how many there are of what grows, models and where they begin."""
    for links in LINKS[:2] if quick else LINKS:
        for posts in POSTS[:2] if quick else POSTS:
            yield f"rod of {links} links, {posts} posts", posts, field(links, posts), None
    for count in CAPSULES[:2] if quick else CAPSULES:
        yield f"{count} capsules", count, *flock(count)


def run(quick: bool = False) -> Table:
    """Time how long it takes to look, and a step.

    Args:
        quick: fewer and smaller ones.
    """
    rows, data = [], {}
    for name, _, model, place in track(list(cases(quick)), "crowd"):
        assert model.contacts is not None
        seen, look, step = times(model, place, *((0.0, 1) if quick else (0.5, 3)))
        data[name] = (model.contacts.count, seen, look, step)
        rows.append(
            [name, str(model.contacts.count), str(seen), f"{1e3 * look:.3f}", f"{1e3 * step:.2f}"]
        )
    return Table(
        title="many that may touch, few that are near",
        header=("what", "pairs", "of these seen", "a look [ms]", "a step [ms]"),
        rows=rows,
        data=data,
    )
