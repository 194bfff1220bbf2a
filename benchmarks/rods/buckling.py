"""Lateral buckling of a right-angle frame, found from the stability of its planar equilibrium."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from scipy.linalg import eigvalsh

import flexura as fx
from benchmarks.progress import track
from benchmarks.rods.cases import reference, rod_of_stiffness
from benchmarks.table import Claim, Table
from flexura.model.assemble import Assembly

FILE = "S08b_right_angle_frame"
FINE = fx.Spline(5, 48)
# The tip of the second leg moves in the plane until the frame buckles: the planar equilibrium
# exists at every load, and one of its modes out of the plane loses its stiffness at each critical
# load.
BRACKET = 0.1
CLOSE = 1e-8
# Relative. The error of the spline is 4e-8 for the first load and 2e-7 for the second, whose mode
# has shorter waves; rounding of the tangent blurs the change of sign by some 1e-8.
TOLERANCE = 5e-7
# On 16 spans the error is 3² 3² = 81 times that of 48.
QUICK, QUICK_TOLERANCE = fx.Spline(5, 16), 5e-6


def run(quick: bool = False) -> Table:
    """Bisect the critical loads.

    Args:
        quick: only the case with published values, on fewer spans.
    """
    data = reference(FILE)
    spline, tolerance = (QUICK, QUICK_TOLERANCE) if quick else (FINE, TOLERANCE)
    rows, found = [], {}
    cases = [case for case in data["cases"] if not quick or "published" in case]
    for case in track(cases, "frame"):
        fine, coarse = frame(data, case, spline), frame(data, case, fx.Spline())
        for number, exact in enumerate(case["critical"], 1):
            ours = critical_load(fine, case["direction"], exact, number)
            default = critical_load(coarse, case["direction"], exact, number)
            published = case.get("published", {}) if number == 1 else {}
            rows.append(
                [
                    f"{data['id']} {case['name']}, load {number}",
                    ", ".join(f"{load} ({who})" for who, load in published.items()) or "-",
                    f"{exact:.8f}",
                    f"{ours:.8f}",
                    f"{abs(ours / exact - 1.0):.1e}",
                    f"{tolerance:.0e}",
                    f"{abs(default / exact - 1.0):.1e}",
                ]
            )
            found[case["name"], number] = (ours, exact, published)
    return Table(
        title="critical loads of the right-angle frame",
        header=(
            "case", "published", "reference", "ours", "relative error", "tolerance",
            "error of Spline(3, 12)",
        ),
        rows=rows,
        notes=[
            f"Spline({spline.degree}, {spline.spans}) for each leg. Each load is where the tangent "
            "gets one more unstable mode; `result.stable` goes from True by None to False there, "
            "None as long as rounding may be all that resists."
        ],
        data=found,
    )  # fmt: skip


def claims(table: Table) -> Iterator[Claim]:
    """Each load."""
    for row in table.named:
        off = f"{row['ours']}, {row['relative error']} off"
        yield Claim(row["case"], row["published"], row["reference"], off)


def frame(data: Mapping[str, Any], case: Mapping[str, Any], spline: fx.Spline) -> fx.Model:
    """Two legs at a right angle, the first one clamped."""
    legs = [
        rod_of_stiffness(name, data["leg"], case["torsion"], **data["stiffness"])
        for name in ("first", "second")
    ]
    corner = np.eye(4)
    corner[:2, :2] = [[0.0, -1.0], [1.0, 0.0]]
    robot = fx.Robot(
        "right-angle frame",
        rods=legs,
        joints=[
            fx.Weld("world", "first.base"),
            fx.Weld("first.tip", "second.base", offset=corner),
        ],
        loads=[fx.PointLoad("end", at="second.tip")],
    )
    return fx.build(robot, rods=spline)


def critical_load(model: fx.Model, direction: int, near: float, number: int) -> float:
    """The load at which the planar equilibrium gets its ``number``-th unstable mode.

    Args:
        model: the frame.
        direction: +1 or -1, of the load along x.
        near: centre of the bracket to search.
        number: 1 for the loss of stability.
    """

    def lost(load: float) -> bool:
        inputs = {"end": (0, 0, 0, direction * load, 0, 0)}
        result = fx.statics(model, inputs, seek_stable=False).unwrap()
        return unstable_modes(result) >= number

    return bisect(lost, (1.0 - BRACKET) * near, (1.0 + BRACKET) * near)


def unstable_modes(result: fx.StaticResult) -> int:
    """Number of unstable modes at a result (loads with a potential).

    The tangent has a negative eigenvalue for each of them, and one for each force that is an
    unknown of its own.
    """
    assembly = Assembly(result.model)
    assembly.evaluate(result.state, result.given)
    layout = assembly.layout
    values = eigvalsh(layout.structure.dense(assembly.values), lower=True)
    return int(np.count_nonzero(values < 0.0) - layout.n_multipliers)


def bisect(lost: Callable[[float], bool], low: float, high: float) -> float:
    """Where ``lost`` changes from False to True."""
    if lost(low) or not lost(high):
        raise ValueError(f"no change of stability between {low} and {high}")
    while high - low > CLOSE * high:
        middle = 0.5 * (low + high)
        low, high = (low, middle) if lost(middle) else (middle, high)
    return 0.5 * (low + high)
