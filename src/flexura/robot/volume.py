"""Soft volumes: a mesh, a material, a law."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from flexura.errors import UnknownName
from flexura.robot.check import (
    BadField,
    assign,
    bad,
    flag,
    name,
    nonnegative,
    part_name,
    positive,
    vector,
)
from flexura.robot.material import Material
from flexura.robot.materials import check_material
from flexura.robot.mesh import Mesh
from flexura.robot.mesh_check import check_pair, make_mesh, triangles
from flexura.robot.mesh_file import read_mesh
from flexura.typing import ArrayLike, Indices

Law: TypeAlias = Literal["corotational", "saint-venant-kirchhoff", "neo-hookean"]
LAWS: tuple[str, ...] = get_args(Law)
# The surface that every volume has: all of it.
BOUNDARY = "boundary"
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
        surfaces: Named surfaces besides those of the mesh: triangles by their corners, (k, 3).
        damping: Rayleigh damping: of the mass [1/s], and of the stiffness [s].
    """

    name: str
    mesh: Any
    material: Material
    law: Law = "corotational"
    quadratic: bool = False
    size: float | None = None
    surfaces: Mapping[str, ArrayLike] | Sequence[tuple[str, ArrayLike]] = ()
    damping: ArrayLike = (0.0, 0.0)

    def __post_init__(self) -> None:
        assign(self, name=part_name("Volume", self.name))
        who = f"Volume {self.name!r}"
        check_material(who, self.material)
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
        assign(self, mesh=self._mesh(who))
        assign(self, surfaces=self._surfaces(who))

    def _mesh(self, who: str) -> Mesh:
        """The mesh, as it is used."""
        given = self.mesh
        if isinstance(given, Mesh):
            return given
        if isinstance(given, str | Path):
            return read_mesh(who, str(given), self.size)
        if not isinstance(given, list | tuple):
            allowed = "the path of a mesh file, or (points, tetrahedra)"
            raise bad(who, "mesh", allowed, given, "write for example mesh='finger.msh'")
        if self.size is not None:
            remedy = "it is the length of edges in surfaces that gmsh fills: leave it out"
            raise bad(who, "size", "None for a mesh of arrays", self.size, remedy)
        check_pair(who, given)
        return make_mesh(who, *given)

    def _surfaces(self, who: str) -> tuple[tuple[str, tuple[tuple[int, ...], ...]], ...]:
        """The surfaces that the mesh does not name, as pairs."""
        try:
            named = dict(self.surfaces)
        except (TypeError, ValueError):
            remedy = "write for example surfaces={'chamber': [(0, 1, 2), (0, 2, 3)]}"
            allowed = "triangles by the names of surfaces"
            raise bad(who, "surfaces", allowed, self.surfaces, remedy) from None
        mesh: Mesh = self.mesh
        found = []
        for key, value in named.items():
            own = name(who, "surfaces", key)
            if own == BOUNDARY:
                remedy = "it is all of the surface: choose another name"
                raise bad(who, "surfaces", f"named other than {BOUNDARY!r}", own, remedy)
            faces = triangles(who, own, value, len(mesh.points))
            mesh.turned(who, own, faces)
            found.append((own, tuple(map(tuple, faces.tolist()))))
        return tuple(found)

    @property
    def elements(self) -> Mesh:
        """The mesh with all nodes, also those in the middles of edges."""
        mesh: Mesh = self.mesh
        return mesh.quadratic if self.quadratic else mesh

    def surface(self, who: str, name: str) -> Indices:
        """All nodes of the triangles of a named surface, turned to the left from outside.

        Raises:
            BadField: if there is no such surface.
        """
        mesh: Mesh = self.mesh
        named: dict[str, Any] = {**mesh.surfaces, **dict(self.surfaces)}
        if name == BOUNDARY:
            return self.elements.faces(mesh.boundary)
        if name not in named:
            raise BadField(f"{who}: {UnknownName('surface', name, [BOUNDARY, *named])}", "surface")
        return self.elements.faces(mesh.turned(who, name, np.array(named[name])))

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


def _law(who: str, value: object) -> str:
    """One of the laws of material."""
    law = name(who, "law", value)
    if law not in LAWS:
        raise BadField(f"{who}: {UnknownName('law', law, LAWS)}", "law")
    return law
