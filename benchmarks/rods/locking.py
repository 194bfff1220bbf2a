"""How thin a rod may be: error of a cantilever over its slenderness.

A cumulative spline on SE(3) bends with varying curvature only if it stretches and shears a little
within each span, by an amount of order h² κ'. A thin rod resists, and becomes too stiff: the error
grows with EA L² / EI until it is refined away with h⁴ (``assumed_strain=False``, "plain"). With
forces as unknowns of their own, the default, the spurious strain stores no energy and the error
does not depend on the slenderness. Truth: the continuous equations by shooting.
"""

from dataclasses import replace

import numpy as np

import flexura as fx
from benchmarks.lie_group_framework.shooting_truth import shoot
from benchmarks.progress import track
from benchmarks.rods.cases import rod_of_stiffness
from benchmarks.table import Table

# EA L² / EI = 4 (L / r)² for a round rod of radius r: 1e6 is a wire with L / r = 500.
SLENDERNESS = (1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8)
SPLINES = (
    fx.Spline(2, 12), fx.Spline(3, 12), fx.Spline(4, 12), fx.Spline(5, 12),
    fx.Spline(3, 48), fx.Spline(5, 48),
)  # fmt: skip
FORCE = np.array([0.0, 5.0, 0.0])  # P L² / EI = 5


def run(quick: bool = False) -> Table:
    """Solve Mattiasson's cantilever with finite stiffness in stretch and shear.

    Args:
        quick: only every other slenderness.
    """
    rows, errors = [], {}
    for slenderness in track(SLENDERNESS[::2] if quick else SLENDERNESS, "locking"):
        stiffness = np.array([1.0, 1.0, 1.0, slenderness, slenderness, slenderness])
        truth = shoot(lambda s, K=stiffness: K, np.array([0.0, 1.0]), FORCE)
        rod = rod_of_stiffness("rod", 1.0, 1.0, (1.0, 1.0), slenderness, slenderness)
        robot = fx.Robot(
            "cantilever",
            rods=[rod],
            joints=[fx.Weld("world", "rod.base")],
            loads=[fx.PointLoad("tip", at="rod.tip", force=FORCE)],
        )
        row = [f"{slenderness:.0e}"]
        for spline in SPLINES:
            cells = []
            for assumed in (False, True):
                choice = replace(spline, assumed_strain=assumed)
                result = fx.statics(fx.build(robot, rods=choice)).unwrap()
                error = np.linalg.norm(result.pose("rod.tip")[:3, 3] - truth.position[-1])
                errors[slenderness, spline.degree, spline.spans, assumed] = float(error)
                cells.append(f"{error:.1e}")
            row.append(" → ".join(cells))
        rows.append(row)
    return Table(
        title="locking: tip error over the length, P L²/EI = 5, plain → default",
        header=("EA L²/EI", *(f"Spline({s.degree}, {s.spans})" for s in SPLINES)),
        rows=rows,
        notes=["GA = EA. A round rod has EA L²/EI = 4 (L/r)²."],
        data=errors,
    )
