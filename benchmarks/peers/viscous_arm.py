"""A viscous arm whose first tendon is pulled at once: how far its tip goes astray.

Length 0.3 m, radius 1 cm, E = 1 MPa, ν = 0.45, density 1000 kg/m³, viscosity 1000 Pa s, clamped
along +x, gravity along -z, three parallel tendons at 8 mm; straight and at rest, 2 N on the first,
3 s.
"""

import time

import numpy as np

import flexura as fx
from benchmarks.table import Table

DURATION, TENSION, RADIUS = 3.0, 2.0, 8e-3
STEP, FINE = 5e-3, 5e-4  # [s]


def robot() -> fx.Robot:
    """The arm."""
    rubber = fx.Material(young=1e6, poisson=0.45, density=1000.0, viscosity=1000.0)
    angles = 2.0 * np.pi / 3.0 * np.arange(3)
    return fx.Robot(
        "viscous arm",
        rods=[fx.Rod("rod", 0.3, fx.Circle(radius=0.01), rubber)],
        joints=[fx.Weld("world", "rod.base")],
        tendons=[
            fx.Tendon(f"t{i}", "rod", fx.Parallel(RADIUS * np.cos(a), RADIUS * np.sin(a)))
            for i, a in enumerate(angles, 1)
        ],
        loads=[fx.Gravity()],
    )


def run(repeats: int = 3) -> Table:
    """Time flexura with the 28 functions of SoRoMoX, against a finer run of splines.

    Args:
        repeats: of which the fastest one counts.
    """
    fine = tips(fx.build(robot(), rods=fx.Spline(degree=3, spans=16)), FINE)[0]
    model = fx.build(robot(), rods=fx.VariableStrain((5, 7, 7, 3, 3, 3)))
    tips(model, STEP)  # compiles
    found = [tips(model, STEP) for _ in range(repeats)]
    off = np.linalg.norm(found[0][0] - fine, axis=1).max()
    best = min(spent for _, spent in found)
    how = f"28 functions, steps of {1e3 * STEP:g} ms"
    return Table(
        title="viscous arm",
        header=("solver", "tip astray at most [m]", "time [s]", ""),
        rows=[["flexura", f"{off:.1e}", f"{best:.2f}", how]],
    )


def tips(model: fx.Model, step: float) -> tuple[np.ndarray, float]:
    """Positions of the tip every 5 ms, and the time that the motion took [s]."""
    began = time.perf_counter()
    every = round(STEP / step)
    motion = fx.simulate(model, DURATION, step, inputs={"t1": TENSION}, every=every).unwrap()
    spent = time.perf_counter() - began
    return motion.pose("rod.tip")[:, :3, 3], spent
