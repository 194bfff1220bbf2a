"""A rubber rod on a ball joint, released from the horizontal."""

from typing import Any

import numpy as np

import flexura as fx
from benchmarks.dynamics.cases import name_of, reference
from benchmarks.progress import track
from benchmarks.table import Table
from benchmarks.timing import measure
from flexura.rods.discretization import Discretization

CASES: tuple[tuple[Discretization, float], ...] = (
    (fx.Spline(3, 8), 0.005),
    (fx.Spline(3, 12), 0.005),
    (fx.Spline(3, 12), 0.0025),
    (fx.Spline(3, 16), 0.00125),
    (fx.LinearStrain(16), 0.0025),
    (fx.VariableStrain((0, 12, 0, 3, 0, 3)), 0.0025),
    (fx.VariableStrain((0, 12, 0, 3, 0, 3)), 0.00125),
)
# Peers, measured on a machine of the same kind: time, error of positions, root mean square.
PEERS = (
    "Exudyn 1.13 (C++, planar cable elements): 0.06 s at 1.4e-4 m; PyElastica: 0.42 s at 1.2e-3 m; "
    "MuJoCo 4: 0.72 s at 1.9e-4 m."
)


def run(quick: bool = False) -> Table:
    """Let the rod swing for 1 s.

    Args:
        quick: only the first two cases.
    """
    data = reference("rubber_pendulum")
    rows, found = [], {}
    for rods, h in track(CASES[:2] if quick else CASES, "rubber"):
        model = fx.build(pendulum(), rods=rods)
        motion = swing(model, h)
        error = errors(motion, data)
        time = measure(lambda m=model, h=h: swing(m, h), seconds=0.0, least=1 if quick else 3)
        lost = np.abs(motion.energy - motion.energy[0]).max() / motion.kinetic.max()
        found[name_of(rods), h] = {"error": error, "time": time.median, "lost": float(lost)}
        rows.append(
            [
                name_of(rods),
                f"{h:g}",
                f"{time.median:.2f}",
                f"{np.sqrt(np.mean(error**2)):.1e}",
                f"{np.sqrt(np.mean(error[:, -1] ** 2)):.1e}",
                f"{error.max():.1e}",
                f"{lost:.1e}",
            ]
        )
    return Table(
        title="swinging rubber rod, 1 s, GeneralizedAlpha(0.9)",
        header=(
            "rods", "step [s]", "time [s]", "all places, rms [m]", "tip, rms [m]",
            "largest [m]", "energy, off",
        ),
        rows=rows,
        notes=[
            "Errors against the independent reference (`planar.py`), at 11 places and 21 times. "
            "Energy: largest change, relative to the largest kinetic energy.",
            PEERS,
        ],
        data=found,
    )  # fmt: skip


def pendulum() -> fx.Robot:
    """A rod along x on a ball joint, gravity along -z."""
    rubber = fx.Material(young=5e6, poisson=0.5, density=1100.0)
    return fx.Robot(
        "rubber pendulum",
        rods=[fx.Rod("rod", 1.0, fx.Circle(5e-3), rubber)],
        joints=[fx.Ball("pin", "world", "rod.base")],
        loads=[fx.Gravity()],
    )


def swing(model: fx.Model, h: float) -> fx.Motion:
    """The motion in steps of h [s]."""
    return fx.simulate(model, 1.0, h, every=round(0.05 / h)).unwrap()


def errors(motion: fx.Motion, data: dict[str, Any]) -> np.ndarray:
    """Distances of all places to the reference at all times of it [m], (n, m)."""
    positions = np.array(data["positions"])
    places = np.linspace(0.0, 1.0, positions.shape[1])
    own = motion.pose("rod", places)[:, :, [0, 2], 3]
    return np.asarray(np.linalg.norm(own - positions, axis=-1))


def figure(table: Table) -> Any:
    """Shapes of the rod, and the reference."""
    from matplotlib.figure import Figure

    data = reference("rubber_pendulum")
    motion = swing(fx.build(pendulum(), rods=fx.Spline(3, 12)), 0.0025)
    drawing = Figure(figsize=(5.0, 4.2))
    axes = drawing.add_subplot()
    for instant, dots in zip(motion[::2], data["positions"][::2], strict=True):
        shape = instant.pose("rod", np.linspace(0.0, 1.0, 61))
        axes.plot(shape[:, 0, 3], shape[:, 2, 3], color="C0", lw=0.9)
        axes.plot(*np.array(dots).T, "k.", ms=2)
    axes.set(aspect="equal", xlabel="x [m]", ylabel="z [m]", title="each 0.1 s; dots: reference")
    axes.grid(alpha=0.3)
    drawing.tight_layout()
    return drawing
