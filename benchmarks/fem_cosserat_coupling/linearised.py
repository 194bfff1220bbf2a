"""Steps with one linearisation beside steps that are solved to the end, by their length."""

import numpy as np

import flexura as fx
from benchmarks.fem_cosserat_coupling.scenes import finger, pulls, trunk
from benchmarks.progress import track
from benchmarks.table import Table

DURATION, WAY = 0.2, 2e-3
STEPS = (10e-3, 5e-3, 2.5e-3, 1.25e-3)


def run(quick: bool = False) -> Table:
    """Pull the cables of the finger and of the trunk by 2 mm, smoothly, in implicit Euler steps.

    Args:
        quick: the finger only, in the two longest steps.
    """
    rows, found = [], {}
    steps = STEPS[:2] if quick else STEPS
    for robot, sections in track([(finger(), 6), (trunk(), 20)][: 1 if quick else 2], "robot"):
        model = fx.build(robot, rods=fx.ConstantStrain(sections))
        solved = [_moved(model, h, linearised=False) for h in steps]
        apart = [
            float(np.abs(_moved(model, h, linearised=True) - x).max())
            for h, x in zip(steps, solved, strict=True)
        ]
        found[robot.name] = apart
        for i, h in enumerate(steps):
            error = float(np.abs(solved[i] - solved[-1]).max())
            order = f"{np.log2(apart[i - 1] / apart[i]):.2f}" if i else "-"
            moved = f"{1e3 * np.abs(solved[i][-1] - solved[i][0]).max():.1f}"
            wrong = f"{error:.1e}" if i < len(steps) - 1 else "-"
            rows.append([robot.name, f"{1e3 * h:g}", moved, f"{apart[i]:.1e}", order, wrong])
    return Table(
        title="one linearisation beside steps solved to the end: largest distance of nodes",
        header=(
            "robot", "step [ms]", "moved [mm]", "apart [m]", "order",
            "step itself, by the shortest [m]",
        ),
        rows=rows,
        data=found,
    )  # fmt: skip


def _moved(model: fx.Model, h: float, linearised: bool) -> np.ndarray:
    """Nodes of a motion at the same times for all steps, (n_times, n, 3)."""
    shares, name = pulls(model, WAY), model.robot.volumes[0].name
    inputs = {
        key: (lambda t, far=far: far * np.sin(0.5 * np.pi * t / DURATION) ** 2)
        for key, far in shares.items()
    }
    by = fx.ImplicitEuler(linearised=linearised)
    every = round(STEPS[0] / h)
    motion = fx.simulate(model, DURATION, h, inputs, integrator=by, every=every).unwrap()
    return np.array([instant.points(name) for instant in motion.results])
