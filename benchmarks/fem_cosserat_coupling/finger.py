"""The cable's own stiffness changes the finger's motion; sections converge; work is stored."""

from collections.abc import Iterator
from typing import Any

import numpy as np

import flexura as fx
from benchmarks.fem_cosserat_coupling.scenes import bent_finger, finger, tendon_finger
from benchmarks.progress import track
from benchmarks.table import NONE, Claim, Table

WAY = 4e-3  # the cable is pulled by [m]
RADII = (0.5e-3, 1.0e-3, 1.5e-3, 2.0e-3, 2.5e-3)
SECTIONS = (6, 15, 80)
BENT = 20.0  # curvature of the pre-bent rod [1/m]
TURNS = (0.0, 90.0, 180.0)  # of its base [deg]
TIP = fx.On("finger", (0.081, 0.0, 0.0125))


def run(quick: bool = False) -> Table:
    """Pull the cable, as a tendon without stiffness and as rods; turn a rod that is bent.

    Args:
        quick: fewer sections, radii and turns.
    """
    cases: list[tuple[str, float | None, int]] = [("tendon, by length", None, 0)]
    cases += [(f"{n} sections, 0.5 mm", 0.5e-3, n) for n in (SECTIONS[:2] if quick else SECTIONS)]
    radii = RADII[1:3] if quick else RADII[1:]
    cases += [(f"15 sections, {1e3 * radius:g} mm", radius, 15) for radius in radii]
    rows, found = [], {}
    for name, radius, sections in track(cases, "finger"):
        tendon = radius is None
        robot = tendon_finger() if radius is None else finger(radius)
        model = fx.build(robot) if tendon else fx.build(robot, rods=fx.ConstantStrain(sections))
        moved, force, missing = _pulled(model, tendon)
        rows.append([name, *_words(moved), f"{force:.4f}", f"{missing:.1e}"])
        found[name] = (moved, force, missing)
    model = fx.build(bent_finger(1.5e-3, BENT), rods=fx.ConstantStrain(15))
    for turn in TURNS[::2] if quick else TURNS:
        result = fx.statics(model, {"turn": np.deg2rad(turn)}).unwrap()
        name = f"pre-bent, 1.5 mm, turned by {turn:g} deg"
        rows.append([name, *_words(_moved(result)), "-", "-"])
        found[name] = (_moved(result), 0.0, 0.0)
    return Table(
        title=f"a finger whose cable is pulled by {1e3 * WAY:g} mm",
        header=("cable", "tip x [mm]", "y [mm]", "z [mm]", "pull [N]", "work not stored"),
        rows=rows,
        notes=["Work of the pull between 3.9 and 4.1 mm against the change of energy, relative."],
        data=found,
    )


def _pulled(model: fx.Model, tendon: bool) -> tuple[np.ndarray, float, float]:
    """Motion of the tip, pull, and by how much work and energy differ."""
    ways = WAY + np.array([-1e-4, 0.0, 1e-4])
    results = [fx.statics(model, {"pull": float(x)}).unwrap() for x in ways]
    force = [_pull(result, tendon) for result in results]
    # Simpson's rule, exact to the fourth order
    work = (force[0] + 4.0 * force[1] + force[2]) * (ways[2] - ways[0]) / 6.0
    missing = abs((results[2].energy - results[0].energy) / work - 1.0)
    return _moved(results[1]), float(force[1]), float(missing)


def _pull(result: fx.StaticResult, tendon: bool) -> float:
    return float(result.tension("pull") if tendon else result.torque("pull"))


def _moved(result: fx.StaticResult) -> np.ndarray:
    """Motion of the tip [m], (3,)."""
    return np.asarray(result.pose(TIP)[:3, 3] - TIP.point)


def _words(moved: np.ndarray) -> list[str]:
    return [f"{1e3 * x:.3f}" for x in moved]


def claims(table: Table) -> Iterator[Claim]:
    """Figures 6, 7 and 8: what more sections, wider cables and a pre-bent rod change."""
    theirs = {"6": "six are enough", "15": "wider bends less", "pre-bent,": "bends the finger"}
    for row in table.named:
        kind = row["cable"].split()[0]
        if kind in theirs:
            ours = ", ".join(row[name] for name in ("tip x [mm]", "y [mm]", "z [mm]"))
            what = f"finger, cable of {row['cable']}: motion of the tip [mm]"
            yield Claim(what, f"a figure: {theirs[kind]}", NONE, ours)


def figure(table: Table) -> Any:
    """Motion of the tip and pull by the radius of the cable (Figure 7)."""
    import matplotlib.pyplot as plt

    names = [name for name in table.data if name.startswith("15 sections")]
    radii = [float(name.split()[2]) for name in names]
    lifts = [-1e3 * table.data[name][0][2] for name in names]
    plain = -1e3 * table.data["tendon, by length"][0][2]
    drawn, (bends, pulls) = plt.subplots(1, 2, figsize=(7.0, 2.8), layout="constrained")
    bends.plot(radii, lifts, "o-", label="rod, 15 sections")
    bends.axhline(plain, color="0.5", linestyle="--", label="tendon")
    bends.set(xlabel="radius of the cable [mm]", ylabel="tip bends by [mm]", ylim=(0.0, None))
    bends.legend(frameon=False)
    pulls.plot(radii, [table.data[name][1] for name in names], "o-")
    pulls.axhline(table.data["tendon, by length"][1], color="0.5", linestyle="--")
    pulls.set(xlabel="radius of the cable [mm]", ylabel="pull [N]", ylim=(0.0, None))
    return drawn
