"""A free rod that spins and vibrates: what is conserved, step by step, by all integrators."""

import time
from dataclasses import replace
from typing import Any

import numpy as np

import flexura as fx
from benchmarks.dynamics.cases import moving_rod
from benchmarks.progress import track
from benchmarks.table import Table

# A soft rod, so that a modest step resolves its fastest waves.
STIFFNESS = {"stretch": 100.0, "shear": 100.0, "torsion": 2.0, "bending": 2.0}
INERTIA = (0.2, 0.1, 0.1)
RODS = fx.LinearStrain(2)
STEP = 0.01
INTEGRATORS = (
    fx.Variational(),
    fx.SymplecticEuler(),
    fx.GeneralizedAlpha(1.0),
    fx.GeneralizedAlpha(0.9),
    fx.ImplicitEuler(),
)
STEPS = 10_000
# Rounding of positions over the step, 1e-16 / 0.01, is an error of the velocity in each step; a
# walk of 1e4 steps of that is 1e-12. It grows with the distance from the world's origin, so the rod
# begins there and hardly travels.
KEPT = 1e-12
PLACE = np.eye(4)
PLACE[0, 3] = -0.5


def run(quick: bool = False) -> Table:
    """Let the rod fly.

    Args:
        quick: 300 steps instead of 10000.
    """
    rows, found = [], {}
    for integrator in track(INTEGRATORS, "free rod"):
        began = time.perf_counter()
        motion = fly(300 if quick else STEPS, integrator)
        spent = (time.perf_counter() - began) / (300 if quick else STEPS)
        momentum, energy = momentum_of_velocities(motion), motion.energy
        change = np.abs(momentum - momentum[0]).max(axis=0)
        entry = {
            "momentum": float(change[3:].max()),
            "angular": float(change[:3].max()),
            "range": float(np.ptp(energy) / energy[0]),
            "drift": drift(motion.t, energy) / energy[0],
        }
        found[repr(integrator)] = entry
        rows.append([repr(integrator), *(f"{x:.1e}" for x in entry.values()), f"{1e3 * spent:.1f}"])
    return Table(
        title=f"free rod, {300 if quick else STEPS} steps of {STEP:g} s",
        header=(
            "integrator", "momentum [N s]", "angular momentum [N m s]", "energy, range",
            "energy, drift [1/s]", "time of a step [ms]",
        ),
        rows=rows,
        notes=[
            "Largest changes from the beginning, of momenta of velocities, not of those that steps "
            "carry along; angular momentum about the world's origin. Energy relative to that of "
            "the beginning; drift: slope of a straight line through it."
        ],
        data=found,
    )  # fmt: skip


def fly(steps: int, integrator: Any, every: int = 10) -> fx.Motion:
    """A motion of the rod, thrown with a spin and bent by it."""
    rod = moving_rod("rod", 1.0, STIFFNESS, 1.0, INERTIA)
    model = fx.build(fx.Robot("free rod", rods=[rod]), rods=RODS)

    def velocity(s: float) -> tuple[float, ...]:
        wave = np.cos(np.pi * s)
        return (0.3 * wave, 0.2, 1.0, 0.01, s - 0.5, 0.3 * wave)

    return fx.simulate(
        model, steps * STEP, STEP, velocity={"rod": velocity}, place={"rod": PLACE},
        integrator=integrator, every=every,
    ).unwrap()  # fmt: skip


def momentum_of_velocities(motion: fx.Motion) -> np.ndarray:
    """Angular momentum about the origin, and momentum; not what integrators carry along, (n, 6)."""
    return np.array(
        [i.tracks.momentum(replace(i.flow, momentum=None), i.given) for i in motion.results]
    )


def drift(t: np.ndarray, energy: np.ndarray) -> float:
    """Slope of the straight line nearest to the energy [W]."""
    return float(np.polyfit(t - t.mean(), energy - energy.mean(), 1)[0])
