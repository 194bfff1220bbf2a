"""A soft arm on a tendon, viscous and heavy: time, error and balance of energy."""

from typing import Any

import numpy as np

import flexura as fx
from benchmarks.dynamics.cases import name_of
from benchmarks.progress import track
from benchmarks.table import Table
from benchmarks.timing import measure
from flexura.rods.discretization import Discretization

TENSION = 2.0  # [N], on the first tendon from t = 0
END = 3.0  # [s]
SHOWN = 0.01  # [s], between the instants that are compared
FINEST, FINE_STEP = fx.Spline(4, 12), 0.0005
CASES: tuple[tuple[Discretization, float], ...] = (
    (fx.Spline(3, 4), 0.01),
    (fx.Spline(3, 4), 0.005),
    (fx.Spline(3, 4), 0.0025),
    (fx.Spline(3, 8), 0.0025),
    (fx.VariableStrain((5, 7, 7, 3, 3, 3)), 0.005),
    (fx.VariableStrain((5, 7, 7, 3, 3, 3)), 0.0025),
)
# Peers, measured on a machine of the same kind: error of the tip [m], time [s].
PEERS = (
    "SoRoMoX 0.5, variable strain with 28 functions: 38 to 56 s after 16 s of compiling, 9e-5 m.",
    "PyElastica: 23 s, 5e-2 m.",
)


def run(quick: bool = False) -> Table:
    """Pull the arm for 3 s.

    Args:
        quick: only one case, against a reference that is less fine.
    """
    finest = pull(FINEST, 0.0025 if quick else FINE_STEP)
    tip = finest.pose("arm.tip")[:, :3, 3]
    rows, found = [], {}
    for rods, h in track(CASES[1:2] if quick else CASES, "viscous arm"):
        motions: list[fx.Motion] = []

        def go(rods: Discretization = rods, h: float = h, to: list[fx.Motion] = motions) -> None:
            to[:] = [pull(rods, h)]

        time = measure(go, seconds=0.0, least=1 if quick else 3)
        (motion,) = motions
        error = float(np.linalg.norm(motion.pose("arm.tip")[:, :3, 3] - tip, axis=1).max())
        parts = balance(motion)
        found[name_of(rods), h] = {"error": error, "time": time.median, **parts}
        rows.append(
            [
                name_of(rods),
                f"{h:g}",
                f"{time.median:.2f}",
                f"{error:.1e}",
                *(f"{1e3 * parts[key]:.3f}" for key in ("work", "gained", "dissipated", "left")),
            ]
        )
    return Table(
        title=f"viscous arm, {END:g} s, tendon pulled by {TENSION:g} N from straight and at rest",
        header=(
            "rods", "step [s]", "time [s]", "tip [m]", "work of the tendon [mJ]",
            "energy gained [mJ]", "dissipated [mJ]", "not accounted for [mJ]",
        ),
        rows=rows,
        notes=[
            f"Tip: largest distance to {name_of(FINEST)} by steps of {FINE_STEP:g} s. Energy: "
            "kinetic, elastic and of gravity.",
            *PEERS,
        ],
        data=found,
    )  # fmt: skip


def pull(rods: Discretization, h: float) -> fx.Motion:
    """The motion in steps of h [s]."""
    return fx.simulate(
        fx.build(arm(), rods=rods), END, h, {"first": TENSION}, every=round(SHOWN / h)
    ).unwrap()


def arm() -> fx.Robot:
    """A clamped arm along x with three parallel tendons, gravity along -z."""
    silicone = fx.Material(young=1e6, poisson=0.45, density=1000.0, viscosity=1000.0)
    tendons = [
        fx.Tendon(
            name, rod="arm", routing=fx.Parallel(y=8e-3 * np.cos(angle), z=8e-3 * np.sin(angle))
        )
        for name, angle in zip(
            ("first", "second", "third"), 2.0 * np.pi * np.arange(3) / 3.0, strict=True
        )
    ]
    return fx.Robot(
        "arm",
        rods=[fx.Rod("arm", 0.3, fx.Circle(0.01), silicone)],
        joints=[fx.Weld("world", "arm.base")],
        tendons=tendons,
        loads=[fx.Gravity()],
    )


def balance(motion: fx.Motion) -> dict[str, float]:
    """Where the work of the tendon went, over the whole motion [J]."""
    return {
        "work": float(motion.work[-1]),
        "gained": float(motion.energy[-1] - motion.energy[0]),
        "dissipated": float(motion.dissipated[-1]),
        "left": float(np.abs(motion.balance - motion.balance[0]).max()),
    }


def figure(table: Table) -> Any:
    """The tip of the arm, and where energy goes."""
    from matplotlib.figure import Figure

    motion = pull(fx.Spline(3, 4), 0.0025)
    drawing = Figure(figsize=(9.0, 3.2))
    left, right = drawing.subplots(1, 2)
    for axis, name in enumerate("xyz"):
        left.plot(motion.t, motion.pose("arm.tip")[:, axis, 3], label=name)
    left.set(xlabel="t [s]", title="tip of the arm [m]")
    for label, values in (
        ("kinetic", motion.kinetic), ("elastic", motion.elastic),
        ("gravity", motion.gravity - motion.gravity[0]), ("dissipated", motion.dissipated),
        ("work of the tendon", motion.work), ("balance", motion.balance - motion.balance[0]),
    ):  # fmt: skip
        right.plot(motion.t, 1e3 * values, label=label)
    right.set(xlabel="t [s]", title="energy [mJ]")
    for axes in (left, right):
        axes.grid(alpha=0.3)
        axes.legend(fontsize=8)
    drawing.tight_layout()
    return drawing
