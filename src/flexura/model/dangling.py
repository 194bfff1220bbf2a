"""Rods that hang on one joint of the world, and that nothing holds at their other end.

They begin turned as they will hang, by the loads that act along them and at their free end; but not
where something may be in the way, nor where constraints may hold them.
"""

from dataclasses import dataclass

import numpy as np

from flexura.model.chain import Chains
from flexura.model.end import Clamp, End
from flexura.model.held import SHARP, Bent, Held, bent
from flexura.model.layout import Layout
from flexura.model.model import Model
from flexura.model.pinned import alone
from flexura.model.start_load import Forces
from flexura.rods.dangling import dangling
from flexura.rods.joined import Portion
from flexura.typing import Pose, Vector


@dataclass(frozen=True, eq=False)
class Dangling(Held):
    """Pieces of rods that follow each other, and what holds one end of all.

    Attributes:
        force: at the other end, in world axes [N].
    """

    force: Vector

    def bend(self, layout: Layout, load: Vector) -> list[Bent]:
        """Let it hang, if loads tell how; arguments as for ``Held``."""
        sharpest = SHARP * max(piece.apart(layout) for piece in self.pieces)
        end = self.base if self.base.turns else self.tip
        found = dangling(
            self.rod, end.aim, self.base.turns, load, self.force, self.stretches, sharpest
        )
        if found is None:
            return []
        origin, shape = found
        begun = []
        for i, (piece, run) in enumerate(zip(self.pieces, self.runs, strict=True)):
            portion = Portion(shape, run, shape.hangs)
            first, last = origin @ portion.placed(np.array([0.0, run.rod.length]))
            # what is between two of them is placed by the one before
            places = (i == 0 or run.sense < 0.0, i == 0 or run.sense > 0.0)
            begun.append(bent(piece, layout, portion, (first, last), places))
        return begun


def danglings(
    model: Model, layout: Layout, nodes: Pose, chains: Chains, forces: Forces
) -> list[Held]:
    """Every rod that a joint holds in the world by one of its ends, and nothing else.

    Args:
        model: the robot.
        layout: at the inputs of the start.
        nodes: poses of the nodes; those of such rods are no more than a guess.
        chains: of its rods.
        forces: that will act on nodes.
    """
    joints, found = model.joints, list[Held]()
    if model.tubes or model.constraints or model.contacts is not None:
        return found
    holds = np.asarray(joints.held[:, 3:].all(axis=1))
    fixed, single = (layout.coordinate < 0) & ~layout.loose, alone(layout)
    jointed = np.bincount(joints.nodes.ravel(), minlength=layout.n_nodes)
    for joint in np.flatnonzero(holds).tolist():
        for end, other in (joints.nodes[joint].tolist(), joints.nodes[joint].tolist()[::-1]):
            if not (fixed[other] and single[end] and jointed[end] == 1):
                continue
            if chain := chains.dangling(end):
                pin = chains.pin(joint, end, nodes[other])
                held = chains.between(chain, pin, Clamp(nodes[end]))
                found.append(_free(held, forces.at(chain[-1][1], layout)))
    return found


def _free(held: Held, force: Vector) -> Dangling:
    """What hangs on one end, with its other end where it is as long as it has not turned."""
    from_base = held.base.turns
    end = held.base if from_base else held.tip
    far = end.aim(end.direction).copy()
    far[:3, 3] += (1.0 if from_base else -1.0) * held.rod.length * far[:3, 0]
    other: End = Clamp(far)
    base, tip = (end, other) if from_base else (other, end)
    return Dangling(held.pieces, held.runs, base, tip, held.rod, force)
