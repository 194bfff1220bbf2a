"""Section 7.2: residual over the iterations, from the straight rod under a vertical tip force."""

from collections.abc import Iterator
from typing import Any

import flexura as fx
from benchmarks.lie_group_framework.accuracy import PAPER
from benchmarks.rods.cases import load_cases
from benchmarks.table import Claim, Table

FORCES = (0.5, 1.0, 5.0)  # [N]; the number in the paper is lost in its text


def run(quick: bool = False) -> Table:
    """Solve and keep the residual of every iteration.

    Args:
        quick: changes nothing, this is quick.
    """
    model = fx.build(load_cases("P000_tapered_rod")[0].robot, rods=PAPER)
    results = {
        force: fx.statics(model, {"tip": (0, 0, 0, 0, 0, -force)}).unwrap() for force in FORCES
    }
    rows = []
    for i in range(max(len(result.residuals) for result in results.values())):
        row = [str(i)]
        for result in results.values():
            # A first step that was tried and rejected leaves a residual but no step.
            lead = len(result.residuals) - len(result.steps)
            row += [_entry(result.residuals, i), _entry(result.steps, i - lead)]
        rows.append(row)
    header = ["iteration"]
    for force in FORCES:
        header += [f"residual, {force:g} N", f"step, {force:g} N"]
    return Table(
        title="section 7.2, residual and step over the iterations",
        header=header,
        rows=rows,
        notes=[
            "Residual: largest force out of balance over the forces in play, moments over the "
            "length. Step: root mean square of rotations [rad] and translations over the length, "
            "of the step that led to the iteration; an iteration without one is a first step that "
            "was tried whole and rejected."
        ],
        data={f"{force:g} N": result for force, result in results.items()},
    )


def claims(table: Table) -> Iterator[Claim]:
    """How far Newton gets, under the larger force."""
    last, force = table.named[-1], f"{FORCES[-1]:g} N"
    ours = f"{last[f'residual, {force}']} after {last['iteration']}"
    yield Claim(f"7.2 residual by iterations, {force}", "about five of them", "rounding", ours)


def _entry(values: tuple[float, ...], i: int) -> str:
    return f"{values[i]:.1e}" if 0 <= i < len(values) else ""


def figure(table: Table) -> Any:
    """Residual over the iterations, as figure 14 of the paper."""
    from matplotlib.figure import Figure

    drawing = Figure(figsize=(6.0, 3.6))
    axes = drawing.add_subplot()
    for name, result in table.data.items():
        axes.semilogy(range(len(result.residuals)), result.residuals, "o-", label=name)
    axes.set(xlabel="iteration", ylabel="residual over the forces in play")
    axes.grid(alpha=0.3)
    axes.legend(title="vertical tip force", fontsize=8)
    return drawing
