"""Robots that differ in some numbers of their description."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from flexura.errors import ModelError, show
from flexura.model.build import build
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.model.state import State
from flexura.robot import Robot
from flexura.robot.parameter import parameter
from flexura.rods.discretization import Discretization
from flexura.solve.derivative.variation import Variation, variations
from flexura.typing import Array

Values = Mapping[str, Array]


class Family(Protocol):
    """Models that differ in some numbers."""

    def described(self, name: str) -> Array:
        """The value that a number, or several, have at first."""

    def model(self, values: Values) -> Model:
        """The model with these values; raises ModelError where there is none."""

    def around(
        self, model: Model, values: Values, name: str, state: State, given: Inputs
    ) -> list[Variation]:
        """Models beside one of them, for each number of a name."""


@dataclass(frozen=True, eq=False)
class Paths:
    """Robots that differ in parameters by path.

    Attributes:
        home: the model that was given.
    """

    home: Model

    def described(self, name: str) -> Array:
        """The value in the description."""
        return parameter(self.home.robot, name).value

    def model(self, values: Values) -> Model:
        """The given model where nothing has changed, else a new one."""
        robot = self.home.robot
        for path, value in values.items():
            robot = parameter(robot, path).with_value(value)
        same = robot == self.home.robot
        return self.home if same else build(robot, self.home.rods, self.home.also)

    def around(
        self, model: Model, values: Values, name: str, state: State, given: Inputs
    ) -> list[Variation]:
        """Of the path."""
        return variations(model, parameter(model.robot, name), state, given)


@dataclass(frozen=True, eq=False)
class Argument:
    """An argument of a function that describes robots, as a parameter of one of them."""

    family: "Described"
    values: Values
    path: str

    is_pose = False
    size = 1

    @property
    def value(self) -> Array:
        """What it is."""
        return self.values[self.path]

    def moved(self, change: Array) -> Robot:
        """The robot after a change of it, (1,)."""
        return self.family.robot({**self.values, self.path: self.value + change[0]})


@dataclass(frozen=True, eq=False)
class Described:
    """Robots that a function describes, of numbers by name.

    Attributes:
        function: it.
        first: values to begin with.
        rods: how to build them.
    """

    function: Callable[..., Robot]
    first: Values
    rods: Discretization | Mapping[str, Discretization]

    def described(self, name: str) -> Array:
        """The value to begin with."""
        return self.first[name]

    def robot(self, values: Values) -> Robot:
        """The robot with these values."""
        robot = self.function(**{name: float(value) for name, value in values.items()})
        if not isinstance(robot, Robot):
            raise ModelError(
                f"calibrate: the function must return a Robot, got {type(robot).__name__}: "
                f"{show(robot)}"
            )
        return robot

    def model(self, values: Values) -> Model:
        """Built anew."""
        return build(self.robot(values), self.rods)

    def around(
        self, model: Model, values: Values, name: str, state: State, given: Inputs
    ) -> list[Variation]:
        """Of the argument."""
        return variations(model, Argument(self, values, name), state, given)
