"""Spin-up manoeuvre: a beam whose base is turned faster and faster, then evenly."""

from collections.abc import Iterator
from typing import Any

import numpy as np

import flexura as fx
from benchmarks.dynamics.cases import moving_rod, reference
from benchmarks.progress import track
from benchmarks.table import Claim, Table

DATA = reference("spin_up")
LENGTH, RATE, DURATION = DATA["length"], DATA["rate"], DATA["duration"]
STEPS = (0.05, 0.025, 0.0125)
END = 20.0  # [s]
STEADY = 15.0  # [s]; from then on the base turns evenly


def run(quick: bool = False) -> Table:
    """Turn the beam by several steps.

    Args:
        quick: only the longest step.
    """
    rows, found = [], {}
    for h in track(STEPS[:1] if quick else STEPS, "spin-up"):
        motion = spin(h)
        along, across = tip(motion)
        late = motion.t >= STEADY
        stretch = stretches(motion, late)
        found[h] = {"motion": motion, "across": across, "stretch": stretch}
        lowest = int(across.argmin())
        rows.append(
            [
                f"{h:g}",
                f"{across[lowest]:.4f} at {motion.t[lowest]:.2f} s",
                f"{along.min():.5f}",
                f"{stretch.mean():.4e}",
                f"{stretch.mean() / extension() - 1.0:+.1e}",
                f"{np.ptp(across[late]):.1e}",
                f"{motion.iterations[1:].mean():.1f}",
            ]
        )
    published = DATA["published"]["steady extension of the tip"]
    return Table(
        title="spin-up manoeuvre, Spline(3, 6), GeneralizedAlpha(0.9)",
        header=(
            "step [s]", "largest lag of the tip [m]", "least along [m]", "steady extension [m]",
            "off closed form", "left to swing [m]", "iterations",
        ),
        rows=rows,
        notes=[
            f"Extension: mean stretch from {STEADY:g} s on. Closed form "
            f"L (tan(kL)/kL - 1), k² = ρA ω²/EA: {extension():.4e} m; published {published:.2e} m.",
        ],
        data=found,
    )  # fmt: skip


def claims(table: Table) -> Iterator[Claim]:
    """The stretch at full speed."""
    published, ours = DATA["published"]["steady extension of the tip"], table.named[-1]
    exact, own = f"{extension():.4e}, closed form", ours["steady extension [m]"]
    yield Claim("spin-up: steady extension [m]", f"{published:.2e}", exact, own)


def angle(t: float) -> float:
    """Of the base [rad]."""
    if t >= DURATION:
        return float(RATE * (t - 0.5 * DURATION))
    turn = 2.0 * np.pi / DURATION
    return float(RATE / DURATION * (0.5 * t * t + (np.cos(turn * t) - 1.0) / turn**2))


def spin(h: float) -> fx.Motion:
    """The motion in steps of h [s]."""
    rod = moving_rod("beam", LENGTH, DATA["stiffness"], DATA["line_mass"], DATA["line_inertia"])
    hub = fx.Hinge("hub", "world", "beam.base", axis=(0.0, 0.0, 1.0), driven=True)
    model = fx.build(fx.Robot("spin-up", rods=[rod], joints=[hub]), rods=fx.Spline(3, 6))
    return fx.simulate(model, END, h, {"hub": angle}).unwrap()


def tip(motion: fx.Motion) -> tuple[np.ndarray, np.ndarray]:
    """Displacements of the tip along the beam as if it were rigid, and across [m]."""
    turned = np.array([angle(t) for t in motion.t])
    x, y = motion.pose("beam.tip")[:, :2, 3].T
    along = np.cos(turned) * x + np.sin(turned) * y - LENGTH
    return along, np.cos(turned) * y - np.sin(turned) * x


def stretches(motion: fx.Motion, chosen: np.ndarray) -> np.ndarray:
    """How much longer the beam is than at rest, at chosen instants [m]."""
    points, weights = np.polynomial.legendre.leggauss(12)
    strain = motion[np.flatnonzero(chosen)].strain("beam", 0.5 * LENGTH * (points + 1.0))
    return np.asarray(0.5 * LENGTH * ((strain[:, :, 3] - 1.0) @ weights))


def extension() -> float:
    """Of an elastic bar that turns evenly about one end [m]: EA u'' + ρA ω² (s + u) = 0."""
    k = RATE * np.sqrt(DATA["line_mass"] / DATA["stiffness"]["stretch"])
    return float(np.tan(k * LENGTH) / k - LENGTH)


def figure(table: Table) -> Any:
    """Lag of the tip and stretch over time."""
    from matplotlib.figure import Figure

    h, found = list(table.data.items())[-1]
    drawing = Figure(figsize=(5.5, 3.2))
    axes = drawing.add_subplot()
    axes.plot(found["motion"].t, found["across"])
    axes.set(xlabel="t [s]", ylabel="tip across the beam [m]", title=f"spin-up, step {h:g} s")
    axes.grid(alpha=0.3)
    drawing.tight_layout()
    return drawing
