"""What pieces of rods, joints and bodies meet, whatever inputs move them to."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from flexura.model.model import Model
from flexura.model.walk import BY_JOINT

# A piece of a rod and the way in which it is passed: the node where it is entered, and the other.
Passed = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Topology:
    """What meets on coordinates, by their numbers; -1 is the world.

    Attributes:
        meeting: the pieces that begin or end there, each passed from there on.
        through: where two pieces meet, and nothing else holds.
        jointed: the joint where one piece ends, and nothing else holds it.
        bodies: both joints of what two joints hold, and nothing else.
    """

    meeting: Mapping[int, Sequence[Passed]]
    through: frozenset[int]
    jointed: Mapping[int, int]
    bodies: Mapping[int, Sequence[int]]


def topology(model: Model) -> Topology:
    """What meets in a model."""
    layout, meeting = model.layout, defaultdict[int, list[Passed]](list)
    jointed = layout.coordinate[model.joints.nodes].ravel().tolist()
    others = set(layout.coordinate[np.unique(layout.particles.node)].tolist())
    others |= {int(layout.coordinate[first]) for first, _ in layout.floats} | {-1}
    held = others | set(jointed)
    passed = [(int(a), int(b)) for a, b in layout.closing]
    for near, far, way in layout.walk.tolist():
        if way == BY_JOINT:
            held |= {int(layout.coordinate[near]), int(layout.coordinate[far])}
        else:
            passed.append((near, far))
    for a, b in passed:
        meeting[int(layout.coordinate[a])].append((a, b))
        meeting[int(layout.coordinate[b])].append((b, a))
    loose = {c: len(pieces) for c, pieces in meeting.items() if c not in held}
    joints = {c: count for c, count in Counter(jointed).items() if c not in others}
    bodies = {c: list[int]() for c, count in joints.items() if count == 2 and c not in meeting}
    for number, c in enumerate(jointed):
        if c in bodies:
            bodies[c].append(number // 2)
    return Topology(
        meeting=dict(meeting),
        through=frozenset(c for c, pieces in loose.items() if pieces == 2),
        jointed={
            c: number // 2
            for number, c in enumerate(jointed)
            if joints.get(c) == 1 and len(meeting.get(c, ())) == 1
        },
        bodies=bodies,
    )
