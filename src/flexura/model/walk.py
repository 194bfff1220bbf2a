"""Going along the rods and joints of a robot, from the world outwards."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush

from flexura.robot import Anchor, FreeJoint

# What leads to the next node on the way, besides the directions +1 and -1 of rods.
BY_JOINT = 0
# What leads on, first things first: all rods before joints, so that these close loops.
ROD, JOINT, TUBE = range(3)


@dataclass
class Walk:
    """What a walk has found.

    Attributes:
        steps: pieces of rods and joints that reach something new: near node, far node, and +1 or
            -1 for the direction along a rod, 0 for a joint.
        joints: number of the joint of each step, -1 for rods.
        closing: first and last node of the pieces of rods that reach nothing new.
        blocks: blocks of unknowns in order: ("node", n) for a new coordinate, ("inner", n) for
            the inner unknowns that are stored with node n, ("joint", j).
        floats: first node of all that hangs together without a way to the world, and its nodes.
    """

    steps: list[tuple[int, int, int]] = field(default_factory=list)
    joints: list[int] = field(default_factory=list)
    closing: list[tuple[int, int]] = field(default_factory=list)
    blocks: list[tuple[str, int]] = field(default_factory=list)
    floats: list[tuple[int, list[int]]] = field(default_factory=list)


def walk(
    pieces: Sequence[tuple[int, int]],
    joints: Sequence[FreeJoint],
    nodes: Mapping[Anchor, int],
    holder: Mapping[int, int],
    firsts: Collection[int],
    leads: Sequence[tuple[int, int]] = (),
    bodies: Sequence[int] = (),
) -> Walk:
    """Go along everything: by rods before joints, of these by those nearest to the world.

    Loops are opened in their middle so. Of equally near ones the first piece comes first, and the
    joint that holds most, or the first by name: the order of a list shall decide nothing. What has
    no way to the world is walked along from its first body, or from its first rod.

    Args:
        pieces: first and last node of the pieces of rods between nodes that groups hold.
        joints: joints between groups.
        nodes: node of each anchor.
        holder: group of each node that is held by one; group 0 is the world's.
        firsts: nodes where rods begin.
        leads: plates of sets of tubes, and the frames of tubes that follow from there.
        bodies: their nodes.
    """
    found, reached = Walk(), set[int]()
    edges = [(ROD, first, last, -1) for first, last in pieces]
    for j, joint in sorted(enumerate(joints), key=lambda own: (-len(own[1].rows), own[1].label)):
        edges.append((JOINT, nodes[joint.a], nodes[joint.b], j))
    edges += [(TUBE, plate, mark, -1) for plate, mark in leads]
    touching: dict[int, list[int]] = {}
    for number, (_, a, b, _) in enumerate(edges):
        for group in {holder.get(a, 0), holder.get(b, 0)}:
            touching.setdefault(group, []).append(number)
    passed = set[int]()

    def go(root: int) -> None:
        """Go along all that hangs together with a group."""
        reached.add(root)
        waiting = [(edges[number][0], 0, number) for number in touching.get(root, ())]
        heapify(waiting)
        while waiting:
            kind, away, number = heappop(waiting)
            if number in passed:
                continue
            passed.add(number)
            _, a, b, joint = edges[number]
            near, far = (a, b) if holder.get(a, 0) in reached else (b, a)
            group = holder.get(far, 0)
            new = group not in reached
            if kind == TUBE:
                _pass_tube(found, near, far, b, new)
            elif kind == JOINT:
                _pass_joint(found, near, far, joint, new)
            else:
                _pass_rod(found, near, far, new, firsts)
            if new:
                reached.add(group)
                for further in touching[group]:
                    heappush(waiting, (edges[further][0], away + 1, further))

    go(0)
    for node in (*bodies, *holder):
        if holder[node] not in reached:
            begin = len(found.blocks)
            found.blocks.append(("node", node))
            go(holder[node])
            found.floats.append((node, [n for kind, n in found.blocks[begin:] if kind == "node"]))
    return found


def _pass_joint(found: Walk, near: int, far: int, joint: int, new: bool) -> None:
    """Pass a joint."""
    found.blocks.append(("joint", joint))
    if new:
        found.steps.append((near, far, BY_JOINT))
        found.joints.append(joint)
        found.blocks.append(("node", far))


def _pass_tube(found: Walk, near: int, far: int, mark: int, new: bool) -> None:
    """Pass the tubes of a set, from the plate to a frame of one of them or back."""
    found.blocks.append(("inner", mark))
    if new:
        found.steps.append((near, far, BY_JOINT))
        found.joints.append(-1)
        found.blocks.append(("node", far))


def _pass_rod(found: Walk, near: int, far: int, new: bool, firsts: Collection[int]) -> None:
    """Pass a piece of a rod."""
    step = 1 if far > near else -1
    if new:
        found.steps.append((near, far, step))
        found.joints.append(-1)
    else:
        found.closing.append((min(near, far), max(near, far)))
    if near in firsts and step > 0:
        found.blocks.append(("inner", near))
    for node in range(near + step, far + step, step):
        found.blocks.append(("inner", node if step > 0 else node + 1))
        if node != far or new:
            found.blocks.append(("node", node))
    if far in firsts and step < 0:
        found.blocks.append(("inner", far))
