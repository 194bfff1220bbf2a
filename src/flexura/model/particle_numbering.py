"""Numbers the unknowns of particles, and of what members bring."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from flexura.model.layout import Layout
from flexura.model.member import Member
from flexura.model.particles import Particles
from flexura.typing import Array, Indices, Pose, frozen


@dataclass(frozen=True, eq=False)
class ParticleBlocks:
    """Blocks of unknowns of particles, and of what members bring.

    Attributes:
        own: block of each particle, -1 for those that ride, (n,).
        brought: blocks of each member, one after another.
        pairs: blocks that interact, (n, 2).
        shared: blocks that may go to the border of the tangent.
    """

    own: Indices
    brought: tuple[tuple[int, ...], ...]
    pairs: Indices
    shared: tuple[int, ...]

    @classmethod
    def of(
        cls,
        particles: Particles,
        members: Sequence[Member],
        pose: Indices,
        inner: Indices,
        sizes: list[int],
    ) -> "ParticleBlocks":
        """Number the blocks behind those that are there.

        Args:
            particles: with the nodes that they ride on.
            members: what acts on them.
            pose: block of the pose of each node.
            inner: block of the inner unknowns of each node.
            sizes: of all blocks, added to.
        """
        free = np.flatnonzero(particles.node < 0)
        own = np.full(len(particles), -1)
        own[free] = len(sizes) + np.arange(len(free))
        sizes += [3] * len(free)
        moving = np.where(particles.node >= 0, pose[particles.node], own)
        found, brought, shared = [np.empty((0, 2), dtype=np.int64)], [], []
        for member in members:
            found.append(_all_pairs(moving[member.cells]))
            mine = []
            for block in member.brings:
                mine.append(len(sizes))
                sizes.append(len(block.multiplier))
                met = [moving[block.particles], pose[block.nodes], inner[block.nodes]]
                met.append(np.array([mine[-1]]))
                others = np.unique(np.concatenate(met))
                others = others[others >= 0]
                found.append(np.stack([np.full(len(others), mine[-1]), others], axis=1))
                shared.append(mine[-1])
            brought.append(tuple(mine))
        return cls(own, tuple(brought), np.concatenate(found), tuple(shared))

    def mark(
        self,
        begin: Indices,
        members: Sequence[Member],
        length: float,
        multiplier: NDArray[np.bool_],
        units: Array,
    ) -> tuple[Indices, ...]:
        """Say what unknowns of members are; which these are, member by member."""
        rows = []
        for blocks, member in zip(self.brought, members, strict=True):
            found = [np.empty(0, dtype=np.int64)]
            for number, block in zip(blocks, member.brings, strict=True):
                own = begin[number] + np.arange(len(block.multiplier))
                multiplier[own] = block.multiplier
                gaps = np.where(block.multiplier, 1.0 / length, 1.0)
                units[own] = np.array(block.units) * gaps
                found.append(own)
            rows.append(frozen(np.concatenate(found)))
        return tuple(rows)

    def numbered(self, particles: Particles, begin: Indices) -> Particles:
        """The particles with their unknowns."""
        return replace(particles, dof=frozen(begin[self.own]))


def _all_pairs(blocks: Indices) -> Indices:
    """Pairs of blocks in the same row of which both are there, each once, (n, 2)."""
    k = blocks.shape[1]
    a, b = np.triu_indices(k)
    pairs = np.stack([blocks[:, a].ravel(), blocks[:, b].ravel()], axis=1)
    pairs = pairs[(pairs >= 0).all(axis=1)]
    return np.unique(np.sort(pairs, axis=1), axis=0).reshape(-1, 2)


def placed(layout: Layout, links: Sequence[Pose]) -> Layout:
    """The layout with the places of particles on the nodes that they ride on.

    Args:
        layout: of the unloaded robot, with described inputs.
        links: pose of each node in the one before it, part by part.
    """
    particles = layout.particles
    if not (particles.node >= 0).any():
        return layout
    on = unloaded_nodes(layout, links)[particles.node]
    place = np.einsum("nji,nj->ni", on[:, :3, :3], particles.rest - on[:, :3, 3])
    place[particles.node < 0] = 0.0
    return replace(layout, particles=replace(particles, place=frozen(place)))


def unloaded_nodes(layout: Layout, links: Sequence[Pose]) -> Pose:
    """Poses of all nodes of the unloaded robot, (n, 4, 4), of the same layout and links."""
    nodes, poses = np.tile(np.eye(4), (layout.n_nodes, 1, 1)), np.empty((0, 4, 4))
    if layout.n_coordinates:
        poses = layout.compose(np.concatenate([np.empty((0, 4, 4)), *links]))
    layout.nodes(poses, nodes)
    return nodes
