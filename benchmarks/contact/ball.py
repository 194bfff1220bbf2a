"""A soft ball is pressed between two plates: Hertz's force, with what the far side adds.

    F = 4/3 E/(1 - ν²) √R δ^{3/2},     δ the approach of a plate to the middle of the ball,

for what is far from the other plate. That one comes nearer as well: with a³ = 3/4 (1 - ν²) R F/E,

    δ = a²/R - F/(π E) (2 (1 + ν) R²/(a² + 4 R²)^{3/2} + (1 - ν²)/(a² + 4 R²)^{1/2})    [Tatara1991]

The ball is cut in the middle, where it lies on a plane without friction: that is its other half.
"""

from itertools import product

import numpy as np
from scipy.optimize import brentq

import flexura as fx
from benchmarks.progress import track
from benchmarks.table import Table

BALL, YOUNG, POISSON = 0.05, 1e5, 0.3
SIX = ((0, 4, 6, 7), (0, 5, 4, 7), (0, 6, 2, 7), (0, 2, 3, 7), (0, 1, 5, 7), (0, 3, 1, 7))
CORNERS = np.array(list(product((0, 1), repeat=3)))
EDGES = ((0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3))
PARTS = (0.15, 0.2, 0.25)  # √(δ/R)
FINE = 2.2  # elements become smaller towards the pole by this power
NEAR = 0.5  # of the side of a cube: what is blown up further inside of it has round sides
ROUND = 1e-9  # of the radius: nodes on the surface


def hertz(depth: float) -> float:
    """The force of two half spaces [N] for an approach [m]."""
    return float(4.0 / 3.0 * YOUNG / (1.0 - POISSON**2) * np.sqrt(BALL) * depth**1.5)


def expected(depth: float) -> float:
    """The force between two plates [N] for an approach to the middle [m]."""

    def approach(force: float) -> float:
        a = (0.75 * (1.0 - POISSON**2) * BALL * force / YOUNG) ** (1.0 / 3.0)
        far = a * a + 4.0 * BALL**2
        other = 2.0 * (1.0 + POISSON) * BALL**2 / far**1.5 + (1.0 - POISSON**2) / far**0.5
        return float(a * a / BALL - force / (np.pi * YOUNG) * other)

    return float(brentq(lambda force: approach(force) - depth, 1e-9, 4.0 * hertz(depth)))


def mesh(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Quadratic tetrahedra of half a cube that is blown up to half a ball, round at the pole."""
    t = np.linspace(0.0, 1.0, count + 1)
    across, up = t**FINE, 1.0 - (1.0 - t) ** FINE
    both = np.concatenate([-across[:0:-1], across])
    cube = np.stack(np.meshgrid(both, both, up, indexing="ij"), -1).reshape(-1, 3)
    number = np.arange(len(cube)).reshape(2 * count + 1, 2 * count + 1, count + 1)
    cubes = product(range(2 * count), range(2 * count), range(count))
    cells = np.array([[number[tuple(c + CORNERS[i])] for i in t] for c in cubes for t in SIX])
    ends = np.sort(cells[:, EDGES], axis=2).reshape(-1, 2)
    edges, middle = np.unique(ends, axis=0, return_inverse=True)
    middles = len(cube) + middle.reshape(-1, len(EDGES))
    points, (x, y, z) = blown_up(cube), cube[edges].mean(axis=1).T
    # at edges of the cube elements with four corners on the sphere are flat: these stay as they are
    top = (z > 1.0 - ROUND) & (np.maximum(np.abs(x), np.abs(y)) < NEAR)
    between = points[edges].mean(axis=1)
    between[top] *= BALL / np.linalg.norm(between[top], axis=1)[:, None]
    return np.concatenate([points, between]), np.concatenate([cells, middles], axis=1)


def blown_up(cube: np.ndarray) -> np.ndarray:
    """Points of a cube [-1, 1]³ in a ball: those on its sides are on the sphere."""
    size = np.linalg.norm(cube, axis=1)
    return cube * (BALL * np.abs(cube).max(axis=1) / np.where(size > 0.0, size, 1.0))[:, None]


def model(count: int) -> fx.Model:
    """Half the ball on a plane, held in its middle, under a plate that is driven."""
    soft = fx.Material(young=YOUNG, poisson=POISSON, density=0.0)
    points, cells = mesh(count)
    far = np.linalg.norm(points, axis=1) + BALL * (points[:, 2] > ROUND * BALL)
    middle = np.argsort(far, kind="stable")[:9].tolist()  # keeps it from sliding and turning
    above = fx.lie.se3.pose((0.0, 0.0, 1.5 * BALL))
    robot = fx.Robot(
        "ball",
        volumes=[fx.Volume("ball", (points, cells), soft)],
        bodies=[fx.Body("plate", 1.0, (1e-3,) * 3, shape=fx.Box(4 * BALL, 4 * BALL, BALL))],
        joints=[
            fx.Clamp("world", fx.Nodes("ball", indices=middle)),
            fx.Slider("press", "world", "plate", (0, 0, -1), offset=above, driven=True),
        ],
        obstacles=[fx.Obstacle("middle", fx.Plane())],
        contacts=[fx.Contact("ball", "plate"), fx.Contact("ball", "middle")],
    )
    return fx.build(robot)


def run(quick: bool = False) -> Table:
    """Press the plate down.

    Args:
        quick: a coarse ball, and one approach.
    """
    rows, ratios, results = [], {}, []
    parts = PARTS[:1] if quick else PARTS
    for count in (3,) if quick else track((3, 4), "ball"):
        built, found = model(count), []
        result = fx.statics(built).unwrap()
        for part in parts:
            depth = part**2 * BALL
            result = fx.statics(built, {"press": depth}, start=result).unwrap()
            force = sum(x.pressing for x in result.contacts if "plate" in (x.a, x.b))
            found.append(force / expected(depth))
            results.append(result)
        ratios[count] = found
        elements = len(built.robot.volumes[0].mesh)
        rows.append((f"{elements} elements", *(f"{x:.3f}" for x in found)))
    alone = (f"{hertz(x**2 * BALL) / expected(x**2 * BALL):.3f}" for x in parts)
    rows.append(("Hertz alone", *alone))
    header = ("half a ball", *(f"force over theory, √(δ/R) = {x:g}" for x in parts))
    return Table(
        "Hertz: a soft ball between plates", header, rows, data={"ratios": ratios, "all": results}
    )
