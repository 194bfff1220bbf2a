"""Equilibria of the continuous equations, by multiple shooting.

The chain is cut into segments. The unknowns are pose and wrench where each begins; the equations
say that each arrives where, and as, the next one begins. Newton's method with the derivatives of
the integration needs no more than a band matrix. Nothing is discretized but the integration, which
keeps to its tolerance: this is the reference for all other descriptions.
"""

from collections.abc import Mapping

import numpy as np

from flexura.errors import ModelError, show
from flexura.result.integrated import IntegratedResult
from flexura.result.static import StaticResult
from flexura.robot import Robot
from flexura.robot.check import flag
from flexura.solve.shooting.outline import outline_of
from flexura.solve.shooting.search import ChainSearch
from flexura.typing import ArrayLike

LARGEST_TOLERANCE = 1e-3


def shooting(
    robot: Robot,
    inputs: Mapping[str, ArrayLike] | None = None,
    start: StaticResult | None = None,
    tolerance: float = 1e-10,
    seek_stable: bool = True,
) -> StaticResult:
    """Find an equilibrium of a serial chain of rods, without discretizing it.

        Σ' = ad_ξᵀ Σ - F,   g' = g hat(ξ),   Σ = K (ξ - ξ*) + tendons          (theory 9.1, 9.2)

    The chain is one rod, or several welded end to end, with tendons driven by tension or by length.
    It begins at the world; its other end is free, or welded to the world too. Newton's method with
    the full load first. If that fails, or ends in an unstable equilibrium, ``statics`` of a
    discretized model seeks a stable one, beside which is that of the continuous equations; or the
    load is raised in steps from that of the start.

    Args:
        robot: the description.
        inputs: values of loads, named welds and tendons; what is not named keeps its described
            value.
        start: an earlier result for the same robot, of any kind, to start from; else the unloaded
            robot.
        tolerance: of poses relative to 1 rad and the length, of wrenches relative to those in
            play. Each step of the integration keeps to a thousandth of it.
        seek_stable: whether to look further if the first equilibrium found is unstable; leave it
            out to follow an unstable path, for example to find critical loads.

    Returns:
        A result whose ``status`` says how it went; it does not raise if there is no convergence.

    Raises:
        ModelError: for a robot that is not a serial chain of rods, or has tendons between discs, or
            for bad arguments.
    """
    _check(robot, start, tolerance)
    flag("shooting", "seek_stable", seek_stable)
    model = start.model if isinstance(start, IntegratedResult) else outline_of(robot)
    end = model.read_inputs(inputs)
    with np.errstate(all="ignore"):  # loads beyond all measure end in a status
        return ChainSearch(model, end, start, tolerance, seek_stable).run()


def _check(robot: Robot, start: StaticResult | None, tolerance: float) -> None:
    """Raise for arguments that make no sense."""
    if not isinstance(robot, Robot):
        raise ModelError(f"shooting takes a Robot, got {show(robot)}")
    if robot.contacts:
        raise ModelError(
            f"shooting takes no robot with contacts, such as {robot.name!r}: build it with a "
            "discretization, for statics"
        )
    if start is not None and (not isinstance(start, StaticResult) or start.model.robot != robot):
        raise ModelError("start must be a StaticResult for the same robot")
    number = isinstance(tolerance, float | int) and not isinstance(tolerance, bool)
    if not number or not 0.0 < tolerance <= LARGEST_TOLERANCE:
        raise ModelError(
            f"tolerance must be a number above 0 and up to {LARGEST_TOLERANCE}, got "
            f"{show(tolerance)}; 1e-10 is a good choice"
        )
