"""From waves to a helix: a heavy rod is pushed along a horizontal tube.

It lies at the bottom; with its weight w per length, a clearance r and F = f √(EI w/r), published
loads of a long rod without friction are

    f = 2             it snakes [Dawson1984],
    f = 2 √2 = 2.83   a helix has less energy than the straight rod [Chen1990],
    f = 3.66          all of it is a helix, 2 (2 √2 - 1) [Wu1993].

This one is 22 (EI r/w)^¼ long, seven halves of a wave, and its ends are held at the bottom by
balls. The force is raised step by step, each equilibrium from the one before. It winds from its
ends, and opposite ways: as many turns as come from one have to go at the other, so that waves stay
between them where a long rod would be a helix all along.
"""

from typing import Any

import numpy as np

import flexura as fx
from benchmarks.contact.rods import CLEARANCE, PIPE, STEEL, TUBE, in_tube, stiffness
from benchmarks.progress import track
from benchmarks.table import Table

WEIGHT = np.pi * PIPE**2 * STEEL.density * 9.81  # per length [N/m]
FORCE = float(np.sqrt(stiffness(PIPE, STEEL.young) * WEIGHT / CLEARANCE))  # of f = 1 [N]
SNAKES, HELIX = 2.0, 2.0 * np.sqrt(2.0)
LOADS = np.arange(1.8, 3.81, 0.1)
ASIDE = 1e-3  # what pushes its middle aside, of its weight: waves have two sides
WAVE = 0.1  # [rad]
PLACES = 401


def around(result: fx.StaticResult) -> np.ndarray:
    """How far around the wall the rod is at even places along it, from the bottom [rad]."""
    _, y, z = result.pose("rod", np.linspace(0.0, TUBE, PLACES))[:, :3, 3].T
    return np.unwrap(np.arctan2(y, -z))


def push(spans: int, loads: np.ndarray) -> list[fx.StaticResult]:
    """Results for one load f after the other, each from the one before."""
    model, found = in_tube(spans, aside=ASIDE * WEIGHT * TUBE), []
    start = fx.statics(model, {"aside": (0.0,) * 6}).unwrap()
    for f in track(loads.tolist(), "load"):
        start = fx.statics(model, {"load": (0, 0, 0, -f * FORCE, 0, 0)}, start=start)
        found.append(start)
    return found


def first(loads: np.ndarray, is_so: list[bool]) -> float:
    """Half way between the loads before and at which something is so for the first time."""
    at = is_so.index(True) if True in is_so else len(loads)
    return float(loads[at] - 0.5 * (loads[1] - loads[0])) if at < len(loads) else float("inf")


def run(quick: bool = False) -> Table:
    """Raise the force.

    Args:
        quick: a coarser rod, up to where it winds over the top.
    """
    loads, spans = (LOADS[1:13], 32) if quick else (LOADS, 48)
    results = push(spans, loads)
    angles = [around(result) for result in results]
    data = {
        "snakes": first(loads, [bool(np.abs(x).max() > WAVE) for x in angles]),
        "winds": first(loads, [bool(np.abs(x).max() > np.pi) for x in angles]),
    }
    rows = [
        ["snakes, by 0.1 rad", f"{data['snakes']:.2f}", f"{SNAKES:.2f}"],
        ["winds over the top", f"{data['winds']:.2f}", f"{HELIX:.2f}"],
    ]
    return Table(
        title=f"a rod of {spans} spans is pushed along a tube",
        header=("it", "f", "published, of a long rod"),
        rows=rows,
        data=data | {"loads": loads, "angles": angles, "all": results},
    )


def figure(table: Table) -> Any:
    """How far around the rod is, along it, for several loads."""
    from matplotlib.figure import Figure

    drawing = Figure(figsize=(6.5, 3.6))
    axes = drawing.add_subplot()
    loads, angles = table.data["loads"], table.data["angles"]
    for at in np.linspace(2, len(loads) - 1, 6).astype(int).tolist():
        turns = angles[at] / (2.0 * np.pi)
        axes.plot(np.linspace(0.0, TUBE, PLACES), turns, label=f"f = {loads[at]:.1f}")
    axes.set(xlabel="along the rod [m]", ylabel="around the tube [turns]")
    axes.grid(alpha=0.3)
    axes.legend(ncols=2, fontsize="small")
    drawing.tight_layout()
    return drawing
