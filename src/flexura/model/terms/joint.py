"""Joints that move freely: constraints between two nodes.

    x = log((g_a T_a)⁻¹ (g_b T_b)),    x_r = 0 for the components r that the joint holds

with a multiplier λ_r each: what the joint exerts. Of one that holds no rotation it is the place of
the second frame in the first instead, which is the same whichever way round that has turned. The
tangent is that of the Lagrangian, exact also where the constraints do not hold yet (theory 11.1).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flexura.lie import se3, so3
from flexura.model.law import Given
from flexura.model.layout import adjoint_duals
from flexura.model.term import NodeForces, Term
from flexura.model.terms import joint_kernels as kernels
from flexura.robot.graph import FreeJoint
from flexura.typing import Array, Indices, Pose, Twist, Wrench, frozen

ANYWHERE: Twist = frozen(np.empty((0, 6)))


@dataclass(frozen=True, eq=False)
class Joints(Term):
    """All joints that move freely.

    Attributes:
        labels: their names.
        nodes: the two nodes of each, (n, 2).
        offset: T_a and T_b, (n, 2, 4, 4).
        adjoint: Ad of their inverses as duals, (n, 2, 18).
        held: which components are held, (n, 6).
        frame: pose of the joint in its second frame, in which reactions are given, (n, 4, 4).
    """

    labels: tuple[str, ...]
    nodes: Indices
    offset: Pose
    adjoint: Array
    held: NDArray[np.bool_]
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
        held = np.zeros((len(joints), 6), dtype=np.bool_)
        for own, joint in zip(held, joints, strict=True):
            own[list(joint.rows)] = True
        return cls(
            tuple(joint.label for joint in joints),
            frozen(np.array(nodes, dtype=np.int64).reshape(-1, 2)),
            frozen(offset),
            frozen(adjoint_duals(offset.reshape(-1, 4, 4)).reshape(-1, 2, 18)),
            frozen(held),
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
    def brings(self) -> Indices:
        """A multiplier for each component that is held."""
        return np.asarray(self.held.sum(axis=1))

    def units(self, length: float) -> Array:
        """Rotations as they are, translations over the length."""
        return np.tile(np.repeat([1.0, 1.0 / length], 3), (len(self.held), 1))[self.held]

    def add(self, pose: Pose, numbers: Array, given: Given, out: NodeForces) -> None:
        """Forces and tangents of the multipliers; gaps and their derivatives."""
        near = ANYWHERE if given.near is None else given.near
        self._add(self.held, pose, near, numbers, out, given.tangents)

    def _add(
        self,
        held: NDArray[np.bool_],
        pose: Pose,
        near: Twist,
        numbers: Array,
        out: NodeForces,
        tangents: bool,
    ) -> None:
        """The same with any components held."""
        x, hold = np.empty((2, len(held), 6))
        jacobian = np.empty((len(held), 2, 36))
        kernels.add_held(
            self.nodes, self.offset, self.adjoint, held, pose, near, numbers, out.force, out.blocks,
            out.gap, out.rows, x, hold, jacobian, np.empty((3, 4, 4)), np.empty((8, 18)),
            np.empty((2, 36)), np.empty(6), tangents,
        )  # fmt: skip

    @property
    def reads(self) -> frozenset[int]:
        """None of the given values."""
        return frozenset()

    def add_slope(
        self, pose: Pose, numbers: Array, given: Given, change: Array, out: NodeForces
    ) -> None:
        """Nothing that is given changes them."""

    def jacobian(self, pose: Pose) -> Array:
        """Derivatives of x by both nodes, (n, 2, 6, 6): rows of all components, as if all held."""
        n = len(self.nodes)
        force, blocks = np.zeros((len(pose), 6)), np.empty((n, 2, 2, 36))
        out = NodeForces(force, blocks, np.empty(6 * n), np.empty((6 * n, 2, 6)))
        self._add(np.ones((n, 6), dtype=bool), pose, ANYWHERE, np.zeros(6 * n), out, tangents=True)
        return np.ascontiguousarray(out.rows.reshape(n, 6, 2, 6).swapaxes(1, 2))

    def motion(self, pose: Pose, near: Twist | None = None) -> Twist:
        """x of every joint, x along its axis, for given poses of all nodes, (n, 6).

        Args:
            pose: of all nodes, (n_nodes, 4, 4).
            near: twists whose turns are nearer to theirs than those the other way round, (n, 6);
                None for the twists that turn least.
        """
        x = np.empty((len(self.nodes), 6))
        given = ANYWHERE if near is None else near
        kernels.relative(self.nodes, self.offset, pose, given, x, np.empty((3, 4, 4)))
        return x

    @cached_property
    def hinges(self) -> tuple[Indices, Indices]:
        """Joints that move by turning about one axis alone, and the component of x that tells."""
        alone = self.held.sum(axis=1) == 5
        joint, component = np.nonzero(~self.held & alone[:, None])
        return joint[component < 3], component[component < 3]

    def angles(self, pose: Pose, turns: Array | None) -> Array:
        """How far hinges have turned [rad], for given poses of all nodes and whole turns."""
        found = self.motion(pose)[self.hinges]
        return found if turns is None else found + 2.0 * np.pi * turns

    def retold(self, pose: Pose, near: Twist, numbers: Array) -> Array:
        """Multipliers that go with twists near others, as they are with those that turn least.

        The wrench J_r(x)⁻ᵀ λ is the same. Arguments as for ``motion``, and the multipliers.
        """
        x, y = self.motion(pose), self.motion(pose, near)
        turned = np.flatnonzero((x != y).any(axis=1) & self.held[:, :3].any(axis=1))
        if not len(turned):
            return numbers
        full = np.zeros((len(self.held), 6))
        full[self.held] = numbers
        wrench = np.einsum("nji,nj->ni", se3.dexpinv(y[turned]), full[turned])
        full[turned] = np.einsum("nji,nj->ni", se3.dexp(x[turned]), wrench)
        return full[self.held]

    def wrench(self, index: int, numbers: Array, x: Twist) -> Wrench:
        """What the first frame of a joint exerts on its second, in the second frame."""
        full, out = np.zeros((len(self.held), 6)), np.zeros(6)
        full[self.held] = numbers
        if self.held[index, :3].any():
            kernels.wrench(x, full[index], out, np.empty((2, 18)))
        else:
            out[3:] = -so3.exp(x[:3]).T @ full[index, 3:]
        return np.asarray(se3.Ad_dual(self.frame[index]) @ out)
