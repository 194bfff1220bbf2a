"""Rest shapes that are drawn: splines of control poses, as strains by arc length."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.polynomial.chebyshev import chebint, chebval
from scipy.interpolate import BSpline

from flexura.errors import ModelError
from flexura.lie import se3
from flexura.robot.chebyshev import NODES, TO_SERIES, Table
from flexura.robot.check import BadField, assign, bad, finite, pose
from flexura.typing import Array, ArrayLike, Indices, Strain, Twist

DEGREES = range(2, 6)  # the strain of degree 1 jumps, which a rod at rest may not yet
# Poses typed with nine digits do not tell the side that a half turn goes to.
HALF_TURN = np.pi - 1e-6
# Speeds below this part of the largest one count as a stop.
STOP = 1e-6
# Strains are series on panels of every span, as many as leave this part of the largest strain.
# Four do for gentle curves; near a stop or a corner there is no end.
MISS, PANELS, MAX_PANELS = 1e-12, 4, 256
LONGEST = 1e100  # [m]; its square is still a number


@dataclass(frozen=True)
class SplineRest:
    """Shape of an unloaded rod that is drawn by control poses; a function of arc length.

        g(u) = g_0 Π_i exp(b_i(u) Ω_i),    ξ*(s) = ξ(u(s)) / |ν(u(s))|         (theory 2.6)

    The curve begins at the first pose, ends at the last one and is drawn by those between. Where
    it is does not matter: a joint holds the rod. Knots are clamped and uniform. Sections are as
    drawn, so the tangent may lean to their x axes: the rod is sheared at rest, |ν*| = 1.

    Attributes:
        control_poses: Poses g_0 … g_n, at least degree + 1, (n + 1, 4, 4) [m].
        degree: Degree of the B-splines, 2 to 5; of degree 2 the strain kinks at ``knots``.
    """

    control_poses: ArrayLike
    degree: int = 3

    def __post_init__(self) -> None:
        assign(self, degree=_degree(self.degree))
        assign(self, control_poses=_poses(self.control_poses, self.degree))
        _ = self._table  # which refuses what is no rod

    def __call__(self, s: float) -> Strain:
        """Strain at arc length s [m], (6,); beyond the ends as there."""
        return self._table(s)

    @property
    def length(self) -> float:
        """Length of the curve [m], for the rod."""
        return float(self._table.edges[-1])

    @property
    def knots(self) -> tuple[float, ...]:
        """Arc lengths inside the curve where the strain is less smooth [m], ascending."""
        panels = (len(self._table.edges) - 1) // self._spans
        return tuple(self._table.edges[panels:-1:panels].tolist())

    @property
    def _spans(self) -> int:
        return len(np.array(self.control_poses)) - self.degree

    @cached_property
    def _increments(self) -> Twist:
        """Ω_i = log(g_{i-1}⁻¹ g_i), (n, 6)."""
        g = np.array(self.control_poses)
        return np.asarray(se3.log(se3.inverse(g[:-1]) @ g[1:]))

    @cached_property
    def _knots(self) -> Array:
        """Knots of the B-splines of u from 0 to 1, those at the ends repeated."""
        ends = np.ones(self.degree)
        return np.concatenate([0.0 * ends, np.linspace(0.0, 1.0, self._spans + 1), ends])

    def _active(self, u: Array) -> tuple[Indices, Array, Array]:
        """The cumulative B-splines b_i that are neither zero nor one at u, (n,).

            b_i = Σ_{j ≥ i} B_{j,k},   b_i' = k B_{i,k-1} / (t_{i+k} - t_i)

        Returns:
            i - 1 of the first of them, (n,); the b_i and their slopes, (n, degree) each.
        """
        t, k = self._knots, self.degree
        plain = BSpline.design_matrix(u, t, k)
        first = plain.indices[:: k + 1]
        b = np.cumsum(plain.data.reshape(-1, k + 1)[:, :0:-1], axis=1)[:, ::-1]
        lower = BSpline.design_matrix(u, t[1:-1], k - 1).data.reshape(-1, k)
        left = first[:, None] + 1 + np.arange(k)
        return first, b, k * lower / (t[left + k] - t[left])

    def _velocity(self, u: Array) -> Twist:
        """Body velocities dg/du of the curve, (..., 6) for u (...)."""
        first, b, slope = self._active(u.ravel())
        xi = np.zeros((u.size, 6))
        for i in range(self.degree):  # other factors are none, or complete
            omega = self._increments[first + i]
            back = se3.Ad(se3.exp(-b[:, i, None] * omega))
            xi = np.einsum("nij,nj->ni", back, xi) + slope[:, i, None] * omega
        return xi.reshape(*u.shape, 6)

    @cached_property
    def _table(self) -> Table:
        with np.errstate(all="ignore"):
            self._check_increments()
            panels = PANELS
            while panels <= MAX_PANELS:
                table, missing = self._tabulate(panels)
                if missing.max() <= MISS:
                    return table
                panels *= 2
        i = self._nearest((missing.argmax() + 0.5) / len(missing))
        raise _bad(i, "part of a smooth curve, which has a corner near it", "turn it, or move it")

    def _tabulate(self, panels: int) -> tuple[Table, Array]:
        """Strains on so many panels of each span, and what the series miss on every panel."""
        u = np.linspace(0.0, 1.0, self._spans * panels + 1)
        half = 0.5 * (u[1] - u[0])
        middle = 0.5 * (u[:-1] + u[1:])[:, None]
        speed = np.linalg.norm(self._velocity(middle + half * NODES)[..., 3:], axis=-1)
        self._check_speed(np.linalg.norm(self._velocity(u)[:, 3:], axis=-1), u)
        self._check_speed(speed.ravel(), (middle + half * NODES).ravel())
        rate = half * (TO_SERIES @ speed.T)[:, :, None]  # of arc length, by panel
        way = chebint(rate, lbnd=-1, axis=0)
        width = chebval(1.0, way, tensor=False)
        x = np.tile(NODES, (len(middle), 1))
        for _ in range(10):  # Newton; three or four steps do where the speed is nearly even
            off = chebval(x, way, tensor=False) - 0.5 * width * (1.0 + NODES)
            x = np.clip(x - off / chebval(x, rate, tensor=False), -1.0, 1.0)
        velocity = self._velocity(middle + half * x)
        strain = velocity / np.linalg.norm(velocity[..., 3:], axis=-1, keepdims=True)
        edges = np.concatenate([[0.0], np.cumsum(width)])
        self._check_tangent(strain, middle + half * x)
        series = TO_SERIES @ strain
        scaled = np.abs(series) * np.array([edges[-1]] * 3 + [1.0] * 3)
        missing = scaled[:, -2:].max(axis=(1, 2)) / scaled.max()
        return Table(edges, series), np.nan_to_num(missing, nan=np.inf)

    def _check_increments(self) -> None:
        try:
            omega = self._increments
        except ModelError:
            omega = np.full((1, 6), np.inf)
        size = np.abs(omega).max(axis=1)
        if not size.max() <= LONGEST:
            raise _bad(int(size.argmax()) + 1, "within reach of the one before", "write metres")
        turn = np.linalg.norm(omega[:, :3], axis=1)
        if turn.max() >= HALF_TURN:
            allowed = "turned by less than half a turn from the one before"
            raise _bad(int(turn.argmax()) + 1, allowed, "put another pose between the two")

    def _check_speed(self, speed: Array, u: Array) -> None:
        if not speed.min() > STOP * speed.max():
            i = self._nearest(u[speed.argmin()])
            allowed = "apart from its neighbours, but the curve stands still near it"
            raise _bad(i, allowed, "move it along its x axis")

    def _check_tangent(self, strain: Strain, u: Array) -> None:
        along = strain[..., 3]
        if not along.min() > 0.0:
            i = self._nearest(u.flat[along.argmin()])
            allowed = (
                "turned so that x points along the curve, but they are 90 degrees apart near it"
            )
            raise _bad(i, allowed, "a rod runs along its local x axis: turn or move it")

    def _nearest(self, u: float) -> int:
        """The control pose that has the greatest influence at u."""
        places = sliding_window_view(self._knots[1:-1], self.degree).mean(axis=1)
        return int(np.abs(places - u).argmin())


def rest_from_spline(control_poses: ArrayLike, degree: int = 3) -> SplineRest:
    """Rest shape of a rod, drawn by control poses.

    >>> import flexura as fx
    >>> poses = [fx.lie.se3.pose((0.1 * i, 0.0, 0.0), (0.0, 0.0, 0.2 * i)) for i in range(5)]
    >>> rest = fx.rest_from_spline(poses)
    >>> rod = fx.Rod("hook", rest.length, fx.Circle(1e-3), fx.Material(1e9, 0.3), rest=rest)

    Args:
        control_poses: Poses of a clamped cumulative B-spline on SE(3), (n, 4, 4), n > degree.
        degree: Its degree, 2 to 5.

    Returns:
        The rest shape. Its ``length`` [m] is that of the rod.

    Raises:
        ModelError: If the poses are none, or their curve is not that of a rod.
    """
    return SplineRest(control_poses, degree)


def _bad(i: int, needed: str, remedy: str) -> BadField:
    field = f"control_poses[{i}]"
    return BadField(f"SplineRest: {field} must be {needed}; {remedy}", field)


def _degree(value: object) -> int:
    degree = finite("SplineRest", "degree", value)
    if degree not in DEGREES:
        allowed = f"a whole number from {DEGREES[0]} to {DEGREES[-1]}"
        raise bad("SplineRest", "degree", allowed, value, "3 is a good choice")
    return int(degree)


def _poses(value: object, degree: int) -> tuple[tuple[tuple[float, ...], ...], ...]:
    """Checked control poses."""
    poses = list(value) if isinstance(value, np.ndarray) and value.ndim else value
    if not isinstance(poses, list | tuple) or len(poses) <= degree:
        allowed = f"a list of at least {degree + 1} poses, as the degree is {degree}"
        got = len(poses) if isinstance(poses, list | tuple) else value
        raise bad("SplineRest", "control_poses", allowed, got, "add poses, or lower the degree")
    return tuple(pose("SplineRest", f"control_poses[{i}]", entry) for i, entry in enumerate(poses))
