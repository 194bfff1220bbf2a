"""The small problem of contacts with friction in their compliance: which slide, and with what.

    w = b + compliance λ,      0 ≤ λ_n ⊥ w_n ≥ 0,      |λ_t| ≤ μ λ_n,  λ_t = -μ λ_n w_t / |w_t|

of normal gaps w_n at the end of a step and ways w_t slid in it. This is De Saxcé's cone problem,
λ ∈ K, w + μ |w_t| n ∈ K* [Acary2018]. Newton's method on the projections of Alart and Curnier
[Alart1991] solves it; where it does not from one guess, another comes from alternating directions,
or, where the compliance is not definite, from block Gauss-Seidel.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.solve.cone import coulomb_kernels as kernels
from flexura.solve.cone.alternating import Alternating
from flexura.solve.cone.apart import parts_of
from flexura.solve.cone.complementarity import TRIFLE, not_negative
from flexura.solve.cone.rows import Rows
from flexura.typing import Array, Matrix

# The problem is solved where projections miss by this part of the largest multiplier.
SOLVED = 1e-11
# Sweeps of Gauss-Seidel and of alternating directions before each run of Newton's method, its
# iterations, and how often both are tried.
SWEEPS, ALTERNATIONS, ITERATIONS, ROUNDS = 20, 100, 15, 8
# What contacts give, relative to the robot, on the way to a problem that resists: this part, then
# this part of that.
SOFTER = 0.1
# Forces that miss their sign by less, relative to the largest gap, do not.
NEARLY = 1e-11
# Rounds that miss by as much as the one before, but for this part of it, lead nowhere.
ALIKE = 0.01
# Halvings of a step that does not bring the solution nearer.
HALVINGS = 8


class Solved(NamedTuple):
    """A solution.

    Attributes:
        multipliers: λ, (n,).
        residual: by how much projections miss, relative to the largest multiplier.
        sweeps: of Gauss-Seidel, or of alternating directions; the most of all parts.
        iterations: of Newton's method, likewise.
    """

    multipliers: Array
    residual: float
    sweeps: int
    iterations: int


def solve_coulomb(
    compliance: Matrix, b: Array, rows: Rows, start: Array, newton: bool = True,
    sweeps: int = SWEEPS, rounds: int = ROUNDS,
) -> Solved:  # fmt: skip
    """Solve the problem from a guess, each part that knows nothing of the others by itself.

    Args:
        compliance: what multipliers add to the gaps [m/N], (n, n).
        b: gaps and ways without multipliers [m], (n,).
        rows: what each row is.
        start: a guess of the multipliers [N], (n,).
        newton: whether Newton's method polishes; else there is Gauss-Seidel alone.
        sweeps: of Gauss-Seidel in a row.
        rounds: how often Newton's method is tried again from elsewhere, if it fails.
    """
    if not newton:
        return _solve_together(compliance, b, rows, start, False, sweeps, rounds)
    found, missed, done, taken = np.zeros_like(b), 0.0, 0, 0
    for own, kinds in parts_of(compliance, rows):
        part = compliance if len(own) == len(b) else compliance[np.ix_(own, own)]
        one = _solve_together(part, b[own], kinds, start[own], True, sweeps, rounds)
        found[own], missed = one.multipliers, max(missed, one.residual)
        done, taken = max(done, one.sweeps), max(taken, one.iterations)
    return Solved(found, missed, done, taken)


def _solve_together(
    compliance: Matrix, b: Array, rows: Rows, start: Array, newton: bool, sweeps: int, rounds: int
) -> Solved:
    """The same, all rows at once."""
    typical = float(np.abs(np.diag(compliance)).mean())
    W = compliance + TRIFLE * typical * np.eye(len(b))
    problem = _Problem(W, b, rows)
    if not newton:
        found = np.array(start)
        done = kernels.gauss_seidel(W, b, *rows, found, sweeps, SOLVED)
        return Solved(found, problem.missed(found), done, 0)
    found, taken, missed = problem.newton(start)
    done = 0
    if missed <= SOLVED or not rounds:
        return Solved(problem.open(found), missed, done, taken)
    best, x, last = (found, missed), np.array(start), missed
    sweeping = Alternating(W, b, rows, x)
    for k in range(rounds):
        if sweeping.definite:
            sweeping.sweep(ALTERNATIONS)
            done, x = done + ALTERNATIONS, sweeping.found
            best = min(best, (x, problem.missed(x)), key=_miss)
        else:  # contacts that give, less and less
            soft = W + SOFTER ** (k + 1) * typical * np.eye(len(b))
            done += kernels.gauss_seidel(soft, b, *rows, x, SWEEPS, SOLVED)
            x, steps, _ = _Problem(soft, b, rows).newton(x)
            taken += steps
        found, steps, missed = problem.newton(x)
        taken += steps
        best = min(best, (found, missed), key=_miss)
        now = best[1] if sweeping.definite else missed
        if best[1] <= SOLVED or abs(now - last) <= ALIKE * last:  # or it goes around in circles
            break
        last = now
    return Solved(problem.open(best[0]), best[1], done, taken)


def _miss(found: tuple[Array, float]) -> float:
    """By how much multipliers miss."""
    return found[1]


def solve_normal(
    compliance: Matrix, b: Array, rows: Rows, start: Array, rounds: int = ROUNDS
) -> Solved:
    """Solve the problem without friction, by exchanges; arguments as for ``solve_coulomb``.

    Where bodies turn, the compliance is not symmetric, and exchanges, which go by its symmetric
    part, may end a little off: Newton's method goes on from there. Where the robot is unstable
    without its contacts the compliance is not definite, and there are several solutions; one has
    it leave them all. The one wanted is that of the contacts that hold already, or nearly so.
    """
    problem = _Problem(compliance, b, rows)
    if not _definite(compliance):
        found, taken, missed = problem.newton(_held(compliance, b, start > 0.0))
        if missed <= SOLVED:
            return Solved(found, missed, 0, taken)
    pressed = not_negative(compliance, -b, True, NEARLY)
    if pressed is None:
        return solve_coulomb(compliance, b, rows, start, rounds=rounds)
    missed = problem.missed(pressed)
    if missed <= SOLVED:
        return Solved(pressed, missed, 0, 0)
    other = solve_coulomb(compliance, b, rows, pressed, rounds=0)
    return min(Solved(pressed, missed, 0, 0), other, key=lambda x: x.residual)


def _definite(compliance: Matrix) -> bool:
    """Whether the symmetric part is positive definite."""
    try:
        np.linalg.cholesky(0.5 * (compliance + compliance.T))
    except np.linalg.LinAlgError:
        return False
    return True


def _held(compliance: Matrix, b: Array, holds: NDArray[np.bool_]) -> Array:
    """Multipliers where some gaps vanish whatever their signs are, and the others have none."""
    found = np.zeros_like(b)
    found[holds] = np.linalg.lstsq(compliance[np.ix_(holds, holds)], -b[holds], rcond=None)[0]
    return found


class _Problem:
    """The projections of Alart and Curnier, λ - P(λ - ρ w), and their derivative."""

    def __init__(self, W: Matrix, b: Array, rows: Rows) -> None:
        self._W, self._b, self._rows = W, b, rows
        diagonal = np.abs(np.diag(W))
        self._rho = 1.0 / np.where(diagonal > 0.0, diagonal, 1.0)
        n = rows.normal
        along = 2.0 / (diagonal[n + 1] + diagonal[n + 2]) if len(n) else np.empty(0)
        self._rho[n + 1] = self._rho[n + 2] = along

    def _projected(self, x: Array) -> tuple[Array, Array, Array]:
        """Projections of λ - ρ w, where they would be, and by how much λ misses them."""
        rows = self._rows
        y = x - self._rho * (self._b + self._W @ x)
        p = np.maximum(y, 0.0)
        n = rows.normal
        if len(n):
            size = np.hypot(y[n + 1], y[n + 2])
            allowed = rows.friction * p[n]
            scale = np.where(size > allowed, allowed / np.where(size > 0.0, size, 1.0), 1.0)
            p[n + 1], p[n + 2] = scale * y[n + 1], scale * y[n + 2]
        return p, y, x - p

    def open(self, x: Array) -> Array:
        """The same with nothing, not even rounding, where nothing touches."""
        found, n = np.array(x), self._rows.normal
        none = self._projected(x)[1] <= 0.0
        single, normal = self._rows.single, n[none[n]]
        found[single[none[single]]] = 0.0
        for i in range(3):
            found[normal + i] = 0.0
        return found

    def missed(self, x: Array) -> float:
        """By how much projections miss, relative to the largest multiplier."""
        p, _, error = self._projected(x)
        size = max(float(np.abs(p).max(initial=0.0)), float(np.abs(x).max(initial=0.0)))
        if not np.isfinite(size):  # sweeps may diverge
            return float("inf")
        return float(np.abs(error).max(initial=0.0)) / size if size > 0.0 else 0.0

    def newton(self, x: Array) -> tuple[Array, int, float]:
        """Iterate from a guess; the best that was found, steps, and by how much it misses."""
        p, y, error = self._projected(x)
        size = float(np.linalg.norm(error))
        for k in range(ITERATIONS):
            scale = max(float(np.abs(p).max(initial=0.0)), float(np.abs(x).max(initial=0.0)))
            if float(np.abs(error).max(initial=0.0)) <= SOLVED * scale:
                return x, k, self.missed(x)
            try:
                step = self._step(p, y, error)
            except np.linalg.LinAlgError:
                return x, k, self.missed(x)
            if not np.isfinite(step).all():
                return x, k, self.missed(x)
            part = 1.0
            for _ in range(HALVINGS):
                tried = self._projected(x + part * step)
                new = float(np.linalg.norm(tried[2]))
                if new <= (1.0 - 0.1 * part) * size:
                    break
                part *= 0.5
            else:  # the whole step: which rows hold may have to get worse before it gets better
                part = 1.0
                tried = self._projected(x + step)
                new = float(np.linalg.norm(tried[2]))
            x = x + part * step
            (p, y, error), size = tried, new
        return x, ITERATIONS, self.missed(x)

    def _step(self, p: Array, y: Array, error: Array) -> Array:
        """Newton's step: rows of what is open have ones, and drop out."""
        A, step, n = self._slope(p, y), -error, self._rows.normal
        closed = y > 0.0
        closed[n + 1] = closed[n + 2] = closed[n]
        if closed.all():
            return np.asarray(np.linalg.solve(A, step), dtype=np.float64)
        right = step[closed] - A[np.ix_(closed, ~closed)] @ step[~closed]
        step[closed] = np.linalg.solve(A[np.ix_(closed, closed)], right)
        return step

    def _slope(self, p: Array, y: Array) -> Matrix:
        """Derivative of λ - P(λ - ρ w)."""
        rows, W, rho = self._rows, self._W, self._rho
        found = np.eye(len(y))
        held = rows.single[y[rows.single] > 0.0]
        found[held] = rho[held, None] * W[held]
        n = rows.normal[y[rows.normal] > 0.0]
        if not len(n):
            return found
        found[n] = rho[n, None] * W[n]
        size = np.hypot(y[n + 1], y[n + 2])
        allowed = rows.friction[y[rows.normal] > 0.0] * p[n]
        sticks = n[size <= allowed]
        found[sticks + 1] = rho[sticks + 1, None] * W[sticks + 1]
        found[sticks + 2] = rho[sticks + 2, None] * W[sticks + 2]
        slides = size > allowed
        n, size, allowed = n[slides], size[slides], allowed[slides]
        mu = rows.friction[y[rows.normal] > 0.0][slides]
        if not len(n):
            return found
        s, t = y[n + 1] / size, y[n + 2] / size
        dn, ds, dt = (-rho[k, None] * W[k] for k in (n, n + 1, n + 2))
        at = np.arange(len(n))
        dn[at, n] += 1.0
        ds[at, n + 1] += 1.0
        dt[at, n + 2] += 1.0
        turn = (allowed / size)[:, None] * (t[:, None] * ds - s[:, None] * dt)  # across y
        found[n + 1] -= (mu * s)[:, None] * dn + t[:, None] * turn
        found[n + 2] -= (mu * t)[:, None] * dn - s[:, None] * turn
        return found


def split(
    compliance: Matrix, b: Array, equal: NDArray[np.bool_]
) -> tuple[Matrix, Array, Matrix, Array]:
    """The problem of the rows that are not equal, and how the equal ones follow.

    Returns:
        Compliance and gaps of the others; F, c with λ_equal = c + F λ_others.
    """
    rest = ~equal
    if rest.all():  # most often
        return compliance, b, np.empty((0, len(b))), np.empty(0)
    own = compliance[np.ix_(equal, equal)]
    right = np.column_stack([compliance[np.ix_(equal, rest)], b[equal]])
    solved = np.asarray(-np.linalg.lstsq(own, right, rcond=None)[0], dtype=np.float64)
    follow, constant = solved[:, :-1], solved[:, -1]
    across = compliance[np.ix_(rest, equal)]
    reduced = compliance[np.ix_(rest, rest)] + across @ follow
    return reduced, b[rest] + across @ constant, follow, constant
