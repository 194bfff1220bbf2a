"""Inertia of bodies: wrenches on nodes that resist the acceleration of what is fixed to them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexura.model import inertia_kernels as kernels
from flexura.model.law import Given
from flexura.model.layout import adjoint_duals
from flexura.model.term import NodeForces, Term
from flexura.robot import Body
from flexura.typing import Array, Indices, Pose, frozen


@dataclass(frozen=True, eq=False)
class BodyInertia(Term):
    """Inertia of bodies, which are elements with one node each.

    Attributes:
        nodes: node of each body, (n, 1).
        center: pose of the centre of mass in the node, (n, 4, 4).
        adjoint: Ad of its inverse as a dual, (n, 18).
        inertia: moments of inertia and mass, (n, 6).
    """

    nodes: Indices
    center: Pose
    adjoint: Array
    inertia: Array

    @classmethod
    def of(cls, bodies: Sequence[Body], nodes: Sequence[int]) -> "BodyInertia":
        """The inertia of bodies at their nodes."""
        center = np.tile(np.eye(4), (len(bodies), 1, 1))
        inertia = np.empty((len(bodies), 6))
        for i, body in enumerate(bodies):
            center[i, :3, 3] = body.center
            inertia[i, :3], inertia[i, 3:] = body.inertia, body.mass
        return cls(
            frozen(np.array(nodes, dtype=np.int64)[:, None]), frozen(center),
            frozen(adjoint_duals(center)), frozen(inertia),
        )  # fmt: skip

    def add(self, pose: Pose, numbers: Array, given: Given, out: NodeForces) -> None:
        """Inertial wrenches, if anything moves."""
        self._add(pose, given, out.force, out.blocks)

    def _add(self, pose: Pose, given: Given, force: Array, blocks: Array) -> None:
        past = given.past
        if past is None:
            blocks[:] = 0.0
            return
        kernels.add_at_bodies(
            self.nodes[:, 0], self.center, self.adjoint, self.inertia, *past.bodies, past.pace,
            past.push, past.in_space, pose, force, blocks.reshape(-1, 36), given.tangents,
        )  # fmt: skip

    @property
    def reads(self) -> frozenset[int]:
        """None of the given values."""
        return frozenset()

    def add_slope(
        self, pose: Pose, numbers: Array, given: Given, change: Array, out: NodeForces
    ) -> None:
        """Nothing that is given changes it."""


@dataclass(frozen=True, eq=False)
class BodyInertiaTangent(BodyInertia):
    """The tangent of inertia without its wrenches, for steps that balance momenta instead."""

    def add(self, pose: Pose, numbers: Array, given: Given, out: NodeForces) -> None:
        """How inertial wrenches would change, if anything moves."""
        if given.tangents:
            self._add(pose, given, np.zeros_like(out.force), out.blocks)
