"""What a calibration returns."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

import numpy as np

from flexura.errors import NotConverged
from flexura.model.model import Model
from flexura.result.comparison import Comparison, residuals_in_words
from flexura.result.many import StaticResults
from flexura.result.words import value_in_words
from flexura.robot import FrameLike, Robot
from flexura.robot.observation import Observation
from flexura.shown import Facts, Shown
from flexura.text import counted, few
from flexura.typing import Array, ArrayLike, Indices, Matrix, Pose
from flexura.value import Value

ROWS = 12  # unknowns in a print


class CalibrationStatus(Enum):
    """A sentence for every way a calibration can end."""

    CONVERGED = "converged: no small change of the unknowns is nearer to the measurements"
    UNTOLD = (
        "not told: nothing is nearer to the measurements, but they cannot tell some of the "
        "unknowns; untold names them: measure more, or at other inputs, or leave unknowns out"
    )
    UNSOLVED = (
        "not converged: the robot has no equilibrium for some observation with the first guess; "
        "the remarks tell which: give first guesses nearer to the truth"
    )
    STUCK = (
        "not converged: every step from here fails or leads uphill; the remarks tell why: give "
        "bounds or other first guesses"
    )
    EXHAUSTED = "not converged: the iterations ran out; allow more with iterations="

    @property
    def converged(self) -> bool:
        """Whether the unknowns were found, all of them."""
        return self is CalibrationStatus.CONVERGED

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, eq=False, repr=False)
class Calibration(Shown, Value):
    """Unknowns of a robot as measurements tell them.

    Attributes:
        status: how it ended; print it.
        comparison: measurements beside what the fitted model says.
        values: of the unknowns by name: a number, several, or a pose; of those that each
            observation has, along a first axis.
        labels: what each of the n numbers is called.
        places: of the numbers of each unknown among them.
        covariance: of the numbers, (n, n), as if there were no bounds: of the standard deviations
            of the measurements where they are given, else of the residuals; a pose counts with
            its body twist. The variance of what cannot be told is infinite.
        spread: root mean square of the weighted residuals for each degree of freedom that is left:
            about 1 if the model is right and so is sigma. Without sigma, relative to the length of
            the longest rod, 1 rad, and the largest tension that was measured.
        untold: combinations of unknowns that the measurements cannot tell, as sentences.
        active: labels of numbers that are at their bounds.
        iterations: steps that were taken.
        each: names of unknowns that every observation has its own of.
        inputs: unknown inputs that all observations share, by name.
        offsets: what is added to inputs, by name.
        remarks: what else to know.
    """

    status: CalibrationStatus
    comparison: Comparison
    values: Mapping[str, Array | float]
    labels: tuple[str, ...]
    places: Mapping[str, Indices]
    covariance: Matrix
    spread: float
    untold: tuple[str, ...]
    active: tuple[str, ...]
    iterations: int
    each: tuple[str, ...]
    inputs: Mapping[str, Array]
    offsets: Mapping[str, float]
    remarks: tuple[str, ...] = ()

    @property
    def converged(self) -> bool:
        """Whether the unknowns were found, all of them."""
        return self.status.converged

    def unwrap(self) -> "Calibration":
        """This calibration, if it converged.

        Raises:
            NotConverged: with the status, if it did not.
        """
        if not self.converged:
            reasons = "; ".join([str(self.status), *self.untold, *self.remarks])
            raise NotConverged(f"calibrate {self.robot.name!r}: {reasons}")
        return self

    @property
    def model(self) -> Model:
        """The fitted robot, built."""
        return self.comparison.results.model

    @property
    def robot(self) -> Robot:
        """The fitted description; unknown inputs and offsets are no part of it."""
        return self.model.robot

    @property
    def results(self) -> StaticResults:
        """The equilibrium of the fitted robot for each observation."""
        return self.comparison.results

    @property
    def registration(self) -> Pose:
        """Pose of the world in the measuring system, 4x4."""
        return self.comparison.registration

    @property
    def residuals(self) -> tuple[Array, ...]:
        """What the model says less what was measured, of each observation; see ``Comparison``."""
        return self.comparison.residuals

    @property
    def rms(self) -> Mapping[str, float]:
        """Root mean square of the residuals of each kind [m, rad, m, N]."""
        return self.comparison.rms

    def distances(self, frame: FrameLike) -> Array:
        """How far a frame is from where it was measured [m], (n,)."""
        return self.comparison.distances(frame)

    @cached_property
    def errors(self) -> Mapping[str, Array | float]:
        """Standard errors of the unknowns by name, shaped as ``values``; of a pose, six or fewer.

        Of a pose they are those of its body twist, rotation first.
        """
        error = np.sqrt(np.diag(self.covariance))
        return {
            name: float(error[place]) if not place.shape else error[place]
            for name, place in self.places.items()
        }

    @property
    def correlation(self) -> Matrix:
        """Of the numbers, (n, n); NaN for those that cannot be told."""
        error = np.sqrt(np.diag(self.covariance))
        with np.errstate(invalid="ignore"):
            return np.asarray(self.covariance / np.outer(error, error))

    def inputs_of(self, observation: Observation) -> dict[str, ArrayLike]:
        """Inputs of an observation for ``statics``: with unknown inputs and offsets as found."""
        given = self.model.read_inputs(observation.inputs)
        found = {**observation.inputs, **self.inputs}
        for name, offset in self.offsets.items():
            found[name] = float(given.value(name)) + offset
        return found

    def check(self, observations: Sequence[Observation]) -> Comparison:
        """Other observations beside what the fitted model says.

        Raises:
            ModelError: if every observation has unknowns of its own.
        """
        from flexura.solve.calibration.check import check

        return check(self, observations)

    def _facts(self) -> Facts:
        rows = list(self._values_in_words())
        if len(rows) > ROWS:
            rows = [*rows[: ROWS - 1], ("...", f"{counted(len(rows), 'number')} in all")]
        rows += residuals_in_words(self.comparison)
        rows += [("at bounds", few(self.active))] if self.active else []
        rows += [("untold", text) for text in self.untold]
        rows += [("note", text) for text in self.remarks]
        count = counted(len(self.comparison), "observation")
        return Facts(f"Calibration of {self.robot.name!r} by {count}: {self.status}", rows)

    def _values_in_words(self) -> Iterator[tuple[str, str]]:
        """The unknowns with their standard errors, a pose in one row."""
        for name, place in self.places.items():
            value, error = np.asarray(self.values[name]), np.asarray(self.errors[name])
            if value.shape == place.shape:
                rows = zip(place.ravel(), value.ravel(), error.ravel(), strict=True)
                yield from ((self.labels[i], f"{x:.6g} ± {e:.2g}") for i, x, e in rows)
                continue
            poses, errors = value.reshape(-1, 4, 4), error.reshape(-1, error.shape[-1])
            for i, (pose, own) in enumerate(zip(poses, errors, strict=True)):
                text = ", ".join(f"{e:.2g}" for e in own)
                mark = f"[{i}]" if value.ndim > 2 else ""
                yield f"{name}{mark}", f"{value_in_words(pose)} ± ({text})"
