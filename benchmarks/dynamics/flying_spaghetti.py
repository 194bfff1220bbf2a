"""A free rod, thrown by a force and a torque at its lower end: in the plane and in space."""

from typing import Any

import numpy as np

import flexura as fx
from benchmarks.dynamics.cases import frame_along, moving_rod, name_of, reference, slopes
from benchmarks.progress import track
from benchmarks.table import Table
from flexura.lie import se3
from flexura.rods.discretization import Discretization

DATA = reference("flying_spaghetti")
THROWN = 2.5  # [s], when the load is gone in the plane, and highest in space
STEPS = (0.1, 0.05, 0.025, 0.0125)
ENDS = {"plane": 5.0, "space": 6.0}  # [s]
TITLES = {"plane": "in the plane", "space": "in space, seen along z"}
DEFAULT = fx.Spline(3, 20)
OTHERS: tuple[Discretization, ...] = (
    fx.LinearStrain(24),
    fx.VariableStrain((8, 16, 16, 8, 8, 8)),
    fx.Hermite(16),
)


def run(quick: bool = False) -> Table:
    """Throw the rod by several steps, integrators and descriptions.

    Args:
        quick: only splines, and only two steps of generalised-alpha.
    """
    steps = STEPS[1:3] if quick else STEPS
    alpha = fx.GeneralizedAlpha(1.0)
    cases: list[tuple[str, Discretization, Any, float]] = [
        (case, DEFAULT, alpha, h) for case in ENDS for h in reversed(steps)
    ]
    if not quick:
        cases += [(case, DEFAULT, fx.Variational(), h) for case in ENDS for h in STEPS[1:]]
        cases += [(case, rods, alpha, STEPS[-1]) for case in ENDS for rods in OTHERS]
    rows, found = [], {}
    for case, rods, integrator, h in track(cases, "spaghetti"):
        motion = throw(case, rods, integrator, h)
        off = missed_impulse(motion, case)
        energy = motion.energy[motion.t > (THROWN if case == "plane" else 2.0 * THROWN)]
        entry = {
            "motion": motion,
            "angular": float(np.abs(off[:3]).max()),
            "linear": float(np.abs(off[3:]).max()),
            "shape": shape_error(motion, found, case),
            "energy": float(np.ptp(energy) / energy.mean()),
        }
        found[case, name_of(rods), type(integrator).__name__, h] = entry
        rows.append(
            [
                case,
                name_of(rods),
                type(integrator).__name__,
                f"{h:g}",
                *(_shown(entry[key]) for key in ("linear", "angular", "shape", "energy")),
                f"{motion.iterations[1:].mean():.1f}",
            ]
        )
    orders = {
        case: slopes(
            steps, [found[case, name_of(DEFAULT), "GeneralizedAlpha", h]["angular"] for h in steps]
        )
        for case in ENDS
    }
    return Table(
        title="flying spaghetti",
        header=(
            "case", "rods", "integrator", "step [s]", "momentum", "angular momentum", "shape",
            "energy, range", "iterations",
        ),
        rows=rows,
        notes=[
            "Momentum [N s] and angular momentum about the origin [N m s]: what the end has "
            "other than the impulse of the load. Shape [m], of a rod of 10 m: root "
            "mean square distance, at 11 places and 21 times, to the independent reference in the "
            "plane (known to 2e-3), to the finest motion of the default in space. "
            "Energy: range once the load is gone, relative.",
            "Order of the angular momentum by generalised-alpha: "
            + ", ".join(f"{case} {order:.2f}" for case, order in orders.items()),
        ],
        data={"found": found, "orders": orders},
    )  # fmt: skip


def _shown(value: float) -> str:
    return "-" if np.isnan(value) else f"{value:.1e}"


def throw(case: str, rods: Discretization, integrator: Any, h: float) -> fx.Motion:
    """The motion in steps of h [s]."""
    rod = moving_rod(
        "rod", DATA["length"], DATA[case]["stiffness"], DATA["line_mass"], DATA["line_inertia"]
    )
    robot = fx.Robot("spaghetti", rods=[rod], loads=[fx.PointLoad("end", at="rod.base")])
    return fx.simulate(
        fx.build(robot, rods=rods), ENDS[case], h, {"end": lambda t: load(case, t)},
        place={"rod": frame_along(DATA["direction"], DATA["base"])}, integrator=integrator,
    ).unwrap()  # fmt: skip


def load(case: str, t: float) -> np.ndarray:
    """The wrench at the lower end, moment first, at a time [s].

    Where it jumps it has the mean of both sides, so that the trapezoidal rule has its impulse.
    """
    part = max(0.0, 1.0 - abs(t / THROWN - 1.0))
    if case == "plane":
        part = 1.0 if t < THROWN - 1e-9 else (0.5 if t < THROWN + 1e-9 else 0.0)
    return part * np.concatenate([DATA[case]["moment"], DATA[case]["force"]])


def missed_impulse(motion: fx.Motion, case: str) -> np.ndarray:
    """Momentum at the end without the impulse of the load on its path, (6,).

    The impulse of a step is that in its middle, where the base is halfway along its screw: that is
    what ``Variational`` takes, and of second order for all others.
    """
    base, total = motion.pose("rod.base"), np.zeros(6)
    twists = se3.log(se3.inverse(base[:-1]) @ base[1:])
    middle = (base[:-1] @ se3.exp(0.5 * twists))[:, :3, 3]
    for begin, end, place in zip(motion.t[:-1], motion.t[1:], middle, strict=True):
        wrench = load(case, 0.5 * (begin + end))
        wrench[:3] += np.cross(place, wrench[3:])
        total += (end - begin) * wrench
    return np.asarray(motion.momentum[-1] - total)


def shape_error(motion: fx.Motion, found: dict[Any, Any], case: str) -> float:
    """Root mean square distance to the reference over its places and times [m]."""
    data = reference("flying_spaghetti_plane")
    places = np.linspace(0.0, DATA["length"], len(data["positions"][0]))
    at = np.searchsorted(motion.t, np.array(data["t"]) - 1e-9)
    own = motion.pose("rod", places)[at][:, :, :3, 3]
    if case == "plane":
        return rms(own[:, :, :2] - np.array(data["positions"]))
    finest = found.get((case, name_of(DEFAULT), "GeneralizedAlpha", STEPS[-1]))
    if finest is None:
        return float("nan")
    at = np.searchsorted(finest["motion"].t, np.array(data["t"]) - 1e-9)
    best = finest["motion"].pose("rod", places)[at][:, :, :3, 3]
    return rms(own - best)


def rms(off: np.ndarray) -> float:
    """Root mean square of the lengths of vectors, (..., n)."""
    return float(np.sqrt(np.mean(np.sum(off**2, axis=-1))))


def figure(table: Table) -> Any:
    """Shapes of the rod over time, in the plane and in space."""
    from matplotlib.figure import Figure

    drawing = Figure(figsize=(9.0, 3.6))
    s = np.linspace(0.0, DATA["length"], 41)
    for column, case in enumerate(ENDS, 1):
        axes = drawing.add_subplot(1, 2, column)
        (*_, entry) = (e for key, e in table.data["found"].items() if key[0] == case)
        motion = entry["motion"]
        for t in np.arange(0.0, ENDS[case] + 0.1, 0.5):
            shape = motion[int(np.searchsorted(motion.t, t - 1e-9))].pose("rod", s)[:, :3, 3]
            axes.plot(shape[:, 0], shape[:, 1], color="C0", lw=0.8)
        axes.set(
            aspect="equal", xlabel="x [m]", ylabel="y [m]", title=f"{TITLES[case]}, each 0.5 s"
        )
        axes.grid(alpha=0.3)
    drawing.tight_layout()
    return drawing
