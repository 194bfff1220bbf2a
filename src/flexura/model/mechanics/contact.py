"""Contacts of a robot: what may touch what, in terms of points, nodes, particles and solids."""

from itertools import pairwise

import numpy as np

from flexura.contact.bow_kernels import WELLS
from flexura.contact.link_kernels import MIDDLE
from flexura.contact.ridge_kernels import SLOTS as RIDGES
from flexura.contact.sample import EDGE_SPRING, Samples, samples
from flexura.contact.solid import thickness
from flexura.errors import ModelError
from flexura.model.contact import NODE, PARTICLE, Contacts
from flexura.model.laws.contact import PressedPoints
from flexura.model.mechanics.contact_joints import FREE, Joints
from flexura.model.mechanics.contact_overlap import (
    STEP,
    Overlaps,
    Run,
    left_over,
    touches,
)
from flexura.model.mechanics.contact_pairs import (
    NOWHERE,
    About,
    Bow,
    Chain,
    Key,
    Link,
    Pair,
    radius_of,
)
from flexura.model.mechanics.contact_rigid import Rigid
from flexura.model.mechanics.contact_rows import Rows
from flexura.model.mechanics.contact_shapes import Shapes
from flexura.model.mechanics.skin import Skin, skin_of
from flexura.model.members.contact import PressedParticles
from flexura.model.room import ROOM
from flexura.model.site import Site
from flexura.model.terms.contact import PressedNodes
from flexura.robot import Contact, Rod
from flexura.typing import frozen

# What a pair takes while models are built and solved [bytes]; what touches at once takes more
# (``touch_rows``).
TAKES = 2000
# So many radii apart along itself, a rod may touch itself: half a turn of the tightest bend.
TURNED = 4.0
# Gaps below this part of the size of a sample, or of the distance to the next, may close in a step.
REACH = 0.02
# Samples of a rod are not further apart than this part of its radius and half of what it touches
# together: then nothing goes between them, and a post is deeper by 3 % of both at most.
CLOSE = 0.5
# What bows that lie flat are drawn to their middles by, relative to their length in the mean: gaps
# are too large by an eighth of it at most, and forces lean by half of it over that length [rad].
BOW_SPRING = 3e-3
# Samples thicker than so many sides of a skin touch its corners only: over the middle of triangles,
# which is 0.62 sides from corners at most, they are then 3 % of their radius deep.
THIN = 2.5


def add_contacts(site: Site) -> None:
    """All contacts."""
    if not site.robot.contacts:
        return
    table = _Table(site)
    for i, contact in enumerate(site.robot.contacts):
        table.add(i, contact)
    if TAKES * table.count > ROOM:
        raise ModelError(
            f"the contacts of {site.robot.name!r} are {table.count} pairs that may touch, which "
            f"take {1e-9 * TAKES * table.count:.3g} GB, and there is room for {1e-9 * ROOM:.3g} "
            "GB: name fewer contacts, or take coarser rods and meshes"
        )
    contacts = table.contacts()
    first = 0
    for laws, points in zip(site.laws, contacts.points, strict=True):
        if len(points):
            laws.append(PressedPoints(points, first, contacts.frictional))
        first += len(points)
    if len(contacts.nodes):
        nodes = frozen(contacts.nodes[:, None].copy())
        site.terms.append(PressedNodes(nodes, first, contacts.frictional))
    first += len(contacts.nodes)
    if len(contacts.particles):
        site.members.append(PressedParticles(contacts.particles, first, contacts.frictional))
    site.contacts = contacts


class _Table:
    """Collects pairs."""

    def __init__(self, site: Site) -> None:
        self._site, robot = site, site.robot
        self._rods = robot.graph.rods
        self._chains: dict[str, Chain] = {}
        self._shapes = Shapes(site)
        self._volumes = {x.name: x for x in robot.volumes}
        self._skins: dict[str, tuple[int, Skin]] = {}
        self._rows = Rows()
        self._ignored: list[str] = []
        self._joints, self._rigid = Joints(robot.graph), Rigid(site)
        self._overlaps = Overlaps(site, self._shapes)
        self._grown: set[Contact] = set()  # with places of bodies and volumes that are left out
        self._one_piece: dict[Contact, dict[str, list[Run]]] = {}

    def add(self, i: int, contact: Contact) -> None:
        """Add the pairs of a contact."""
        a, b, before = contact.a, contact.b, self.count
        self._say_neighbours(contact)
        self._say_clamped(contact)
        if a in self._volumes:
            self._add_volume(i, contact, a, b, swapped=False)
        elif b in self._volumes:
            self._add_volume(i, contact, b, a, swapped=True)
        elif a in self._rods and b in self._rods:
            self._add_rods(i, contact, self._rods[a], self._rods[b])
        elif a in self._rods:
            self._add_rod(i, contact, self._rods[a], b, self._shapes.number(b), swapped=False)
        elif b in self._rods:
            self._add_rod(i, contact, self._rods[b], a, self._shapes.number(a), swapped=True)
        elif self._held(a) != self._held(b):
            self._add_solids(i, contact)
        if contact in self._grown:
            self._ignored.append(
                f"{contact}: they are fixed to each other and overlap as described; corners and "
                "sides that are inside the other one there never touch it"
            )
        if self.count == before:
            self._ignored.append(f"{contact}: {self._why_none(contact)}; the contact is ignored")

    def _why_none(self, contact: Contact) -> str:
        """Why a contact has no pair."""
        names = (contact.a, contact.b)
        rods = [repr(x) for x in names if x in self._rods]
        if contact.a == contact.b:
            return "the rod is too short to come back to itself"
        if rods:
            return (
                f"all of {' or of '.join(rods)} is within {FREE:g} radii of a joint, or inside "
                "what it is fixed to"
            )
        if any(x in self._volumes for x in names):
            return "clamps hold all corners that could touch"
        return "nothing but inputs moves them against each other"

    def _add_solids(self, i: int, contact: Contact) -> None:
        """Samples of two solids, each with the other."""
        a, b = contact.a, contact.b
        shapes = self._shapes.placed(a).shape, self._shapes.placed(b).shape
        # steps know how samples roll on what stands still
        first = self._shapes.is_fixed(b) or not self._shapes.is_fixed(a)
        own, their = samples(*shapes, first), samples(*shapes[::-1], not first)
        for name, other, found, swapped in ((a, b, own, False), (b, a, their, True)):
            number = self._shapes.number(other)
            self._rows.pairs += self._samples_of(i, contact, name, found, number, swapped)

    def _held(self, name: str) -> set[int]:
        """Numbers of what is rigid together at a part, see ``Rigid``."""
        if name in self._rods:
            ends = self._site.nodes.ends(name)
            keys: list[Key] = [(NODE, node) for node in ends]
        elif name in self._volumes:
            keys = [(PARTICLE, p) for p in np.unique(self._skin(name)[1].triangles).tolist()]
        else:
            keys = [self._shapes.placed(name).key]
        return {number for number in map(self._rigid.of, keys) if number >= 0}

    def _add_rods(self, i: int, contact: Contact, rod: Rod, other: Rod) -> None:
        """Links of the rod that has the shorter ones with the chain of the other, or its own."""
        lengths = [(self._chain(x).spacing, x.name) for x in (rod, other)]
        swapped = lengths[0] > lengths[1]
        if swapped:
            rod, other = other, rod
        if rod is other:
            self._add_itself(i, contact, rod)
            return
        pair = (rod, other)
        thick = max(float(radius_of(x, contact, self._chain(x).s).max()) for x in pair)
        firsts, seconds = (
            self._left(contact, own, their.name, thick) for own, their in (pair, pair[::-1])
        )
        sides = [
            [(piece, radius_of(own, contact, piece.s)) for piece in pieces]
            for own, pieces in zip(pair, (firsts, seconds), strict=True)
        ]
        if not all(sides):
            return
        thickest = sum(max(float(radius.max()) for _, radius in side) for side in sides)
        for chain, radius in sides[1]:
            number = self._rows.add_chain(chain, radius, thickest)
            for links, own_radius in sides[0]:
                for k in range(len(links.s) - 1):
                    about = _about_link(i, contact, links, k, thickest, swapped)
                    self._rows.add_link(links, own_radius, k, number, thickest, about)

    def _left(self, contact: Contact, rod: Rod, other: str, thick: float) -> list[Chain]:
        """Pieces of a rod that may touch another rod, or a volume; not where both are joined."""
        chain = self._chain(rod)
        kept = self._joints.free(rod, other, chain.s, thick)
        return [chain[x] for x in left_over(chain.s, kept, self._along(contact, rod, other))]

    def _add_itself(self, i: int, contact: Contact, rod: Rod) -> None:
        """Links of a rod with its own chain, but not of its base with its tip if they are one."""
        chain, runs = self._chain(rod), self._along(contact, rod, rod.name)
        radius = radius_of(rod, contact, chain.s)
        thickest = 2.0 * float(radius.max())
        number = self._rows.add_chain(chain, radius, thickest)
        rest = number
        if runs:
            kept = chain.s <= runs[-1].begin
            rest = self._rows.add_chain(chain[: int(kept.sum())], radius[kept], thickest)
        middles = 0.5 * (chain.s[:-1] + chain.s[1:])
        for k, (s0, s1) in enumerate(pairwise(chain.s.tolist())):
            apart = TURNED * 0.5 * float(radius[k] + radius[k + 1]) + (s1 - s0)
            ahead = int(np.searchsorted(chain.s, s1 + apart))
            if ahead >= len(middles):
                continue  # nothing is so far ahead of it
            # links are of several lengths: half way to the middle of the first that may touch
            apart = 0.5 * float(middles[ahead - 1] + middles[ahead]) - float(middles[k])
            own = rest if runs and s0 < runs[0].end else number
            about = _about_link(i, contact, chain, k, thickest, False)
            self._rows.add_link(chain, radius, k, own, thickest, about, apart)

    def _along(self, contact: Contact, rod: Rod, other: str) -> list[Run]:
        """Where a rod and another part, or its own ends, are one piece."""
        known = self._one_piece.setdefault(contact, {})
        if rod.name not in known:
            known[rod.name] = self._overlaps.along(contact, rod, other)
        return known[rod.name]

    def _add_rod(
        self, i: int, contact: Contact, rod: Rod, name: str, other: int, swapped: bool
    ) -> None:
        """Samples of a rod with a solid, or a skin; bows between where that has edges."""
        skin, runs = name in self._volumes, self._along(contact, rod, name)
        edged = None if skin else self._shapes.edges(other)
        bowed = edged == other and self._shapes.is_round(other)  # bows touch it all along
        chain = Chain.of(self._site, rod, every=1) if bowed else self._chain(rod)
        thick = np.inf if skin or bowed else thickness(self._shapes.solids[other][0])
        radius = radius_of(rod, contact, chain.s)
        keys, places, away = chain.samples(CLOSE * (float(radius.min()) + thick))
        radius, spacing = radius_of(rod, contact, places), float(np.diff(places).max())
        pairs = self._rows.on_skins if skin else self._rows.pairs
        their = -1 if skin else self._rigid.of(self._shapes.carrier(other))
        spheres: list[Pair] = []
        for key, s, r, x in zip(keys, places.tolist(), radius.tolist(), away, strict=True):
            if not (self._untouched(rod, s, r, key, their) or touches(runs, s, s)):
                about = About(contact.friction, i, swapped, s, REACH * max(r, spacing))
                spheres.append(Pair(key, np.array([x, 0.0, 0.0]), r, other, about))
        bows = [] if edged is None else self._bows(i, contact, rod, edged, swapped, runs)
        if edged == other:
            bows = _with_ends(bows, spheres, len(pairs) + len(bows))
        pairs += bows + spheres  # bows first: no block ends between their slots

    def _bows(
        self, i: int, contact: Contact, rod: Rod, other: int, swapped: bool, runs: list[Run]
    ) -> list[Pair]:
        """Bows of a rod between all of its points, with a solid that has edges."""
        found: list[Pair] = []
        their, ridged = self._rigid.of(self._shapes.carrier(other)), self._shapes.is_ridged(other)
        bows = list(Bow.all(self._site, rod))
        spacing = rod.length / len(bows)
        for bow in bows:
            middle, half = 0.5 * (bow.s[0] + bow.s[1]), 0.5 * (bow.s[1] - bow.s[0])
            r = float(radius_of(rod, contact, np.array([middle]))[0])
            ends = zip(bow.s, bow.keys, strict=True)
            if half == 0.0 or any(self._untouched(rod, s, r, key, their) for s, key in ends):
                continue
            if touches(runs, *bow.s):
                continue
            way = np.array([half, 0.0, 0.0])
            reach = REACH * (r if ridged else max(r, 2.0 * half))
            about = About(contact.friction, i, swapped, bow.s[0], reach)
            soft = BOW_SPRING * spacing if self._shapes.is_round(other) else 0.0
            pair = Pair(bow.keys[0], NOWHERE, r, other, about, way, soft=soft, end=bow.keys[1])
            found += [pair] * (RIDGES if ridged else WELLS)
        return found

    def _untouched(self, rod: Rod, s: float, radius: float, key: Key, their: int) -> bool:
        """Whether a place of a rod touches no solid, as it is joined to something."""
        return self._joints.near(rod, s, radius) or 0 <= self._rigid.of(key) == their

    def _add_volume(self, i: int, contact: Contact, a: str, b: str, swapped: bool) -> None:
        """Corners of a volume with another part, and samples of that with its skin."""
        number, skin = self._skin(a)
        thin = THIN * skin.spacing
        if b in self._volumes:
            self._rows.on_skins += self._corners(i, contact, a, b, self._skin(b)[0], swapped)
            self._rows.on_skins += self._corners(i, contact, b, a, number, not swapped)
        elif b in self._rods:
            rod = self._rods[b]
            if radius_of(rod, contact, np.linspace(0.0, rod.length, 9)).max() <= thin:
                self._add_rod(i, contact, rod, a, number, not swapped)
            self._add_corners(i, contact, a, rod, swapped)
        else:
            self._rows.pairs += self._corners(i, contact, a, b, self._shapes.number(b), swapped)
            found = samples(self._shapes.placed(b).shape, None)
            own = self._samples_of(i, contact, b, found, number, not swapped)
            inside = self._overlaps.samples(b, np.array([x.offset for x in own]), found.radius, a)
            if inside.any():
                self._grown.add(contact)
            self._rows.on_skins += [
                pair
                for pair, one in zip(own, inside.tolist(), strict=True)
                if pair.radius <= thin and not one
            ]

    def _corners(
        self, i: int, contact: Contact, volume: str, name: str, other: int, swapped: bool
    ) -> list[Pair]:
        """Corners of the skin of a volume that nothing holds, with a solid or another skin."""
        _, skin = self._skin(volume)
        if inside := self._overlaps.corners(volume, skin.free.tolist(), name):
            self._grown.add(contact)
        about = About(contact.friction, i, swapped, np.nan, REACH * skin.spacing)
        corners = [p for p in skin.free.tolist() if p not in inside]
        return [Pair((PARTICLE, p), np.zeros(3), 0.0, other, about) for p in corners]

    def _add_corners(self, i: int, contact: Contact, volume: str, rod: Rod, swapped: bool) -> None:
        """Corners of the skin of a volume, links without length, with the chain of a rod."""
        _, skin = self._skin(volume)
        thickest = float(radius_of(rod, contact, self._chain(rod).s).max())
        reach = REACH * max(thickest, skin.spacing)
        about = About(contact.friction, i, swapped, np.nan, reach)
        for chain in self._left(contact, rod, volume, thickest):
            number = self._rows.add_chain(chain, radius_of(rod, contact, chain.s), thickest)
            for p in skin.free.tolist():
                ends, soft = ((PARTICLE, p), (PARTICLE, p)), MIDDLE * skin.spacing**2
                self._rows.links.append(Link(ends, 0.0, soft, number, 0.0, about))

    def _skin(self, volume: str) -> tuple[int, Skin]:
        """Number of the skin of a volume, and itself."""
        if volume not in self._skins:
            found = skin_of(self._site, self._volumes[volume])
            self._skins[volume] = len(self._skins), found
        return self._skins[volume]

    def _say_neighbours(self, contact: Contact) -> None:
        """Say where rods touch nothing, for what they are joined to, or one piece with."""
        for name, other in dict.fromkeys([(contact.a, contact.b), (contact.b, contact.a)]):
            if name not in self._rods:
                continue
            rod, joined = self._rods[name], self._joints.meet(name, other, contact)
            runs = self._along(contact, rod, other)
            told = other != name and joined and self._is_near(contact, rod, other, runs)
            if runs and not told:
                where = " and ".join(x.told(rod.length) for x in runs)
                self._ignored.append(
                    f"{contact}: they are fixed to each other and overlap as described; there, "
                    f"{where} of rod {name!r}, they never touch"
                )
            elif other != name and joined:
                self._ignored.append(
                    f"{contact}: they are joined; within {FREE:g} radii of the joint, rod {name!r} "
                    "touches nothing"
                )

    def _is_near(self, contact: Contact, rod: Rod, other: str, runs: list[Run]) -> bool:
        """Whether some places of a rod are all so near to its ends that they touch nothing."""
        rods = [rod, *(x for x in self._rods.values() if x.name == other)]
        ends = (radius_of(x, contact, np.array([0.0, x.length])) for x in rods)
        near = (FREE + STEP) * max(float(radius.max()) for radius in ends)
        return all(x.end <= near or x.begin >= rod.length - near for x in runs)

    def _say_clamped(self, contact: Contact) -> None:
        """Say where volumes touch nothing, for what they are clamped to."""
        for name, other in ((contact.a, contact.b), (contact.b, contact.a)):
            if name in self._volumes and self._held(name) & self._held(other):
                self._ignored.append(
                    f"{contact}: what clamps hold of {name!r} is as fixed as {other!r} is there; "
                    "nothing but inputs moves them against each other, and they do not touch"
                )
                return

    def _samples_of(
        self, i: int, contact: Contact, name: str, found: Samples, other: int, swapped: bool
    ) -> list[Pair]:
        """Samples of a solid, with another solid or a skin."""
        shape, key, placement = self._shapes.placed(name)
        centers = found.center @ placement[:3, :3].T + placement[:3, 3]
        edges, rims = (x @ placement[:3, :3].T for x in (found.edge, found.rim))
        softs = np.where(edges.any(axis=1), EDGE_SPRING * thickness(shape), 0.0).tolist()
        rows, pairs = (centers, edges, rims, softs, found.radius.tolist()), []
        for center, edge, rim, soft, r in zip(*rows, strict=True):
            reach = REACH * max(r, 0.5 * found.spacing)
            about = About(contact.friction, i, swapped, np.nan, reach)
            pairs.append(Pair(key, center, r, other, about, edge, rim, soft))
        return pairs

    def _chain(self, rod: Rod) -> Chain:
        if rod.name not in self._chains:
            self._chains[rod.name] = Chain.of(self._site, rod)
        return self._chains[rod.name]

    @property
    def count(self) -> int:
        """Number of pairs."""
        return self._rows.count

    def contacts(self) -> Contacts:
        """All pairs as arrays."""
        skins = [skin for _, skin in self._skins.values()]
        return self._rows.contacts(self._site, self._shapes, skins, self._rigid, self._ignored)


def _with_ends(bows: list[Pair], spheres: list[Pair], first: int) -> list[Pair]:
    """Bows that know the pairs of spheres, from a first one on, where they meet other bows."""
    meet = {bow.key for bow in bows} & {bow.end for bow in bows}
    own: dict[Key | None, int] = {
        x.key: first + k for k, x in enumerate(spheres) if x.key in meet and not x.offset.any()
    }
    return [bow._replace(ends=(own.get(bow.key, -1), own.get(bow.end, -1))) for bow in bows]


def _about_link(
    i: int, contact: Contact, chain: Chain, k: int, thickest: float, swapped: bool
) -> About:
    """What a link of a chain is, by what both radii are at most."""
    s0, s1 = chain.s[k : k + 2].tolist()
    reach = REACH * max(thickest, s1 - s0)
    return About(contact.friction, i, swapped, 0.5 * (s0 + s1), reach)
