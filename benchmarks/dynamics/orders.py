"""Orders of the integrators in the step, and of the descriptions in their elements.

A soft cantilever, bent by a force that comes and goes smoothly: its waves are slow enough for all
integrators. Errors in time are those of the tip and its velocity to the same rods by much shorter
steps, extrapolated; from rest, positions of symplectic Euler alone are of second order, as they are
those of the leapfrog. Errors in space are those of the tip to a much finer spline by the same step.
"""

from typing import Any

import numpy as np

import flexura as fx
from benchmarks.dynamics.cases import moving_rod, name_of, slopes
from benchmarks.progress import track
from benchmarks.table import Table
from flexura.rods.discretization import Discretization

STIFFNESS = {"stretch": 100.0, "shear": 100.0, "torsion": 2.0, "bending": 2.0}
INERTIA = (0.02, 0.01, 0.01)
END = 1.0  # [s]
STEPS = (0.004, 0.002, 0.001)
ORDER = {"GeneralizedAlpha": 2, "Variational": 2, "SymplecticEuler": 1, "ImplicitEuler": 1}
INTEGRATORS = (
    fx.GeneralizedAlpha(0.9), fx.Variational(), fx.SymplecticEuler(), fx.ImplicitEuler(),
)  # fmt: skip
TIMED = fx.LinearStrain(2)
# The descriptions, from coarse to fine, and the order of their tips in statics.
SPACES: dict[str, tuple[Discretization, ...]] = {
    "Spline": tuple(fx.Spline(3, n) for n in (2, 4, 8)),
    "Hermite": tuple(fx.Hermite(n) for n in (2, 4, 8)),
    "LinearStrain": tuple(fx.LinearStrain(n) for n in (2, 4, 8)),
    "ConstantStrain": tuple(fx.ConstantStrain(n) for n in (4, 8, 16)),
    "VariableStrain": tuple(fx.VariableStrain((n,) * 6) for n in (2, 4, 6)),
    "Power": tuple(fx.Power(n) for n in (3, 5, 7)),
    "RotationInterpolation": (fx.RotationInterpolation(),),
}
# What has an order: the others converge faster than any power of their number of functions.
ALGEBRAIC = ("Spline", "Hermite", "LinearStrain", "ConstantStrain")
SPACE_STEP = 0.01
FINEST = fx.Spline(4, 24)


def run(quick: bool = False) -> Table:
    """Bend the cantilever by all integrators, and by all descriptions.

    Args:
        quick: only two steps, and only splines and linear strain.
    """
    steps = STEPS[:2] if quick else STEPS
    spaces = {name: SPACES[name] for name in (("Spline", "LinearStrain") if quick else SPACES)}
    rows: list[list[str]] = []
    times: dict[str, tuple[list[float], float]] = {}
    coarse, fine = (bend(TIMED, h, fx.GeneralizedAlpha(1.0)) for h in (2.5e-4, 1.25e-4))
    exact = (4.0 * fine - coarse) / 3.0
    for integrator in track(INTEGRATORS, "time"):
        name = type(integrator).__name__
        errors = [float(np.linalg.norm(bend(TIMED, h, integrator) - exact)) for h in steps]
        times[name] = (errors, slopes(steps, errors))
        rows.append(_row(name, [f"{h:g} s" for h in steps], errors, times[name][1]))
    exact = bend(FINEST, SPACE_STEP)[:3]
    meets: dict[str, tuple[list[float], float]] = {}
    for name, choices in track(list(spaces.items()), "space"):
        errors = [float(np.linalg.norm(bend(rods, SPACE_STEP)[:3] - exact)) for rods in choices]
        sizes = [0.5**i for i in range(len(errors))]
        order = slopes(sizes, errors) if name in ALGEBRAIC else np.nan
        meets[name] = (errors, order)
        rows.append(_row(name, [name_of(rods).partition("(")[2][:-1] for rods in choices], errors, order))
    return Table(
        title="orders of a bent cantilever, error of its tip after 1 s",
        header=("integrator or description", "of", "errors", "order"),
        rows=rows,
        notes=[f"The rod is 1 m long, its tip moves by {float(np.linalg.norm(exact - [1, 0, 0])):.2f} m."],
        data={"time": times, "space": meets},
    )


def _row(name: str, sizes: list[str], errors: list[float], order: float) -> list[str]:
    shown = "" if np.isnan(order) else f"{order:.2f}"
    return [name, "; ".join(sizes), ", ".join(f"{error:.1e}" for error in errors), shown]


def bend(rods: Discretization, h: float, integrator: Any = None) -> np.ndarray:
    """Position of the tip in the end, and its velocity, by steps of h [s], (9,)."""
    robot = fx.Robot(
        "cantilever",
        rods=[moving_rod("rod", 1.0, STIFFNESS, 1.0, INERTIA)],
        joints=[fx.Weld("world", "rod.base")],
        loads=[fx.PointLoad("tip", at="rod.tip")],
    )

    def force(t: float) -> tuple[float, ...]:
        push = np.sin(np.pi * min(t, END)) ** 2
        return (0.0, 0.0, 0.0, 0.0, 2.0 * push, 1.0 * push)

    model = fx.build(robot, rods=rods)
    motion = fx.simulate(
        model, END, h, {"tip": force}, integrator=integrator, every=round(END / h)
    ).unwrap()
    last = motion[-1]
    return np.concatenate([last.pose("rod.tip")[:3, 3], last.velocity("rod.tip")])
