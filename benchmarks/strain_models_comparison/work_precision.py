"""What accuracy costs: error of the shape over the time of a solve, all models.

Two problems of thin rods: P001b twisted from pi/4 to pi/2, and a cantilever of rectangular section,
straight at the start, whose tip force bends it about both axes and twists it.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

import flexura as fx
from benchmarks.progress import track
from benchmarks.strain_models_comparison import cases
from benchmarks.table import Table
from benchmarks.timing import measure

Solve = Callable[[fx.Model], fx.StaticResult]
# With stretch and shear, and without for the models that have none.
FINEST = fx.VariableStrain((24,) * 6, steps=512)
FINEST_RIGID = fx.VariableStrain((24, 24, 24, 0, 0, 0), steps=512)
FAMILIES: dict[str, list[Any]] = {
    "Spline(3, n)": [fx.Spline(3, n) for n in (3, 6, 12, 24, 48, 96)],
    "Spline(3, n), plain": [
        fx.Spline(3, n, assumed_strain=False) for n in (6, 12, 24, 48, 96, 192)
    ],
    "Spline(5, n)": [fx.Spline(5, n) for n in (3, 6, 12, 24, 48)],
    "Hermite(n)": [fx.Hermite(n) for n in (2, 4, 8, 16, 32, 64)],
    "Power(5, n)": [fx.Power(5, n) for n in (4, 8, 16, 32)],
    "LinearStrain(n)": [fx.LinearStrain(n) for n in (2, 4, 8, 16, 32, 64, 128)],
    "VariableStrain, n functions": [
        fx.VariableStrain((n,) * 3 + (n // 2,) * 3, steps=8 * n) for n in (4, 6, 8, 12, 16, 20)
    ],
    "ConstantStrain(n)": [fx.ConstantStrain(n) for n in (4, 8, 16, 32)],
    "RotationInterpolation(n)": [fx.RotationInterpolation(n) for n in (1, 2, 4, 8, 16, 32)],
}
MARKERS = dict(zip(FAMILIES, "osD*<^vPX", strict=True))
FORCE = (0.05, 0.1, 0.1)  # [N]


def run(quick: bool = False) -> Table:
    """Solve both problems with all models.

    Args:
        quick: only the two coarsest of each family, a tenth of the time.
    """
    problems = {
        "P001b": (cases.held_rod(), *_twist()),
        "cantilever": (cantilever(), fx.statics, lambda model, start: fx.statics(model)),
    }
    rows, data = [], {}
    for problem, (robot, prepare, solve) in problems.items():
        truth = {
            rigid: solve(model, prepare(model)).unwrap()
            for rigid, finest in ((False, FINEST), (True, FINEST_RIGID))
            for model in [fx.build(robot, rods=finest)]
        }
        tasks = [
            (family, rods)
            for family, choices in FAMILIES.items()
            for rods in (choices[:2] if quick else choices)
        ]
        for family, rods in track(tasks, problem):
            model = fx.build(robot, rods=rods)
            start = prepare(model)
            result = solve(model, start)
            rigid = isinstance(rods, fx.RotationInterpolation)
            if not result.converged:
                rows.append([problem, family, _size(rods), "none", "", ""])
                continue
            error = fx.shape_error(result, truth[rigid]).max_position / cases.LENGTH
            timing = measure(
                lambda model=model, start=start, solve=solve: solve(model, start),
                seconds=0.03 if quick else 0.5,
            )
            data.setdefault((problem, family), []).append((_size(rods), error, timing.median))
            rows.append(
                [
                    problem, family, _size(rods), f"{error:.1e}", f"{1e3 * timing.median:.2f}",
                    str(result.iterations),
                ]
            )  # fmt: skip
    return Table(
        title="error of the shape over the time of a solve",
        header=("problem", "model", "n", "largest error / L", "time [ms]", "iterations"),
        rows=rows,
        notes=[
            "Truth: VariableStrain with 24 functions for each strain, 512 steps; for "
            "RotationInterpolation without stretch and shear."
        ],
        data=data,
    )


def cantilever() -> fx.Robot:
    """A strip, 6 mm by 1.5 mm, with a force at its tip."""
    return fx.Robot(
        "cantilever",
        rods=[fx.Rod("rod", cases.LENGTH, fx.Rectangle(6e-3, 1.5e-3), cases.MATERIAL)],
        joints=[fx.Weld("world", "rod.base")],
        loads=[fx.PointLoad("tip", at="rod.tip", force=FORCE)],
    )


def _twist() -> tuple[Solve, Callable[[fx.Model, fx.StaticResult], fx.StaticResult]]:
    """How P001b is prepared, and solved."""
    path = cases.bending_torsion("P001b")
    return (
        lambda model: cases.follow(model, path[:2])[-1],
        lambda model, start: fx.statics(model, {"grip": path[2]}, start=start),
    )


def _size(rods: Any) -> str:
    """The number that a family counts."""
    for name in ("spans", "elements", "sections"):
        if hasattr(rods, name):
            return str(getattr(rods, name))
    return str(rods.orders[0])


def figure(table: Table) -> Any:
    """Error over time, both in logarithms."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import LogLocator, NullFormatter

    drawing = Figure(figsize=(11.0, 4.6))
    titles = {"P001b": "P001b, twist from pi/4 to pi/2", "cantilever": "cantilever strip"}
    for column, (problem, title) in enumerate(titles.items(), 1):
        axes = drawing.add_subplot(1, 2, column)
        for family, marker in MARKERS.items():
            points = table.data.get((problem, family), [])
            if points:
                _, error, time = zip(*points, strict=True)
                axes.loglog(1e3 * np.array(time), error, f"{marker}-", label=family, ms=5)
        axes.set(xlabel="time of a solve [ms]", title=title)
        axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axes.xaxis.set_major_formatter("{x:g}")
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.grid(alpha=0.3, which="both")
        if column == 1:
            axes.set_ylabel("largest position error / L")
    drawing.tight_layout()
    handles, labels = axes.get_legend_handles_labels()
    drawing.legend(handles, labels, loc="upper center", bbox_to_anchor=(0.5, 0.0), ncol=5)
    return drawing
