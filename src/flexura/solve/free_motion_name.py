"""What moves in a free motion, and how, in words."""

from typing import NamedTuple

import numpy as np

from flexura.lie import se3, so3
from flexura.model.model import Model
from flexura.model.state import State
from flexura.typing import Array, Pose, Vector

# Places along each rod that are looked at, relative to its length.
LOOKED_AT = np.linspace(0.0, 1.0, 5)
# A part moves if it goes this far [rad], or relative to the length; all move alike if their motions
# differ by no more than this part of the largest one.
SEEN, ALIKE = 1e-5, 1e-3


class Snapshot(NamedTuple):
    """A state and the poses of all nodes there."""

    state: State
    nodes: Pose


def motion_name(model: Model, before: Snapshot, after: Snapshot) -> str:
    """What moves on the way between two states, and how."""
    begin, end = _poses(model, before), _poses(model, after)
    moved = [name for name in begin if _moves(begin[name], end[name], model.length)]
    if not moved:
        return "something inside a rod moves freely"
    a, b = (np.concatenate([poses[name] for name in moved]) for poses in (begin, end))
    many = len(moved) > 1
    who = ", ".join(moved[:-1]) + f" and {moved[-1]}" if many else moved[0]
    return f"{who} {_manner(a, b, model.length, many)}{_in_joints(model, before, after)}"


def _poses(model: Model, at: Snapshot) -> dict[str, Pose]:
    """Poses along every rod and of every body."""
    found = {}
    for name, place in model.places.items():
        part = model.parts[place.part]
        inner = model.inner(at.state, place.part)
        s = LOOKED_AT * place.rod.length
        found[f"rod {name!r}"] = part.group.shape(at.nodes[part.nodes], inner, place.index, s)[0]
    for body in model.robot.bodies:
        found[f"body {body.name!r}"] = at.nodes[model.frames[body.name]][None]
    return found


def _moves(a: Pose, b: Pose, length: float) -> bool:
    """Whether any of the poses moves."""
    twist = se3.log(se3.inverse(a) @ b)
    return bool(np.abs(twist / np.repeat([1.0, length], 3)).max() > SEEN)


def _manner(a: Pose, b: Pose, length: float, many: bool) -> str:
    """How poses move from a to b: alike, or at least their places."""
    s = "" if many else "s"
    twist = se3.log(b @ se3.inverse(a)) / np.repeat([1.0, length], 3)
    if np.abs(twist - twist[0]).max() <= ALIKE * np.abs(twist).max():
        turn, slide = twist[0, :3], twist[0, 3:] * length
        if np.linalg.norm(turn) <= ALIKE * np.abs(twist[0]).max():
            return f"slide{s} freely along {_direction(slide)}"
        return f"turn{s} freely about {_axis(turn, slide, a[:, :3, 3], length)}"
    rigid, left = _fit(a[:, :3, 3], b[:, :3, 3])
    moved = np.linalg.norm(b[:, :3, 3] - a[:, :3, 3], axis=1).max()
    if moved > SEEN * length and left <= ALIKE * moved:
        twist = se3.log(rigid)
        if np.linalg.norm(twist[:3]) > SEEN:
            axis = _axis(twist[:3], twist[3:], a[:, :3, 3], length)
            verb = "turn as shapes" if many else "turns as a shape"
            return f"{verb} freely about {axis}"
    return f"move{s} freely"


def _axis(turn: Vector, slide: Vector, places: Array, length: float) -> str:
    """The axis of a screw; whether all places are on it."""
    angle = float(np.linalg.norm(turn))
    unit, point = turn / angle, np.cross(turn, slide) / angle**2
    off = np.cross(places - point, unit)
    if np.linalg.norm(off, axis=1).max() <= ALIKE * length and len(places) > 1:
        return f"its own axis, {_direction(unit)}"
    point = point - unit * (unit @ (point - places[0]))
    found = f"the axis {_direction(unit)} through {_numbers(point)} m"
    pitch = float(unit @ slide) / angle
    return (
        found if abs(pitch) <= ALIKE * length else f"{found}, with {pitch:.3g} m along it per rad"
    )


def _fit(a: Array, b: Array) -> tuple[Pose, float]:
    """The rigid motion that best takes places a to b, and what is left."""
    middle_a, middle_b = a.mean(axis=0), b.mean(axis=0)
    rigid = np.eye(4)
    rigid[:3, :3] = so3.nearest((b - middle_b).T @ (a - middle_a))
    rigid[:3, 3] = middle_b - rigid[:3, :3] @ middle_a
    missed = a @ rigid[:3, :3].T + rigid[:3, 3] - b
    return rigid, float(np.linalg.norm(missed, axis=1).max())


def _in_joints(model: Model, before: Snapshot, after: Snapshot) -> str:
    """The joints that move."""
    joints = model.joints
    if not len(joints.nodes):
        return ""
    change = joints.motion(after.nodes) - joints.motion(before.nodes)
    size = np.abs(change / np.repeat([1.0, model.length], 3)).max(axis=1)
    names = [repr(label) for label, x in zip(joints.labels, size, strict=True) if x > SEEN]
    return f", in joint{'s' * (len(names) > 1)} {', '.join(names)}" if names else ""


def _direction(v: Vector) -> str:
    """A unit vector; its first number that counts is positive."""
    unit = v / np.linalg.norm(v)
    first = unit[np.abs(unit) > ALIKE][0]
    return _numbers(unit * np.sign(first))


def _numbers(v: Vector) -> str:
    """Three numbers; what is rounding is zero."""
    return "(" + ", ".join(f"{0.0 if abs(x) < ALIKE else x:.3g}" for x in v) + ")"
