"""What joints do to the anchors of their frames: tie them rigidly, or hold some of the motions."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TypeAlias, TypeGuard

import numpy as np

from flexura.robot.body import Body
from flexura.robot.check import LARGEST, BadField
from flexura.robot.frame import Anchor, At, FrameLike, World, anchor_of, coincide
from flexura.robot.joint import Ball, Hinge, Joint, Slider, Weld
from flexura.robot.motor import Motor
from flexura.robot.offset import inverse
from flexura.robot.rod import Rod
from flexura.typing import ArrayLike, Pose, Vector
from flexura.value import Value

Rigid: TypeAlias = Weld | Hinge | Slider | Motor
Carrier: TypeAlias = Callable[[FrameLike], tuple[Anchor, Pose]]  # what carries a frame, and where


@dataclass(frozen=True, eq=False)
class Link(Value):
    """A rigid tie between two anchors that may depend on an input.

        pose of b in a = before @ M @ after

    where M is the offset of a weld, or the motion of a driven joint or of a motor. The link has an
    input, which is called as the joint, if the joint has a name.

    Attributes:
        label: Label of the joint; the links of a motor share it.
        joint: The joint.
        a: First anchor.
        b: Second anchor.
        before: Pose in a of what M begins at, 4x4.
        after: Pose of b in what M leads to, 4x4.
    """

    label: str
    joint: Rigid
    a: Anchor
    b: Anchor
    before: Pose
    after: Pose

    def motion(self, value: ArrayLike | None = None) -> Pose:
        """M for a value of the input, which is the described one if it is None.

        Args:
            value: Pose of a weld, 4x4, angle [rad] or displacement [m].
        """
        if isinstance(self.joint, Weld):
            return self.joint.transform if value is None else np.asarray(value, dtype=np.float64)
        return np.eye(4) if value is None else self.joint.motion(float(np.asarray(value)))

    def pose(self, M: Pose) -> Pose:
        """Pose of b in a for an M."""
        return np.asarray(self.before @ M @ self.after)

    @property
    def rest(self) -> Pose:
        """Pose of b in a as described: the offset of a weld, zero of anything driven."""
        return self.pose(self.motion())


@dataclass(frozen=True, eq=False)
class FreeJoint(Value):
    """A joint that holds some of the motions of two anchors against each other.

        log((g_a T_a)⁻¹ (g_b T_b))[rows] = 0,   g_a, g_b poses of the anchors

    Attributes:
        label: Name of the joint.
        a: First anchor.
        b: Second anchor.
        T_a: Pose of the joint in a, with x along its axis, 4x4.
        T_b: Pose of the joint in b, likewise; the same as seen from a while it is not moved, 4x4.
        rows: Which components of the twist are held, angular first.
    """

    label: str
    a: Anchor
    b: Anchor
    T_a: Pose
    T_b: Pose
    rows: tuple[int, ...]


@np.errstate(all="ignore")
def rigid_links(
    rods: Sequence[Rod], bodies: Sequence[Body], joints: Sequence[Joint]
) -> tuple[Link, ...]:
    """The links of welds, driven joints and motors, in their order.

    Raises:
        UnknownName: If a joint names a frame that does not exist.
    """
    carrier = _carrier(rods, bodies, joints)
    return tuple(link for joint in joints for link in _links(joint, carrier))


@np.errstate(all="ignore")
def free_joints(
    rods: Sequence[Rod], bodies: Sequence[Body], joints: Sequence[Joint]
) -> tuple[FreeJoint, ...]:
    """The joints that move freely, in their order.

    Raises:
        UnknownName: If a joint names a frame that does not exist.
    """
    carrier = _carrier(rods, bodies, joints)
    return tuple(
        _free(joint, carrier)
        for joint in joints
        if isinstance(joint, Hinge | Slider | Ball) and not _is_driven(joint)
    )


def _links(joint: Joint, carrier: Carrier) -> Iterator[Link]:
    """The links of one joint: of a motor one for each frame, none of a joint that moves freely."""
    if isinstance(joint, Motor):
        for frame, T in joint.installed:
            b, offset = carrier(frame)
            after = _product(joint, T, inverse(offset))
            yield Link(joint.label, joint, Anchor(World), b, np.eye(4), after)
    elif isinstance(joint, Weld) or _is_driven(joint):
        a, before = carrier(joint.a)
        b, offset = carrier(joint.b)
        if not isinstance(joint, Weld):
            before = _product(joint, before, joint.transform)
        yield Link(joint.label, joint, a, b, before, inverse(offset))


def _free(joint: Hinge | Slider | Ball, carrier: Carrier) -> FreeJoint:
    """What a joint holds of the motion of its anchors."""
    a, offset_a = carrier(joint.a)
    b, offset_b = carrier(joint.b)
    R = np.eye(4) if isinstance(joint, Ball) else _along(np.array(joint.axis))
    T_a = _product(joint, offset_a, joint.transform, R)
    T_b = _product(joint, offset_b, R)
    return FreeJoint(joint.label, a, b, T_a, T_b, joint.held)


def _carrier(rods: Sequence[Rod], bodies: Sequence[Body], joints: Sequence[Joint]) -> Carrier:
    """The anchors of frames that these joints hold; those that coincide are one."""
    by_name = {rod.name: rod for rod in rods}, {body.name: body for body in bodies}
    held = (At(*point) for joint in joints for point in joint.jumps if point[0] in by_name[0])
    inside = {anchor_of(point, *by_name)[0] for point in held}
    same: dict[Anchor, Anchor] = {}
    kept = Anchor(World)
    for anchor in sorted(inside, key=lambda anchor: (anchor.part, anchor.s or 0.0)):
        kept = kept if coincide(kept, anchor, by_name[0]) else anchor
        same[anchor] = kept

    def carrier(frame: FrameLike) -> tuple[Anchor, Pose]:
        anchor, offset = anchor_of(frame, *by_name)
        return same.get(anchor, anchor), offset

    return carrier


def _is_driven(joint: Hinge | Slider | Ball) -> TypeGuard[Hinge | Slider]:
    return not isinstance(joint, Ball) and joint.driven


def _along(axis: Vector) -> Pose:
    """A rotation whose x axis is the given one; that of x itself is the identity."""
    z = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    z /= np.linalg.norm(z)
    R = np.eye(4)
    R[:3, :3] = np.stack([axis, np.cross(z, axis), z], axis=1)
    return R


def _product(joint: Joint, *poses: Pose) -> Pose:
    """The product of poses of a joint, if it is not beyond all measure."""
    T = reduce(np.matmul, poses)
    if not (np.abs(T) <= LARGEST).all():
        raise BadField(
            f"{type(joint).__name__} {joint.label!r}: its offsets add up to "
            f"{T[:3, 3].tolist()} m; give offsets in metres that a robot can have",
            "joints",
        )
    return T
