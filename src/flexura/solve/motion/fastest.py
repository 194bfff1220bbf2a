"""The fastest vibration of a robot, which limits explicit steps."""

import numpy as np

from flexura.model.inputs import Inputs
from flexura.model.motion.flow import Flow
from flexura.solve.motion.stage import FIXED, Stage
from flexura.typing import Array

# Power iterations; the largest root is found to a percent, from below, in far fewer.
ITERATIONS = 200
SETTLED = 1e-4


def highest_frequency(stage: Stage, flow: Flow, inputs: Inputs) -> float:
    """The highest angular frequency at a state [1/s], by power iteration with M⁻¹ K.

    Forces of stretch and shear follow the strains, and joints hold.
    """
    middle, structure, inside = stage.middle, stage.middle.layout.structure, stage.inside
    middle.move_from(stage.tracks.now(flow))
    middle.evaluate(stage.with_forces(flow.state, inputs), inputs)
    stiffness, values = structure.sparse(middle.values), middle.values.copy()
    values[structure.diagonal[~inside]] += FIXED * np.abs(values).max(initial=0.0)
    forces = structure.factorise(values, False, overwrite=True)
    mass, ties = stage.matrix(flow, inputs)
    weight = structure.factorise(mass + ties, False, overwrite=True)

    def image(motion: Array) -> Array:
        right = np.where(inside, stiffness @ motion, 0.0)
        force = stiffness @ (motion - (forces.solve(right) if inside.any() else 0.0))
        found = weight.solve(np.where(stage.moving, force, 0.0))
        return np.where(stage.moving, found, 0.0)

    motion = np.where(stage.moving, np.random.default_rng(0).normal(size=structure.n), 0.0)
    motion, root = image(motion), 0.0
    for _ in range(ITERATIONS):
        size = float(np.abs(motion).max(initial=0.0))
        if not np.isfinite(size) or size == 0.0:
            return 0.0
        last, motion = motion / size, image(motion / size)
        before, root = root, float(np.abs(motion).max()) / float(np.abs(last).max())
        if abs(root - before) <= SETTLED * root:
            break
    return float(np.sqrt(root))
