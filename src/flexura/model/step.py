"""Steps from the last evaluated state of an assembly: how long they are, and where they lead."""

import math
from typing import NamedTuple

import numpy as np

from flexura.model import assemble_kernels as kernels
from flexura.model.assemble import Assembly
from flexura.model.evaluation import Ahead
from flexura.model.inputs import Inputs
from flexura.model.state import State
from flexura.typing import Array, Strain, Twist


class Linearised(NamedTuple):
    """A step, until the assembly is evaluated again.

    Attributes:
        assembly: what was evaluated.
        increments: of all unknowns of the matrix, (n_dof,).
        multipliers: increments of those of constraints, and of the forces of contacts.
        strains: linear change of the strain at the points of each part.
        rotation: the largest one that it makes [rad].
        size: root mean square of rotations and of translations over the length; where strains are
            unknowns, the largest of what they add up to.
        resistance: dqᵀ K dq [J] and dqᵀ D dq [m²], where they are known.
    """

    assembly: Assembly
    increments: Array
    multipliers: Array
    strains: tuple[Strain, ...]
    rotation: float
    size: float
    resistance: tuple[float, float] | None = None

    def advance(self, fraction: float = 1.0, inputs: Inputs | None = None) -> tuple[State, Ahead]:
        """Take a fraction of the step.

        Returns the new state, and what to remember for its tangent: the strains that the step
        predicts for it. An open robot is recomposed from the changes of its relative poses, which
        preserves stretch.

        Args:
            fraction: of the step.
            inputs: those of the new state, if they change with the step.
        """
        assembly, strains, winds = self.assembly, [], False
        for part, change in zip(assembly.parts, self.strains, strict=True):
            work, strain = part.work, np.empty(change.shape)
            winds |= kernels.predict(
                work.strain, fraction, change, work.strain_ahead, part.spacing, strain
            )
            strains.append(strain)
        ahead = self._inputs_ahead(fraction, inputs)
        state = self.state(fraction, inputs)
        return state, Ahead(ahead, tuple(strains), lost=assembly.lost_turns(winds))

    def state(self, fraction: float = 1.0, inputs: Inputs | None = None) -> State:
        """The new state alone; arguments as for ``advance``."""
        assembly, relative = self.assembly, None
        layout = assembly.layout if inputs is None else assembly.model.layout_at(inputs)
        if layout.open and layout.n_coordinates:
            relative = assembly.relative
            for part in assembly.parts:
                relative[part.part.nodes] = part.part.group.relative_poses(fraction, part.work)
        dq, multipliers = self.increments, self.multipliers
        if fraction != 1.0:
            dq, multipliers = fraction * dq, fraction * multipliers
        return layout.retract(assembly.state, dq, multipliers, relative)

    def _inputs_ahead(self, fraction: float, inputs: Inputs | None) -> Inputs:
        """The inputs for the geometric part of the next tangent."""
        now, ahead = self.assembly.inputs, self.assembly.ahead
        if inputs is not None:
            return inputs
        if ahead is None or ahead.inputs is now:
            return now
        return ahead.inputs.towards(now, fraction)


def linearise(
    assembly: Assembly,
    dq: Array,
    multipliers: Array | None = None,
    drift: Twist | None = None,
    brief: bool = False,
    resistance: tuple[float, float] | None = None,
) -> Linearised:
    """Prepare a step.

    Args:
        assembly: evaluated where it begins.
        dq: increments of all unknowns of the matrix.
        multipliers: of those of constraints, (n_rows,); None for zero.
        drift: how inputs that change with the step move the nodes besides, (n_nodes, 6).
        brief: whether changes of strains may be left out: ``state`` is all that is asked for then.
        resistance: of the step, where it is known.
    """
    layout, length = assembly.layout, assembly.model.length
    rotation = size = 0.0
    d_nodes = assembly.scratch
    parts = assembly.bending if brief and not layout.open else assembly.parts
    if layout.n_coordinates:
        rotation, squares = kernels.carry_and_measure(
            dq, layout.dof, layout.adjoint, d_nodes, layout.pose_dof, length
        )
        size = math.sqrt(squares / (6 * layout.n_coordinates))
    elif drift is not None:
        d_nodes[:] = 0.0
    if drift is not None:
        d_nodes += drift
    strains = []
    for part in parts:
        part.gather(dq, part.d_inner)
        own = d_nodes[part.part.nodes]
        change = part.part.group.increments(own, part.d_inner, part.work)
        strains.append(change)
        if part.part.bends:
            turn, way = kernels.motion(part.part.group.points.weight, change)
            rotation, size = max(rotation, turn), max(size, turn, way / length)
        if part.part.group.components > 6:
            turn = kernels.largest_turn(change)
            rotation, size = max(rotation, turn), max(size, turn)
    if assembly.members:
        if not layout.n_coordinates and drift is None:
            d_nodes[:] = 0.0
        motion = assembly.particles.scratch
        layout.particles.increments(assembly.nodes, d_nodes, dq, motion)
        for member in assembly.members:
            strained, far = member.measure(assembly, motion, dq)
            rotation, size = max(rotation, strained), max(size, far)
    if multipliers is None:
        multipliers = np.zeros(assembly.model.n_multipliers)
    return Linearised(assembly, dq, multipliers, tuple(strains), rotation, size, resistance)
