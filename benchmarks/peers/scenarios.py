"""The cases of cosseratbench that need no contact, by all solvers in one run."""

from benchmarks.progress import track
from benchmarks.table import Table

CASES = {
    "cantilever": "tip_deflection_error",
    "catenary": "shape_error",
    "pendulum": "period_error",
    "twist": "critical_twist_error",
}
SOLVERS = ("flexura", "flexura-statics", "pyelastica", "mujoco")


def run(cases: list[str]) -> Table:
    """Run cases by all solvers.

    Args:
        cases: their names.
    """
    from cosseratbench import registry
    from cosseratbench import run as simulate

    pairs = [(case, solver) for case in cases for solver in SOLVERS]
    rows, data = [], {}
    for case, solver in track(pairs, "cosseratbench"):
        result = simulate(registry.load_experiment(case), registry.load_solver(solver))
        data[case, solver] = result
        if result.outcome != "completed":
            rows.append([case, solver, "–", "–", result.outcome])
            continue
        error, settings = result.metrics[CASES[case]], result.settings
        step = settings.get("time_step")
        how = f"steps of {1e3 * float(step):.3g} ms" if step else "equilibrium"
        rows.append([case, solver, f"{error:.1e}", f"{result.wall_time:.2f}", how])
    return Table(
        title="cases of cosseratbench without contact",
        header=("case", "solver", "error", "time [s]", ""),
        rows=rows,
        notes=[f"Errors: {', '.join(f'{key} {value}' for key, value in CASES.items())}."],
        data=data,
    )
