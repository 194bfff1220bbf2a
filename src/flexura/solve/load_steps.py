"""Raising the load in steps, for equilibria that Newton's method does not reach at once."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from flexura.solve.newton import Outcome

FIRST_STEP = 0.1
SMALLEST_STEP = 1e-4
# A step of the load may take this many iterations; fewer than EASY double the next step.
PATIENCE = 12
EASY = 6
# A step that makes a stable robot unstable has jumped to another branch, unless it is so small
# that the path itself has passed a buckling point.
JUMP_STEP = 2e-3

P = TypeVar("P")


@dataclass(frozen=True, eq=False)
class Raised(Generic[P]):
    """Where raising the load ended.

    Attributes:
        outcome: the last equilibrium on the way; None where none was found.
        load_factor: the part of the load that it carries.
        steps: number of load steps that were solved.
        iterations: Newton iterations over all steps, failed ones included.
        singular: whether the last failure was a singular tangent.
    """

    outcome: Outcome[P] | None
    load_factor: float
    steps: int
    iterations: int
    singular: bool

    @property
    def at_full_load(self) -> Outcome[P] | None:
        """The equilibrium with the full load; None where that was not reached."""
        return self.outcome if self.load_factor == 1.0 else None


def raise_load(
    solve: Callable[[float, P, int], Outcome[P]],
    start: P,
    stable: bool | None,
    iterations: int,
    hopeless: Callable[[], bool] = lambda: False,
) -> Raised[P]:
    """Follow an equilibrium while the load grows from 0 to 1.

    Args:
        solve: finds the equilibrium at a part of the load, from a point, in so many iterations;
            its report tells whether it is ``stable``.
        start: the equilibrium at 0, or nearly.
        stable: whether it is.
        iterations: to spend at most.
        hopeless: is asked after a step that failed whether smaller ones will, too.
    """
    found: Outcome[P] | None = None
    point, reached, step = start, 0.0, FIRST_STEP
    used = steps = 0
    singular = False
    while reached < 1.0 and used < iterations and step >= SMALLEST_STEP:
        factor = min(1.0, reached + step)
        outcome = solve(factor, point, min(PATIENCE, iterations - used))
        used += outcome.iterations
        now = outcome.report.stable
        jumped = stable is True and now is False and step > JUMP_STEP
        if outcome.converged and not jumped:
            found, point, reached, stable = outcome, outcome.point, factor, now
            steps += 1
            if outcome.iterations <= EASY:
                step *= 2.0
        else:
            singular = outcome.singular
            step *= 0.25
            if hopeless():
                break
    return Raised(found, reached, steps, used, singular)
