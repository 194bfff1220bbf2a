"""Tubes that are turned against each other: followed from where all of a set are turned alike.

Curved tubes wind each other up, and have several equilibria then. What is meant is the one that a
robot reaches whose tubes are turned from there on, slowly and without load, and then loaded.
"""

from dataclasses import replace

from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.result.static import StaticResult
from flexura.robot import TubeSet
from flexura.solve.carried import carried
from flexura.solve.followed import Sought, follow
from flexura.typing import Array, frozen

# Tubes of a set that are turned against each other by more than this [rad] are followed, in such
# steps.
WINDING = 0.5


def wound_by(model: Model, change: Array) -> float:
    """How far a change of inputs turns tubes of a set against each other, at most [rad]."""
    turned = [change[places].tolist() for places in model.rotations]
    return max((max(own) - min(own) for own in turned), default=0.0)


def turned_alike(start: StaticResult, end: Inputs) -> StaticResult:
    """A start whose sets are turned as a whole, where inputs turn them far and nothing holds them.

    By as much as the tube that turns the least; the robot turns with them, but for its loads.
    """
    model, values = start.model, start.given.values.copy()
    turns: dict[str, float] = {}
    if not start.status.equilibrium or model.layout.looped:
        return start
    for own, places in zip(model.robot.tubes, model.rotations, strict=True):
        change = (end.values[places] - values[places]).tolist()
        least = max(min(change), 0.0) + min(max(change), 0.0)
        if abs(least) > WINDING and not _carries(model, own):
            turns[own.name] = least
            values[places] += least
    if not turns:
        return start
    state, strains = carried(start, model, turns)
    given = Inputs(model.inputs, frozen(values))
    known = replace(start.evaluation, strains=strains, lost=None)
    return replace(start, state=state, given=given, evaluation=known)


def _carries(model: Model, own: TubeSet) -> bool:
    """Whether anything is joined to a tube of a set."""
    groups = (model.robot.graph.group_of[anchor] for anchor in model.robot.graph.marks)
    names = {tube.name for tube in own.tubes}
    return any(len(x.frames) > 1 and {a.part for a in x.frames} & names for x in groups)


def follow_wound(sought: Sought) -> StaticResult:
    """What is reached from tubes that are turned alike, without load, and then by the load.

    Sets are turned as their outermost tubes first. All of the way is one increment.
    """
    model, end = sought.assembly.model, sought.end
    unloaded, alike = end.unloaded, end.unloaded.values.copy()
    for places in model.rotations:
        alike[places] = end.values[places[-1]]
    begin = sought._replace(end=Inputs(model.inputs, frozen(alike)))
    found = begin.at_once(sought.iterations)
    on = sought._replace(since=found if sought.since is None else sought.since)
    loaded = bool((unloaded.values != end.values).any())
    ways = [(unloaded if loaded else end, WINDING / wound_by(model, end.values))]
    used = found.iterations
    for there, step in [*ways, (end, 1.0)] if loaded else ways:
        left = sought.iterations - used
        found = follow(on._replace(end=there, start=found), step, left)
        used += found.iterations
        if not found.status.equilibrium:
            break
    return replace(found, iterations=used)
