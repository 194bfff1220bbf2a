"""Slopes of residuals by all unknowns: inputs exactly, the description by models beside the model.

    dr/dp = ∂r/∂p + ∂r/∂q dq/dp,      K dq/dp = -∂f/∂p                               (theory 17.2)

∂f/∂p and ∂r/∂p, of forces and of residuals, are differences at fixed unknowns q.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from flexura.errors import ModelError
from flexura.model.assemble import Assembly
from flexura.result.comparison import beside
from flexura.solve.calibration.observed import Observed
from flexura.solve.calibration.problem import Equilibria, Trial
from flexura.solve.calibration.unknown import Described, Driven, Registration
from flexura.solve.calibration.weight import ROUNDING
from flexura.solve.derivative.outlook import outlook
from flexura.solve.derivative.response import Response
from flexura.solve.derivative.tangent import Directions
from flexura.solve.derivative.variation import STEP, Variation, by_parameter
from flexura.typing import Array, Matrix

# Observations that are looked at together with each model beside the model.
CHUNK = 128


class Fixed(NamedTuple):
    """What an observation has at fixed unknowns, or the slopes of it.

    Attributes:
        force: out of balance, (n_dof,).
        gap: of constraints, (n_rows,).
        residual: of what was measured, (p,).
    """

    force: Array
    gap: Array
    residual: Array


class CalibrationProblem(Equilibria):
    """Equilibria with their slopes: what is to be fitted."""

    def jacobian(self, point: Trial) -> Matrix:
        """Slopes of all weighted residuals by all unknowns, (m, n)."""
        around, count = self._around(point), len(self.observations)
        chunks = (range(i, min(i + CHUNK, count)) for i in range(0, count, CHUNK))
        J = np.vstack([rows for own in chunks for rows in self._slopes(point, around, own)])
        return np.where(np.linalg.norm(J, axis=0) <= self._rounded_norms(point, around, J), 0.0, J)

    def sizes(self, point: Trial) -> Array:
        """Changes of numbers that move the tip of a rod by 1 rad, or by the longest rod, (n,).

        Infinite for all unknowns but those of the description.
        """
        found, around = np.full(self.n_unknowns, np.inf), self._around(point)
        if not around:
            return found
        bent = max(point.results, key=lambda x: x.energy)
        response, columns = Response("calibrate", bent), [column for column, _ in around]
        motion = by_parameter(response, [variation for _, variation in around])
        way = np.zeros(len(around))
        for rod in point.model.places:
            try:
                tip = outlook(response, f"{rod}.tip")
            except ModelError:  # it moves along with a motion that meets no force
                continue
            direct = [tip.beside(bent, variation) for _, variation in around]
            twist = np.abs(tip.along(response, motion) + np.stack(direct, axis=-1))
            twist[3:] /= point.model.length
            way = np.maximum(way, twist.max(axis=0))
        found[columns] = np.divide(1.0, way, out=np.full(len(way), np.inf), where=way > 0.0)
        return found

    def next_jacobian(self, point: Trial) -> Matrix | None:
        """The same; None where an equilibrium has none, or the description cannot be changed."""
        try:
            return self.jacobian(point)
        except ModelError as error:
            self.failed = str(error)
            return None

    def _rounded_norms(
        self, point: Trial, around: Sequence[tuple[int, Variation]], J: Matrix
    ) -> Array:
        """Norms of columns that are no more than rounding, (n,).

        A number of the description that changes nothing, were it to double, or of zeros, were it
        as large as its steps take it to be; a number of an input that does nothing beside the
        other ones.
        """
        found, norms = np.zeros(self.n_unknowns), np.linalg.norm(J, axis=0)
        taken = {column: variation.step / STEP for column, variation in around}
        for unknown, value, place in zip(self.unknowns, point.values, self.places, strict=True):
            if isinstance(unknown, Described) and not unknown.is_pose:
                size = max(np.abs(unknown.start).max(), np.abs(value).max())
                for column in range(place.start, place.stop):
                    found[column] = self.rounding / (size or taken[column])
            else:
                found[place] = ROUNDING * norms[place].max()
        return found

    def _around(self, point: Trial) -> list[tuple[int, Variation]]:
        """Models beside that of a point, for each unknown number of the description."""
        found = list[tuple[int, Variation]]()
        bent, values = max(point.results, key=lambda x: x.energy), self.described(point.values)
        for unknown, place in zip(self.unknowns, self.places, strict=True):
            if isinstance(unknown, Described):
                own = self.family.around(point.model, values, unknown.name, bent.state, bent.given)
                found += zip(range(place.start, place.stop), own, strict=True)
        return found

    def _slopes(
        self, point: Trial, around: Sequence[tuple[int, Variation]], chunk: range
    ) -> list[Matrix]:
        """Slopes of some observations."""
        varied = [self._varied(point, variation, chunk) for _, variation in around]
        place, found = self.registration(point.values), []
        for k, i in enumerate(chunk):
            response = Response("calibrate", point.results[i])
            observed = Observed(self.observations[i], response, place)
            J = self._by_inputs(response, observed, i)
            if around:
                columns = [column for column, _ in around]
                J[:, columns] = _by_description(response, observed, [x[k] for x in varied])
            for unknown, own in zip(self.unknowns, self.places, strict=True):
                if isinstance(unknown, Registration):
                    J[:, own] = observed.by_registration(unknown.size == 3)
            found.append(self.weights.of(i, J))
        return found

    def _by_inputs(self, response: Response, observed: Observed, i: int) -> Matrix:
        """Slopes of an observation by inputs; zeros for all other unknowns, (p, n)."""
        J = np.zeros((self.weights.size(i), self.n_unknowns))
        pairs = zip(self.unknowns, self.places, strict=True)
        own = [(x, at) for x, at in pairs if isinstance(x, Driven) and x.serves(i)]
        names = list(dict.fromkeys(name for x, _ in own for name in x.inputs))
        if not names:
            return J
        table, begin, first = response.result.model.inputs, 0, dict[str, int]()
        for name in names:
            first[name] = begin
            begin += len(table[name].directions)
        asked = [
            (at, [first[name] + number for number in unknown.numbers])
            for unknown, at in own
            for name in unknown.inputs
        ]
        columns = sorted({column for _, of_one in asked for column in of_one})
        moved = observed.along(_some(response.by_inputs(names), columns))
        for at, of_one in asked:
            J[:, at] += moved[:, [columns.index(column) for column in of_one]]
        return J

    def _varied(self, point: Trial, variation: Variation, chunk: range) -> list[Fixed]:
        """Slopes at fixed unknowns by a number of the description, of some observations."""
        found = list[list[Fixed]]()
        for model in variation.models:
            assembly = Assembly(model)
            found.append([self._fixed(assembly, point, i) for i in chunk])

        def slope(values: Sequence[Array]) -> Array:
            return variation.stencil.slope(list(values), variation.step)

        return [Fixed(*map(slope, zip(*own, strict=True))) for own in zip(*found, strict=True)]

    def _fixed(self, assembly: Assembly, point: Trial, i: int) -> Fixed:
        """An observation with another model, at the unknowns of a point."""
        result, model = point.results[i], assembly.model
        given = self.inputs(model, point.values, i)
        assembly.evaluate_residual(result.state, given)
        there = replace(result, model=model, given=given, evaluation=assembly.evaluation())
        seen = beside(self.observations[i], there, self.registration(point.values))
        residual = np.concatenate([x.residual for x in seen])
        return Fixed(assembly.residual.copy(), assembly.gap.copy(), residual)


def _some(directions: Directions, columns: Sequence[int]) -> Directions:
    """Some of the directions."""
    return Directions(
        directions.changes[:, columns],
        directions.motion[:, columns],
        directions.multipliers[:, columns],
        tuple(directions.drifts[column] for column in columns),
    )


def _by_description(response: Response, observed: Observed, slopes: Sequence[Fixed]) -> Matrix:
    """Slopes of the residuals of an observation by numbers of the description, (p, m)."""
    force, gap, direct = (np.stack(x, axis=-1) for x in zip(*slopes, strict=True))
    count = len(slopes)
    nothing = np.zeros((response.result.model.inputs.n_values, count))
    motion = response.answer(nothing, -np.asfortranarray(force), gap, (None,) * count)
    return np.asarray(observed.along(motion) + direct)
