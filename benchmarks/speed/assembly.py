"""Energy, gradient and exact tangent of a cubic rod with 15 control poses and 48 Gauss points."""

import flexura as fx
from benchmarks.rods.cases import load_cases
from benchmarks.table import Table, verdict
from benchmarks.timing import measure
from flexura.model.assemble import Assembly

TARGET = 250e-6  # [s]
LOADED = {"tip": (0.0, 0.0, 0.0, 0.1, 0.4, 0.3)}


def run(quick: bool = False) -> Table:
    """Time one evaluation at a bent and twisted equilibrium.

    Args:
        quick: spend a tenth of the time.
    """
    model = fx.build(load_cases("P000_tapered_rod")[0].robot, rods=fx.Spline(degree=3, spans=12))
    result = fx.statics(model, LOADED).unwrap()
    assembly = Assembly(model)

    def evaluate() -> float:
        assembly.evaluate(result.state, result.given)
        return assembly.stored_energy()

    timing = measure(evaluate, seconds=0.2 if quick else 2.0, most=20_000)
    nodes = model.layout.n_nodes
    points = len(model.parts[0].group.points.s)
    row = [
        f"{nodes} control poses, {points} points",
        *(f"{1e6 * t:.0f}" for t in (timing.median, timing.low, timing.high)),
        str(timing.calls),
        f"{1e6 * TARGET:.0f}",
        verdict(timing.median, TARGET),
    ]
    return Table(
        title="energy, gradient and exact tangent [µs]",
        header=("model", "median", "10 %", "90 %", "calls", "target", ""),
        rows=[row],
        data={"timing": timing, "nodes": nodes, "points": points},
    )
