"""Tubes inside each other: a centreline with an angle for each tube along it.

    g_j(s) = g(s) Rot_x(θ_j(s)),    ξ_j = Ad(Rot_x(-θ_j)) ξ + θ_j' e_1           (theory 18.1)

The frame g of the centreline does not twist; torsion is in the angles. Strains at points are those
of the centreline, then all angles, then their derivatives. Everything is by an arc length of
reference, on which sections of tubes have fixed and equal lengths: how long they are, and which
tubes they have, is for the law to know. So are transmissions behind the plate: they act on the
angles at the plate, which a point without length shows with the torques there.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexura.robot import Rod
from flexura.rods.discretization import RodPlan
from flexura.typing import Array, Indices, frozen


@dataclass(frozen=True)
class Break:
    """Where a section of a set ends: a place of one of its tubes.

    Attributes:
        tube: number of the tube in its set.
        s: arc length of the tube [m].
    """

    tube: int
    s: float


@dataclass(frozen=True)
class SetPlan(RodPlan):
    """A set to discretize: the plan of its centreline, and its breaks.

    Attributes:
        members: tubes of the set.
        breaks: tips and kinks of tubes, and where anything acts on them; each ends a section.
        marks: those breaks that are frames, by number.
    """

    members: tuple[Rod, ...] = ()
    breaks: tuple[Break, ...] = ()
    marks: tuple[int, ...] = ()

    @property
    def section_ends(self) -> Array:
        """Ends of the sections in arc length of reference [m], from the plate on."""
        return np.linspace(0.0, self.rod.length, len(self.breaks) + 1)


@dataclass(frozen=True)
class Marks:
    """Frames of tubes, as further nodes of a group.

    Attributes:
        set: number of the set of each, (m,).
        tube: number of the tube in it, (m,).
        rank: number of the break in the set, (m,).
        rods: descriptions of the tubes.
    """

    set: Indices
    tube: Indices
    rank: Indices
    rods: tuple[Rod, ...]

    @classmethod
    def of(cls, plans: Sequence[SetPlan]) -> "Marks":
        """All marks of some sets, set by set."""
        every = [(i, plan, mark) for i, plan in enumerate(plans) for mark in plan.marks]
        tubes = [plan.breaks[mark].tube for _, plan, mark in every]
        rods = [plan.members[j] for (_, plan, _), j in zip(every, tubes, strict=True)]
        return cls(
            frozen(np.array([i for i, _, _ in every], dtype=np.int64)),
            frozen(np.array(tubes, dtype=np.int64)),
            frozen(np.array([mark for _, _, mark in every], dtype=np.int64)),
            tuple(rods),
        )


def angle_functions(count: int, u: Array) -> tuple[Array, Array]:
    """Integrals of Legendre polynomials on [0, 1] from zero on, and the polynomials, (n, count)."""
    legendre = np.polynomial.legendre.legvander(2.0 * u - 1.0, count)
    integral = np.empty((len(u), count))
    for k in range(count):
        below = legendre[:, k - 1] if k else -np.ones(len(u))
        integral[:, k] = (legendre[:, k + 1] - below) / (2.0 * (2 * k + 1))
    return integral, np.ascontiguousarray(legendre[:, :count])
