"""A right-angle cantilever, pushed out of its plane at the elbow (D14)."""

from collections.abc import Iterator
from typing import Any

import numpy as np

import flexura as fx
from benchmarks.dynamics.cases import moving_rod, name_of, reference, slopes
from benchmarks.progress import track
from benchmarks.table import Claim, Table
from flexura.rods.discretization import Discretization

FILE = "D14_right_angle_cantilever"
STEPS = (0.125, 0.0625, 0.03125, 0.015625, 0.0078125)
RODS: tuple[Discretization, ...] = (
    fx.Spline(3, 6),
    fx.LinearStrain(8),
    fx.VariableStrain((7,) * 6),
    fx.Hermite(4),
)
AFTER = 2.0  # [s], when the load is gone
# Errors of a step are still those of the step, far above that of the reference (2.5e-4).
ASYMPTOTIC = 3


def run(quick: bool = False) -> Table:
    """Follow the frame for 15 s by several steps and descriptions.

    Args:
        quick: only splines, and only the longer steps.
    """
    data = reference(FILE)
    chosen, steps = (RODS[:1], STEPS[:ASYMPTOTIC]) if quick else (RODS, STEPS)
    rows, errors, found = [], {}, {}
    for rods, h in track([(rods, h) for rods in chosen for h in steps], "frame"):
        motion = swing(fx.build(frame(data), rods=rods), h)
        off = {name: deviation(motion, data, name) for name in ("elbow", "tip")}
        energy = motion.energy[motion.t >= AFTER]
        errors[name_of(rods), h] = off["tip"]
        found[name_of(rods), h] = (motion, energy)
        rows.append(
            [
                name_of(rods),
                f"{h:g}",
                f"{off['elbow']:.1e}",
                f"{off['tip']:.1e}",
                f"{energy.mean() - data['energy_after_load']:+.1e}",
                f"{np.ptp(energy):.1e}",
                f"{motion.iterations[1:].mean():.1f}",
            ]
        )
    names = [name_of(rods) for rods in chosen]
    orders = {
        name: slopes(steps[:ASYMPTOTIC], [errors[name, h] for h in steps[:ASYMPTOTIC]])
        for name in names
    }
    return Table(
        title="right-angle cantilever (D14), 15 s, GeneralizedAlpha(0.9)",
        header=(
            "rods, each leg", "step [s]", "elbow", "tip", "energy, mean error", "energy, range",
            "iterations",
        ),
        rows=rows,
        notes=[
            "Largest distances to the reference; the legs are 10 long, the tip moves by 8. Energy "
            f"from t = {AFTER:g} on, reference {data['energy_after_load']:.4f}.",
            "Order of the tip over the longest three steps: "
            + ", ".join(f"{name} {order:.2f}" for name, order in orders.items()),
        ],
        data={"errors": errors, "orders": orders, "motions": found, "reference": data},
    )  # fmt: skip


def claims(table: Table) -> Iterator[Claim]:
    """The tip by the shortest steps."""
    known = max(np.ravel(list(reference(FILE)["mesh_difference"].values())))
    best = f"{min(map(float, table.column('tip'))):.1e} off"
    what = "right-angle cantilever: tip over 15 s, legs of 10"
    yield Claim(what, "a figure", f"spectral elements, known to {known:.1e}", best)


def frame(data: dict[str, Any]) -> fx.Robot:
    """Two legs at a right angle, the first one clamped."""
    legs = [
        moving_rod(name, data["leg"], data["stiffness"], data["line_mass"], data["line_inertia"])
        for name in ("first", "second")
    ]
    corner = np.eye(4)
    corner[:2, :2] = [[0.0, -1.0], [1.0, 0.0]]
    return fx.Robot(
        "right-angle cantilever",
        rods=legs,
        joints=[
            fx.Weld("world", "first.base"),
            fx.Weld("first.tip", "second.base", offset=corner),
        ],
        loads=[fx.PointLoad("push", at="first.tip")],
    )


def push(t: float) -> tuple[float, ...]:
    """The wrench at the elbow: a force that grows for 1 s and falls for another [s]."""
    return (0.0, 0.0, 0.0, 0.0, 0.0, 50.0 * max(0.0, 1.0 - abs(t - 1.0)))


def swing(model: fx.Model, h: float, integrator: Any = None) -> fx.Motion:
    """The motion of the frame in steps of h [s], over the time of the reference."""
    return fx.simulate(model, 15.0, h, {"push": push}, integrator=integrator).unwrap()


def deviation(motion: fx.Motion, data: dict[str, Any], name: str) -> float:
    """Largest distance from the reference, of the elbow or the tip."""
    place, origin = {
        "elbow": ("first.tip", (data["leg"], 0.0, 0.0)),
        "tip": ("second.tip", (data["leg"], data["leg"], 0.0)),
    }[name]
    at = np.searchsorted(motion.t, np.array(data["t"]) - 1e-9)
    moved = motion.pose(place)[at, :3, 3] - origin
    return float(np.linalg.norm(moved - np.array(data[name]), axis=1).max())


def figure(table: Table) -> Any:
    """Displacements out of the plane, and the energy."""
    from matplotlib.figure import Figure

    data = table.data["reference"]
    (motion, _), *_ = (m for (_, h), m in table.data["motions"].items() if h == STEPS[1])
    drawing = Figure(figsize=(9.0, 3.4))
    left, right = drawing.subplots(1, 2)
    for place, name in (("first.tip", "elbow"), ("second.tip", "tip")):
        left.plot(motion.t, motion.pose(place)[:, 2, 3], label=f"{name}, step {STEPS[1]:g} s")
        left.plot(data["t"], np.array(data[name])[:, 2], "k.", ms=3)
    left.set(xlabel="t [s]", title="out of the plane; dots: reference")
    left.legend(fontsize=8)
    for kind in ("kinetic", "elastic", "energy"):
        right.plot(motion.t, getattr(motion, kind), label=kind)
    right.axhline(data["energy_after_load"], color="k", lw=0.6, ls=":")
    right.set(xlabel="t [s]", title="energy; dotted: reference")
    right.legend(fontsize=8)
    for axes in (left, right):
        axes.grid(alpha=0.3)
    drawing.tight_layout()
    return drawing
