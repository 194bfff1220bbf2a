"""Laws: what acts along rods, at the points of a group.

A law sees strains and poses at the points and adds a stress with its stiffness, or a wrench on the
pose with its tangent, quadrature weights included. It knows no discretization. To add one, derive
from ``Law`` in a file of ``model/laws`` and let a function of ``model/mechanics`` make it for
``build``; or do both outside of the library and give the function to ``build(also=[...])``.
"""

from abc import ABC, abstractmethod
from typing import Any, NamedTuple, Protocol

import numpy as np

from flexura.model.past import Past
from flexura.model.pressed import Pressed
from flexura.rods.discretization import PointForces
from flexura.typing import Array, Indices, Pose, Strain, Twist, frozen
from flexura.value import Value

# Step of differences by what is given: its square, and rounding over it, are both below 1e-9.
DIFFERENCE = 1e-5
NOWHERE: Indices = frozen(np.empty(0, dtype=np.int64))


class PointValues(Protocol):
    """Where the points of a group are.

    Attributes:
        strain: ξ, (n, 6); more numbers where a rod has further fields.
        strain_ahead: ξ that the last Newton step has predicted. Stiff laws take it for the stress
            in the geometric part of the tangent (``solve.equilibrium``).
        pose: g, of the points in ``Law.posed()`` of any law, (n, 4, 4).
        force: of stretch and shear, where it is an unknown of its own, (n, 3).
    """

    strain: Strain
    strain_ahead: Strain
    pose: Pose
    force: Array


class Given(NamedTuple):
    """What laws and terms are given besides poses and strains.

    Attributes:
        values: the numbers of all inputs, and the multipliers of constraints, each at the place
            that ``Site.input`` or ``Site.multiplier`` has told.
        ahead: the same for the geometric part of the tangent: at the start of an iteration they
            are those of the start.
        conjugate: derivative of the potential by each of the values, where a law or a term keeps
            account of it: the length of a tendon for its tension. Added to.
        past: what a step in time begins with; None for a robot at rest.
        tangents: whether tangents are asked for; else laws and terms may leave them out.
        near: twists of joints that move freely, near which theirs are told, (n, 6); None for those
            that turn least. What multipliers exert depends on that (``Joints``).
        pressed: what contacts exert; None if nothing touches.
    """

    values: Array
    ahead: Array
    conjugate: Array
    past: Past | None = None
    tangents: bool = True
    near: Twist | None = None
    pressed: Pressed | None = None

    def changed(self, change: Array) -> "Given":
        """The same after a change of the values; nothing is kept account of."""
        values = frozen(self.values + change)
        conjugate = np.zeros_like(self.conjugate)
        return Given(values, values, conjugate, self.past, False, self.near, self.pressed)


class Law(Value, ABC):
    """What acts along the rods of a group.

    Attributes:
        stored: whether its energy is stored in the rods, not in what drives them.
        wrenches: its ``Wrenches`` if it is loads, which do work in motion; else None.
    """

    stored: bool = False
    wrenches: Any = None

    @property
    def reads(self) -> frozenset[int] | None:
        """Places of the given values that it takes; None if that may be any of them."""
        return None

    def wrenches_at(self, values: Array) -> Any:
        """The same for given values, where they change with them."""
        return self.wrenches

    def posed(self) -> Indices:
        """The points whose pose it sees."""
        return NOWHERE

    @abstractmethod
    def add(self, at: PointValues, given: Given, out: PointForces) -> None:
        """Add stress and stiffness, or wrench and tangent, to what acts at the points.

        A stress is added twice: to ``out.stress`` the one of ``at.strain``, to ``out.stress_ahead``
        the one that the geometric part of the tangent takes. If in doubt, the same.
        """

    def add_slope(self, at: PointValues, given: Given, change: Array, out: PointForces) -> None:
        """Add the derivative of stress and wrench along a change of the given values.

        By differences, unless a law knows better: exact where it is linear in what is given.
        """
        for h in (DIFFERENCE, -DIFFERENCE):
            moved = PointForces(len(out.stress), len(out.loose), out.stress.shape[1])
            self.add(at, given.changed(h * change), moved)
            out.stress += moved.stress / (2.0 * h)
            out.load += moved.load / (2.0 * h)
            out.excess += moved.excess / (2.0 * h)

    def add_stress(self, strain: Strain, values: Array, stress: Array) -> None:
        """Add the stress of what pulls along rods, at given strains and values; else nothing."""

    def energy(self, at: PointValues, given: Given) -> float:
        """Energy, or potential [J], but for what follows from ``given.conjugate``.

        The potential of inputs times what is conjugate to them is counted already.
        """
        return 0.0

    def push(self, at: PointValues, given: Given) -> Array | float:
        """What it resists small insertions of tubes with, unknowns kept [N], (sets, tubes)."""
        return 0.0

    def conservative(self, values: Array) -> bool:
        """Whether it has a potential, at given values."""
        return True

    @property
    def rubs(self) -> bool:
        """Whether it is friction, if it has none."""
        return False

    def size(self, values: Array) -> tuple[float, float]:
        """Sizes of the moments [N·m] and forces [N] that it brings in from outside."""
        return 0.0, 0.0

    def firmness(self, rods: Indices, count: int) -> Array:
        """Largest stiffness of each rod against stretch or shear [N], (count,).

        To know how large rounding is.

        Args:
            rods: rod of each point.
            count: how many there are.
        """
        return np.zeros(count)

    def softened(self, rods: Indices) -> "Law":
        """The same with less stiffness against stretch and shear (``Model.softened``)."""
        return self
