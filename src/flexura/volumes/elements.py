"""Elements of volumes: gradients at points of quadrature, mass."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexura.robot.mesh import Mesh
from flexura.robot.tetrahedron import EDGES, KINDS
from flexura.robot.volume import Volume
from flexura.typing import Array, Indices, frozen
from flexura.value import Value
from flexura.volumes.element_kernels import least_ratios
from flexura.volumes.material_kernels import COROTATIONAL, NEO_HOOKEAN, SAINT_VENANT_KIRCHHOFF

LAW_NUMBERS = {
    "corotational": COROTATIONAL,
    "saint-venant-kirchhoff": SAINT_VENANT_KIRCHHOFF,
    "neo-hookean": NEO_HOOKEAN,
}


@dataclass(frozen=True, eq=False, repr=False)
class Elements(Value):
    """The elements of a volume; q points of quadrature each.

    Attributes:
        mesh: with all nodes, at rest.
        gradient: of the shape functions at the points [1/m], (m, q, k, 3).
        weight: of the points [m³], (m, q).
        mass: of the elements, between their nodes [kg], (m, k, k).
        law: number of the law of material.
        lame: λ and μ [Pa].
        viscosity: λ and μ of the viscous stress [Pa·s].
        drag: force per mass and velocity [1/s].
        edge: the longest one of all elements [m].
    """

    mesh: Mesh
    gradient: Array
    weight: Array
    mass: Array
    law: int
    lame: tuple[float, float]
    viscosity: tuple[float, float]
    drag: float
    edge: float

    @classmethod
    def of(cls, volume: Volume) -> "Elements":
        """The elements of a volume."""
        mesh = volume.elements
        gradient, weight = gradients(mesh.points, mesh.cells, mesh.kind.rule.at)
        lam, mu = volume.lame
        drag, stiffness = volume.rayleigh
        viscosity = volume.material.viscosity
        ends = mesh.points[mesh.cells[:, EDGES]]
        return cls(
            mesh,
            frozen(gradient),
            frozen(weight),
            frozen(volume.material.density * masses(mesh)),
            LAW_NUMBERS[volume.law],
            (lam, mu),
            (stiffness * lam - 2.0 / 3.0 * viscosity, stiffness * mu + viscosity),
            drag,
            float(np.linalg.norm(ends[:, :, 0] - ends[:, :, 1], axis=2).max()),
        )

    @property
    def rest(self) -> Array:
        """Positions of the nodes at rest [m], (n, 3)."""
        return self.mesh.points

    @property
    def cells(self) -> Indices:
        """Nodes of the elements, (m, k)."""
        return self.mesh.cells

    @cached_property
    def sizes(self) -> tuple[Array, Array]:
        """How much elements resist [N], and how much more for each displacement [N/m], (m,)."""
        lam, mu = self.lame
        slope = np.linalg.norm(self.gradient, axis=3).max(axis=2)  # of the steepest function
        stiff = (lam + 2.0 * mu) * self.weight
        return (stiff * slope).sum(axis=1), (stiff * slope**2).sum(axis=1)

    @cached_property
    def looked(self) -> tuple[Array, Array]:
        """What ``volume_ratios`` looks at: slopes (p, k, 3), determinants at rest (m, p) [m³]."""
        slopes = self.mesh.kind.functions.slopes(self.mesh.kind.looked)
        at_rest = np.linalg.det(np.einsum("mki,qkj->mqij", self.rest[self.cells], slopes))
        return frozen(slopes), frozen(at_rest)

    @property
    def node_masses(self) -> Array:
        """Mass of each node, as gravity sees it [kg], (n,)."""
        found = np.zeros(len(self.rest))
        np.add.at(found, self.cells, self.mass.sum(axis=2))
        return found


def gradients(rest: Array, cells: Indices, weights: Array) -> tuple[Array, Array]:
    """Gradients of the shape functions at points [1/m], and parts of the volume there [m³].

    Args:
        rest: positions of the nodes [m].
        cells: of the elements, (m, k).
        weights: barycentric coordinates of the points, which count equally, (q, 4).
    """
    local = KINDS[cells.shape[1]].functions.slopes(weights)  # (q, k, 3)
    jacobian = np.einsum("mki,qkj->mqij", rest[cells], local)
    gradient = np.einsum("qkj,mqji->mqki", local, np.linalg.inv(jacobian))
    return np.ascontiguousarray(gradient), np.linalg.det(jacobian) / (6.0 * len(weights))


def volume_ratios(elements: Elements, displacement: Array) -> Array:
    """Least det F of each element, at its points of quadrature and its corners, (m,)."""
    slopes, before = elements.looked
    found = np.empty(len(elements.cells))
    least_ratios(
        elements.rest, displacement, elements.cells, slopes, before, found, np.empty((3, 3))
    )
    return found


def masses(mesh: Mesh) -> Array:
    """∫ N_a N_b dV over each element [m³], (m, k, k)."""
    x, w = np.polynomial.legendre.leggauss(5)
    x, w = 0.5 * (x + 1.0), 0.5 * w
    a, b, c = (part.ravel() for part in np.meshgrid(x, x, x, indexing="ij"))
    parts = np.einsum("i,j,k->ijk", w, w, w).ravel()
    # the cube, folded into the tetrahedron
    u, v, t = a, b * (1.0 - a), c * (1.0 - a) * (1.0 - b)
    folded = parts * (1.0 - a) ** 2 * (1.0 - b)
    weights = np.stack([1.0 - u - v - t, u, v, t], axis=1)
    functions, at = mesh.kind.functions, mesh.points[mesh.cells]
    values, local = functions.values(weights), functions.slopes(weights)
    if not mesh.curved:  # all are the same but for their volumes
        one = np.einsum("p,pa,pb->ab", folded, values, values)
        return np.asarray(6.0 * mesh.volumes[:, None, None] * one)
    found = np.zeros((len(at), at.shape[1], at.shape[1]))
    for p in range(len(parts)):
        jacobian = np.einsum("mki,kj->mij", at, local[p])
        square = np.outer(values[p], values[p])
        found += (folded[p] * np.linalg.det(jacobian))[:, None, None] * square
    return found
