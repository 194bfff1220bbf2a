"""Where ``build`` brings everything together: what acts, in terms of nodes and points.

Functions of ``model/mechanics`` are called with it, one for each concept of a robot; a user's own
ones too, ``build(robot, also=[...])``.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from flexura.errors import ModelError, UnknownName
from flexura.model.constraint import Constraint
from flexura.model.contact import Contacts
from flexura.model.inputs import Input, InputTable
from flexura.model.law import Law
from flexura.model.linked import Cut, Mover
from flexura.model.member import Member
from flexura.model.model import Tendons
from flexura.model.node_finder import NodeFinder
from flexura.model.part import Binding, Place, TubePlace
from flexura.model.particles import NONE, Particles
from flexura.model.term import Term
from flexura.model.terms.joint import Joints
from flexura.robot import FrameLike, Robot
from flexura.rods.discretization import RodGroup, RodPlan
from flexura.rods.tubes import SetPlan
from flexura.typing import Array, Indices, Pose, frozen


class Mechanics(Protocol):
    """What adds laws, terms, constraints and inputs to a model.

    One that acts on points inside rods has a method ``jumps(rod)`` besides, which gives their arc
    lengths on the rod of that name [m]: each becomes a node.
    """

    def __call__(self, site: "Site") -> None:
        """Add them."""


@dataclass(eq=False)
class Site:
    """The model while it is made.

    Attributes:
        robot: the description.
        groups: the discretized rods, part by part.
        plans: the rods of each part.
        nodes: finds nodes.
        laws: of each part.
        terms: what acts on nodes.
        constraints: what holds with multipliers.
        contacts: what may touch what; None if nothing.
        members: what acts on particles.
        volumes: first particle of each volume, by name.
        tendons: table of the tendons.
        joints: the joints that move freely.
        cuts: what carries the reactions of rigid links.
        movers: links that an input moves.
        tubes: where each tube of a set is.
        bindings: by part, what inputs change about it.
    """

    robot: Robot
    groups: Sequence[RodGroup]
    plans: Sequence[Sequence[RodPlan]]
    nodes: NodeFinder
    laws: list[list[Law]] = field(init=False)
    terms: list[Term] = field(default_factory=list)
    constraints: list[Constraint] = field(default_factory=list)
    contacts: Contacts | None = None
    members: list[Member] = field(default_factory=list)
    volumes: dict[str, int] = field(default_factory=dict)
    tendons: Tendons | None = None
    joints: Joints | None = None
    cuts: dict[str, tuple[Cut, ...]] = field(default_factory=dict)
    movers: list[Mover] = field(default_factory=list)
    tubes: dict[str, TubePlace] = field(default_factory=dict)
    bindings: dict[int, Binding] = field(default_factory=dict)
    _inputs: dict[str, Input] = field(default_factory=dict)
    _n_values: int = 0
    _multipliers: list[int] = field(default_factory=list)
    _constant: dict[int, float] = field(default_factory=dict)
    _rest: list[Array] = field(default_factory=list)
    _rides: list[tuple[Indices, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.laws = [[] for _ in self.groups]

    @property
    def sets(self) -> dict[int, tuple[SetPlan, ...]]:
        """Parts that are sets of tubes, which have laws of their own, and their plans."""
        found = (tuple(x for x in plans if isinstance(x, SetPlan)) for plans in self.plans)
        return {part: plans for part, plans in enumerate(found) if plans}

    @property
    def rod_parts(self) -> list[int]:
        """Parts that are rods."""
        return [part for part in range(len(self.groups)) if part not in self.sets]

    def place(self, rod: str) -> Place:
        """Where the rod of that name is."""
        if rod not in self.nodes.places:
            raise UnknownName("rod", rod, self.nodes.places)
        return self.nodes.places[rod]

    def find(self, frame: FrameLike) -> tuple[int, Pose]:
        """The node of a frame, and the pose of the frame in it."""
        return self.nodes.find(frame)

    def input(self, name: str, entry: Input) -> int:
        """Add an input; the place of its first number among the given values."""
        if name in self._inputs:
            raise ModelError(f"there are two inputs called {name!r}; give one another name")
        self._inputs[name] = replace(entry, begin=self._n_values)
        self._n_values = self._inputs[name].place.stop
        return self._inputs[name].begin

    def place_of(self, name: str) -> int:
        """The place of the first number of an input that was added."""
        return self._inputs[name].begin

    def multiplier(self, count: int = 1) -> Indices:
        """Add multipliers of a constraint; their places among the given values."""
        places = self._n_values + np.arange(count)
        self._n_values += count
        self._multipliers += places.tolist()
        return frozen(places)

    def conjugate(self, place: int, value: float) -> None:
        """Add a constant part of what is conjugate to a given value."""
        self._constant[place] = self._constant.get(place, 0.0) + value

    def add_particles(self, volume: str, rest: Array) -> int:
        """Add the particles of a volume, at rest [m], (n, 3); the number of the first one."""
        begin = self.volumes[volume] = sum(map(len, self._rest))
        self._rest.append(rest)
        return begin

    def clamp(self, particles: Indices, node: int) -> None:
        """Let particles ride on a node, where they are while everything is at rest."""
        self._rides.append((particles, node))

    @property
    def held_particles(self) -> Indices:
        """Particles that ride on nodes, (n,)."""
        return np.concatenate([NONE, *(particles for particles, _ in self._rides)])

    def particles(self) -> Particles:
        """All particles, without unknowns and places yet."""
        rest = np.concatenate([np.empty((0, 3)), *self._rest])
        node = np.full(len(rest), -1)
        for particles, own in self._rides:
            node[particles] = own
        return Particles(
            frozen(rest), frozen(np.full(len(rest), -1)), frozen(node), frozen(np.zeros_like(rest))
        )

    def table(self) -> InputTable:
        """All inputs."""
        order = [m for constraint in self.constraints for m in constraint.multipliers.tolist()]
        if sorted(order) != sorted(self._multipliers):
            raise ModelError("every multiplier of a site needs one constraint that has it")
        return InputTable(
            tuple(self._inputs),
            tuple(self._inputs.values()),
            self._n_values,
            frozen(np.array(order, dtype=np.int64)),
        )

    def constant(self) -> Array:
        """The constant part of what is conjugate to the given values."""
        found = np.zeros(self._n_values)
        for place, value in self._constant.items():
            found[place] = value
        return frozen(found)
