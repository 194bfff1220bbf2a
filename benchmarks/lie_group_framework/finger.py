"""Section 8.4: a finger of rigid phalanges, with a cable; its joints are strips of drawn shape.

Loads act between the two sides of a joint only, so that each joint has its own equilibrium. It is
integrated here by the plane equations of a rod, as a truth for the models.
"""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise, product
from typing import Any

import numpy as np
from scipy.integrate import simpson, solve_ivp
from scipy.optimize import brentq

import flexura as fx
from benchmarks.progress import track
from benchmarks.table import Claim, Table, largest
from flexura.lie import se3

# Control poses (x, z [mm], angle about y [degrees]) and degree. Both joints end at the same pose.
JOINTS = {
    "I": ([(0, 0, 0), (10, 7, -70), (20, 7, 70), (30, 0, 0)], 2),
    "II": ([(0, 0, 0), (8.4, 3.1, -40), (15, 0, 90), (21.6, -3.1, -40), (30, 0, 0)], 3),
}
RODS = ("proximal joint", "distal joint")
PALM, PHALANX, FINGERTIP, HEIGHT, WIDTH = 0.03, 0.04, 0.03, 0.02, 0.02  # [m]
STRIP = fx.Rectangle(width=WIDTH, height=1e-3)
PLASTIC = fx.Material(young=1e9, poisson=0.35)
LEVER = -0.01  # of the holes, along z [m]
TENSIONS = np.linspace(0.0, 3.3, 12)  # [N]
MODELS = {
    "Spline(3, 32)": fx.Spline(3, 32),
    "LinearStrain(64)": fx.LinearStrain(64),
    "VariableStrain, 23": fx.VariableStrain((0, 9, 0, 7, 0, 7), steps=256),
}


def control_poses(kind: str) -> list[np.ndarray]:
    """What a joint is drawn with."""
    return [
        se3.pose((1e-3 * x, 0.0, 1e-3 * z), (0.0, np.radians(angle), 0.0))
        for x, z, angle in JOINTS[kind][0]
    ]


def rest(kind: str) -> fx.SplineRest:
    """The natural shape of a joint."""
    return fx.rest_from_spline(control_poses(kind), JOINTS[kind][1])


def robot(kinds: tuple[str, str]) -> fx.Robot:
    """The finger, along x, with joints of the given kinds.

    The cable runs straight across the joints and without friction through the phalanx.
    """
    drawn = {name: rest(kind) for name, kind in zip(RODS, kinds, strict=True)}
    sizes = {"palm": PALM, "phalanx": PHALANX, "fingertip": FINGERTIP}
    first, second = RODS
    holes = np.cumsum([0.0, *(r.length for r in drawn.values())])
    return fx.Robot(
        f"finger {'-'.join(kinds)}",
        rods=[fx.Rod(name, r.length, STRIP, PLASTIC, rest=r) for name, r in drawn.items()],
        bodies=[fx.Body(name, shape=fx.Box(x, WIDTH, HEIGHT)) for name, x in sizes.items()],
        joints=[
            fx.Weld("world", "palm", offset=_ahead(-PALM / 2)),
            fx.Weld("palm", f"{first}.base", offset=_ahead(PALM / 2)),
            fx.Weld(f"{first}.tip", "phalanx", offset=_ahead(PHALANX / 2)),
            fx.Weld("phalanx", f"{second}.base", offset=_ahead(PHALANX / 2)),
            fx.Weld(f"{second}.tip", "fingertip", offset=_ahead(FINGERTIP / 2)),
        ],
        tendons=[fx.Tendon("cable", RODS, fx.Discs(holes, 0.0, LEVER))],
    )


def inputs(tension: float) -> dict[str, float]:
    """The tension of the cable [N]."""
    return {"cable": tension}


def pull(kinds: tuple[str, str], model: str, tensions: np.ndarray) -> list[fx.StaticResult]:
    """The finger at the tensions, each from the one before."""
    finger = robot(kinds)
    built = fx.build(finger, rods=MODELS[model])
    results: list[fx.StaticResult] = []
    for tension in tensions:
        start = results[-1] if results else None
        results.append(fx.statics(built, inputs(tension), start=start))
    return results


def fingertip(result: fx.StaticResult) -> np.ndarray:
    """Where the end of the finger is, (x, z) [m]."""
    return result.pose(fx.At("fingertip", offset=_ahead(FINGERTIP / 2)))[[0, 2], 3]


def imbalance(result: fx.StaticResult, tension: float) -> float:
    """How far the turn of the joints is from what the cable's moment makes of it, relative.

    What is beyond a section is pulled by the cable alone, m = (hole - p) x T e, where e points
    along the cable, to the base; a joint, which is not turned at rest, turns by ∫ m / EI ds.
    """
    worst = 0.0
    for name in RODS:
        rod = result.model.robot.rod(name)
        s = np.linspace(0.0, rod.length, 401)
        base, *_, tip = poses = result.pose(name, s)
        near, far = (g[:3, 3] + LEVER * g[:3, 2] for g in (base, tip))
        force = tension * (near - far) / np.linalg.norm(near - far)
        moment = np.cross(far - poses[:, :3, 3], force)[:, 1]
        by_hand = simpson(moment, x=s) / rod.stiffness(0.0)[1]
        turn = np.arctan2(base[:3, 2] @ tip[:3, 0], base[:3, 0] @ tip[:3, 0])
        worst = max(worst, abs(-turn / by_hand - 1.0))
    return float(worst)


# -- truth -----------------------------------------------------------------------------------------


@cache
def joint_truth(kind: str, tension: float) -> np.ndarray:
    """Pose (x, z, angle) of the tip of a joint in its base, by shooting for the cable's direction.

        θ' = κ* + m / EI,     (x', z') = a (cos θ, -sin θ) + b (sin θ, cos θ)

    with the strains a, b of the axis, (a, b) = ν* + n / (EA, GA).
    """
    drawn = rest(kind)
    rod = fx.Rod("joint", drawn.length, STRIP, PLASTIC)
    _, bending, _, stretch, _, shear = rod.stiffness(0.0)
    ends = [0.0, *drawn.knots, drawn.length]

    def tip(angle: float) -> np.ndarray:
        """The tip if the cable leaves the hole at the base in that direction."""
        nx, nz = -tension * np.cos(angle), -tension * np.sin(angle)

        def slope(s: float, y: np.ndarray) -> list[float]:
            x, z, turn = y
            c, d = np.cos(turn), np.sin(turn)
            moment = (LEVER - z) * nx - (0.0 - x) * nz  # about y: r_z n_x - r_x n_z
            strain = drawn(s)
            a = strain[3] + (c * nx - d * nz) / stretch
            b = strain[5] + (d * nx + c * nz) / shear
            return [a * c + b * d, b * c - a * d, strain[1] + moment / bending]

        y = np.zeros(3)
        for begin, end in pairwise(ends):
            y = solve_ivp(slope, (begin, end), y, "DOP853", rtol=1e-11, atol=1e-13).y[:, -1]
        return y

    def miss(angle: float) -> float:
        """How far the hole at the tip is off the line of the cable."""
        x, z, turn = tip(angle)
        hole = x + LEVER * np.sin(turn), z + LEVER * np.cos(turn) - LEVER
        return float(hole[1] * np.cos(angle) - hole[0] * np.sin(angle))

    return tip(brentq(miss, -1.5, 1.0, xtol=1e-14))


def truth(kinds: tuple[str, str], tension: float) -> np.ndarray:
    """Where the end of the finger is, (x, z) [m]."""
    g = np.eye(4)
    for kind, size in zip(kinds, (PHALANX, FINGERTIP), strict=True):
        x, z, angle = joint_truth(kind, tension)
        g = g @ se3.pose((x, 0.0, z), (0.0, angle, 0.0)) @ _ahead(size)
    return g[[0, 2], 3]


# -- report ----------------------------------------------------------------------------------------


def run(quick: bool = False) -> Table:
    """Pull the cable of the four fingers.

    Args:
        quick: leave out all models but the first, and all but four tensions.
    """
    rows, data = [], {}
    models = list(MODELS)[: 1 if quick else None]
    tensions = np.linspace(0.0, TENSIONS[-1], 4) if quick else TENSIONS
    for kinds, model in track(list(product(product(JOINTS, repeat=2), models)), "fingers"):
        results = pull(kinds, model, tensions)
        path = np.array([fingertip(r) for r in results])
        error = float(np.linalg.norm(path[-1] - truth(kinds, TENSIONS[-1])))
        excess = imbalance(results[-1], TENSIONS[-1])
        data[kinds, model] = {"results": results, "path": path, "error": error, "excess": excess}
        way = np.linalg.norm(np.diff(path, axis=0), axis=1).sum()
        rows.append(
            [
                "-".join(kinds), model, *(_millimetres(path[i]) for i in (0, -1)),
                f"{1e3 * way:.1f}", f"{1e3 * error:.0e}", f"{excess:.0e}",
                f"{sum(r.converged for r in results)} of {len(results)}",
                str(max(r.iterations for r in results)),
            ]
        )  # fmt: skip
    return Table(
        title=f"fingertip of four fingers, cable pulled from 0 to {TENSIONS[-1]} N",
        header=(
            "joints", "model", "0 N [mm]", "3.3 N [mm]", "path [mm]", "error [mm]",
            "balance", "converged", "iterations",
        ),
        rows=rows,
        notes=[
            "Error: of the fingertip at 3.3 N, against shooting of each joint (joint_truth).",
            "Balance: relative difference of the turn of a joint and the cable's moment over EI.",
        ],
        data=data,
    )  # fmt: skip


def claims(table: Table) -> Iterator[Claim]:
    """Where the fingertips end."""
    off = f"{largest(table.column('error [mm]'))} mm off"
    yield Claim(f"8.4 fingertip at {TENSIONS[-1]} N", "a figure", "shooting of each joint", off)


def figure(table: Table) -> Any:
    """Natural shapes with their control poses, and paths of the fingertip."""
    from matplotlib.figure import Figure

    drawing = Figure(figsize=(11.0, 5.6))
    grid = drawing.add_gridspec(2, 2, width_ratios=(1.0, 2.0))
    shown = {
        kinds: entry for (kinds, model), entry in table.data.items() if model in list(MODELS)[:1]
    }
    for row, kind in enumerate(JOINTS):
        axes = drawing.add_subplot(grid[row, 0])
        _draw_joint(axes, kind, shown[kind, kind]["results"][0])
    axes = drawing.add_subplot(grid[:, 1])
    for number, (kinds, entry) in enumerate(shown.items()):
        color = f"C{number}"
        _draw_finger(axes, entry["results"][-1], color, 0.35)
        axes.plot(*(1e3 * entry["path"].T), "o-", color=color, ms=3.5, label="-".join(kinds))
    _draw_finger(axes, shown["I", "II"]["results"][0], "0.5", 0.5)
    axes.set(xlabel="x [mm]", ylabel="z [mm]", aspect="equal", title="paths from 0 to 3.3 N")
    axes.legend(title="joints", loc="lower right")
    axes.grid(alpha=0.3)
    drawing.tight_layout()
    return drawing


def _draw_joint(axes: Any, kind: str, result: fx.StaticResult) -> None:
    """A joint without load, and the x and z axes of its control poses."""
    s = np.linspace(0.0, result.model.robot.rod(RODS[0]).length, 100)
    curve = result.pose(RODS[0], s)
    axes.plot(1e3 * curve[:, 0, 3], 1e3 * curve[:, 2, 3], "k-", lw=2)
    control = np.array(control_poses(kind))
    x, z = 1e3 * control[:, 0, 3], 1e3 * control[:, 2, 3]
    axes.plot(x, z, ":", color="0.6")
    for column, color in ((0, "C3"), (2, "C0")):
        axes.quiver(x, z, control[:, 0, column], control[:, 2, column], color=color, scale=12)
    degree = JOINTS[kind][1]
    axes.set(title=f"joint {kind}: degree {degree}, {len(x)} poses", ylabel="z [mm]")
    axes.set(aspect="equal", xlim=(-5, 35), ylim=(-9, 13), xlabel="x [mm]" if kind == "II" else "")
    axes.grid(alpha=0.3)


def _draw_finger(axes: Any, result: fx.StaticResult, color: str, alpha: float) -> None:
    """Strips, outlines of phalanges and cable, from the side."""
    style = {"color": color, "alpha": alpha}
    for name in RODS:
        s = np.linspace(0.0, result.model.robot.rod(name).length, 60)
        axes.plot(*(1e3 * result.pose(name, s)[:, [0, 2], 3].T), lw=2.5, **style)
    axes.plot(*(1e3 * result.tendon_path("cable")[:, [0, 2]].T), lw=0.8, **style)
    for body in result.model.robot.bodies:
        x, z = 0.5 * body.shape.x, 0.5 * body.shape.z
        corners = np.array([(-x, -z), (x, -z), (x, z), (-x, z), (-x, -z)])
        g = result.pose(body.name)[np.ix_([0, 2], [0, 2, 3])]
        axes.plot(*(1e3 * (corners @ g[:, :2].T + g[:, 2]).T), lw=1.2, **style)


def _ahead(x: float) -> np.ndarray:
    """A pose that far along x."""
    return se3.pose((x, 0.0, 0.0))


def _millimetres(point: np.ndarray) -> str:
    return "({:.3f}, {:.3f})".format(*(1e3 * point))
