"""Joints and motors that are far from their described values: they are followed from there.

A robot with loops of joints may be assembled in several ways, and a rod may be wound up: a pose
does not tell how often.
"""

from dataclasses import replace

import numpy as np

from flexura.model.assemble import Assembly
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.result.static import StaticResult
from flexura.result.status import Status
from flexura.robot import Hinge, Motor
from flexura.solve.search import Search
from flexura.typing import frozen

# Where joints and motors are further than this from their described values [rad], half a turn where
# no joint moves freely, they are followed from there, in such steps.
NEARBY, FOLLOWED = 0.25, 0.75
TWO_WAYS = (
    "a loop can be closed in more than one way here, or with rods wound up: this is what is "
    "reached from the described values of joints and motors; give start= to choose another"
)
LOST = (
    "joints and motors could not be followed from their described values to these: a loop may be "
    "closed in another way than there; give start= to choose"
)
# Positions that differ by no more than this, relative to the length, are the same.
SAME = 1e-4


def turned_by(model: Model, end: Inputs) -> float:
    """How far joints and motors of a robot with loops are from their described values [rad].

    Zero where it makes no difference: without loops, and so near that there is but one way.
    """
    joints = len(model.joints.nodes) > 0
    if not (joints or len(model.layout.closing)):
        return 0.0
    change = np.abs(end.values - model.inputs.described.values)
    angles = (change[m.place] for m in model.movers if isinstance(m.joint, Hinge | Motor))
    largest = float(max(angles, default=0.0))
    return largest if largest > (NEARBY if joints else np.pi) else 0.0


def follow(
    assembly: Assembly, end: Inputs, turned: float, iterations: int, seek_stable: bool
) -> StaticResult:
    """The equilibrium that is reached from the described pose of joints and motors, with the loads.

    Where it is lost on the way, what was found last.
    """
    table, result = assembly.model.inputs, None
    described = np.where(table.moving > 0.0, table.described.values, end.values)
    begin, reached, step = Inputs(table, frozen(described)), 0.0, FOLLOWED / turned
    shortest = step / 8.0
    result = Search(assembly, begin, None, iterations, seek_stable).run()
    while reached < 1.0 and result.converged:
        fraction = min(1.0, reached + step)
        inputs = begin.towards(end, fraction)
        tried = Search(assembly, inputs, result, iterations, seek_stable).run()
        if tried.converged or tried.status is Status.COARSE or step <= shortest:
            result, reached = tried, fraction
        else:
            step *= 0.5
    return result


def of_two(cold: StaticResult, followed: StaticResult, turned: float) -> StaticResult:
    """One of two results for the same inputs: the one that was followed, if they differ."""
    if not followed.converged:
        return replace(cold, remarks=(*cold.remarks, LOST)) if turned <= np.pi else followed
    here, there = cold.evaluation, followed.evaluation
    apart = np.abs(here.nodes[:, :3, 3] - there.nodes[:, :3, 3]).max(initial=0.0)
    alike = abs(here.energy - there.energy) <= SAME * max(here.energy, there.energy)
    if cold.converged and apart <= SAME * cold.model.length and alike:
        return cold
    remarks = (*followed.remarks, TWO_WAYS) if cold.converged else followed.remarks
    return replace(followed, remarks=remarks)
