"""The model that ``build`` makes and every solver works on."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from flexura.errors import UnknownName
from flexura.model.constraint import Constraint
from flexura.model.contact import Contacts
from flexura.model.firmness import firmness
from flexura.model.inputs import Inputs, InputTable
from flexura.model.law import Law
from flexura.model.layout import Layout
from flexura.model.linked import Cut, Mover
from flexura.model.member import Member
from flexura.model.part import Part, Place, TubePlace
from flexura.model.state import State
from flexura.model.term import Term
from flexura.model.terms.joint import Joints
from flexura.robot import Hinge, Motor, Robot, Weld
from flexura.robot.bending import bending
from flexura.robot.tubes import check_no_set
from flexura.robot.volume_check import check_no_volume
from flexura.rods.discretization import Discretization
from flexura.shown import Facts, Shown
from flexura.text import counted, few
from flexura.typing import Array, ArrayLike, Indices, Matrix, Pose, Twist, Vector, frozen
from flexura.value import Catalog, Value

T = TypeVar("T")
M = TypeVar("M", bound=Member)


@dataclass(frozen=True, eq=False)
class Tendons(Value):
    """The tendons of a model.

    Attributes:
        names: of the tendons, whose order is that of all arrays here.
        source: place of each tension among the given values; the length is conjugate to it, (n,).
        by_length: whether the tension is a multiplier, (n,).
        rest: length on the unloaded robot [m], (n,).
    """

    names: tuple[str, ...]
    source: Indices
    by_length: NDArray[np.bool_]
    rest: Array

    def row(self, tendon: int, inputs: InputTable) -> int | None:
        """Where its tension is among the multipliers of constraints; None if it is an input."""
        if not self.by_length[tendon]:
            return None
        return int(np.flatnonzero(inputs.multipliers == self.source[tendon])[0])


@dataclass(frozen=True, eq=False, repr=False)
class Model(Shown, Value):
    """A robot in numbers: immutable, shared by any number of solves.

    Attributes:
        robot: the description that it was built from.
        rods: how each rod is described, by name.
        parts: groups of rods with their laws.
        terms: what acts on nodes.
        constraints: what holds with multipliers in cones.
        inputs: by name.
        constant: the part of what is conjugate to the given values that never changes.
        layout: from nodes to unknowns.
        places: where each rod is.
        frames: node of each named frame; the world has none.
        tendons: the tendons.
        joints: the joints that move freely, one of the terms.
        cuts: by label, what carries the reaction of each rigid link.
        movers: links that an input moves.
        tubes: where each tube of a set is; the sets themselves are places.
        contacts: what may touch what; None if nothing.
        also: functions of the user that have added laws, terms or constraints.
        members: what acts on particles.
        volumes: first particle of each volume, by name.
    """

    robot: Robot
    rods: Mapping[str, Discretization]
    parts: tuple[Part, ...]
    terms: tuple[Term, ...]
    constraints: tuple[Constraint, ...]
    inputs: InputTable
    constant: Array
    layout: Layout
    places: Mapping[str, Place]
    frames: Mapping[str, int]
    tendons: Tendons
    joints: Joints
    cuts: Mapping[str, tuple[Cut, ...]]
    movers: tuple[Mover, ...]
    tubes: Mapping[str, TubePlace]
    contacts: Contacts | None = None
    also: tuple[Any, ...] = ()
    members: tuple[Member, ...] = ()
    volumes: Mapping[str, int] = field(default_factory=lambda: Catalog({}))

    def __eq__(self, other: object) -> bool:
        """Whether it is the same robot, described in the same way."""
        if not isinstance(other, Model):
            return NotImplemented
        if self is other:
            return True
        if (self.robot, self.rods, self.also) != (other.robot, other.rods, other.also):
            return False
        return all(a.laws == b.laws for a, b in zip(self.parts, other.parts, strict=True))

    def __hash__(self) -> int:
        return hash((self.name, self.n_dof))

    def _facts(self) -> Facts:
        choices = {str(choice): list[str]() for choice in self.rods.values()}
        for name, choice in self.rods.items():
            choices[str(choice)].append(name)
        described = [(few(names), choice) for choice, names in choices.items()]
        return Facts(
            f"Model {self.name!r}, {counted(self.n_dof, 'degree')} of freedom",
            [*described, ("inputs", few(self.inputs) or "none")],
        )

    def _picture(self) -> Robot:
        return self.robot

    def once(self, make: "Callable[[Model], T]") -> T:
        """What a function makes of the model: made once, and kept as long as the model is."""
        kept = self._kept
        if make not in kept:
            kept[make] = make(self)
        found: T = kept[make]
        return found

    @cached_property
    def _kept(self) -> dict[Any, Any]:
        return {}

    @cached_property
    def n_multipliers(self) -> int:
        """Number of multipliers of constraints, and three for each pair that may touch."""
        pairs = 0 if self.contacts is None else self.contacts.count
        return len(self.inputs.multipliers) + 3 * pairs

    @property
    def name(self) -> str:
        """Name of the robot."""
        return self.robot.name

    @property
    def n_dof(self) -> int:
        """Number of degrees of freedom."""
        return self.layout.n_dof

    @cached_property
    def length(self) -> float:
        """A length to compare moments with forces: of the longest rod or volume, else 1 m."""
        return self.robot.length

    @cached_property
    def finest(self) -> float:
        """The shortest distance between neighbouring nodes of a rod [m]."""
        lengths = (
            self.parts[place.part].group.node_lengths(place.index) for place in self.places.values()
        )
        return min((float(np.diff(s).min()) for s in lengths if len(s) > 1), default=1.0)

    @property
    def reacting(self) -> list[str]:
        """Labels of the joints whose reaction can be asked for."""
        return [
            *(label for label, cuts in self.cuts.items() if len(cuts) == 1),
            *self.joints.labels,
        ]

    @property
    def driven(self) -> list[str]:
        """Names of motors and driven joints, whose torque can be asked for."""
        return [m.joint.label for m in self.movers if not isinstance(m.joint, Weld)]

    @cached_property
    def angles(self) -> Indices:
        """Places of the angles of driven hinges and motors among the inputs."""
        found = [m.place for m in self.movers if isinstance(m.joint, Hinge | Motor)]
        return np.array(found, dtype=np.int64)

    @cached_property
    def rotations(self) -> tuple[Indices, ...]:
        """Places of the rotations of the tubes of each set among the inputs, innermost first."""
        return tuple(
            np.array([self.inputs[f"{tube.name}.rotation"].begin for tube in own.tubes])
            for own in self.robot.tubes
        )

    @cached_property
    def insertions(self) -> tuple[Indices, ...]:
        """Likewise, of their insertions."""
        return tuple(
            np.array([self.inputs[f"{tube.name}.insertion"].begin for tube in own.tubes])
            for own in self.robot.tubes
        )

    @property
    def guided(self) -> list[str]:
        """Names of hinges and sliders that move freely, whose coordinate can be asked for."""
        joints = self.joints
        return [x for x, n in zip(joints.labels, joints.brings.tolist(), strict=True) if n == 5]

    @cached_property
    def locked(self) -> bool:
        """Whether loops may close upon something that moves, by rods without multipliers.

        In the linear picture it cannot move then without stretching them.
        """
        layout = self.layout
        upon = layout.coordinate[layout.closing.ravel()] >= 0
        closed = bool(upon.any()) or len(self.joints.nodes) > 0
        return closed and any(not part.group.multiplier.any() for part in self.parts)

    @cached_property
    def joints_loop(self) -> bool:
        """Whether joints that move freely make loops by themselves, without any rod."""
        ends = self.layout.coordinate[self.joints.nodes] + 1  # the world is 0
        n = self.layout.n_coordinates + 1
        graph = coo_array((np.ones(len(ends)), ends.T), shape=(n, n))
        parts, _ = connected_components(graph, directed=False)
        return len(ends) > n - int(parts)

    @cached_property
    def largest_stiffness(self) -> float:
        """Largest stiffness against stretch or shear [N]."""
        of_rods = max((float(part.stiffness.max()) for part in self.parts), default=0.0)
        return of_rods or max((member.stiffness for member in self.members), default=0.0)

    @cached_property
    def firmness(self) -> Array:
        """Stiffness that acts on each unknown, relative to the largest one, (n_dof,).

        With volumes all ones: what clamps and threads carry comes from elsewhere.
        """
        if self.members or not self.largest_stiffness:
            return frozen(np.ones(self.layout.n_dof))
        return firmness(self.layout, self.parts, self.terms, self.largest_stiffness)

    @cached_property
    def balance(self) -> Array:
        """What turns residuals into forces [N] as a part of the largest stiffness, (n_dof,).

        Forces on soft rods count as many times as these are softer, gaps as they are.
        """
        layout = self.layout
        return frozen(np.where(layout.multiplier, layout.units, layout.units / self.firmness))

    @cached_property
    def gauge(self) -> Array:
        """The units in which all motions resist alike, and all multipliers give, (n_dof,)."""
        layout, root = self.layout, np.sqrt(self.firmness)
        return frozen(layout.units * np.where(layout.multiplier, root, 1.0 / root))

    @cached_property
    def limp_force(self) -> float:
        """What bends the limpest rod by about its length [N]; of volumes, what strains one by 1."""
        rods = [place.rod for place in self.places.values()]
        forces = [bending(rod).least / rod.length**2 for rod in rods]
        return min(forces, default=0.0) or self.largest_stiffness or 1.0

    @cached_property
    def restrained(self) -> list[str]:
        """Rods of which strain components are switched off."""
        sets = {place.set for place in self.tubes.values()}
        return [
            name
            for name, place in self.places.items()
            if name not in sets and not self.parts[place.part].group.free.all()
        ]

    def with_rows(self, kind: type[M]) -> list[tuple[M, Indices]]:
        """Its members of a kind, each with the unknowns that it brings."""
        pairs = zip(self.members, self.layout.member_rows, strict=True)
        return [(member, rows) for member, rows in pairs if isinstance(member, kind)]

    def place(self, rod: str) -> Place:
        """Where the rod of that name is; a set of tubes is none."""
        check_no_set(f"model of {self.name!r}", rod, self.robot.tubes)
        if not isinstance(rod, str) or rod not in self.places:
            remedy = f"ask result.volume({rod!r}), or result.pose(On({rod!r}, (x, y, z)))"
            check_no_volume(f"model of {self.name!r}", rod, self.volumes, remedy=remedy)
            raise UnknownName("rod", rod, [x.name for x in self.robot.slender])
        return self.places[rod]

    def rod_nodes(self, place: Place) -> slice:
        """The nodes of a rod."""
        part = self.parts[place.part]
        first, stop = part.begin + part.group.rod_nodes[place.index : place.index + 2]
        return slice(int(first), int(stop))

    def inner(self, state: State, part: int) -> Array:
        """The inner unknowns of a part, row by row: (n_nodes, n_inner)."""
        found = np.zeros((self.parts[part].n_nodes, self.parts[part].group.n_inner))
        self.layout.inner(state.numbers, self.parts[part].nodes, found)
        return found

    def read_inputs(self, values: Mapping[str, ArrayLike] | None) -> Inputs:
        """All inputs: the given ones and the described rest."""
        return self.inputs.described.changed(values)

    def layout_at(self, inputs: Inputs) -> Layout:
        """The layout with everything that inputs move where they have it."""
        return self.layout.at(self.motions(inputs)) if self.movers else self.layout

    def drift(self, inputs: Inputs, change: Array) -> Twist | None:
        """How nodes move with inputs while the unknowns rest, (n_nodes, 6); None if they do not."""
        (found,) = self.drifts(inputs, change[:, None])
        return found

    def drifts(self, inputs: Inputs, changes: Matrix) -> list[Twist | None]:
        """The same for several changes, (n_values, m)."""
        found: list[Twist | None] = [None] * changes.shape[1]
        if not self.movers:
            return found
        moving = (changes * self.inputs.moving[:, None]).any(axis=0)
        if not moving.any():
            return found
        own = np.flatnonzero(moving)
        twists = np.stack([mover.twist(changes[:, own]) for mover in self.movers], axis=1)
        drifts = self.layout.drifts(self.motions(inputs), np.ascontiguousarray(twists))
        for i, drift in zip(own.tolist(), drifts, strict=True):
            found[i] = drift
        return found

    def dead_force(self, values: Array) -> Vector:
        """All dead forces together, for given values, in world axes [N], (3,)."""
        found = (owner.wrenches_at(values) for owner in self._acting)
        return sum((x.dead_force(values) for x in found if x is not None), np.zeros(3))

    @cached_property
    def _acting(self) -> "list[Law | Term]":
        """All laws and terms."""
        laws: list[Law | Term] = [law for part in self.parts for law in part.laws]
        return [*laws, *self.terms]

    def without_potential(self, values: Array) -> float:
        """Size of all loads without one, moments over the length; inf if they are not loads [N]."""
        found = 0.0
        if not all(member.conservative(values) for member in self.members):
            return np.inf
        for owner in self._acting:
            if owner.conservative(values):
                continue
            loads = owner.wrenches_at(values)
            if loads is None:
                return np.inf
            moment, force = loads.without_potential(values)
            found += moment / self.length + force
        return found

    def motions(self, inputs: Inputs) -> Pose:
        """The poses that inputs make, of named welds, driven joints and motors, (n, 4, 4)."""
        return np.array([mover.motion(inputs) for mover in self.movers])

    def conservative(self, inputs: Inputs) -> bool:
        """Whether everything has a potential at these inputs."""
        laws = (law for part in self.parts for law in part.laws)
        along = all(law.conservative(inputs.values) for law in laws)
        along = along and all(member.conservative(inputs.values) for member in self.members)
        return along and all(term.conservative(inputs.values) for term in self.terms)

    @cached_property
    def softened(self) -> "Model":
        """The same with rods that stretch and shear more easily: a way into closed loops.

        Poses as coordinates make thin rods in closed loops hard to start: a body that six rods hold
        cannot move without stretching them, in the linear picture. With stretch and shear softer,
        but still stiff beside bending, Newton gets there; from that equilibrium to the true one are
        a few iterations more. So do volumes of other laws from that of the corotational one.
        """
        parts = []
        for part in self.parts:
            rods = part.group.points.rod
            parts.append(replace(part, laws=tuple(law.softened(rods) for law in part.laws)))
        members = tuple(member.softened() for member in self.members)
        return replace(self, parts=tuple(parts), members=members)
