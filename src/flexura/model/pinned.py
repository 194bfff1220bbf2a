"""Rods that joints hold at their tips: they begin between their ends, turned as they will hang.

Those that are welded to each other are one.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.lie import quaternion, se3, so3
from flexura.model.chain import Chains
from flexura.model.end import Clamp, End
from flexura.model.held import Held
from flexura.model.layout import Layout
from flexura.model.model import Model
from flexura.model.walk import BY_JOINT
from flexura.rods.cord import aimed
from flexura.typing import Matrix, Pose, Vector

# Axes that turn together need a few rounds to aim.
ROUNDS = 4
# Directions no further than this from along an axis do not tell how to turn about it [rad].
ALONG = 1e-9


@dataclass(frozen=True, eq=False)
class Pin:
    """A joint at an end of a rod that nothing else holds.

    Attributes:
        joint: pose of the joint in the world.
        offset: of the rod's end in the joint, when the joint is at rest.
        free: axes of the joint that it may turn about, (k, 3).
        turns, fixed: the rod turns there, so that its pose is a guess.
    """

    joint: Pose
    offset: Pose
    free: Matrix
    turns: bool = True
    fixed: bool = False

    @property
    def place(self) -> Vector:
        """Where the end is [m]."""
        return np.asarray((self.joint @ self.offset)[:3, 3])

    @property
    def lever(self) -> float:
        """How far the end is from the joint [m]."""
        return float(np.linalg.norm(self.offset[:3, 3]))

    @property
    def direction(self) -> Vector:
        """The direction of the rod there, when the joint is at rest."""
        return np.asarray((self.joint @ self.offset)[:3, 0])

    def sides(self, chord: Vector) -> Matrix:
        """Across its axes: it bends in planes that these stand on. A ball leaves that open."""
        axes = self.free if len(self.free) < 3 else np.empty((0, 3))
        return np.cross(axes @ self.joint[:3, :3].T, chord)

    def aim(self, direction: Vector) -> Pose:
        """Pose of the end of the rod, turned so that it points in a direction, or nearly."""
        R = self.joint[:3, :3]
        if len(self.free) == 3:
            turned = R.T @ aimed(R @ self.offset[:3, :3], direction) @ self.offset[:3, :3].T
        else:
            turned, wanted = np.eye(3), R.T @ direction
            for _ in range(ROUNDS if len(self.free) > 1 else 1):
                for axis in self.free:
                    turned = _turned(turned @ self.offset[:3, 0], axis, wanted) @ turned
        return self._moved(turned)

    def nearest(self, frame: Matrix) -> Pose:
        """Pose of the end of the rod, turned as near to a frame as the joint can."""
        turn = quaternion.from_matrix(self.joint[:3, :3].T @ frame @ self.offset[:3, :3].T)
        turn[1:] = self.free.T @ self.free @ turn[1:]
        size = float(np.linalg.norm(turn))
        return self._moved(quaternion.to_matrix(turn / size) if size > 0.0 else np.eye(3))

    def _moved(self, turned: Matrix) -> Pose:
        """Pose of the end of the rod where the joint has turned."""
        motion = np.eye(4)
        motion[:3, :3] = turned
        return np.asarray(self.joint @ motion @ self.offset)


def pinned(model: Model, layout: Layout, nodes: Pose, chains: Chains) -> list[Held]:
    """Every rod whose tip a joint holds in the world, and nothing else, if it gets there.

    Args:
        model: the robot.
        layout: at the inputs of the start.
        nodes: poses of the nodes; those of such rods are no more than a guess.
        chains: of its rods.
    """
    joints, walk = model.joints, layout.walk.tolist()
    holds = np.asarray(joints.held[:, 3:].all(axis=1))
    tree = {frozenset(step[:2]) for step in walk if step[2] == BY_JOINT}
    base_of = {far: near for near, far, way in walk if way != BY_JOINT}
    joint_at: dict[int, int] = {}
    for joint in np.flatnonzero(holds).tolist():
        for node in joints.nodes[joint].tolist():
            joint_at.setdefault(node, joint)
    single, fixed = alone(layout), (layout.coordinate < 0) & ~layout.loose
    found = []
    for joint, pair in enumerate(joints.nodes.tolist()):
        if frozenset(pair) in tree or not holds[joint]:
            continue
        for tip, other in (pair, pair[::-1]):
            if tip in base_of and single[tip] and fixed[other]:
                chain = chains.along(base_of[tip], tip)
                near = chain[0][0]
                before = joint_at.get(near) if single[near] else None
                base: End = Clamp(nodes[near])
                if before is not None:
                    base = pin_at(model, before, near, nodes)
                one = chains.between(chain, base, pin_at(model, joint, tip, nodes))
                found += [one] if one.reaches else []
                break
    return found


def alone(layout: Layout) -> NDArray[np.bool_]:
    """Which nodes move, and carry no other."""
    carried = np.bincount(layout.coordinate + 1, minlength=1)
    return np.asarray((layout.coordinate >= 0) & (carried[layout.coordinate + 1] == 1))


def pin_at(model: Model, joint: int, end: int, nodes: Pose) -> Pin:
    """A joint, seen from the end of a rod."""
    a, b = model.joints.nodes[joint].tolist()
    T_a, T_b = model.joints.offset[joint]
    other, here, there = (a, T_b, T_a) if end == b else (b, T_a, T_b)
    free = np.eye(3)[~model.joints.held[joint, :3]]
    return Pin(nodes[other] @ there, se3.inverse(here), free)


def _turned(arm: Vector, axis: Vector, wanted: Vector) -> Matrix:
    """Rotation about an axis that turns an arm towards a wanted direction; none along the axis."""
    across = np.cross(axis, arm)
    sine, cosine = float(across @ wanted), float((arm - (arm @ axis) * axis) @ wanted)
    if math.hypot(sine, cosine) <= ALONG:
        return np.eye(3)
    return so3.exp(math.atan2(sine, cosine) * axis)
