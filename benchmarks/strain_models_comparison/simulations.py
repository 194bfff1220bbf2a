"""Section V-A, table III: errors, iterations and times of the interpolated model and of GVS."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import flexura as fx
from benchmarks.progress import track
from benchmarks.strain_models_comparison import cases
from benchmarks.table import Claim, Table
from benchmarks.timing import measure

TARGET = 2e-3  # [s] for a configuration


@dataclass(frozen=True)
class Simulation:
    """A path of the end, and what the paper calls it.

    Attributes:
        paper: its name in ``reference/table_iii.json``.
        path: poses of the end.
        exact: the description that gives the exact solution.
    """

    paper: str
    path: Sequence[np.ndarray]
    exact: fx.VariableStrain = cases.EXACT


SIMULATIONS = {
    "bending": Simulation("bending", cases.bending()),
    "two bendings": Simulation("two bendings", cases.two_bendings()),
    "torsion": Simulation("torsion", cases.torsion(), cases.EXACT_STRAIGHT),
    "bending-torsion, P001b": Simulation("bending-torsion", cases.bending_torsion("P001b")),
    "bending-torsion, P001": Simulation("bending-torsion", cases.bending_torsion("P001")),
}
# Description, and its column of table III. A monomial basis of third degree has four functions;
# with three, of second degree, GVS is the interpolated model wherever the rod stays in a plane.
MODELS = {
    "RotationInterpolation(1)": (fx.RotationInterpolation(), "interpolated"),
    "VariableStrain, 3 monomials": (
        fx.VariableStrain((3, 3, 3, 0, 0, 0), basis="monomial"),
        "GVS",
    ),
    "VariableStrain, 4 monomials": (
        fx.VariableStrain((4, 4, 4, 0, 0, 0), basis="monomial"),
        "GVS",
    ),
    "VariableStrain, 4 monomials, 1 stretch": (
        fx.VariableStrain((4, 4, 4, 1, 0, 0), basis="monomial"),
        "GVS",
    ),
}


def run(quick: bool = False) -> Table:
    """Follow the four paths with all models.

    Args:
        quick: spend a tenth of the time on the timing.
    """
    paper = cases.reference("table_iii")["simulations"]
    robot = cases.held_rod()
    rows, data = [], {}
    tasks = [(s, m) for s in SIMULATIONS for m in MODELS]
    truths = {
        name: cases.follow(fx.build(robot, rods=simulation.exact), simulation.path)
        for name, simulation in SIMULATIONS.items()
    }
    for name, label in track(tasks, "simulations"):
        simulation, (rods, column) = SIMULATIONS[name], MODELS[label]
        model = fx.build(robot, rods=rods)
        results = cases.follow(model, simulation.path)
        errors = [fx.shape_error(a, b) for a, b in zip(results, truths[name], strict=True)]
        first, others = (
            measure(
                lambda model=model, path=path, start=start: cases.follow(model, path, start),
                seconds=0.1 if quick else 1.0,
            ).median
            for path, start in ((simulation.path[:1], None), (simulation.path[1:], results[0]))
        )
        found = {
            "max": max(error.max_percent for error in errors),
            "mean": float(np.mean([error.mean_percent for error in errors])),
            "worst": int(np.argmax([error.max_percent for error in errors])) + 1,
            "iterations": float(np.mean([result.iterations for result in results])),
            "converged": sum(result.converged for result in results),
            "first": first,
            "time": others / (len(results) - 1),
            "paper": paper[simulation.paper][column],
            "errors": errors,
            "results": results,
        }
        data[name, label] = found
        rows.append(_row(name, label, found, len(results)))
    return Table(
        title="table III, position errors in per cent of the length",
        header=(
            "simulation", "model", "max", "paper", "mean", "paper", "iterations", "paper",
            "first [ms]", "next [ms]", "paper", "converged",
        ),
        rows=rows,
        notes=[
            "Mean: over the rod, then over the configurations. Iterations for one configuration, "
            "from the one before it; the first from straight.",
            "Times: of the first configuration, whose start is made from the poses of the ends, "
            f"and of each that follows (target {1e3 * TARGET:.0f} ms). The paper used MATLAB.",
        ],
        data=data,
    )  # fmt: skip


def claims(table: Table) -> Iterator[Claim]:
    """Table III."""
    ours, theirs = ((table.column("max"), table.column("mean")),
                    (table.column("paper"), table.column("paper", 1)))  # fmt: skip
    for i, row in enumerate(table.named):
        what = f"{row['simulation']}, {row['model']}: error [% of L], largest and mean"
        paper, own = (", ".join(column[i] for column in pair) for pair in (theirs, ours))
        yield Claim(what, paper, "exact solution", own)


def _row(name: str, label: str, found: dict[str, Any], count: int) -> list[str]:
    """One line of the table."""
    paper = found["paper"]
    below = "< " if name == "torsion" else ""
    return [
        name,
        label,
        _percent(found["max"]),
        f"{below}{paper['max']:.2f}",
        _percent(found["mean"]),
        f"{below}{paper['mean']:.2f}",
        f"{found['iterations']:.1f}",
        str(paper["iterations"]),
        f"{1e3 * found['first']:.1f}",
        f"{1e3 * found['time']:.2f}",
        f"{1e3 * paper['time']:.0f}",
        f"{found['converged']} of {count}",
    ]


def _percent(value: float) -> str:
    return f"{value:.2f}" if value >= 0.01 else "< 0.01"


def figure(table: Table) -> Any:
    """Largest position error of each configuration, as figures 2, 4 and 5 of the paper."""
    from matplotlib.figure import Figure

    drawing = Figure(figsize=(11.0, 3.4))
    names = [name for name in SIMULATIONS if name != "torsion"]
    for column, name in enumerate(names, 1):
        axes = drawing.add_subplot(1, len(names), column)
        for label, marker in zip(list(MODELS)[:3], "os^", strict=True):
            found = table.data[name, label]
            errors = [error.max_percent for error in found["errors"]]
            fill = "none" if marker == "s" else None
            axes.plot(range(1, len(errors) + 1), errors, f"{marker}-", label=label, mfc=fill)
        for label, style in (("RotationInterpolation(1)", "--"), (list(MODELS)[2], ":")):
            paper = table.data[name, label]["paper"]["max"]
            who = "interpolated" if style == "--" else "GVS"
            axes.axhline(paper, color="black", linestyle=style, label=f"paper, max of {who}")
        axes.set(xlabel="configuration", title=name)
        axes.title.set_fontsize(10)
        axes.set_ylim(bottom=0.0)
        axes.grid(alpha=0.3)
        if column == 1:
            axes.set_ylabel("largest position error [% of L]")
    drawing.tight_layout()
    handles, labels = axes.get_legend_handles_labels()
    drawing.legend(handles, labels, loc="upper center", bbox_to_anchor=(0.5, 0.0), ncol=3)
    return drawing
