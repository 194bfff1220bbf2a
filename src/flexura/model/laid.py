"""Where threaded rods begin: at rest if they pass their points then, else laid through them."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from flexura.model.end import Clamp
from flexura.model.held import Held
from flexura.model.layout import Layout
from flexura.model.members.thread import Threads
from flexura.model.model import Model
from flexura.model.piece import Piece, Pieces
from flexura.robot import Rod
from flexura.rods.joined import Run
from flexura.rods.laid import Laid
from flexura.rods.rest import rest_steps
from flexura.rods.shape import Shape
from flexura.typing import Array, Indices, Matrix, Pose, Vector

# A rod that passes its points at rest within this part of its length begins at rest.
PASSED = 0.01
# So many steps along the rest shape tell where it passes them.
STEPS = 128


@dataclass(frozen=True, eq=False)
class Thread(Held):
    """A rod that is laid through points of volumes.

    Attributes:
        shape: how it lies.
    """

    shape: Laid

    @classmethod
    def through(cls, piece: Piece, base: Pose, points: Matrix) -> "Thread":
        """A rod from its base on, through points in the frame of it."""
        shape = Laid(piece.rod, points)
        tip = base @ shape.poses(np.array([piece.rod.length]))[0]
        run, ends = Run(piece.rod, 0.0, np.eye(3)), (Clamp(base), Clamp(tip, turns=True))
        return cls((piece,), (run,), *ends, piece.rod, shape)

    def _lie(self, load: Vector, sharpest: float) -> tuple[Pose, Pose, Shape]:
        """Along its points, whatever the load."""
        return self.base.aim(load), self.tip.aim(load), self.shape


def laid_threads(model: Model, layout: Layout, nodes: Pose, numbers: Array) -> Iterator[Thread]:
    """Rods that do not pass their points at rest, of those that nothing else holds but the base.

    Args:
        model: the robot.
        layout: at the inputs of the start.
        nodes: poses of the nodes.
        numbers: of the state, with displacements of volumes; where these rods pass their points is
            added, but for rods at rest whose anchors tell it.
    """
    ties = model.with_rows(Threads)
    if not ties:
        return
    moved, pieces = np.empty((len(layout.particles), 3)), Pieces(model)
    layout.particles.displacements(nodes, numbers, moved)
    position = layout.particles.rest + moved
    for own, rows in ties:
        at = np.einsum("mk,mkc->mc", own.weights, position[own.particles])
        for rod in np.unique(own.rod).tolist():
            mine = np.flatnonzero(own.rod == rod)
            first, last = own.rod_nodes[mine[0]].tolist()
            if not _hangs_on(layout, first, last):
                continue
            base, piece = nodes[first], pieces.between(first, last)
            points = (at[mine] - base[:3, 3]) @ base[:3, :3]
            passes, known = _passes(piece.rod, points), own.anchored[mine]
            if passes is None:
                order = _along(points, own.tie[mine])
                thread = Thread.through(piece, base, points[order])
                passes, known = np.empty(len(order)), own.slides[mine] == 0
                passes[order] = thread.shape.passes
                yield thread
            sliding = mine[~known]
            numbers[rows[own.offset[sliding] + 3]] = passes[~known] - own.rest[sliding]


def _hangs_on(layout: Layout, first: int, last: int) -> bool:
    """Whether all nodes of a rod follow from its base, and nothing else rides on them."""
    own = np.arange(first + 1, last + 1)
    carried = np.bincount(layout.coordinate + 1, minlength=1)[layout.coordinate[own] + 1]
    alone = (layout.coordinate[own] >= 0) & (carried == 1)
    led = any(near == first and way == 1 for near, _, way in layout.walk.tolist())
    return led and bool((alone | layout.loose[own]).all())


def _passes(rod: Rod, points: Matrix) -> Array | None:
    """Arc lengths where a rod at rest passes points in the frame of its base; None if it does not.

    Beyond its ends it goes on straight.
    """
    s = np.linspace(0.0, rod.length, STEPS + 1)
    poses = np.tile(np.eye(4), (len(s), 1, 1))
    for i, step in enumerate(rest_steps([rod], [s])):
        poses[i + 1] = poses[i] @ step
    nearest = np.linalg.norm(points[:, None] - poses[:, :3, 3], axis=2).argmin(axis=1)
    away = points - poses[nearest, :3, 3]
    ahead = np.einsum("mi,mi->m", away, poses[nearest, :3, 0])
    beside = np.linalg.norm(away - ahead[:, None] * poses[nearest, :3, 0], axis=1)
    return s[nearest] + ahead if beside.max() <= PASSED * rod.length else None


def _along(points: Matrix, tie: Indices) -> Indices:
    """The points in the order in which a rod from the origin passes them, those of a tie together.

    Each time the tie follows that begins nearest.
    """
    left = [np.flatnonzero(tie == number) for number in np.unique(tie)]
    order, place = [], np.zeros(3)
    while left:
        away = [np.linalg.norm(points[own[0]] - place) for own in left]
        order.append(left.pop(int(np.argmin(away))))
        place = points[order[-1][-1]]
    return np.concatenate(order)
