"""Section 7.4: a rod that was held by 10 N swings for 50 s; tip and energy by all integrators.

Eight cubic control poses, as in the paper; what its Table 5 lost (Young's modulus, viscosity, the
density, its step) is ours: E = 1 MPa, 1000 kg/m³, no viscosity, no gravity.
"""

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.linalg import eigh

import flexura as fx
from benchmarks.progress import track
from benchmarks.table import NONE, Claim, Table
from flexura.model.assemble import Assembly
from flexura.model.motion.flow import tracks_of
from flexura.solve.motion.start import flow_at_rest
from flexura.solve.motion.workspace import Workspace

LENGTH, FORCE, DURATION = 1.0, 10.0, 50.0
SILICONE = fx.Material(young=1e6, poisson=0.45, density=1000.0)
RODS = fx.Spline(3, 5)  # eight control poses
KEPT = 0.05  # [s], between the instants that are kept, about


def run(quick: bool = False) -> Table:
    """Let the rod go, by all integrators.

    Args:
        quick: only 1 s of it.
    """
    model = fx.build(rod(), rods=RODS)
    held = fx.statics(model, {"tip": (0, 0, 0, 0, 0, FORCE)}).unwrap()
    fastest = highest_frequency(held)
    duration = 1.0 if quick else DURATION
    cases: list[tuple[Any, float]] = [
        (fx.SymplecticEuler(), 0.9 * 2.0 / fastest),
        (fx.Variational(), 0.005),
        (fx.GeneralizedAlpha(1.0), 0.01),
        (fx.GeneralizedAlpha(0.9), 0.01),
        (fx.ImplicitEuler(), 0.01),
    ]
    rows, found = [], {}
    for integrator, h in track(cases[2:] if quick else cases, "energy"):
        began = time.perf_counter()
        motion = swing(model, held, integrator, h, duration)
        spent = time.perf_counter() - began
        energy = motion.energy / motion.energy[0]
        z = motion.pose("rod.tip")[:, 2, 3]
        last = motion.t >= motion.t[-1] - 2.0
        found[repr(integrator), h] = {"t": motion.t, "z": z, "energy": energy, "time": spent}
        rows.append(
            [
                repr(integrator),
                f"{1e3 * h:.3g}",
                _ended(motion),
                f"{np.abs(z[last]).max() / np.abs(z[0]):.4f}",
                f"{energy.max() - 1.0:+.1e}",
                f"{energy.min() - 1.0:+.1e}",
                f"{energy[-1] - 1.0:+.1e}",
                f"{spent:.1f}",
            ]
        )
    tried = {
        (repr(integrator), h): _survives(model, held, integrator, h)
        for integrator, h in _attempts(2.0 / fastest)[: 2 if quick else None]
    }
    return Table(
        title=f"section 7.4, a rod released from {FORCE:g} N swings for {duration:g} s",
        header=(
            "integrator", "step [ms]", "ended", "amplitude at the end", "energy, highest",
            "energy, lowest", "energy, end", "time [s]",
        ),
        rows=rows,
        notes=[
            "Amplitude: over that of the beginning, in the last 2 s. Energy: relative to the "
            "beginning.",
            f"The highest frequency of the discrete rod is {fastest:.0f} rad/s: symplectic Euler "
            f"takes steps of at most 2/ω = {2e3 / fastest:.3f} ms, and is run at 0.9 of that.",
            "Range of the energy in 1 s by other steps: "
            + "; ".join(f"{name}, {1e3 * h:.3g} ms: {e}" for (name, h), e in tried.items()),
        ],
        data={"found": found, "tried": tried, "fastest": fastest, "held": held},
    )  # fmt: skip


def claims(table: Table) -> Iterator[Claim]:
    """The energy at the end, by integrator."""
    theirs = {"SymplecticEuler": "kept", "ImplicitEuler": "lost"}
    for row in table.named:
        what = f"7.4 energy after the swing, {row['integrator']}, steps of {row['step [ms]']} ms"
        paper = theirs.get(row["integrator"].partition("(")[0], NONE)
        yield Claim(what, paper, "0", f"{row['energy, end']} relative")


def _attempts(limit: float) -> list[tuple[Any, float]]:
    """Integrators and steps on both sides of what they can take; limit is that of the explicit."""
    explicit = [(fx.SymplecticEuler(), part * limit) for part in (0.99, 1.05)]
    return [*explicit, (fx.Variational(), 0.01), (fx.GeneralizedAlpha(0.9), 0.05)]


def _survives(model: fx.Model, held: fx.StaticResult, integrator: Any, h: float) -> str:
    """How far the energy moves in 1 s, or how the motion ended."""
    try:
        motion = swing(model, held, integrator, h, 1.0)
    except fx.ModelError:
        return "refused"
    if not motion.converged:
        return _ended(motion)
    cut = f", {len(motion.cuts)} steps cut" if motion.cuts else ""
    return f"{np.ptp(motion.energy) / motion.energy[0]:.1e}{cut}"


def _ended(motion: fx.Motion) -> str:
    """How a motion ended, and when if it was not followed to its end."""
    word = motion.status.name.lower()
    return word if motion.converged else f"{word} at {motion.t[-1]:.2f} s"


def rod() -> fx.Robot:
    """The rod of Table 5, clamped at its thick end, with a force at its tip."""
    section = fx.Taper(fx.Circle(0.05), fx.Circle(0.03))
    return fx.Robot(
        "rod of Table 5",
        rods=[fx.Rod("rod", LENGTH, section, SILICONE)],
        joints=[fx.Weld("world", "rod.base")],
        loads=[fx.PointLoad("tip", at="rod.tip")],
    )


def swing(
    model: fx.Model, held: fx.StaticResult, integrator: Any, h: float, duration: float
) -> fx.Motion:
    """The motion without the force, in steps of h [s]."""
    return fx.simulate(
        model, duration, h, {"tip": np.zeros(6)}, start=held, integrator=integrator,
        every=max(1, round(KEPT / h)),
    )  # fmt: skip


def highest_frequency(result: fx.StaticResult) -> float:
    """Of the rod, linear about a state [rad/s]."""
    tracks = tracks_of(result.model)
    space = Workspace(tracks, result.given)
    flow = flow_at_rest(tracks, result.state, result.given)
    mass, _ = space.matrix(flow, result.given)
    structure, layout = result.model.layout.structure, result.model.layout
    assembly = Assembly(result.model)
    assembly.evaluate(result.state, result.given)
    K, M = structure.dense(assembly.values), structure.dense(mass)
    inside = space.inside
    K, M = (np.tril(a) + np.tril(a, -1).T for a in (K, M))
    if inside.any():  # forces of stretch and shear follow from the poses
        C = K[np.ix_(inside, inside)]
        B = K[np.ix_(inside, ~inside)]
        K = K[np.ix_(~inside, ~inside)] - B.T @ np.linalg.solve(C, B)
        M = M[np.ix_(~inside, ~inside)]
    assert not layout.multiplier[~inside].any()
    return float(np.sqrt(eigh(K, M, eigvals_only=True)[-1]))


def figure(table: Table) -> Any:
    """Tip and energy over time, as figures 17 and 18 of the paper."""
    from matplotlib.figure import Figure

    drawing = Figure(figsize=(11.0, 3.6))
    left, right = drawing.subplots(1, 2)
    for (name, h), found in table.data["found"].items():
        label = f"{name}, {1e3 * h:.2g} ms"
        left.plot(found["t"], found["z"], lw=0.5, label=label)
        right.plot(found["t"], found["energy"], lw=0.9, label=label)
    left.set(xlabel="t [s]", ylabel="z of the tip [m]")
    right.set(xlabel="t [s]", ylabel="energy, relative", ylim=(-0.05, 1.15))
    right.legend(fontsize=7)
    for axes in (left, right):
        axes.grid(alpha=0.3)
    drawing.tight_layout()
    return drawing
