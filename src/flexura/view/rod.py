"""The surface of a rod: its cross-section swept along its poses."""

import math
from dataclasses import dataclass

import numpy as np

from flexura.robot import Rectangle, Robot, Rod, Tube
from flexura.robot.section import Circle, UniformSection
from flexura.typing import Array, Indices, Pose
from flexura.view.primitive import Surface

STATIONS = 200
AROUND = 40  # points around a circle
FEW = 12  # points around one that is hardly thicker than the thinnest that can be seen
SLIM = 2.0  # how much thicker
JUMP = 1e-9  # distance of the two stations at a jump, relative to the length


@dataclass(frozen=True, eq=False)
class Ring:
    """A closed outline in the y-z plane, counterclockwise from +x.

    Attributes:
        points: (k, 2).
        normals: (k, 2); at a corner two points with a normal each.
        sides: pairs of points with a face between them, (m, 2).
    """

    points: Array
    normals: Array
    sides: Indices


def stations(robot: Robot, rod: Rod, count: int = STATIONS) -> Array:
    """Arc lengths to draw a rod at [m]: evenly spaced, and both sides of each jump."""
    gap = JUMP * rod.length
    jumps = [s + side for s in robot.jumps(rod.name) for side in (-gap, gap)]
    return np.unique(np.concatenate([np.linspace(0.0, rod.length, count), jumps]))


def rod_surface(
    rod: Rod,
    s: Array,
    poses: Pose,
    least: float = 0.0,
    values: Array | None = None,
    color: str | None = None,
    opacity: float = 1.0,
) -> Surface:
    """The surface of a rod at its poses.

    Args:
        rod: the description.
        s: arc lengths [m], (n,).
        poses: poses of the rod there, (n, 4, 4).
        least: least half width to draw [m]; each side of the section is widened to it.
        values: what to colour the rod by at s, (n,).
        color: its own where there are no values.
        opacity: from 0 to 1.
    """
    half, bore = _sizes(rod, s, least)
    ring = SQUARE if isinstance(rod.section_at(0.0), Rectangle) else ROUND
    if ring is ROUND and half.max() < SLIM * least:
        ring = SLENDER
    patches = [_side(ring, poses, half)]
    if bore.any():
        patches.append(_side(ring, poses, half * bore[:, None], inwards=True))
    patches += [_cap(ring, poses, half, bore, end) for end in (0, len(s) - 1)]
    return _join(rod.name, patches, values, color, opacity)


def _sizes(rod: Rod, s: Array, least: float) -> tuple[Array, Array]:
    """Half widths along y and z [m] at arc lengths, (n, 2), and bores relative to them, (n,)."""
    uniform = isinstance(rod.section, UniformSection)
    sections = [rod.section_at(x) for x in (s[:1] if uniform else s)]
    half = np.maximum([half_widths(section) for section in sections], least)
    bore = np.array([_bore(section) for section in sections])
    return np.broadcast_to(half, (len(s), 2)), np.broadcast_to(bore, len(s))


def disc(name: str, pose: Pose, radius: float, begin: float, end: float) -> Surface:
    """A round plate about the x axis of a pose, from x = begin to x = end."""
    return plate(name, pose, hull(np.zeros((1, 2)), radius), begin, end)


def plate(name: str, pose: Pose, ring: Ring, begin: float, end: float) -> Surface:
    """A plate with an outline in the y-z plane of a pose, from x = begin to x = end.

    Every point of the outline must be visible from the origin of the pose.
    """
    poses = np.tile(pose, (2, 1, 1))
    poses[:, :3, 3] += np.outer((begin, end), pose[:3, 0])
    half, bore = np.ones((2, 2)), np.zeros(2)
    caps = [_cap(ring, poses, half, bore, i) for i in (0, 1)]
    return _join(name, [_side(ring, poses, half), *caps])


def half_widths(section: UniformSection) -> tuple[float, float]:
    """Half of the size of a section along y and z [m].

    A section known by its constants only is taken as the circle of the same area.
    """
    if isinstance(section, Rectangle):
        return section.width / 2.0, section.height / 2.0
    if isinstance(section, Circle):
        return section.radius, section.radius
    if isinstance(section, Tube):
        return section.outer, section.outer
    radius = math.sqrt(section.area / math.pi)
    return radius, radius


def _bore(section: UniformSection) -> float:
    """Radius of the hole of a section, relative to the outer radius."""
    return section.inner / section.outer if isinstance(section, Tube) else 0.0


def hull(corners: Array, rim: float, around: int = AROUND) -> Ring:
    """The convex outline around points (n, 2), with a rim that rounds its corners.

    Outwards along n it reaches as far as the corner farthest that way, and the rim.
    """
    angle = np.linspace(0.0, 2.0 * np.pi, around, endpoint=False)
    normals = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    farthest = corners[(normals @ corners.T).argmax(axis=1)]
    index = np.arange(around)
    sides = np.stack([index, (index + 1) % around], axis=1)
    return Ring(farthest + rim * normals, normals, sides)


def _square() -> Ring:
    corners = np.array([[1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0]])
    normals = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    points = np.stack([corners, np.roll(corners, -1, axis=0)], axis=1).reshape(-1, 2)
    return Ring(points, np.repeat(normals, 2, axis=0), np.arange(8).reshape(4, 2))


ROUND = hull(np.zeros((1, 2)), 1.0)
SLENDER = hull(np.zeros((1, 2)), 1.0, FEW)
SQUARE = _square()


@dataclass(frozen=True, eq=False)
class _Patch:
    """A part of a surface, with the station of each of its points."""

    points: Array
    normals: Array
    triangles: Indices
    station: Indices


def _side(ring: Ring, poses: Pose, half: Array, inwards: bool = False) -> _Patch:
    """The outline swept along the poses."""
    n, k = len(poses), len(ring.points)
    points = _place(poses, ring.points[None] * half[:, None])
    normals = np.einsum("nij,kj->nki", poses[:, :3, 1:3], ring.normals)
    a, b = ring.sides.T
    row = k * np.arange(n - 1)[:, None]
    corners = np.stack([row + a, row + b, row + b + k, row + a + k], axis=-1).reshape(-1, 4)
    triangles = np.concatenate([corners[:, [0, 1, 2]], corners[:, [0, 2, 3]]])
    if inwards:
        normals, triangles = -normals, triangles[:, ::-1]
    return _Patch(points.reshape(-1, 3), normals.reshape(-1, 3), triangles, np.arange(n).repeat(k))


def _cap(ring: Ring, poses: Pose, half: Array, bore: Array, end: int) -> _Patch:
    """The face of the section at one end, open in the middle where there is a bore."""
    k = len(ring.points)
    outline = ring.points * half[end]
    flat = np.concatenate([outline, outline * bore[end]])
    points = _place(poses[end : end + 1], flat[None])[0]
    a, b = ring.sides.T
    triangles = np.concatenate(
        [np.stack([a + k, a, b], axis=1), np.stack([a + k, b, b + k], axis=1)]
    )
    normal = poses[end, :3, 0]
    if end == 0:
        normal, triangles = -normal, triangles[:, ::-1]
    return _Patch(points, np.tile(normal, (2 * k, 1)), triangles, np.full(2 * k, end))


def _place(poses: Pose, flat: Array) -> Array:
    """Points (n, k, 2) of the y-z planes of n poses in the world, (n, k, 3)."""
    offsets = np.einsum("nij,nkj->nki", poses[:, :3, 1:3], flat)
    return np.asarray(poses[:, None, :3, 3] + offsets)


def _join(
    name: str,
    patches: list[_Patch],
    values: Array | None = None,
    color: str | None = None,
    opacity: float = 1.0,
) -> Surface:
    """One surface of several patches."""
    begins = np.cumsum([0, *(len(patch.points) for patch in patches)])
    triangles = [patch.triangles + i for patch, i in zip(patches, begins, strict=False)]
    station = np.concatenate([patch.station for patch in patches])
    return Surface(
        name,
        np.concatenate([patch.points for patch in patches]),
        np.concatenate([patch.normals for patch in patches]),
        np.concatenate(triangles),
        None if values is None else values[station],
        color,
        opacity,
    )
