"""What results tell of how wrong they may be: by their own equations, or by another solve."""

from math import inf, nan

from flexura.model.balance import balance
from flexura.result.static import StaticResult
from flexura.result.status import Status
from flexura.solve.accuracy.accuracy import accuracy
from flexura.solve.refined import refined
from flexura.solve.whole import lacks_strains, unrestrained
from flexura.solve.workspace import workspace


def told(result: StaticResult) -> float:
    """Largest position error of the rods [m]; NaN where nothing is at rest, inf if not known."""
    if not _rests(result):
        return nan
    if result.model.volumes:
        return inf
    if result.model.tubes:
        return max(refined(result).values())
    with workspace(result.model) as assembly:
        assembly.evaluate(result.state, result.given)
        first = accuracy(result, assembly, balance(assembly))
    return max(first, unrestrained(result)) if lacks_strains(result) else first


def is_at_hand(result: StaticResult) -> bool:
    """Whether that takes no other solve."""
    if result.model.volumes or not _rests(result):
        return True
    return not (result.model.tubes or lacks_strains(result))


def _rests(result: StaticResult) -> bool:
    """Whether it is an equilibrium, and not of a motion."""
    return result.status.equilibrium and result.status is not Status.MOVING
