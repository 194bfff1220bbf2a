"""Motions that nothing resists: which there are, and whether they go on or only begin.

At a bifurcation, or where a linkage is stretched out, a motion meets no force at first and one of
second order after; a free motion meets none after any way. So robots go a short way along it, and
are brought into equilibrium across it, by Newton's method for

    [ K    D V ] [ dq ]   [ -r ]
    [ Vᵀ D     ] [ s  ] = [  0 ],

V the free motions and D the metric: whatever force along V is left then is out of balance.
"""

from typing import NamedTuple

import numpy as np

from flexura.matrix.structure import Factor
from flexura.model.assemble import Assembly
from flexura.model.inputs import Inputs
from flexura.model.state import State
from flexura.model.step import Linearised, linearise
from flexura.solve.constrained import HeldFactor, active_rows
from flexura.solve.contact.propped import lengths, metric
from flexura.solve.equilibrium import (
    BALANCED,
    LOOSE,
    Equilibrium,
    ForceBalance,
    Iterate,
    Report,
)
from flexura.solve.free_motion_field import Field, named_motions
from flexura.solve.free_motion_name import motion_name
from flexura.solve.margin import uncertain_stiffness, with_margin
from flexura.solve.newton import StepControl, newton
from flexura.typing import Array, Matrix

# How far to go along a motion [rad], or relative to the length, and in how many iterations.
WAY, SHORTER = 0.1, (0.02, 0.004, 8e-4, 1.6e-4)
PATIENCE = 20
# A stiffness that changes on a short way by less than this part of what a bifurcation's would.
STAYS = 0.25
# Motions by 1 rad, or as far as the robot reaches, that strain rods by more than this are resisted;
# what they strain is told by differences of this way.
STRAINED, DIFFERENCE = 1e-5, 1e-4
# Stresses take back what strains resist if they are no less than this part of it.
ROLLS = 0.1
# Inverse iterations, and how many motions to look for at first.
INVERSE_ITERATIONS, MANY = 4, 6
STUCK = (
    "a motion begins without resistance but does not go on: a bifurcation, or a linkage that is "
    "stretched out; the tangent cannot tell stability here"
)


class FreeMotions(NamedTuple):
    """What to say of an equilibrium with motions that meet no force at first.

    Attributes:
        stable: True if all of them go on without force, None if not: the tangent cannot tell then.
        remarks: a sentence about each.
    """

    stable: bool | None
    remarks: tuple[str, ...]


def free_motions(assembly: Assembly, state: State, inputs: Inputs) -> FreeMotions:
    """All motions that meet no more force than rounding makes at an equilibrium.

    Those that rods resist, however little, are not named.
    """
    assembly.evaluate(state, inputs)
    model, motions = assembly.model, neutral_motions(assembly)
    slopes = _slopes(assembly, motions)
    across, stable, remarks = _Across(assembly, motions), bool(motions.size), []
    field = Field.of(assembly, state, inputs, motions)
    parts = named_motions(field, model.length)
    together = len(parts) > 1 and across.all_go_on(motions @ parts.T, state, inputs)
    for part in parts:
        own = np.flatnonzero(part)
        motion, slope = (rows[:, own] @ part[own] for rows in (motions, slopes))
        goes_on = together or across.goes_on(motion, state, inputs)
        stable &= goes_on
        if not goes_on:
            remarks.append(STUCK)
        elif not _resisted(assembly, slope / _size(assembly, motion)):
            remarks.append(motion_name(model, field.combined(part)))
    return FreeMotions(True if stable else None, tuple(dict.fromkeys(remarks)))


def motion_names(
    assembly: Assembly, state: State, inputs: Inputs, motion: Array
) -> tuple[str, ...]:
    """A motion that nothing resists by name, (n_dof,)."""
    assembly.evaluate(state, inputs)
    field = Field.of(assembly, state, inputs, motion[:, None])
    parts = named_motions(field, assembly.model.length)
    return tuple(motion_name(assembly.model, field.combined(part)) for part in parts)


def driven(assembly: Assembly, inputs: Inputs) -> bool:
    """Whether inputs act along motions of the last evaluated state that meet no force at first.

    Those that rods resist meet one, be it less than rounding makes. Dead forces hold what turns: a
    pendulum rests somewhere; what they move without turning it moves for ever.
    """
    state = assembly.state
    motions = _unresisted(assembly, neutral_motions(assembly))
    if not motions.size:
        return False
    assembly.evaluate_residual(state, inputs)
    if assembly.conservative:
        motions = _straight(assembly, motions)
    moves = ~assembly.layout.multiplier
    force = np.abs(motions[moves].T @ assembly.residual[moves]).max(initial=0.0)
    return bool(force / assembly.model.length > _enough(assembly))


def _straight(assembly: Assembly, motions: Matrix) -> Matrix:
    """Motions that turn nothing, of those that given ones span, in columns."""
    layout = assembly.layout
    moves = motions / [_size(assembly, motion) for motion in motions.T]
    turns = moves[layout.pose_dof[:, None] + np.arange(3)].reshape(-1, moves.shape[1])
    _, size, across = np.linalg.svd(turns)
    return np.asarray(moves @ across[int(np.count_nonzero(size > STRAINED)) :].T)


def _unresisted(assembly: Assembly, motions: Matrix) -> Matrix:
    """Motions of the last evaluated state without those that rods resist, in columns."""
    if not motions.size:
        return motions
    moves = motions / [_size(assembly, motion) for motion in motions.T]
    slopes = _slopes(assembly, moves)
    if not np.isfinite(slopes).all():  # there is no telling
        return motions[:, :0]
    bent = np.tile([True] * 3 + [False] * 3, len(slopes) // 6)
    _, size, turn = np.linalg.svd(assembly.model.length * slopes[bent])
    rank = int(np.count_nonzero(size > STRAINED))
    if all(_resisted(assembly, slopes @ part) for part in turn[:rank]):
        return np.asarray(moves @ turn[rank:].T)
    return motions


def _size(assembly: Assembly, motion: Array) -> float:
    """The largest entry of a motion [rad], or relative to how far the robot reaches.

    A chain of many rods bends little in each of them.
    """
    model, span = assembly.model, lengths(assembly)
    span[model.layout.pose_dof[:, None] + np.arange(3, 6)] *= assembly.reach() / model.length
    return float(np.abs(motion / span)[~model.layout.multiplier].max())


def _resisted(assembly: Assembly, slopes: Array) -> bool:
    """Whether a rod resists a motion by 1 rad, or by the length, along which curvatures change.

    What it resists, Σ δκᵀ K δκ, can be taken back by what its stresses do to second order where
    sections turn by ϑ, ½ Σ m·(δκ × ϑ) and ½ Σ |n| |ϑ|²; by neither, where it twists and no more.
    """
    model, changes, first = assembly.model, slopes.reshape(-1, 6)[:, :3], 0
    bends = np.abs(changes).max(axis=1, initial=0.0) * model.length > STRAINED
    begin, bent = [], []
    for part in assembly.parts:
        rod = part.part.group.points.rod
        begin.append(first)
        bent.append(set(rod[bends[first : first + len(rod)]].tolist()))
        first += len(rod)
    for place in model.places.values():
        if place.index not in bent[place.part]:
            continue
        part = assembly.parts[place.part]
        points = part.part.group.points
        own = np.flatnonzero(points.rod == place.index)
        change = changes[begin[place.part] + own]
        weight = points.weight[own, None]
        stiff = (weight * place.rod.stiffness(points.s[own])[:, :3] * change**2).sum(axis=0)
        stress = part.forces.stress[own, :6].reshape(-1, 2, 3)
        moment, force = np.linalg.norm(stress, axis=2).T
        taken = float((moment * np.linalg.norm(change, axis=1) + force).sum())
        if taken < ROLLS * stiff.sum() or stiff[1:].sum() <= STRAINED * stiff[0]:
            return True
    return False


def _slopes(assembly: Assembly, motions: Matrix) -> Matrix:
    """Slopes of the strains at all points along motions of the last evaluated state, in columns.

    By differences; the state is evaluated last again.
    """
    state, inputs, layout = assembly.state, assembly.inputs, assembly.layout
    slopes = [np.empty((len(_strains(assembly)), 0))]
    for motion in motions.T:
        way = DIFFERENCE / _size(assembly, motion)
        moved, ends = np.where(layout.multiplier, 0.0, way * motion), []
        for dq in (moved, -moved):
            assembly.evaluate_residual(layout.retract(state, dq), inputs)
            ends.append(_strains(assembly))
        slopes.append((ends[0] - ends[1])[:, None] / (2.0 * way))
    assembly.evaluate(state, inputs)
    return np.concatenate(slopes, axis=1)


def _strains(assembly: Assembly) -> Array:
    """Strains at all points in the last evaluation, one after another."""
    own = (part.work.strain[:, :6].ravel() for part in assembly.parts)
    return np.concatenate([np.empty(0), *own])


def neutral_motions(assembly: Assembly, factor: Factor | None = None, soft: float = 0.0) -> Matrix:
    """Motions of the last evaluated state that meet no force at first, in columns, (n_dof, n).

    By inverse iteration with the margin added. Of all that span the same, those that move few
    unknowns each.

    Args:
        assembly: what was evaluated.
        factor: of the tangent with the margin, for motions that the tangent alone does not resist;
            if it is not given, constraints and contacts hold.
        soft: what resists by no more than this meets no force either [N].
    """
    n, margin, count = assembly.layout.n_dof, uncertain_stiffness(assembly), MANY
    while True:
        vectors, stiffness = _softest(assembly, min(count, n), margin, factor)
        neutral = np.abs(stiffness) <= max(margin, soft)
        if not neutral.all() or count >= n:
            break
        count *= 2
    length = lengths(assembly)[:, None]
    return _separated(vectors[:, neutral] / length) * length


def _softest(
    assembly: Assembly, count: int, margin: float, alone: Factor | None = None
) -> tuple[Matrix, Array]:
    """The motions that resist least, and by how much [N]; arguments as above."""
    layout = assembly.layout
    weight, moves = metric(assembly), ~layout.multiplier
    length = np.where(moves, assembly.model.gauge * assembly.model.length, 1.0)
    if alone is None:
        factor = layout.structure.factorise(with_margin(assembly, margin), definite=False)
        held = HeldFactor.of(assembly, factor, active_rows(assembly))
        none = np.zeros(len(held.rows))
    own = np.random.default_rng(0).normal(size=(len(length), count)) * length[:, None]
    own[~moves] = 0.0
    for _ in range(INVERSE_ITERATIONS):
        q, _ = np.linalg.qr((own / length[:, None])[moves])
        count = q.shape[1]
        basis = np.zeros((len(length), count))
        basis[moves] = q * length[moves, None]
        loads = np.asfortranarray(weight[:, None] * basis)
        if alone is None:
            own = np.stack([held.solve(load, none)[0] for load in loads.T], axis=1)
        else:
            own = np.asarray(alone.solve(loads))
    # (K + τ D) own = D basis, so basisᵀ D own has the inverses of stiffnesses, in those units
    inverse = basis.T @ (weight[:, None] * own)
    if not np.isfinite(inverse).all():  # there is no telling
        return own, np.full(count, np.inf)
    give, turn = np.linalg.eigh(0.5 * (inverse + inverse.T))
    with np.errstate(divide="ignore"):
        stiffness = 1.0 / give / assembly.model.length - margin
    return own @ turn, stiffness


def _separated(vectors: Matrix) -> Matrix:
    """The same span by vectors that share few unknowns, each with a largest entry of 1."""
    rest = vectors.copy()
    for i in range(rest.shape[1]):
        largest = np.abs(rest[:, i:])
        row, column = np.unravel_index(largest.argmax(), largest.shape)
        swap = [i, i + int(column)]
        rest[:, swap] = rest[:, swap[::-1]]
        rest[:, i] /= rest[row, i]
        others = np.flatnonzero(rest[row])
        others = others[others != i]
        rest[:, others] -= np.outer(rest[:, i], rest[row, others])
    return np.asarray(rest / np.abs(rest).max(axis=0, initial=0.0))


def _enough(assembly: Assembly) -> float:
    """Force that is none [N]."""
    return BALANCED * assembly.force_scale() + uncertain_stiffness(assembly)


class _Way(Equilibrium):
    """An equilibrium on the way along a motion, of which no more is asked than that it is one."""

    def report(self, converged: bool) -> Report:
        """What results keep, without stability."""
        return Report(None, free=False, evaluation=self.assembly.evaluation())


class _Across:
    """Newton's steps without a part along some motions; a ``Stepper``."""

    def __init__(self, assembly: Assembly, motions: Matrix) -> None:
        self._assembly = assembly
        self._rows = (metric(assembly)[:, None] * motions).T

    def goes_on(self, along: Array, state: State, inputs: Inputs) -> bool:
        """Whether a motion is free for a way.

        A shape that is all but straight turns about a line on a small circle: there the way is
        shorter. A bifurcation meets hardly any force on a short way, either, F (w/W)³ if F is left
        after the way W, but its stiffness changes by 3 F w²/W³, and that of a circle does not.
        """
        assembly, many = self._assembly, len(self._rows)
        left = self._walk(WAY, along, state, inputs)
        if left <= _enough(assembly):
            return True
        assembly.evaluate(state, inputs)
        margin = uncertain_stiffness(assembly)
        begin = _softest(assembly, many, margin)[1]
        for way in SHORTER:
            if self._walk(way, along, state, inputs) > _enough(assembly):
                continue
            change = np.abs(_softest(assembly, many, margin)[1] - begin).max()
            if change <= margin and change < STAYS * 3.0 * left * way**2 / WAY**3:
                return True
        return False

    def all_go_on(self, ways: Matrix, state: State, inputs: Inputs) -> bool:
        """Whether several motions, in columns, are free at once, each about as far as any other.

        Not as far as each other, so that what one of them meets is not what another one gives.
        """
        moves = ways / lengths(self._assembly)[:, None]
        size = np.abs(moves[~self._assembly.layout.multiplier]).max(axis=0)
        parts = np.linspace(1.0, 1.0 / np.sqrt(2.0), ways.shape[1])
        return self._walk(WAY, ways @ (parts / size), state, inputs) <= _enough(self._assembly)

    def _walk(self, way: float, along: Array, state: State, inputs: Inputs) -> float:
        """Force that is left some way along a motion, which is evaluated last [N].

        None is enough where gaps are left: those of a linkage that is stretched out go with the
        square of the way.
        """
        assembly, length = self._assembly, lengths(self._assembly)
        assembly.evaluate(state, inputs)
        moves = np.where(assembly.layout.multiplier, 0.0, along / length)
        moved = linearise(assembly, way / np.abs(moves).max() * length * moves).advance()
        problem, control = _Way(assembly, inputs, self), StepControl(reach=1.0)
        newton(problem, Iterate(*moved), ForceBalance(assembly), control, PATIENCE)
        force, gap = problem.imbalance()
        return force if gap <= BALANCED * (way / WAY) ** 2 else np.inf

    def __call__(self, problem: Equilibrium) -> Linearised | None:
        """The step from the last evaluation; None if there is none."""
        assembly = self._assembly
        values = with_margin(assembly, uncertain_stiffness(assembly), LOOSE)
        factor = assembly.layout.structure.factorise(values, definite=False)
        if factor.singular:
            return None
        active = active_rows(assembly)
        held = HeldFactor.of(assembly, factor, active, self._rows)
        gap, touch, touched = assembly.gap[active], assembly.touch, held.touched
        own = len(gap)
        if touch is not None and touched is not None:  # what presses goes on to, or sticks
            along = np.sum(touched.ways * touch.normal[touched.pairs], axis=1)
            gap = np.append(gap, along * touch.gap[touched.pairs])
        dq, change = held.solve(-assembly.residual, gap)
        if not np.isfinite(dq).all():
            return None
        multipliers = np.zeros(assembly.model.n_multipliers)
        multipliers[: len(active)][active] = change[:own]
        if touch is not None and touched is not None:
            pushes = touched.ways * change[own:, None]
            np.add.at(touch.forces(multipliers), touched.pairs, pushes)
        return linearise(assembly, dq, multipliers)
