"""More inputs than targets: on to preferred inputs while the frames stay where they are.

    minimise  ½ |W (u - u*)|²   with  e(u) = 0  and within the limits

W weighs inputs by their range. Each step is a quadratic programme along those changes that move no
frame; how these bend with the inputs is learnt from the steps. Then the frames are brought back.
"""

import numpy as np
from scipy.linalg import null_space

from flexura.model.inputs import Inputs
from flexura.solve.inverse.place import Budget, Place
from flexura.solve.inverse.programme import NOTHING, Rows, solve
from flexura.solve.inverse.search import PRICE, Search, learn
from flexura.typing import Array

# A step this small, relative to the scale of the inputs, is the last; so is the last of so many,
# and one that was shortened to the third.
SETTLED, SETTLING, SHORT = 1e-6, 50, 1e-3
# What is learnt may make no direction cheaper than this part of what W says.
CHEAP = 0.1


class Preference:
    """Inputs to be near, for a search that has reached its targets."""

    def __init__(self, search: Search, preferred: Inputs) -> None:
        self._search, self._preferred = search, preferred
        choice = search.question.choice
        wide = choice.most - choice.least
        bounded = np.isfinite(wide) & (wide > 0.0)
        # without bounds, all of one kind count alike
        alike = choice.kind[:, None] == choice.kind
        usual = np.where(alike, search.scale.change, 0.0).max(axis=1)
        self._worth = (search.scale.change / np.where(bounded, wide, usual)) ** 2
        self._bend = np.zeros((len(wide), len(wide)))

    def settle(self, budget: Budget) -> Search:
        """Move on to the preferred inputs; the search that has them."""
        part = 1.0
        for _ in range(SETTLING):
            before, short = self._search, self._short()
            wish = self._wish(short)
            if np.abs(wish).max(initial=0.0) <= SETTLED or part < SHORT or budget.over:
                break
            there = before.after(part * wish)
            if there is not None:
                self._search = there
            if there is None or self._cost(self._short()) >= self._cost(short):
                self._search, part = before, 0.5 * part
            else:
                self._learn(before.place, short)
                part = min(1.0, 2.0 * part)
        return self._search

    def _short(self) -> Array:
        """What is missing to the preferred inputs, (n,)."""
        search = self._search
        choice, here = search.question.choice, search.place.result.given
        return np.asarray(choice.between(here, self._preferred) / search.scale.change)

    def _cost(self, short: Array) -> float:
        return float(self._worth @ short**2)

    def _wish(self, short: Array) -> Array:
        """The step that moves no frame, to first order."""
        search, none = self._search, np.zeros_like(short)
        free = null_space(search.place.slope * search.scale.change, rcond=NOTHING)
        if not free.shape[1]:
            return none
        low, high = search.room()
        tensions = search.scale.relative(search.place.tensions)
        rows = Rows(
            np.concatenate([free, tensions.matrix @ free]),
            np.concatenate([low, tensions.low]),
            np.concatenate([high, tensions.high]),
        )
        far = np.full(free.shape[1], np.inf)
        plain = free.T @ (self._worth[:, None] * free)
        size, turned = np.linalg.eigh(plain + free.T @ self._bend @ free)
        least = CHEAP * float(np.linalg.eigvalsh(plain)[0])
        A = np.sqrt(np.maximum(size, least))[:, None] * turned.T
        gradient = -free.T @ (self._worth * short)
        price = PRICE * (1.0 + float(np.abs(gradient).max()))
        size = np.linalg.solve(A.T, gradient)
        found = solve(A, size, -far, far, rows, price)
        return none if found is None else np.asarray(free @ found)

    def _learn(self, before: Place, short: Array) -> None:
        """Learn how changes bend that move no frame: by what holds the frames against the wish."""
        search = self._search
        step = short - self._short()
        low, high = search.room()
        inside = (low < -SETTLED) & (high > SETTLED)
        slope = search.place.slope * search.scale.change
        wanted = (self._worth * self._short())[inside]
        if not inside.any():
            return
        force = np.linalg.lstsq(slope[:, inside].T, wanted, rcond=None)[0]
        learn(self._bend, step, (slope - before.slope * search.scale.change).T @ force)
