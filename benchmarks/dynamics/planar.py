"""An independent reference: a rod in the plane, by finite differences and an adaptive integrator.

Positions live at nodes and angles between them. With e = (x_j+1 - x_j)/Δ in the axes of cell j,

    V = Σ Δ/2 (EA (e₁ - 1)² + GA e₂²) + Σ Δ/2 EI ((θ_j - θ_j-1)/Δ)²,
    T = Σ Δ/2 ρA |ẋ|² + Σ Δ/2 J θ̇²,

half of Δ at the ends: of second order in Δ. It shares no line with the library. Two numbers of
cells, the second one twice the first, are extrapolated to infinity.
"""

from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp

# Relative and absolute, of the integrator: what is left is the error of the differences.
TOLERANCE = 1e-9


@dataclass(frozen=True)
class PlanarRod:
    """A straight rod in the plane.

    Attributes:
        length: [m].
        stretch, shear, bending: EA, GA [N], EI [N·m²].
        mass, inertia: per arc length [kg/m, kg·m].
        pinned: whether its base stays where it is, free to turn; else it flies.
        gravity: along -y [m/s²].
        wrench: at the base: force along x and y, moment [N, N·m].
        until: when the wrench ends [s].
    """

    length: float
    stretch: float
    shear: float
    bending: float
    mass: float
    inertia: float
    pinned: bool = False
    gravity: float = 0.0
    wrench: tuple[float, float, float] = (0.0, 0.0, 0.0)
    until: float = 0.0

    def positions(
        self, times: np.ndarray, base: tuple[float, float], angle: float, cells: int, parts: int
    ) -> np.ndarray:
        """Positions of parts + 1 places at equal distances, from rest at t = 0, (n, parts + 1, 2).

        Extrapolated from ``cells`` and twice as many, both of them multiples of ``parts``.
        """
        coarse, fine = (
            self._positions(times, base, angle, n)[:, :: n // parts] for n in (cells, 2 * cells)
        )
        return np.asarray((4.0 * fine - coarse) / 3.0)

    def _positions(
        self, times: np.ndarray, base: tuple[float, float], angle: float, cells: int
    ) -> np.ndarray:
        """Positions of all nodes, (n, cells + 1, 2)."""
        along = np.linspace(0.0, self.length, cells + 1)[:, None]
        nodes = np.array(base) + along * np.array([np.cos(angle), np.sin(angle)])
        places = np.concatenate([nodes.ravel(), np.full(cells, angle)])
        state, found = np.concatenate([places, np.zeros_like(places)]), []
        phases = [(0.0, self.until, self.wrench), (self.until, times[-1], (0.0, 0.0, 0.0))]
        for begin, end, wrench in phases:
            if end <= begin:
                continue
            own = times[(times >= begin) & ((times < end) | (end == times[-1]))]
            solved = solve_ivp(
                self._rate, (begin, end), state, args=(cells, wrench), method="DOP853",
                t_eval=np.union1d(own, [end]), rtol=TOLERANCE, atol=TOLERANCE,
            )  # fmt: skip
            state = solved.y[:, -1]
            found.append(solved.y[: 2 * (cells + 1), : len(own)].T.reshape(-1, cells + 1, 2))
        return np.concatenate(found)

    def _rate(
        self, t: float, state: np.ndarray, cells: int, wrench: tuple[float, float, float]
    ) -> np.ndarray:
        """Velocities and accelerations."""
        step, half, n = self.length / cells, len(state) // 2, 2 * (cells + 1)
        x, theta = state[:n].reshape(-1, 2), state[n:half]
        cos, sin = np.cos(theta), np.sin(theta)
        along, across = np.diff(x, axis=0).T / step
        e1, e2 = cos * along + sin * across, cos * across - sin * along
        n1, n2 = self.stretch * (e1 - 1.0), self.shear * e2
        force = np.stack([cos * n1 - sin * n2, sin * n1 + cos * n2], axis=1)
        moment = np.zeros(cells + 1)
        moment[1:-1] = self.bending * np.diff(theta) / step
        turn = np.diff(moment) + step * (e1 * n2 - e2 * n1)
        push = np.zeros_like(x)
        push[:-1] += force
        push[1:] -= force
        push[0] += wrench[:2]
        turn[0] += wrench[2]
        weight = np.full((cells + 1, 1), self.mass * step)
        weight[[0, -1]] *= 0.5
        acceleration = push / weight - [0.0, self.gravity]
        if self.pinned:
            acceleration[0] = 0.0
        return np.concatenate([state[half:], acceleration.ravel(), turn / (self.inertia * step)])
