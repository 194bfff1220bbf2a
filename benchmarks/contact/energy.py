"""Energy never grows: things fall onto a floor, and onto each other, and are followed for long.

Steps of implicit Euler take energy away; impacts and friction take more. What is told is by how
much kinetic, elastic and gravitational energy together grow in the worst of all steps.
"""

from collections.abc import Callable, Iterator

import numpy as np

import flexura as fx
from benchmarks.progress import track
from benchmarks.table import Table

STEPS, STEP, AT_ONCE = 10_000, 1e-3, 500
RUBBER = fx.Material(young=2e6, poisson=0.4, density=1000.0)
FOAM = fx.Material(young=5e4, poisson=0.3, density=300.0)
SIZE = 0.05
FLOOR = fx.Obstacle("floor", fx.Plane())
# Corners of a cube, and six tetrahedra of it.
CORNERS = np.array([(i, j, k) for i in (0, 1) for j in (0, 1) for k in (0, 1)])
SIX = [(0, 4, 6, 7), (0, 5, 4, 7), (0, 6, 2, 7), (0, 2, 3, 7), (0, 1, 5, 7), (0, 3, 1, 7)]

Case = tuple[fx.Model, dict[str, np.ndarray]]


def tilted(height: float, turn: tuple[float, float, float]) -> np.ndarray:
    """A pose at a height, turned."""
    return fx.lie.se3.pose((0.0, 0.0, height), turn)


def box() -> Case:
    """A box that falls onto an edge, and tumbles."""
    inertia = 0.1 * SIZE**2 / 6.0
    body = fx.Body("box", 0.1, (inertia,) * 3, shape=fx.Box(SIZE, SIZE, SIZE))
    robot = fx.Robot(
        "box", bodies=[body], loads=[fx.Gravity()], obstacles=[FLOOR],
        contacts=[fx.Contact("box", "floor", friction=0.4)],
    )  # fmt: skip
    return fx.build(robot), {"box": tilted(0.15, (0.3, -0.5, 0.2))}


def rod() -> Case:
    """A soft rod that falls with one end first."""
    robot = fx.Robot(
        "rod", rods=[fx.Rod("rod", 0.2, fx.Circle(5e-3), RUBBER)], loads=[fx.Gravity()],
        obstacles=[FLOOR], contacts=[fx.Contact("rod", "floor", friction=0.4)],
    )  # fmt: skip
    return fx.build(robot, rods=fx.Spline(3, 6)), {"rod": tilted(0.2, (0.0, 0.5, 0.0))}


def cube() -> Case:
    """A cube of foam that falls onto a corner."""
    turned = tilted(0.1, (0.6, 0.4, 0.0))
    points = (SIZE * (CORNERS - 0.5)) @ turned[:3, :3].T + turned[:3, 3]
    robot = fx.Robot(
        "cube", volumes=[fx.Volume("cube", (points, SIX), FOAM)], loads=[fx.Gravity()],
        obstacles=[FLOOR], contacts=[fx.Contact("cube", "floor", friction=0.4)],
    )  # fmt: skip
    return fx.build(robot), {}


def pile() -> Case:
    """Three flat boxes that fall onto each other."""
    names, flat = ("low", "middle", "high"), fx.Box(2.0 * SIZE, 2.0 * SIZE, SIZE)
    bodies = [fx.Body(name, 0.1, (1e-4, 1e-4, 1.6e-4), shape=flat) for name in names]
    pairs = [("low", "floor"), ("middle", "low"), ("high", "middle")]
    robot = fx.Robot(
        "pile", bodies=bodies, loads=[fx.Gravity()], obstacles=[FLOOR],
        contacts=[fx.Contact(*pair, friction=0.4) for pair in pairs],
    )  # fmt: skip
    places = [tilted(0.03 + 0.07 * i, (0.0, 0.0, 0.2 * i)) for i in range(3)]
    return fx.build(robot), dict(zip(names, places, strict=True))


CASES: dict[str, Callable[[], Case]] = {"box": box, "rod": rod, "cube of foam": cube, "pile": pile}


def followed(case: Case, steps: int) -> Iterator[fx.Motion]:
    """The motion, some steps at a time."""
    model, place = case
    motion = fx.simulate(model, min(steps, AT_ONCE) * STEP, STEP, place=place).unwrap()
    yield motion
    for _ in range(AT_ONCE, steps, AT_ONCE):
        motion = fx.simulate(model, AT_ONCE * STEP, STEP, start=motion[-1]).unwrap()
        yield motion


def run(quick: bool = False) -> Table:
    """Follow all of them.

    Args:
        quick: for 500 steps.
    """
    steps = AT_ONCE if quick else STEPS
    rows, data = [], {}
    for name, make in track(list(CASES.items()), "case"):
        grown, deepest, energies, last = -np.inf, 0.0, [], None
        for motion in followed(make(), steps):
            grown = max(grown, float(np.diff(motion.energy).max()))
            energies += [motion.energy[0], motion.energy[-1]]
            gaps = [x.gap for instant in motion[::10] for x in instant.contacts]
            deepest, last = min([deepest, *gaps]), motion
        data[name] = {"grown": grown, "first": energies[0], "deepest": deepest, "last": last}
        lost = energies[0] - energies[-1]
        rows.append(
            [
                name, f"{steps}", f"{energies[0]:.4g}", f"{lost:.4g}", f"{grown:.1e}",
                f"{-deepest:.1e}", f"{last.kinetic[-1]:.1e}",
            ]
        )  # fmt: skip
    return Table(
        title="energy of what falls, with friction 0.4",
        header=(
            "what", "steps of 1 ms", "energy at first [J]", "lost [J]", "grown in a step [J]",
            "deepest [m]", "kinetic at the end [J]",
        ),
        rows=rows,
        data=data,
    )  # fmt: skip
