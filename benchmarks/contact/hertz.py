"""A rigid ball is pressed into a soft pad: Hertz's force, with what the thickness of the pad adds.

    F = 4/3 E/(1 - ν²) √R δ^{3/2} f(√(R δ) / h)

for a pad of thickness h that is bonded to a rigid base [Dimitriadis2002]. At f = 1 this is Hertz's
law, the same for a soft ball on a rigid plane.
"""

import numpy as np

import flexura as fx
from benchmarks.table import Table

BALL, THICKNESS, HALF = 0.1, 0.05, 0.06  # radius, and size of the pad [m]
YOUNG, POISSON = 1e5, 0.3
SIX = ((0, 4, 6, 7), (0, 5, 4, 7), (0, 6, 2, 7), (0, 2, 3, 7), (0, 1, 5, 7), (0, 3, 1, 7))
PARTS = (0.1, 0.15, 0.2)  # √(δ/R), the radius of what touches over that of the ball


def expected(depth: float) -> float:
    """The force [N] for an approach [m]."""
    nu, pi = POISSON, np.pi
    a = -(1.2876 - 1.4678 * nu + 1.3442 * nu**2) / (1.0 - nu)
    b = (0.6387 - 1.0277 * nu + 1.5164 * nu**2) / (1.0 - nu)
    c = np.sqrt(BALL * depth) / THICKNESS
    factor = 1.0 - 2.0 * a / pi * c + 4.0 * a**2 / pi**2 * c**2
    factor -= 8.0 / pi**3 * (a**3 + 4.0 * pi**2 / 15.0 * b) * c**3
    factor += 16.0 * a / pi**4 * (a**3 + 3.0 * pi**2 / 5.0 * b) * c**4
    return float(4.0 / 3.0 * YOUNG / (1.0 - nu**2) * np.sqrt(BALL) * depth**1.5 * factor)


def pad(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Tetrahedra of a pad, smaller towards where the ball is."""
    t = np.linspace(0.0, 1.0, count + 1) ** 1.6
    across = HALF * np.concatenate([-t[:0:-1], t])
    axes = (across, across, -THICKNESS * t[::-1])
    points = np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, 3)
    number = np.arange(len(points)).reshape(*map(len, axes))
    n, m = len(across) - 1, count
    corner = np.stack(
        [
            number[i : n + i, j : n + j, k : m + k].ravel()
            for i in (0, 1)
            for j in (0, 1)
            for k in (0, 1)
        ],
        axis=1,
    )
    return points, np.concatenate([corner[:, t] for t in SIX])


def model(count: int) -> fx.Model:
    """The ball, which a grip holds, above the pad."""
    soft = fx.Material(young=YOUNG, poisson=POISSON, density=0.0)
    ball = fx.Body("ball", mass=1.0, inertia=(1e-3,) * 3, shape=fx.Sphere(BALL))
    bottom = fx.Nodes("pad", box=((-1, -1, -THICKNESS), (1, 1, -THICKNESS)))
    above = fx.lie.se3.pose((0.0, 0.0, BALL))
    robot = fx.Robot(
        "Hertz",
        volumes=[fx.Volume("pad", pad(count), soft, quadratic=True)],
        bodies=[ball],
        joints=[fx.Weld("world", "ball", offset=above, name="grip"), fx.Clamp("world", bottom)],
        contacts=[fx.Contact("pad", "ball")],
    )
    return fx.build(robot)


def run(quick: bool = False) -> Table:
    """Press the ball into pads.

    Args:
        quick: one coarse pad, and one depth.
    """
    rows, ratios, results = [], {}, []
    for count in (3,) if quick else (2, 3, 4):
        built = model(count)
        result = fx.statics(built).unwrap()
        cells, found = [], []
        for part in PARTS[1:2] if quick else PARTS:
            depth = part**2 * BALL
            down = {"grip": fx.lie.se3.pose((0.0, 0.0, BALL - depth))}
            result = fx.statics(built, down, start=result).unwrap()
            force = sum(x.pressing for x in result.contacts)
            found.append(force / expected(depth))
            cells.append(f"{found[-1]:.3f}")
            results.append(result)
        ratios[count] = found
        rows.append((f"{len(built.robot.volumes[0].elements)} elements", *cells))
    shown = PARTS[1:2] if quick else PARTS
    header = ("pad", *(f"force over theory, a/R = {part:g}" for part in shown))
    return Table("Hertz: a ball in a pad", header, rows, data={"ratios": ratios, "all": results})
