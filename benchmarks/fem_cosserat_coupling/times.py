"""Times of steps of implicit Euler and of equilibria, by the number of elements."""

import itertools
from collections.abc import Iterator

import flexura as fx
from benchmarks.fem_cosserat_coupling.scenes import finger, pulls, trunk
from benchmarks.progress import track
from benchmarks.table import NONE, Claim, Table
from benchmarks.timing import measure

# Bars of cubes, for the growth with the number of elements: from 1 700 to 50 000.
SIZES = ((24, 3, 4), (32, 5, 6), (48, 6, 10), (72, 8, 14))
# Table I: elements, milliseconds, and what is in them besides.
PAPER = {"finger": (389, 4.31, ""), "trunk": (1972, 82.3, " with an inverse")}


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
            "The paper, with one linearisation, on its machine: "
            + ", ".join(f"{who}, {n} elements, {t:g} ms{how}" for who, (n, t, how) in PAPER.items())
        ],
        data=found,
    )  # fmt: skip


def claims(table: Table) -> Iterator[Claim]:
    """Table I: a step with one linearisation."""
    for row in table.named:
        if row["robot"] in PAPER:
            elements, milliseconds, how = PAPER[row["robot"]]
            theirs = f"{milliseconds:g} ms, {elements} elements{how}"
            ours = f"{row['step, one linearisation [ms]']} ms, {row['elements']} elements"
            yield Claim(f"step with one linearisation, {row['robot']}", theirs, NONE, ours)


def _stepping(model: fx.Model, integrator: fx.ImplicitEuler):
    """A call that goes on by a step, back and forth."""
    simulation = fx.Simulation(model, 0.01, integrator=integrator)
    ways = itertools.cycle([*range(20), *range(20, 0, -1)])
    return lambda: simulation.step(pulls(model, 1e-4 * next(ways)))


def _solving(model: fx.Model):
    """A call that finds a next equilibrium."""
    start, ways = fx.statics(model, pulls(model, 2e-3)).unwrap(), itertools.cycle((2.1e-3, 2.2e-3))
    return lambda: fx.statics(model, pulls(model, next(ways)), start)
