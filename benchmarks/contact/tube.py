"""From waves to a helix: a heavy rod that is pushed through a horizontal tube.

It lies at the bottom, begins to snake at F = 2 √(EI w/r) [Dawson1984], w its weight per length and
r the clearance, and winds up to a helix as the force grows. On the wall, at an angle θ(x) from the
bottom, it has the energy

    ∫ ½ (θ''² + θ'⁴) - ½ f θ'² + 1 - cos θ dx,    f = F / √(EI w/r),  x in (EI r/w)^¼

of which the published loads are told: a helix θ' = √(f/2) has less than the straight rod from
f = 2 √2 on [Chen1990]; waves go over to it at about 2 (2 √2 - 1) where the force is raised
[Wu1993], as they bear no more; and one of several turns stays one where the force is lowered, until
there is no such minimum. ``waves`` minimises that energy in the tube as long as this one is, by
finite differences: another model, without contacts.
"""


import numpy as np
from scipy.optimize import minimize

import flexura as fx
from benchmarks.contact.rods import CLEARANCE, PIPE, STEEL, TUBE, in_tube, stiffness
from benchmarks.progress import track

WEIGHT = np.pi * PIPE**2 * STEEL.density * 9.81  # per length [N/m]
BENDING = stiffness(PIPE, STEEL.young)
FORCE = float(np.sqrt(BENDING * WEIGHT / CLEARANCE))  # of f = 1 [N]
UNIT = float((BENDING * CLEARANCE / WEIGHT) ** 0.25)  # of x = 1 [m]
SNAKES, HELIX, WINDS = 2.0, 2.0 * np.sqrt(2.0), 2.0 * (2.0 * np.sqrt(2.0) - 1.0)
LOADS = np.arange(1.8, 4.41, 0.1)
PIECES = 300
OVER = np.pi  # a rod that is further around has been over the top [rad]
ASIDE = 1e-3  # what pushes it aside, of its weight: waves have two sides


def waves(loads: np.ndarray) -> list[np.ndarray]:
    """θ at even places along the rod, for one load after the other, each from the one before."""
    h = TUBE / UNIT / PIECES
    theta, found = np.zeros(PIECES + 1), []
    second = (np.eye(PIECES - 1, PIECES + 1) - 2.0 * np.eye(PIECES - 1, PIECES + 1, 1)) / h**2
    second += np.eye(PIECES - 1, PIECES + 1, 2) / h**2
    first = (np.eye(PIECES, PIECES + 1, 1) - np.eye(PIECES, PIECES + 1)) / h
    second, first = second[:, 1:-1], first[:, 1:-1]  # its ends are at the bottom
    aside = ASIDE * TUBE / UNIT * (np.arange(1, PIECES) == PIECES // 2)

    def energy(x: np.ndarray, f: float) -> float:
        d, b = first @ x, second @ x
        bent = np.sum(0.5 * b**2) + np.sum(0.5 * d**4 - 0.5 * f * d**2)
        return float(h * (bent + np.sum(1.0 - np.cos(x))) - aside @ np.sin(x))

    def slope(x: np.ndarray, f: float) -> np.ndarray:
        d = first @ x
        own = second.T @ (second @ x) + first.T @ (2.0 * d**3 - f * d) + np.sin(x)
        return np.asarray(h * own - aside * np.cos(x))

    def tangent(x: np.ndarray, f: float) -> np.ndarray:
        d = first @ x
        bent = second.T @ second + first.T @ ((6.0 * d**2 - f)[:, None] * first)
        return np.asarray(h * (bent + np.diag(np.cos(x))) + np.diag(aside * np.sin(x)))

    for f in loads.tolist():
        best = minimize(energy, theta[1:-1], (f,), "trust-exact", slope, tangent)
        theta[1:-1] = best.x
        found.append(theta.copy())
    return found


def angle(result: fx.StaticResult) -> tuple[np.ndarray, np.ndarray]:
    """Places along a rod [m], and how far it is around there [rad]."""
    s = np.linspace(0.0, TUBE, PIECES + 1)
    x, y, z = result.pose("rod", s)[:, :3, 3].T
    return x, np.unwrap(np.arctan2(y, -z))


def push(spans: int, loads: np.ndarray) -> list[fx.StaticResult]:
    """Results for one load after the other, each from the one before."""
    model, found = in_tube(spans, aside=ASIDE * WEIGHT * TUBE), []
    start = fx.statics(model)
    for f in track(loads.tolist(), "load"):
        start = fx.statics(model, {"load": (0, 0, 0, -f * FORCE, 0, 0)}, start=start)
        found.append(start)
    return found
