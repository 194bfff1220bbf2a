"""What touches where: gaps, normals and forces of all contacts of a model; a solve owns it."""

import numpy as np

from flexura.contact import link_kernels, measure_kernels
from flexura.model import touch_kernels as kernels
from flexura.model.contact import Contacts
from flexura.model.pressed import Pressed
from flexura.model.work import PartWork
from flexura.typing import Array, Indices, Pose, frozen


class Touch:
    """Contacts of a model where it was placed last.

    Attributes:
        contacts: the pairs.
        first: place of the first of their forces among all multipliers.
        frames: poses of all frames, (k, 4, 4).
        begin: poses from which sliding counts, (k, 4, 4).
        gap: of all pairs [m], (n,).
        normal: towards the sample, (n, 3).
        bend: ∂n/∂(sample) [1/m], (n, 9).
        point: where they touch, or would [m], (n, 3).
        who: frames that forces act on, -1 for none, (n, 4).
        share: of the force on each, (n, 4).
        slip: how far sides have slid along each other since the beginning [m], (n, 3); of those
            that are near.
        near: pairs that touch, or may soon.
        looks: how often it was placed.
    """

    def __init__(self, contacts: Contacts, first: int) -> None:
        n, k = contacts.count, contacts.n_frames
        self.contacts, self.first, self.looks = contacts, first, 0
        self.frames, self.begin = np.tile(np.eye(4), (2, k, 1, 1))
        self.gap, self.normal, self.bend = np.zeros(n), np.zeros((n, 3)), np.zeros((n, 9))
        self.point, self.slip = np.zeros((2, n, 3))
        self.who, self.share = np.full((n, 4), -1), np.zeros((n, 4))
        self.near: Indices = np.empty(0, dtype=np.int64)
        self._place = np.tile(np.eye(4), (len(contacts.solids.kind), 1, 1))
        self._pressed = Pressed(np.zeros((k, 6)), np.zeros((k, 36)))
        self._mesh = contacts.solids.meshes.with_stack()
        own = contacts
        kernels.grip(own.sample, own.solid, own.solids.carrier, self.who, self.share)
        self.one_sided = self.who[:, 2] < 0
        self.one_sided[len(own.sample) :] = False

    def forces(self, multipliers: Array) -> Array:
        """Forces of all pairs in the world [N], (n, 3)."""
        return multipliers[self.first :].reshape(-1, 3)

    def look(self, parts: list[PartWork], nodes: Pose) -> None:
        """Find all gaps where points and nodes are."""
        own, frames, at = self.contacts, self.frames, 0
        self.looks += 1
        for part, points in zip(parts, own.points, strict=True):
            part.work.pose.take(points, axis=0, out=frames[at : at + len(points)], mode="clip")
            at += len(points)
        nodes.take(own.nodes, axis=0, out=frames[at:], mode="clip")
        solids, n = own.solids, len(own.sample)
        if n:
            measure_kernels.place(solids.carrier, solids.placement, frames, self._place)
            measure_kernels.measure(
                own.sample, own.offset, own.radius, own.solid, solids.kind, solids.size,
                solids.span, solids.table, self._mesh, self._place, frames,
                self.gap, self.normal, self.bend, self.point,
            )  # fmt: skip
        if len(own.links):
            link_kernels.measure(
                own.links, own.link_radius, own.link_chain, own.apart, own.length[n:], own.chain,
                own.chain_begin, own.chain_radius, own.chain_length, frames, self.gap[n:],
                self.normal[n:], self.bend[n:], self.point[n:], self.who[n:], self.share[n:],
            )  # fmt: skip

    def press(self, multipliers: Array, tangents: bool) -> Pressed | None:
        """What forces exert on frames; None if there are none. Also which pairs are near."""
        own, forces = self.contacts, self.forces(multipliers)
        pressed = forces.any(axis=1)
        self.near = np.flatnonzero(pressed | (self.gap < own.reach))
        kernels.slide(
            self.near, self.who, self.share, self.frames, self.begin, self.normal, self.point,
            self.slip,
        )  # fmt: skip
        if not pressed.any():
            return None
        found = self._pressed
        found.load.fill(0.0)
        found.tangent.fill(0.0)
        kernels.press(
            self.near, own.friction, forces, self.who, self.share, self.one_sided, own.offset,
            own.radius, self.frames, self.normal, self.bend, self.point, *found, tangents,
        )  # fmt: skip
        return found

    def missed(self, multipliers: Array, length: float) -> float:
        """Largest distance by which contact and friction are off [m].

        Args:
            multipliers: of the state.
            length: that the largest force is compared with [m].
        """
        forces, own = self.forces(multipliers), self.contacts
        largest = float(np.abs(forces).max(initial=0.0))
        give = length / largest if largest > 0.0 else 0.0
        return float(
            kernels.missed(self.near, own.friction, forces, self.gap, self.normal, self.slip, give)
        )

    def slid(self) -> Array:
        """How far pairs have slid [m], (n, 3); zero for those that are not near."""
        found = np.zeros_like(self.slip)
        found[self.near] = self.slip[self.near]
        return frozen(found)

    def set_out(self) -> None:
        """Let sliding count from where everything is."""
        self.begin[:] = self.frames
