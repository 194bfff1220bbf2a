"""Angle in against angle out of two tubes of equal length, by continuation through snapping.

θ'' = λ sin θ, θ'(L) = 0: closed form in elliptic functions, in the reference.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.interpolate import CubicSpline

import flexura as fx
from benchmarks.concentric_tubes.cases import read, robot
from benchmarks.table import NONE, Claim, Table
from flexura.typing import Array

REFINED = fx.VariableStrain(orders=(12, 12, 12, 0, 0, 0), steps=400)
QUICK = fx.VariableStrain(orders=(10, 10, 10, 0, 0, 0), steps=200)
TURN = 2.0 * np.pi


@dataclass(frozen=True)
class Curve:
    """A path of equilibria from no relative angle to a whole turn.

    Attributes:
        path: of the outer tube's rotation.
        angle_in, angle_out: relative angles at the plate and at the tip [rad].
        off: largest error of the angle in, at the angles out [rad].
    """

    path: fx.EquilibriumPath
    angle_in: Array
    angle_out: Array
    off: float


def cases() -> list[dict[str, Any]]:
    """Those with tubes: one that does not snap, one that does."""
    return [case for case in read("two_tubes_s_curves.json")["cases"] if "tubes" in case]


def relative(result: fx.StaticResult, length: float) -> float:
    """Angle of the outer tube against the inner one at the tip [rad]."""
    return float(result.angle("outer", length) - result.angle("inner", length))


def follow(case: dict[str, Any], rods: fx.VariableStrain = REFINED) -> Curve:
    """Both branches, and the unstable one between them."""
    model = fx.build(robot(case["tubes"]), rods=rods)
    path = fx.continuation(model, "outer.rotation", to=TURN, steps=400)
    found = np.array([relative(result, case["L"]) for result in path])
    closed = CubicSpline(case["alpha_L"], case["alpha_in"])
    given = TURN * path.fraction
    return Curve(path, given, found, float(np.abs(closed(found) - given).max()))


def run(quick: bool = False) -> Table:
    rows = []
    for case in cases():
        curve = follow(case, QUICK if quick else REFINED)
        snaps = [f"{TURN * mark.fraction:.9f}" for mark in curve.path.limits]
        closed = f"{case['snap']['alpha_in']:.9f}" if case["snap"] else "none"
        rows.append([case["name"], f"{curve.off:.1e}", ", ".join(snaps) or "none", closed])
    header = ["tubes", "angle in off [rad]", "snaps at [rad]", "first of the closed form [rad]"]
    return Table("angle in against angle out of two tubes", header, rows)


def claims(table: Table) -> Iterator[Claim]:
    """Where the tubes snap."""
    for row in table.named:
        exact = row["first of the closed form [rad]"]
        yield Claim(f"snapping of {row['tubes']} [rad]", NONE, exact, row["snaps at [rad]"])
