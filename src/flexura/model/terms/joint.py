"""Joints that move freely: constraints between two nodes.

    x = log((g_a T_a)⁻¹ (g_b T_b)),    x_r = 0 for the components r that the joint holds

with a multiplier λ_r each: what the joint exerts. The tangent is that of the Lagrangian, exact also
where the constraints do not hold yet (theory 11.1).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.lie import se3
from flexura.model.layout import adjoint_duals
from flexura.model.terms import joint_kernels as kernels
from flexura.robot.graph import FreeJoint
from flexura.typing import Array, Indices, Pose, Wrench, frozen


@dataclass(frozen=True)
class Joints:
    """All joints that move freely.

    Attributes:
        labels: their names.
        nodes: the two nodes of each, (n, 2).
        offset: T_a and T_b, (n, 2, 4, 4).
        adjoint: Ad of their inverses as duals, (n, 2, 18).
        rows: which components are held, (n, 6).
        frame: pose of the joint in its second frame, in which reactions are given, (n, 4, 4).
    """

    labels: tuple[str, ...]
    nodes: Indices
    offset: Pose
    adjoint: Array
    rows: NDArray[np.bool_]
    frame: Pose

    @classmethod
    def of(
        cls,
        joints: Sequence[FreeJoint],
        nodes: Sequence[tuple[int, int]],
        seconds: Sequence[Pose],
    ) -> "Joints":
        """The joints between given pairs of nodes.

        ``seconds`` are the poses of their second frames in the second nodes.
        """
        offset = np.array([(joint.T_a, joint.T_b) for joint in joints]).reshape(-1, 2, 4, 4)
        rows = np.zeros((len(joints), 6), dtype=np.bool_)
        for held, joint in zip(rows, joints, strict=True):
            held[list(joint.rows)] = True
        return cls(
            tuple(joint.label for joint in joints),
            frozen(np.array(nodes, dtype=np.int64).reshape(-1, 2)),
            frozen(offset),
            frozen(adjoint_duals(offset.reshape(-1, 4, 4)).reshape(-1, 2, 18)),
            frozen(rows),
            frozen(
                np.array(
                    [
                        se3.inverse(second) @ joint.T_b
                        for joint, second in zip(joints, seconds, strict=True)
                    ]
                ).reshape(-1, 4, 4)
            ),
        )

    @property
    def n_rows(self) -> int:
        """Number of all held components."""
        return int(self.rows.sum())

    def write(
        self, pose: Pose, hold: Array, force: Array, blocks: Array, jacobian: Array
    ) -> tuple[Array, Array]:
        """Add forces of the nodes; write tangents of the pairs and derivatives of x.

        Args:
            pose: of the nodes.
            hold: λ, (n_rows,).
            force: of the nodes, added to.
            blocks: (n, 2, 2, 36), written.
            jacobian: ∂x/∂ζ of both nodes, (n, 2, 36), written.

        Returns:
            x, (n, 6), and those of its components that are held, (n_rows,).
        """
        x, full = np.zeros((2, len(self.nodes), 6))
        full[self.rows] = hold
        kernels.write(
            self.nodes, self.offset, self.adjoint, pose, full, x, force, blocks, jacobian,
            np.empty((3, 4, 4)), np.empty((8, 18)), np.empty(6),
        )  # fmt: skip
        return x, x[self.rows]

    def wrench(self, index: int, hold: Array, x: Array) -> Wrench:
        """What the first frame of a joint exerts on its second, in the second frame."""
        full = np.zeros(6)
        begin = int(self.rows[:index].sum())
        full[self.rows[index]] = hold[begin : begin + int(self.rows[index].sum())]
        out = np.empty(6)
        kernels.wrench(x, full, out, np.empty((2, 18)))
        return np.asarray(se3.Ad_dual(self.frame[index]) @ out)
