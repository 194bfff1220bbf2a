"""Equilibria of the continuous equations, by multiple shooting.

The chain is cut into segments. The unknowns are pose and wrench where each begins; the equations
say that each arrives where, and as, the next one begins. Newton's method with the derivatives of
the integration needs no more than a band matrix. Nothing is discretized but the integration, which
keeps to its tolerance: this is the reference for all other descriptions.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import isfinite

import numpy as np

from flexura.errors import ModelError
from flexura.lie import se3, so3
from flexura.model.build import build
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.model.state import State
from flexura.result.integrated import IntegratedResult
from flexura.result.static import StaticResult
from flexura.result.status import Status
from flexura.robot import PointLoad, Robot
from flexura.robot.rod import ROUNDING
from flexura.rods.spline import Spline
from flexura.solve.dense import Dense
from flexura.solve.serial import Chain, Problem, spot
from flexura.solve.shooting_newton import COARSE, Nodes, Outcome, Search
from flexura.typing import Array, ArrayLike, Pose, frozen

# Newton with the full load has this many iterations before the load is raised in steps.
AT_ONCE = 30
FIRST_STEP, SMALLEST_STEP = 0.25, 1e-4
# A step of the load may take this many iterations; no more than EASY double the next step.
PATIENCE, EASY = 12, 6
# A step that makes a stable chain unstable has jumped to another branch, unless it is so small
# that the path itself has passed a buckling point.
JUMP_STEP = 2e-3
MAX_ITERATIONS = 1000
# Bending, across that of the target, with which a chain that is held at both ends begins [rad]: a
# straight one would have to buckle first.
BENDING = 0.3
# Serves for names and inputs; its nodes are poses of the solution.
OUTLINE = Spline(degree=1, spans=12)


def shooting(
    robot: Robot,
    inputs: Mapping[str, ArrayLike] | None = None,
    start: StaticResult | None = None,
    tolerance: float = 1e-10,
) -> StaticResult:
    """Find an equilibrium of a serial chain of rods, without discretizing it.

    The chain is one rod, or several welded end to end; it begins at the world, and its other end is
    free or welded to the world too.

        Λ' = ad_ξᵀ Λ - F,   g' = g hat(ξ),   Λ = K (ξ - ξ*)                    (theory 1.1, 1.2)

    Newton's method with the full load first. If that fails, or ends in an unstable equilibrium, the
    load is raised in steps. A chain with both ends held begins bent and free, with its end where it
    then is; while its end is brought to where it is held, the chain is made straight again.

    Args:
        robot: the description.
        inputs: values of loads and named welds; what is not named keeps its described value.
        start: an earlier result for the same robot, of any kind, to start from.
        tolerance: of poses relative to 1 rad and the length, and of wrenches relative to those in
            play; the integration keeps to a thousandth of it in each step.

    Returns:
        A result whose ``status`` says how it went; it does not raise if there is no convergence.

    Raises:
        ModelError: for a robot that is not a serial chain, or for bad inputs.
    """
    _check(robot, start, tolerance)
    model = start.model if isinstance(start, IntegratedResult) else build(robot, rods=OUTLINE)
    chain, end = Chain(robot), model.read_inputs(inputs)
    homotopy = _cold(chain, model, end) if start is None else _warm(chain, model, end, start)
    search = Search(homotopy.at(1.0), tolerance)
    follow = start is None and not chain.held
    outcome = search.run(homotopy.start, AT_ONCE, follow)
    used, conservative = outcome.iterations, model.conservative(end)
    stable = search.stable(conservative) if outcome.converged else None
    if outcome.converged and stable is not False:
        return _result(chain, model, end, search, outcome, Status.CONVERGED, used, stable)
    path = _follow(homotopy, conservative, tolerance, MAX_ITERATIONS - used)
    ...
