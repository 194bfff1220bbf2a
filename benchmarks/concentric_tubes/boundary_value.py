"""Concentric tubes with loads as a boundary value problem, without the library.

[Rucker2010]: the frame R of the centreline does not twist, tube i is turned by θ_i in it; n and m
are what the part beyond s exerts on the part before, in world axes,

    p' = R v,    R' = R [u]×,    u = (u_x, u_y, 0),    n' = -f,    m' = -p' × n,
    (u_x, u_y) = ((Rᵀ m)_xy + Σ EI_i Rz(θ_i) u*_i) / Σ EI_i                 over the tubes at s,
    GJ_i θ_i' = τ_i,    τ_i' = u · (Rz(θ_i) u*_i × e_z) EI_i,    v = e_z + C Rᵀ n

with C = 0 for tubes that neither stretch nor shear. Torques τ_i and the bending moment at the plate
are found by shooting with Newton's method; n there is the sum of all dead forces. Solutions are
continued from tubes that are all turned by the same angle: turned first, then loaded. All poses
of a batch go together. Axes are those of the references: tubes run along z.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

NEWTON = 30


class Care(NamedTuple):
    """How exact a solution is.

    Attributes:
        levels: of extrapolation, which is of order 2 levels.
        turn: of the frame in a step, at most about this [rad].
        closed: what may be left of the equations, over moments in play.
    """

    levels: int
    turn: float
    closed: float


ON_THE_WAY, AT_THE_END = Care(3, 0.6, 1e-6), Care(5, 0.25, 1e-11)


@dataclass(frozen=True)
class Tubes:
    """A set of n tubes, innermost first; as in the files of references.

    Attributes:
        straight, length: of each [m], (n,).
        curvature: of its curved part about x and y [1/m], (n, 2).
        bending, torsion: EI and GJ [N·m²], (n,).
        stretch, shear: EA and GA [N], (n,); infinite for none.
    """

    straight: Array
    length: Array
    curvature: Array
    bending: Array
    torsion: Array
    stretch: Array
    shear: Array

    @classmethod
    def of(cls, tubes: Sequence[Mapping[str, Any]], rigid: bool = True) -> "Tubes":
        """Tubes of a file; ``rigid`` ones neither stretch nor shear."""

        def column(*names: str) -> Array:
            return np.array([next(t[x] for x in names if x in t) for t in tubes], dtype=float)

        def curve(tube: Mapping[str, Any]) -> tuple[float, float]:
            return tube.get("kx", tube.get("k")), tube.get("ky", 0.0)

        area = np.pi / 4.0 * (column("OD") ** 2 - column("ID") ** 2)
        stiff = np.full(len(tubes), np.inf)
        return cls(
            column("Ls"), column("Ls") + column("Lc"), np.array([curve(t) for t in tubes]),
            column("EI"), column("GJ"), stiff if rigid else column("E") * area,
            stiff if rigid else column("G") * area,
        )  # fmt: skip


@dataclass(frozen=True)
class Inputs:
    """What is given to a batch of b poses of n tubes; angles [rad], lengths [m], SI.

    Attributes:
        alpha: angles at the proximal ends, (b, n).
        beta: where these are, behind the plate at 0, (b, n).
        force, moment: at the tips, (b, n, 3).
        weight: per arc length of each tube outside of the plate, (b, n, 3).
    """

    alpha: Array
    beta: Array
    force: Array
    moment: Array
    weight: Array


@dataclass(frozen=True)
class Found:
    """Solutions; tip of the innermost tube, its frame that does not twist, twist at the plate.

    Attributes:
        tip: (b, 3).
        frame: (b, 3, 3).
        angle: of all tubes at their own tips [rad], (b, n).
        twist: τ/GJ at the plate [1/m], (b, n).
        ends: tips of all tubes, (b, n, 3).
        moment: what the robot exerts on the plate, (b, 3).
        found: whether Newton's method has converged all along the way, (b,).
        turned: whether the determinant of its matrix has kept its sign there, (b,).
    """

    tip: Array
    frame: Array
    angle: Array
    twist: Array
    ends: Array
    moment: Array
    found: NDArray[np.bool_]
    turned: NDArray[np.bool_]


class Sections:
    """Sections of a batch: breaks are tips and beginnings of curves, sorted along the centreline.

    Attributes:
        length: (b, k).
        bending: EI of the tubes that are there, else 0, (b, k, n).
        curvature: their rest curvature, (b, k, n, 2).
        soft: compliance against shear and stretch, (b, k, 3).
        weight: sum of weights, (b, k, 3).
        tip: whether the section ends with the tip of a tube, (b, k, n).
    """

    def __init__(self, tubes: Tubes, inputs: Inputs) -> None:
        beta = inputs.beta
        ends, bends = beta + tubes.length, np.maximum(beta + tubes.straight, 0.0)
        b, n = beta.shape
        breaks = np.concatenate([bends, ends], axis=1)
        order = np.argsort(breaks, axis=1, kind="stable")
        stop = np.take_along_axis(breaks, order, axis=1)
        begin = np.concatenate([np.zeros((b, 1)), stop[:, :-1]], axis=1)
        self.length = stop - begin
        middle = ((begin + stop) / 2.0)[:, :, None]
        here = (middle < ends[:, None]) & (self.length > 0.0)[:, :, None]
        curved = here & (middle > bends[:, None])
        self.bending = np.where(here, tubes.bending, 0.0)
        self.curvature = np.where(curved[..., None], tubes.curvature, 0.0)
        self.tip = order[:, :, None] == n + np.arange(n)
        with np.errstate(divide="ignore", invalid="ignore"):
            soft = [
                1.0 / np.where(here, x, 0.0).sum(axis=2)
                for x in (tubes.shear, tubes.shear, tubes.stretch)
            ]
        self.soft = np.nan_to_num(np.stack(soft, axis=2), posinf=0.0)
        self.weight = np.einsum("bkn,bni->bki", here, inputs.weight)


def _rates(y: Array, tubes: Tubes, bending: Array, rest: Array, soft: Array, f: Array) -> Array:
    """y' of all poses and of all varied beginnings; y = (p, R, θ, τ, n, m), (b, v, 18 + 2 n)."""
    n = len(tubes.torsion)
    R = y[..., 3:12].reshape(*y.shape[:-1], 3, 3)
    theta, tau, force, moment = np.split(y[..., 12:], [n, 2 * n, 2 * n + 3], axis=-1)
    c, s = np.cos(theta), np.sin(theta)
    x, z = rest[:, None, :, 0], rest[:, None, :, 1]
    rx, ry = c * x - s * z, s * x + c * z
    EI = bending[:, None]
    total = np.maximum(EI.sum(axis=-1), 1e-300)
    own = np.einsum("bvji,bvj->bvi", R, moment)
    ux = (own[..., 0] + (EI * rx).sum(axis=-1)) / total
    uy = (own[..., 1] + (EI * ry).sum(axis=-1)) / total
    v = soft[:, None] * np.einsum("bvji,bvj->bvi", R, force)
    v[..., 2] += 1.0
    out = np.empty_like(y)
    out[..., :3] = np.einsum("bvij,bvj->bvi", R, v)
    turned = np.empty_like(R)  # R [u]×
    turned[..., 0] = -R[..., 2] * uy[..., None]
    turned[..., 1] = R[..., 2] * ux[..., None]
    turned[..., 2] = R[..., 0] * uy[..., None] - R[..., 1] * ux[..., None]
    out[..., 3:12] = turned.reshape(*y.shape[:-1], 9)
    out[..., 12 : 12 + n] = tau / tubes.torsion
    out[..., 12 + n : 12 + 2 * n] = EI * (ux[..., None] * ry - uy[..., None] * rx)
    out[..., 12 + 2 * n : 15 + 2 * n] = -f[:, None]
    out[..., 15 + 2 * n :] = -np.cross(out[..., :3], force)
    return out


def _step(levels: int, y: Array, h: Array, *rest: Any) -> Array:
    """One step of lengths h, (b,): midpoint rule with 2, 4, 6, ... parts, extrapolated."""
    table: list[Array] = []
    first = _rates(y, *rest)
    for k in range(levels):
        parts = 2 * (k + 1)
        d = (h / parts)[:, None, None]
        before, now = y, y + d * first
        for _ in range(parts - 1):
            before, now = now, before + 2.0 * d * _rates(now, *rest)
        row = [0.5 * (before + now + d * _rates(now, *rest))]
        for i, last in enumerate(table):
            ratio = ((k + 1.0) / (k - i)) ** 2
            row.append(row[i] + (row[i] - last) / (ratio - 1.0))
        table = row
    return table[-1]


class Problem:
    """A batch to be solved for torques and bending moments at the plate, (b, n + 2)."""

    def __init__(self, tubes: Tubes, inputs: Inputs, care: Care = AT_THE_END) -> None:
        self.tubes, self.inputs, self.care = tubes, inputs, care
        self.sections = own = Sections(tubes, inputs)
        self.n = len(tubes.torsion)
        sizes = np.abs(own.curvature).sum(axis=(2, 3)).max(axis=0) + 10.0
        self.steps = np.maximum(1, np.ceil(own.length.max(axis=0) * sizes / care.turn)).astype(int)
        outside = np.einsum("bk,bki->bi", own.length, own.weight)
        self.force = inputs.force.sum(axis=1) + outside

    def shoot(self, unknown: Array) -> tuple[Array, Array, Array]:
        """From the plate on, (b, v, n + 2) -> gaps, the same; y at each tip; y at the plate."""
        n, own, (b, v, _) = self.n, self.sections, unknown.shape
        y = np.zeros((b, v, 18 + 2 * n))
        y[..., 3:12] = np.eye(3).ravel()
        tau = unknown[..., :n]
        behind = -self.inputs.beta / self.tubes.torsion
        y[..., 12 : 12 + n] = self.inputs.alpha[:, None] + behind[:, None] * tau
        y[..., 12 + n : 12 + 2 * n] = tau
        y[..., 12 + 2 * n : 15 + 2 * n] = self.force[:, None]
        y[..., -3:-1] = unknown[..., n:]
        y[..., -1] = tau.sum(axis=-1)
        plate, at_tips, gaps = y.copy(), np.zeros((b, v, n, 18 + 2 * n)), np.zeros((b, v, n + 2))
        for k in range(own.length.shape[1]):
            h = own.length[:, k] / self.steps[k]
            for _ in range(self.steps[k]):
                y = _step(
                    self.care.levels, y, h, self.tubes, own.bending[:, k], own.curvature[:, k],
                    own.soft[:, k], own.weight[:, k],
                )  # fmt: skip
            for j in range(n):
                y = self._end_tube(y, j, own.tip[:, k, j], at_tips, gaps)
        R = y[..., 3:12].reshape(b, v, 3, 3)
        gaps[..., n:] = np.einsum("bvji,bvj->bvi", R, y[..., -3:])[..., :2]
        return gaps, at_tips, plate

    def _end_tube(self, y: Array, j: int, here: Any, at_tips: Array, gaps: Array) -> Array:
        """Tube j ends, in some poses: it leaves, with what acts on its tip."""
        if not here.any():
            return y
        y, n = y.copy(), self.n
        at_tips[here, :, j] = y[here]
        tangent = y[here][..., [5, 8, 11]]
        moment = self.inputs.moment[here, j]
        gaps[here, :, j] = y[here][..., 12 + n + j] - np.einsum("bvi,bi->bv", tangent, moment)
        y[here, :, 12 + 2 * n : 15 + 2 * n] -= self.inputs.force[here, j][:, None]
        y[here, :, -3:] -= moment[:, None]
        return y

    def solve(self, start: Array) -> tuple[Array, NDArray[np.bool_], Array]:
        """Newton's method: unknowns, which are found, signs of determinants."""
        x, n = start.copy(), self.n + 2
        scale = float(np.max(self.tubes.bending) * 10.0)
        size = 1e-7 * scale
        closed = np.zeros(len(x), dtype=bool)
        for _ in range(NEWTON):
            varied = np.concatenate([x[:, None], x[:, None] + size * np.eye(n)], axis=1)
            gaps, _, _ = self.shoot(varied)
            matrix = np.swapaxes((gaps[:, 1:] - gaps[:, :1]) / size, 1, 2)
            sign = np.sign(np.linalg.det(matrix))
            closed = np.abs(gaps[:, 0]).max(axis=1) < self.care.closed * scale
            if closed.all():
                break
            x = x - np.linalg.solve(matrix, gaps[:, 0][..., None])[..., 0]
            x = np.where(np.isfinite(x), x, 0.0)
        return x, closed, sign


def solve(tubes: Tubes, inputs: Inputs, steps: int = 12) -> Found:
    """Solutions that are continued from all tubes turned alike; turned first, then loaded."""
    b, n = inputs.alpha.shape
    loaded = bool(inputs.force.any() or inputs.moment.any() or inputs.weight.any())
    ways = [(t, 0.0) for t in np.linspace(0.0, 1.0, steps + 1)]
    if loaded:
        ways += [(1.0, t) for t in np.linspace(0.0, 1.0, steps + 1)[1:]]
    x = before = np.zeros((b, n + 2))
    good, same, first = np.ones(b, dtype=bool), np.ones(b, dtype=bool), None
    for i, (turn, load) in enumerate(ways):
        alpha = inputs.alpha[:, :1] + turn * (inputs.alpha - inputs.alpha[:, :1])
        own = Inputs(
            alpha, inputs.beta, load * inputs.force, load * inputs.moment, load * inputs.weight
        )
        problem = Problem(tubes, own, AT_THE_END if i == len(ways) - 1 else ON_THE_WAY)
        guess = x if i < 2 or i == steps + 1 else 2.0 * x - before
        before, (x, closed, sign) = x, problem.solve(guess)
        first = sign if first is None else first
        good, same = good & closed, same & (sign == first)
    _, at_tips, plate = problem.shoot(x[:, None])
    y = at_tips[:, 0]
    last = y[:, 0]
    return Found(
        tip=last[:, :3],
        frame=last[:, 3:12].reshape(b, 3, 3),
        angle=np.array([y[:, i, 12 + i] for i in range(n)]).T,
        twist=x[:, :n] / tubes.torsion,
        ends=y[..., :3],
        moment=plate[:, 0, -3:],
        found=good,
        turned=same,
    )
