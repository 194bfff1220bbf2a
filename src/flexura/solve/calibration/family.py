"""Robots that differ in some numbers of their description."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import signature
from typing import Protocol

import numpy as np

from flexura.errors import ModelError, show
from flexura.model.build import DEFAULT, build, rebuilt
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.model.state import State
from flexura.robot import Robot
from flexura.robot.parameter import parameter
from flexura.rods.discretization import Discretization
from flexura.solve.calibration.unknown import asked, guessed
from flexura.solve.derivative.variation import Variation, variations
from flexura.typing import Array

Values = Mapping[str, Array]


class Family(Protocol):
    """Models that differ in some numbers."""

    def model(self, values: Values, like: Model | None = None) -> Model:
        """The model with these values, whose states are those of another; ModelError if none is."""

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

    def model(self, values: Values, like: Model | None = None) -> Model:
        """The given model where nothing has changed, else a new one."""
        robot = self.home.robot
        for path, value in values.items():
            robot = parameter(robot, path).with_value(value)
        same = robot == self.home.robot
        return self.home if same else rebuilt(self.home, robot, self.home.rods)

    def around(
        self, model: Model, values: Values, name: str, state: State, given: Inputs
    ) -> list[Variation]:
        """Of the path."""
        return variations(model, parameter(model.robot, name), state, given)


@dataclass(frozen=True, eq=False)
class Argument:
    """An argument of a function that describes robots, as a parameter of one of them."""

    family: "Function"
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
class Function:
    """Robots that a function describes, of numbers by name.

    Attributes:
        function: it.
        rods: how to build them.
    """

    function: Callable[..., Robot]
    rods: Discretization | Mapping[str, Discretization]

    def robot(self, values: Values) -> Robot:
        """The robot with these values."""
        robot = self.function(**{name: float(value) for name, value in values.items()})
        if not isinstance(robot, Robot):
            raise ModelError(
                f"calibrate: the function must return a Robot, got {type(robot).__name__}: "
                f"{show(robot)}"
            )
        return robot

    def model(self, values: Values, like: Model | None = None) -> Model:
        """Built anew."""
        robot = self.robot(values)
        return build(robot, self.rods) if like is None else rebuilt(like, robot, self.rods)

    def around(
        self, model: Model, values: Values, name: str, state: State, given: Inputs
    ) -> list[Variation]:
        """Of the argument."""
        return variations(model, Argument(self, values, name), state, given)


def family_of(
    model: Model | Callable[..., Robot],
    parameters: object,
    rods: Discretization | Mapping[str, Discretization] | None,
) -> tuple[Family, dict[str, Array]]:
    """The robots that parameters make, and the first guesses of these."""
    names = asked("parameters", parameters)
    if isinstance(model, Model):
        if rods is not None:
            raise ModelError("calibrate: rods= belongs to a function; a Model has its rods already")
        own = [(path, parameter(model.robot, path).value, x) for path, x in names.items()]
        return Paths(model), {path: guessed(path, value, x) for path, value, x in own}
    if not callable(model) or isinstance(model, type):
        raise ModelError(
            "calibrate takes the Model that build returns, or a function that returns a Robot, got "
            f"{type(model).__name__}: {show(model)}"
        )
    lacking = [name for name, guess in names.items() if guess is None]
    if lacking:
        raise ModelError(
            f"calibrate: a function needs first guesses of its parameters, and {lacking[0]!r} has "
            "none; write parameters={name: guess, ...}"
        )
    first = {name: guessed(name, np.array(0.0), guess) for name, guess in names.items()}
    try:
        signature(model).bind(**first)
    except TypeError as error:
        text = ", ".join(names) or "none"
        raise ModelError(
            f"calibrate: the function takes other arguments than parameters= names ({text}): "
            f"{error}"
        ) from None
    return Function(model, DEFAULT if rods is None else rods), first
