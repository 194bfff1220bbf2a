"""How fast a viscous cantilever comes to rest, against the Kelvin-Voigt beam.

Bending stress is E I κ + 3 η I κ̇, so each mode of an Euler-Bernoulli beam obeys
q̈ + (3η/E) ω² q̇ + ω² q = 0: with βL = 1.8751 for the first one,

    ω = β² √(EI/ρA),    ζ = 3 η ω / 2E,    damped at ω √(1 - ζ²).
"""

from dataclasses import replace

import numpy as np
from scipy.optimize import least_squares

import flexura as fx
from benchmarks.progress import track
from benchmarks.table import Table

LENGTH, RADIUS = 1.0, 2e-3
RUBBER = fx.Material(young=1e8, poisson=0.5, density=1000.0)
BETA = 1.8751040687119611 / LENGTH
RATIOS = (0.01, 0.02, 0.05)
STEP_PARTS = 100  # steps in a period
# The second mode is 6.27 times as fast, and damped 39 times as quickly: gone within one period at
# the least of these ratios, exp(-2π 0.01 39) = 0.08, of an amplitude of 2 %.
FITTED = (2.0, 6.0)  # periods that are fitted


def run(quick: bool = False) -> Table:
    """Release a cantilever from a small force and fit a decaying cosine to its tip.

    Args:
        quick: only one damping ratio.
    """
    omega = BETA**2 * np.sqrt(RUBBER.young * RADIUS**2 / (4.0 * RUBBER.density))
    rows, found = [], {}
    for ratio in track(RATIOS[1:2] if quick else RATIOS, "decay"):
        viscosity = 2.0 * ratio * RUBBER.young / (3.0 * omega)
        motion = release(viscosity, 2.0 * np.pi / omega)
        zeta, frequency = fit(motion, omega, ratio)
        spent = motion.dissipated[-1] + motion.energy[-1] - motion.energy[0]
        found[ratio] = (zeta, frequency / omega, spent / motion.energy[0])
        rows.append(
            [
                f"{ratio:g}",
                f"{viscosity:.4g}",
                f"{zeta:.6f}",
                f"{zeta / ratio - 1.0:+.1e}",
                f"{frequency / omega / np.sqrt(1.0 - ratio**2) - 1.0:+.1e}",
                f"{spent / motion.energy[0]:+.1e}",
            ]
        )
    return Table(
        title="viscous cantilever released from a small force, against the Kelvin-Voigt beam",
        header=(
            "ζ, closed form", "viscosity [Pa s]", "ζ, fitted", "off", "frequency, off",
            "energy not accounted for",
        ),
        rows=rows,
        notes=[
            f"VariableStrain(4 bending functions), {STEP_PARTS} steps in a period, "
            "GeneralizedAlpha(1). The step lengthens the period by (ωh)²/12 = 3e-4 of it.",
        ],
        data=found,
    )  # fmt: skip


def release(viscosity: float, period: float) -> fx.Motion:
    """A cantilever without gravity that was held by a small force at its tip."""
    material = replace(RUBBER, viscosity=viscosity)
    rod = fx.Rod("beam", LENGTH, fx.Circle(RADIUS), material)
    robot = fx.Robot(
        "beam",
        rods=[rod],
        joints=[fx.Weld("world", "beam.base")],
        loads=[fx.PointLoad("tip", at="beam.tip")],
    )
    model = fx.build(robot, rods=fx.VariableStrain((0, 4, 0, 0, 0, 0)))
    stiffness = RUBBER.young * np.pi * RADIUS**4 / 4.0
    small = 1e-3 * 3.0 * stiffness / LENGTH**2  # moves the tip by a thousandth of the length
    held = fx.statics(model, {"tip": (0, 0, 0, 0, 0, small)}).unwrap()
    free = {"tip": np.zeros(6)}
    return fx.simulate(
        model, FITTED[1] * period, period / STEP_PARTS, free, start=held,
        integrator=fx.GeneralizedAlpha(1.0),
    ).unwrap()  # fmt: skip


def fit(motion: fx.Motion, omega: float, ratio: float) -> tuple[float, float]:
    """Damping ratio and damped angular frequency [1/s] of the tip."""
    period = 2.0 * np.pi / omega
    chosen = motion.t >= FITTED[0] * period
    t, z = motion.t[chosen], motion.pose("beam.tip")[chosen, 2, 3]
    z = z / np.abs(z).max()

    def miss(x: np.ndarray) -> np.ndarray:
        decay = np.exp(-x[0] * (t - t[0]))
        return np.asarray(decay * (x[2] * np.cos(x[1] * t) + x[3] * np.sin(x[1] * t)) - z)

    start = [ratio * omega, omega, 1.0, 0.0]
    rate, damped, *_ = least_squares(miss, start, x_scale=np.abs(start) + 1.0, xtol=1e-14).x
    return float(rate / np.hypot(rate, damped)), float(damped)
