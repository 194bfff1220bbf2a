"""The points of the reference, under given height and under given force, one after another."""

from typing import Any

import numpy as np

import flexura as fx
from benchmarks.lie_group_framework.chiral.cases import MODELS, reference, robot, wrench
from benchmarks.progress import track
from benchmarks.table import Table

FINER = 10  # steps to the first point beyond the critical force, along the given height


def compressed(rods: Any, curve: dict[str, Any]) -> list[fx.StaticResult]:
    """The points of a curve with the height of the plate held.

    Between the first two points, where the mechanism begins to twist, there are others.
    """
    model = fx.build(robot(driven=True), rods=rods)
    length, load = reference()["params"]["L"], wrench(curve["T"], 0.0)
    first, second, *later = (point["h"] for point in curve["points"])
    results: list[fx.StaticResult] = []
    for height in (*np.linspace(first, second, FINER + 1), *later):
        inputs = {"slide": height - length, "load": load}
        results.append(fx.statics(model, inputs, start=results[-1] if results else None))
    return results[:1] + results[FINER:]


def pushed(rods: Any, curve: dict[str, Any]) -> list[fx.StaticResult]:
    """The points of a curve with the force on the plate given."""
    model = fx.build(robot(driven=False), rods=rods)
    results: list[fx.StaticResult] = []
    for point in curve["points"]:
        inputs = {"load": wrench(curve["T"], point["F"])}
        results.append(fx.statics(model, inputs, start=results[-1] if results else None))
    return results


def errors(results: list[fx.StaticResult], curve: dict[str, Any], driven: bool) -> np.ndarray:
    """Errors of the points: force [N] or height [m], and angle [rad], (n, 2)."""
    found = []
    for result, point in zip(results, curve["points"], strict=True):
        if driven:  # the slider pushes the carriage down
            first = -result.torque("slide") - point["F"]
        else:
            first = result.pose("plate")[2, 3] - point["h"]
        found.append((first, result.coordinate("turn") - point["phi"]))
    return np.abs(found)


def run(quick: bool = False) -> Table:
    """Compress the mechanism by every model.

    Args:
        quick: leave out all models but the first.
    """
    rows, data = [], {}
    for name, rods in track(list(MODELS.items())[: 1 if quick else None], "models"):
        data[name] = {}
        for curve in reference()["curves"]:
            for driven, solve in ((True, compressed), (False, pushed)):
                results = solve(rods, curve)
                off = errors(results, curve, driven)
                good = np.array([r.converged for r in results])
                data[name][curve["T"], driven] = {"results": results, "errors": off, "good": good}
                rows.append(_row(name, curve["T"], driven, results, off[good], good))
    return Table(
        title="chiral mechanism, compressed by up to 30 % under a constant torque",
        header=(
            "model", "torque [N m]", "given", "converged", "force [N]", "height [m]",
            "angle [rad]", "iterations", "load steps",
        ),
        rows=rows,
        notes=["Force, height, angle: largest errors over the points that converged."],
        data=data,
    )  # fmt: skip


def _row(
    name: str,
    torque: float,
    driven: bool,
    results: list[fx.StaticResult],
    off: np.ndarray,
    good: np.ndarray,
) -> list[str]:
    first, angle = (f"{e:.0e}" for e in off.max(axis=0, initial=0.0))
    return [
        name,
        f"{torque:g}",
        "height" if driven else "force",
        f"{int(good.sum())} of {len(good)}",
        first if driven else "",
        "" if driven else first,
        angle,
        str(max(r.iterations for r in results)),
        str(max(r.load_steps for r in results)),
    ]
