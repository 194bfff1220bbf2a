"""The least squares problem of a calibration: all equilibria for values of the unknowns."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from flexura.errors import ModelError
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.result.comparison import beside
from flexura.result.many import StaticResults
from flexura.result.static import StaticResult
from flexura.robot.observation import Observation
from flexura.solve.calibration.family import Family
from flexura.solve.calibration.unknown import Described, Driven, Registration, Unknown
from flexura.solve.calibration.weight import Weights
from flexura.solve.many import statics_many
from flexura.solve.statics import solve_inputs
from flexura.typing import Array, Pose


@dataclass(frozen=True, eq=False)
class Trial:
    """Values of the unknowns, and the equilibria with them.

    Attributes:
        values: of each unknown.
        model: the robot with them.
        results: an equilibrium for each observation.
        residual: weighted, of what was measured, (m,).
    """

    values: tuple[Array, ...]
    model: Model
    results: tuple[StaticResult, ...]
    residual: Array


class Equilibria:
    """Equilibria of all observations, for values of the unknowns.

    Attributes:
        family: the robots.
        unknowns: what is looked for.
        places: of the numbers of each unknown among all.
        observations: what was measured.
        weights: of what was measured.
        failed: why a step was not possible the last time that one was not.
    """

    def __init__(
        self,
        family: Family,
        unknowns: Sequence[Unknown],
        observations: Sequence[Observation],
        weights: Weights,
    ) -> None:
        self.family, self.unknowns = family, unknowns
        self.observations, self.weights = observations, weights
        ends = np.cumsum([0, *(x.size for x in unknowns)]).tolist()
        self.places = [slice(a, b) for a, b in pairwise(ends)]
        self.n_unknowns: int = ends[-1]
        self.failed = ""

    def registration(self, values: Sequence[Array]) -> Pose:
        """Pose of the world in the measuring system."""
        pairs = zip(self.unknowns, values, strict=True)
        return next((v for x, v in pairs if isinstance(x, Registration)), np.eye(4))

    def described(self, values: Sequence[Array]) -> dict[str, Array]:
        """Values of the unknowns that belong to the description."""
        pairs = zip(self.unknowns, values, strict=True)
        return {x.name: value for x, value in pairs if isinstance(x, Described)}

    def inputs(self, model: Model, values: Sequence[Array], i: int) -> Inputs:
        """Inputs of an observation."""
        found = model.read_inputs(self.observations[i].inputs)
        for unknown, value in zip(self.unknowns, values, strict=True):
            if isinstance(unknown, Driven) and unknown.serves(i):
                found = unknown.applied(found, value)
        return found

    def first(self, model: Model, values: Sequence[Array]) -> StaticResults:
        """All equilibria, from cold."""
        given = [self.inputs(model, values, i).by_name() for i in range(len(self.observations))]
        return statics_many(model, given, threads=1, progress=False)

    def trial(
        self, values: Sequence[Array], model: Model, results: Sequence[StaticResult]
    ) -> Trial:
        """Equilibria beside what was measured."""
        place = self.registration(values)
        parts = [
            self.weights.of(i, np.concatenate([x.residual for x in beside(seen, result, place)]))
            for i, (seen, result) in enumerate(zip(self.observations, results, strict=True))
        ]
        return Trial(tuple(values), model, tuple(results), np.concatenate(parts))

    def moved(self, point: Trial, step: Array) -> Trial | None:
        """All equilibria after a step; None if there is no such robot, or no such equilibrium."""
        pairs = zip(self.unknowns, point.values, self.places, strict=True)
        values = [unknown.moved(value, step[own]) for unknown, value, own in pairs]
        try:
            model = self._model(point, values)
            results = self._solved(model, values, point)
        except ModelError as error:
            self.failed = str(error)
            return None
        if len(results) < len(self.observations):
            return None
        return self.trial(values, model, results)

    def room(self, point: Trial) -> tuple[Array, Array]:
        """How far each unknown may go."""
        pairs = list(zip(self.unknowns, point.values, strict=True))
        down = [np.minimum(x.lower - x.coordinates(value), 0.0) for x, value in pairs]
        up = [np.maximum(x.upper - x.coordinates(value), 0.0) for x, value in pairs]
        return np.concatenate(down), np.concatenate(up)

    @property
    def rounding(self) -> float:
        """What all residuals together are rounded to."""
        return self.weights.rounding

    def _model(self, point: Trial, values: Sequence[Array]) -> Model:
        """The robot with values of the unknowns, that of the point if nothing of it has changed."""
        before, after = self.described(point.values), self.described(values)
        same = all(np.array_equal(before[name], after[name]) for name in before)
        return point.model if same else self.family.model(after, point.model)

    def _solved(self, model: Model, values: Sequence[Array], point: Trial) -> list[StaticResult]:
        """Equilibria that continue those of a point, up to the first that is not found."""
        found = list[StaticResult]()
        for i, before in enumerate(point.results):
            inputs, start = self.inputs(model, values, i), _carried(before, model)
            result = solve_inputs(model, inputs, start)
            if not result.converged and start is not None:
                result = solve_inputs(model, inputs, None)
            if not result.converged:
                self.failed = f"observation {i}: {result.status}"
                break
            found.append(result)
        return found


def _carried(result: StaticResult, model: Model) -> StaticResult | None:
    """A result to start from, of a model that has the same unknowns; None if it has not."""
    home = result.model
    if (home.n_dof, home.inputs.n_values) != (model.n_dof, model.inputs.n_values):
        return None
    given = Inputs(model.inputs, result.given.values)
    return replace(result, model=model, given=given)
