"""Which places of a model may touch which solids, skins or rods."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexura.contact import skin_kernels
from flexura.contact.block import Blocks
from flexura.contact.distance_kernels import RIDGES, VESSEL
from flexura.contact.leap import Probes, Walls
from flexura.contact.link import Chains, Links
from flexura.contact.skin import Skins
from flexura.contact.solid import Solids
from flexura.typing import Array, Indices
from flexura.value import Value

# A force this near to its cone is on it: forces are found to 1e-6.
NEARLY = 1e-5
# Ways below this part of the length of a robot are rounding.
STILL = 1e-12
# What frames are besides points of parts.
NODE, PARTICLE = -1, -2


def at_limit(pressing: float, rubbing: float, friction: float) -> bool:
    """Whether friction is all that it can be, for forces along and across the normal [N]."""
    return rubbing >= (1.0 - NEARLY) * friction * pressing


def slides(pressing: float, rubbing: float, friction: float, way: float, length: float) -> bool:
    """Whether something slides: it moves [m], against no friction or all of it; else it sticks.

    Args:
        pressing: force along the normal [N].
        rubbing: across it [N].
        friction: coefficient of friction.
        way: that was slid [m].
        length: of the robot [m].
    """
    return at_limit(pressing, rubbing, friction) and way > STILL * length


@dataclass(frozen=True, eq=False, repr=False)
class Contacts(Value):
    """All pairs that may touch: samples with solids, with skins, then links with chains of links.

    A sample is a sphere, a point, an edge, or a circle, that a frame carries, or a bow, a piece of
    a rod from one frame to the next (``bow_kernels``). Frames are points of rods, part by part,
    then nodes, then particles, which do not turn. A skin are the triangles around a volume. A chain
    are the frames of a rod from base to tip; a link leads from one to the next, or is a particle.
    Each pair has a force in the world, three multipliers, that pushes the sample or link.

    Attributes:
        names: of both sides of each contact of the robot.
        points: of each part, the points that are frames.
        nodes: the nodes that are frames.
        particles: the particles that are.
        sample: frame of each sample, (n,).
        end: frame where its bow ends, -1 for what is none, (n,).
        at_ends: pairs of the spheres where bows meet the ones before and after, -1 for none, of the
            pairs with solids, (k, 2).
        offset: centre of the sample there [m], (n, 3).
        edge: from there to its end if the sample is an edge; half of a bow along x [m], (n, 3).
        rim: axis times radius if the sample is a circle about its centre [m], (n, 3).
        soft: what draws edges to their middles [m], (n,).
        radius: of the samples [m], (n,).
        solid: that the first of them may touch, (k,).
        solids: all of them.
        skin: that the others may touch, (n - k,).
        skins: all of them.
        links: that may touch chains, ``SLOTS`` of ``link_kernels`` pairs each.
        chains: all of them.
        friction: coefficient of each pair, (n + m,).
        contact: number of the contact of the robot that it belongs to, (n + m,).
        swapped: whether the sample is on the second side of the contact, (n + m,).
        length: arc length of the sample or link [m], nan on bodies and obstacles, (n + m,).
        reach: gaps below this may close in a step [m], (n + m,).
        rigid: number of what each frame is rigid together with, -1 if it moves by itself, (k,).
        ignored: what is said of pairs that are left out.
    """

    names: tuple[tuple[str, str], ...]
    points: tuple[Indices, ...]
    nodes: Indices
    particles: Indices
    sample: Indices
    end: Indices
    at_ends: Indices
    offset: Array
    edge: Array
    rim: Array
    soft: Array
    radius: Array
    solid: Indices
    solids: Solids
    skin: Indices
    skins: Skins
    links: Links
    chains: Chains
    friction: Array
    contact: Indices
    swapped: Array
    length: Array
    reach: Array
    rigid: Indices
    ignored: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """Number of pairs."""
        return len(self.friction)

    @cached_property
    def n_frames(self) -> int:
        """Number of frames."""
        return sum(map(len, self.points)) + len(self.nodes) + len(self.particles)

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """Part and point of each frame, or ``NODE`` and node, or ``PARTICLE`` and particle."""
        parts = [*enumerate(self.points), (NODE, self.nodes), (PARTICLE, self.particles)]
        return tuple((part, at) for part, own in parts for at in own.tolist())

    @cached_property
    def blocks(self) -> Blocks:
        """Of the pairs of samples and solids."""
        n = len(self.solid)
        own = (self.end[:, None], self.offset, self.edge, self.rim, self.radius[:, None])
        shape = np.concatenate([x[:n].astype(np.float64) for x in own], axis=1)
        return Blocks.of(
            self.sample[:n], shape, self.solid, self.contact[:n], self.reach[:n], self.solids
        )

    @cached_property
    def corner_of_skin(self) -> Indices:
        """Corners of skins that samples beside skins are, -1 for those that are none, (n - k,)."""
        return self.skins.corner_of(self.sample[len(self.solid) :])

    @cached_property
    def scope(self) -> Array:
        """Motions of this size may lead through what is in the way [m], (n + m,)."""
        first = self.chains.begin[self.links.chain]
        thick = np.maximum(2.0 * self.links.radius, self.chains.radius[first])
        return np.concatenate([self.solids.scope[self.solid], self.skins.scope[self.skin], thick])

    @cached_property
    def probes(self) -> tuple[Probes, Probes]:
        """Places of samples that may go through solids, and through skins."""
        n, of = len(self.solid), np.arange(len(self.solid), len(self.sample))[:: skin_kernels.SLOTS]
        beside = Probes.beside_solids(
            self.sample[:n], self.end[:n], self.offset[:n], self.edge[:n], self.rim[:n],
            self.soft[:n], self.radius[:n], self.solid, self.solids,
        )  # fmt: skip
        over = Probes.of(of, self.sample[of], self.offset[of], self.radius[of], self.skin[of - n])
        return beside, over

    @cached_property
    def walls(self) -> Walls:
        """The solids that they may go through."""
        return Walls.of(self.solids, self.blocks)

    @cached_property
    def both_radii(self) -> Array:
        """Of samples beside skins, and of links with what they may touch [m], (n + m - k,)."""
        other = self.chains.radius[self.chains.begin[self.links.chain]]
        return np.concatenate([self.radius[len(self.solid) :], self.links.radius + other])

    @cached_property
    def middle(self) -> Array:
        """How far from the middles of samples that of what is in the way is in contact [m], (k,).

        Of planes and edges it is their surface; the middle of a vessel is ahead of its wall.
        """
        n, kind = len(self.solid), self.solids.kind[self.solid]
        behind = np.where(np.isfinite(self.scope[:n]) & (kind != RIDGES), self.scope[:n], 0.0)
        return np.where(kind == VESSEL, -behind, behind) + self.radius[:n]

    @cached_property
    def room(self) -> Array:
        """How much further than their gap pairs may pass to stay on one side [m], (n + m,).

        What is as thick as both leads through them; in a vessel, as its wall is.
        """
        found, n = self.scope.copy(), len(self.solid)
        found[:n] += np.where(self.solids.kind[self.solid] == VESSEL, 0.0, self.radius[:n])
        return found

    @cached_property
    def frictional(self) -> bool:
        """Whether there is any friction."""
        return bool((self.friction > 0.0).any())
