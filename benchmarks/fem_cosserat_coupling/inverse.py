"""Inverse simulation: forces on the cables so that the tip follows a path, as in Figures 9 and 10.

Cables are rods, their bases are pulled, and no force is negative. Each target of the path takes one
linearisation, as in the paper; the errors that this leaves are beside those of answers that are
solved to the end. What is left out of balance makes the tip miss the path: equilibria with the same
forces tell by how much.
"""

import time
from collections.abc import Iterator

import numpy as np

import flexura as fx
from benchmarks.fem_cosserat_coupling.scenes import LENGTH, TRUNK, finger, trunk
from benchmarks.machine import yardstick
from benchmarks.progress import track
from benchmarks.table import NONE, Claim, Table

STEPS = 60
TURNS = 5  # paths whose median time counts
EVERY = 10  # answers to one whose equilibrium is looked at
FREE = np.nan
LEAST, MOST, AROUND = 1e-3, 0.01, 0.03  # ways of the finger's tip; radius of the trunk's circle [m]
PAPER = {"finger": 4.31, "trunk": 82.33}  # Table I: time of a step [ms]
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


def off_balance(answer: fx.InverseResult, target: dict) -> float:
    """How far the tip is from its target in the equilibrium with the same forces [m]."""
    found = fx.statics(answer.result.model, answer.inputs, start=answer.result).unwrap()
    (frame, asked), *_ = target.items()
    missed = found.pose(frame)[:3, 3] - np.array(asked)
    return float(np.linalg.norm(missed[~np.isnan(asked)]))


def run(quick: bool = False) -> Table:
    """Follow the paths.

    Args:
        quick: fewer targets of the finger, the first quarter of the trunk's, none to the end.
    """
    steps = 40 if quick else STEPS
    around = trunk_path(2 * STEPS)
    cases = [
        ("finger", finger(by_force=True), 6, finger_path(steps)),
        ("trunk", trunk(by_force=True), 20, around[: STEPS // 2] if quick else around),
    ]
    rows, data = [], {}
    for name, robot, sections, path in track(cases, "robot"):
        model = fx.build(robot, rods=fx.ConstantStrain(sections))
        using = [one.name for one in robot.loads]
        # cables stay taut: those without a force have no way of their own
        bounds = dict.fromkeys(using, (TAUT[name], None))
        start = fx.statics(model, dict.fromkeys(using, TAUT[name])).unwrap()
        for how, linearised in (("one linearisation", True), ("to the end", False)):
            if quick and (name, linearised) == ("trunk", False):
                continue
            times, paces = [], []
            for _ in range(TURNS if linearised else 1):
                paces.append(yardstick())
                began = time.perf_counter()
                answers = fx.inverse(model, path, using, bounds, start, linearised=linearised)
                times.append((time.perf_counter() - began) / len(path))
            spent = float(np.median(times))
            error = max(one.error for one in answers)
            forces = [float(value) for one in answers for value in one.inputs.values()]
            left = float(np.median([one.result.residual for one in answers]))
            several = list(zip(answers, path, strict=True))[EVERY - 1 :: EVERY]
            off = max(off_balance(*each) for each in several)
            data[name, how] = {
                "error": error, "left": left, "off": off, "least": min(forces), "time": spent,
                "yardstick": float(np.median(paces)),
            }  # fmt: skip
            rows.append(
                [
                    name, how, f"{len(path)}", f"{error:.1e}", f"{left:.1e}", f"{off:.1e}",
                    f"{min(forces):.2g}", f"{max(forces):.3g}", f"{1e3 * spent:.2f}",
                    f"{1e3 * data[name, how]['yardstick']:.0f}",
                ]
            )  # fmt: skip
    return Table(
        title="the tip follows a path by forces on cables that are rods",
        header=(
            "robot", "each target", "targets", "largest error [m]", "out of balance",
            "tip of the equilibrium off by [m]", "least force [N]", "largest force [N]",
            "time for a target [ms]", "yardstick [ms]",
        ),
        rows=rows,
        notes=[
            "Out of balance is the median of what is left of the forces, relative to them.",
            "The yardstick is a million additions of plain Python, measured in between.",
            "The paper, one linearisation, on its machine: "
            + ", ".join(f"{name} {milliseconds:g} ms" for name, milliseconds in PAPER.items()),
        ],
        data=data,
    )  # fmt: skip


def claims(table: Table) -> Iterator[Claim]:
    """Figures 9 and 10, and Table I."""
    for row in table.named:
        if row["each target"] == "one linearisation":
            theirs = f"{PAPER[row['robot']]:g} ms, a figure"
            ours = f"{row['time for a target [ms]']} ms, {row['largest error [m]']} m off"
            yield Claim(f"a path of the tip, {row['robot']}, each target", theirs, NONE, ours)
