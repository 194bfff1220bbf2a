"""A smooth unstretched curve between two poses: first guess for a rod that is held at both ends.

Two stages. The third-order interpolation of rotations [StrainModels2025, section III-A], whose
slopes minimise the energy of bending and torsion and the potential of the load: six unknowns and
three multipliers, solved from the geodesic and from arches. Then curvatures in a few Legendre
polynomials, solved from there. Neither can stretch, so both converge where poses as coordinates
would not. What is unstable goes downhill.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import cast

import numpy as np

from flexura.robot import Rod
from flexura.robot.elastic import Elastic
from flexura.rods import bridge_kernels
from flexura.rods import rotation_curve_kernels as kernels
from flexura.rods.discretization import PointForces, RodPlan, StrainField
from flexura.rods.quadrature import integral_rows, unit_rule
from flexura.rods.shape import Shape
from flexura.rods.strain_rods import StrainRods
from flexura.rods.variable_strain import VariableStrain
from flexura.rods.way_down import WayDown, newton_step, way_down
from flexura.typing import Array, Indices, Matrix, Pose, Strain, Vector

POINTS = 16
PLACES, WEIGHT = unit_rule(POINTS)
# Ends this far apart, over the length, with less than this turn [rad] between them: the nearest
# interpolation will do.
NEARLY_STRAIGHT, SLIGHT = 0.9, 1.0
# Iterations of Newton's method, from far away and from a curve, and downhill; last steps [rad].
ITERATIONS, AT_ONCE, SMALL = 20, 10, 1e-6
DOWNHILL, SETTLED = 40, 1e-4
# Unstable curves are pushed aside so many times, by so much [rad].
PUSHES, PUSH = 2, 0.3
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


class Curves:
    """Curves of little energy of one rod under one load, from the identity on."""

    def __init__(self, rod: Elastic, load: Vector) -> None:
        """Prepare them.

        Args:
            rod: its length, stiffness and rest curvature.
            load: on each meter, in the frame of the base [N/m].
        """
        self._rod, self._load = rod, load

    @cached_property
    def _polynomials(self) -> "_Polynomials":
        """What refines them, which takes longer to lay out than many a rod to bridge."""
        return _Polynomials(self._rod, self._load)

    def between(self, x1: Vector, p1: Vector) -> "Curve | Bridge | None":
        """A curve of little energy to (exp x1, p1), None if none was found.

        Args:
            x1: rotation vector of the end; its size may exceed pi.
            p1: position of the end [m], closer than the length.
        """
        rod, law = self._rod, _along(self._rod, self._load)
        apart, turn = np.linalg.norm(p1) / rod.length, np.linalg.norm(x1)
        near = _bridge(rod, law, x1, p1, np.concatenate([x1, x1]))
        if apart > NEARLY_STRAIGHT and turn < SLIGHT and near is not None:
            return near
        arches = [_bridge(rod, law, x1, p1, slopes) for slopes in _arches(rod, x1, p1)]
        found = [curve for curve in (near, *arches) if curve is not None]
        if not found:
            return None
        first = min(found, key=lambda curve: curve.least)
        end = np.eye(4)
        end[:3, :3] = _evaluate(first.unknowns, first.length, np.ones(1))[1][0]
        end[:3, 3] = p1
        return self.refined(end, first.strain)

    def along(self, end: Pose, curvature: Vector) -> Curve | None:
        """A curve to an end, near one of constant curvature [1/m]; None if none was found."""
        strain = np.concatenate([curvature, [1.0, 0.0, 0.0]])
        return self.refined(end, lambda s: np.tile(strain, (len(s), 1)))

    def settled(self, curve: Curve) -> Curve | None:
        """A stable curve near another one, or downhill of it; None if none is found soon."""
        own = self._polynomials
        near = own.near(curve.nodes, curve.inner, AT_ONCE)
        if near is not None and own.way(curve.nodes, near).aside is None:
            return replace(curve, inner=near)
        inner, pushed = (curve.inner if near is None else near).copy(), 0
        for _ in range(DOWNHILL):
            step, aside = own.way(curve.nodes, inner)
            turn = own.turn(curve.nodes, step)
            if not np.isfinite(turn):
                return None
            if turn < SETTLED:
                if aside is None or pushed == PUSHES:
                    return replace(curve, inner=inner)
                pushed, step = pushed + 1, PUSH / own.turn(curve.nodes, aside) * aside
            inner[1] += min(1.0, 1.0 / max(turn, 1e-300)) * step
        return None

    def refined(self, end: Pose, strain: StrainField) -> Curve | None:
        """The curve to an end, in balance near one with given strains; None if none was found."""
        nodes = np.array([np.eye(4), end])
        group = self._polynomials.group
        inner = self._polynomials.near(nodes, group.fit(0, strain), ITERATIONS)
        return None if inner is None else Curve(group, nodes, inner)


class _Polynomials:
    """Curvatures of a rod in a few polynomials, between two poses and under a load.

    Attributes:
        group: the description, one rod.
    """

    def __init__(self, rod: Elastic, load: Vector) -> None:
        self._load = load
        self.group = group = REFINED.group([RodPlan(cast(Rod, rod), REFINED)])
        self._work = group.work()
        self._forces = PointForces(len(group.points.s), int(group.rod_nodes[-1]))
        self._stiffness = group.points.weight[:, None] * rod.stiffness(group.points.s)
        self._forces.stiffness[:, ::7] = self._stiffness
        self._forces.posed[:] = load.any()
        self._posed = np.flatnonzero(self._forces.posed)

    def near(self, nodes: Pose, begin: Array, iterations: int) -> Array | None:
        """Newton's method for the curvature coefficients; None if it leads nowhere."""
        inner = begin.copy()
        for _ in range(iterations):
            try:
                step = newton_step(*self._equations(nodes, inner), self.group.multiplier)
            except np.linalg.LinAlgError:
                return None
            turn = self.turn(nodes, step)
            if not np.isfinite(turn):
                return None
            inner[1] += min(1.0, 1.0 / max(turn, 1e-300)) * step
            if turn < SMALL:
                return inner
        return None

    def way(self, nodes: Pose, inner: Array) -> WayDown:
        """The step downhill, infinite where there is none."""
        try:
            return way_down(*self._equations(nodes, inner), self.group.multiplier)
        except np.linalg.LinAlgError:
            return WayDown(np.full(self.group.n_inner, np.inf), None)

    def _equations(self, nodes: Pose, inner: Array) -> tuple[Matrix, Array]:
        """Tangent and residual of coefficients and multipliers, (n, n) and (n,)."""
        group, forces, work = self.group, self._forces, self._work
        group.kinematics(nodes, inner, self._posed, NONE, work)
        if len(self._posed):
            _put_load(forces, group.points.weight, work.pose, self._load)
        forces.stress[:] = self._stiffness * (work.strain - group.rest_strain)
        force, inner_force = np.zeros((2, 6)), np.zeros_like(inner)
        matrix = group.pull_back(forces, force, inner_force, work).matrices[1]
        free = slice(6, 6 + group.n_inner)
        return matrix[free, free], inner_force[1]

    def turn(self, nodes: Pose, step: Array) -> float:
        """By how much a step of the coefficients turns the rod [rad]."""
        moved = np.array([np.zeros_like(step), step])
        curvature = self.group.increments(nodes, moved, self._work)[:, :3]
        size = np.sqrt(np.einsum("ni,ni->n", curvature, curvature))
        return float(self.group.points.weight @ size)


def _arches(rod: Elastic, x1: Vector, p1: Vector) -> list[Array]:
    """Slopes (k0, c) of arches to four sides.

    An arch x = a u (u - 1) (2 u - 1) brings the ends together by a²/420 of the length.
    """
    along = np.concatenate([x1, x1])
    size = np.sqrt(420.0 * max(0.0, 1.0 - float(np.linalg.norm(p1)) / rod.length))
    sides = [np.array([0.0, y, z]) for y, z in ((1, 0), (-1, 0), (0, 1), (0, -1))]
    return [along + size * np.tile(side, 2) for side in sides]


def _put_load(forces: PointForces, weight: Array, pose: Pose, load: Vector) -> None:
    """The slope of -w·p at all points and its derivative, in the frames of the sections.

    A motion exp(θ, v) moves a point by v + θ×v/2, as far as second derivatives go.
    """
    pull = weight[:, None] * (load @ pose[:, :3, :3])
    forces.load[:, 3:] = -pull
    tangent = forces.load_tangent.reshape(-1, 6, 6)
    for a, b, c in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        half = 0.5 * pull[:, c]
        tangent[:, a, 3 + b] = tangent[:, 3 + b, a] = -half
        tangent[:, b, 3 + a] = tangent[:, 3 + a, b] = half


@dataclass(frozen=True)
class Bridge(Shape):
    """An interpolated curve.

    Attributes:
        length: of the curve [m].
        unknowns: y = (x1, k0, c) of the interpolation, (9,).
        least: energy of bending and torsion, and potential of the load [J].
    """

    length: float
    unknowns: Array
    least: float

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
    rod: Elastic, law: tuple[Array, Array, Array], x1: Vector, p1: Vector, slopes: Array
) -> Bridge | None:
    """The curve of least energy among the interpolations from the identity to (exp x1, p1).

    Args:
        rod: its length.
        law: its stiffness and rest curvature at the points, and the load beyond them.
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


def _along(rod: Elastic, load: Vector) -> tuple[Array, Array, Array]:
    """Stiffness of torsion and bending, rest curvature, and load beyond, at the points, (n, 3)."""
    s = rod.length * PLACES
    beyond = np.outer(rod.length - s, load)
    return rod.stiffness(s)[:, :3].copy(), rod.rest_strain(s)[:, :3].copy(), beyond


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
