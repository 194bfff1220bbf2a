"""The cases of cosseratbench that need no contact, by all solvers in one run."""

import time
from typing import Any

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
        timed = Timed(registry.load_solver(solver))
        result = simulate(registry.load_experiment(case), timed)
        data[case, solver] = result
        if result.outcome != "completed":
            rows.append([case, solver, "–", "–", result.outcome])
            continue
        error, settings = result.metrics[CASES[case]], result.settings
        step = settings.get("time_step")
        how = f"steps of {1e3 * float(step):.3g} ms" if step else "equilibrium"
        rows.append([case, solver, f"{error:.1e}", f"{timed.spent:.3f}", how])
    return Table(
        title="cases of cosseratbench without contact",
        header=("case", "solver", "error", "CPU [s]", ""),
        rows=rows,
        notes=[f"Errors: {', '.join(f'{key} {value}' for key, value in CASES.items())}."],
        data=data,
    )


class Timed:
    """A solver of cosseratbench that takes the CPU time of its runs.

    Attributes:
        spent: by the last run [s]; the first one, which compiles, is a short one.
    """

    def __init__(self, solver: Any) -> None:
        self._solver, self.spent = solver, 0.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._solver, name)

    def run(self, *args: Any, **options: Any) -> Any:
        """Run the solver."""
        began = time.process_time()
        found = self._solver.run(*args, **options)
        self.spent = time.process_time() - began
        return found
