"""Loops of rods and joints, and which inputs turn what lies in them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from flexura.lie import so3
from flexura.model.inputs import Inputs
from flexura.model.layout import OffsetFactor
from flexura.model.walk import BY_JOINT
from flexura.robot import Slider, Weld
from flexura.typing import Matrix, frozen

if TYPE_CHECKING:
    from flexura.model.model import Model


class Edge(NamedTuple):
    """A piece of a rod, or a joint, from the node where a way comes to it to where it leaves it."""

    near: int
    far: int
    rod: bool

    @property
    def back(self) -> "Edge":
        """The same on the way back."""
        return Edge(self.far, self.near, self.rod)


class Loop(NamedTuple):
    """The edges of a loop, in their order; bodies are between them."""

    edges: tuple[Edge, ...]

    def bodies(self) -> Iterator[tuple[Edge, Edge]]:
        """Each edge, and the next one, which leaves the body that it comes to."""
        yield from zip(self.edges, (*self.edges[1:], self.edges[0]), strict=True)


class Passage(NamedTuple):
    """An input that a loop passes.

    Attributes:
        mover: its number.
        sign: of its turn in what comes next on the way.
        node: the node that it moves in its body.
        beyond: factors of the offset of that node after the input's own.
        come: the edge by which the loop comes to the body.
        leave: the one by which it leaves it.
    """

    mover: int
    sign: float
    node: int
    beyond: tuple[OffsetFactor, ...]
    come: Edge
    leave: Edge


# By node and number of an input, its sign and the factors of the offset beyond it.
_Moved: TypeAlias = dict[int, dict[int, tuple[float, tuple[OffsetFactor, ...]]]]


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
    """How often each loop passes what each input moves, (loops, movers)."""
    found = model.once(loops)
    passed = np.zeros((len(found), len(model.movers)))
    for row, loop in zip(passed, found, strict=True):
        for passage in passages(model, loop):
            row[passage.mover] += abs(passage.sign)
    return frozen(passed)


def passages(model: "Model", loop: Loop) -> Iterator[Passage]:
    """The inputs that a loop passes.

    It passes one where it comes to a body by one node and leaves it by another one, and the input
    moves one of them only: what moves both turns neither against the other.
    """
    moved = model.once(_moved)
    for come, leave in loop.bodies():
        first, second = moved.get(come.far), moved.get(leave.near)
        if first is second:
            continue
        first, second = first or {}, second or {}
        for mover in sorted(first.keys() ^ second.keys()):
            backward = mover in first
            sign, beyond = (first if backward else second)[mover]
            node = come.far if backward else leave.near
            yield Passage(mover, -sign if backward else sign, node, beyond, come, leave)


def _moved(model: "Model") -> _Moved:
    """The inputs that move each node in its body."""
    return {
        node: {
            factor.motion: (1.0 if factor.forward else -1.0, factors[i + 1 :])
            for i, factor in enumerate(factors)
            if factor.pose is None
        }
        for node, factors in model.layout.moving
    }


def loops(model: "Model") -> tuple[Loop, ...]:
    """All loops: what closes each, a piece of a rod or a joint, and the way back along the walk."""
    layout = model.layout
    on = layout.coordinate.tolist()
    before: dict[int, Edge] = {}
    depth: dict[int, int] = {}
    tree = set[frozenset[int]]()
    for near, far, way in layout.walk.tolist():
        if way == BY_JOINT:
            tree.add(frozenset((near, far)))
        if not layout.loose[far]:
            before[on[far]] = Edge(near, far, way != BY_JOINT)
            depth[on[far]] = depth.get(on[near], 0) + 1
    closing = [Edge(int(a), int(b), rod=True) for a, b in layout.closing]
    joints = model.joints.nodes.tolist()
    closing += [Edge(a, b, rod=False) for a, b in joints if frozenset((a, b)) not in tree]
    found = []
    for last in closing:
        a, b = last.far, last.near
        there, back = list[Edge](), list[Edge]()
        while on[a] != on[b]:  # towards the root from the one that is further from it
            if depth.get(on[a], 0) >= depth.get(on[b], 0):
                there.append(before[on[a]].back)
                a = there[-1].far
            else:
                back.append(before[on[b]])
                b = back[-1].near
        found.append(Loop((last, *there, *reversed(back))))
    return tuple(found)
