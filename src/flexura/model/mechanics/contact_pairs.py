"""What contacts of a robot are made of: frames, samples and links, before they are arrays."""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np

from flexura.model.contact import NODE, PARTICLE
from flexura.model.site import Site
from flexura.robot import Circle, Contact, Rod, Taper, Tube
from flexura.typing import Array, Indices, frozen

Key: TypeAlias = tuple[int, int]  # part and point, or NODE and node, or PARTICLE and particle

NOWHERE = np.zeros(3)


class About(NamedTuple):
    """What pairs of both kinds have; see ``Contacts``."""

    friction: float
    contact: int
    swapped: bool
    length: float
    reach: float


class Pair(NamedTuple):
    """A sample or bow that may touch a solid, or a skin; see ``Contacts``."""

    key: Key
    offset: Array
    radius: float
    other: int
    about: About
    edge: Array = NOWHERE
    rim: Array = NOWHERE
    soft: float = 0.0
    end: Key | None = None
    ends: tuple[int, int] = (-1, -1)


class Link(NamedTuple):
    """A link of a rod that may touch a chain; see ``Contacts``."""

    ends: tuple[Key, Key]
    radius: float
    soft: float
    chain: int
    apart: float
    about: About


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


class ChainRow(NamedTuple):
    """A chain that links may touch; see ``Contacts``."""

    chain: "Chain"
    radius: Array
    soft: Array


class Chain:
    """Frames of a rod from base to tip: arc lengths, and for each its part and point, or node."""

    def __init__(self, s: Array, frames: list[Key]) -> None:
        self.s, self.frames = s, frames

    @classmethod
    def of(cls, site: Site, rod: Rod, every: int = 2) -> "Chain":
        """Of a rod of a site: every so manyth point of a span."""
        place = site.place(rod.name)
        points = site.groups[place.part].points
        own = np.flatnonzero(points.rod == place.index)
        own = own[(np.arange(len(own)) % points.per_span) % every == 0]
        base, tip = site.nodes.ends(rod.name)
        s = np.concatenate([[0.0], points.s[own], [rod.length]])
        return cls(s, [(NODE, base), *((place.part, int(p)) for p in own), (NODE, tip)])

    @property
    def spacing(self) -> float:
        """How long its links are in the mean [m]."""
        return float(np.diff(self.s).mean())

    def __getitem__(self, part: slice) -> "Chain":
        """A part of it."""
        return Chain(self.s[part], self.frames[part])

    def samples(self, most: float) -> tuple[list[Key], Array, list[float]]:
        """Places along the rod that are not further apart than that [m].

        Between frames they are on the tangent of the nearest one.

        Returns:
            The frame that carries each, arc lengths [m], and how far each is ahead of its frame.
        """
        keys, places, ahead = [self.frames[0]], [0.0], [0.0]
        for k, (begin, end) in enumerate(pairwise(self.s.tolist())):
            parts = max(1, math.ceil((end - begin) / most))
            for s in np.linspace(begin, end, parts + 1)[1:].tolist():
                first = s - begin < end - s
                keys.append(self.frames[k if first else k + 1])
                places.append(s)
                ahead.append(s - begin if first else s - end)
        return keys, np.array(places), ahead


class Bow(NamedTuple):
    """A piece of a rod from one of its points to the next: keys, and arc lengths [m]."""

    keys: tuple[Key, Key]
    s: tuple[float, float]

    @classmethod
    def all(cls, site: Site, rod: Rod) -> Iterator["Bow"]:
        """All of a rod, from base to tip."""
        chain = Chain.of(site, rod, every=1)
        yield from map(cls, pairwise(chain.frames), pairwise(chain.s.tolist()))


class Frames:
    """Frames by their keys.

    Attributes:
        points: of each part that are frames.
        nodes: that are.
        particles: that are.
        keys: of all frames in their order.
    """

    def __init__(self, keys: set[Key], parts: int) -> None:
        order = (*range(parts), NODE, PARTICLE)
        own = [sorted(at for part, at in keys if part == i) for i in order]
        self.keys = [(i, at) for i, places in zip(order, own, strict=True) for at in places]
        lists = [whole(x) for x in own]
        self.points = tuple(lists[:parts])
        self.nodes, self.particles = lists[parts:]
        self._lists = dict(zip(order, lists, strict=True))
        ends = np.cumsum([0, *map(len, lists)]).tolist()
        self._begin = dict(zip(self._lists, ends, strict=False))

    def of(self, key: Key) -> int:
        """The frame of a key."""
        begin: int = self._begin[key[0]]
        return begin + int(np.searchsorted(self._lists[key[0]], key[1]))

    def of_particles(self, particles: Indices) -> Indices:
        """Frames of particles."""
        return np.asarray(self._begin[PARTICLE] + np.searchsorted(self.particles, particles))


def whole(values: Sequence[object] | Indices) -> Indices:
    """Whole numbers, read-only."""
    return frozen(np.array(values, dtype=np.int64))


def real(values: Sequence[object] | Array) -> Array:
    """Numbers, read-only."""
    return frozen(np.array(values, dtype=np.float64))
