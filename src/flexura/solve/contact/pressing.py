"""Equilibria with contacts: downhill, held back as much as it takes to respect what is in the way.

    (K + damping D) dq + rowsᵀ dλ = -r,     contacts in their cones

As in ``relaxation``, damping makes the tangent positive definite on the motions that contacts
leave, and steps short: nothing turns far, nothing that is not yet near goes deep into a solid or
through it. What a step would bring there joins the small problem before. As it ends the damping
vanishes, and it is Newton's method.

Motions that nothing but contacts may hold are propped (``propped``). What no contact holds goes
its way, further and further, until something is in it; where nothing is, the robot is not held.
"""

import numpy as np
from numpy.typing import NDArray

from flexura.contact.distance_kernels import FAR
from flexura.matrix.structure import Factor
from flexura.model.assemble import Assembly
from flexura.model.step import Linearised, linearise
from flexura.model.touch import Touch
from flexura.solve.constrained import held_inertia
from flexura.solve.contact.holding import held_rows
from flexura.solve.contact.propped import Propped
from flexura.solve.contact.propping import propped, tangent_in_space
from flexura.solve.contact.small import ENOUGH
from flexura.solve.contact.touching import Stepping
from flexura.solve.equilibrium import LAST_STEP, Equilibrium, factorised, step_by, stiffened
from flexura.solve.equilibrium_kernels import products
from flexura.solve.relaxation import EASIER, HARDER, LEAST, MOST, damping_weight
from flexura.typing import Array, Indices

# Sections turn by no more than this in a step [rad].
REACH = 0.5
# So many times the distance at which they are near, contacts may be deep after a step, or off what
# they press on.
DEEP = 25.0
# Contacts join the small problem of a step in so many rounds, the deepest so many in each, and all
# that are as deep as this part of them; or those that are met within this part of the way.
ROUNDS, MOST_NEW, AS_DEEP, AT_ONCE = 12, 6, 0.5, 0.02
# What nothing holds goes as far as the robot is long, then so many times as far in each step, less
# where something is in its way; beyond so many lengths, or rad, nothing holds it if it comes nearer
# to nothing any more, by this part of its way, or if it turns by as much as that.
FURTHER, SHORTER, AWAY, GRAZES = 3.0, 0.25, 10.0, 1e-3
# Steps past what is seen from near alone are no longer than this part of how near that is.
PART = 0.5
# A step this small is Newton's, whatever the tangent [relative to 1 rad and the length].
SMALL = 1e-3


class PressedStep:
    """The least damped step that respects contacts; a ``Stepper``.

    Attributes:
        damped: whether any step was; else they are all Newton's.
        unsolved: whether the last small problem was not solved.
        unheld: the last step that nothing held, if that goes on for ever, (n_dof,).
    """

    def __init__(self, scout: Assembly, loose: bool, pushed: bool = False) -> None:
        """Prepare.

        Args:
            scout: another assembly of the same model, to look ahead with.
            loose: whether there may be motions that nothing but contacts resists.
            pushed: whether the start was pushed off an unstable equilibrium.
        """
        self._scout, self._loose, self._damping = scout, loose, 0.0
        self._stepping, self._near = Stepping(), False
        self.damped, self.unsolved, self._calm, self._first = False, False, False, not pushed
        self.unheld: Array | None = None
        # how far what nothing resists goes next, goes in this step, and has gone; whether it turns
        self._stride, self._goes, self._gone, self._turns = 1.0, 0.0, 0.0, False
        self._distance: Array | None = None
        assert scout.touch is not None
        seen_near = scout.touch.contacts.scope[len(scout.touch.contacts.solid) :]
        # what is a surface of a volume, or a rod, is seen from near alone
        self._longest = PART * float(seen_near.min(initial=np.inf)) / scout.model.length

    def __call__(self, problem: Equilibrium) -> Linearised | None:
        """The step from the last evaluation; None if there is none."""
        touch = problem.assembly.touch
        assert touch is not None
        if self._gone > 0.0 and not touch.presses:  # nothing rubs in the air
            touch.set_out()
        self._factor = propped(problem.assembly) if self._loose else None
        weight, damping = damping_weight(problem.assembly), self._damping
        # the first step may follow what inputs have moved, which strains the robot at first
        step, self._near = None, self._calm or self._first
        while damping <= MOST:
            held_back = damping * weight
            step = self._short(problem, held_back)
            if step is not None:
                break
            if self._near or self._first:  # a tangent that only contacts make definite, after all
                self._near = self._first = False
                continue
            damping = max(LEAST, HARDER * damping)
        adrift = step is not None and damping == 0.0 and self._stepping.drift is not None
        self._calm = step is not None and not adrift and step.size <= SMALL
        self._first = False
        self._damping = 0.0 if self._calm or damping <= LEAST else damping * EASIER
        self.unsolved = self._stepping.solved.residual > ENOUGH
        if adrift and self._goes_on():
            return None
        if step is None or (damping == 0.0 and not adrift):
            self._stride, self._gone, self._distance = 1.0, 0.0, None
            return step
        self.damped = True
        # A damped step is no sign of an end, however small it is.
        return step._replace(size=max(step.size, 1.0))

    def _short(self, problem: Equilibrium, held_back: Array) -> Linearised | None:
        """The step with some damping, if it is short and respects what is in the way."""
        assembly = problem.assembly
        touch = assembly.touch
        assert touch is not None
        factor: Factor | None = None if held_back.any() else self._factor
        if factor is None:
            factor = factorised(assembly, held_back=held_back)
        goes = self._gone > 0.0 and isinstance(factor, Propped)  # where it goes, all may be
        asked = not (self._near or goes)
        if factor.singular or (asked and not _resists(assembly, factor, held_back)):
            return None
        for _ in range(ROUNDS):
            step = step_by(assembly, factor, stepping=self._stepping)
            if step is not None and self._stepping.drift is not None:
                step = self._along_drift(step, self._stepping.drift)
            if step is None or self._stepping.solved.residual > ENOUGH:
                return None
            if not (step.size < np.inf and step.rotation <= REACH):
                return None
            if self._near and not self._first and step.size > SMALL:
                return None
            reached, new, met = self._reached(problem, step, touch)
            adrift = self._stepping.drift is not None
            if adrift and len(new) and met < 1.0 and not _presses(step, touch):
                return self._approach(problem, step, touch, met)
            if reached and not (adrift and len(new)):
                may = goes or adrift or self._goes_down(problem, factor, held_back, step)
                return step if may else None
            if len(new):
                touch.admit(new)
            elif adrift:
                self._stride *= SHORTER
            else:
                return None
        return None

    def _goes_down(
        self, problem: Equilibrium, factor: Factor, held_back: Array, step: Linearised
    ) -> bool:
        """Whether a step does not go up to the top of a hill, where Newton's method leads, too.

        It was not asked before one from near whether all motions meet resistance. A small one is
        good if it meets some itself; a larger one that follows what inputs have moved, if all do
        where it leads.
        """
        assembly = problem.assembly
        if not self._near:
            return _stays_held(assembly, factor, held_back, step)
        small, up = step.size <= SMALL, not _meets_resistance(assembly, step)
        if step.size <= LAST_STEP or (small and not up):
            return True
        if _resists(assembly, factor, held_back):
            return small or _stays_held(assembly, factor, held_back, step)
        return not (small or up) and self._lands(problem, step)

    def _lands(self, problem: Equilibrium, step: Linearised) -> bool:
        """Whether all motions meet resistance where a step leads."""
        scout, (state, ahead) = self._scout, step.advance()
        assert scout.touch is not None
        if self._loose:
            scout.touch.set_apart()
        scout.evaluate(state, problem.inputs, ahead)
        factor: Factor | None = propped(scout) if self._loose else None
        if factor is None:
            factor = factorised(scout)
        return not factor.singular and _resists(scout, factor, np.zeros_like(step.increments))

    def _approach(
        self, problem: Equilibrium, step: Linearised, touch: Touch, met: float
    ) -> Linearised:
        """The part of a step through the air after which the first thing in its way is near.

        It goes on from there: where it went too deep, what rubs would do so on the way back.
        """
        for _ in range(ROUNDS):
            self._goes *= met
            step = linearise(problem.assembly, met * step.increments)
            _, new, met = self._reached(problem, step, touch)
            if not len(new):
                break
        return step

    def _along_drift(self, step: Linearised, drift: Array) -> Linearised:
        """The step as far along its drift as may be, whatever props make of free motions."""
        assembly, factor = step.assembly, self._factor
        assert factor is not None
        self._stride = min(self._stride, self._longest)
        way = linearise(assembly, drift)
        far = self._part_of(way)
        self._goes, self._turns = far * way.size, way.rotation > GRAZES * way.size
        along, goes = factor.along @ drift, factor.along @ step.increments
        beside = factor.motions @ (goes - (along @ goes) / (along @ along) * along)
        part = min(1.0, self._part_of(linearise(assembly, beside)))
        across = step.increments - factor.motions @ goes
        return linearise(assembly, across + part * beside + far * drift, step.multipliers)

    def _part_of(self, way: Linearised) -> float:
        """How many times a motion may be taken in a step."""
        far = self._stride / way.size if way.size else np.inf
        return min(far, REACH / way.rotation if way.rotation else np.inf)

    def _goes_on(self) -> bool:
        """Whether what nothing holds has gone far, and comes nearer to nothing; it goes on next."""
        self._gone += self._goes
        self._stride *= FURTHER
        if self._gone > AWAY:
            self._scout.look(beyond=np.inf)
            assert self._scout.touch is not None
            before, self._distance = self._distance, self._scout.touch.gap.copy()
            least = GRAZES * self._goes * self._scout.model.length
            nearer = before is None or bool((self._distance < before - least).any())
            if self._turns or not nearer:
                self.unheld = self._stepping.drift
        return self.unheld is not None

    def _reached(
        self, problem: Equilibrium, step: Linearised, touch: Touch
    ) -> tuple[bool, Indices, float]:
        """Whether nothing is too deep or too far after a step.

        Also what else is in its way, and the part of the way where the first of it is near.
        """
        scout = self._scout
        state = step.state()
        scout.place(state, problem.inputs)
        seen = scout.touch
        assert seen is not None
        way = seen.moved_from(touch)
        if way > touch.least_seen:  # it may lead through what neither end of it sees
            problem.assembly.look(beyond=way)
            scout.look(beyond=way)
        own = touch.contacts
        m, n = len(own.solid), len(own.sample)
        # between the middles of both: what goes through comes out on another side
        before, after = (x.gap[:, None] * x.normal for x in (touch, seen))
        for x, found in ((touch, before), (seen, after)):
            found[:m] += own.middle[:, None] * x.normal[:m]
        way = np.linalg.norm(after - before, axis=1)
        way[n:] = np.maximum(*(_passed(x, touch, seen, n) for x in (touch, seen)))
        known = (touch.gap < FAR) & (seen.gap < FAR)
        far = known & (way > np.maximum(touch.gap, 0.0) + own.room)
        # in a hollow, another wall is nearest
        far[:m] &= _shift(touch, seen) > touch.gap[:m]
        deep = seen.gap < -DEEP * own.reach
        # what presses after a step is there, or its normal has turned further than the step knew
        left = touch.forces(step.state().multipliers).any(axis=1) & seen.found
        left &= (seen.gap > DEEP * own.reach) & (self._stepping.drift is None)
        wrong = np.flatnonzero(far | deep | left)
        # what counts nowhere before has no gap for a small problem; the next step knows it
        new = np.setdiff1d(np.flatnonzero((seen.gap < 0.0) & touch.found), touch.near)
        met = (touch.gap[new] - PART * own.reach[new]) / (touch.gap[new] - seen.gap[new])
        first = self._first_of(met, seen.gap[new])
        return not len(wrong), new[first], float(met.min(initial=1.0))

    def _first_of(self, met: Array, end: Array) -> NDArray[np.bool_]:
        """Which of what is in the way joins first: the deepest; on a long way what is met first.

        Args:
            met: at which part of the way each is met.
            end: gaps after it [m].
        """
        if self._stepping.drift is not None:
            return np.asarray(met <= met.min(initial=1.0) + AT_ONCE)
        first = np.zeros(len(end), dtype=np.bool_)
        first[np.argsort(end)[:MOST_NEW]] = True
        return np.asarray(first | (end < AS_DEEP * end.min(initial=0.0)))


def _presses(step: Linearised, touch: Touch) -> bool:
    """Whether anything presses before a step, or after it: else it is one through the air."""
    return touch.presses or bool(touch.forces(step.state().multipliers).any())


def _shift(before: Touch, after: Touch) -> Array:
    """How far samples move beside solids that stay, infinite for others [m], (n,)."""
    own = before.contacts
    n, stays = len(own.solid), own.solids.carrier[own.solid] < 0
    a, b = (x.seen.point[:n] + x.seen.radius[:n, None] * x.normal[:n] for x in (before, after))
    return np.where(stays, np.linalg.norm(b - a, axis=1), np.inf)


def _resists(
    assembly: Assembly, factor: Factor, held_back: Array, multipliers: Array | None = None
) -> bool:
    """Whether all motions that contacts leave meet resistance, but for what is propped.

    Args:
        assembly: what was evaluated.
        factor: of its tangent.
        held_back: what else is on its diagonal, (n_dof,).
        multipliers: of the contacts that hold; those of the state if None.
    """
    structure, values = assembly.layout.structure, stiffened(assembly, held_back)
    if isinstance(factor, Propped):
        values = tangent_in_space(assembly)
    if not np.isfinite(values).all():
        return False
    found = structure.inertia(values if assembly.conservative else structure.symmetric_part(values))
    touch = assembly.touch
    assert touch is not None
    turns = _turns(assembly, touch)
    if found is None or (found == assembly.layout.n_multipliers and not turns):
        return found is not None
    held = held_rows(assembly, touch, multipliers=multipliers)
    rows, give = held.rows, held.give
    if not len(rows):
        return False
    compliance = rows @ factor.solve(np.asfortranarray(rows.T)) + np.diag(give)
    left = held_inertia(found, compliance, int(np.count_nonzero(give < 0.0)))
    return left == assembly.layout.n_multipliers


def _stays_held(assembly: Assembly, factor: Factor, held_back: Array, step: Linearised) -> bool:
    """Whether all motions still meet resistance that contacts leave which press after a step.

    What one of them has held that lets go may go up to the top of a hill by Newton's method.
    """
    touch, before = assembly.touch, assembly.state.multipliers
    assert touch is not None
    after = before + step.multipliers
    pressed, presses = (touch.forces(x).any(axis=1) for x in (before, after))
    return not (pressed & ~presses).any() or _resists(assembly, factor, held_back, after)


def _meets_resistance(assembly: Assembly, step: Linearised) -> bool:
    """Whether the tangent resists along a step: dqᵀ K dq > 0."""
    layout = assembly.layout
    way = np.where(layout.multiplier, 0.0, step.increments)[:, None]
    pushed = np.zeros_like(way)
    products(assembly.values, *layout.structure.entries, way, pushed)
    return float(np.vdot(way, pushed)) > 0.0


def _turns(assembly: Assembly, touch: Touch) -> bool:
    """Whether anything presses that both sides of move: how its normal turns is in its rows."""
    pressed = touch.forces(assembly.state.multipliers)[touch.near].any(axis=1)
    return bool((pressed & ~touch.one_sided[touch.near]).any())


def _passed(nearest: Touch, begin: Touch, end: Touch, first: int) -> Array:
    """How far links go past what was nearest to them, before or after a step [m], (m,).

    Of a rod's own links another one may be the nearest next, in another direction.
    """
    who, share = nearest.seen.who[first:], nearest.seen.share[first:, :, None]
    places = (np.sum(share * x.frames[who, :3, 3], axis=1) for x in (begin, end))
    return np.asarray(np.linalg.norm(np.subtract(*places), axis=1))
