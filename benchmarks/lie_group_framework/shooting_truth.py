"""The continuous equations of a rod by shooting: a truth that shares nothing with flexura.

A straight rod, clamped at the origin along x, carries a dead force F and moment M at its tip. In
world axes, with K the section stiffness, u the curvature and v the stretch and shear:

    p' = R v,   R' = R û,   m' = -p' × F,   u = K_m⁻¹ Rᵀ m,   v = e_1 + K_f⁻¹ Rᵀ F

The base moment is found such that m(L) = M.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import root

# Relative and absolute tolerance of the integrator: near rounding, and on the way to the load. The
# samples are good to about 1e-13.
TIGHT, LOOSE = (1e-13, 1e-15), (1e-6, 1e-8)
# Steps to the full load: a base moment that is far off curls the rod up and misleads the search.
LOAD_STEPS = 20


@dataclass(frozen=True)
class Truth:
    """Poses along a rod.

    Attributes:
        s: arc lengths [m], (n,).
        position: [m], (n, 3).
        rotation: (n, 3, 3).
        curvature: u in the body frame [1/m], (n, 3).
        defect: what is left of m(L) - M [N·m].
    """

    s: np.ndarray
    position: np.ndarray
    rotation: np.ndarray
    curvature: np.ndarray
    defect: float


def shoot(
    stiffness: Callable[[float], np.ndarray],
    s: np.ndarray,
    force: np.ndarray,
    moment: np.ndarray | None = None,
) -> Truth:
    """Solve for the poses at arc lengths s, the last of which is the length of the rod.

    Args:
        stiffness: diagonal (GJ, EI_y, EI_z, EA, GA, GA) at an arc length.
        s: increasing arc lengths, from 0 to the length [m].
        force: dead force at the tip [N], (3,).
        moment: dead moment at the tip [N·m], (3,); None is zero.
    """
    force = np.asarray(force, dtype=float)
    moment = np.zeros(3) if moment is None else np.asarray(moment, dtype=float)

    def integrate(base: np.ndarray, part: float, tolerance: tuple[float, float]) -> np.ndarray:
        begin = np.concatenate([np.zeros(3), np.eye(3).ravel(), base])
        solution = solve_ivp(
            lambda x, y: _slope(stiffness(x), y, part * force),
            (0.0, s[-1]),
            begin,
            method="DOP853",
            t_eval=s,
            rtol=tolerance[0],
            atol=tolerance[1],
        )
        return solution.y.T

    def defect(base: np.ndarray, part: float, tolerance: tuple[float, float]) -> np.ndarray:
        return integrate(base, part, tolerance)[-1, 12:] - part * moment

    before = base = np.zeros(3)
    for part in np.arange(1, LOAD_STEPS + 1) / LOAD_STEPS:
        guess = 2.0 * base - before
        before, base = base, root(defect, guess, args=(part, LOOSE)).x
    base = root(defect, base, args=(1.0, TIGHT), tol=1e-14).x
    path = integrate(base, 1.0, TIGHT)
    rotation = path[:, 3:12].reshape(-1, 3, 3)
    bending = np.array([stiffness(x)[:3] for x in s])
    return Truth(
        s=s,
        position=path[:, :3],
        rotation=rotation,
        curvature=np.einsum("nji,nj->ni", rotation, path[:, 12:]) / bending,
        defect=float(np.abs(path[-1, 12:] - moment).max()),
    )


def circular_taper(
    base_radius: float, tip_radius: float, length: float, young: float, poisson: float
) -> Callable[[float], np.ndarray]:
    """Section stiffness of a conical rod, shear factor 1."""
    shear = young / (2.0 * (1.0 + poisson))

    def stiffness(s: float) -> np.ndarray:
        radius = base_radius + (tip_radius - base_radius) * s / length
        area = np.pi * radius**2
        second = area * radius**2 / 4.0
        bending, shearing = young * second, shear * area
        return np.array([2.0 * shear * second, bending, bending, young * area, shearing, shearing])

    return stiffness


def _slope(stiffness: np.ndarray, y: np.ndarray, force: np.ndarray) -> np.ndarray:
    """Derivative of (p, R, m) along the rod."""
    R = y[3:12].reshape(3, 3)
    u1, u2, u3 = R.T @ y[12:] / stiffness[:3]
    v = R.T @ force / stiffness[3:]
    v[0] += 1.0
    u_hat = np.array([[0.0, -u3, u2], [u3, 0.0, -u1], [-u2, u1, 0.0]])
    (p1, p2, p3), (f1, f2, f3) = R @ v, force
    dm = (f2 * p3 - f3 * p2, f3 * p1 - f1 * p3, f1 * p2 - f2 * p1)
    return np.concatenate([(p1, p2, p3), (R @ u_hat).ravel(), dm])
