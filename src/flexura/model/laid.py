"""Threaded rods that rest elsewhere than their points: they begin laid through these."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from flexura.model.held import Clamp, Held, Pieces
from flexura.model.layout import Layout
from flexura.model.members.thread import Threads
from flexura.model.model import Model
from flexura.robot import Rod
from flexura.rods.laid import Laid
from flexura.rods.rest import rest_steps
from flexura.rods.shape import Shape
from flexura.typing import Array, Indices, Matrix, Pose, Vector

# A rod that passes its points at rest within this part of its length begins at rest.
PASSED = 0.01
# So many places of the rest shape tell how far it passes.
PLACES = 128


@dataclass(frozen=True, eq=False)
class Thread(Held):
    """A rod through points of volumes.

    Attributes:
        shape: how it begins.
        sliding: unknowns that tell how far it has slid through points.
        slid: that, to begin with [m].
    """

    shape: Laid
    sliding: Indices
    slid: Array

    def _lie(self, load: Vector, sharpest: float) -> tuple[Pose, Pose, Shape]:
        """Along its points, whatever the load."""
        return self.base.aim(load), self.tip.aim(load), self.shape


def laid_threads(model: Model, layout: Layout, nodes: Pose, numbers: Array) -> Iterator[Thread]:
    """Every rod that does not pass its points at rest, and that nothing else holds but its base.

    Args:
        model: the robot.
        layout: at the inputs of the start.
        nodes: poses of the nodes.
        numbers: of the state, with displacements of volumes.
    """
    ties = [member for member in model.members if isinstance(member, Threads)]
    if not ties:
        return
    moved, pieces = np.empty((len(layout.particles), 3)), Pieces(model)
    layout.particles.displacements(nodes, numbers, moved)
    position = layout.particles.rest + moved
    for own in ties:
        at = np.einsum("mk,mkc->mc", own.weights, position[own.particles])
        for rod in np.unique(own.rod).tolist():
            mine = np.flatnonzero(own.rod == rod)
            first, last = own.rod_nodes[mine[0]].tolist()
            points = (at[mine] - nodes[first, :3, 3]) @ nodes[first, :3, :3]
            whole = pieces.between(first, last)
            if not _hangs_on(layout, first, last) or _passes(whole.rod, points):
                continue
            order = np.argsort(own.rest[mine], kind="stable")
            shape = Laid(whole.rod, points[order])
            slides = own.slides[mine[order]] == 1
            sliding = mine[order][slides]
            base = Clamp(nodes[first])
            tip = Clamp(base.pose @ shape.poses(np.array([whole.rod.length]))[0], turns=True)
            rows = layout.member_rows[own.index][own.offset[sliding] + 3]
            yield Thread(whole, base, tip, shape, rows, shape.passes[slides] - own.rest[sliding])


def _hangs_on(layout: Layout, first: int, last: int) -> bool:
    """Whether all nodes of a rod follow from its base, and nothing else rides on them."""
    own = np.arange(first + 1, last + 1)
    carried = np.bincount(layout.coordinate + 1, minlength=1)[layout.coordinate[own] + 1]
    alone = (layout.coordinate[own] >= 0) & (carried == 1)
    led = any(near == first and way == 1 for near, _, way in layout.walk.tolist())
    return led and bool((alone | layout.loose[own]).all())


def _passes(rod: Rod, points: Matrix) -> bool:
    """Whether a rod at rest passes points in the frame of its base."""
    s = np.linspace(0.0, rod.length, PLACES + 1)
    poses = np.tile(np.eye(4), (len(s), 1, 1))
    for i, step in enumerate(rest_steps([rod], [s])):
        poses[i + 1] = poses[i] @ step
    away = np.linalg.norm(points[:, None] - poses[:, :3, 3], axis=2).min(axis=1)
    return bool(away.max() <= PASSED * rod.length)
