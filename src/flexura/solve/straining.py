"""What is pulled, pushed or turned in volumes: it strains them, and is followed if need be."""

from dataclasses import replace

from flexura.model.inputs import Inputs
from flexura.result.static import StaticResult
from flexura.result.status import Status
from flexura.solve.followed import Sought, follow

# Iterations to look at once, and the part of the way of each step if that finds nothing.
AT_FIRST, STEP = 60, 0.25


def solve_straining(sought: Sought) -> StaticResult:
    """One search, or several on the way of what moves in volumes."""
    iterations = most = sought.iterations
    moves = sought.start is None and bool(sought.assembly.model.members) and _moves(sought.end)
    if moves:
        most = min(AT_FIRST, iterations)
    found = sought.at_once(most)
    if not moves or found.converged or found.status is Status.COARSE or most == iterations:
        return found
    followed = follow(sought, STEP, iterations - found.iterations)
    return replace(followed, iterations=found.iterations + followed.iterations)


def _moves(end: Inputs) -> bool:
    """Whether inputs move anything from where it is described."""
    table = end.table
    return bool(((end.values != table.described.values) & (table.moving > 0.0)).any())
