"""Places on volumes: points inside, sets of nodes, surfaces."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from flexura.errors import UnknownName
from flexura.robot.check import BadField, assign, bad, name, vector3
from flexura.robot.frame import FrameLike
from flexura.robot.mesh import OUTSIDE
from flexura.robot.mesh_check import check_closed
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
        box: Those in a box, by its lowest and highest corner [m], or beside it by up to 1e-6 of the
            size of the mesh: a box may be a plane.
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
        x = volume.elements.points
        if self.indices is not None:
            found = np.array(self.indices, dtype=np.int64)
            if found.max() >= len(x):
                allowed = f"from 0 to {len(x) - 1}"
                raise bad(who, "indices", allowed, int(found.max()), "count the nodes from 0")
            return frozen(np.unique(found))
        if self.surface is not None:
            return frozen(np.unique(volume.surface(who, self.surface)))
        lo, hi = np.array(self.box)
        near = OUTSIDE * volume.elements.size
        found = np.flatnonzero(((x >= lo - near) & (x <= hi + near)).all(axis=1))
        if not len(found):
            least, most = x.min(axis=0).tolist(), x.max(axis=0).tolist()
            allowed = "a box that holds nodes"
            remedy = f"the nodes lie between {least} and {most} m"
            raise bad(who, "box", allowed, self.box, remedy)
        return frozen(found)


# What results tell the pose of.
AnyFrame: TypeAlias = FrameLike | On | Nodes


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
    return nodes, volume.elements.kind.functions.values(inside)


def find_on(who: str, field: str, volume: Volume, wanted: ArrayLike) -> tuple[Indices, Array]:
    """Nodes of the elements that points are in, (n, k), and barycentric coordinates, (n, 4).

    Raises:
        BadField: for a point outside of the volume, more than ``BESIDE``, with the distance.
    """
    mesh = volume.elements
    at = np.asarray(wanted, dtype=np.float64).reshape(-1, 3)
    cell, inside, outside = mesh.find(at)
    if (outside > BESIDE * mesh.size).any():
        i = int(np.argmax(outside))
        allowed = f"inside volume {volume.name!r}"
        remedy = f"it is {outside[i]:.4g} m outside: give points where the mesh is at rest"
        raise bad(who, field, allowed, at[i].tolist(), remedy)
    return mesh.cells[cell], inside


def check_surface(who: str, volume: Volume, surface: str) -> Indices:
    """Triangles of a closed surface of a volume, turned to the left from outside, (k, 3 or 6)."""
    faces = volume.surface(who, surface)
    check_closed(who, "surface", faces[:, :3])
    return faces
