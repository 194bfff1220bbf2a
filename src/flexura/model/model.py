"""The model that ``build`` makes and every solver works on."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from flexura.errors import ModelError, UnknownName
from flexura.model.layout import Layout
from flexura.model.state import State
from flexura.model.terms.elastic import Elastic
from flexura.model.terms.load import Loads
from flexura.robot import Robot, Rod
from flexura.rods.discretization import RodGroup
from flexura.typing import Array, ArrayLike, Indices, Matrix6


@dataclass(frozen=True)
class Part:
    """A group of rods with the laws that act along it.

    Attributes:
        group: the discretized rods.
        begin: index of its first node in the model.
        elastic: elasticity at its points.
        loads: loads at its points.
        posed: the points that carry loads.
    """

    group: RodGroup
    begin: int
    elastic: Elastic
    loads: Loads
    posed: Indices

    @property
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
        nodes: nodes on one side of the joint, (n,).
        transfer: takes the force of each to the joint's second frame, (n, 6, 6).
    """

    nodes: Indices
    transfer: Matrix6


@dataclass(frozen=True)
class Input:
    """A quantity that can change from solve to solve.

    Attributes:
        default: its described value, as (moment, force), (6,).
        size: how many numbers the user gives: the last ``size`` of the six.
        meaning: what the numbers are.
    """

    default: Array
    size: int
    meaning: str


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
        joints: by label, what carries each joint's reaction.
        inputs: by name, in the order of the rows of an input array.
        start: the unloaded robot.
    """

    name: str
    robot: Robot
    parts: tuple[Part, ...]
    places: Mapping[str, Place]
    frames: Mapping[str, int]
    layout: Layout
    node_loads: Loads
    joints: Mapping[str, Cut]
    inputs: Mapping[str, Input]
    start: State

    @property
    def n_dof(self) -> int:
        """Number of degrees of freedom."""
        return self.layout.n_dof

    @property
    def length(self) -> float:
        """Length of the longest rod [m], to compare moments with forces."""
        return max(place.rod.length for place in self.places.values())

    def place(self, rod: str) -> Place:
        """Where the rod of that name is."""
        if rod not in self.places:
            raise UnknownName("rod", rod, self.places)
        return self.places[rod]

    def input_array(self, values: Mapping[str, ArrayLike] | None) -> Array:
        """All inputs as rows (moment, force): the given ones and the described rest.

        Raises:
            UnknownName: for a name that is no input.
            ModelError: for a value of the wrong size, or that is not finite.
        """
        array = np.array([entry.default for entry in self.inputs.values()]).reshape(-1, 6)
        if values is None:
            return array
        if not isinstance(values, Mapping):
            raise ModelError(
                f"inputs must be a dict of names and values, got {type(values).__name__}"
            )
        rows = {name: i for i, name in enumerate(self.inputs)}
        for name, value in values.items():
            if name not in rows:
                raise UnknownName("input", name, self.inputs)
            entry = self.inputs[name]
            try:
                given = np.asarray(value, dtype=np.float64)
            except (TypeError, ValueError):
                given = np.array(np.nan)
            if given.shape != (entry.size,) or not np.isfinite(given).all():
                raise ModelError(
                    f"input {name!r} takes {entry.size} finite numbers, {entry.meaning}; "
                    f"got {value!r}"
                )
            array[rows[name], 6 - entry.size :] = given
        return array

    def conservative(self, inputs: Array) -> bool:
        """Whether all loads have a potential at these inputs."""
        along = all(part.loads.conservative(inputs) for part in self.parts)
        return along and self.node_loads.conservative(inputs)
