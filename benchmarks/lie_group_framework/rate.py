"""Section 7.3: how fast the error falls with the number of control poses, degrees 2 to 5.

A spline of degree k in a vector space approximates with order k + 1. The cumulative product on
SE(3) does not: on a span, with Ω_i = h ξ + i h² ξ' + …, the formula of Baker, Campbell and
Hausdorff gives

    log(Π exp(b_i Ω_i)) = Σ b_i Ω_i + ½ h³ [ξ, ξ'] Σ_{i<j} (j - i) b_i b_j + O(h⁴),

and the last sum is a polynomial of degree 2k on each span that is no polynomial across spans. So
positions along the rod are of order 3 for every degree from 2 on, as soon as the curvature varies,
with a constant that falls with the degree. Rotations do not suffer: their order is degree + 1, as
long as it is seen above rounding. The tip is of order 4 at least: its error goes with the square of
that of the strain.
``best_fit`` shows that this is the family, not the mechanics: no choice of control poses has a
higher order.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import flexura as fx
from benchmarks.lie_group_framework.best_fit import best_fit
from benchmarks.lie_group_framework.shooting_truth import Truth, circular_taper, shoot
from benchmarks.progress import track
from benchmarks.rods.cases import load_cases, reference
from benchmarks.table import Claim, Table

DEGREES = (2, 3, 4, 5)
SPANS = (4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128)
FORCE = np.array([0.0, 0.0, -1.0])  # [N], vertical
SAMPLES = 401  # three to a span at least
# Orders are fitted where the error is asymptotic: from this number of spans on.
ASYMPTOTIC = 24
# Errors below are rounding, of the solve or of the truth.
ROUNDING = 1e-12
# Best fits are computed for these; they take long beyond.
FITTED = (8, 16, 32)
KINDS = ("configuration", "position", "tip")


def run(quick: bool = False) -> Table:
    """Solve with all degrees and numbers of spans and compare with shooting.

    Args:
        quick: leave out every other number of spans, and all best fits but those of 8 and 16.
    """
    spans = SPANS[::2] if quick else SPANS
    fitted = FITTED[:2] if quick else FITTED
    truth = vertical_force_truth(SAMPLES)
    robot = load_cases("P000_tapered_rod")[0].robot
    rows, errors = [], {}
    for degree, n in track([(k, n) for k in DEGREES for n in spans], "rate"):
        model = fx.build(robot, rods=fx.Spline(degree, n))
        result = fx.statics(model, {"tip": (0, 0, 0, *FORCE)}).unwrap()
        error = deviations(truth, result)
        fit = best_fit(truth, degree, n) if n in fitted else np.nan
        errors[degree, n] = {**error, "best fit": fit}
        rows.append(
            [
                str(degree),
                str(n),
                str(n + degree),
                *(f"{value:.1e}" for value in error.values()),
                "" if np.isnan(fit) else f"{fit:.1e}",
            ]
        )
    orders = {(degree, kind): _order(errors, degree, kind) for degree in DEGREES for kind in error}
    return Table(
        title="section 7.3, error over the number of control poses",
        header=(
            "degree", "spans", "control poses", "configuration", "position / L",
            "rotation [rad]", "tip / L", "best fit, position / L",
        ),
        rows=rows,
        notes=[
            f"degree {degree}: order of configuration {orders[degree, 'configuration']:.2f}, "
            f"position {orders[degree, 'position']:.2f}, rotation "
            f"{orders[degree, 'rotation']:.2f}, tip {orders[degree, 'tip']:.2f}"
            for degree in DEGREES
        ]
        + [
            f"Means over the rod; orders from {ASYMPTOTIC} spans on, nan where fewer than three "
            "errors are above rounding. Truth: shooting."
        ],
        data={"errors": errors, "orders": orders, "truth": truth},
    )  # fmt: skip


def vertical_force_truth(samples: int) -> Truth:
    """The tapered rod under the vertical force, by shooting."""
    data = reference("P000_tapered_rod")
    stiffness = circular_taper(length=data["length"], **data["taper"])
    return shoot(stiffness, np.linspace(0.0, data["length"], samples), FORCE)


def deviations(truth: Truth, result: fx.StaticResult) -> dict[str, float]:
    """Mean deviations along the rod, and that of the tip; lengths over the length of the rod.

    The configuration deviates by the norm of position (over the length) and angle [rad].
    """
    length = truth.s[-1]
    pose = result.pose("rod", truth.s)
    position = np.linalg.norm(pose[:, :3, 3] - truth.position, axis=1) / length
    relative = truth.rotation.transpose(0, 2, 1) @ pose[:, :3, :3]
    rotation = Rotation.from_matrix(relative).magnitude()
    return {
        "configuration": float(np.hypot(position, rotation).mean()),
        "position": float(position.mean()),
        "rotation": float(rotation.mean()),
        "tip": float(position[-1]),
    }


def _order(errors: dict[tuple[int, int], dict[str, float]], degree: int, kind: str) -> float:
    """Slope of the error over the length of a span, both in logarithms, where it is asymptotic.

    Not a number if fewer than three errors are above rounding.
    """
    points = [
        (np.log(1.0 / n), np.log(error[kind]))
        for (k, n), error in errors.items()
        if k == degree and n >= ASYMPTOTIC and error[kind] > ROUNDING
    ]
    if len(points) < 3:
        return float("nan")
    return float(np.polyfit(*np.array(points).T, 1)[0])


def claims(table: Table) -> Iterator[Claim]:
    """Figure 15."""
    for row in table.named:
        if row["spans"] == "8":
            what = f"7.3 position error over the length, degree {row['degree']}, 8 spans"
            yield Claim(what, "a figure: falls with the degree", "shooting", row["position / L"])


def figure(table: Table) -> Any:
    """Errors over the number of control poses, as figure 15 of the paper."""
    from matplotlib.figure import Figure

    errors, orders = table.data["errors"], table.data["orders"]
    drawing = Figure(figsize=(11.0, 3.8))
    for column, kind in enumerate(KINDS, 1):
        axes = drawing.add_subplot(1, len(KINDS), column)
        for degree in DEGREES:
            points = [(n + k, error[kind]) for (k, n), error in errors.items() if k == degree]
            order = orders[degree, kind]
            label = f"degree {degree}" + ("" if np.isnan(order) else f", slope -{order:.1f}")
            axes.loglog(*np.array(points).T, ".-", label=label)
        axes.set(xlabel="control poses", title=f"{kind} error")
        axes.grid(alpha=0.3, which="both")
        axes.legend(fontsize=8)
    drawing.tight_layout()
    return drawing
