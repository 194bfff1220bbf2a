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
from flexura.solve.cone.projections import SOLVED, Projections
from flexura.solve.cone.rows import Rows
from flexura.typing import Array, Matrix

# Sweeps of Gauss-Seidel and of alternating directions before each run of Newton's method, and how
# often both are tried.
SWEEPS, ALTERNATIONS, ROUNDS = 20, 400, 8
# What contacts give, relative to the robot, on the way to a problem that resists: this part, then
# this part of that.
SOFTER = 0.1
# Forces that miss their sign by less, relative to the largest gap, do not.
NEARLY = 1e-11
# What rubs by this part of the most there can be slides.
LIMIT = 1.0 - 1e-6
# Rounds that miss by as much as the one before, but for this part of it, lead nowhere.
ALIKE = 0.01


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
    sweeps: int = SWEEPS, rounds: int = ROUNDS, keep: bool = False,
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
        keep: whether what presses in the guess shall do so on where there are several solutions,
            however far its multipliers are off.
    """
    if not newton:
        return _solve_together(compliance, b, rows, start, False, sweeps, rounds)
    found, missed, done, taken = np.zeros_like(b), 0.0, 0, 0
    for own, kinds in parts_of(compliance, rows):
        part = compliance if len(own) == len(b) else compliance[np.ix_(own, own)]
        one = _kept(part, b[own], kinds, start[own]) if keep else None
        one = one or _solve_together(part, b[own], kinds, start[own], True, sweeps, rounds)
        found[own], missed = one.multipliers, max(missed, one.residual)
        done, taken = max(done, one.sweeps), max(taken, one.iterations)
    return Solved(found, missed, done, taken)


def _solve_together(
    compliance: Matrix, b: Array, rows: Rows, start: Array, newton: bool, sweeps: int, rounds: int
) -> Solved:
    """The same, all rows at once."""
    typical = float(np.abs(np.diag(compliance)).mean())
    W = _regular(compliance, typical)
    problem = Projections(W, b, rows)
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
            x, steps, _ = Projections(soft, b, rows).newton(x)
            taken += steps
        found, steps, missed = problem.newton(x)
        taken += steps
        best = min(best, (found, missed), key=_miss)
        circles = not sweeping.definite and abs(missed - last) <= ALIKE * last
        if best[1] <= SOLVED or circles:
            break
        last = missed
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
    problem = Projections(compliance, b, rows)
    if not _definite(compliance):
        found, taken, missed = problem.newton(_as_before(compliance, b, rows, start))
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


def _kept(compliance: Matrix, b: Array, rows: Rows, start: Array) -> Solved | None:
    """The solution where what presses does so on, if there may be others; None if there is none.

    Where the robot is unstable without its contacts others lift all of it off, or lead it far.
    """
    if not start.any() or _definite(compliance):
        return None
    W = _regular(compliance, float(np.abs(np.diag(compliance)).mean()))
    problem = Projections(W, b, rows)
    for limit in (LIMIT, np.inf):  # where it slides, the guess misses by little in any case
        found, taken, missed = problem.newton(_as_before(W, b, rows, start, limit), least=1)
        if missed <= SOLVED:
            return Solved(problem.open(found), missed, 0, taken)
    return None


def _regular(compliance: Matrix, typical: float) -> Matrix:
    """The compliance and a trifle of what is typical of it."""
    return np.asarray(compliance + TRIFLE * typical * np.eye(len(compliance)))


def _as_before(
    compliance: Matrix, b: Array, rows: Rows, start: Array, limit: float = LIMIT
) -> Array:
    """Multipliers where what presses does so on, what sticks stays, and what slides rubs as much.

    Args:
        compliance: W, (n, n).
        b: gaps and ways without multipliers, (n,).
        rows: what each row is.
        start: what presses, sticks and slides.
        limit: the part of the most friction there can be from which on it slides.
    """
    n = rows.normal[start[rows.normal] > 0.0]
    friction, rubs = rows.friction[start[rows.normal] > 0.0], start[n[:, None] + (1, 2)]
    slides = np.linalg.norm(rubs, axis=1) >= limit * friction * start[n]
    still, moves = n[~slides], n[slides]
    holds = np.concatenate([rows.single[start[rows.single] > 0.0], still, still + 1, still + 2])
    exerts = np.zeros((len(b), len(holds) + len(moves)))
    exerts[holds, np.arange(len(holds))] = 1.0
    along = np.arange(len(holds), exerts.shape[1])
    exerts[moves, along] = 1.0
    for i in (1, 2):
        exerts[moves + i, along] = start[moves + i] / start[moves]
    held = np.append(holds, moves)
    return np.asarray(
        exerts @ np.linalg.lstsq((compliance @ exerts)[held], -b[held], rcond=None)[0]
    )


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
