"""What touches where: gaps, normals and forces of all contacts of a model; a solve owns it."""

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.contact import (
    leap_kernels,
    link_kernels,
    measure_kernels,
    sample_kernels,
    skin_kernels,
)
from flexura.contact.distance_kernels import FAR, PLANE
from flexura.model import touch_kernels as kernels
from flexura.model import touch_tangent_kernels as tangent_kernels
from flexura.model.contact import Contacts
from flexura.model.pressed import Pressed
from flexura.model.slips import Slips
from flexura.model.touch_tangent_kernels import BOW, LINK, SKIN, SOLID
from flexura.model.work import PartWork
from flexura.typing import Array, Indices, Matrix, Pose


class Seen(NamedTuple):
    """Geometry of all pairs, for kernels.

    Attributes:
        kind: a sample or a bow and a solid, a sample and a skin, or two links, (n,).
        who: frames that forces act on, -1 for none, (n, 4).
        share: of the force on each, (n, 4).
        offset: of samples in their frames, of edges and rims where they are nearest [m], of bows
            how far along x from where they begin, (n, 3).
        along: where bows are nearest, from 0 to 1, (n,).
        length: of bows [m], zero for others, (n,).
        edge: that the sample slides along, in the world, zero for others [m], (n, 3).
        rim: axis times radius of samples that are circles, in their frames [m], (n, 3).
        radius: of samples and links [m], (n,).
        normal: towards the sample or link, (n, 3).
        bend: ∂n/∂(sample) [1/m], of those with solids, (n, 9).
        point: where they touch, or would [m], (n, 3).
        apart: distance of what moves as simplices do [m], (n,).
        moves: which shares move, see ``link_kernels``, (n, 2, 2).
        soft: what draws them to the middle [m²], the first of edges [m]; of rims and bows, how much
            they curve away, x″ · n [m], (n, 2).
        flat: whether the nearest point is inside a triangle, (n,).
    """

    kind: Indices
    who: Indices
    share: Array
    offset: Array
    along: Array
    length: Array
    edge: Array
    rim: Array
    radius: Array
    normal: Array
    bend: Array
    point: Array
    apart: Array
    moves: Indices
    soft: Array
    flat: NDArray[np.bool_]


class Touch:
    """Contacts of a model where it was placed last.

    Attributes:
        contacts: the pairs.
        first: place of the first of their forces among all multipliers.
        frames: poses of all frames, (k, 4, 4).
        begin: poses from which sliding counts, (k, 4, 4); None where nothing has slid.
        gap: of all pairs [m], (n,).
        seen: their geometry.
        arm: of forces in the frames that they act on, world axes [m], (n, 4, 3).
        slip: how far sides have slid along each other since the beginning [m], (n, 3); of those
            that are near.
        near: pairs that touch, or may soon.
        presses: whether any of them did so where it was pressed last.
        one_sided: pairs whose other side is fixed in the world; what turns with their normals is
            part of tangents, of all others it is in their rows.
        bowed: bows whose other side is fixed in the world.
    """

    def __init__(self, contacts: Contacts, first: int) -> None:
        n, k = contacts.count, contacts.n_frames
        self.contacts, self.first = contacts, first
        self.frames = np.tile(np.eye(4), (k, 1, 1))
        self.begin: Pose | None = None
        self.gap, self.slip, self.arm = np.zeros(n), np.zeros((n, 3)), np.zeros((n, 4, 3))
        samples, links = len(contacts.sample), len(contacts.links.radius)
        kind = np.repeat([SOLID, SKIN, LINK], [len(contacts.solid), len(contacts.skin), links])
        kind[np.flatnonzero(contacts.end >= 0)] = BOW
        edge = np.concatenate([contacts.edge, np.zeros((links, 3))])
        self.seen = Seen(
            kind=kind,
            who=np.full((n, 4), -1),
            share=np.zeros((n, 4)),
            offset=np.concatenate([contacts.offset, np.zeros((links, 3))]),
            along=np.zeros(n),
            length=np.where(kind == BOW, 2.0 * edge[:, 0], 0.0),
            edge=np.zeros((n, 3)),
            rim=np.concatenate([contacts.rim, np.zeros((links, 3))]),
            radius=np.concatenate([contacts.radius, contacts.links.radius]),
            normal=np.zeros((n, 3)),
            bend=np.zeros((n, 9)),
            point=np.zeros((n, 3)),
            apart=np.zeros(n),
            moves=np.full((n, 2, 2), -1),
            soft=np.zeros((n, 2)),
            flat=np.zeros(n, dtype=np.bool_),
        )
        self.seen.soft[:samples, 0] = contacts.soft
        self._samples = samples
        self.near: Indices = np.empty(0, dtype=np.int64)
        self.presses = False
        self._room = np.empty(n, dtype=np.int64)
        self._place = np.tile(np.eye(4), (len(contacts.solids.kind), 1, 1))
        self._pressed = Pressed(np.zeros((k, 6)), np.zeros((k, 36)))
        blocks = contacts.blocks
        self._boxes = np.zeros((len(blocks.lead), 6)), np.zeros((len(contacts.solids.kind), 6))
        self._asleep = np.zeros(len(blocks.shell), dtype=np.bool_)
        self._mesh = contacts.solids.meshes.with_stack()
        self._ridges = contacts.solids.ridges.with_room()
        self._skins = contacts.skins.work()
        self._packs = contacts.chains.packs()
        self._held = np.zeros((link_kernels.SLOTS, 2))
        self._first_normal = self.seen.normal.copy()  # where sliding counts from
        m = len(contacts.solid)
        self._first_gap, self._place_first = self.gap[m:].copy(), self._place.copy()
        self._first_sides = tuple(x[m:].copy() for x in (self.seen.who, self.seen.share))
        self._local, self._four, self._turn = np.zeros((24, 24)), np.zeros(4), np.zeros((3, 3))
        own = contacts
        begin, end = (x[: len(own.solid)] for x in (own.sample, own.end))
        kernels.grip(begin, end, own.solid, own.solids.carrier, self.seen.who, self.seen.share)
        self._rigid = len(contacts.solid) < n and bool((contacts.rigid >= 0).any())
        fixed = self.seen.who[:, 2] < 0
        self._alone = (kind == SOLID) & fixed
        self.one_sided = self._alone
        self.bowed = (kind == BOW) & fixed

    @property
    def normal(self) -> Array:
        """Towards the samples and links, (n, 3)."""
        return self.seen.normal

    @property
    def point(self) -> Array:
        """Where pairs touch, or would [m], (n, 3)."""
        return self.seen.point

    @property
    def found(self) -> NDArray[np.bool_]:
        """Which pairs have anything near them at all, (n,)."""
        return np.asarray(self.gap < FAR)

    def forces(self, multipliers: Array) -> Array:
        """Forces of all pairs in the world [N], (n, 3)."""
        return multipliers[self.first :].reshape(-1, 3)

    def look(
        self, parts: list[PartWork], nodes: Pose, particles: Array, beyond: float = 0.0
    ) -> None:
        """Find gaps where points, nodes and particles are.

        Args:
            parts: rods.
            nodes: poses of all nodes.
            particles: positions of all particles.
            beyond: how much further samples look for solids than a step may lead that goes through
                nothing [m]; if it is infinite, for skins, too.
        """
        own, frames, seen, at = self.contacts, self.frames, self.seen, 0
        for part, points in zip(parts, own.points, strict=True):
            part.work.pose.take(points, axis=0, out=frames[at : at + len(points)], mode="clip")
            at += len(points)
        end = at + len(own.nodes)
        nodes.take(own.nodes, axis=0, out=frames[at:end], mode="clip")
        if len(own.particles):
            frames[end:, :3, 3] = particles[own.particles]
        if len(own.solid):
            solids = own.solids
            measure_kernels.place(solids.carrier, solids.placement, frames, self._place)
            n, blocks = len(own.solid), own.blocks
            sample_kernels.wrap(
                blocks, own.sample, own.end, own.offset, own.edge, own.rim, own.radius,
                self._place, frames, *self._boxes,
            )  # fmt: skip
            sample_kernels.measure(
                own.sample[:n], own.end, own.offset, own.edge, own.rim, own.soft, own.radius,
                own.solid, solids.kind, solids.size, solids.span, solids.table, self._mesh,
                self._ridges, self._place, frames, blocks, *self._boxes, beyond,
                self._asleep, self.gap, seen,
            )  # fmt: skip
            sample_kernels.leave(own.at_ends, own.reach, self.gap, seen)
        if len(own.skin):
            self._look_at_skins(everywhere=beyond == np.inf)
        if len(own.links.radius):
            self._look_at_links()
        if self._rigid:
            kernels.part_rigid(
                len(own.solid), seen.who, seen.share, own.rigid, self.gap, seen.normal
            )

    def _look_at_links(self) -> None:
        """Find the gaps of links and chains."""
        own, frames, here = self.contacts, self.frames, slice(self._samples, None)
        seen, chains, (packs, box) = Seen._make(x[here] for x in self.seen), own.chains, self._packs
        link_kernels.wrap(chains.frame, chains.begin, chains.radius, packs, frames, box)
        link_kernels.measure(
            own.links, chains, packs, box, frames, self._held, self.gap[here], seen.normal,
            seen.point, seen,
        )  # fmt: skip

    def _look_at_skins(self, everywhere: bool) -> None:
        """Find the gaps of samples and skins."""
        own, skins, seen = self.contacts, self.contacts.skins, self.seen
        here = slice(len(own.solid), self._samples)
        skin_kernels.dress(skins.corner, skins.vertex, skins.begin, self.frames, *self._skins)
        skin_kernels.measure(
            own.sample[here], own.offset[here], own.radius[here], own.corner_of_skin, own.skin,
            np.full_like(skins.scope, np.inf) if everywhere else skins.scope, skins.corner,
            skins.vertex, skins.across, skins.fan, skins.fans, skins.begin, skins.packs,
            self.frames, *self._skins, np.empty(3, dtype=np.int64), self.gap[here],
            seen.normal[here], seen.point[here], seen.who[here], seen.share[here],
            seen.moves[here], seen.apart[here], seen.flat[here],
        )  # fmt: skip

    @cached_property
    def least_seen(self) -> float:
        """How far samples see solids at least [m]."""
        return float(self.contacts.blocks.within.min(initial=np.inf))

    def moved_from(self, other: "Touch") -> float:
        """How far samples and solids are at most from where they were beside each other [m]."""
        own, here, there = self.contacts, self.frames, other.frames
        way = float(np.linalg.norm(here[:, :3, 3] - there[:, :3, 3], axis=1).max(initial=0.0))
        turn = float(np.abs(here[:, :3, :3] - there[:, :3, :3]).max(initial=0.0))
        # from a carrier of solids, samples are no further than all frames and their arms are wide
        arm = float(np.linalg.norm(own.offset, axis=1).max(initial=0.0))
        arm = max(arm, float(self.seen.length.max(initial=0.0)))
        if (own.solids.carrier >= 0).any():
            arm += float(np.linalg.norm(np.ptp(there[:, :3, 3], axis=0)))
        return 2.0 * way + 3.0 * turn * arm

    def press(self, multipliers: Array, tangents: bool, moving: bool) -> Pressed | None:
        """What forces exert on frames; None if there are none. Also which pairs are near.

        Args:
            multipliers: of the state.
            tangents: whether tangents are asked for.
            moving: whether this is the end of a step in time.
        """
        own, forces, seen = self.contacts, self.forces(multipliers), self.seen
        count, self.presses = kernels.find_near(forces, self.gap, own.reach, FAR, self._room)
        self.near = self._room[:count].copy()
        self._approach()
        if moving and self.begin is not None:
            tangent_kernels.mean_arms(
                self.near, self.one_sided | self.bowed, seen, self.frames, self.begin, self.arm,
                self.slip, self._turn, self._four,
            )  # fmt: skip
        if not self.presses:
            return None
        found = self._pressed
        found.load.fill(0.0)
        found.tangent.fill(0.0)
        kernels.press(
            self.near, own.friction, forces, self.one_sided, seen, self.frames, self.arm,
            *found, tangents, self._local, self._four,
        )  # fmt: skip
        return found

    def admit(self, pairs: Indices) -> None:
        """Count more pairs among those that are near, of a robot at rest, if anything is there."""
        self.near = np.union1d(self.near, pairs[self.gap[pairs] < FAR])
        self._approach()

    def _approach(self) -> None:
        """Find arms of what is near, and how far it has slid."""
        seen = self.seen
        tangent_kernels.write_arms(self.near, seen, self.frames, self.arm)
        if self.begin is None:
            self.slip.fill(0.0)
            return
        kernels.slide(
            self.near, seen.who, seen.share, self.frames, self.begin, seen.normal, self.arm,
            self.slip,
        )  # fmt: skip

    def local_tangent(self, pair: int, force: Array) -> Matrix:
        """How wrenches of a pair change with its frames, (24, 24), see its kernel; overwritten."""
        x, y, z = force.tolist()
        tangent_kernels.local_tangent(
            pair, (x, y, z), self.seen, self.frames, self.arm, self._four, self._local
        )
        return self._local

    def unit_wrenches(self, pair: int, axes: Array) -> Matrix:
        """Gradients of unit forces of a pair along axes, (k, 24)."""
        found = np.empty((len(axes), 24))
        tangent_kernels.unit_wrenches(pair, axes, self.seen, self.frames, self.arm, found)
        return found

    def missed(self, multipliers: Array, length: float) -> float:
        """Largest distance by which contact and friction are off [m].

        Args:
            multipliers: of the state.
            length: that the largest force is compared with [m].
        """
        forces, own = self.forces(multipliers), self.contacts
        largest = float(np.abs(forces[self.near]).max(initial=0.0))
        give = length / largest if largest > 0.0 else 0.0
        return float(
            kernels.missed(self.near, own.friction, forces, self.gap, self.normal, self.slip, give)
        )

    def acting(self, multipliers: Array) -> Array:
        """Multipliers of constraints and of pairs that are near; those of others do nothing."""
        found = multipliers[self.first :].reshape(-1, 3)[self.near]
        return np.append(multipliers[: self.first], found)

    def deepest(self) -> float:
        """How deep things are in each other at most [m]; zero if they are not."""
        return max(0.0, -float(self.gap.min(initial=0.0)))

    def slid(self) -> Slips:
        """How far pairs have slid."""
        return Slips.among(self.near, self.slip[self.near])

    def lengths(self, pair: int) -> tuple[float | None, float | None]:
        """Arc lengths on both sides of the contact of a pair [m]; None of what is no rod."""
        own, link = self.contacts, pair - self._samples
        first, second = float(own.length[pair]), np.nan
        if link < 0:
            first += float(self.seen.offset[pair, 0] - own.offset[pair, 0])  # of edges and bows
        else:
            share, who = np.abs(self.seen.share[pair]), self.seen.who[pair]
            chord = self.frames[who[1], :3, 3] - self.frames[who[0], :3, 3]
            first += 0.5 * float(share[1] - share[0]) * float(np.linalg.norm(chord))
            chain = slice(*own.chains.begin[own.links.chain[link] :][:2].tolist())
            at = dict(zip(own.chains.frame[chain], own.chains.length[chain], strict=True))
            second = float(share[2] * at[who[2]] + share[3] * at[who[3]])
        sides = (second, first) if own.swapped[pair] else (first, second)
        return None if np.isnan(sides[0]) else sides[0], None if np.isnan(sides[1]) else sides[1]

    def reset(self) -> None:
        """Forget what a solve made of it."""
        self.begin, self.one_sided = None, self._alone

    def set_apart(self) -> None:
        """Keep what turns with normals out of tangents, but for particles on planes: none does."""
        own, n = self.contacts, len(self.contacts.solid)
        flat = np.zeros_like(self._alone)
        flat[:n] = own.sample[:n] >= own.n_frames - len(own.particles)
        flat[:n] &= own.solids.kind[own.solid] == PLANE
        self.one_sided = self._alone & flat

    def set_out(self) -> None:
        """Let sliding count from where everything is."""
        self.begin = self.frames.copy()
        self._first_normal[:] = self.normal
        m = len(self.contacts.solid)
        self._first_gap[:] = self.gap[m:]
        for first, now in zip(self._first_sides, (self.seen.who, self.seen.share), strict=True):
            first[:] = now[m:]
        self.slip.fill(0.0)

    def leapt(self) -> int:
        """A pair that has gone through each other since the beginning, unseen; -1 for none."""
        assert self.begin is not None
        own, begin, frames = self.contacts, self.begin, self.frames
        n, solids, (beside, over) = len(own.solid), own.solids, own.probes
        found = -1
        if len(beside.pair):
            measure_kernels.place(solids.carrier, solids.placement, begin, self._place_first)
            found = leap_kernels.through_solids(
                beside, own.walls, self._mesh, self._place_first, self._place, begin, frames
            )
        if found < 0 and n < own.count:
            found = leap_kernels.through_surfaces(
                n, own.both_radii, own.scope[n:], self.gap, self.seen, self._first_gap,
                (*self._first_sides, self._first_normal[n:]), begin, frames,
            )  # fmt: skip
        if found < 0 and len(over.pair):
            found = leap_kernels.over_skins(
                n, over, own.skins.corner, own.skins.begin, own.skins.scope, self._first_gap,
                self.gap, begin, frames,
            )  # fmt: skip
        return int(found)

    def turned_work(self, multipliers: Array, angle: float) -> float:
        """Work in a step of the contacts whose normals turned by more than an angle [J]."""
        assert self.begin is not None
        return float(
            tangent_kernels.turned_work(
                self.near, self.forces(multipliers), self.seen, self.frames, self.begin,
                self._first_normal, self.arm, np.cos(angle), self._turn, self._four,
            )
        )  # fmt: skip
