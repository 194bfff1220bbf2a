"""Joints and motors that turn far: they are followed from their described values, or a start's.

A robot with loops of joints may be assembled in several ways, and a rod may be wound up: a pose
does not tell how often. Tubes of a set wind each other up (``wound``). What is pulled through
volumes strains them, and is followed, too, where it is not found at once.
"""

from dataclasses import replace

import numpy as np

from flexura.model.assemble import Assembly
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.result.static import StaticResult
from flexura.result.status import Status
from flexura.solve.search import Search
from flexura.solve.wound import WINDING, solve_wound, turned_alike, wound_by
from flexura.typing import frozen

# Where joints and motors are further than this from their described values [rad], half a turn where
# no joint moves freely, they are followed from there, in such steps; from a start they are followed
# where they turn by more than a step that cannot be taken for one the other way round.
NEARBY, FOLLOWED, STRIDE = 0.25, 0.75, 2.0
# Iterations to look at once for what moves in volumes, and parts of its way if that is not found.
AT_FIRST, PARTS = 60, 4
TWO_WAYS = (
    "a loop can be closed in more than one way here, or with rods wound up: this is what is "
    "reached from the described values of joints and motors; give start= to choose another"
)
LOST = (
    "joints, motors and tubes could not be followed from their {} values to these: a loop may be "
    "closed in another way than there, or tubes be wound up; give start= to choose"
)
# Positions that differ by no more than this, relative to the length, are the same.
SAME = 1e-4


def solve_turned(
    assembly: Assembly,
    end: Inputs,
    start: StaticResult | None,
    iterations: int,
    seek_stable: bool,
) -> StaticResult:
    """An equilibrium, with driven joints and motors followed where they turn far."""
    model = assembly.model
    if start is not None and model.tubes:
        start = turned_alike(start, end)
    begin = model.inputs.described if start is None else start.given
    if start is None and wound_by(model, end.values) > WINDING:
        return solve_wound(assembly, end, iterations, seek_stable)
    turned = _turned_by(model, begin, end)
    if start is not None:
        turned = max(turned, wound_by(model, end.values - begin.values) * STRIDE / WINDING)
    enough = STRIDE if start is not None else NEARBY if len(model.joints.nodes) else np.pi
    if turned <= enough or not (start is None or _leads_on(start)):
        return _search(assembly, end, start, iterations, seek_stable)
    followed = _follow(assembly, end, start, turned, iterations, seek_stable)
    if start is not None and followed.converged:
        return followed
    left = max(1, iterations - followed.iterations)
    at_once = Search(assembly, end, start, left, seek_stable).run()
    used = followed.iterations + at_once.iterations
    found = _of_two(at_once, followed, turned, "described" if start is None else "start's")
    return replace(found, iterations=used)


def _search(
    assembly: Assembly,
    end: Inputs,
    start: StaticResult | None,
    iterations: int,
    seek_stable: bool,
) -> StaticResult:
    """One search, or several on the way of what moves in volumes."""
    most = iterations
    moves = start is None and bool(assembly.model.members) and _moves(end)
    if moves:
        most = min(AT_FIRST, iterations)
    found = Search(assembly, end, start, most, seek_stable).run()
    if not moves or found.converged or found.status is Status.COARSE or most == iterations:
        return found
    left = iterations - found.iterations
    followed = _follow(assembly, end, None, PARTS * FOLLOWED, left, seek_stable)
    return replace(followed, iterations=found.iterations + followed.iterations)


def _moves(end: Inputs) -> bool:
    """Whether inputs move anything from where it is described."""
    table = end.table
    return bool(((end.values != table.described.values) & (table.moving > 0.0)).any())


def _leads_on(start: StaticResult) -> bool:
    """Whether joints can be followed from a result, whose turns are known, also if it is coarse."""
    return start.status.equilibrium or start.status is Status.COARSE


def _turned_by(model: Model, begin: Inputs, end: Inputs) -> float:
    """How far joints and motors turn [rad]; nothing where there are no loops."""
    angles = model.angles
    if not len(angles) or not (len(model.joints.nodes) or len(model.layout.closing)):
        return 0.0
    return float(np.abs(end.values[angles] - begin.values[angles]).max())


def _follow(
    assembly: Assembly,
    end: Inputs,
    start: StaticResult | None,
    turned: float,
    iterations: int,
    seek_stable: bool,
) -> StaticResult:
    """The equilibrium that is reached from the described joints and motors, or from a start.

    Where it is lost on the way, what was found last: its load factor tells the part of the way.
    """
    table, reached = assembly.model.inputs, 0.0
    coarse = start is not None and start.status is Status.COARSE  # then all the way may be
    step = (FOLLOWED if start is None else STRIDE) / turned
    shortest, used = step / 8.0, 0

    def search(inputs: Inputs, before: StaticResult | None, part: float) -> StaticResult:
        left = max(1, iterations - used)
        return Search(assembly, inputs, before, left, seek_stable, (reached, part)).run()

    if start is None:  # the loads act from the beginning
        described = np.where(table.moving > 0.0, table.described.values, end.values)
        start = search(Inputs(table, frozen(described)), None, 0.0)
        used = start.iterations
    begin, result = start.given, start
    while reached < 1.0 and used < iterations:
        if not (result.status.equilibrium or (coarse and result.status is Status.COARSE)):
            break
        part = min(1.0, reached + step)
        tried = search(begin.towards(end, part), result, part)
        used += tried.iterations
        told = tried.status in (Status.COARSE, Status.OPEN)
        if tried.converged or told or step <= shortest:
            result, reached = tried, part
        else:
            step *= 0.5
    if reached < 1.0 and result.status.equilibrium:  # iterations ran out
        result = replace(result, status=Status.EXHAUSTED)
    return replace(result, iterations=used)


def _of_two(
    at_once: StaticResult, followed: StaticResult, turned: float, origin: str
) -> StaticResult:
    """One of two results for the same inputs: the one that was followed, if they differ."""
    if not followed.converged:
        if turned > np.pi:  # a rod may be wound up
            return followed
        return replace(at_once, remarks=(*at_once.remarks, LOST.format(origin)))
    if at_once.converged and _same(at_once, followed):
        return at_once
    remarks = (*followed.remarks, TWO_WAYS) if at_once.converged else followed.remarks
    return replace(followed, remarks=remarks)


def _same(a: StaticResult, b: StaticResult) -> bool:
    """Whether two results have the same shape and energy."""
    here, there = a.evaluation, b.evaluation
    apart = np.abs(here.nodes[:, :3, 3] - there.nodes[:, :3, 3]).max(initial=0.0)
    alike = abs(here.energy - there.energy) <= SAME * max(here.energy, there.energy)
    return bool(apart <= SAME * a.model.length and alike)
