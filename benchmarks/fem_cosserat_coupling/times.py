"""Times of steps of implicit Euler and of equilibria, by the number of elements."""

import itertools

import flexura as fx
from benchmarks.fem_cosserat_coupling.scenes import finger, pulls, trunk
from benchmarks.progress import track
from benchmarks.table import Table
from benchmarks.timing import measure

SIZES = ((12, 2, 3), (24, 3, 4), (40, 5, 8), (64, 8, 12))
LARGE = (96, 9, 12)  # about 50 000 elements


def run(quick: bool = False) -> Table:
    """Measure, for finer and finer meshes.

    Args:
        quick: the coarsest one only.
    """
    rows, found = [], {}
    sizes = SIZES[:1] if quick else (*SIZES, LARGE)
    robots = [(finger(cells=cells), 6) for cells in sizes]
    if not quick:
        robots.insert(1, (trunk(), 20))
    for robot, sections in track(robots, "size"):
        model = fx.build(robot, rods=fx.ConstantStrain(sections))
        count = len(model.robot.volumes[0].mesh)
        least = 5 if count < 20_000 else 2
        one = measure(_stepping(model, fx.ImplicitEuler(linearised=True)), 2.0, least=least).median
        whole = measure(_stepping(model, fx.ImplicitEuler()), 2.0, least=least).median
        near = measure(_solving(model), 2.0, least=least).median
        times = [f"{1e3 * x:.2f}" for x in (one, whole, near)]
        rows.append([robot.name, f"{count}", f"{model.n_dof}", *times])
        found[count] = (one, whole, near)
    return Table(
        title="a finger with 15 sliding rows, a trunk with 84",
        header=(
            "robot", "elements", "unknowns", "step, one linearisation [ms]",
            "step, to the end [ms]", "next equilibrium [ms]",
        ),
        rows=rows,
        notes=[
            "The paper, with one linearisation, on its machine: finger of 389 elements 4.31 ms, "
            "trunk of 1972 elements 82.3 ms (direct and inverse)."
        ],
        data=found,
    )  # fmt: skip


def _stepping(model: fx.Model, integrator: fx.ImplicitEuler):
    """A call that goes on by a step, back and forth."""
    simulation = fx.Simulation(model, 0.01, integrator=integrator)
    ways = itertools.cycle([*range(20), *range(20, 0, -1)])
    return lambda: simulation.step(pulls(model, 1e-4 * next(ways)))


def _solving(model: fx.Model):
    """A call that finds a next equilibrium."""
    start, ways = fx.statics(model, pulls(model, 2e-3)).unwrap(), itertools.cycle((2.1e-3, 2.2e-3))
    return lambda: fx.statics(model, pulls(model, next(ways)), start)
