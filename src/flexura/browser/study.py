"""A robot that is studied: what is solved again and again, without anything of a browser."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from flexura._kernel import seconds_spent_compiling
from flexura.browser.knob import Bounds
from flexura.errors import FlexuraError
from flexura.model.build import DEFAULT, build
from flexura.model.model import Model
from flexura.result.inverse import InverseResult
from flexura.result.shape_error import shape_error
from flexura.result.static import StaticResult
from flexura.robot import Robot
from flexura.rods.discretization import Discretization
from flexura.rods.tube_choice import CARRIERS
from flexura.solve.inverse.inverse import Targets, inverse
from flexura.solve.statics import statics
from flexura.solve.unloaded import unloaded
from flexura.typing import Array, ArrayLike

PATIENCE = 8  # equilibria on the way to a target; the mouse has moved on then


@dataclass(frozen=True, eq=False)
class Finding:
    """What a solve has found.

    Attributes:
        result: how it ended.
        shown: the equilibrium to look at: this one, or the last good one.
        seconds: what it took [s].
        words: what else there is to say.
        refused: whether the inputs were, so that the result is the one before.
        unheld: whether the robot has no equilibrium, so that the result is the unloaded one.
    """

    result: StaticResult
    shown: StaticResult
    seconds: float
    words: str = ""
    refused: bool = False
    unheld: bool = False

    @property
    def good(self) -> bool:
        """Whether what is looked at is what was asked for."""
        return self.shown is self.result and not (self.refused or self.unheld)


class Study:
    """Equilibria of a robot, each from the one before.

    Attributes:
        model: what is solved.
        inputs: of the last solve, by name.
        finding: of the last solve.
    """

    def __init__(self, model: Model, inputs: Mapping[str, ArrayLike] | None = None) -> None:
        self.model = model
        self.inputs: dict[str, Array] = model.read_inputs(inputs).by_name()
        self._start: StaticResult | None = None
        self.solve(self.inputs)  # loads kernels, which later solves do not wait for
        self.finding = self.solve(self.inputs)

    def solve(self, inputs: Mapping[str, ArrayLike]) -> Finding:
        """The equilibrium under inputs; where there is none, the last good one stays."""
        began = _clock()
        try:
            result = statics(self.model, inputs, start=self._start)
        except FlexuraError as error:
            self.finding = self._refused(inputs, error, _clock() - began)
            return self.finding
        if not _good(result) and self._start is not None:  # as one who has just come would
            afresh = statics(self.model, inputs)
            result = afresh if _good(afresh) else result
        self.inputs = result.given.by_name()
        return self._keep(result, _clock() - began)

    def _refused(
        self, inputs: Mapping[str, ArrayLike], error: FlexuraError, seconds: float
    ) -> Finding:
        """What there is to see instead of an equilibrium: the last one, or the unloaded robot."""
        if self._start is not None:
            return Finding(self.finding.result, self._start, seconds, str(error), refused=True)
        given = self.model.read_inputs(inputs)
        rest = replace(unloaded(self.model, given), given=given)
        self.inputs = given.by_name()
        return Finding(rest, rest, seconds, str(error), unheld=True)

    def reach(self, target: Targets, bounds: Bounds) -> Finding:
        """Bring frames to their targets by the inputs that have bounds, as far as these allow.

        Raises:
            FlexuraError: where nothing can be moved, or there is no equilibrium to begin with.
        """
        began = _clock()
        found = inverse(self.model, target, list(bounds), bounds, self._start, iterations=PATIENCE)
        assert isinstance(found, InverseResult)
        self.inputs = found.result.given.by_name()
        words = "" if found.converged else str(found.status).split(";")[0]
        return self._keep(found.result, _clock() - began, words)

    def follow(self, other: "Study") -> None:
        """Solve with the inputs of another study of the same robot, unless they are these."""
        theirs = other.finding.result.given.values
        if not np.array_equal(self.finding.result.given.values, theirs):
            self.solve(other.inputs)

    def described(self, rods: Discretization) -> "Study":
        """The same robot and inputs in another description."""
        return Study(build(self.model.robot, rods, self.model.also), self.inputs)

    def rebuilt(self, robot: Robot) -> "Study":
        """Another robot, with the descriptions of rods and the inputs of this one that it has."""
        own = self.model.rods
        other = next(iter(own.values()), DEFAULT)  # of rods that this robot has not
        rods = {rod.name: own.get(rod.name, other) for rod in robot.rods}
        for tubes in robot.tubes:
            choice = own.get(tubes.name, other)
            rods[tubes.name] = choice if isinstance(choice, CARRIERS) else DEFAULT
        model = build(robot, rods, self.model.also)
        kept = {}
        for name, value in self.inputs.items():
            if name in model.inputs and model.inputs[name].shape == np.shape(value):
                kept[name] = value
        try:
            return Study(model, kept)
        except FlexuraError:  # a value that it does not take
            return Study(model)

    def apart(self, other: "Study") -> float:
        """Largest distance of rods from those of another study of the same robot [m]."""
        a, b = self.finding.shown, other.finding.shown
        rods = self.model.robot.slender
        return max((shape_error(a, b, rod.name).max_position for rod in rods), default=0.0)

    def _keep(self, result: StaticResult, seconds: float, words: str = "") -> Finding:
        good = _good(result)
        if good:
            self._start = result
        shown = result if good or self._start is None else self._start
        self.finding = Finding(result, shown, seconds, words)
        return self.finding


def _good(result: StaticResult) -> bool:
    return result.converged and result.stable is not False


def _clock() -> float:
    """Time without that of compiling, which happens once [s]."""
    return time.perf_counter() - seconds_spent_compiling()
