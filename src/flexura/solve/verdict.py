"""What is said of results: of their stability, of how coarse they are, of turns, in this order."""

from dataclasses import replace

from flexura.model.assemble import Assembly
from flexura.result.static import StaticResult
from flexura.solve.equilibrium import Report
from flexura.solve.free_motion import free_motions
from flexura.solve.growth import doubts
from flexura.solve.suspected import told_if_coarse
from flexura.solve.unwound import told_if_unwound


def with_verdict(found: StaticResult, report: Report, assembly: Assembly) -> StaticResult:
    """The same, with remarks on its stability if it is an equilibrium.

    Args:
        found: a result.
        report: of the evaluation that it comes from.
        assembly: of its model; it is evaluated anew where motions are free.
    """
    if not found.converged:
        return found
    if report.stable is None:
        untold = doubts(assembly, report.grows)
        return replace(found, remarks=(*found.remarks, *untold))
    if not report.free:
        return found
    free = free_motions(assembly, found.state, found.given)
    return replace(found, stable=free.stable, remarks=(*found.remarks, *free.remarks))


def concluded(found: StaticResult, wound: bool = False) -> StaticResult:
    """The same, with what is to be said of a result that a user gets, its verdict given.

    Args:
        found: a result.
        wound: whether rods were wound up on the way to it.
    """
    return told_if_unwound(told_if_coarse(found, wound))
