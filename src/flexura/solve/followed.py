"""Equilibria that are followed from one set of inputs to another, step by step."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from flexura.model.assemble import Assembly
from flexura.model.inputs import Inputs
from flexura.result.static import StaticResult
from flexura.result.status import Status
from flexura.solve.search import Search
from flexura.typing import frozen

# The shortest step, over the first one.
SHORTEST = 1.0 / 8.0


class Sought(NamedTuple):
    """What is looked for.

    Attributes:
        assembly: work space.
        end: the inputs.
        start: where to begin; None for the unloaded robot.
        iterations: to spend at most.
        seek_stable: whether to look further than for an unstable equilibrium.
        since: where sliding counts from; None for the start.
    """

    assembly: Assembly
    end: Inputs
    start: StaticResult | None
    iterations: int
    seek_stable: bool
    since: StaticResult | None = None

    def at_once(self, iterations: int) -> StaticResult:
        """One search, in so many iterations."""
        begun = self.assembly, self.end, self.start, iterations, self.seek_stable
        return Search(*begun, since=self.since).run()


def follow(sought: Sought, step: float, iterations: int) -> StaticResult:
    """The equilibrium that is reached from what inputs move where it is described, or at a start.

    All of the way is one increment: sliding counts from where it begins.
    Where it is lost on the way, what was found last: its load factor tells the part of the way.

    Args:
        sought: what is looked for.
        step: part of the way to go at first in each step.
        iterations: to spend at most.
    """
    assembly, end, start = sought.assembly, sought.end, sought.start
    table, reached = assembly.model.inputs, 0.0
    coarse = start is not None and start.status is Status.COARSE  # then all the way may be
    shortest, used = SHORTEST * step, 0

    def search(inputs: Inputs, before: StaticResult | None, part: float) -> StaticResult:
        left, span = max(0, iterations - used), (reached, part)
        return Search(assembly, inputs, before, left, sought.seek_stable, span, since).run()

    since = start if sought.since is None else sought.since
    if start is None:  # the loads act from the beginning
        described = np.where(table.moving > 0.0, table.described.values, end.values)
        start = search(Inputs(table, frozen(described)), None, 0.0)
        since, used = start if since is None else since, start.iterations
    begin, result = start.given, start
    while reached < 1.0 and used < iterations:
        if not (result.status.equilibrium or (coarse and result.status is Status.COARSE)):
            break
        part = min(1.0, reached + step)
        tried = search(begin.towards(end, part), result, part)
        used += tried.iterations
        told = tried.status in (Status.COARSE, Status.OPEN)
        if tried.converged or told or step <= shortest:
            result, reached = tried, part
        else:
            step *= 0.5
    if reached < 1.0 and result.status.equilibrium:  # iterations ran out
        result = replace(result, status=Status.EXHAUSTED)
    return replace(result, iterations=used)
