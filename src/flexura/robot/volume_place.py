"""Places on volumes: points inside, sets of nodes, surfaces."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexura.errors import UnknownName
from flexura.robot.check import BadField, assign, bad, name, vector3
from flexura.robot.mesh import EDGES, OUTSIDE, Mesh, check_closed
from flexura.robot.volume import Volume
from flexura.typing import Array, ArrayLike, Indices, frozen

# Points may be this far outside, relative to the size of the mesh: where robots are round, meshes
# are flat. They go with the nearest element, as if it went on.
BESIDE = 0.01


@dataclass(frozen=True)
class On:
    """A point of a volume.

    Attributes:
        volume: Name of the volume.
        point: Where it is at rest, as in the mesh [m].
    """

    volume: str
    point: ArrayLike

    def __post_init__(self) -> None:
        assign(
            self,
            volume=name("On", "volume", self.volume),
            point=vector3("On", "point", self.point),
        )

    def __str__(self) -> str:
        x, y, z = np.asarray(self.point, dtype=np.float64).tolist()
        return f"{self.volume}({x:.6g}, {y:.6g}, {z:.6g})"


@dataclass(frozen=True)
class Nodes:
    """Nodes of a volume: one of these says which.

    Attributes:
        volume: Name of the volume.
        box: Those in a box, by its lowest and highest corner [m].
        indices: By their numbers, from 0.
        surface: Those of a named surface.
    """

    volume: str
    box: Any = None
    indices: Any = None
    surface: str | None = None

    def __post_init__(self) -> None:
        assign(self, volume=name("Nodes", "volume", self.volume))
        who = f"Nodes of {self.volume!r}"
        given = [x for x in ("box", "indices", "surface") if getattr(self, x) is not None]
        if len(given) != 1:
            got = ", ".join(given) or "none"
            raise BadField(
                f"{who}: exactly one of box, indices and surface must be given, got {got}; write "
                "for example Nodes('finger', box=((0, 0, 0), (0.01, 0.02, 0.02)))",
                "box",
            )
        if self.box is not None:
            assign(self, box=_box(who, self.box))
        elif self.indices is not None:
            assign(self, indices=_indices(who, self.indices))
        else:
            assign(self, surface=name(who, "surface", self.surface))

    def __str__(self) -> str:
        if self.surface is not None:
            return f"{self.volume}:{self.surface}"
        return f"nodes of {self.volume}"

    def find(self, volume: Volume) -> Indices:
        """Numbers of the nodes in the volume, ascending, (n,).

        Raises:
            BadField: if there are none.
        """
        who = f"Nodes of {self.volume!r}"
        x, _ = volume.elements()
        mesh: Mesh = volume.mesh
        if self.indices is not None:
            found = np.array(self.indices, dtype=np.int64)
            if found.max() >= len(x):
                allowed = f"from 0 to {len(x) - 1}"
                raise bad(who, "indices", allowed, int(found.max()), "count the nodes from 0")
            return frozen(np.unique(found))
        if self.surface is not None:
            names = ["boundary", *mesh.surfaces]
            if self.surface not in names:
                raise BadField(f"{who}: {UnknownName('surface', self.surface, names)}", "surface")
            return frozen(surface_nodes(volume, self.surface))
        lo, hi = np.array(self.box)
        near = OUTSIDE * mesh.size
        found = np.flatnonzero(((x >= lo - near) & (x <= hi + near)).all(axis=1))
        if not len(found):
            least, most = x.min(axis=0).tolist(), x.max(axis=0).tolist()
            allowed = "a box that holds nodes"
            remedy = f"the nodes lie between {least} and {most} m"
            raise bad(who, "box", allowed, self.box, remedy)
        return frozen(found)


def surface_nodes(volume: Volume, surface: str) -> Indices:
    """Nodes of a named surface, those in the middles of its edges too."""
    mesh: Mesh = volume.mesh
    corners = mesh.surface(f"Volume {volume.name!r}", surface)
    _, cells = volume.elements()
    if cells.shape[1] == 4:
        return np.unique(corners)
    return np.unique(faces_of_six(mesh, cells, corners))


def faces_of_six(mesh: Mesh, cells: Indices, corners: Indices) -> Indices:
    """Triangles of the boundary with the nodes in the middles of 01, 12, 20, (k, 6)."""
    middle: dict[tuple[int, ...], int] = {}
    for column, (a, b) in enumerate(EDGES.tolist()):
        ends = np.sort(cells[:, [a, b]], axis=1).tolist()
        middle.update(zip(map(tuple, ends), cells[:, 4 + column].tolist(), strict=True))
    rows = [
        [*face, *(middle[tuple(sorted((face[i], face[(i + 1) % 3])))] for i in range(3))]
        for face in corners.tolist()
    ]
    return np.array(rows, dtype=np.int64).reshape(-1, 6)


def _box(who: str, value: object) -> tuple[tuple[float, ...], ...]:
    """Lowest and highest corner."""
    entries = value.tolist() if isinstance(value, np.ndarray) else value
    if not isinstance(entries, list | tuple) or len(entries) != 2:
        remedy = "write box=((x, y, z), (x, y, z)): the lowest and the highest corner"
        raise bad(who, "box", "two corners", value, remedy)
    lo, hi = (vector3(who, f"box[{i}]", corner) for i, corner in enumerate(entries))
    if any(a > b for a, b in zip(lo, hi, strict=True)):
        remedy = "give the lowest corner first, then the highest"
        raise bad(who, "box", "a lowest and a highest corner", value, remedy)
    return lo, hi


def _indices(who: str, value: object) -> tuple[int, ...]:
    """Whole numbers from zero on, at least one."""
    found = np.asarray(value)
    if found.ndim != 1 or not len(found) or found.dtype.kind not in "iu" or found.min() < 0:
        allowed = "a nonempty list of whole numbers from 0 on"
        raise bad(who, "indices", allowed, value, "count the nodes from 0")
    return tuple(found.tolist())


def find_volume(who: str, field: str, volume: str, volumes: Mapping[str, Volume]) -> Volume:
    """The volume of that name."""
    if volume not in volumes:
        raise BadField(f"{who}: {UnknownName('volume', volume, volumes)}", field)
    return volumes[volume]


def place_on(who: str, field: str, volume: Volume, wanted: ArrayLike) -> tuple[Indices, Array]:
    """Nodes and weights of points of a volume, (n, k) both, k nodes of an element; as below."""
    nodes, inside = find_on(who, field, volume, wanted)
    return nodes, shape_values(inside, nodes.shape[1])


def find_on(who: str, field: str, volume: Volume, wanted: ArrayLike) -> tuple[Indices, Array]:
    """Nodes of the elements that points are in, (n, k), and barycentric coordinates, (n, 4).

    Raises:
        BadField: for a point outside of the volume, more than ``BESIDE``, with the distance.
    """
    mesh: Mesh = volume.mesh
    at = np.asarray(wanted, dtype=np.float64).reshape(-1, 3)
    cell, inside, outside = mesh.find(at)
    if (outside > BESIDE * mesh.size).any():
        i = int(np.argmax(outside))
        allowed = f"inside volume {volume.name!r}"
        remedy = f"it is {outside[i]:.4g} m outside: give points where the mesh is at rest"
        raise bad(who, field, allowed, at[i].tolist(), remedy)
    _, cells = volume.elements()
    return cells[cell], inside


def shape_values(weights: Array, nodes: int) -> Array:
    """Shape functions of tetrahedra of four or ten nodes at barycentric coordinates, (n, k)."""
    if nodes == 4:
        return weights
    middles = 4.0 * weights[:, EDGES[:, 0]] * weights[:, EDGES[:, 1]]
    return np.concatenate([weights * (2.0 * weights - 1.0), middles], axis=1)


def check_surface(who: str, volume: Volume, surface: str) -> Indices:
    """Triangles of a closed surface of a volume, turned to the left from outside, (k, 3 or 6)."""
    mesh: Mesh = volume.mesh
    names = ["boundary", *mesh.surfaces]
    if surface not in names:
        raise BadField(f"{who}: {UnknownName('surface', surface, names)}", "surface")
    corners = mesh.surface(who, surface)
    check_closed(who, "surface", corners)
    _, cells = volume.elements()
    return corners if cells.shape[1] == 4 else faces_of_six(mesh, cells, corners)
