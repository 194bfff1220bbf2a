"""The model that ``build`` makes and every solver works on."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from flexura.errors import UnknownName
from flexura.model.inputs import Input, Inputs
from flexura.model.layout import Layout
from flexura.model.terms.elastic import Elastic
from flexura.model.terms.joint import Joints
from flexura.model.terms.load import Loads
from flexura.model.terms.tendon import Routed, Segments, Tendons
from flexura.robot import Hinge, Motor, Robot, Rod, Slider, Weld
from flexura.rods.discretization import RodGroup
from flexura.typing import Array, ArrayLike, Indices, Pose


@dataclass(frozen=True)
class Part:
    """A group of rods with the laws that act along it.

    Attributes:
        group: the discretized rods.
        begin: index of its first node in the model.
        elastic: elasticity at its points.
        routed: tendons at its points.
        loads: loads at its points.
        posed: the points that carry loads.
        rest_links: the unloaded rods: pose of each node in the one before it.
        rest_inner: their inner unknowns.
    """

    group: RodGroup
    begin: int
    elastic: Elastic
    routed: Routed
    loads: Loads
    posed: Indices
    rest_links: Pose
    rest_inner: Array

    @cached_property
    def bends(self) -> bool:
        """Whether inner unknowns bend the rods, not only nodes."""
        return not bool(self.group.multiplier.all())

    @cached_property
    def nodes(self) -> slice:
        """The nodes of the group in the model."""
        return slice(self.begin, self.begin + int(self.group.rod_nodes[-1]))


@dataclass(frozen=True)
class Place:
    """Where to find a rod: its part, its index there, its description."""

    part: int
    index: int
    rod: Rod


@dataclass(frozen=True)
class Cut:
    """The nodes whose forces a joint carries, to find its reaction.

    Attributes:
        nodes: nodes on the side of the joint that does not hold the world, (n,).
        node: node of the joint's second frame.
        offset: pose of that frame in the node; the reaction is given in it.
        sign: 1 if the nodes are on the side of the second frame, else -1.
    """

    nodes: Indices
    node: int
    offset: Pose
    sign: float


@dataclass(frozen=True)
class Mover:
    """What an input moves: a named weld (its pose), or a driven joint or motor (its coordinate)."""

    joint: Weld | Hinge | Slider | Motor
    number: int

    def motion(self, inputs: Inputs) -> Pose:
        """The pose that the input makes."""
        if isinstance(self.joint, Weld):
            return np.asarray(inputs.pose[self.number])
        return self.joint.motion(float(inputs.drive[self.number]))


@dataclass(frozen=True)
class Model:
    """A robot in numbers: immutable, shared by any number of solves.

    Attributes:
        name: name of the robot.
        robot: the description that it was built from, for views and files.
        parts: groups of rods with their laws.
        places: where each rod is.
        frames: node of each named frame; the world has none.
        layout: from nodes to coordinates.
        node_loads: loads at nodes.
        tendons: the tendons.
        segments: straight pieces of tendons between nodes.
        pulleys: pulls towards points of the world.
        joints: joints that move freely.
        cuts: by label, what carries the reaction of each rigid link.
        movers: links that an input moves: the joint, and the number of its input in its kind.
        inputs: by name.
    """

    name: str
    robot: Robot
    parts: tuple[Part, ...]
    places: Mapping[str, Place]
    frames: Mapping[str, int]
    layout: Layout
    node_loads: Loads
    tendons: Tendons
    segments: Segments
    pulleys: Segments
    joints: Joints
    cuts: Mapping[str, tuple[Cut, ...]]
    movers: tuple[Mover, ...]
    inputs: Mapping[str, Input]

    @property
    def n_dof(self) -> int:
        """Number of degrees of freedom."""
        return self.layout.n_dof

    @cached_property
    def length(self) -> float:
        """A length to compare moments with forces: of the longest rod, else 1 m."""
        return max((place.rod.length for place in self.places.values()), default=1.0)

    @property
    def reacting(self) -> list[str]:
        """Labels of the joints whose reaction can be asked for."""
        return [
            *(label for label, cuts in self.cuts.items() if len(cuts) == 1),
            *self.joints.labels,
        ]

    @cached_property
    def locked(self) -> bool:
        """Whether loops may close upon something that moves, by rods without multipliers.

        In the linear picture it cannot move then without stretching them.
        """
        layout = self.layout
        upon = layout.coordinate[layout.closing.ravel()] >= 0
        closed = bool(upon.any()) or len(layout.joint_dof) > 0
        return closed and any(not part.group.multiplier.any() for part in self.parts)

    @cached_property
    def spare(self) -> deque[Any]:
        """Arrays that earlier solves have left for later ones."""
        return deque()

    @cached_property
    def joints_loop(self) -> bool:
        """Whether joints that move freely make loops by themselves, without any rod."""
        ends = self.layout.coordinate[self.joints.nodes] + 1  # the world is 0
        n = self.layout.n_coordinates + 1
        graph = coo_array((np.ones(len(ends)), ends.T), shape=(n, n))
        parts, _ = connected_components(graph, directed=False)
        return len(ends) > n - int(parts)

    @cached_property
    def stiffness(self) -> float:
        """Largest stiffness against stretch or shear [N]."""
        return max((part.elastic.largest_stiffness for part in self.parts), default=0.0)

    @cached_property
    def restrained(self) -> list[str]:
        """Rods of which strain components are switched off."""
        return [
            name
            for name, place in self.places.items()
            if not self.parts[place.part].group.free.all()
        ]

    @cached_property
    def described(self) -> Inputs:
        """The described values of all inputs."""
        return Inputs.described(self.inputs)

    def place(self, rod: str) -> Place:
        """Where the rod of that name is."""
        if rod not in self.places:
            raise UnknownName("rod", rod, self.places)
        return self.places[rod]

    def read_inputs(self, values: Mapping[str, ArrayLike] | None) -> Inputs:
        """All inputs: the given ones and the described rest."""
        return self.described.changed(self.inputs, values)

    def layout_at(self, inputs: Inputs) -> Layout:
        """The layout with everything that inputs move where they have it."""
        if not self.movers:
            return self.layout
        return self.layout.at(np.array([mover.motion(inputs) for mover in self.movers]))

    def conservative(self, inputs: Inputs) -> bool:
        """Whether all loads have a potential at these inputs."""
        along = all(part.loads.conservative(inputs.wrench) for part in self.parts)
        return along and self.node_loads.conservative(inputs.wrench)
