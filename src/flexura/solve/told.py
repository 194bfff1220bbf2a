"""What results tell of how wrong they may be: by their own equations, or by another solve."""

from math import inf, nan

from flexura.model.balance import balance
from flexura.result.static import StaticResult
from flexura.result.status import Status
from flexura.solve.accuracy.accuracy import accuracy
from flexura.solve.refined import refined
from flexura.solve.touched import touched
from flexura.solve.whole import lacks_strains, unrestrained
from flexura.solve.workspace import workspace


def told(result: StaticResult) -> float:
    """Largest position error of the rods [m]; NaN where nothing is at rest, inf if not known."""
    if not _rests(result):
        return nan
    if result.model.volumes:
        return inf
    if result.model.contacts is not None:
        return touched(result) if result.model.tubes else max(_first(result), touched(result))
    if result.model.tubes:
        return max(refined(result).values())
    first = _first(result)
    return max(first, unrestrained(result)) if lacks_strains(result) else first


def is_at_hand(result: StaticResult) -> bool:
    """Whether that takes no other solve."""
    if result.model.volumes or not _rests(result):
        return True
    solved = result.model.contacts is not None or result.model.tubes or lacks_strains(result)
    return not solved


def _first(result: StaticResult) -> float:
    """To first order, by its own equations."""
    with workspace(result.model) as assembly:
        assembly.evaluate(result.state, result.given)
        return accuracy(result, assembly, balance(assembly))


def _rests(result: StaticResult) -> bool:
    """Whether it is an equilibrium, and not of a motion."""
    return result.status.equilibrium and result.status is not Status.MOVING
