"""The two curved tubes of Table 7, turned against each other: Figure 24.

The third tube of the paper holds the others without moving: it is the plate here. The paper's text
has lost the lengths outside of it; 0.25 m of both tubes are taken, where they do not snap, and
0.4 m, where they do. The equation θ'' = c sin θ has a closed form in elliptic functions.
"""

from collections.abc import Iterator

import numpy as np
from scipy.special import ellipj

import flexura as fx
from benchmarks.table import NONE, Claim, Table
from flexura.typing import Array

# Degree and control poses of the paper's first tube: ten, on one smooth piece.
PAPER = fx.Spline(degree=5, spans=5)
REFINED = fx.VariableStrain(orders=(12, 12, 12, 0, 0, 0), steps=200)
LENGTHS = (0.25, 0.4)  # outside of the plate [m]
TURN = 2.0 * np.pi


def robot(length: float) -> fx.Robot:
    """Both tubes with as much of them outside of the plate, and nothing behind it."""
    plastic = fx.Material(young=2e9, poisson=0.45)
    tubes = [
        fx.Rod(name, length, fx.Circle(radius=radius), plastic, rest=(0.0, curvature, 0.0))
        for name, radius, curvature in (("first", 2.5e-3, 6.0), ("second", 5e-3, 4.0))
    ]
    return fx.Robot(
        "table 7",
        tubes=[fx.TubeSet("set", tubes)],
        joints=[fx.Weld("world", "set.base")],
    )


def coefficient(own: fx.Robot) -> float:
    """The coefficient c of θ'' = c sin θ, by the tubes [1/m²]."""
    (a, b), k = own.slender[:2], 6.0 * 4.0
    (ga, ea), (gb, eb) = (x.stiffness(0.0)[:2] for x in (a, b))
    return float((1.0 / ga + 1.0 / gb) * ea * eb / (ea + eb) * k)


def angle_in(out: Array, c: float, length: float) -> Array:
    """Angle at the plate for an angle at the tip: sin((θ(0) - π)/2) = k cd(√c L, k)."""
    k = np.sin((out - np.pi) / 2.0)
    _, cn, dn, _ = ellipj(np.sqrt(c) * length, k**2)
    return np.asarray(np.pi + 2.0 * np.arcsin(k * cn / dn))


def curve(length: float, rods: fx.Spline | fx.VariableStrain) -> tuple[float, list[float], float]:
    """Largest error of the angle in [rad], angles of snapping, and that of the equation or nan."""
    own = robot(length)
    path = fx.continuation(fx.build(own, rods=rods), "second.rotation", to=TURN, steps=400)
    out = np.array([r.angle("second", length) - r.angle("first", length) for r in path])
    c = coefficient(own)
    inside = np.unwrap(angle_in(out, c, length))
    off = np.abs(np.sin((inside - TURN * path.fraction) / 2.0)).max() * 2.0
    snaps = [TURN * mark.fraction for mark in path.limits]
    fine = np.linspace(0.0, np.pi, 200_001)
    snap = float(angle_in(fine, c, length).max())
    return float(off), snaps, snap if snap > np.pi + 1e-9 else np.nan


def run(quick: bool = False) -> Table:
    rows = []
    for length in LENGTHS:
        for name, rods in (("the paper's", PAPER), ("refined", REFINED)):
            off, snaps, snap = curve(length, rods)
            found = ", ".join(f"{x:.7f}" for x in snaps) or "none"
            exact = "none" if np.isnan(snap) else f"{snap:.7f}"
            rows.append([f"{length} m, {name}", f"{off:.1e}", found, exact])
    header = ["outside, resolution", "angle in off [rad]", "snaps at [rad]", "equation [rad]"]
    return Table("the tubes of Table 7", header, rows)


def claims(table: Table) -> Iterator[Claim]:
    """Where the tubes snap."""
    for row in table.named:
        exact = row["equation [rad]"]
        yield Claim(
            f"Table 7, {row['outside, resolution']}: snaps at [rad]",
            NONE,
            exact,
            row["snaps at [rad]"],
        )
