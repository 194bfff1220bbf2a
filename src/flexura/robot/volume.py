"""Soft volumes: a mesh, a material, a law."""

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
    instance,
    name,
    nonnegative,
    part_name,
    positive,
    vector,
)
from flexura.robot.material import Material
from flexura.robot.mesh import Mesh, check_pair, make_mesh, quadratic
from flexura.robot.mesh_file import read_mesh
from flexura.typing import Array, ArrayLike, Indices

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
