"""What a result says of its stability: why that is not known, and what moves freely."""

from dataclasses import replace

from flexura.model.assemble import Assembly
from flexura.result.static import StaticResult
from flexura.solve.equilibrium import Report
from flexura.solve.free_motion import free_motions
from flexura.solve.growth import doubts


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
