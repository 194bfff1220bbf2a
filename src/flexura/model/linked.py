"""Joints in a model: what inputs move by them, and whose forces they carry."""

from dataclasses import dataclass

import numpy as np

from flexura.model.inputs import Inputs
from flexura.robot import Hinge, Motor, Slider, Weld
from flexura.typing import Array, Indices, Pose, Twist
from flexura.value import Value


@dataclass(frozen=True, eq=False)
class Cut(Value):
    """The nodes whose forces a joint carries, to find its reaction.

    Attributes:
        nodes: nodes on the side of the joint that does not hold the world, (n,).
        node: node of the joint's second frame.
        offset: pose of that frame in the node; the reaction is given in it.
        sign: 1 if the nodes are on the side of the second frame, else -1.
    """

    nodes: Indices
    node: int
    offset: Pose
    sign: float


@dataclass(frozen=True)
class Mover:
    """What an input moves: a named weld (its pose), or a driven joint or motor (its coordinate)."""

    joint: Weld | Hinge | Slider | Motor
    place: int

    def motion(self, inputs: Inputs) -> Pose:
        """The pose that the input makes."""
        if isinstance(self.joint, Weld):
            return inputs.values[self.place : self.place + 16].reshape(4, 4)
        return self.joint.motion(float(inputs.values[self.place]))

    def twist(self, change: Array) -> Twist:
        """The body twist of that pose for a change of all inputs, (n_values,) or (n_values, m).

        Returns:
            (6,), or (m, 6).
        """
        if isinstance(self.joint, Weld):
            return change[self.place : self.place + 6].T
        return np.asarray(np.multiply.outer(change[self.place], self.joint.screw))
