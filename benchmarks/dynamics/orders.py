"""Orders of the integrators in the step, and of the descriptions in their elements.

A soft cantilever, whose waves are slow enough for all integrators. A force bends it
that comes and goes smoothly. In time, all go on from one instant of that motion, and are compared
with the same rods by much shorter steps, extrapolated. (What begins without acceleration would not
tell symplectic Euler from the leapfrog, which is of second order.) In space it is compared with a
much finer spline.
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
END, BEGIN = 1.0, 0.4  # [s]
FINE = 5e-4  # [s], the shortest step
STEPS = (0.004, 0.002, 0.001)
ORDER = {"GeneralizedAlpha": 2, "Variational": 2, "SymplecticEuler": 1, "ImplicitEuler": 1}
INTEGRATORS = (
    fx.GeneralizedAlpha(0.9), fx.Variational(), fx.SymplecticEuler(), fx.ImplicitEuler(),
)  # fmt: skip
TIMED = fx.LinearStrain(2)
# The descriptions, from coarse to fine.
SPACES: dict[str, tuple[Discretization, ...]] = {
    "Spline": tuple(fx.Spline(3, n) for n in (2, 4, 8)),
    "Hermite": tuple(fx.Hermite(n) for n in (2, 4, 8)),
    "LinearStrain": tuple(fx.LinearStrain(n) for n in (2, 4, 8)),
    "ConstantStrain": tuple(fx.ConstantStrain(n) for n in (4, 8, 16)),
    "VariableStrain": tuple(fx.VariableStrain((n,) * 6) for n in (2, 4, 6)),
    "Power": tuple(fx.Power(3, n) for n in (1, 2, 4)),
    "RotationInterpolation": tuple(fx.RotationInterpolation(n) for n in (2, 4, 8)),
}
# What has an order: more functions converge faster than any power.
ALGEBRAIC = (
    "Spline",
    "Hermite",
    "LinearStrain",
    "ConstantStrain",
    "Power",
    "RotationInterpolation",
)
SPACE_STEP = 0.01
FINEST = fx.Spline(4, 24)
# What rods that neither stretch nor shear are compared with.
UNSTRETCHED = fx.VariableStrain((8, 10, 10, 0, 0, 0), steps=64)


def run(quick: bool = False) -> Table:
    """Bend the cantilever by all integrators, and by all descriptions.

    Args:
        quick: only two steps and a reference by longer ones, and only splines and linear strain.
    """
    steps = STEPS[:2] if quick else STEPS
    spaces = {name: SPACES[name] for name in (("Spline", "LinearStrain") if quick else SPACES)}
    rows: list[list[str]] = []
    times: dict[str, tuple[list[float], float]] = {}
    short = 2.0 * FINE if quick else FINE
    begin = fx.simulate(cantilever(TIMED), BEGIN, short, {"tip": force}).unwrap()[-1]
    coarse, fine = (go_on(begin, h, fx.GeneralizedAlpha(0.9)) for h in (2.0 * short, short))
    exact = (4.0 * fine - coarse) / 3.0
    for integrator in track(INTEGRATORS, "time"):
        name = type(integrator).__name__
        errors = [float(np.linalg.norm(go_on(begin, h, integrator) - exact)) for h in steps]
        times[name] = (errors, slopes(steps, errors))
        rows.append(_row(name, [f"{h:g} s" for h in steps], errors, times[name][1]))
    exact = bend(FINEST, SPACE_STEP)
    meets: dict[str, tuple[list[float], float]] = {}
    for name, choices in track(list(spaces.items()), "space"):
        true = bend(UNSTRETCHED, SPACE_STEP) if name == "RotationInterpolation" else exact
        errors = [float(np.linalg.norm(bend(rods, SPACE_STEP) - true)) for rods in choices]
        sizes = [0.5**i for i in range(len(errors))]
        order = slopes(sizes, errors) if name in ALGEBRAIC else np.nan
        meets[name] = (errors, order)
        rows.append(
            _row(
                name,
                [name_of(rods).removeprefix(name).strip("(), ") for rods in choices],
                errors,
                order,
            )
        )
    return Table(
        title="orders of a bent cantilever, error of its tip after 1 s",
        header=("integrator or description", "of", "errors", "order"),
        rows=rows,
        notes=[
            "Distances [m]; the rod is 1 m long and moves by about a third of it. Rotation "
            "interpolation is compared with variable strain that neither stretches nor shears."
        ],
        data={"time": times, "space": meets},
    )


def _row(name: str, sizes: list[str], errors: list[float], order: float) -> list[str]:
    shown = "" if np.isnan(order) else f"{order:.2f}"
    return [name, "; ".join(sizes), ", ".join(f"{error:.1e}" for error in errors), shown]


def bend(rods: Discretization, h: float, integrator: Any = None) -> np.ndarray:
    """Where the tip is in the end, by steps of h [s]."""
    model = cantilever(rods)
    return _end(fx.simulate(model, END, h, {"tip": force}, integrator=integrator))


def cantilever(rods: Discretization) -> fx.Model:
    """A clamped rod with a force at its tip."""
    robot = fx.Robot(
        "cantilever",
        rods=[moving_rod("rod", 1.0, STIFFNESS, 1.0, INERTIA)],
        joints=[fx.Weld("world", "rod.base")],
        loads=[fx.PointLoad("tip", at="rod.tip")],
    )
    return fx.build(robot, rods=rods)


def force(t: float) -> tuple[float, ...]:
    """The wrench at the tip: a force that comes and goes smoothly."""
    push = np.sin(np.pi * min(t, END)) ** 4
    return (0.0, 0.0, 0.0, 0.0, 2.0 * push, 1.0 * push)


def go_on(begin: fx.Instant, h: float, integrator: Any) -> np.ndarray:
    """Where the tip is in the end, from an instant on by steps of h [s]."""
    rest = {"tip": lambda t: force(t + begin.t)}
    return _end(
        fx.simulate(begin.model, END - begin.t, h, rest, start=begin, integrator=integrator)
    )


def _end(motion: fx.Motion) -> np.ndarray:
    """Position of the tip at the last instant."""
    return np.asarray(motion.unwrap()[-1].pose("rod.tip")[:3, 3])
