"""What moves in a free motion, and how, in words."""

import numpy as np

from flexura.model.model import Model
from flexura.solve.free_motion_field import ALIKE, Field
from flexura.text import FEW, few
from flexura.typing import Array, Vector


def motion_name(model: Model, field: Field) -> str:
    """What moves in the one motion of a field, and how."""
    moved = field.moving
    if not moved:
        return "something inside a rod moves freely"
    who = _listed(moved)
    joints = _moving_joints(model, field)
    names = few(map(repr, joints))
    inside = f", in joint{'s' * (len(joints) > 1)} {names}" if joints else ""
    return f"{who} {_manner(model, field, moved, joints)}{inside}"


def _listed(parts: list[str]) -> str:
    """Names of parts; of many, the first ones and how many more there are."""
    if len(parts) > FEW:
        return f"{', '.join(parts[: FEW - 1])} and {len(parts) - FEW + 1} more parts"
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def _manner(model: Model, field: Field, moved: list[str], joints: dict[str, Vector]) -> str:
    """How parts move: alike, or about their own axes, or at least their places."""
    many, length = len(moved) > 1, model.length
    s = "" if many else "s"
    own = np.concatenate([np.arange(len(field.place))[field.parts[name]] for name in moved])
    place, velocity = field.place[own], field.velocity[0, own]
    rigid = field.rigid(length)[:, own]
    twist, left = _fit(rigid, velocity)
    if left <= ALIKE:
        turn, slide = twist[:3], length * twist[3:]
        if np.abs(turn).max() <= ALIKE:
            return f"slide{s} freely along {_direction(slide)}"
        axis = _axis(turn, slide, place, field.place.mean(axis=0), length, joints)
        return f"turn{s} freely about {axis}"
    if np.abs(velocity[:, 3:]).max() <= ALIKE:
        about = "their own axes" if many else "its own axis"
        return f"turn{s} freely about {about}" if _spins(field, own) else f"move{s} freely"
    twist, left = _fit(rigid[:, :, 3:], velocity[:, 3:])
    if left <= ALIKE and np.abs(twist[:3]).max() > ALIKE:
        axis = _axis(twist[:3], length * twist[3:], place, field.place.mean(axis=0), length, joints)
        verb = "turn as shapes" if many else "turns as a shape"
        return f"{verb} freely about {axis}"
    return f"move{s} freely"


def _fit(rigid: Array, velocity: Array) -> tuple[Vector, float]:
    """The sum of rigid motions that is nearest to velocities, and what is left of these."""
    columns = rigid.reshape(6, -1).T
    twist = np.linalg.lstsq(columns, velocity.ravel(), rcond=1e-9)[0]
    left = np.abs(columns @ twist - velocity.ravel()).max()
    return np.asarray(twist, dtype=np.float64), float(left)


def _spins(field: Field, own: Array) -> bool:
    """Whether sections only turn about the axes of their rods."""
    turn = field.velocity[0, own, :3]
    return bool(np.abs(np.cross(turn, field.axis[own])).max() <= ALIKE)


def _axis(
    turn: Vector,
    slide: Vector,
    places: Array,
    origin: Vector,
    length: float,
    joints: dict[str, Vector],
) -> str:
    """The axis of a screw about an origin; whether all places, or two joints, are on it."""
    angle = float(np.linalg.norm(turn))
    unit, point = turn / angle, origin + np.cross(turn, slide) / angle**2

    def on_it(places: Array) -> bool:
        off = np.linalg.norm(np.cross(places - point, unit), axis=-1)
        return bool(off.max() <= ALIKE * length)

    if on_it(places) and len(places) > 1:
        return f"its own axis, {_direction(unit)}"
    on = {name: float(place @ unit) for name, place in joints.items() if on_it(place)}
    if on and max(on.values()) - min(on.values()) > ALIKE * length:
        return f"the line through joints {few(map(repr, on))}, {_direction(unit)}"
    point = point - unit * (unit @ (point - places[0]))
    found = f"the axis {_direction(unit)} through {_numbers(point)} m"
    pitch = float(unit @ slide) / angle
    return (
        found if abs(pitch) <= ALIKE * length else f"{found}, with {pitch:.3g} m along it per rad"
    )


def _moving_joints(model: Model, field: Field) -> dict[str, Vector]:
    """The joints that move, and where they are."""
    size = np.abs(field.joints[0]).max(axis=1, initial=0.0)
    labelled = zip(model.joints.labels, size, field.pins, strict=True)
    return {label: pin for label, x, pin in labelled if x > ALIKE}


def _direction(v: Vector) -> str:
    """A unit vector; its first number that counts is positive."""
    unit = v / np.linalg.norm(v)
    first = unit[np.abs(unit) > ALIKE][0]
    return _numbers(unit * np.sign(first))


def _numbers(v: Vector) -> str:
    """Three numbers; what is rounding is zero."""
    return "(" + ", ".join(f"{0.0 if abs(x) < ALIKE else x:.3g}" for x in v) + ")"
