"""From the end of a fit to what the user gets."""

from collections.abc import Mapping, Sequence

import numpy as np

from flexura.result.calibration import Calibration, CalibrationStatus
from flexura.result.comparison import Comparison
from flexura.result.many import StaticResults
from flexura.solve.calibration.least_squares import Fitted
from flexura.solve.calibration.problem import Trial
from flexura.solve.calibration.slope import CalibrationProblem
from flexura.solve.calibration.told import in_words, told, vague
from flexura.solve.calibration.unknown import Driven, Unknown
from flexura.text import roughly
from flexura.typing import Array, Indices, Matrix
from flexura.value import Catalog

# Residuals that are larger than sigma says by this factor are said to be; with so many standard
# deviations of what chance does to the factor.
LARGER, CHANCE = 1.2, 5.0


def report(problem: CalibrationProblem, fitted: Fitted[Trial]) -> Calibration:
    """What a fit has found."""
    point = fitted.point
    numbers = np.concatenate(
        [x.coordinates(v) for x, v in zip(problem.unknowns, point.values, strict=True)]
    )
    found = told(fitted.jacobian)
    left = len(point.residual) - found.rank
    spread = float(np.sqrt(point.residual @ point.residual / left)) if left else np.nan
    labels = [label for unknown in problem.unknowns for label in unknown.labels]
    down, up = problem.room(point)
    covariance = _scaled(found.covariance, 1.0 if problem.weights.given else spread**2)
    untold = [in_words(change, labels, numbers) for change in found.untold]
    for i in vague(covariance, problem.sizes(point)).tolist():
        error = np.sqrt(covariance[i, i])
        untold.append(f"{labels[i]!r} is told to ±{error:.2g} only, which tells nothing")
        covariance[i] = covariance[:, i] = 0.0
        covariance[i, i] = np.inf
    status = _status(fitted, bool(untold))
    return _calibration(
        problem,
        point.values,
        StaticResults(point.results),
        status=status,
        covariance=covariance,
        spread=spread,
        untold=tuple(untold),
        active=tuple(np.array(labels, dtype=object)[(down == 0.0) | (up == 0.0)].tolist()),
        iterations=fitted.iterations,
        remarks=(*_wandered(fitted, status), *_remarks(problem, status, spread, left)),
    )


def unsolved(
    problem: CalibrationProblem, values: Sequence[Array], results: StaticResults
) -> Calibration:
    """What there is to say where equilibria are missing from the beginning."""
    failed = np.flatnonzero(~results.converged).tolist()
    remarks = tuple(f"observation {i}: {results[i].status}" for i in failed[:3])
    if len(failed) > len(remarks):
        remarks += (f"and {len(failed) - len(remarks)} more observations",)
    n = problem.n_unknowns
    return _calibration(
        problem,
        values,
        results,
        status=CalibrationStatus.UNSOLVED,
        covariance=np.diag(np.full(n, np.inf)),
        spread=np.nan,
        untold=(),
        active=(),
        iterations=0,
        remarks=remarks,
    )


def _scaled(covariance: Matrix, variance: float) -> Matrix:
    """A covariance for residuals of a variance; what is infinite stays so, also if that is zero."""
    found = covariance.copy()
    found[np.isfinite(found)] *= variance
    return found


def _status(fitted: Fitted[Trial], untold: bool) -> CalibrationStatus:
    if fitted.stuck:
        return CalibrationStatus.STUCK
    if not fitted.converged and not untold:  # else they wander along what is not told
        return CalibrationStatus.EXHAUSTED
    return CalibrationStatus.UNTOLD if untold else CalibrationStatus.CONVERGED


def _wandered(fitted: Fitted[Trial], status: CalibrationStatus) -> tuple[str, ...]:
    """What to know where iterations ran out along what cannot be told."""
    if fitted.converged or status is not CalibrationStatus.UNTOLD:
        return ()
    return ("the iterations ran out while unknowns went along what measurements cannot tell",)


def _remarks(
    problem: CalibrationProblem, status: CalibrationStatus, spread: float, left: int
) -> tuple[str, ...]:
    """What else to know."""
    found = []
    if status is CalibrationStatus.STUCK and problem.failed:
        found.append(f"the last step that failed: {problem.failed}")
    if problem.weights.given and left and spread > LARGER + CHANCE / np.sqrt(2.0 * left):
        found.append(
            f"residuals are {roughly(spread)} times as large as sigma says: the model cannot be "
            "brought nearer to the measurements, or sigma is too small; true errors are larger "
            "than these"
        )
    if not left and not problem.weights.given:
        found.append(
            "there are as many unknowns as measured numbers and no sigma: errors cannot be told"
        )
    return tuple(found)


def _calibration(
    problem: CalibrationProblem,
    values: Sequence[Array],
    results: StaticResults,
    *,
    status: CalibrationStatus,
    covariance: Matrix,
    spread: float,
    untold: tuple[str, ...],
    active: tuple[str, ...],
    iterations: int,
    remarks: tuple[str, ...],
) -> Calibration:
    """All of it, with unknowns by name."""
    inputs, offsets = dict[str, Array](), dict[str, float]()
    table = results.model.inputs
    for unknown, value in zip(problem.unknowns, values, strict=True):
        if not isinstance(unknown, Driven) or unknown.observation is not None:
            continue
        for name in unknown.inputs:
            if unknown.added:
                offsets[name] = offsets.get(name, 0.0) + float(value)
            else:
                known = table.described.changed(inputs)
                inputs[name] = unknown.applied(known, value).value(name)
    by_name, places = _named(problem, values)
    own = {x.name for x in problem.unknowns if isinstance(x, Driven) and x.observation is not None}
    return Calibration(
        status=status,
        comparison=Comparison(tuple(problem.observations), results, problem.registration(values)),
        values=Catalog(by_name),
        labels=tuple(label for unknown in problem.unknowns for label in unknown.labels),
        places=Catalog(places),
        covariance=covariance,
        spread=spread,
        untold=untold,
        active=active,
        iterations=iterations,
        each=tuple(x for x in by_name if x in own),
        inputs=Catalog(inputs),
        offsets=Catalog(offsets),
        remarks=remarks,
    )


def _named(
    problem: CalibrationProblem, values: Sequence[Array]
) -> tuple[Mapping[str, Array | float], Mapping[str, Indices]]:
    """Values of the unknowns, and places of their numbers, by name."""
    parts: dict[str, list[tuple[Unknown, Array, slice]]] = {}
    for entry in zip(problem.unknowns, values, problem.places, strict=True):
        parts.setdefault(entry[0].name, []).append(entry)
    found, places = dict[str, Array | float](), dict[str, Indices]()
    for name, entries in parts.items():
        own = [_shaped(unknown, place) for unknown, _, place in entries]
        if isinstance(entries[0][0], Driven) and entries[0][0].observation is not None:
            found[name] = np.array([value for _, value, _ in entries])
            places[name] = np.array(own)
        else:
            value = entries[0][1]
            found[name] = value if value.shape else float(value)
            places[name] = own[0]
    return found, places


def _shaped(unknown: Unknown, place: slice) -> Indices:
    """Places of the numbers of an unknown, shaped as its value; of a pose in a row."""
    shape = (unknown.size,) if unknown.is_pose else unknown.start.shape
    return np.arange(place.start, place.stop).reshape(shape)
