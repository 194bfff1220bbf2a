"""Whether points, tetrahedra and triangles make a mesh."""

from collections.abc import Mapping, Sequence

import numpy as np

from flexura.errors import ModelError, show
from flexura.robot.check import LARGEST, BadField
from flexura.robot.mesh import Mesh, signed_volumes
from flexura.robot.tetrahedron import EDGES, FACES, KINDS, SIDES
from flexura.typing import Array, ArrayLike, Indices, frozen, real_numbers
from flexura.value import Catalog

# Elements whose volume is less than this part of that of a regular one on their longest edge are
# flat: their matrices would be rounding.
FLAT = 1e-9


def make_mesh(
    who: str,
    points: ArrayLike,
    cells: ArrayLike,
    surfaces: Mapping[str, ArrayLike] | None = None,
    path: str | None = None,
) -> Mesh:
    """A mesh, checked.

    Raises:
        BadField: for elements that are flat or inverted, nodes that belong to none, and whatever
            else is no mesh.
    """
    x, t = _points(who, points), _cells(who, cells)
    _check_used(who, x, t)
    _check_once(who, t)
    t = _oriented(who, x, t)
    _check_curved(who, x, t)
    found = {name: triangles(who, name, faces, len(x)) for name, faces in (surfaces or {}).items()}
    mesh = Mesh(frozen(x), frozen(t), Catalog(found), path)
    for name, faces in found.items():
        mesh.turned(who, name, faces)
    return mesh


def _points(who: str, value: ArrayLike) -> Array:
    """Positions of at least four nodes."""
    try:
        x = real_numbers(value)
    except (TypeError, ValueError):
        x = np.empty(0)
    good = x.ndim == 2 and x.shape[1] == 3 and len(x) >= 4 and (np.abs(x) <= LARGEST).all()
    if not good:
        raise BadField(
            f"{who}: the points of a mesh must be finite positions in metres, (n, 3) with n >= 4, "
            f"got {show(value)}; give mesh=(points, tetrahedra) or the path of a mesh file",
            "mesh",
        )
    return np.array(x)


def _cells(who: str, value: ArrayLike) -> Indices:
    """Whole numbers in rows of four or ten."""
    t = np.asarray(value)
    if t.ndim != 2 or t.shape[1] not in (4, 10) or not len(t) or t.dtype.kind not in "iu":
        raise BadField(
            f"{who}: the tetrahedra of a mesh must be rows of 4 or 10 whole numbers, the nodes of "
            f"each, got an array of {t.dtype} {t.shape}; give mesh=(points, tetrahedra)",
            "mesh",
        )
    return np.array(t, dtype=np.int64)


def triangles(who: str, name: str, value: ArrayLike, count: int) -> Indices:
    """Triangles of a surface."""
    t = np.asarray(value)
    if t.ndim != 2 or t.shape[1] != 3 or not len(t) or t.dtype.kind not in "iu":
        raise BadField(
            f"{who}: surface {name!r} must be rows of 3 whole numbers, the corners of triangles, "
            f"got an array of {t.dtype} {t.shape}",
            "surfaces",
        )
    if t.min() < 0 or t.max() >= count:
        raise BadField(
            f"{who}: surface {name!r} names node {int(t.max())}, but the nodes are 0 to "
            f"{count - 1}; count them from 0",
            "surfaces",
        )
    return frozen(np.array(t, dtype=np.int64))


def _check_used(who: str, x: Array, t: Indices) -> None:
    """Raise unless all nodes are there, each in an element, and no element has one twice."""
    if t.min() < 0 or t.max() >= len(x):
        worst = int(np.argmax((t < 0).any(axis=1) | (t >= len(x)).any(axis=1)))
        raise BadField(
            f"{who}: tetrahedron {worst} has the nodes {t[worst].tolist()}, but the nodes are 0 to "
            f"{len(x) - 1}; count them from 0",
            "mesh",
        )
    unused = np.setdiff1d(np.arange(len(x)), t)
    if len(unused):
        raise BadField(
            f"{who}: {_few('node', unused)} belong{'s' * (len(unused) == 1)} to no tetrahedron; "
            "leave out what the mesh does not use (meshio: mesh.remove_orphaned_nodes())",
            "mesh",
        )
    doubled = np.flatnonzero((np.diff(np.sort(t, axis=1), axis=1) == 0).any(axis=1))
    if len(doubled):
        raise BadField(
            f"{who}: {_few('tetrahedron', doubled)} has a node twice: {t[doubled[0]].tolist()}; "
            "repair the mesh",
            "mesh",
        )


def _oriented(who: str, x: Array, t: Indices) -> Indices:
    """The elements with positive volumes: all of them may be numbered the other way round."""
    volume = signed_volumes(x, t[:, :4])
    edges = x[t[:, EDGES]]
    longest = np.linalg.norm(edges[:, :, 0] - edges[:, :, 1], axis=2).max(axis=1)
    flat = np.flatnonzero(np.abs(volume) <= FLAT * longest**3 / (6.0 * np.sqrt(2.0)))
    if len(flat):
        raise BadField(
            f"{who}: {_few('tetrahedron', flat)} is flat: the nodes {t[flat[0]].tolist()} lie in "
            "a plane; repair the mesh",
            "mesh",
        )
    if (volume < 0.0).all():
        return np.ascontiguousarray(t[:, KINDS[t.shape[1]].mirrored])
    inverted = np.flatnonzero(volume < 0.0)
    if len(inverted):
        raise BadField(
            f"{who}: {_few('tetrahedron', inverted)} is inverted, while others are not: the nodes "
            f"{t[inverted[0]].tolist()}; repair the mesh, or exchange two nodes of such elements "
            "if only their numbering is at fault",
            "mesh",
        )
    return t


def _check_curved(who: str, x: Array, t: Indices) -> None:
    """Raise where nodes in the middles of edges are so far off that elements are inverted."""
    kind, straight = KINDS[t.shape[1]], 6.0 * signed_volumes(x, t[:, :4])[:, None]
    at, nodes = (
        np.linalg.det(np.einsum("mki,qkj->mqij", x[t], kind.functions.slopes(w))) / straight
        for w in (kind.rule.at, kind.nodes)
    )
    # a corner may be flat, where edges go on in their direction
    inverted = np.flatnonzero((at <= FLAT).any(axis=1) | (nodes < -FLAT).any(axis=1))
    if len(inverted):
        raise BadField(
            f"{who}: {_few('tetrahedron', inverted)} is inverted in places: nodes in the middles "
            f"of edges are too far off, of the nodes {t[inverted[0]].tolist()}; move them closer "
            "to the middles, or leave them out and give quadratic=True",
            "mesh",
        )


def _check_once(who: str, t: Indices) -> None:
    """Raise where tetrahedra are there twice, or where more than two share a face."""
    _, first, count = np.unique(
        np.sort(t[:, :4], axis=1), axis=0, return_index=True, return_counts=True
    )
    doubled = np.sort(first[count > 1])
    if len(doubled):
        raise BadField(
            f"{who}: {_few('tetrahedron', doubled)} is there twice, between the nodes "
            f"{t[doubled[0], :4].tolist()}; leave out what is repeated",
            "mesh",
        )
    faces = t[:, FACES].reshape(-1, 3)
    _, first, count = np.unique(
        np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True
    )
    if count.max() > 2:
        face = faces[first[np.argmax(count)]].tolist()
        raise BadField(
            f"{who}: {count.max()} tetrahedra share the face between the nodes {face}: some lie in "
            "one another; repair the mesh",
            "mesh",
        )


def _few(kind: str, numbers: Indices) -> str:
    """The numbers of some elements or nodes, not too many."""
    if len(numbers) == 1:
        return f"{kind} {int(numbers[0])}"
    more = ", ..." if len(numbers) > 4 else ""
    plural = "tetrahedra" if kind == "tetrahedron" else f"{kind}s"
    return f"each of {plural} {', '.join(map(str, numbers[:4].tolist()))}{more} ({len(numbers)})"


def check_closed(who: str, field: str, faces: Indices) -> None:
    """Raise unless triangles close a surface: every edge is passed once in each direction."""
    edges, count = faces[:, SIDES].reshape(-1, 2), int(faces.max()) + 1
    there, back = (np.unique(edges @ way) for way in ([count, 1], [1, count]))
    open_edges = np.setdiff1d(there, back)
    if len(open_edges):
        begin, end = divmod(int(open_edges[0]), count)
        raise BadField(
            f"{who}: the surface is open, with {len(open_edges)} edges of one triangle only, for "
            f"example between nodes {begin} and {end}; pressure acts on "
            "closed surfaces: the walls of a cavity, or the boundary",
            field,
        )


def check_pair(who: str, value: Sequence[object]) -> None:
    """Raise unless a mesh is given by two arrays."""
    if len(value) != 2:
        raise ModelError(f"{who}: mesh must be (points, tetrahedra), got {len(value)} entries")
