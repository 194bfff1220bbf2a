"""Where frames shall be: what is missing, and how that changes when they move."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from flexura.errors import ModelError, UnknownName, show
from flexura.lie import se3
from flexura.model.frame import Frame, find_frame
from flexura.model.model import Model
from flexura.robot import AnyFrame
from flexura.robot.check import LARGEST, ORTHONORMAL_TOL
from flexura.solve.inverse import target_kernels as kernels
from flexura.typing import Array, ArrayLike, Indices, Matrix, Pose, real_numbers


@dataclass(frozen=True, eq=False)
class Target:
    """A position or a pose that a frame shall have.

    Attributes:
        name: how the user calls the frame.
        frame: where it is found.
        pose: what it shall be; of a position the rotation says nothing.
        free: whether the frame may turn as it likes.
        unit: of each number of what is missing [m]: for turns the longest rod, (3,) or (6,).
        weight: of each of them; nothing is missing where it is zero.
    """

    name: AnyFrame
    frame: Frame
    pose: Pose
    free: bool
    unit: Array
    weight: Array

    @cached_property
    def counts(self) -> Indices:
        """Which numbers of what is missing count, (k,)."""
        return np.flatnonzero(self.weight > 0.0)

    @cached_property
    def heavy(self) -> Array:
        """Their weights, (k,)."""
        return self.weight[self.counts]

    def missing(self, pose: Pose) -> tuple[Array, Matrix]:
        """What is missing [m], (k,), and how it changes with the frame's body twist, (k, 6)."""
        counts = self.counts
        if self.free:
            error, slope = np.empty(len(counts)), np.empty((len(counts), 6))
            kernels.miss_place(pose, self.pose, counts, error, slope)
            return error, slope
        x, negative, frame, slope = np.empty(6), np.empty(6), np.eye(4), np.empty((6, 6))
        kernels.miss(np.ascontiguousarray(pose), self.pose, frame, x, negative, slope)
        unit = self.unit[counts]
        return unit * x[counts], -unit[:, None] * slope[counts]

    def towards(self, begin: Pose, part: float) -> "Target":
        """A target on the way from a pose: straight, or for poses along a screw."""
        if self.free:
            pose = self.pose.copy()
            pose[:3, 3] = begin[:3, 3] + part * (self.pose[:3, 3] - begin[:3, 3])
            return replace(self, pose=pose)
        step = se3.log(se3.inverse(begin) @ self.pose)
        return replace(self, pose=np.asarray(begin @ se3.exp(part * step)))

    def apart(self, own: Array) -> tuple[float, float]:
        """Turn [rad] and distance [m] that are left, of what is missing, (k,)."""
        counts = self.counts
        left = (own / self.unit[counts]) ** 2
        turns = counts < (0 if self.free else 3)
        return math.sqrt(left[turns].sum()), math.sqrt(left[~turns].sum())


Weights = Mapping[AnyFrame, ArrayLike]


def read_weights(given: Weights | None, path: Sequence[object]) -> Weights:
    """Weights of errors as the user gives them, for a path of targets.

    Raises:
        ModelError: for what is no dict.
        UnknownName: for frames that no target of the path names.
    """
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise ModelError(f"weights must be a dict of frames, got {show(given)}")
    named = dict.fromkeys(name for one in path if isinstance(one, Mapping) for name in one)
    for frame in given if named else ():
        if frame not in named:
            raise UnknownName("weighted frame", frame, [str(name) for name in named])
        if isinstance(frame, tuple):
            raise ModelError(f"weights are of frames; the force of contact {frame!r} is met or not")
    return given


def read_targets(
    model: Model, given: object, weights: Weights, found: dict[object, Frame]
) -> tuple[Target, ...]:
    """Targets as the user gives them.

    Args:
        model: the robot.
        given: frames and where they shall be.
        weights: of their errors, and of others.
        found: frames of other targets of a path; those of this one are added.

    Raises:
        ModelError: for what is no position and no pose, for weights of the wrong size.
        UnknownName: for frames that are not there.
    """
    if not isinstance(given, Mapping):
        raise ModelError(
            "targets must be a dict of frames and positions or poses, as {'arm.tip': (0.1, 0, "
            f"0.2)}}, or a sequence of such dicts; got {show(given)}"
        )
    if not given:
        raise ModelError("inverse needs a target: a frame and its position or pose")
    read = []
    for frame, value in given.items():
        if frame not in found:
            found[frame] = find_frame(model, frame, moving=True)
        read.append(_read(model, frame, found[frame], value, weights.get(frame)))
    largest = max(one.weight.max() for one in read)  # their size says nothing
    if largest == 1.0:
        return tuple(read)
    return tuple(replace(one, weight=one.weight / largest) for one in read)


def _read(
    model: Model, frame: AnyFrame, found: Frame, value: ArrayLike, weight: ArrayLike | None
) -> Target:
    try:
        numbers = real_numbers(value)
    except (TypeError, ValueError):
        numbers = np.array(np.nan)
    free = numbers.shape == (3,)
    asked = ~np.isnan(numbers) if free else np.ones(6, dtype=np.bool_)
    if free:  # what is not a number may be anything
        numbers = np.where(asked, numbers, 0.0)
    sane = np.isfinite(numbers).all() and np.abs(numbers).max(initial=0.0) <= LARGEST
    if numbers.shape not in ((3,), (4, 4)) or not sane or not asked.any():
        raise ModelError(
            f"the target of {str(frame)!r} must be a position, three numbers [m], nan for what may "
            f"be anything, or a pose, a 4x4 matrix; got {show(value)}"
        )
    pose = numbers
    if free:
        pose = np.eye(4)
        pose[:3, 3] = numbers
    elif not _is_pose(pose):
        raise ModelError(
            f"the target of {str(frame)!r} is a 4x4 matrix, but no pose: its rotation must be "
            f"orthonormal and its last row 0, 0, 0, 1; got {pose.tolist()}; make one with "
            "lie.se3.pose(position, rotation)"
        )
    unit = np.ones(3) if free else np.repeat([model.length, 1.0], 3)
    heavy = _weight(frame, len(unit), weight) * asked
    if not heavy.any():
        raise ModelError(
            f"nothing of the target of {str(frame)!r} counts: its weights are zero where it has "
            f"numbers; got {show(value)} and weights {show(weight)}"
        )
    return Target(frame, found, np.ascontiguousarray(pose), free, unit, heavy)


def _is_pose(pose: Pose) -> bool:
    R = pose[:3, :3]
    straight = np.allclose(R.T @ R, np.eye(3), atol=ORTHONORMAL_TOL) and np.linalg.det(R) > 0.0
    return bool(straight and np.array_equal(pose[3], [0.0, 0.0, 0.0, 1.0]))


def _weight(frame: AnyFrame, count: int, given: ArrayLike | None) -> Array:
    """Weights of the numbers of what is missing."""
    found = np.ones(count)
    if given is None:
        return found
    try:
        own = real_numbers(given)
    except (TypeError, ValueError):
        own = np.array(np.nan)
    good = own.shape in ((), found.shape) and np.isfinite(own).all() and (own >= 0.0).all()
    if not good or not np.any(own):
        raise ModelError(
            f"the weight of {str(frame)!r} must be a number, or {len(found)} of them, not negative "
            f"and not all zero; got {show(given)}"
        )
    return np.asarray(found * own)
