"""Paths of equilibria through limit points, by arc length."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from flexura.errors import ModelError, UnknownName
from flexura.model.assemble import Assembly
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.result.path import EquilibriumPath, Mark, PathStatus
from flexura.result.static import StaticResult
from flexura.solve.corrector import Direction, Way, null_direction
from flexura.solve.follower import Follower, Point
from flexura.solve.statics import statics
from flexura.typing import ArrayLike

FIRST_STEP = 0.02
LARGEST_STEP = 0.1
SMALLEST_STEP = 1e-7
# A corrector that takes at most EASY iterations makes the next step longer, more than HARD shorter.
EASY, LONGER = 4, 1.5
HARD, SHORTER = 8, 0.5
FAILED = 0.25


def continuation(
    model: Model,
    input: str,
    to: ArrayLike,
    start: StaticResult | Mark | None = None,
    inputs: Mapping[str, ArrayLike] | None = None,
    arc_length: bool = True,
    steps: int = 200,
    side: Literal[1, -1] = 1,
) -> EquilibriumPath:
    """Follow equilibria while one input changes from its value at the start.

    The unknowns are the robot and λ, the part of the change, together: the path is followed along
    its own length (Riks, Keller), so λ may turn around at limit points and leave [0, 1] on the
    way. Limit points and bifurcations are located.

    Args:
        model: what ``build`` returned; tendons that are driven by their length are refused.
        input: name of the input that changes: numbers linearly, a pose along a screw.
        to: its value at the end, λ = 1.
        start: an equilibrium to start from; or a bifurcation of an earlier path, to follow the
            path that crosses there.
        inputs: values at the start by name, if it shall be found by ``statics``; the rest has
            its described value.
        arc_length: whether to pass limit points; else λ only grows, and the path stops there.
        steps: how many to take at most.
        side: which way to leave a bifurcation.

    Returns:
        The path; its ``status`` says how it ended, it does not raise if the end is not reached.

    Raises:
        ModelError: for an input, a start or an option that makes no sense.
        NotConverged: if ``statics`` finds no equilibrium to start from.
    """
    if not isinstance(model, Model):
        kind = type(model).__name__
        raise ModelError(f"continuation takes the Model that build returns, got {kind}")
    if input not in model.inputs:
        raise UnknownName("input", input, model.inputs)
    if isinstance(steps, bool) or not isinstance(steps, int) or steps < 1:
        raise ModelError(f"continuation: steps must be a whole number >= 1, got {steps!r}")
    if side not in (1, -1):
        raise ModelError(f"continuation: side must be 1 or -1, got {side!r}")
    if model.tendons.by_length.any():
        raise ModelError(
            "continuation cannot follow tendons that are driven by their length yet; drive them "
            "by tension"
        )
    first = _start(model, start, inputs)
    way = Way(model, first.given, _end(model, first.given, input, to))
    follower = Follower(Assembly(model), way, arc_length)
    crossing = isinstance(start, Mark) and inputs is None
    point = follower.begin(first, side if crossing else 0)
    return _Walk(follower, input, _edges(model, way, input)).run(point, steps)
