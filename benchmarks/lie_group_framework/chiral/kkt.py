"""The paper's constrained form, five elements per rod, beside the embedded one: one linear solve.

Each element is a cubic spline with five control poses of its own. Constrained: elements and plates
are free, and 24 constraints of six multipliers hold them together, a KKT system. Embedded: what is
welded shares a pose. Both have the same shapes to choose from, and so the same equilibrium.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.sparse import csc_array
from scipy.sparse.linalg import splu

import flexura as fx
from benchmarks.lie_group_framework.chiral.cases import reference, robot, wrench
from benchmarks.progress import track
from benchmarks.table import NONE, Claim, Table
from benchmarks.timing import measure
from flexura.matrix.bordered import Bordered
from flexura.model.assemble import Assembly

ELEMENTS = 5
CONTROL_POSES = 5
SPLINE = fx.Spline(3, CONTROL_POSES - 3, assumed_strain=False)
PAPER = 2e-3  # of one KKT solve, in Matlab [s]


def solve(ties: Any) -> fx.StaticResult:
    """The last point of the reference of 1 N·m, of a form."""
    model = fx.build(robot(driven=False, elements=ELEMENTS, ties=ties), rods=SPLINE)
    curve = reference()["curves"][-1]
    result = None
    for point in curve["points"]:
        load = wrench(curve["T"], point["F"])
        result = fx.statics(model, {"load": load}, start=result).unwrap()
    assert result is not None
    return result


def run(quick: bool = False) -> Table:
    """Solve the linear system of the last point in both forms.

    Args:
        quick: spend a tenth of the time on timing.
    """
    seconds = 0.1 if quick else 1.0
    rows, data = [], {}
    for ties in track(("constrained", "embedded"), "forms"):
        found = data[ties] = _measured(solve(ties), seconds)
        rows.append(
            [
                ties, str(found["size"]), str(found["multipliers"]), str(found["entries"]),
                f"{found['half bandwidth']} + {found['border']}",
                *(f"{1e3 * found[key].median:.2f}" for key in ("time", "sparse", "assembly")),
                f"{found['residual']:.0e}",
            ]
        )  # fmt: skip
    a, b = (data[ties]["result"] for ties in ("constrained", "embedded"))
    apart = float(np.abs(a.pose("plate") - b.pose("plate")).max())
    data["apart"] = apart
    return Table(
        title="one linear solve, five elements with five control poses in each rod",
        header=(
            "form", "unknowns", "multipliers", "entries", "half bandwidth + border",
            "band [ms]", "sparse [ms]", "assembly [ms]", "residual",
        ),
        rows=rows,
        notes=[
            "Band: our factorisation and one solve. Sparse: SuperLU and one solve, of the same "
            "matrix. Assembly: residual and tangent. Medians, one thread. Residual: of the solve, "
            "relative.",
            f"Paper: about {1e3 * PAPER:g} ms for one solve of its KKT system, in Matlab. "
            f"Plates of both forms are {apart:.0e} apart.",
        ],
        data=data,
    )  # fmt: skip


def _measured(result: fx.StaticResult, seconds: float) -> dict[str, Any]:
    """Size and times of the linear system at a result."""
    assembly = Assembly(result.model)
    assembly.evaluate(result.state, result.given)
    layout, values = assembly.layout, assembly.values
    structure = layout.structure
    assert isinstance(structure, Bordered)
    dense = structure.dense(values)
    sparse = csc_array(dense)
    right = np.random.default_rng(0).normal(size=len(dense))

    def solve_once() -> np.ndarray:
        return structure.factorise(values, definite=False).solve(right)

    return {
        "result": result,
        "size": len(dense),
        "multipliers": layout.n_multipliers,
        "entries": sparse.nnz,
        "half bandwidth": structure.half,
        "border": structure.n_border,
        "residual": float(np.abs(dense @ solve_once() - right).max() / np.abs(right).max()),
        "time": measure(solve_once, seconds),
        "sparse": measure(lambda: splu(sparse).solve(right), seconds),
        "assembly": measure(lambda: assembly.evaluate(result.state, result.given), seconds),
    }


def claims(table: Table) -> Iterator[Claim]:
    """What is said beside Figure 26."""
    for row in table.named:
        ours = f"{row['band [ms]']} ms, {row['unknowns']} unknowns"
        yield Claim(f"8.3 one solve, {row['form']}", "about 2 ms, in Matlab", NONE, ours)
