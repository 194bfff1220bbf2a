"""Equilibria of the continuous equations, by multiple shooting.

The chain is cut into segments. The unknowns are pose and wrench where each begins; the equations
say that each arrives where, and as, the next one begins. Newton's method with the derivatives of
the integration needs no more than a band matrix. Nothing is discretized but the integration, which
keeps to its tolerance: this is the reference for all other descriptions.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from flexura.errors import ModelError
from flexura.lie import se3
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
from flexura.solve.shooting.dense import Dense
from flexura.solve.shooting.path import PATIENCE, Path, at_once, cold, follow_any, warm
from flexura.solve.shooting.serial import Chain, spot
from flexura.typing import Array, ArrayLike, Pose, frozen

# Newton with the full load, from the unloaded chain, has this many iterations.
AT_ONCE = 30
# Serves for names and inputs; its nodes are poses of the solution.
OUTLINE = Spline(degree=1, spans=12)
LARGEST_TOLERANCE = 1e-3


def shooting(
    robot: Robot,
    inputs: Mapping[str, ArrayLike] | None = None,
    start: StaticResult | None = None,
    tolerance: float = 1e-10,
) -> StaticResult:
    """Find an equilibrium of a serial chain of rods, without discretizing it.

        Σ' = ad_ξᵀ Σ - F,   g' = g hat(ξ),   Σ = K (ξ - ξ*) + tendons          (theory 9.1, 9.2)

    The chain is one rod, or several welded end to end, with tendons driven by tension or by length.
    It begins at the world; its other end is free, or welded to the world too. Newton's method with
    the full load first. If that fails, or ends in an unstable equilibrium, the load is raised in
    steps from that of the start.

    Args:
        robot: the description.
        inputs: values of loads, named welds and tendons; what is not named keeps its described
            value.
        start: an earlier result for the same robot, of any kind, to start from; else the unloaded
            robot.
        tolerance: of poses relative to 1 rad and the length, of wrenches relative to those in
            play. Each step of the integration keeps to a thousandth of it.

    Returns:
        A result whose ``status`` says how it went; it does not raise if there is no convergence.

    Raises:
        ModelError: for a robot that is not a serial chain of rods, or has tendons between discs, or
            for bad arguments.
    """
    _check(robot, start, tolerance)
    model = start.model if isinstance(start, IntegratedResult) else build(robot, rods=OUTLINE)
    end = model.read_inputs(inputs)
    with np.errstate(over="ignore", invalid="ignore"):  # loads beyond all measure end in a status
        return _solve(robot, model, end, start, tolerance)


def _solve(
    robot: Robot, model: Model, end: Inputs, start: StaticResult | None, tolerance: float
) -> IntegratedResult:
    """The full load at once, else in steps."""
    chain = Chain.loaded(robot, end.by_name(model.inputs), model.tendons.gap)
    ways = [] if start is None else warm(chain, model, end, start)
    open_ended = not ways and not chain.held
    ways = ways or cold(chain, model, end)
    conservative = model.conservative(end)
    iterations = AT_ONCE if open_ended else PATIENCE
    first = at_once(ways[0], conservative, tolerance, iterations, recompose=open_ended)
    if first.outcome.converged and first.stable is not False:
        return _result(chain, model, end, first, Status.CONVERGED)
    path = follow_any(ways, conservative, tolerance)
    path = replace(path, iterations=first.iterations + path.iterations)
    if path.load_factor == 1.0:
        return _result(chain, model, end, path, Status.CONTINUED)
    if first.outcome.converged:
        return _result(chain, model, end, first, Status.CONVERGED)
    status = Status.SINGULAR if path.outcome.singular else Status.LIMIT
    return _result(chain, model, ways[0].inputs(path.load_factor), path, status)


def _check(robot: Robot, start: StaticResult | None, tolerance: float) -> None:
    """Raise for arguments that make no sense."""
    if not isinstance(robot, Robot):
        raise ModelError(f"shooting takes a Robot, got {type(robot).__name__}: {robot!r}")
    if start is not None and (not isinstance(start, StaticResult) or start.model.robot != robot):
        raise ModelError("start must be a StaticResult for the same robot")
    number = isinstance(tolerance, float | int) and not isinstance(tolerance, bool)
    if not number or not 0.0 < tolerance <= LARGEST_TOLERANCE:
        raise ModelError(
            f"tolerance must be a number above 0 and up to {LARGEST_TOLERANCE}, got "
            f"{tolerance!r}; 1e-10 is a good choice"
        )


def _result(
    chain: Chain, model: Model, inputs: Inputs, path: Path, status: Status
) -> IntegratedResult:
    """What the result keeps of a search."""
    shot, strands = path.search.shot, path.search.strands
    dense = Dense(chain, path.search.problem.law, strands, shot)
    energy, potential = shot.energy.sum(axis=0) * chain.wrench_unit[0]
    nodes, wrenches = _outline(model, dense)
    tensions = strands.tension * chain.wrench_unit[3]
    lengths = model.tendons.gap + shot.length.sum(axis=0) * chain.length
    result = IntegratedResult(
        model=model,
        state=_state(model, inputs, nodes, tensions),
        given=inputs,
        status=status,
        residuals=path.outcome.residuals,
        steps=path.outcome.steps,
        iterations=path.iterations,
        load_steps=path.steps,
        load_factor=path.load_factor,
        energy=float(energy),
        potential=None,
        stable=path.stable,
        node_forces=wrenches - _loads_at_ends(model, inputs, nodes),
        tensions=tensions,
        tendon_lengths=lengths,
        solution=dense,
    )
    if not model.conservative(inputs):
        return result
    for load in model.robot.loads:
        if isinstance(load, PointLoad):
            potential -= result.inputs[load.name][3:] @ result.pose(load.at)[:3, 3]
    pulled = model.tendons.energy(lengths, tensions, inputs.tendon)
    return replace(result, potential=float(energy + potential + pulled))


def _outline(model: Model, dense: Dense) -> tuple[Pose, Array]:
    """Poses of the model's nodes, and what the rods do to them: -Σ at the base, Σ at the tip."""
    n = model.layout.n_nodes
    nodes, forces = np.zeros((n, 4, 4)), np.zeros((n, 6))
    for name, place in model.places.items():
        part = model.parts[place.part]
        s = part.group.node_lengths(place.index)
        first = part.begin + int(part.group.rod_nodes[place.index])
        nodes[first : first + len(s)] = dense.at(name, s)[0]
        begin, end = dense.total_stress(name, s[[0, -1]])
        forces[first], forces[first + len(s) - 1] = -begin, end
    return nodes, forces


def _loads_at_ends(model: Model, inputs: Inputs, nodes: Pose) -> Array:
    """Point loads on the ends of rods, in the frames of the nodes there, (n_nodes, 6)."""
    forces = np.zeros((len(nodes), 6))
    values = inputs.by_name(model.inputs)
    for load in model.robot.loads:
        if isinstance(load, PointLoad):
            rod, s, T = spot(load, model.robot)
            for end, away in (("base", s), ("tip", rod.length - s)):
                if away <= ROUNDING * rod.length:
                    node = model.frames[f"{rod.name}.{end}"]
                    wrench = values[load.name]
                    if not load.follower:
                        R = (nodes[node] @ T)[:3, :3]
                        wrench = (wrench.reshape(2, 3) @ R).ravel()
                    forces[node] += se3.Ad_dual(T) @ wrench
    return forces


def _state(model: Model, inputs: Inputs, nodes: Pose, tensions: Array) -> State:
    """The state of the model with its nodes at given poses, and given tensions."""
    layout = model.layout_at(inputs)
    poses = np.tile(np.eye(4), (layout.n_coordinates, 1, 1))
    free = layout.coordinate >= 0
    poses[layout.coordinate[free]] = nodes[free] @ se3.inverse(layout.offset[free])
    inner = tuple(part.group.rest()[1] for part in model.parts)
    return State(
        frozen(poses), tuple(frozen(values) for values in inner), tension=frozen(tensions.copy())
    )
