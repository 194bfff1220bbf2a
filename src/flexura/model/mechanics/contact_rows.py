"""Pairs that may touch, row by row, and as arrays."""

from collections.abc import Sequence

import numpy as np

from flexura.contact.link import Chains, Links
from flexura.contact.link_kernels import LONG, MIDDLE
from flexura.contact.link_kernels import SLOTS as STRANDS
from flexura.contact.skin import Skins
from flexura.contact.skin_kernels import SLOTS
from flexura.contact.solid import Solids
from flexura.model.contact import NODE, PARTICLE, Contacts
from flexura.model.mechanics.contact_pairs import (
    About,
    Chain,
    ChainRow,
    Frames,
    Link,
    Pair,
    real,
    whole,
)
from flexura.model.mechanics.contact_rigid import Rigid
from flexura.model.mechanics.contact_shapes import Shapes
from flexura.model.mechanics.skin import Skin
from flexura.model.site import Site
from flexura.typing import Array, frozen

NONE = np.empty(0)


class Rows:
    """Pairs that were found.

    Attributes:
        pairs: with solids.
        on_skins: with skins.
        links: with chains.
        chains: that links may touch.
    """

    def __init__(self) -> None:
        self.pairs: list[Pair] = []
        self.on_skins: list[Pair] = []
        self.links: list[Link] = []
        self.chains: list[ChainRow] = []

    @property
    def count(self) -> int:
        """Number of pairs."""
        return len(self.pairs) + SLOTS * len(self.on_skins) + STRANDS * len(self.links)

    def add_link(
        self,
        chain: Chain,
        radius: Array,
        k: int,
        other: int,
        thickest: float,
        about: About,
        apart: float = 0.0,
    ) -> None:
        """Add a link of a chain, which may touch another one, by what both radii are at most."""
        s0, s1 = chain.s[k : k + 2].tolist()
        ends = (chain.frames[k], chain.frames[k + 1])
        soft = MIDDLE * min(s1 - s0, LONG * thickest) ** 2
        thick = 0.5 * float(radius[k] + radius[k + 1])
        self.links.append(Link(ends, thick, soft, other, apart, about))

    def add_chain(self, chain: Chain, radius: Array, thickest: float) -> int:
        """Add a chain that links may touch, by what both radii are at most; its number."""
        soft = MIDDLE * np.minimum(np.append(np.diff(chain.s), 0.0), LONG * thickest) ** 2
        thick = np.append(0.5 * (radius[:-1] + radius[1:]), radius[-1])
        self.chains.append(ChainRow(chain, thick, soft))
        return len(self.chains) - 1

    def contacts(
        self,
        site: Site,
        shapes: Shapes,
        skins: Sequence[Skin],
        rigid: Rigid,
        ignored: Sequence[str],
    ) -> Contacts:
        """All pairs as arrays, with what they refer to, and what is said of those left out."""
        on_skins = [pair for pair in self.on_skins for _ in range(SLOTS)]
        links = [link for link in self.links for _ in range(STRANDS)]
        pairs = self.pairs + on_skins
        frames = self._frames(site, shapes, skins)
        solids = [
            (shape, -1 if carrier < 0 else frames.of((NODE, carrier)), pose)
            for shape, carrier, pose in shapes.solids
        ]
        rows = [x.about for x in pairs] + [x.about for x in links]
        return Contacts(
            names=tuple((x.a, x.b) for x in site.robot.contacts),
            points=frames.points,
            nodes=frames.nodes,
            particles=frames.particles,
            sample=whole([frames.of(x.key) for x in pairs]),
            end=whole([-1 if x.end is None else frames.of(x.end) for x in pairs]),
            at_ends=whole([x.ends for x in self.pairs]).reshape(-1, 2),
            offset=real([x.offset for x in pairs]).reshape(-1, 3),
            edge=real([x.edge for x in pairs]).reshape(-1, 3),
            rim=real([x.rim for x in pairs]).reshape(-1, 3),
            soft=real([x.soft for x in pairs]),
            radius=real([x.radius for x in pairs]),
            solid=whole([x.other for x in self.pairs]),
            solids=Solids.of(solids),
            skin=whole([x.other for x in on_skins]),
            skins=Skins.of([(frames.of_particles(x.triangles), x.places) for x in skins]),
            links=Links(
                whole([tuple(map(frames.of, x.ends)) for x in links]).reshape(-1, 2),
                real([x.radius for x in links]),
                real([x.soft for x in links]),
                whole([x.chain for x in links]),
                real([x.apart for x in links]),
                real([x.about.length for x in links]),
            ),
            chains=self._as_arrays(frames),
            friction=real([x.friction for x in rows]),
            contact=whole([x.contact for x in rows]),
            swapped=frozen(np.array([x.swapped for x in rows], dtype=np.bool_)),
            length=real([x.length for x in rows]),
            reach=real([x.reach for x in rows]),
            rigid=whole([rigid.of(key) for key in frames.keys]),
            ignored=tuple(ignored),
        )

    def _frames(self, site: Site, shapes: Shapes, skins: Sequence[Skin]) -> Frames:
        """All frames that pairs are on."""
        pairs = self.pairs + self.on_skins
        keys = {pair.key for pair in pairs} | {pair.end for pair in pairs if pair.end is not None}
        keys |= {key for link in self.links for key in link.ends}
        keys |= {key for row in self.chains for key in row.chain.frames}
        keys |= {(NODE, carrier) for _, carrier, _ in shapes.solids if carrier >= 0}
        keys |= {(PARTICLE, p) for skin in skins for p in np.unique(skin.triangles).tolist()}
        return Frames(keys, len(site.groups))

    def _as_arrays(self, frames: Frames) -> Chains:
        """All chains, one after the other."""
        chains = self.chains
        counts = [len(x.chain.frames) for x in chains]
        return Chains(
            whole([frames.of(key) for x in chains for key in x.chain.frames]),
            whole(np.cumsum([0, *counts])),
            real(np.concatenate([NONE, *(x.radius for x in chains)])),
            real(np.concatenate([NONE, *(x.soft for x in chains)])),
            real(np.concatenate([NONE, *(x.chain.s for x in chains)])),
        )
