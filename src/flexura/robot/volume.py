"""Soft volumes, places on them, what holds them, and rods that are threaded through them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from flexura.errors import UnknownName
from flexura.robot.body import Body
from flexura.robot.check import (
    BadField,
    assign,
    bad,
    flag,
    instance,
    name,
    nonnegative,
    part_name,
    positive,
    vector,
    vector3,
)
from flexura.robot.frame import FrameLike, anchor_of, frame_like, points
from flexura.robot.material import Material
from flexura.robot.mesh import (
    EDGES,
    OUTSIDE,
    Mesh,
    check_closed,
    check_pair,
    make_mesh,
    quadratic,
)
from flexura.robot.mesh_file import read_mesh
from flexura.robot.rod import Rod
from flexura.typing import Array, ArrayLike, Indices, frozen

Law: TypeAlias = Literal["corotational", "saint-venant-kirchhoff", "neo-hookean"]
LAWS: tuple[str, ...] = get_args(Law)
# Beyond this, pressure is all that is left of the forces, to the last digits.
MOST_POISSON = 0.4999999


@dataclass(frozen=True)
class Volume:
    """A soft body, described by finite elements.

    Attributes:
        name: Name of the volume.
        mesh: Path of a mesh file (all that meshio reads; surfaces are filled by gmsh), or
            (points, tetrahedra): positions [m], (n, 3), and nodes of the elements from 0, (m, 4),
            or (m, 10) for quadratic ones. Where the points are, the volume is at rest.
        material: What it is made of, with a Poisson's ratio below 0.5.
        law: "corotational": small strains, any rotation. "saint-venant-kirchhoff": linear in
            Green's strain. "neo-hookean": W = μ/2 (tr C - 3) - μ ln J + λ/2 (ln J)², for large
            strains.
        quadratic: Whether elements of four nodes get nodes in the middles of their edges: linear
            ones are far too stiff in bending, and lock where ν is near 0.5.
        size: Length of edges for gmsh [m], if the file has a surface only.
        surfaces: Named surfaces besides those of the file: triangles by their corners, (k, 3).
        damping: Rayleigh damping: of the mass [1/s], and of the stiffness [s].
    """

    name: str
    mesh: Any
    material: Material
    law: Law = "corotational"
    quadratic: bool = False
    size: float | None = None
    surfaces: Any = ()
    damping: ArrayLike = (0.0, 0.0)

    def __post_init__(self) -> None:
        assign(self, name=part_name("Volume", self.name))
        who = f"Volume {self.name!r}"
        instance(who, "material", self.material, Material)
        assign(
            self,
            law=_law(who, self.law),
            quadratic=flag(who, "quadratic", self.quadratic),
            damping=vector(who, "damping", self.damping, (2,)),
        )
        for i, value in enumerate(self.damping):  # type: ignore[arg-type]
            nonnegative(who, f"damping[{i}]", value)
        if self.size is not None:
            assign(self, size=positive(who, "size", self.size))
        poisson = self.poisson
        if not -1.0 < poisson <= MOST_POISSON:
            remedy = "nothing of a volume can be squeezed then: use 0.49 and quadratic=True"
            raise bad(who, "material.poisson", f"from -1 to {MOST_POISSON}", poisson, remedy)
        assign(self, mesh=self._mesh(who), surfaces=())

    def _mesh(self, who: str) -> Mesh:
        """The mesh, as it is used."""
        given, more = self.mesh, dict(self.surfaces or {})
        if isinstance(given, str | Path):
            mesh = read_mesh(who, str(given), self.size)
        elif isinstance(given, Mesh):
            mesh = given
        elif isinstance(given, list | tuple):
            check_pair(who, given)
            return make_mesh(who, given[0], given[1], more)
        else:
            allowed = "the path of a mesh file, or (points, tetrahedra)"
            raise bad(who, "mesh", allowed, given, "write for example mesh='finger.msh'")
        if more:
            every = {**mesh.surfaces, **more}
            return make_mesh(who, mesh.points, mesh.cells, every, mesh.path)
        return mesh

    @property
    def poisson(self) -> float:
        """Poisson's ratio, as given or E / (2 G) - 1."""
        material = self.material
        if material.poisson is not None:
            return material.poisson
        return material.young / (2.0 * material.shear_modulus) - 1.0

    @property
    def rayleigh(self) -> tuple[float, float]:
        """Damping of the mass [1/s], and of the stiffness [s]."""
        of_mass, of_stiffness = np.asarray(self.damping, dtype=np.float64).tolist()
        return of_mass, of_stiffness

    @property
    def lame(self) -> tuple[float, float]:
        """Lamé's constants λ and μ [Pa]."""
        nu, mu = self.poisson, self.material.shear_modulus
        return 2.0 * mu * nu / (1.0 - 2.0 * nu), mu

    def elements(self) -> tuple[Array, Indices]:
        """Positions of all nodes, and the nodes of all elements, also of those in the middles."""
        mesh: Mesh = self.mesh
        if self.quadratic and mesh.cells.shape[1] == 4:
            return quadratic(mesh.points, mesh.cells)
        return mesh.points, mesh.cells


def _law(who: str, value: object) -> str:
    """One of the laws of material."""
    law = name(who, "law", value)
    if law not in LAWS:
        raise BadField(f"{who}: {UnknownName('law', law, LAWS)}", "law")
    return law


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


@dataclass(frozen=True)
class Clamp:
    """Nodes of a volume that a frame holds: they move with it as if they were a part of it.

    Where the frame is on the unloaded robot, the volume is at rest.

    Attributes:
        frame: What holds them: "world", a body, an end of a rod, or a point of one.
        nodes: Which ones.
        name: Name of the clamp, if it shall have one.
    """

    frame: FrameLike
    nodes: Nodes
    name: str | None = None

    def __post_init__(self) -> None:
        instance("Clamp", "nodes", self.nodes, Nodes)
        assign(self, frame=frame_like("Clamp", "frame", self.frame))
        if self.name is not None:
            assign(self, name=name("Clamp", "name", self.name))

    @property
    def label(self) -> str:
        """The name, or one made of the frame and the volume."""
        return self.name or f"{self.frame}-{self.nodes.volume}"

    @property
    def volume(self) -> str:
        """Name of the volume."""
        return self.nodes.volume

    def check(self, rods: Mapping[str, Rod], bodies: Mapping[str, Body]) -> None:
        """Raise unless the frame exists."""
        anchor_of(self.frame, rods, bodies, f"Clamp {self.label!r}", "frame.s")

    @property
    def jumps(self) -> tuple[tuple[str, float], ...]:
        """Rod and arc length where it holds one [m]."""
        return points((self.frame,))


@dataclass(frozen=True)
class Threaded:
    """A rod that is threaded through a volume: it slides without friction, its tip is anchored.

    Attributes:
        rod: Name of the rod.
        volume: Name of the volume.
        points: Points of the volume at rest that the rod passes, from its base to its tip [m],
            (n, 3). The rod's tip is anchored at the last one, if ``anchored``.
        anchored: Whether the tip is held by the last point; else it slides through that one, too.
        name: Name of what ties them, if it shall have one.
    """

    rod: str
    volume: str
    points: Any
    anchored: bool = True
    name: str | None = None

    def __post_init__(self) -> None:
        assign(
            self,
            rod=name("Threaded", "rod", self.rod),
            volume=name("Threaded", "volume", self.volume),
        )
        assign(
            self,
            points=way_points(f"Threaded {self.label!r}", "points", self.points),
            anchored=flag(f"Threaded {self.label!r}", "anchored", self.anchored),
        )
        if self.name is not None:
            assign(self, name=name("Threaded", "name", self.name))

    @property
    def label(self) -> str:
        """The name, or one made of the rod and the volume."""
        return self.name or f"{self.rod}-{self.volume}"

    def check(self, rods: Mapping[str, Rod], bodies: Mapping[str, Body]) -> None:
        """Raise unless the rod exists."""
        if self.rod not in rods:
            raise BadField(f"Threaded {self.label!r}: {UnknownName('rod', self.rod, rods)}", "rod")

    @property
    def jumps(self) -> tuple[tuple[str, float], ...]:
        """Where it slides, it moves: no place of the rod is special."""
        return ()


def way_points(who: str, field: str, value: object) -> tuple[tuple[float, ...], ...]:
    """Points that something passes, at least one."""
    entries = value.tolist() if isinstance(value, np.ndarray) else value
    if not isinstance(entries, list | tuple) or not entries:
        raise bad(who, field, "a nonempty list of points", value, "write [(x, y, z), ...]")
    return tuple(vector3(who, f"{field}[{i}]", entry) for i, entry in enumerate(entries))


def find_volume(who: str, field: str, volume: str, volumes: Mapping[str, Volume]) -> Volume:
    """The volume of that name."""
    if volume not in volumes:
        raise BadField(f"{who}: {UnknownName('volume', volume, volumes)}", field)
    return volumes[volume]


def place_on(who: str, field: str, volume: Volume, wanted: ArrayLike) -> tuple[Indices, Array]:
    """Nodes and weights of points of a volume, (n, k) both, k nodes of an element.

    Raises:
        BadField: for a point outside of it, with the distance.
    """
    mesh: Mesh = volume.mesh
    at = np.asarray(wanted, dtype=np.float64).reshape(-1, 3)
    cell, weights, outside = mesh.find(at)
    if (outside > OUTSIDE * mesh.size).any():
        i = int(np.argmax(outside))
        allowed = f"inside volume {volume.name!r}"
        remedy = f"it is {outside[i]:.4g} m outside: give points where the mesh is at rest"
        raise bad(who, field, allowed, at[i].tolist(), remedy)
    _, cells = volume.elements()
    return cells[cell], shape_values(weights, cells.shape[1])


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
