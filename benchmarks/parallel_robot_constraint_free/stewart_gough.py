"""Stewart-Gough robots with rods of different lengths: every case from straight, in one call."""

from collections.abc import Iterator
from typing import Any

import numpy as np

import flexura as fx
from benchmarks.parallel_robot_constraint_free import cases
from benchmarks.progress import track
from benchmarks.table import NONE, Claim, Table, largest

MODELS = {
    "LinearStrain(4)": fx.LinearStrain(4),
    "LinearStrain(64)": fx.LinearStrain(64),
    "Spline(3, 24)": fx.Spline(3, 24),
    "VariableStrain, 66": fx.VariableStrain((10, 14, 14, 9, 10, 9), steps=48),
}
REFINED = tuple(MODELS)[1:]
TARGET = 1e-6  # distance from the reference over the mean length of the rods
OTHER_BRANCH = 1e-2  # likewise; coarse models are nearer, other equilibria are not


def run(quick: bool = False) -> Table:
    """Solve every case by every model.

    Args:
        quick: nothing is left out; it takes seconds.
    """
    rows, data = [], {}
    for case in track(cases.stewart_gough_references(), "Stewart-Gough"):
        for name, rods in MODELS.items():
            data[case.name, name] = found = solve(case, rods)
            rows.append([case.name, name, *_cells(found)])
    refined = [
        found["distance"]
        for (_, name), found in data.items()
        if name in REFINED and found["result"].converged
    ]
    return Table(
        title="Stewart-Gough robots from straight rods, in one call",
        header=(
            "case", "model", "unknowns", "status", "iterations", "load steps", "stable",
            "distance / length", "angle [rad]", "from level clamps",
        ),
        rows=rows,
        notes=[
            f"Refined models, where they converged, are within {max(refined):.0e} of the "
            f"references, target {TARGET}. The last column is the distance of a solve that starts "
            "with the clamps of longer rods lowered, so that the platform is level, and moves "
            "them to their places.",
            *_astray(data),
        ],
        data=data,
    )  # fmt: skip


def claims(table: Table) -> Iterator[Claim]:
    """How far refined models are from their references."""
    own = [row for row in table.named if row["model"] in REFINED]
    found = sum(row["status"] == "converged" for row in own)
    off = largest([row["distance / length"] for row in own])
    what = "Stewart-Gough robots from straight, over the length"
    yield Claim(what, NONE, "coupled shooting", f"{off} off, {found} of {len(own)} at once")


def solve(case: cases.Equilibrium, rods: Any) -> dict[str, Any]:
    """One case from straight, and once more from level clamps."""
    model = fx.build(case.robot, rods=rods)
    length = float(np.mean([rod.length for rod in case.robot.rods]))
    result = fx.statics(model)
    level = fx.statics(model, cases.lowered(case.robot))
    followed = fx.statics(model, start=level)
    distance, angle, _ = case.error(result)
    return {
        "result": result,
        "distance": distance / length,
        "angle": angle,
        "followed": followed,
        "followed distance": case.error(followed)[0] / length,
    }


def _cells(found: dict[str, Any]) -> list[str]:
    result = found["result"]
    return [
        str(result.model.n_dof),
        result.status.name.lower(),
        str(result.iterations),
        str(result.load_steps),
        {True: "yes", False: "no", None: "not known"}[result.stable],
        f"{found['distance']:.0e}",
        f"{found['angle']:.0e}",
        f"{found['followed distance']:.0e}",
    ]


def _astray(data: dict[Any, dict[str, Any]]) -> list[str]:
    """A sentence on each solve that failed or found another equilibrium."""
    return [
        f"{case}, {model}: "
        + ("another equilibrium." if found["result"].converged else "no equilibrium.")
        for (case, model), found in data.items()
        if not found["result"].converged or found["distance"] > OTHER_BRANCH
    ]
