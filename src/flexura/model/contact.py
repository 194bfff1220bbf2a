"""Which places of a model may touch which solids, or which rods."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexura.contact.solid import Solids
from flexura.typing import Array, Indices
from flexura.value import Value


@dataclass(frozen=True, eq=False, repr=False)
class Contacts(Value):
    """All pairs that may touch: samples with solids first, then links of rods with chains of links.

    A sample is a sphere, or a point, that a frame carries. Frames are points of rods, part by part,
    then nodes. A chain are the frames of a rod from base to tip; a link leads from one to the next.
    Each pair has a force in the world, three multipliers, that pushes the sample or link.

    Attributes:
        names: of both sides of each contact of the robot.
        points: of each part, the points that are frames.
        nodes: the nodes that are frames.
        sample: frame of each sample, (n,).
        offset: centre of the sample there [m], (n, 3).
        radius: of the samples [m], (n,).
        solid: that it may touch, (n,).
        solids: all of them.
        links: frames at both ends of each link, (m, 2).
        link_radius: its radius [m], (m,).
        link_chain: that it may touch, (m,).
        apart: along the rod, from which on a link may touch its own rod [m], 0 for others, (m,).
        chain: frames of all chains, one after another.
        chain_begin: where each begins, and the end.
        chain_radius: at these frames [m].
        chain_length: arc lengths there [m].
        friction: coefficient of each pair, (n + m,).
        contact: number of the contact of the robot that it belongs to, (n + m,).
        swapped: whether the sample is on the second side of the contact, (n + m,).
        length: arc length of the sample or link [m], nan on bodies and obstacles, (n + m,).
        reach: gaps below this may close in a step [m], (n + m,).
        ignored: what is said of pairs that are left out.
    """

    names: tuple[tuple[str, str], ...]
    points: tuple[Indices, ...]
    nodes: Indices
    sample: Indices
    offset: Array
    radius: Array
    solid: Indices
    solids: Solids
    links: Indices
    link_radius: Array
    link_chain: Indices
    apart: Array
    chain: Indices
    chain_begin: Indices
    chain_radius: Array
    chain_length: Array
    friction: Array
    contact: Indices
    swapped: Array
    length: Array
    reach: Array
    ignored: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """Number of pairs."""
        return len(self.friction)

    @cached_property
    def n_frames(self) -> int:
        """Number of frames."""
        return sum(map(len, self.points)) + len(self.nodes)

    @cached_property
    def frictional(self) -> bool:
        """Whether there is any friction."""
        return bool((self.friction > 0.0).any())

    @cached_property
    def carriers(self) -> Indices:
        """Frames of both sides of each pair where they are always the same, else -1, (n + m, 2)."""
        found = np.full((self.count, 2), -1)
        found[: len(self.sample), 0] = self.sample
        found[: len(self.sample), 1] = self.solids.carrier[self.solid]
        return found
