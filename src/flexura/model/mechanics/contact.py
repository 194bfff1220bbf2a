"""Contacts of a robot: what may touch what, in terms of points, nodes and solids."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np

from flexura.contact.solid import Samples, Solids, samples
from flexura.errors import ModelError
from flexura.model.contact import Contacts
from flexura.model.laws.contact import PressedPoints
from flexura.model.site import Site
from flexura.model.terms.contact import PressedNodes
from flexura.robot import (
    Anchor,
    AnyObstacle,
    AnyShape,
    Circle,
    Contact,
    Rod,
    Taper,
    Tube,
)
from flexura.typing import Array, Indices, Pose, frozen

Key: TypeAlias = tuple[int, int]  # part and point, or -1 and node

# Pairs beyond this have no room: each has a row of its own where all touch.
MOST = 1_000_000
# So many radii from an end that is joined to something, a rod touches nothing.
FREE = 2.0
# So many radii apart along itself, a rod may touch itself: half a turn of the tightest bend.
TURNED = 4.0
# Gaps below this part of the size of a sample, or of the distance to the next, may close in a step.
REACH = 0.02


def add_contacts(site: Site) -> None:
    """All contacts."""
    if not site.robot.contacts:
        return
    table = _Table(site)
    for i, contact in enumerate(site.robot.contacts):
        table.add(i, contact)
    contacts = table.contacts()
    if contacts.count > MOST:
        raise ModelError(
            f"the contacts of {site.robot.name!r} are {contacts.count} pairs that may touch, more "
            f"than {MOST}: name fewer contacts, or take coarser rods and meshes"
        )
    first = 0
    for laws, points in zip(site.laws, contacts.points, strict=True):
        if len(points):
            laws.append(PressedPoints(points, first, contacts.frictional))
        first += len(points)
    if len(contacts.nodes):
        nodes = frozen(contacts.nodes[:, None].copy())
        site.terms.append(PressedNodes(nodes, first, contacts.frictional))
    site.contacts = contacts


def radius_of(rod: Rod, contact: Contact, s: Array) -> Array:
    """How thick a rod is at arc lengths, for a contact [m]."""
    if contact.radius is not None:
        return np.full(len(s), contact.radius)
    section, u, radii = rod.section, s / rod.length, []
    ends = (section, section)
    if isinstance(section, Taper):
        ends = (section.base_section, section.tip_section)
    for end in ends:
        if isinstance(end, Circle):
            radii.append(end.radius)
        elif isinstance(end, Tube):
            radii.append(end.outer)
        else:
            return np.sqrt(rod.section_constants(s)[..., 0] / np.pi)
    return np.asarray((1.0 - u) * radii[0] + u * radii[1])


class _Pair(NamedTuple):
    """A sample that may touch a solid; see ``Contacts``."""

    key: Key
    offset: Array
    radius: float
    solid: int
    about: "_About"


class _Link(NamedTuple):
    """A link of a rod that may touch a chain; see ``Contacts``."""

    ends: tuple[Key, Key]
    radius: float
    chain: int
    apart: float
    about: "_About"


class _About(NamedTuple):
    """What pairs of both kinds have; see ``Contacts``."""

    friction: float
    contact: int
    swapped: bool
    length: float
    reach: float


class _Chain:
    """Frames of a rod from base to tip: arc lengths, and for each its part and point, or node."""

    def __init__(self, site: Site, rod: Rod) -> None:
        place = site.place(rod.name)
        points = site.groups[place.part].points
        own = np.flatnonzero(points.rod == place.index)
        # every second point of a span: rods have no more motions than that
        own = own[(np.arange(len(own)) % points.per_span) % 2 == 0]
        base, tip = site.nodes.ends(rod.name)
        self.rod = rod
        self.s = np.concatenate([[0.0], points.s[own], [rod.length]])
        self.frames: list[Key] = [
            (-1, base), *((place.part, int(p)) for p in own), (-1, tip)
        ]  # fmt: skip


class _Table:
    """Collects pairs."""

    def __init__(self, site: Site) -> None:
        self._site, robot = site, site.robot
        self._rods = robot.graph.rods
        self._bodies, self._obstacles = robot.graph.bodies, {x.name: x for x in robot.obstacles}
        self._chains: dict[str, _Chain] = {}
        self._shapes: list[tuple[AnyShape | AnyObstacle, int, Pose]] = []
        self._solid: dict[str, int] = {}
        self._pairs: list[_Pair] = []
        self._links: list[_Link] = []
        self._chain_rows: list[tuple[_Chain, Array]] = []
        self._ignored: list[str] = []
        self._joined = {
            (anchor.part, anchor.end)
            for group in robot.graph.groups
            if len(group.frames) > 1
            for anchor in group.frames
            if anchor.end is not None
        }

    def add(self, i: int, contact: Contact) -> None:
        """Add the pairs of a contact."""
        a, b = contact.a, contact.b
        if a in self._rods and b in self._rods:
            self._add_rods(i, contact, self._rods[a], self._rods[b])
        elif a in self._rods:
            self._add_rod(i, contact, self._rods[a], b, swapped=False)
        elif b in self._rods:
            self._add_rod(i, contact, self._rods[b], a, swapped=True)
        elif self._rigid(a, b):
            self._ignored.append(
                f"{contact}: they do not move against each other; the contact is ignored"
            )
        else:
            self._add_solids(i, contact, a, b, swapped=False)
            self._add_solids(i, contact, b, a, swapped=True)

    def _rigid(self, a: str, b: str) -> bool:
        """Whether two bodies, or a body and the world, are one."""
        group_of = self._site.robot.graph.group_of
        anchors = [Anchor(x) if x in self._bodies else Anchor("world") for x in (a, b)]
        return anchors[1] in group_of[anchors[0]].frames

    def _add_rods(self, i: int, contact: Contact, rod: Rod, other: Rod) -> None:
        """Links of a rod with the chain of another, or its own."""
        first, second = self._chain(rod), self._chain(other)
        radius = radius_of(rod, contact, first.s)
        other_radius = radius_of(other, contact, second.s)
        self._chain_rows.append((second, other_radius))
        thickest = float(radius.max() + other_radius.max())
        for k, (s0, s1) in enumerate(pairwise(first.s.tolist())):
            middle, own = 0.5 * (s0 + s1), 0.5 * float(radius[k] + radius[k + 1])
            if rod is not other and self._near_joint(rod, middle, own):
                continue
            apart = TURNED * own + 2.0 * (s1 - s0) if rod is other else 0.0
            if rod is other and middle + apart > rod.length:
                continue  # each pair of links once
            about = _About(contact.friction, i, False, middle, REACH * max(thickest, s1 - s0))
            ends, number = (first.frames[k], first.frames[k + 1]), len(self._chain_rows) - 1
            self._links.append(_Link(ends, own, number, apart, about))

    def _add_rod(self, i: int, contact: Contact, rod: Rod, other: str, swapped: bool) -> None:
        """Samples of a rod with a solid."""
        chain, solid = self._chain(rod), self._solid_of(other)
        radius = radius_of(rod, contact, chain.s)
        spacing = float(np.diff(chain.s).max())
        skipped = 0
        for key, s, r in zip(chain.frames, chain.s.tolist(), radius.tolist(), strict=True):
            if self._near_joint(rod, s, r):
                skipped += 1
                continue
            about = _About(contact.friction, i, swapped, s, REACH * max(r, spacing))
            self._pairs.append(_Pair(key, np.zeros(3), r, solid, about))
        if skipped == len(chain.frames):
            self._ignored.append(
                f"{contact}: rod {rod.name!r} is shorter than four of its radii and joined at its "
                "ends; the contact is ignored"
            )

    def _near_joint(self, rod: Rod, s: float, radius: float) -> bool:
        """Whether a place is so near to an end that is joined to something that it cannot touch."""
        ends = (("base", s), ("tip", rod.length - s))
        return any((rod.name, end) in self._joined and away < FREE * radius for end, away in ends)

    def _add_solids(self, i: int, contact: Contact, a: str, b: str, swapped: bool) -> None:
        """Samples of a solid with another solid."""
        shape, key, placement = self._shape(a)
        found: Samples = samples(shape)
        solid = self._solid_of(b)
        centers = found.center @ placement[:3, :3].T + placement[:3, 3]
        for center, r in zip(centers, found.radius.tolist(), strict=True):
            reach = REACH * max(r, 0.5 * found.spacing)
            about = _About(contact.friction, i, swapped, np.nan, reach)
            self._pairs.append(_Pair(key, center, r, solid, about))

    def _chain(self, rod: Rod) -> _Chain:
        if rod.name not in self._chains:
            self._chains[rod.name] = _Chain(self._site, rod)
        return self._chains[rod.name]

    def _shape(self, name: str) -> tuple[AnyShape | AnyObstacle, Key, Pose]:
        """Shape of a body or obstacle, the node that carries it, and its placement there."""
        nodes = self._site.nodes
        if name in self._bodies:
            shape = self._bodies[name].shape
            assert shape is not None
            return shape, (-1, nodes.node(Anchor(name))), shape.placement
        obstacle = self._obstacles[name]
        return obstacle.shape, (-1, nodes.world), obstacle.placement

    def _solid_of(self, name: str) -> int:
        """Number of the solid of a body or obstacle."""
        if name not in self._solid:
            shape, key, placement = self._shape(name)
            carrier = -1 if name in self._obstacles else key[1]
            self._solid[name] = len(self._shapes)
            self._shapes.append((shape, carrier, placement))
        return self._solid[name]

    def contacts(self) -> Contacts:
        """All pairs as arrays."""
        site = self._site
        keys = {pair.key for pair in self._pairs}
        keys |= {key for link in self._links for key in link.ends}
        keys |= {key for chain, _ in self._chain_rows for key in chain.frames}
        keys |= {(-1, carrier) for _, carrier, _ in self._shapes if carrier >= 0}
        points = [
            frozen(np.array(sorted(p for part, p in keys if part == i), dtype=np.int64))
            for i in range(len(site.groups))
        ]
        nodes = frozen(np.array(sorted(n for part, n in keys if part < 0), dtype=np.int64))
        ends = np.cumsum([0, *map(len, points)]).tolist()

        def frame(key: Key) -> int:
            part, at = key
            own = nodes if part < 0 else points[part]
            begin: int = ends[part if part >= 0 else -1]
            return begin + int(np.searchsorted(own, at))

        shapes = [
            (shape, -1 if carrier < 0 else frame((-1, carrier)), pose)
            for shape, carrier, pose in self._shapes
        ]
        chains = self._chain_rows
        counts = [len(chain.frames) for chain, _ in chains]
        rows = [x.about for x in self._pairs] + [x.about for x in self._links]
        return Contacts(
            names=tuple((x.a, x.b) for x in site.robot.contacts),
            points=tuple(points),
            nodes=nodes,
            sample=_whole([frame(x.key) for x in self._pairs]),
            offset=_real([x.offset for x in self._pairs]).reshape(-1, 3),
            radius=_real([x.radius for x in self._pairs]),
            solid=_whole([x.solid for x in self._pairs]),
            solids=Solids.of(shapes),
            links=_whole([tuple(map(frame, x.ends)) for x in self._links]).reshape(-1, 2),
            link_radius=_real([x.radius for x in self._links]),
            link_chain=_whole([x.chain for x in self._links]),
            apart=_real([x.apart for x in self._links]),
            chain=_whole([frame(key) for chain, _ in chains for key in chain.frames]),
            chain_begin=_whole(np.cumsum([0, *counts])),
            chain_radius=_real([r for _, radius in chains for r in radius]),
            chain_length=_real([s for chain, _ in chains for s in chain.s]),
            friction=_real([x.friction for x in rows]),
            contact=_whole([x.contact for x in rows]),
            swapped=frozen(np.array([x.swapped for x in rows], dtype=np.bool_)),
            length=_real([x.length for x in rows]),
            reach=_real([x.reach for x in rows]),
            ignored=tuple(self._ignored),
        )


def _whole(values: Sequence[object] | Indices) -> Indices:
    """Whole numbers, read-only."""
    return frozen(np.array(values, dtype=np.int64))


def _real(values: Sequence[object]) -> Array:
    """Numbers, read-only."""
    return frozen(np.array(values, dtype=np.float64))
