"""Joints and motors that turn far: they are followed from their described values, or a start's.

A robot with loops of joints may be assembled in several ways, and a rod may be wound up: a pose
does not tell how often. What several of them turn in one loop adds up there, with what poses of
welds do. Tubes of a set wind each other up (``wound``).
"""

from dataclasses import replace

import numpy as np

from flexura.model.loop import turned_in_loops
from flexura.result.static import StaticResult
from flexura.result.status import Status
from flexura.solve.followed import Sought, follow
from flexura.solve.straining import solve_straining
from flexura.solve.verdict import concluded
from flexura.solve.wound import WINDING, follow_wound, turned_alike, wound_by

# Where the joints and motors of a loop are further than this from their described values [rad],
# altogether, they are followed from there, in such steps; half a turn where no joint moves freely,
# and with poses of welds. From a start they are followed where they turn by more than a step that
# cannot be taken for one the other way round.
NEARBY, FOLLOWED, STRIDE = 0.25, 0.75, 2.0
TWO_WAYS = (
    "a loop can be closed in more than one way here, or with rods wound up: this is what is "
    "reached from the described values of joints and motors; give start= to choose another"
)
LOST = (
    "joints, motors and tubes could not be followed from {} to these inputs: a loop may be closed "
    "in another way than there, or tubes be wound up; give start= to choose"
)
DESCRIBED, STARTS = "their described values", "the start's values"
ALIKE = "where tubes of a set are turned alike"
# Positions that differ by no more than this, relative to the length, are the same.
SAME = 1e-4


def solve_turned(sought: Sought) -> StaticResult:
    """An equilibrium, with driven joints and motors followed where they turn far."""
    return concluded(*_solve(sought))


def _solve(sought: Sought) -> tuple[StaticResult, bool]:
    """The same before all is said of it, and whether rods were wound up."""
    model, end, start = sought.assembly.model, sought.end, sought.start
    if start is not None and model.tubes:
        start = turned_alike(start, end)
        sought = sought._replace(start=start)
    begin = model.inputs.described if start is None else start.given
    wound = 0.0 if start is not None else wound_by(model, end.values)
    if wound > WINDING:
        followed = follow_wound(sought)
        if followed.converged:
            return followed, False
        return _or_at_once(followed, sought, wound, ALIKE), False
    driven, turned = turned_in_loops(model, begin, end)
    if start is not None:
        turned = max(turned, wound_by(model, end.values - begin.values) * STRIDE / WINDING)
    near = driven <= NEARBY or start is not None or not len(model.joints.nodes)
    enough = near and turned <= (np.pi if start is None else STRIDE)
    if enough or not (start is None or _leads_on(start)):
        return solve_straining(sought), False
    step = (FOLLOWED if start is None else STRIDE) / turned
    followed = follow(sought, step, sought.iterations)
    found = followed
    if start is None or not followed.converged:
        origin = DESCRIBED if start is None else STARTS
        found = _or_at_once(followed, sought, turned, origin)
    return found, turned > np.pi


def _leads_on(start: StaticResult) -> bool:
    """Whether joints can be followed from a result, whose turns are known, also if it is coarse."""
    return start.status.equilibrium or start.status is Status.COARSE


def _or_at_once(followed: StaticResult, sought: Sought, turned: float, origin: str) -> StaticResult:
    """What was followed, or what is found at once with the iterations that are left."""
    if not followed.converged and turned > np.pi:  # a rod may be wound up
        return followed
    at_once = sought.at_once(max(0, sought.iterations - followed.iterations))
    found = _of_two(at_once, followed, origin)
    return replace(found, iterations=followed.iterations + at_once.iterations)


def _of_two(at_once: StaticResult, followed: StaticResult, origin: str) -> StaticResult:
    """One of two results for the same inputs: the one that was followed, if they differ."""
    if not followed.converged:
        if followed.status.equilibrium and not at_once.converged:
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
