"""A soft ball is pressed between two plates: Hertz's force, with what the far side adds.

    F = 4/3 E/(1 - ν²) √R δ^{3/2},     δ the approach of a plate to the middle of the ball,

for what is far from the other plate. That one comes nearer as well: with a³ = 3/4 (1 - ν²) R F/E,

    δ = a²/R - F/(π E) (2 (1 + ν) R²/(a² + 4 R²)^{3/2} + (1 - ν²)/(a² + 4 R²)^{1/2})    [Tatara1991]
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
PARTS = (0.15, 0.2, 0.25)  # √(δ/R)
FINE = 1.8  # elements become smaller towards the poles by this power


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
    """Tetrahedra of a cube that is blown up to a ball."""
    t = np.linspace(0.0, 1.0, count + 1)
    across, along = t**FINE, 1.0 - (1.0 - t) ** FINE
    axes = [np.concatenate([-x[:0:-1], x]) for x in (across, across, along)]
    points = np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, 3)
    size = np.linalg.norm(points, axis=1)
    points *= (BALL * np.abs(points).max(axis=1) / np.where(size > 0.0, size, 1.0))[:, None]
    number = np.arange(len(points)).reshape((2 * count + 1,) * 3)
    cubes = product(range(2 * count), repeat=3)
    return points, np.array(
        [[number[tuple(c + CORNERS[i])] for i in t] for c in cubes for t in SIX]
    )


def model(count: int) -> fx.Model:
    """The ball, held at its middle, between two plates that are driven."""
    soft = fx.Material(young=YOUNG, poisson=POISSON, density=0.0)
    shape = fx.Box(4.0 * BALL, 4.0 * BALL, BALL)
    plates = [fx.Body(name, 1.0, (1e-3,) * 3, shape=shape) for name in ("top", "bottom")]
    joints: list[object] = [fx.Clamp("world", fx.Nodes("ball", indices=middle(count)))]
    for name, side in (("top", 1.0), ("bottom", -1.0)):
        at = fx.lie.se3.pose((0.0, 0.0, side * 1.5 * BALL))
        joints.append(fx.Slider(name, "world", name, (0, 0, -side), offset=at, driven=True))
    robot = fx.Robot(
        "ball", volumes=[fx.Volume("ball", mesh(count), soft, quadratic=True)],
        bodies=plates, joints=joints,
        contacts=[fx.Contact("ball", "top"), fx.Contact("ball", "bottom")],
    )  # fmt: skip
    return fx.build(robot)


def middle(count: int) -> list[int]:
    """Nodes next to the middle, which does not move: they keep the ball from turning."""
    far = np.linalg.norm(mesh(count)[0], axis=1)
    return np.argsort(far, kind="stable")[:7].tolist()


def run(quick: bool = False) -> Table:
    """Press the plates together.

    Args:
        quick: a coarse ball, and one approach.
    """
    rows, ratios, results = [], {}, []
    parts = PARTS[1:2] if quick else PARTS
    for count in (3,) if quick else track((3, 4), "ball"):
        built, found = model(count), []
        result = fx.statics(built).unwrap()
        for part in parts:
            depth = part**2 * BALL
            result = fx.statics(built, {"top": depth, "bottom": depth}, start=result).unwrap()
            force = sum(x.pressing for x in result.contacts if x.b == "top")
            found.append(force / expected(depth))
            results.append(result)
        ratios[count] = found
        elements = len(built.robot.volumes[0].elements()[1])
        rows.append((f"{elements} elements", *(f"{x:.3f}" for x in found)))
    rows.append(
        ("Hertz alone", *(f"{hertz(x**2 * BALL) / expected(x**2 * BALL):.3f}" for x in parts))
    )
    header = ("ball", *(f"force over theory, a/R = {x:g}" for x in parts))
    return Table(
        "Hertz: a ball between plates", header, rows, data={"ratios": ratios, "all": results}
    )
