"""A look around where no slope leads on: a minimum, or a saddle, or even the farthest point?

Along changes d that the limits leave free to first order, Dᵀ g = 0, the objective bends by

    H = JᵀJ + Σ e ∇²e + Σ μ ∇²(limits),                                        (theory 16.3)

the last two from differences of slopes after small steps. Where it bends down, or where it is lower
after one of the small steps, there is a way on. What is said of it is what equilibria say.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.linalg import null_space
from scipy.optimize import nnls

from flexura.solve.inverse.place import Place, place_of
from flexura.solve.inverse.programme import NOTHING, Rows, solve
from flexura.solve.inverse.search import BROKEN, LEVEL, PRICE, Search, widened
from flexura.solve.inverse.tension import SUFFIX
from flexura.typing import Array, Matrix

# Lengths of small steps, and of steps where the objective bends down, relative to the scale.
SMALL, LARGE = 1e-3, (0.3, 0.03)
# The objective is lower where it is by this part.
LOWER = 1e-8
# It bends down where it does by this part of the most that it bends.
DOWN = 1e-6


class Around(NamedTuple):
    """What limits leave free around a place, to first order; relative to the scale.

    Attributes:
        n: how many numbers are chosen; after them come tensions that do nothing.
        ways: an orthonormal basis, in columns.
        rows: limits along it.
        forces: that limits of tensions exert where the objective pushes against them.
    """

    n: int
    ways: Matrix
    rows: Rows
    forces: Array

    def within(self, step: Array) -> Array:
        """The step within all limits that is nearest to one."""
        free = np.full(self.ways.shape[1], np.inf)
        size = float(np.abs(step).max(initial=0.0)) or 1.0
        rows = Rows(self.rows.matrix, self.rows.low / size, self.rows.high / size)
        wanted = self.ways.T @ step / size
        price = PRICE * (1.0 + float(np.abs(wanted).max(initial=0.0)))
        found = solve(np.eye(len(wanted)), -wanted, -free, free, rows, price)
        return np.zeros(len(step)) if found is None else size * (self.ways @ found)


def lower_nearby(search: Search) -> Place | None:
    """A place that is better than one where slopes lead nowhere; None if there is none around."""
    here, around = search.place, _around(search)
    best, steps, bends = here, [], []
    limit = search.merit(here) - LOWER * here.objective
    for way in around.ways.T:
        step = _small(around, way)
        there = None if step is None else search.probe(step[: around.n])
        if there is None or step is None:
            continue
        step = step[: around.n]
        if search.merit(there) < min(limit, search.merit(best)):
            best = there
        steps.append(step)
        bends.append(_bend(search, around, step, there))
    for way in _downhill(steps, bends):
        for length in LARGE:
            wide = np.pad(length * way, (0, len(around.ways) - around.n))
            there = search.probe(around.within(wide)[: around.n])
            if there is not None and search.merit(there) < min(limit, search.merit(best)):
                best = there
                break
    return (best if best is not here else None) or _let_hang(search)


def _let_hang(search: Search) -> Place | None:
    """A place that is better by letting tendons hang that cannot be shortened any further.

    Others are taken up as they come loose, so that those without tension are held as they are.
    """
    place, question = search.place, search.question
    tensions, held = question.tensions, place.response.tangent.active
    band = tensions.band
    high = dict(zip(question.choice.labels, search.limits()[1].tolist(), strict=True))
    sides = tensions.active(place.result.evaluation.values)
    loose = [
        int(row)
        for row, label, least in zip(tensions.rows, band.labels, band.least, strict=True)
        if sides.get(label) == "lower"
        and least <= 0.0
        and held[row]
        and high.get(label.removesuffix(SUFFIX), 1.0) <= BROKEN
    ]
    for some in [loose, *([row] for row in loose if len(loose) > 1)]:
        other = place_of(question, place.result, some) if some else None
        there = None if other is None else search.onwards(other)
        if there is not None and search.merit(there) < search.merit(place) * (1.0 - LOWER):
            return there
    return None


def _around(search: Search) -> Around:
    """What limits leave free where the search is."""
    place, change = search.place, search.scale.change
    low, high = search.limits()
    tensions, n = search.scale.rows(place), len(change)
    slope, gradient = place.slope * change, place.gradient * change
    steep = float(np.linalg.norm(slope, axis=0).max(initial=0.0) * np.linalg.norm(place.error))
    if place.idle is not None:
        _, gradient, low, high = widened(place.idle, slope, gradient, low, high)
    every = Rows(
        np.concatenate([np.eye(len(low)), tensions.matrix]),
        np.concatenate([low, tensions.low]),
        np.concatenate([high, tensions.high]),
    )
    below, above = every.low >= -BROKEN, every.high <= BROKEN
    normals = np.concatenate([-every.matrix[below], every.matrix[above]])
    force = np.zeros(0)
    if len(normals):
        force = nnls(normals.T, -gradient)[0]
    firm = force * np.linalg.norm(normals, axis=1) > LEVEL * steep
    signed = np.zeros(len(every.low))
    np.add.at(signed, np.flatnonzero(below), -force[: below.sum()])
    np.add.at(signed, np.flatnonzero(above), force[below.sum() :])
    ways = null_space(normals[firm], rcond=NOTHING) if firm.any() else np.eye(len(low))
    forces = signed[len(low) :][: len(place.tensions.low)]
    return Around(n, ways, every._replace(matrix=every.matrix @ ways), forces)


def _small(around: Around, way: Array) -> Array | None:
    """A small step one way or the other; None if limits are in both."""
    for side in (1.0, -1.0):
        step = around.within(side * SMALL * way)
        if np.linalg.norm(step[: around.n]) > 0.1 * SMALL:
            return step
    return None


def _bend(search: Search, around: Around, step: Array, there: Place) -> Array:
    """How the slope of the objective, and of limits that push, changes along a step, (n,)."""
    here, change = search.place, search.scale.change
    slope = here.slope * change
    found = slope.T @ (slope @ step) + ((there.slope - here.slope).T @ here.error) * change
    before, after = (search.scale.relative(x.tensions).matrix for x in (here, there))
    if len(around.forces):
        found = found + (after - before).T @ around.forces
    return np.asarray(found)


def _downhill(steps: list[Array], bends: list[Array]) -> Iterator[Array]:
    """Directions along which the objective bends down, both ways, most first."""
    if not steps:
        return
    axes, sizes = np.linalg.qr(np.array(steps).T)
    if np.linalg.cond(sizes) > 1.0 / LOWER:
        return
    H = np.linalg.solve(sizes.T, np.array(bends) @ axes)
    size, turned = np.linalg.eigh(0.5 * (H + H.T))
    for i in np.flatnonzero(size < -DOWN * np.abs(size).max()):
        yield axes @ turned[:, i]
        yield -axes @ turned[:, i]
