"""The robots of scenarios A to E, their tensions, and the reference solutions."""

import csv
from dataclasses import dataclass
from itertools import pairwise, product
from pathlib import Path

import numpy as np

import flexura as fx
from flexura.lie import quaternion

REFERENCE = Path(__file__).parent / "reference"
SCENARIOS = "ABCDE"
RADIUS = 8e-3  # of the tendons [m]
YOUNG, POISSON = 210e9, 0.3125
# The paper's code computes G = E (1 + nu) / 2; the physical relation is E / (2 (1 + nu)).
SHEAR = {False: 0.5 * YOUNG * (1.0 + POISSON), True: 0.5 * YOUNG / (1.0 + POISSON)}
# Upright: local x, the rod, along world z; local y and z along world x and y.
BASE = np.array([[0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 0, 1]], dtype=float)


def robot(scenario: str, physical: bool = False, joined: bool = True) -> fx.Robot:
    """The robot of a scenario.

    Args:
        scenario: its letter.
        physical: whether G follows from Poisson's ratio as it should.
        joined: whether the segments of D and E are rods of their own, welded together; else the
            robot is one rod, and tendons end and kink inside.
    """
    steel = fx.Material(young=YOUNG, shear=SHEAR[physical], density=95e3)
    several = scenario in "DE"
    count, length = (3, 0.1) if several and joined else (1, 0.3 if several else 0.242)
    names = [f"segment{i}" for i in range(1, count + 1)]
    welds = [fx.Weld(f"{a}.tip", f"{b}.base") for a, b in pairwise(names)]
    return fx.Robot(
        scenario,
        rods=[fx.Rod(name, length, fx.Circle(0.4e-3), steel) for name in names],
        joints=[fx.Weld("world", f"{names[0]}.base", offset=BASE), *welds],
        tendons=_tendons(scenario, names),
        loads=[fx.Gravity()],
    )


def tip(description: fx.Robot) -> str:
    """The frame at the end of a robot."""
    return f"{description.rods[-1].name}.tip"


def _tendons(scenario: str, rods: list[str]) -> list[fx.Tendon]:
    """The tendons of a scenario, called t1, t2 and so on."""
    thirds = 2.0 * np.pi / 3.0 * np.arange(3)
    if scenario == "A":
        routes = [(fx.Parallel(*_point(angle)), None) for angle in thirds]
    elif scenario == "B":
        routes = [(fx.Convergent(sign * RADIUS, 0.0), None) for sign in (1.0, -1.0)]
    elif scenario == "C":
        routes = [(fx.Helical(RADIUS, turns=1.0, phase=phase), None) for phase in (0.0, np.pi)]
    elif scenario == "D":
        ends = np.repeat([0.1, 0.2, 0.3], 3)
        routes = [(fx.Parallel(*_point(a)), s) for a, s in zip([*thirds] * 3, ends, strict=True)]
    else:
        routes = [
            (_convergent_at_last(0.1 * j, _point(thirds[j] + turn)), 0.1 * (j + 1))
            for j in range(3)
            for turn in (0.0, np.pi)
        ]
    return [
        fx.Tendon(f"t{i}", _passed(rods, end), routing, end=end)
        for i, (routing, end) in enumerate(routes, 1)
    ]


def _point(angle: float) -> tuple[float, float]:
    """A point of the circle that the tendons lie on."""
    return RADIUS * float(np.cos(angle)), RADIUS * float(np.sin(angle))


def _convergent_at_last(begin: float, point: tuple[float, float]) -> fx.Convergent | fx.Piecewise:
    """Parallel, and convergent in the last 0.1 m."""
    last = fx.Convergent(*point)
    if begin == 0.0:
        return last
    return fx.Piecewise([(begin, fx.Parallel(*point)), (begin + 0.1, last)])


def _passed(rods: list[str], end: float | None) -> list[str]:
    """The rods that a tendon passes, of 0.1 m each where there are several."""
    return rods if end is None or len(rods) == 1 else rods[: round(end / 0.1)]


def combinations(scenario: str) -> np.ndarray:
    """All combinations of tensions of a scenario [N], the first tendon fastest, (n, tendons)."""
    levels = {
        "A": [range(6)] * 3,
        "B": [range(9)] * 2,
        "C": [range(1, 11)] * 2,
        "D": [(0.0, 2.5, 5.0)] * 3 + [(0.0, 3.75)] * 3 + [(0.0, 2.5)] * 3,
        "E": [(0.0, 2.0, 4.0)] * 2 + [(0.0, 1.5, 3.0)] * 2 + [(0.0, 1.0, 2.0)] * 2,
    }[scenario]
    table = np.array([row[::-1] for row in product(*levels[::-1])], dtype=float)
    if scenario == "D":
        table = np.array([row for row in table if _moderate(row.reshape(3, 3))])
    if scenario == "E":
        pairs = table.reshape(-1, 3, 2)
        equal = (pairs[:, :, 0] == pairs[:, :, 1]) & (pairs[:, :, 0] > 0.0)
        table = table[~equal.any(axis=1)]
    return table


def _moderate(tensions: np.ndarray) -> bool:
    """Whether the references keep a combination of D; rows are segments."""
    if any(row[0] > 0.0 and (row == row[0]).all() for row in tensions):
        return False
    return all(np.ptp(tensions[k:].sum(axis=0)) <= most for k, most in enumerate((5.0, 3.75, 2.5)))


@dataclass(frozen=True)
class Reference:
    """Exact tips for some combinations: tensions (n, k), positions (n, 3), rotations (n, 3, 3)."""

    tensions: np.ndarray
    position: np.ndarray
    rotation: np.ndarray


def reference(scenario: str, physical: bool = False) -> Reference:
    """The reference solutions of a scenario.

    Tip poses of the continuous model, computed by an independent solver to 1e-12 m. The files'
    section frame has z along the rod; here x is.
    """
    path = REFERENCE / f"{scenario}{'_physical' if physical else ''}.csv"
    with path.open() as file:
        _, *rows = csv.reader(file)
    table = np.array(rows, dtype=float)
    turned = quaternion.to_matrix(table[:, -4:]) @ BASE[:3, :3]
    return Reference(table[:, :-7], table[:, -7:-4], turned)
