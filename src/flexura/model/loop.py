"""Loops of rods and joints, and which inputs turn what lies in them."""

from typing import TYPE_CHECKING

import numpy as np

from flexura.lie import so3
from flexura.model.inputs import Inputs
from flexura.model.walk import BY_JOINT
from flexura.robot import Slider, Weld
from flexura.typing import Array, Matrix, frozen

if TYPE_CHECKING:
    from flexura.model.model import Model


def turned_in_loops(model: "Model", begin: Inputs, end: Inputs) -> tuple[float, float]:
    """How far a change of inputs turns the rods of a loop against each other, at most [rad].

    What joints, motors and poses of welds turn adds up along a loop, so that is bounded by the sum
    of what each of them does there.

    Args:
        model: the robot.
        begin: the inputs before.
        end: the inputs after; poses turn the shortest way.

    Returns:
        What driven joints and motors do, and what all inputs do.
    """
    if not model.movers:
        return 0.0, 0.0
    passed = model.once(_passed)
    turns = np.array([_turn(model, number, begin, end) for number in range(len(model.movers))])
    driven = np.array([not isinstance(mover.joint, Weld) for mover in model.movers])
    most = [float((passed @ x).max(initial=0.0)) for x in (turns * driven, turns)]
    return most[0], most[1]


def _turn(model: "Model", number: int, begin: Inputs, end: Inputs) -> float:
    """How far one input turns what it moves [rad]."""
    mover = model.movers[number]
    if isinstance(mover.joint, Slider):
        return 0.0
    if isinstance(mover.joint, Weld):
        before, after = mover.motion(begin)[:3, :3], mover.motion(end)[:3, :3]
        return float(np.linalg.norm(so3.log(before.T @ after)))
    return float(abs(end.values[mover.place] - begin.values[mover.place]))


def _passed(model: "Model") -> Matrix:
    """How often each loop passes what each input moves, (loops, movers).

    A loop is what closes it, a piece of a rod or a joint, and the way back along the walk. It
    passes an input where it comes to a body by one node and leaves it by another one, and the input
    moves one of them only.
    """
    layout = model.layout
    on = layout.coordinate.tolist()
    motions: dict[int, set[int]] = {
        node: {factor.motion for factor in factors if factor.pose is None}
        for node, factors in layout.moving
    }
    before: dict[int, tuple[int, int]] = {}
    depth: dict[int, int] = {}
    tree = set[frozenset[int]]()
    for near, far, way in layout.walk.tolist():
        if way == BY_JOINT:
            tree.add(frozenset((near, far)))
        if not layout.loose[far]:
            before[on[far]] = near, far
            depth[on[far]] = depth.get(on[near], 0) + 1
    closing = [(int(a), int(b)) for a, b in layout.closing]
    closing += [(a, b) for a, b in model.joints.nodes.tolist() if frozenset((a, b)) not in tree]
    found = np.zeros((len(closing), len(model.movers)))
    for row, ends in zip(found, closing, strict=True):
        a, b = ends
        while on[a] != on[b]:  # back from the one that is further from the root
            if depth.get(on[a], 0) < depth.get(on[b], 0):
                a, b = b, a
            near, far = before[on[a]]
            _pass(row, motions, a, far)
            a = near
        _pass(row, motions, a, b)
    return frozen(found)


def _pass(row: Array, motions: dict[int, set[int]], come: int, leave: int) -> None:
    """Count what moves one of two nodes of a body, in place."""
    for motion in motions.get(come, set()) ^ motions.get(leave, set()):
        row[motion] += 1.0
