"""A smooth unstretched curve between two poses: first guess for a rod that is held at both ends.

Two stages. The third-order interpolation of rotations [StrainModels2025, section III-A], whose
slopes minimise the energy of bending and torsion: six unknowns and three multipliers, solved from
the geodesic. Then curvatures in a few Legendre polynomials, solved from there. Neither can stretch,
so both converge where poses as coordinates would not.
"""

from dataclasses import dataclass

import numpy as np

from flexura.robot import Rod
from flexura.rods import bridge_kernels
from flexura.rods import rotation_curve_kernels as kernels
from flexura.rods.discretization import PointForces, RodPlan, StrainField
from flexura.rods.quadrature import integral_rows, unit_rule
from flexura.rods.shape import Shape
from flexura.rods.strain_rods import StrainRods
from flexura.rods.variable_strain import VariableStrain
from flexura.typing import Array, Indices, Pose, Strain, Vector

POINTS = 16
PLACES, WEIGHT = unit_rule(POINTS)
# Ends this far apart, over the length, with less than this turn [rad] between them: the nearest
# interpolation will do.
NEARLY_STRAIGHT, SLIGHT = 0.9, 1.0
# Ends on one line leave a round rod free to turn about it: a small resistance picks one shape.
SHIFT = 1e-8
NONE = np.empty(0, dtype=np.int64)
REFINED = VariableStrain((6, 6, 6, 0, 0, 0), steps=24)


@dataclass(frozen=True)
class Curve(Shape):
    """A curve that starts at the identity.

    Attributes:
        group: its description, one rod.
        nodes: its end poses, (2, 4, 4).
        inner: its coefficients.
    """

    group: StrainRods
    nodes: Pose
    inner: Array

    def poses(self, s: Array) -> Pose:
        """Poses at arc lengths s [m]."""
        return self.places(s)[0]

    def strain(self, s: Array) -> Strain:
        """Strain at arc lengths s [m]."""
        return self.places(s)[1]

    def places(self, s: Array) -> tuple[Pose, Strain]:
        """Both at once."""
        return self.group.shape(self.nodes, self.inner, 0, s)


def curve_between(rod: Rod, x1: Vector, p1: Vector) -> "Curve | Bridge | None":
    """A curve of little energy from the identity to (exp x1, p1), None if none was found.

    Args:
        rod: its length, stiffness and rest curvature.
        x1: rotation vector of the end; its size may exceed pi.
        p1: position of the end [m], closer than the length.
    """
    apart, turn = np.linalg.norm(p1) / rod.length, np.linalg.norm(x1)
    law = _along(rod)
    near = _bridge(rod, law, x1, p1, np.concatenate([x1, x1]))
    if apart > NEARLY_STRAIGHT and turn < SLIGHT and near is not None:
        return near
    arches = [_bridge(rod, law, x1, p1, slopes) for slopes in _arches(rod, x1, p1)]
    found = [curve for curve in (near, *arches) if curve is not None]
    if not found:
        return None
    first = min(found, key=lambda curve: curve.stored)
    end = np.eye(4)
    end[:3, :3] = _evaluate(first.unknowns, first.length, np.ones(1))[1][0]
    end[:3, 3] = p1
    return _refined(rod, end, first.strain)


def curve_along(rod: Rod, end: Pose, curvature: Vector) -> Curve | None:
    """A curve from the identity to an end, near one of constant curvature; None if none was found.

    Args:
        rod: its length, stiffness and rest curvature.
        end: pose of its tip.
        curvature: to begin with [1/m].
    """
    strain = np.concatenate([curvature, [1.0, 0.0, 0.0]])
    return _refined(rod, end, lambda s: np.tile(strain, (len(s), 1)))


def _arches(rod: Rod, x1: Vector, p1: Vector) -> list[Array]:
    """Slopes (k0, c) of arches to four sides.

    An arch x = a u (u - 1) (2 u - 1) brings the ends together by a²/420 of the length.
    """
    along = np.concatenate([x1, x1])
    size = np.sqrt(420.0 * max(0.0, 1.0 - float(np.linalg.norm(p1)) / rod.length))
    sides = [np.array([0.0, y, z]) for y, z in ((1, 0), (-1, 0), (0, 1), (0, -1))]
    return [along + size * np.tile(side, 2) for side in sides]


def _refined(rod: Rod, end: Pose, strain: StrainField, iterations: int = 40) -> Curve | None:
    """Newton's method for the curvature coefficients of a rod whose ends are held."""
    group = REFINED.group([RodPlan(rod, REFINED)])
    nodes, inner, work = np.array([np.eye(4), end]), group.fit(0, strain), group.work()
    forces = PointForces(len(group.points.s), int(group.rod_nodes[-1]))
    stiffness = group.points.weight[:, None] * rod.stiffness(group.points.s)
    forces.stiffness[:, ::7] = stiffness
    free = slice(6, 6 + group.n_inner)
    for _ in range(iterations):
        group.kinematics(nodes, inner, NONE, NONE, work)
        forces.stress[:] = stiffness * (work.strain - group.rest_strain)
        force, inner_force = np.zeros((2, 6)), np.zeros_like(inner)
        matrix = group.pull_back(forces, force, inner_force, work).matrices[1]
        held = matrix[free, free].copy()
        motions = np.flatnonzero(~group.multiplier)
        held[motions, motions] += SHIFT * held[motions, motions]
        try:
            step = np.linalg.solve(held, -inner_force[1])
        except np.linalg.LinAlgError:
            return None
        d_inner = np.array([np.zeros_like(step), step])
        curvature = group.increments(nodes, d_inner, work)[:, :3]
        turn = float(group.points.weight @ np.linalg.norm(curvature, axis=1))
        if not np.isfinite(turn):
            return None
        inner = inner + min(1.0, 1.0 / max(turn, 1e-300)) * d_inner
        if turn < 1e-6:
            return Curve(group, nodes, inner)
    return None


@dataclass(frozen=True)
class Bridge(Shape):
    """An interpolated curve.

    Attributes:
        length: of the curve [m].
        unknowns: y = (x1, k0, c) of the interpolation, (9,).
        stored: energy of bending and torsion [J].
    """

    length: float
    unknowns: Array
    stored: float

    def poses(self, s: Array) -> Pose:
        """Poses at arc lengths s [m]."""
        u = s / self.length
        pose = np.tile(np.eye(4), (len(s), 1, 1))
        pose[:, :3, :3] = _evaluate(self.unknowns, self.length, u)[1]
        tangents = _evaluate(self.unknowns, self.length, PLACES)[1][:, :, 0]
        pose[:, :3, 3] = self.length * integral_rows(u, POINTS) @ tangents
        return pose

    def strain(self, s: Array) -> Strain:
        """Strain at arc lengths s [m]: curvature, and no stretch or shear."""
        kappa, _ = _evaluate(self.unknowns, self.length, s / self.length)
        return np.concatenate([kappa, np.tile([1.0, 0.0, 0.0], (len(s), 1))], axis=1)


def _bridge(
    rod: Rod, law: tuple[Array, Array], x1: Vector, p1: Vector, slopes: Array
) -> Bridge | None:
    """The curve of least energy among the interpolations from the identity to (exp x1, p1).

    Args:
        rod: its length.
        law: its stiffness and rest curvature at the points.
        x1: rotation vector of the end; its size may exceed pi.
        p1: position of the end [m], closer than the length.
        slopes: (k0, c) to begin with, (6,); (x1, x1) is the geodesic.

    Returns:
        The curve, or None if the iteration did not converge.
    """
    y = np.concatenate([x1, slopes])
    basis, end = _basis(PLACES), np.ascontiguousarray(p1)
    stored = float(bridge_kernels.solve(rod.length, basis, WEIGHT, *law, end, y, *_room()))
    return None if np.isnan(stored) else Bridge(rod.length, y, stored)


def _room() -> tuple[Array | Indices, ...]:
    """Room for an iteration: at the points, for derivatives, for equations, and for its steps."""
    n = len(PLACES)
    points = np.empty((n, 3)), np.empty((n, 3, 3)), np.empty((n, 3)), np.empty((n, 3))
    derivatives = np.zeros((n, 3, 3)), np.empty(9), np.empty((9, 9)), np.empty((3, 9))
    equations = np.empty((9, 9)), np.empty(9), np.zeros(3), np.empty(9, dtype=np.int64)
    return *points, *derivatives, *equations, np.empty((25, 3))


def _along(rod: Rod) -> tuple[Array, Array]:
    """Stiffness of torsion and bending, and rest curvature, at the points, (n, 3) each."""
    s = rod.length * PLACES
    return rod.stiffness(s)[:, :3].copy(), rod.rest_strain(s)[:, :3].copy()


def _evaluate(y: Array, length: float, u: Array) -> tuple[Array, Array]:
    """Curvature and rotation at each u."""
    kappa, rotation = np.empty((len(u), 3)), np.empty((len(u), 3, 3))
    kernels.curvature(y, length, _basis(u), kappa, rotation, np.empty((5, 3)))
    return kappa, rotation


def _basis(u: Array) -> Array:
    """Cubic Hermite polynomials at each u, (n, 2, 3)."""
    basis = np.empty((len(u), 2, 3))
    kernels.hermite(np.array(u), basis)
    return basis
