"""Discs against a channel along the whole rod: the difference falls with the spacing squared."""

import numpy as np

import flexura as fx
from benchmarks.table import Table
from benchmarks.tendon_newton_lagrange import cases

COUNTS = (4, 8, 16, 32)
TENSIONS = (2.0, 1.0, 0.0)


def with_discs(count: int) -> fx.Robot:
    """The robot of scenario A with its tendons through equally spaced discs."""
    whole = cases.robot("A")
    (rod,) = whole.rods
    at = rod.length * np.arange(1, count + 1) / count
    tendons = [
        fx.Tendon(tendon.name, rod.name, fx.Discs(at, tendon.routing.y, tendon.routing.z))
        for tendon in whole.tendons
    ]
    return fx.Robot("discs", whole.rods, whole.joints, whole.loads, tendons)


def run(quick: bool = False) -> Table:
    """Solve with more and more discs.

    Args:
        quick: leave out the finest.
    """
    inputs = dict(zip(("t1", "t2", "t3"), TENSIONS, strict=True))
    channel = fx.statics(fx.build(cases.robot("A"), rods=fx.LinearStrain(64)), inputs).unwrap()
    counts = COUNTS[:-1] if quick else COUNTS
    errors, rows = [], []
    for count in counts:
        model = fx.build(with_discs(count), rods=fx.LinearStrain(64))
        result = fx.statics(model, inputs).unwrap()
        errors.append(fx.shape_error(result, channel).max_position)
        order = np.log2(errors[-2] / errors[-1]) if len(errors) > 1 else np.nan
        rows.append(
            [
                str(count),
                f"{1e3 * errors[-1]:.4f}",
                "" if np.isnan(order) else f"{order:.2f}",
                str(result.iterations),
                str(result.load_steps),
            ]
        )
    return Table(
        title="tendons through discs against tendons in a channel, scenario A, 2, 1 and 0 N",
        header=("discs", "largest distance [mm]", "order", "iterations", "load steps"),
        rows=rows,
        data={"counts": counts, "errors": errors},
    )
