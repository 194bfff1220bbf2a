"""A law, a term and a constraint from outside of the library, as a user would write them."""

from dataclasses import dataclass

import numpy as np

from flexura.model.constraint import Cone, Constraint
from flexura.model.inputs import Input
from flexura.model.law import Law
from flexura.model.term import NodeForces, Term
from flexura.model.terms.segment import Segments


# --8<-- [start:bed]
@dataclass(frozen=True)
class Bed:
    """A rod lies on a bed of springs: a force -k (p - p0) per length, k in [N/m²]."""

    rod: str
    stiffness: float

    def __call__(self, site):
        place = site.place(self.rod)
        points = site.groups[place.part].points
        own = np.flatnonzero(points.rod == place.index)
        rest = np.stack([points.s[own], 0.0 * own, 0.0 * own], axis=1)  # straight from the origin
        site.laws[place.part].append(BedLaw(own, self.stiffness * points.weight[own], rest))


@dataclass(frozen=True, eq=False)
class BedLaw(Law):
    points: np.ndarray
    stiffness: np.ndarray
    rest: np.ndarray

    def posed(self):
        return self.points

    def add(self, at, given, out):
        R, p = np.split(at.pose[self.points, :3], [3], axis=2)
        f = np.einsum("nji,nj->ni", R, self.stiffness[:, None] * (p[..., 0] - self.rest))
        out.load[self.points, 3:] += f
        K = np.zeros((len(f), 6, 6))
        K[:, 3:, 3:] = self.stiffness[:, None, None] * np.eye(3)
        cross = np.cross(np.eye(3), f[:, None, :])  # f × w in the exponential chart, half each way
        K[:, :3, 3:] -= 0.5 * cross
        K[:, 3:, :3] -= 0.5 * cross.swapaxes(1, 2)
        out.load_tangent[self.points] += K.reshape(-1, 36)

    def energy(self, at, given):
        p = at.pose[self.points, :3, 3]
        return 0.5 * float(np.sum(self.stiffness[:, None] * (p - self.rest) ** 2))


# --8<-- [end:bed]


# --8<-- [start:spring]
@dataclass(frozen=True)
class Spring:
    """A linear spring between two frames, of a stiffness [N/m] and a length without force [m]."""

    a: str
    b: str
    stiffness: float
    length: float

    def __call__(self, site):
        (a, T_a), (b, T_b) = site.find(self.a), site.find(self.b)
        cable = Segments(np.zeros(1, int), np.array([[a, b]]), np.array([[T_a[:3, 3], T_b[:3, 3]]]))
        site.terms.append(SpringTerm(cable, self.stiffness, self.length))


@dataclass(frozen=True, eq=False)
class SpringTerm(Term):
    cable: Segments
    stiffness: float
    length: float

    @property
    def nodes(self):
        return self.cable.nodes

    def add(self, pose, numbers, given, out):
        force = np.array([self.stiffness * self._stretch(pose)])
        pull = given._replace(values=force, ahead=force, conjugate=np.zeros(1))
        self.cable.add(pose, numbers, pull, out)
        slope = NodeForces.of(self, np.zeros_like(out.force))
        self.cable.add_slope(pose, numbers, given, np.ones(1), slope)
        rows = slope.force[self.nodes[0]]  # ∂l of both nodes
        out.blocks[0] += self.stiffness * np.einsum("ai,bj->abij", rows, rows).reshape(2, 2, 36)

    def energy(self, pose, given):
        return 0.5 * self.stiffness * self._stretch(pose) ** 2

    def _stretch(self, pose):
        a, b = pose[self.nodes[0]] @ np.append(self.cable.holes[0], [[1.0]] * 2, axis=1)[..., None]
        return np.linalg.norm(b - a) - self.length


# --8<-- [end:spring]


# --8<-- [start:rope]
@dataclass(frozen=True)
class Rope:
    """A rope of a given length between two frames [m]: it pulls when taut, and is slack else."""

    a: str
    b: str
    length: float

    def __call__(self, site):
        (a, T_a), (b, T_b) = site.find(self.a), site.find(self.b)
        tension = site.multiplier()
        holes = np.array([[T_a[:3, 3], T_b[:3, 3]]])
        site.terms.append(Segments(tension, np.array([[a, b]]), holes))
        site.constraints.append(RopeLength(tension, self.length))


@dataclass(frozen=True, eq=False)
class RopeLength(Constraint):
    multipliers: np.ndarray
    length: float
    cone = Cone.NOT_NEGATIVE

    def gap(self, pose, given):
        return self.length - given.conjugate[self.multipliers]


# --8<-- [end:rope]


@dataclass(frozen=True)
class Rail:
    """Holds y of a frame at an input: a term that brings an unknown, its slope by differences."""

    at: object

    def jumps(self, rod):
        return [self.at.s] if getattr(self.at, "rod", None) == rod else []

    def __call__(self, site):
        node, _ = site.find(self.at)
        entry = Input("rail", "number", np.array(0.0), "a height [m]", loads=False)
        site.terms.append(RailTerm(np.array([[node]]), site.input("rail", entry)))


@dataclass(frozen=True, eq=False)
class RailTerm(Term):
    nodes: np.ndarray
    place: int

    @property
    def brings(self):
        return np.ones(1, dtype=np.int64)

    def add(self, pose, numbers, given, out):
        g = pose[self.nodes[0, 0]]
        row = np.append(np.zeros(3), g[1, :3])  # ∂y by a body twist
        out.force[self.nodes[0, 0]] += numbers[0] * row
        f = numbers[0] * g[1, :3]
        half = -0.5 * np.cross(np.eye(3), f)
        out.blocks[:] = np.block([[np.zeros((3, 3)), half], [half.T, np.zeros((3, 3))]]).ravel()
        out.gap[0] = g[1, 3] - given.values[self.place]
        out.rows[0, 0] = row


@dataclass(frozen=True)
class Bar(Rope):
    """A bar of a given length: it pulls and it pushes."""

    def __call__(self, site):
        super().__call__(site)
        length = site.constraints.pop()
        site.constraints.append(BarLength(length.multipliers, length.length))


@dataclass(frozen=True, eq=False)
class BarLength(RopeLength):
    cone = Cone.EQUAL
