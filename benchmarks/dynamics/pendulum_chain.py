"""A heavy chain of very stiff rods on hinges against rigid links.

Angles q from the horizontal, links of length 1 and mass 1. With a_ij = (number of links beyond the
later one) + 1/2, 1/3 on the diagonal, and w_i = g (number of links beyond i + 1/2),

    Σ_j a_ij (cos(q_i - q_j) q̈_j + sin(q_i - q_j) q̇_j²) + w_i cos q_i = 0,

integrated with a tolerance of 1e-12.
"""

import numpy as np
from scipy.integrate import solve_ivp

import flexura as fx
from benchmarks.dynamics.cases import moving_rod, slopes
from benchmarks.progress import track
from benchmarks.table import Table

GRAVITY = 9.81
STEPS = (0.01, 0.005, 0.0025, 0.00125)
END = 1.5  # [s]
# The links bend by some w L⁴/8EI = 1e-7 of their length, and turn as if they had no thickness.
STIFFNESS = {"stretch": 1e9, "shear": 1e9, "torsion": 1e7, "bending": 1e7}
INERTIA = 1e-6


def run(quick: bool = False) -> Table:
    """Let chains of one, two and three links swing from the horizontal.

    Args:
        quick: only two links and two steps.
    """
    rows, errors, orders = [], {}, {}
    counts, steps = ((2,), STEPS[:2]) if quick else ((1, 2, 3), STEPS)
    for n, h in track([(n, h) for n in counts for h in steps], "chain"):
        motion = fx.simulate(fx.build(chain(n), rods=fx.LinearStrain(1)), END, h).unwrap()
        off = motion.pose(f"link{n - 1}.tip")[:, :2, 3] - rigid(n, motion.t)
        errors[n, h] = float(np.linalg.norm(off, axis=1).max())
        orders[n] = slopes(steps, [errors[n, x] for x in steps]) if h == steps[-1] else np.nan
        rows.append(
            [
                str(n),
                f"{h:g}",
                f"{errors[n, h]:.1e}",
                f"{abs(motion.energy[-1] - motion.energy[0]):.1e}",
                f"{motion.iterations[1:].mean():.1f}",
                "" if np.isnan(orders[n]) else f"{orders[n]:.2f}",
            ]
        )
    return Table(
        title=f"chains of stiff rods on hinges from the horizontal, {END:g} s, against rigid links",
        header=("links", "step [s]", "tip [m]", "energy lost [J]", "iterations", "order"),
        rows=rows,
        notes=["LinearStrain(1) for each link of 1 m and 1 kg, GeneralizedAlpha(0.9)."],
        data={"errors": errors, "orders": orders},
    )


def chain(n: int) -> fx.Robot:
    """Links on hinges, along x."""
    names = [f"link{i}" for i in range(n)]
    inertia = (2.0 * INERTIA, INERTIA, INERTIA)
    holders = ["world", *(f"{name}.tip" for name in names[:-1])]
    return fx.Robot(
        f"chain of {n}",
        rods=[moving_rod(name, 1.0, STIFFNESS, 1.0, inertia) for name in names],
        joints=[
            fx.Hinge(f"hinge{i}", holder, f"{name}.base", axis=(0.0, 0.0, 1.0))
            for i, (holder, name) in enumerate(zip(holders, names, strict=True))
        ],
        loads=[fx.Gravity((0.0, -GRAVITY, 0.0))],
    )


def rigid(n: int, times: np.ndarray) -> np.ndarray:
    """Positions of the tip of n rigid links, (len(times), 2)."""
    later = np.maximum(*np.indices((n, n)))
    a = n - 1.0 - later + np.where(np.eye(n, dtype=bool), 1.0 / 3.0, 0.5)
    w = GRAVITY * (n - 0.5 - np.arange(n))

    def rate(_: float, y: np.ndarray) -> np.ndarray:
        q, v = y[:n], y[n:]
        apart = q[:, None] - q
        mass = a * np.cos(apart) + INERTIA * np.eye(n)
        force = -(a * np.sin(apart)) @ v**2 - w * np.cos(q)
        return np.concatenate([v, np.linalg.solve(mass, force)])

    solved = solve_ivp(
        rate, (0.0, times[-1]), np.zeros(2 * n), "DOP853", times, rtol=1e-12, atol=1e-12
    )
    q = solved.y[:n]
    return np.stack([np.cos(q).sum(axis=0), np.sin(q).sum(axis=0)], axis=1)
