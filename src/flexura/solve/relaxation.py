"""Going downhill to a stable equilibrium, where Newton's method finds none.

Newton goes to whatever equilibrium is near, or nowhere. Here motions are held back by D > 0, as
much as it takes to make the tangent positive definite on the motions that constraints allow, and
steps short:

    (K + damping D) dq = -r

an implicit step of the gradient flow D dq/dt = -r. As it ends, the damping vanishes and it is
Newton's method again. Its equilibrium is stable, but another one than raising the load may lead to.

Where a robot is symmetric, no force drives it off an unstable equilibrium: it is pushed along the
motion that gives way most.
"""

from itertools import chain
from typing import Protocol

import numpy as np

from flexura.matrix.structure import Factor
from flexura.model.assemble import Assembly
from flexura.model.inputs import Inputs
from flexura.model.step import Linearised, linearise
from flexura.model.touch_rows import touch_rows
from flexura.result.status import Status
from flexura.solve.constrained import HeldFactor, active_rows, held_inertia
from flexura.solve.contact.holding import turning_springs
from flexura.solve.equilibrium import (
    Equilibrium,
    Iterate,
    factorised,
    regular,
    solve_equilibrium,
    step_by,
    stiffened,
)
from flexura.solve.mechanism import Rest, at_rest
from flexura.solve.newton import Outcome
from flexura.typing import Array

RELAXING = 300  # iterations
# Sections turn by no more than this in a step [rad].
REACH = 1.0
# Damping, relative to the stiffness: the least, which is what rounding adds (threads bend by 1e-12
# of what stretches them); the most, and how it grows from try to try and shrinks from step to step;
# their product is not 1, so that it is not always the same that is tried. Below the least there is
# none. From a start nearly in balance none is tried first after steps that turn by no more than
# this [rad].
LEAST, MOST = 1e-15, 1e6
HARDER, EASIER = 4.0, 0.3
SHORT = 0.3
# What goes further than this, over the size of the robot, goes on for ever.
ENDLESS = 30.0
# Pushes off unstable equilibria, how much each turns sections [rad], or less where something is in
# the way, and inverse iterations to find the way.
PUSHES, PUSH, INVERSE_ITERATIONS = 3, 0.1, 40
GENTLER = (1.0, 0.1, 0.01)
# A push may lead this deep into what is in the way, over the length.
TOUCHES = 1e-6


def relax(
    assembly: Assembly,
    inputs: Inputs,
    start: Iterate,
    iterations: int,
    relief: Array | None = None,
    stepper: "DampedStep | None" = None,
) -> Outcome[Iterate]:
    """Go downhill from a point."""
    problem = Equilibrium(assembly, inputs, stepper or DampedStep(), relief)
    return solve_equilibrium(problem, start, iterations)


class DampedStep:
    """The least damped step that goes downhill and is short; a ``Stepper``.

    Attributes:
        damped: whether any step was; else they are all Newton's.
    """

    def __init__(self, near: bool = False) -> None:
        """Prepare steps; ``near`` if the start is nearly in balance, so that damping may fall."""
        self.damped, self._damping, self._near, self._short = False, 0.0, near, False
        self._begin: Array | None = None

    @property
    def status(self) -> Status:
        """How an equilibrium was found that these steps led to."""
        return Status.RELAXED if self.damped else Status.CONVERGED

    def __call__(self, problem: Equilibrium) -> Linearised | None:
        """The step from the last evaluation; None if there is none."""
        assembly = problem.assembly
        if self._begin is None:
            self._begin = assembly.nodes[:, :3, 3].copy()
        if _goes_on(assembly, self._begin):
            return None
        trial = _Trial(assembly, damping_weight(assembly), at_rest(assembly))
        begin = 0.0 if self._short and trial.serves(0.0) else self._damping
        damping, step = trial.least(begin)
        # Where gaps of joints ask for more, a part of the step is taken.
        turn = np.inf if step is None else step.rotation
        easier = min(EASIER, turn) if self._near else EASIER
        self._damping = damping * easier if damping > LEAST else 0.0
        self._short = self._near and turn <= SHORT
        if step is None or damping <= (LEAST if self._near else 0.0):
            return step
        self.damped = True
        # A damped step is no sign of an end, however small it is.
        return step._replace(size=max(step.size, 1.0))


class _Trial:
    """Steps from one evaluation, each with another damping."""

    def __init__(self, assembly: Assembly, weight: Array, rest: Rest | None) -> None:
        self._assembly, self._weight, self._rest = assembly, weight, rest
        self._found: dict[float, Linearised | None] = {}

    def step(self, damping: float) -> Linearised | None:
        """The step with a damping, None if that does not go downhill."""
        if damping not in self._found:
            held_back, step = damping * self._weight, None
            if _downhill(self._assembly, held_back, self._rest):
                step = step_by(self._assembly, self._factor(held_back), rest=self._rest)
            self._found[damping] = step
        return self._found[damping]

    def _factor(self, held_back: Array) -> Factor:
        """The tangent with damping, regular also where nothing resists."""
        if self._rest is not None:
            return regular(self._assembly, held_back)
        return factorised(self._assembly, held_back=held_back)

    def serves(self, damping: float) -> bool:
        """Whether a step goes downhill and is short; what does so with less does with more."""
        step = self.step(damping)
        return step is not None and step.rotation <= REACH

    def least(self, begin: float) -> tuple[float, Linearised | None]:
        """The least damping that serves, of ``begin`` and what is harder by steps; and its step.

        The hardest one may take a step that is not short.
        """
        if self.serves(begin):
            return begin, self.step(begin)
        grid = [max(LEAST, HARDER * begin)]
        while HARDER * grid[-1] <= MOST:
            grid.append(HARDER * grid[-1])
        # from nothing, it may be any; else it is one of the next
        low, high, stride = -1, len(grid) - 1, 1
        while begin > 0.0 and low + stride < high:
            if self.serves(grid[low + stride]):
                high = low + stride
                break
            low, stride = low + stride, 2 * stride
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.serves(grid[middle]) else (middle, high)
        return grid[high], self.step(grid[high])


def _goes_on(assembly: Assembly, begin: Array) -> bool:
    """Whether nodes have left where they began for good, as what slides freely under a load."""
    rods = assembly.model.places.values()
    size = assembly.model.length + sum(place.rod.length for place in rods)
    size += float(np.ptp(begin, axis=0).max())
    return bool(np.abs(assembly.nodes[:, :3, 3] - begin).max() > ENDLESS * size)


class Downhill(Protocol):
    """How to go downhill."""

    def __call__(
        self, assembly: Assembly, inputs: Inputs, start: Iterate, iterations: int
    ) -> Outcome[Iterate]:
        """Go downhill from a point, in so many iterations."""


def leave(
    assembly: Assembly,
    inputs: Inputs,
    unstable: Iterate,
    iterations: int,
    downhill: Downhill = relax,
) -> tuple[Outcome[Iterate] | None, int]:
    """Leave an unstable equilibrium and go downhill.

    Returns where that ended, None if there is no way out of it, and iterations.
    """
    point, found, used = unstable, None, 0
    for _ in range(PUSHES):
        problem = Equilibrium(assembly, inputs)
        problem.evaluate(point)
        push = _push(assembly)
        aside = None if push is None else _aside(problem, push)
        if aside is None:
            break
        found = downhill(assembly, inputs, aside, iterations)
        used += found.iterations
        if not found.converged or found.report.stable is not False:
            break
        point = found.point
    return found, used


def _push(assembly: Assembly) -> Linearised | None:
    """The motion that gives way most, by inverse iteration with just enough damping."""
    weight = damping_weight(assembly)
    *tried, most = (damping * weight for damping in np.geomspace(LEAST, MOST, 22))
    enough = chain((own for own in tried if _downhill(assembly, own)), [most])
    # what makes the tangent singular is not enough
    factors = (factorised(assembly, held_back=own) for own in enough)
    factor = next((own for own in factors if not own.singular), None)
    if factor is None:
        return None
    active = active_rows(assembly)
    held, none = HeldFactor.of(assembly, factor, active), np.zeros(int(active.sum()))
    motion = np.random.default_rng(0).normal(size=assembly.model.n_dof)
    for _ in range(INVERSE_ITERATIONS):
        motion, _ = held.solve(weight * motion, none)
        motion = motion / np.abs(motion).max()
    push = linearise(assembly, motion)
    return push if np.isfinite(motion).all() and push.rotation > 0.0 else None


def _aside(problem: Equilibrium, push: Linearised) -> Iterate | None:
    """Where a push to that side leads that goes down most; None if something is in the way."""
    assembly, touch = problem.assembly, problem.assembly.touch
    deep = 0.0 if touch is None else max(touch.deepest(), TOUCHES * assembly.model.length)
    far = PUSH / push.rotation
    # what advances goes by where the robot was evaluated last
    pairs = [[Iterate(*push.advance(x * far * side)) for side in (1.0, -1.0)] for x in GENTLER]
    for pair in pairs[: 1 if touch is None else None]:
        free = []
        for point in pair:
            problem.evaluate(point)
            if touch is None or touch.deepest() <= deep:
                free.append((assembly.potential(), point))
        if free:
            return min(free, key=lambda x: x[0])[1]
    return None


def _downhill(assembly: Assembly, held_back: Array, rest: Rest | None = None) -> bool:
    """Whether motions that constraints allow meet resistance only; not if there is no telling.

    But for those that are held as nothing resists them.
    """
    structure, values = assembly.layout.structure, stiffened(assembly, held_back)
    if not np.isfinite(values).all():
        return False
    if not assembly.conservative:
        values = structure.symmetric_part(values)
    found = structure.quick_inertia(values) if assembly.layout.n_multipliers else None
    found = structure.inertia(values) if found is None else found
    if found is not None and assembly.touch is not None:
        found = _with_turning(assembly, held_back, found)
    if found == assembly.layout.n_multipliers or found is None or rest is None:
        return found == assembly.layout.n_multipliers
    factor = structure.factorise(values, definite=False)
    if factor.singular:
        return False
    held = rest.rows @ factor.solve(np.asfortranarray(rest.rows.T))
    if not np.isfinite(held).all():
        return False
    return held_inertia(found, held, 0) == assembly.layout.n_multipliers


def _with_turning(assembly: Assembly, held_back: Array, negative: int) -> int | None:
    """Negative eigenvalues with what turns with normals where both sides of contacts move.

    Where one side is fixed that is part of the tangent.
    """
    assert assembly.touch is not None
    rows, give = turning_springs(touch_rows(assembly, assembly.touch))
    if not len(rows):
        return negative
    factor = factorised(assembly, held_back=held_back)
    if factor.singular:
        return None
    compliance = rows @ factor.solve(np.asfortranarray(rows.T)) + np.diag(give)
    if not np.isfinite(compliance).all():
        return None
    return held_inertia(negative, compliance, int(np.count_nonzero(give < 0.0)))


def damping_weight(assembly: Assembly) -> Array:
    """D: what stretches rods or volumes, over the length; without either, forces over the length.

    Rotations times the length are like translations. It is no measure of the tangent, whose entries
    depend on axes, and on how joints write their gaps.
    """
    model, moves = assembly.model, ~assembly.layout.multiplier
    typical = (model.largest_stiffness or assembly.force_scale() or 1.0) / model.length
    return np.where(moves, typical / model.gauge**2, 0.0)
