"""Table III: all combinations of scenarios A to E, by all models, and against the references."""

from collections.abc import Iterator
from typing import Any

import numpy as np

import flexura as fx
from benchmarks.progress import track
from benchmarks.table import Claim, Table
from benchmarks.tendon_newton_lagrange import cases

# The paper's functions, then refined ones, for the comparison with the references.
MODELS = {
    "VariableStrain": fx.VariableStrain((5, 7, 7, 3, 3, 3)),
    "Spline": fx.Spline(degree=3, spans=12),
}
REFINED = {
    "VariableStrain": fx.VariableStrain((10, 12, 12, 8, 8, 8), steps=96),
    "Spline": fx.Spline(degree=3, spans=48),
}
# Differences between the two models of the paper: median and ends of the interval of 95 %, of the
# position [mm] and of the orientation [degrees].
PAPER = {
    "A": ((5.43e-4, 2.41e-9, 3.13e-3), (3.26e-4, 1.03e-7, 1.65e-3)),
    "B": ((9.40e-3, 8.77e-15, 2.32e-2), (1.10e-3, 5.42e-8, 3.20e-3)),
    "C": ((1.42e-1, 4.48e-3, 7.21e-1), (1.99e-1, 8.09e-3, 5.74e-1)),
    "D": ((3.42e-1, 1.00e-5, 1.29), (5.56e-2, 3.39e-7, 2.14e-1)),
    "E": ((6.93e-2, 1.11e-2, 2.76e-1), (1.32e-2, 2.78e-3, 4.74e-2)),
}
QUICK = 20  # combinations of a scenario


def run(quick: bool = False) -> Table:
    """Solve every combination from the straight robot, by every model.

    Args:
        quick: take a few combinations of each scenario only.
    """
    rows, data = [], {}
    for scenario in track(cases.SCENARIOS, "scenarios"):
        found = solve(scenario, QUICK if quick else None)
        data[scenario] = found
        rows += _rows(scenario, found)
    return Table(
        title="differences of tip poses between models, over all combinations of tensions",
        header=(
            "scenario", "models", "position [mm]", "95 % of them", "orientation [deg]",
            "95 % of them", "in one load step", "iterations",
        ),
        rows=rows,
        notes=[
            "From the straight robot, G = E (1 + nu) / 2 as in the paper's code. The last two "
            "columns are of the first model.",
            *(_note(scenario, data[scenario]) for scenario in cases.SCENARIOS),
        ],
        data=data,
    )  # fmt: skip


def claims(table: Table) -> Iterator[Claim]:
    """Table III: differences of tips between models."""
    paper = {
        row["scenario"]: row["position [mm]"] for row in table.named if row["models"] == "paper"
    }
    for row in table.named:
        if row["models"] != "paper":
            what = f"scenario {row['scenario']}, {row['models']}: difference of tips [mm], median"
            ours = f"{row['position [mm]']}, {row['in one load step']} in one load step"
            yield Claim(what, paper[row["scenario"]], "shooting", ours)


def solve(scenario: str, most: int | None = None) -> dict[str, Any]:
    """Tip poses of a scenario by all models, and what is known about each solve."""
    description = cases.robot(scenario)
    tensions = cases.combinations(scenario)
    if most is not None and most < len(tensions):
        tensions = tensions[np.linspace(0, len(tensions) - 1, most).astype(int)]
    end = cases.tip(description)
    found: dict[str, Any] = {"tensions": tensions, "poses": {}, "refined": {}}
    for name, rods in MODELS.items():
        model = fx.build(description, rods=rods)
        results = fx.statics_many(model, tensions, warm=False)
        found["poses"][name] = results.pose(end)
        found[name] = (results.converged, results.load_steps, results.iterations)
    names = [tendon.name for tendon in description.tendons]
    shots = [
        fx.shooting(description, dict(zip(names, row, strict=True)))
        for row in track(tensions, f"shooting {scenario}")
    ]
    found["poses"]["shooting"] = np.array([shot.pose(end) for shot in shots])
    found["shooting"] = tuple(
        np.array([getattr(shot, what) for shot in shots])
        for what in ("converged", "load_steps", "iterations")
    )
    found["refined"] = {
        (name, physical): reference_error(scenario, rods, physical)
        for name, rods in REFINED.items()
        for physical in (False, True)
    }
    return found


def reference_error(scenario: str, rods: Any, physical: bool) -> float:
    """Largest distance of a tip from the references, over the length of the robot."""
    description = cases.robot(scenario, physical)
    exact = cases.reference(scenario, physical)
    results = fx.statics_many(fx.build(description, rods=rods), exact.tensions).unwrap()
    away = results.pose(cases.tip(description))[:, :3, 3] - exact.position
    length = sum(rod.length for rod in description.rods)
    return float(np.linalg.norm(away, axis=1).max() / length)


def differences(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distances of positions [mm] and angles between orientations [degrees]."""
    position = 1e3 * np.linalg.norm(a[:, :3, 3] - b[:, :3, 3], axis=1)
    chord = np.linalg.norm(a[:, :3, :3] - b[:, :3, :3], axis=(1, 2)) / np.sqrt(8.0)
    return position, np.degrees(2.0 * np.arcsin(np.minimum(chord, 1.0)))


def _rows(scenario: str, found: dict[str, Any]) -> list[list[str]]:
    """The lines of a scenario, the paper's first."""
    position, orientation = PAPER[scenario]
    rows = [[scenario, "paper", *_spread(*position), *_spread(*orientation), "", ""]]
    for a, b in (("VariableStrain", "shooting"), ("Spline", "shooting")):
        position, orientation = differences(found["poses"][a], found["poses"][b])
        converged, steps, iterations = found[a]
        at_once = int(np.count_nonzero(converged & (steps == 1)))
        rows.append(
            [
                scenario,
                f"{a}, {b}",
                *_spread(*np.quantile(position, [0.5, 0.025, 0.975])),
                *_spread(*np.quantile(orientation, [0.5, 0.025, 0.975])),
                f"{at_once} of {len(converged)}",
                f"{iterations.mean():.1f}, most {iterations.max()}",
            ]
        )
    return rows


def _spread(median: float, low: float, high: float) -> tuple[str, str]:
    return f"{median:.1e}", f"{low:.0e} … {high:.0e}"


def _note(scenario: str, found: dict[str, Any]) -> str:
    """How near the refined models come to the references, and how shooting did."""
    converged, steps, _ = found["shooting"]
    refined = {
        name: max(found["refined"][name, physical] for physical in (False, True))
        for name in REFINED
    }
    near = ", ".join(f"{name} {error:.0e}" for name, error in refined.items())
    return (
        f"{scenario}: shooting converged on {int(converged.sum())} of {len(converged)}, "
        f"{int(np.count_nonzero(steps == 1))} of them in one step. Largest distance from the "
        f"references over the length, refined, both shear moduli: {near}."
    )
