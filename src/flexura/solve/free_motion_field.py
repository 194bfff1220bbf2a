"""Velocities of all parts of a robot in motions of its unknowns, and motions that have names.

The motions that nothing resists span a space; which of its vectors a solver finds first depends on
the description. So those are looked for that can be named in any of them: a part that moves
rigidly or a rod that turns about its own axis, all parts that move rigidly, all that turn as a
shape. What is left moves few unknowns each.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from flexura.lie import so3
from flexura.model.assemble import Assembly
from flexura.model.frame import Frame, find_frame
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.model.state import State
from flexura.robot import On
from flexura.typing import Array, Indices, Matrix, Pose

# Places along each rod that are looked at, relative to its length; elements of volumes likewise.
LOOKED_AT = np.linspace(0.0, 1.0, 5)
# How far to go for a velocity [rad], or relative to the length.
SHORT = 1e-5
# Unknowns that move by no more than this part of the one that moves most rest.
ROUNDING = 1e-9
# Velocities that differ by no more than this part of the largest are alike; below it there is none.
ALIKE = 1e-3
# Of motions that are all but parallel, one is enough: the sine of the angle between them.
PARALLEL = 1e-2


@dataclass(frozen=True, eq=False)
class Field:
    """Velocities of places along all rods, of all bodies and in volumes in some motions.

    Attributes:
        parts: the name of each part, and where its places are among all.
        rods: which of them are rods.
        place: positions, (m, 3) [m].
        axis: direction of the rod there, (m, 3).
        velocity: rotations [rad], translations over the length, for each motion, (k, m, 6).
        joints: velocities of the joints that move freely, likewise, (k, n, 6).
        pins: where these joints are, (n, 3) [m].
    """

    parts: dict[str, slice]
    rods: tuple[str, ...]
    place: Array
    axis: Array
    velocity: Array
    joints: Array
    pins: Array

    @classmethod
    def of(cls, assembly: Assembly, state: State, inputs: Inputs, motions: Matrix) -> "Field":
        """The velocities in motions, columns of (n_dof, k), from a state."""
        model, layout = assembly.model, assembly.layout
        assembly.evaluate_residual(state, inputs)
        here, joints = assembly.nodes.copy(), model.joints
        first = _poses(model, state, here, {})
        begin, x = np.concatenate(list(first.values())), joints.motion(assembly.nodes)
        pins = assembly.nodes[joints.nodes[:, 1]] @ joints.offset[:, 1]
        unit = np.repeat([1.0, model.length], 3)
        velocity, turning = [], []
        for motion in motions.T:
            size = np.where(layout.multiplier, 0.0, np.abs(motion))
            moves = np.where(size > ROUNDING * size.max(initial=0.0), SHORT * motion, 0.0)
            moved = layout.retract(state, moves, np.zeros_like(state.multipliers))
            assembly.evaluate_residual(moved, inputs)
            rest = {x: first[x] for x in _resting(model, state, here, moved, assembly.nodes)}
            end = np.concatenate(list(_poses(model, moved, assembly.nodes, rest).values()))
            velocity.append(_difference(begin, end) / unit / SHORT)
            turning.append((joints.motion(assembly.nodes) - x) / unit / SHORT)
        ends = np.cumsum([0, *map(len, first.values())]).tolist()
        return cls(
            {name: slice(a, b) for name, a, b in zip(first, ends, ends[1:], strict=False)},
            tuple(first)[: len(model.places)],
            layout.in_world(begin)[:, :3, 3],
            begin[:, :3, 0],
            np.array(velocity).reshape(len(velocity), len(begin), 6),
            np.array(turning).reshape(len(turning), len(x), 6),
            layout.in_world(pins)[:, :3, 3],
        )

    def combined(self, motion: Array) -> "Field":
        """The one motion that is a sum of these, its largest velocity 1."""
        own = np.flatnonzero(motion)
        found = (np.tensordot(motion[own], x[own], 1) for x in (self.velocity, self.joints))
        velocity, joints = found
        size = np.abs(velocity).max(initial=0.0) or 1.0
        return replace(self, velocity=velocity[None] / size, joints=joints[None] / size)

    @property
    def moving(self) -> list[str]:
        """Parts that move in any of the motions."""
        size = np.abs(self.velocity).max(axis=(0, 2), initial=0.0)
        return [name for name, own in self.parts.items() if size[own].max() > ALIKE * size.max()]

    def rigid(self, length: float) -> Array:
        """Velocities of all in six rigid motions, about and along x, y, z, (6, m, 6)."""
        found = np.zeros((6, len(self.place), 6))
        arm = (self.place - self.place.mean(axis=0)) / length
        for i in range(3):
            found[i, :, i] = found[3 + i, :, 3 + i] = 1.0
            found[i, :, 3:] = np.cross(np.eye(3)[i], arm)
        return found

    @property
    def spins(self) -> Array:
        """Velocities where rods turn about their own axes, (1, m, 6)."""
        return np.concatenate([self.axis, np.zeros_like(self.axis)], axis=1)[None]


def named_motions(field: Field, length: float) -> Matrix:
    """Sums of the motions of a field that have names, and others until all are there, (k, k)."""
    k = len(field.velocity)
    found, basis, n = np.zeros((k, k)), np.zeros((k, k)), 0
    for motion in chain(*(_named(field, *own, length) for own in _apart(field)), np.eye(k)):
        if n == k:
            break
        own = rest = motion / np.linalg.norm(motion)
        for _ in range(2):
            rest = rest - (basis[:n] @ rest) @ basis[:n]
        if (size := np.linalg.norm(rest)) > PARALLEL:
            found[n], basis[n], n = own, rest / size, n + 1
    return found[:n]


def _apart(field: Field) -> list[tuple[set[str], list[int]]]:
    """Motions that move the same parts, one after the other, together, and these parts."""
    sizes = np.abs(field.velocity).max(axis=2, initial=0.0)
    moved = [sizes[:, own].max(axis=1, initial=0.0) for own in field.parts.values()]
    names, groups = list(field.parts), list[tuple[set[str], list[int]]]()
    for i, size in enumerate(np.array(moved).reshape(len(names), -1).T):
        parts, own = {names[j] for j in np.flatnonzero(size > ALIKE * size.max())}, [i]
        for group in [group for group in groups if group[0] & parts]:
            groups.remove(group)
            parts, own = parts | group[0], [*group[1], *own]
        groups.append((parts, own))
    return groups


def _named(field: Field, moved: set[str], own: list[int], length: float) -> Iterator[Array]:
    """Sums of some motions in which single parts or all of them move as names tell, (k,)."""
    k, velocity = len(field.velocity), field.velocity[own]
    parts = [name for name in field.parts if name in moved]
    if not parts:
        return
    rigid, shapes = field.rigid(length), _Shapes.of(velocity)
    every = np.concatenate([np.arange(len(field.place))[field.parts[name]] for name in parts])
    alike = [shapes.like(rigid, field.parts[name]) for name in parts]
    alike += [shapes.like(field.spins, field.parts[name]) for name in parts if name in field.rods]
    alike.append(shapes.like(rigid, every))
    alike.append(_Shapes.of(velocity[:, :, 3:]).like(rigid[:, :, 3:], every))
    for motion in np.concatenate(alike):
        found = np.zeros(k)
        found[own] = motion
        yield found


@dataclass(frozen=True, eq=False)
class _Shapes:
    """Velocities of all places in some motions.

    Attributes:
        motions: one a row, (k, m, n).
        basis: orthonormal rows that span the same, (r, m, n).
    """

    motions: Array
    basis: Array

    @classmethod
    def of(cls, velocity: Array) -> "_Shapes":
        """Those of a field, (k, m, n)."""
        rows = _basis(velocity.reshape(len(velocity), -1))
        return cls(velocity, rows.reshape(len(rows), *velocity.shape[1:]))

    def like(self, targets: Array, own: slice | Indices) -> Matrix:
        """Sums of the motions in which some places move as targets do, and others rest, (l, k).

        Of all that span the same, those with one target each, as far as possible.

        Args:
            targets: velocities of all places, (t, m, n).
            own: which places.
        """
        if not len(self.basis):
            return np.zeros((0, len(self.motions)))
        here, there = (rows[:, own].reshape(len(rows), -1) for rows in (self.basis, targets))
        turn, cosine, _ = np.linalg.svd(here @ _basis(there).T, full_matrices=False)
        shared = turn[:, cosine > 1.0 - 0.5 * ALIKE**2].T @ here
        if not len(shared):
            return np.zeros((0, len(self.motions)))
        parts = _reduced(_sums(there, shared)) @ there
        wanted = np.zeros((len(parts), *self.basis.shape[1:]))
        wanted[:, own] = parts.reshape(wanted[:, own].shape)
        return _sums(self.motions.reshape(len(self.motions), -1), wanted.reshape(len(parts), -1))


def _sums(rows: Matrix, wanted: Matrix) -> Matrix:
    """What it takes of each row to make those that are wanted, (n_wanted, n_rows)."""
    return np.asarray(np.linalg.lstsq(rows.T, wanted.T, rcond=None)[0].T, dtype=np.float64)


def _basis(rows: Matrix) -> Matrix:
    """Orthonormal rows that span the same."""
    _, size, basis = np.linalg.svd(rows, full_matrices=False)
    return np.asarray(basis[size > ALIKE * size.max(initial=0.0)])


def _reduced(rows: Matrix) -> Matrix:
    """The same span in reduced echelon form."""
    rest, done = rows.copy(), 0
    for column in range(rest.shape[1]):
        if done == len(rest):
            break
        pivot = done + int(np.abs(rest[done:, column]).argmax())
        if abs(rest[pivot, column]) <= ALIKE * np.abs(rows).max():
            continue
        rest[[done, pivot]] = rest[[pivot, done]]
        rest[done] /= rest[done, column]
        others = np.arange(len(rest)) != done
        rest[others] -= np.outer(rest[others, column], rest[done])
        done += 1
    return rest[:done]


def _resting(model: Model, state: State, nodes: Pose, moved: State, after: Pose) -> Iterator[str]:
    """Rods that rest where a robot has moved, with its nodes, from a state to another one."""
    changed, rests = (nodes != after).any(axis=(1, 2)), list[Array]()
    for i, part in enumerate(model.parts):
        own = (model.inner(state, i) != model.inner(moved, i)).any(axis=1) | changed[part.nodes]
        rests.append(~np.logical_or.reduceat(own, part.group.rod_nodes[:-1]))
    for name, place in model.places.items():
        if rests[place.part][place.index]:
            yield f"rod {name!r}"


def _poses(model: Model, state: State, nodes: Pose, known: Mapping[str, Pose]) -> dict[str, Pose]:
    """Poses along every rod, of every body, and of elements of every piece of a volume.

    Args:
        model: the robot.
        state: its unknowns.
        nodes: poses of its nodes.
        known: poses along rods that are known already.
    """
    found = {}
    inner = [model.inner(state, i) for i in range(len(model.parts))]
    for name, place in model.places.items():
        rod = f"rod {name!r}"
        if rod in known:
            found[rod] = known[rod]
            continue
        part, s = model.parts[place.part], LOOKED_AT * place.rod.length
        own = nodes[part.nodes], inner[place.part], place.index
        found[rod] = part.group.shape(*own, s)[0]
    for body in model.robot.bodies:
        found[f"body {body.name!r}"] = nodes[model.frames[body.name]][None]
    for name, points in model.once(_in_volumes).items():
        found[name] = np.array([frame.pose(model, nodes, state) for frame in points])
    return found


def _in_volumes(model: Model) -> dict[str, list[Frame]]:
    """Frames in the pieces of all volumes, by what the pieces are called."""
    found = {}
    for volume in model.robot.volumes:
        mesh = volume.elements
        for i, piece in enumerate(mesh.pieces):
            name = f"volume {volume.name!r}"
            some = piece[(LOOKED_AT * (len(piece) - 1)).astype(np.int64)]
            middles = mesh.points[mesh.corners[some]].mean(axis=1)
            frames = [find_frame(model, On(volume.name, middle)) for middle in middles]
            found[name if len(mesh.pieces) == 1 else f"piece {i} of {name}"] = frames
    return found


def _difference(a: Pose, b: Pose) -> Array:
    """Rotations and translations from poses to others, in world axes, (m, 6)."""
    turn = so3.log(b[:, :3, :3] @ a[:, :3, :3].swapaxes(1, 2))
    return np.concatenate([turn, b[:, :3, 3] - a[:, :3, 3]], axis=1)
