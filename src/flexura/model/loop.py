"""Loops of rods and joints, and which inputs turn what lies in them."""

from collections.abc import Iterator
from dataclasses import dataclass
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
    """A loop: an edge that closes it, and the way back along the tree of the walk.

    Attributes:
        last: the edge that closes it, from its near node to its far one.
        tree: where the way back is found.
    """

    last: Edge
    tree: "_Tree"

    def edges(self) -> tuple[Edge, ...]:
        """All of its edges in their order; bodies are between them."""
        tree, there, back = self.tree, list[Edge](), list[Edge]()
        a, b = tree.on[self.last.far], tree.on[self.last.near]
        while a != b:  # towards the root from the one that is further from it
            if tree.depth.get(a, 0) >= tree.depth.get(b, 0):
                there.append(tree.before[a].back)
                a = tree.on[there[-1].far]
            else:
                back.append(tree.before[b])
                b = tree.on[back[-1].near]
        return self.last, *there, *reversed(back)

    def moved_bodies(self) -> Iterator[tuple[Edge, Edge]]:
        """Of each body where inputs move nodes the edge that comes to it, and that which leaves."""
        tree, there, back = self.tree, list[tuple[Edge, Edge]](), list[tuple[Edge, Edge]]()
        a, b = tree.on[self.last.far], tree.on[self.last.near]
        to_a, to_b = self.last, self.last.back  # by which ways from both ends come there
        while a != b:
            up_a = tree.depth.get(a, 0) >= tree.depth.get(b, 0)
            own, come, body = (there, to_a, a) if up_a else (back, to_b, b)
            if body in tree.moved:
                own.append((come, tree.before[body].back))
            arrival = tree.up[body]
            if up_a:
                a, to_a = tree.on[arrival.near], arrival.back
            else:
                b, to_b = tree.on[arrival.near], arrival.back
        yield from there
        yield to_a, to_b.back  # by the same node if they have met before
        yield from ((leave.back, come.back) for come, leave in reversed(back))


@dataclass(frozen=True, eq=False)
class _Tree:
    """The walk from the world to each body.

    Attributes:
        on: the coordinate of each node: its body; -1 for the world.
        before: the edge by which the walk comes to each body.
        depth: how many of them there are on the way to it.
        moved: bodies where inputs move nodes.
        up: the edge by which the walk has left the last one of these before each body, or the root.
    """

    on: list[int]
    before: dict[int, Edge]
    depth: dict[int, int]
    moved: set[int]
    up: dict[int, Edge]


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
    for come, leave in loop.moved_bodies():
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
    """All loops: what closes each is a piece of a rod, or a joint."""
    layout, joints = model.layout, set[frozenset[int]]()
    tree = _Tree(layout.coordinate.tolist(), {}, {}, set(), {})
    on, before, depth = tree.on, tree.before, tree.depth
    tree.moved.update(on[node] for node, _ in layout.moving)
    for near, far, way in layout.walk.tolist():
        if way == BY_JOINT:
            joints.add(frozenset((near, far)))
        if not layout.loose[far]:
            edge, body = Edge(near, far, way != BY_JOINT), on[near]
            before[on[far]], depth[on[far]] = edge, depth.get(body, 0) + 1
            tree.up[on[far]] = edge if body in tree.moved else tree.up.get(body, edge)
    closing = [Edge(int(a), int(b), rod=True) for a, b in layout.closing]
    others = model.joints.nodes.tolist()
    closing += [Edge(a, b, rod=False) for a, b in others if frozenset((a, b)) not in joints]
    return tuple(Loop(last, tree) for last in closing)
