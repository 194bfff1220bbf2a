"""Going along the rods and joints of a robot, from the world outwards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from flexura.robot.graph import FreeJoint

# What leads to the next node on the way, besides the directions +1 and -1 of rods.
BY_JOINT = 0


@dataclass
class Walk:
    """What a walk has found.

    Attributes:
        steps: pieces of rods and joints that reach something new: near node, far node, and +1 or
            -1 for the direction along a rod, 0 for a joint.
        links: number of the joint of each step, -1 for rods.
        closing: first and last node of the pieces of rods that reach nothing new.
        blocks: blocks of unknowns in order: ("node", n) for a new coordinate, ("element", n) for
            the inner unknowns of the element that leads to node n, ("joint", j).
    """

    steps: list[tuple[int, int, int]] = field(default_factory=list)
    links: list[int] = field(default_factory=list)
    closing: list[tuple[int, int]] = field(default_factory=list)
    blocks: list[tuple[str, int]] = field(default_factory=list)


def walk(
    pieces: Sequence[tuple[int, int]],
    joints: Sequence[FreeJoint],
    nodes: Mapping[str, int],
    holder: Mapping[int, int],
) -> Walk:
    """Go along everything, each time by the first piece or joint that begins somewhere reached.

    Args:
        pieces: first and last node of the pieces of rods between nodes that groups hold.
        joints: joints between groups.
        nodes: node of each anchor.
        holder: group of each node that is held by one; group 0 is the world's.
    """
    found, reached = Walk(), {0}
    edges = [(first, last, -1) for first, last in pieces]
    edges += [(nodes[joint.a], nodes[joint.b], j) for j, joint in enumerate(joints)]
    waiting = dict(enumerate(edges))
    while waiting:
        number, near, far, joint = next(
            (number, near, far, edge[2])
            for number, edge in waiting.items()
            for near, far in (edge[:2], edge[1::-1])
            if _group(near, holder) in reached
        )
        del waiting[number]
        new = _group(far, holder) not in reached
        reached.add(_group(far, holder))
        if joint >= 0:
            _pass_joint(found, near, far, joint, new)
        else:
            _pass_rod(found, near, far, new)
    return found


def _group(node: int, holder: Mapping[int, int]) -> int:
    """The group that holds a node; the world's has no node of its own."""
    return holder.get(node, 0) if node >= 0 else 0


def _pass_joint(found: Walk, near: int, far: int, joint: int, new: bool) -> None:
    """Pass a joint."""
    found.blocks.append(("joint", joint))
    if new:
        found.steps.append((near, far, BY_JOINT))
        found.links.append(joint)
        found.blocks.append(("node", far))


def _pass_rod(found: Walk, near: int, far: int, new: bool) -> None:
    """Pass a piece of a rod."""
    step = 1 if far > near else -1
    if new:
        found.steps.append((near, far, step))
        found.links.append(-1)
    else:
        found.closing.append((min(near, far), max(near, far)))
    for node in range(near + step, far + step, step):
        found.blocks.append(("element", node if step > 0 else node + 1))
        if node != far or new:
            found.blocks.append(("node", node))
