"""Times of steps of implicit Euler and of equilibria, by the number of elements."""

import itertools

import flexura as fx
from benchmarks.fem_cosserat_coupling.scenes import finger, pulls, trunk
from benchmarks.progress import track
from benchmarks.table import Table
from benchmarks.timing import measure

# Bars of cubes, for the growth with the number of elements: from 1 700 to 50 000.
SIZES = ((24, 3, 4), (32, 5, 6), (48, 6, 10), (72, 8, 14))


def run(quick: bool = False) -> Table:
    """Measure, for the finger, the trunk, and bars of finer and finer meshes.

    Args:
        quick: the finger only.
    """
    rows, found = [], {}
    robots = [(finger(), 6)]
    if not quick:
        robots += [(trunk(), 20), *((finger(cells=cells), 6) for cells in SIZES)]
    for robot, sections in track(robots, "size"):
        model = fx.build(robot, rods=fx.ConstantStrain(sections))
        count = len(model.robot.volumes[0].mesh)
        least = 5 if count < 20_000 else 2
        one = measure(_stepping(model, fx.ImplicitEuler(linearised=True)), 2.0, least=least).median
        whole = measure(_stepping(model, fx.ImplicitEuler()), 2.0, least=least).median
        near = measure(_solving(model), 2.0, least=least).median
        times = [f"{1e3 * x:.2f}" for x in (one, whole, near)]
        name = robot.name if robot.volumes[0].mesh.path else "bar"
        rows.append([name, f"{count}", f"{model.n_dof}", *times])
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
