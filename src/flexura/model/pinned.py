"""Rods that joints hold at their tips: they begin between their ends, turned as they will hang."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from flexura.lie import se3, so3
from flexura.model.held import Begin, Piece
from flexura.model.inputs import Inputs
from flexura.model.layout import Layout
from flexura.model.model import Model
from flexura.model.walk import BY_JOINT
from flexura.robot import Rod
from flexura.rods.between import Shape, shape_between, shape_energy
from flexura.rods.cord import Cord, aimed, cord_between
from flexura.typing import Matrix, Pose, Vector

X = np.array([1.0, 0.0, 0.0])
# Axes that turn together need a few rounds to aim.
ROUNDS = 4
# A load that has no more of it across a chord than this leaves the side to bulge to open.
SMALL = 1e-9


@dataclass(frozen=True, eq=False)
class Pin:
    """A joint at an end of a rod that nothing else holds.

    Attributes:
        joint: pose of the joint in the world.
        offset: of the rod's end in the joint, when the joint is at rest.
        free: axes of the joint that it may turn about, (k, 3).
    """

    joint: Pose
    offset: Pose
    free: Matrix

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
        motion = np.eye(4)
        motion[:3, :3] = turned
        return np.asarray(self.joint @ motion @ self.offset)


def bend_pinned(model: Model, layout: Layout, nodes: Pose, loads: Inputs, begin: Begin) -> bool:
    """Put every rod whose tip a joint holds in the world between its ends; whether any hangs.

    Args:
        model: the robot.
        layout: at the inputs of the start.
        nodes: poses of the nodes; those of such rods are no more than a guess.
        loads: inputs with the loads that will act.
        begin: where the robot begins; written to.
    """
    hangs = False
    tree = {frozenset(step[:2]) for step in layout.walk.tolist() if step[2] == BY_JOINT}
    for joint, pair in enumerate(model.joints.nodes.tolist()):
        if frozenset(pair) in tree or not model.joints.held[joint, 3:].all():
            continue
        for tip, other in (pair, pair[::-1]):
            near = _base_of(layout, tip)
            if near is not None and layout.coordinate[other] < 0 and not layout.loose[other]:
                piece = Piece.of(model, min(near, tip), max(near, tip))
                pins = {tip: _pin(model, joint, tip, nodes)}
                if (before := _joint_before(model, layout, near)) is not None:
                    pins[near] = _pin(model, before, near, nodes)
                if not piece.reaches(*(_place(pins.get(n), nodes[n]) for n in (near, tip))):
                    break
                base, tip_pose, shape = _lie(piece, pins, nodes, piece.load(model, loads))
                piece.bend(layout, base, shape, begin)
                for n, pose in ((piece.first, base), (piece.last, tip_pose)):
                    if n in pins:
                        begin.poses[layout.coordinate[n]] = pose @ se3.inverse(layout.offset[n])
                hangs |= isinstance(shape, Cord)
                break
    return hangs


def _base_of(layout: Layout, tip: int) -> int | None:
    """Where the rod begins that leads to a tip which holds nothing else; None if there is none."""
    if not _alone(layout, tip):
        return None
    rows = np.flatnonzero((layout.walk[:, 1] == tip) & (layout.walk[:, 2] != BY_JOINT))
    return int(layout.walk[rows[0], 0]) if len(rows) else None


def _joint_before(model: Model, layout: Layout, near: int) -> int | None:
    """The joint that leads to the base of a rod and to nothing else; None if there is none."""
    if not _alone(layout, near):
        return None
    for joint, pair in enumerate(model.joints.nodes.tolist()):
        if near in pair and model.joints.held[joint, 3:].all():
            return joint
    return None


def _alone(layout: Layout, node: int) -> bool:
    """Whether a node moves, and carries no other."""
    own = layout.coordinate[node]
    return bool(own >= 0 and np.count_nonzero(layout.coordinate == own) == 1)


def _pin(model: Model, joint: int, end: int, nodes: Pose) -> Pin:
    """A joint, seen from the end of a rod."""
    a, b = model.joints.nodes[joint].tolist()
    T_a, T_b = model.joints.offset[joint]
    other, here, there = (a, T_b, T_a) if end == b else (b, T_a, T_b)
    free = np.eye(3)[~model.joints.held[joint, :3]]
    return Pin(nodes[other] @ there, se3.inverse(here), free)


def _lie(
    piece: Piece, pins: Mapping[int, Pin], nodes: Pose, load: Vector
) -> tuple[Pose, Pose, Shape]:
    """How a rod may lie between its ends: poses of both, and the shape from the first on."""
    ends = piece.first, piece.last
    begin, end = (_place(pins.get(n), nodes[n]) for n in ends)
    found = []
    for directions in _directions(piece.rod, begin, end, load):
        base, tip = (
            pins[n].aim(direction) if n in pins else nodes[n]
            for n, direction in zip(ends, directions, strict=True)
        )
        relative, pull = se3.inverse(base) @ tip, base[:3, :3].T @ load
        shape = shape_between(piece.rod, relative, pull)
        found.append((shape_energy(piece.rod, relative, pull, shape), base, tip, shape))
    return min(found, key=lambda guess: guess[0])[1:]


def _place(pin: Pin | None, node: Pose) -> Vector:
    """Where an end of a rod is."""
    return np.asarray(node[:3, 3] if pin is None else (pin.joint @ pin.offset)[:3, 3])


def _directions(rod: Rod, begin: Vector, end: Vector, load: Vector) -> list[tuple[Vector, Vector]]:
    """Directions in which a rod may leave its base and arrive at its tip: a cord's, an arc's."""
    straight = np.eye(4)
    straight[:3, 3] = end - begin
    cord = cord_between(rod, straight, load)
    if cord is None:
        return [_arc(rod, end - begin, load)]
    hanging = cord.direction(0.0), cord.direction(rod.length)
    return [hanging] if cord.limp else [hanging, _arc(rod, end - begin, load)]


def _arc(rod: Rod, way: Vector, load: Vector) -> tuple[Vector, Vector]:
    """Directions at the ends of an arc that bulges along a load."""
    distance = float(np.linalg.norm(way))
    chord = way / distance if distance > 0.0 else X
    bulge = load - (load @ chord) * chord
    if np.linalg.norm(bulge) <= SMALL * np.linalg.norm(load):
        bulge = np.cross(chord, np.eye(3)[np.argmin(np.abs(chord))])
    half = _half_angle(min(1.0, distance / rod.length))
    side = math.sin(half) / np.linalg.norm(bulge) * bulge
    return math.cos(half) * chord + side, math.cos(half) * chord - side


def _half_angle(ratio: float) -> float:
    """Half the angle of an arc whose chord is a part of its length: sin(x) / x = ratio."""
    low, high = 0.0, math.pi
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if math.sin(middle) > ratio * middle else (low, middle)
    return low


def _turned(arm: Vector, axis: Vector, wanted: Vector) -> Matrix:
    """Rotation about an axis that turns an arm towards a wanted direction."""
    across = np.cross(axis, arm)
    angle = math.atan2(float(across @ wanted), float((arm - (arm @ axis) * axis) @ wanted))
    return so3.exp(angle * axis)
