"""Solves of the three-tendon arm: from straight, from a neighbour, and many at once."""

import time
from collections.abc import Sequence

import numpy as np

import flexura as fx
from benchmarks.progress import track
from benchmarks.table import Table, verdict
from benchmarks.tendon_newton_lagrange import cases

COLD, WARM = 1.5e-3, 0.5e-3  # targets for the variable strain of 28 functions [s]
MODELS = {
    "VariableStrain, 28 functions": fx.VariableStrain((5, 7, 7, 3, 3, 3)),
    "Spline(3, 12)": fx.Spline(3, 12),
    "LinearStrain(8)": fx.LinearStrain(8),
}


def run(quick: bool = False) -> Table:
    """Time scenario A over its 216 combinations of tensions.

    Args:
        quick: go through them once.
    """
    tensions = cases.combinations("A")
    rows, data = [], {}
    for name, rods in track(list(MODELS.items()), "tendons"):
        model = fx.build(cases.robot("A"), rods=rods)
        spent = times(model, tensions, 1 if quick else 5)
        (cold, low_cold), (warm, low_warm) = (np.percentile(x, [50, 10]) for x in spent)
        rates = [rate(model, tensions, threads, 1 if quick else 3) for threads in (1, 2)]
        data[name] = {"cold": cold, "warm": warm, "rates": rates}
        judged = name.startswith("VariableStrain")
        rows.append(
            [
                name,
                f"{1e3 * cold:.2f}",
                f"{1e3 * low_cold:.2f}",
                verdict(cold, COLD) if judged else "",
                f"{1e3 * warm:.2f}",
                f"{1e3 * low_warm:.2f}",
                verdict(warm, WARM) if judged else "",
                *(f"{value:.0f}" for value in rates),
            ]
        )
    return Table(
        title="scenario A, median time of a solve [ms]",
        header=(
            "model",
            *("from straight", "10 %", ""),
            *("from a neighbour", "10 %", ""),
            *("solves/s", "two threads"),
        ),
        rows=rows,
        notes=[
            f"Targets: {1e3 * COLD} ms from straight, {1e3 * WARM} ms from a neighbour whose first "
            "tension is 1 N lower. Beside the median: the time that 10 % of the solves stay below. "
            "Solves per second by statics_many, on one and on two threads.",
        ],
        data=data,
    )


def times(model: fx.Model, tensions: np.ndarray, rounds: int) -> tuple[list[float], list[float]]:
    """Times from straight and from the combination before, where that is a neighbour [s]."""
    cold: list[float] = []
    warm: list[float] = []
    for _ in range(rounds):
        before = None
        for row in tensions:
            inputs = dict(zip(model.tendons.names, row, strict=True))
            began = time.perf_counter()
            result = fx.statics(model, inputs)
            cold.append(time.perf_counter() - began)
            if before is not None and row[0] > 0.0:
                began = time.perf_counter()
                fx.statics(model, inputs, start=before)
                warm.append(time.perf_counter() - began)
            before = result
    return cold, warm


def rate(model: fx.Model, tensions: Sequence[Sequence[float]], threads: int, rounds: int) -> float:
    """Best number of solves per second."""
    best = np.inf
    for _ in range(rounds):
        began = time.perf_counter()
        fx.statics_many(model, tensions, threads=threads)
        best = min(best, time.perf_counter() - began)
    return len(tensions) / best
