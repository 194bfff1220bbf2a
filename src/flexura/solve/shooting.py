"""Equilibria of the continuous equations, by multiple shooting.

The chain is cut into segments. The unknowns are pose and wrench where each begins; the equations
say that each arrives where, and as, the next one begins. Newton's method with the derivatives of
the integration needs no more than a band matrix. Nothing is discretized but the integration, which
keeps to its tolerance: this is the reference for all other descriptions.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

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
    way = _cold(chain, model, end) if start is None else _warm(chain, model, end, start)
    conservative = model.conservative(end)
    search = Search(way.problem(1.0), tolerance)
    outcome = search.run(way.guess, AT_ONCE, follow=start is None and not chain.held)
    path = Path(search, outcome, 1.0, 1, outcome.iterations)
    if outcome.converged:
        path = replace(path, stable=search.stable(conservative))
    if outcome.converged and path.stable is not False:
        return _result(chain, model, end, path, Status.CONVERGED)
    raised = follow(way, conservative, tolerance, outcome.iterations)
    if raised.load_factor == 1.0:
        return _result(chain, model, end, raised, Status.CONTINUED)
    if outcome.converged:
        return _result(chain, model, end, path, Status.CONVERGED)
    status = Status.SINGULAR if raised.outcome.singular else Status.LIMIT
    return _result(chain, model, way.inputs(raised.load_factor), raised, status)


@dataclass(frozen=True)
class Way:
    """A way from an equilibrium that is known to the one that is sought.

    Attributes:
        inputs: the inputs at a part of the way, from 0 to 1.
        problem: the problem there.
        start: the known equilibrium, at 0.
        guess: where to begin with the full load.
    """

    inputs: Callable[[float], Inputs]
    problem: Callable[[float], Problem]
    start: Nodes
    guess: Nodes


@dataclass(frozen=True)
class Path:
    """Where a search ended.

    Attributes:
        search: the last one; its arrays belong to the outcome.
        outcome: the equilibrium that carries most of the load.
        load_factor: the part of the way where it is.
        steps: number of load steps.
        iterations: Newton iterations over all steps.
        stable: whether it is stable.
    """

    search: Search
    outcome: Outcome
    load_factor: float
    steps: int
    iterations: int
    stable: bool | None = None


def _check(robot: object, start: object, tolerance: object) -> None:
    """Raise for arguments that make no sense."""
    if not isinstance(robot, Robot):
        raise ModelError(f"shooting takes a Robot, got {type(robot).__name__}: {robot!r}")
    if start is not None and (not isinstance(start, StaticResult) or start.model.robot != robot):
        raise ModelError("start must be a StaticResult for the same robot")
    if not isinstance(tolerance, float | int) or not 0.0 < tolerance < 1e-3:
        raise ModelError(
            f"tolerance must be a number between 0 and 1e-3, got {tolerance!r}; 1e-10 is a good "
            "choice"
        )


def _cold(chain: Chain, model: Model, end: Inputs) -> Way:
    """From the unloaded chain; from a bent one where both ends are held."""
    begin = end.unloaded()

    def inputs(part: float) -> Inputs:
        return begin.towards(end, part)

    def problem(part: float) -> Problem:
        return chain.at(inputs(part).by_name(model.inputs))

    free = replace(problem(0.0), target=None)
    rest = _unloaded(free)
    target = problem(1.0).target
    if target is None:
        return Way(inputs, problem, rest, rest)
    turn = so3.log(rest.pose[-1, :3, :3].T @ target[:3, :3])
    across = np.array([0.0, -turn[2], turn[1]])
    size = float(np.linalg.norm(across))
    across = across / size if size > BENDING else np.array([0.0, 1.0, 0.0])
    bending = turn + BENDING * across
    bent = _unloaded(chain.bent(free, bending))
    first = bent.pose[-1].copy()

    def held(part: float) -> Problem:
        own = chain.bent(problem(part), (1.0 - part) * bending)
        return replace(own, target=_between(first, target, part))

    return Way(inputs, held, bent, rest)


def _warm(chain: Chain, model: Model, end: Inputs, start: StaticResult) -> Way:
    """From an earlier result."""
    begin = start.given
    n = len(chain.owner)
    pose, wrench = np.zeros((n + 1, 4, 4)), np.zeros((n + 1, 6))
    for number, passage in enumerate(chain.passages):
        own = np.flatnonzero(chain.owner == number)
        s = chain.length * np.append(chain.begin[own], chain.end[own[-1]])
        nodes = np.append(own, own[-1] + 1)  # the last one is overwritten by the next rod
        pose[nodes] = start.pose(passage.rod.name, s)
        wrench[nodes] = start.internal_wrench(passage.rod.name, s)
    R = pose[:, :3, :3]
    wrench = np.einsum("nij,nkj->nki", R, (wrench / chain.wrench_unit).reshape(-1, 2, 3))
    pose[:, :3, 3] /= chain.length
    nodes_ = Nodes(pose, np.ascontiguousarray(wrench.reshape(-1, 6)))

    def inputs(part: float) -> Inputs:
        return begin.towards(end, part)

    first = chain.at(inputs(0.0).by_name(model.inputs)).target

    def problem(part: float) -> Problem:
        own = chain.at(inputs(part).by_name(model.inputs))
        if first is None or own.target is None:
            return own
        last = chain.at(end.by_name(model.inputs)).target
        assert last is not None
        return replace(own, target=_between(first, last, part))

    return Way(inputs, problem, nodes_, nodes_)


def _unloaded(problem: Problem) -> Nodes:
    """The nodes of a free chain without load."""
    n = len(problem.law.begin)
    nodes = Nodes(np.tile(problem.base, (n + 1, 1, 1)), np.zeros((n + 1, 6)))
    search = Search(problem, COARSE)
    search.look(nodes, COARSE, follow=True)
    return search.nodes


def _between(a: Pose, b: Pose, part: float) -> Pose:
    """A pose on the way from a to b: along a line, and with the least rotation."""
    if part == 1.0:
        return b
    R = a[:3, :3] @ so3.exp(part * so3.log(a[:3, :3].T @ b[:3, :3]))
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R, a[:3, 3] + part * (b[:3, 3] - a[:3, 3])
    return T


def follow(way: Way, conservative: bool, tolerance: float, used: int) -> Path:
    """Follow the equilibrium along the way, as far as it goes.

    Args:
        way: where from and where to.
        conservative: whether the loads have a potential.
        tolerance: of the last solution.
        used: iterations that were spent before.
    """
    found, reached, steps, size = way.start, 0.0, 0, FIRST_STEP
    stable: bool | None = True
    singular = False
    while reached < 1.0 and used < MAX_ITERATIONS and size > SMALLEST_STEP:
        part = min(1.0, reached + size)
        search = Search(way.problem(part), tolerance)
        outcome = search.run(found, PATIENCE, coarse=part < 1.0)
        used += outcome.iterations
        now = search.stable(conservative) if outcome.converged else None
        jumped = stable is True and now is False and size > JUMP_STEP
        if outcome.converged and not jumped:
            found, reached, stable, steps = outcome.nodes, part, now, steps + 1
            if part == 1.0:
                return Path(search, outcome, 1.0, steps, used, now)
            if outcome.iterations <= EASY:
                size *= 2.0
        else:
            singular = outcome.singular
            size *= 0.25
    search = Search(way.problem(reached), tolerance)
    if not search.look(found, search.fine):
        search.look(found, COARSE)
    outcome = Outcome(found, False, singular, tuple(search.residuals), ())
    return Path(search, outcome, reached, steps, used)


def _result(
    chain: Chain, model: Model, inputs: Inputs, path: Path, status: Status
) -> IntegratedResult:
    """What the result keeps of a search."""
    shot = path.search.shot
    dense = Dense(chain, path.search.problem.law, shot)
    values = inputs.by_name(model.inputs)
    energy, potential = (shot.energy.sum(axis=0) * chain.wrench_unit[0]).tolist()
    state, forces = _outline(model, inputs, dense)
    result = IntegratedResult(
        model=model,
        state=state,
        given=inputs,
        status=status,
        residuals=path.outcome.residuals,
        steps=path.outcome.steps,
        iterations=path.iterations,
        load_steps=path.steps,
        load_factor=path.load_factor,
        energy=energy,
        potential=None,
        stable=path.stable,
        node_forces=forces,
        solution=dense,
    )
    if not model.conservative(inputs):
        return result
    for load in model.robot.loads:
        if isinstance(load, PointLoad):
            potential -= float(values[load.name][3:] @ result.pose(load.at)[:3, 3])
    return replace(result, potential=energy + potential)


def _outline(model: Model, inputs: Inputs, dense: Dense) -> tuple[State, Array]:
    """The solution as a state of the model, and the forces at its nodes.

    At its base a rod pulls with -Λ, at its tip with Λ; point loads act on the same nodes.
    """
    layout = model.layout.at(inputs.pose)
    nodes, forces = np.zeros((layout.n_nodes, 4, 4)), np.zeros((layout.n_nodes, 6))
    for name, place in model.places.items():
        part = model.parts[place.part]
        s = part.group.node_lengths(place.index)
        first = part.begin + part.group.rod_nodes[place.index]
        own = slice(first, first + len(s))
        nodes[own], _, wrench = dense.at(name, s)
        forces[first], forces[first + len(s) - 1] = -wrench[0], wrench[-1]
    values = inputs.by_name(model.inputs)
    for load in model.robot.loads:
        if isinstance(load, PointLoad):
            rod, s, T = spot(load, model.robot)
            base, tip = (model.frames[f"{rod.name}.{end}"] for end in ("base", "tip"))
            for node, away in ((base, s), (tip, rod.length - s)):
                if away <= ROUNDING * rod.length:
                    wrench = values[load.name]
                    if not load.follower:
                        R = (nodes[node] @ T)[:3, :3]
                        wrench = (wrench.reshape(2, 3) @ R).ravel()
                    forces[node] -= se3.Ad_dual(T) @ wrench
    poses = np.tile(np.eye(4), (layout.n_coordinates, 1, 1))
    free = layout.coordinate >= 0
    poses[layout.coordinate[free]] = nodes[free] @ se3.inverse(layout.offset[free])
    inner = tuple(np.empty((part.nodes.stop - part.nodes.start, 0)) for part in model.parts)
    return State(frozen(poses), inner), forces
