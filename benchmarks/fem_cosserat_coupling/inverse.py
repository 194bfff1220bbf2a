"""Inverse simulation: forces on the cables so that the tip follows a path, as in Figures 9 and 10.

Cables are rods, their bases are pulled, and no force is negative. Each target of the path takes one
linearisation, as in the paper; the errors that this leaves are beside those of answers that are
solved to the end.
"""

import time

import numpy as np

import flexura as fx
from benchmarks.fem_cosserat_coupling.scenes import LENGTH, TRUNK, finger, trunk
from benchmarks.progress import track
from benchmarks.table import Table

STEPS = 60
FREE = np.nan
LEAST, MOST, AROUND = 1e-3, 0.01, 0.03  # ways of the finger's tip; radius of the trunk's circle [m]
TAUT = {"finger": 0.02, "trunk": 0.3}  # the least force of cables [N]


def finger_path(steps: int) -> list[dict]:
    """The tip of the finger goes down by 1 cm and back up to 1 mm."""
    tip = fx.On("finger", (LENGTH, 0.0, 0.0))
    down = LEAST + (MOST - LEAST) * np.sin(np.pi * np.linspace(0.0, 1.0, steps + 1)[1:])
    return [{tip: (FREE, FREE, -float(z))} for z in down]


def trunk_path(steps: int) -> list[dict]:
    """The tip of the trunk goes out by 3 cm and around a circle."""
    tip = fx.On("trunk", (TRUNK, 0.0, 0.0))
    u = np.linspace(0.0, 1.25, steps + 1)[1:]
    out, angle = AROUND * np.minimum(4.0 * u, 1.0), 2.0 * np.pi * np.maximum(u - 0.25, 0.0)
    return [
        {tip: (FREE, float(y), float(z))}
        for y, z in zip(out * np.cos(angle), out * np.sin(angle), strict=True)
    ]


def run(quick: bool = False) -> Table:
    """Follow the paths.

    Args:
        quick: the finger alone, with fewer targets.
    """
    steps = 40 if quick else STEPS
    cases = [("finger", finger(by_force=True), 6, finger_path(steps))]
    if not quick:
        cases.append(("trunk", trunk(by_force=True), 20, trunk_path(2 * steps)))
    rows, data = [], {}
    for name, robot, sections, path in track(cases, "robot"):
        model = fx.build(robot, rods=fx.ConstantStrain(sections))
        using = [one.name for one in robot.loads]
        # cables stay taut: those without a force have no way of their own
        bounds = dict.fromkeys(using, (TAUT[name], None))
        start = fx.statics(model, dict.fromkeys(using, TAUT[name])).unwrap()
        for how, linearised in (("one linearisation", True), ("to the end", False)):
            fx.inverse(model, path[:2], using, bounds, start, linearised=linearised)
            began = time.perf_counter()
            answers = fx.inverse(model, path, using, bounds, start, linearised=linearised)
            spent = (time.perf_counter() - began) / len(path)
            error = max(one.error for one in answers)
            forces = [float(value) for one in answers for value in one.inputs.values()]
            left = float(np.median([one.result.residual for one in answers]))
            data[name, how] = {"error": error, "left": left, "least": min(forces), "time": spent}
            rows.append(
                [
                    name, how, f"{len(path)}", f"{error:.1e}", f"{left:.1e}", f"{min(forces):.2g}",
                    f"{max(forces):.3g}", f"{1e3 * spent:.1f}",
                ]
            )  # fmt: skip
    return Table(
        title="the tip follows a path by forces on cables that are rods",
        header=(
            "robot", "each target", "targets", "largest error [m]", "out of balance",
            "least force [N]", "largest force [N]", "time for a target [ms]",
        ),
        rows=rows,
        notes=[
            "Out of balance is the median of what is left of the forces, relative to them.",
            "The paper, one linearisation, on its machine: 4.31 ms and 82.3 ms.",
        ],
        data=data,
    )  # fmt: skip
