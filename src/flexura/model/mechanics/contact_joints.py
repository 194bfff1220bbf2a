"""Ends of rods that are joined to something: there they touch nothing."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from flexura.model.mechanics.contact_pairs import radius_of
from flexura.robot import Anchor, Contact, Rod
from flexura.robot.graph import Graph
from flexura.typing import Array

# So many radii from an end that is joined to something, a rod touches nothing.
FREE = 2.0


class Joints:
    """What the ends of rods are joined to."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._joined = {x for group in graph.groups if len(group.frames) > 1 for x in group.frames}
        self._joined |= {x for joint in graph.free for x in (joint.a, joint.b)}

    def near(self, rod: Rod, s: float, radius: float) -> bool:
        """Whether a place is so near to an end that is joined to something that it cannot touch."""
        ends = ((Anchor(rod.name, "base"), s), (Anchor(rod.name, "tip"), rod.length - s))
        return any(end in self._joined and away < FREE * radius for end, away in ends)

    def meet(self, rod: str, other: str, contact: Contact) -> bool:
        """Whether a rod is joined to the other side of a contact, with an end that is near it."""
        if other not in self._neighbours(rod):
            return False
        rods, bodies, thickest, away = self._graph.rods, self._graph.bodies, 0.0, 0.0
        for own in (rods[x] for x in (rod, other) if x in rods):
            ends = np.array([0.0, own.length])
            thickest = max(thickest, float(radius_of(own, contact, ends).max()))
        shape = bodies[other].shape if other in bodies else None
        if shape is not None:
            away = float(np.linalg.norm(shape.placement[:3, 3])) + shape.extent
        return any(self._meeting(rod, other, FREE * thickest + away))

    def _neighbours(self, rod: str) -> set[str]:
        """Parts that a rod is joined to."""
        own = [group for group in self._graph.groups if any(x.part == rod for x in group.frames)]
        found = {anchor.part for group in own for anchor in group.frames}
        ties = [{joint.a.part, joint.b.part} for joint in self._graph.free]
        return found.union(*(tie for tie in ties if rod in tie))

    def free(self, rod: Rod, other: str, s: Array, radius: float) -> NDArray[np.bool_]:
        """Which places of a rod may touch another rod, or a volume: not where they are joined.

        Args:
            rod: with these places.
            other: rod or volume.
            s: arc lengths of the places [m].
            radius: of the thicker one [m].
        """
        ends = set(self._meeting(rod.name, other, 2.0 * radius))
        low = FREE * radius if "base" in ends else 0.0
        high = rod.length - (FREE * radius if "tip" in ends else 0.0)
        return np.asarray((s >= low) & (s <= high))

    def _meeting(self, rod: str, other: str, within: float) -> Iterator[str]:
        """Ends of a rod that are joined to another part and nearer to it than that."""
        graph = self._graph
        theirs = [x for x in graph.group_of if x.part == other] + list(graph.tied.get(other, ()))
        ties = [{graph.group_of[x].reference for x in (joint.a, joint.b)} for joint in graph.free]
        for end in ("base", "tip"):
            anchor = Anchor(rod, end)
            if anchor not in graph.group_of:
                continue
            own = graph.group_of[anchor]
            for x in theirs:
                group = graph.group_of[x]
                way = own.frames[anchor][:3, 3] - group.frames[x][:3, 3]
                near = group is own and np.linalg.norm(way) < within
                if near or {own.reference, group.reference} in ties:
                    yield end
