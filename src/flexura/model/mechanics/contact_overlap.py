"""Parts that are welded, or clamped, to each other: where they overlap on the unloaded robot.

There they are one piece and never touch. Of parts that are both fixed in the world, that is where
an end of a rod is inside the other, or on it, and on from there as long as they overlap: elsewhere
nobody means that what only stands in the same world grows together.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from flexura.contact.surface import Surface
from flexura.lie import se3
from flexura.model.mechanics.contact_joints import FREE
from flexura.model.mechanics.contact_pairs import Chain, radius_of
from flexura.model.mechanics.contact_shapes import Shapes
from flexura.model.numbering import number_unknowns
from flexura.model.particle_numbering import unloaded_nodes
from flexura.model.site import Site
from flexura.robot import Anchor, Clamp, Contact, Rod, Weld
from flexura.robot.frame import ENDS
from flexura.robot.graph import Group
from flexura.rods.rest import rest_steps
from flexura.typing import Array, Pose

# Places that are looked at along rods are so many radii apart; there are so many at most.
STEP, MOST = 0.2, 4000
# What is no farther than this outside, or inside, relative to its size, is on the surface.
ON = 1e-6

Mask = NDArray[np.bool_]


class Run(NamedTuple):
    """Places of a rod one after another, from one arc length to another [m]."""

    begin: float
    end: float

    def told(self, length: float) -> str:
        """Where it is, in words."""
        if self.begin <= 0.0:
            return "all along" if self.end >= length else f"up to s = {self.end:.4g} m"
        if self.end >= length:
            return f"from s = {self.begin:.4g} m on"
        return f"from s = {self.begin:.4g} to {self.end:.4g} m"


class Curve(NamedTuple):
    """Places along an unloaded rod in the frame of a group.

    Attributes:
        s: arc lengths [m], (n,).
        x: where they are [m], (n, 3).
        thick: radius there, and what places on tangents are off the curve [m], (n,).
        radius: (n,).
        at: the place of the anchor that holds it.
    """

    s: Array
    x: Array
    thick: Array
    radius: Array
    at: int


class Overlaps:
    """Where parts of a robot overlap that are welded, or clamped, to each other."""

    def __init__(self, site: Site, shapes: Shapes) -> None:
        self._site, self._shapes, self._graph = site, shapes, site.robot.graph
        self._volumes = {x.name: x for x in site.robot.volumes}
        self._surfaces: dict[str, Surface] = {}
        self._curves: dict[tuple[float | None, Anchor], Curve] = {}

    def along(self, contact: Contact, rod: Rod, other: str) -> list[Run]:
        """Where a rod overlaps another part, or one end of it the other one, in ascending order.

        Each run goes up to the next places outside.

        Of what leaves a part, also the next ``FREE`` radii, as beside joints.
        """
        found: list[Run] = []
        for own, theirs, group in self._shared(rod.name, other):
            if not self._meet(contact, own, other, theirs, group):
                continue
            curve = self._curve(contact, rod, own, group)
            if other in self._graph.rods:
                partner = self._curve(contact, self._graph.rods[other], theirs, group)
                inside = _beside(curve, partner, group.fixed, rod.name == other)
            else:
                inside = self._inside(curve, other, theirs, group)
            found += _runs(curve.s, inside)
        return _merged(found)

    def corners(self, volume: str, particles: list[int], other: str) -> set[int]:
        """Those particles of a volume that are inside another part that is no rod."""
        found: set[int] = set()
        x = self._site.particles().rest[particles]
        for own, theirs, group in self._shared(volume, other):
            if group.fixed and theirs.is_world:
                continue
            pose = self._pose(other, theirs, group)
            apart = self._surface(other).distance(x, self._unloaded(own, group) @ pose)
            deep = apart < -ON * self._size(volume)
            found |= {p for p, is_deep in zip(particles, deep, strict=True) if is_deep}
        return found

    def samples(self, body: str, center: Array, radius: Array, volume: str) -> Mask:
        """Which samples of a body are inside a volume, by their centres where it carries them."""
        found = np.zeros(len(center), dtype=np.bool_)
        for own, theirs, group in self._shared(body, volume):
            if own.is_world:
                continue
            pose = self._unloaded(theirs, group) @ group.frames[own]
            x = center @ pose[:3, :3].T + pose[:3, 3]
            apart = self._surface(volume).distance(x, np.eye(4)) - radius
            found |= apart < -ON * self._size(volume)
        return found

    def _shared(self, a: str, b: str) -> Iterator[tuple[Anchor, Anchor, Group]]:
        """Anchors of two parts that are fixed to each other, and their group."""
        group_of = self._graph.group_of
        theirs = self._anchors(b)
        for own in self._anchors(a):
            for other in theirs:
                group = group_of[own]
                if a == b and {own.end, other.end} != set(ENDS):
                    continue
                if group is group_of[other] and _is_firm(group, own, other):
                    yield own, other, group

    def _anchors(self, part: str) -> list[Anchor]:
        """What of a part is rigid: a body, the world of an obstacle, ends and points of a rod."""
        if part in self._volumes:
            ties = [x for x in self._site.robot.ties if isinstance(x, Clamp) and x.volume == part]
            return list(dict.fromkeys(self._graph.anchor_of(x.frame)[0] for x in ties))
        if self._shapes.is_fixed(part):
            return [Anchor("world")]
        return [x for x in self._graph.group_of if x.part == part]

    def _meet(
        self, contact: Contact, own: Anchor, other: str, theirs: Anchor, group: Group
    ) -> bool:
        """Whether an anchor of a rod is in another part, or on it, if that is asked for.

        It is of what is fixed in the world, and of both ends of the same rod.
        """
        rods = self._graph.rods
        if not (group.fixed or own.part == other):
            return True
        here, thick = group.frames[own][:3, 3], self._thick(contact, own)
        if other in rods:
            way = np.linalg.norm(here - group.frames[theirs][:3, 3])
            return bool(way <= max(thick, self._thick(contact, theirs)))
        apart = self._surface(other).distance(here[None], self._pose(other, theirs, group))
        return bool(apart[0] <= ON * thick)

    def _thick(self, contact: Contact, anchor: Anchor) -> float:
        """How thick a rod is at an anchor [m]."""
        rod = self._graph.rods[anchor.part]
        return float(radius_of(rod, contact, np.array([self._place(anchor)]))[0])

    def _place(self, anchor: Anchor) -> float:
        """The arc length of an anchor of a rod [m]."""
        if anchor.s is not None:
            return anchor.s
        return self._graph.rods[anchor.part].length if anchor.end == "tip" else 0.0

    def _inside(self, curve: Curve, other: str, theirs: Anchor, group: Group) -> Mask:
        """Which places of a rod are inside a solid or a volume, or have only just left it."""
        pose = self._pose(other, theirs, group)
        apart = self._surface(other).distance(curve.x, pose)
        inside = apart < (1.0 - ON) * curve.thick
        if group.fixed:
            inside = _around(inside, curve.at)
        for run in _runs(curve.s, inside & (apart < 0.0)):
            beyond = FREE * float(curve.radius.max())
            inside |= (curve.s > run.begin - beyond) & (curve.s < run.end + beyond)
        return inside

    def _surface(self, part: str) -> Surface:
        """The surface of a body, an obstacle or a volume, in its own frame."""
        if part not in self._surfaces:
            if part in self._volumes:
                mesh = self._volumes[part].elements
                self._surfaces[part] = Surface.of_triangles(mesh.points, mesh.skin)
            else:
                self._surfaces[part] = Surface.of(self._shapes.placed(part).shape)
        return self._surfaces[part]

    def _size(self, volume: str) -> float:
        """How large a volume is [m]."""
        return float(np.ptp(self._volumes[volume].elements.points, axis=0).max())

    def _pose(self, part: str, anchor: Anchor, group: Group) -> Pose:
        """The pose of a body, an obstacle or a volume in a group."""
        if part in self._volumes:
            return se3.inverse(self._unloaded(anchor, group))
        return np.asarray(group.frames[anchor] @ self._shapes.placed(part).placement)

    def _unloaded(self, anchor: Anchor, group: Group) -> Pose:
        """The pose of a group on the unloaded robot, where volumes are at rest."""
        pose = self._nodes[self._site.find(anchor.frame)[0]]
        return np.asarray(pose @ se3.inverse(group.frames[anchor]))

    @cached_property
    def _nodes(self) -> Pose:
        """Poses of all nodes on the unloaded robot."""
        site = self._site
        assert site.joints is not None
        movers = {mover.joint.label: i for i, mover in enumerate(site.movers)}
        layout = number_unknowns(
            site.robot, site.nodes, site.terms, site.joints, movers, site.particles(),
            site.members, origin=np.zeros(3),
        )  # fmt: skip
        return unloaded_nodes(layout, [group.rest()[0] for group in site.groups])

    def _curve(self, contact: Contact, rod: Rod, anchor: Anchor, group: Group) -> Curve:
        """A rod, as it is unloaded, from one of its anchors."""
        key = (contact.radius, anchor)
        if key not in self._curves:
            self._curves[key] = self._new_curve(contact, rod, anchor, group)
        return self._curves[key]

    def _new_curve(self, contact: Contact, rod: Rod, anchor: Anchor, group: Group) -> Curve:
        """The same."""
        chain, start = Chain.of(self._site, rod), self._place(anchor)
        least = float(radius_of(rod, contact, chain.s).min())
        count = min(MOST, 2 + int(rod.length / (STEP * least)))
        s = np.unique([*np.linspace(0.0, rod.length, count), start])
        steps = [np.eye(4), *rest_steps([rod], [s], pieces=1)]
        poses = np.array(list(_products(steps)))
        at = int(np.searchsorted(s, start))
        poses = group.frames[anchor] @ se3.inverse(poses[at]) @ poses
        bent = np.linalg.norm(rod.rest_strain(s)[:, 1:3], axis=1)
        off = 0.125 * bent * float(np.diff(chain.s).max()) ** 2
        radius = radius_of(rod, contact, s)
        return Curve(s, poses[:, :3, 3], radius + off, radius, at)


def _is_firm(group: Group, a: Anchor, b: Anchor) -> bool:
    """Whether no motor or driven joint is between two anchors of a group."""
    ways = [{id(step): step for step in group.path(x)} for x in (a, b)]
    between = [
        step
        for way, other in zip(ways, ways[::-1], strict=True)
        for i, step in way.items()
        if i not in other
    ]
    return all(isinstance(step.link.joint, Weld) for step in between)


def _products(steps: list[Pose]) -> Iterator[Pose]:
    """Products of the first of some poses."""
    pose = np.eye(4)
    for step in steps:
        pose = pose @ step
        yield pose


def _beside(own: Curve, other: Curve, fixed: bool, itself: bool) -> Mask:
    """Which places of a rod are inside another one, or one end of it inside the other."""
    theirs = np.ones(len(other.s), dtype=np.bool_)
    if itself:  # both halves, each with its end
        theirs = np.abs(other.s - other.s[other.at]) < 0.5 * other.s[-1]
    x = other.x[theirs]
    which = cKDTree(x).query(own.x)[1]
    last = len(x) - 1
    near = np.minimum(
        _from_lines(own.x, x[np.maximum(which - 1, 0)], x[which]),
        _from_lines(own.x, x[which], x[np.minimum(which + 1, last)]),
    )
    inside = near < (1.0 - ON) * (own.thick + other.thick[theirs][which])
    if itself:
        inside &= np.abs(own.s - own.s[own.at]) < 0.5 * own.s[-1]
    return _around(inside, own.at) if fixed or itself else inside


def _from_lines(x: Array, a: Array, b: Array) -> Array:
    """Distances of points from lines, from a to b each [m], (n,)."""
    way, from_a = b - a, x - a
    square = np.maximum(np.sum(way * way, axis=1), 1e-300)
    part = np.clip(np.sum(way * from_a, axis=1) / square, 0.0, 1.0)
    return np.asarray(np.linalg.norm(from_a - part[:, None] * way, axis=1))


def _around(inside: Mask, at: int) -> Mask:
    """The run of places that has one of them in it."""
    found = np.zeros_like(inside)
    if inside[at]:
        before, after = np.flatnonzero(~inside[:at]), np.flatnonzero(~inside[at:])
        begin = int(before[-1]) + 1 if len(before) else 0
        end = at + int(after[0]) if len(after) else len(inside)
        found[begin:end] = True
    return found


def _runs(s: Array, inside: Mask) -> list[Run]:
    """Runs of places, up to the next ones outside; without end where the rod ends."""
    ends = np.flatnonzero(np.diff(np.concatenate([[False], inside, [False]]).astype(np.int64)))
    bounds = np.concatenate([[-np.inf], s, [np.inf]])
    return [Run(float(bounds[a]), float(bounds[b + 1])) for a, b in ends.reshape(-1, 2).tolist()]


def _merged(runs: list[Run]) -> list[Run]:
    """Runs in ascending order, those that meet as one."""
    found: list[Run] = []
    for run in sorted(runs):
        if found and run.begin <= found[-1].end:
            found[-1] = Run(found[-1].begin, max(found[-1].end, run.end))
        else:
            found.append(run)
    return found


def touches(runs: list[Run], begin: float, end: float) -> bool:
    """Whether anything between two arc lengths is in one of some runs."""
    return any(run.begin < end and begin < run.end for run in runs)


def left_over(s: Array, kept: Mask, runs: list[Run]) -> list[slice]:
    """Pieces of a chain with these arc lengths, of two places or more, that no run is in.

    Args:
        s: of the chain [m], (n,).
        kept: those that count at all, (n,).
        runs: to leave out.
    """
    kept = kept.copy()
    for run in runs:
        kept &= (s <= run.begin) | (s >= run.end)
    ends = np.flatnonzero(np.diff(np.concatenate([[False], kept, [False]]).astype(np.int64)))
    return [slice(a, b) for a, b in ends.reshape(-1, 2).tolist() if b - a > 1]
