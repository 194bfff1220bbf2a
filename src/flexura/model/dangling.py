"""Limp rods that hang from one of their ends, with a known force at the other one."""

from dataclasses import dataclass

import numpy as np

from flexura.model.held import SHARP, Bent, Held, bent
from flexura.model.layout import Layout
from flexura.rods.cord import Cord
from flexura.rods.dangling import dangling
from flexura.rods.joined import Portion
from flexura.typing import Matrix, Pose, Vector


@dataclass(frozen=True, eq=False)
class Dangling:
    """Pieces of rods that follow each other, and how they lie.

    Attributes:
        held: the pieces.
        origin: where their shape begins.
        shape: along all of them, from there.
    """

    held: Held
    origin: Pose
    shape: Cord

    @classmethod
    def hung(
        cls,
        held: Held,
        layout: Layout,
        loads: tuple[Vector, Vector],
        begin: tuple[Pose, bool],
        end: Matrix | None = None,
    ) -> "Dangling":
        """Pieces as they hang.

        Args:
            held: the pieces.
            layout: at the inputs of the start.
            loads: on each meter [N/m], and at the other end [N], in world axes.
            begin: the pose of the end that is held, and whether that is the base of all.
            end: axes of the other one, if something holds them, as ``tip`` gives them.
        """
        sharpest = SHARP * max(piece.apart(layout) for piece in held.pieces)
        pose, from_base = begin
        pose = pose.copy()
        pose[:3, :3] = pose[:3, :3] @ held.runs[0 if from_base else -1].axes.T
        if end is not None:
            end = end @ held.runs[-1 if from_base else 0].axes.T
        origin, shape = dangling(held.rod, pose, from_base, *loads, held.stretches, sharpest, end)
        return cls(held, origin, shape)

    def tip(self, from_base: bool) -> Pose:
        """The pose of the end that is not held."""
        run = self.held.runs[-1 if from_base else 0]
        s = np.array([run.rod.length if (run.sense > 0.0) is from_base else 0.0])
        return np.asarray((self.origin @ self._portion(-1 if from_base else 0).placed(s))[0])

    def bent(self, layout: Layout) -> list[Bent]:
        """Its pieces; what holds two of them together is placed by the one before."""
        found, last = [], len(self.held.pieces) - 1
        for i, piece in enumerate(self.held.pieces):
            portion = self._portion(i)
            run = portion.run
            first, final = self.origin @ portion.placed(np.array([0.0, run.rod.length]))
            places = (run.sense < 0.0 and i < last, run.sense > 0.0 and i < last)
            found.append(bent(piece, layout, portion, (first, final), places))
        return found

    def _portion(self, i: int) -> Portion:
        """Where one of its pieces lies."""
        return Portion(self.shape, self.held.runs[i], hangs=True)
