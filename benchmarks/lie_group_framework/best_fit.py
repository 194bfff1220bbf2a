"""The cumulative spline that is nearest to a given planar curve, whatever the mechanics.

It tells what the family of shapes can do from what the solver does. Angles and positions are
fitted together, so that an equilibrium can be a little nearer in position alone; the order with
which the distance falls is the family's. Written for SE(2), without flexura.
"""

import numpy as np
from scipy.interpolate import BSpline
from scipy.optimize import least_squares

from benchmarks.lie_group_framework.shooting_truth import Truth

# sin θ / θ and (1 - cos θ) / θ: below this angle two terms of the series are exact to rounding.
SMALL = 1e-4
# Samples that are fitted in each span, about: the error within a span needs no more.
PER_SPAN = 8


def best_fit(truth: Truth, degree: int, spans: int) -> float:
    """Mean distance between a curve in the x-z plane and its least-squares fit [m].

    Args:
        truth: the curve, on samples much denser than the spans.
        degree: degree of the spline.
        spans: number of its spans.
    """
    every = max(1, (len(truth.s) - 1) // (PER_SPAN * spans))
    s, target, length = truth.s[::every], _planar(truth)[:, ::every], truth.s[-1]
    ends = np.full(degree, 1.0)
    knots = length * np.concatenate([0.0 * ends, np.linspace(0.0, 1.0, spans + 1), ends])
    basis = BSpline(knots, np.eye(spans + degree), degree)(s)
    cumulative = np.cumsum(basis[:, ::-1], axis=1)[:, ::-1][:, 1:]
    greville = np.array([knots[i + 1 : i + degree + 1].mean() for i in range(spans + degree)])
    start = np.array([np.interp(greville, s, row) for row in target]).T
    fit = least_squares(
        lambda q: (_curve(q, cumulative) - target).ravel(),
        np.concatenate([start[0], _differences(start).ravel()]),
        xtol=1e-15,
        ftol=1e-15,
        gtol=1e-15,
    )
    _, dx, dy = fit.fun.reshape(3, -1)
    return float(np.hypot(dx, dy).mean())


def _planar(truth: Truth) -> np.ndarray:
    """Angle and position (θ, x, y = -z) of a curve in the x-z plane, (3, n)."""
    angle = np.unwrap(np.arctan2(-truth.rotation[:, 2, 0], truth.rotation[:, 0, 0]))
    return np.array([angle, truth.position[:, 0], -truth.position[:, 2]])


def _curve(q: np.ndarray, cumulative: np.ndarray) -> np.ndarray:
    """g_0 Π_i exp(b_i Ω_i) at all samples, (3, n)."""
    angle, x, y = np.repeat(q[:3, None], len(cumulative), axis=1)
    for (turn, along, across), b in zip(q[3:].reshape(-1, 3), cumulative.T, strict=True):
        sine, versine = _series(b * turn)
        dx, dy = b * (sine * along - versine * across), b * (versine * along + sine * across)
        x = x + np.cos(angle) * dx - np.sin(angle) * dy
        y = y + np.sin(angle) * dx + np.cos(angle) * dy
        angle = angle + b * turn
    return np.array([angle, x, y])


def _differences(poses: np.ndarray) -> np.ndarray:
    """Ω_i = log(g_{i-1}⁻¹ g_i) of poses (θ, x, y), (n - 1, 3)."""
    turn, dx, dy = np.diff(poses, axis=0).T
    cosine, sine = np.cos(poses[:-1, 0]), np.sin(poses[:-1, 0])
    dx, dy = cosine * dx + sine * dy, cosine * dy - sine * dx
    a, b = _series(turn)
    return (
        np.array([turn, (a * dx + b * dy), (a * dy - b * dx)]).T
        / np.array([np.ones_like(a), a * a + b * b, a * a + b * b]).T
    )


def _series(angle: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """sin θ / θ and (1 - cos θ) / θ."""
    small = np.abs(angle) < SMALL
    safe = np.where(small, 1.0, angle)
    return (
        np.where(small, 1.0 - angle**2 / 6.0, np.sin(safe) / safe),
        np.where(small, angle / 2.0 - angle**3 / 24.0, (1.0 - np.cos(safe)) / safe),
    )
