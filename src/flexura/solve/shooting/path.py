"""Ways from an equilibrium that is known to the one that is sought, and following them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from flexura.errors import ModelError
from flexura.lie import so3
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.result.static import StaticResult
from flexura.solve.shooting.law import new_pull
from flexura.solve.shooting.newton import COARSE, Nodes, Outcome, Search
from flexura.solve.shooting.serial import Chain, Problem
from flexura.solve.shooting.strong_form import total_stress
from flexura.typing import Pose, Vector

FIRST_STEP, SMALLEST_STEP = 0.1, 1e-4
# A step of the load may take this many iterations; no more than EASY double the next step.
PATIENCE, EASY = 12, 6
# A step that makes a stable chain unstable has jumped to another branch, unless it is so small
# that the path itself has passed a buckling point.
JUMP_STEP = 2e-3
MAX_ITERATIONS = 600
# Bending, across that of the target, with which a chain that is held at both ends begins [rad]: a
# straight one would have to buckle first. One after the other until the end is reached.
BENDINGS = (0.3, -0.3, 1.5)
# Where a segment begins, seen from within it, relative to its length.
INSIDE = 1e-12


@dataclass(frozen=True)
class Way:
    """Problems between one whose solution is known, at 0, and the one to solve, at 1.

    Attributes:
        inputs: the inputs at a part of the way.
        problem: the problem there.
        start: the solution at 0.
        guess: where to begin if the problem at 1 is tried at once.
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
        outcome: the solution that is furthest on the way.
        load_factor: the part of the way where it is.
        steps: number of steps on the way.
        iterations: Newton iterations over all steps.
        stable: whether the equilibrium is stable.
    """

    search: Search
    outcome: Outcome
    load_factor: float
    steps: int
    iterations: int
    stable: bool | None = None


def cold(chain: Chain, model: Model, end: Inputs) -> list[Way]:
    """From the unloaded chain.

    With both ends held, the chain begins bent and free of load, its end where it then is. The bend
    goes away while the end is brought to where it is held.
    """
    begin = end.unloaded()

    def inputs(part: float) -> Inputs:
        return begin.towards(end, part)

    def problem(part: float) -> Problem:
        return chain.at(inputs(part).by_name(model.inputs))

    free = replace(problem(0.0), target=None)
    rest = _unloaded(free)
    target = problem(1.0).target
    if target is None:
        return [Way(inputs, problem, rest, rest)]
    turn = so3.log(rest.pose[-1, :3, :3].T @ target[:3, :3])
    across = np.array([0.0, -turn[2], turn[1]])
    size = float(np.linalg.norm(across))
    across = across / size if size > BENDINGS[0] else np.array([0.0, 1.0, 0.0])

    def held(bending: Vector) -> Way:
        bent = _unloaded(chain.bent(free, bending))

        def problem_held(part: float) -> Problem:
            own = chain.bent(problem(part), (1.0 - part) * bending)
            return replace(own, target=_between(bent.pose[-1], target, part))

        return Way(inputs, problem_held, bent, rest)

    return [held(turn + bending * across) for bending in BENDINGS]


def warm(chain: Chain, model: Model, end: Inputs, start: StaticResult) -> list[Way]:
    """From an earlier result for the same robot; none if it is too rough to be integrated."""
    begin = start.given
    known = chain.at(begin.by_name(model.inputs))
    nodes, first = _nodes(chain, known, start), known.target

    def inputs(part: float) -> Inputs:
        return begin.towards(end, part)

    def problem(part: float) -> Problem:
        own = chain.at(inputs(part).by_name(model.inputs))
        target = chain.at(end.by_name(model.inputs)).target
        if first is None or target is None:
            return own
        return replace(own, target=_between(first, target, part))

    usable = Search(problem(0.0), COARSE).look(nodes.copy(), COARSE)
    return [Way(inputs, problem, nodes, nodes)] if usable else []


def _unloaded(problem: Problem) -> Nodes:
    """The nodes of a free chain without load."""
    n = len(problem.law.begin)
    slack = np.zeros(len(problem.drive.unknown))
    nodes = Nodes(np.tile(problem.base, (n + 1, 1, 1)), np.zeros((n + 1, 6)), slack)
    if not Search(problem, COARSE).look(nodes, COARSE, recompose=True):
        raise ModelError(
            f"the chain turns by {problem.turn:.0f} rad without any load, which is too much to "
            "integrate: check the rest curvature of its rods [1/m]"
        )
    return nodes


def _nodes(chain: Chain, problem: Problem, start: StaticResult) -> Nodes:
    """The nodes of a chain in an earlier result; ``problem`` is the chain under its inputs."""
    n = len(chain.owner)
    # Just inside the segments: where a tendon ends the strain jumps, but not the total stress.
    inside = chain.begin + INSIDE * (chain.end - chain.begin)
    s, segment = np.append(inside, chain.end[-1]), np.append(np.arange(n), n - 1)
    pose, (strain, wrench) = np.zeros((n + 1, 4, 4)), np.zeros((2, n + 1, 6))
    for number, passage in enumerate(chain.passages):
        own = np.flatnonzero(chain.owner[segment] == number)
        pose[own] = start.pose(passage.rod.name, chain.length * s[own])
        strain[own] = start.strain(passage.rod.name, chain.length * s[own])
        wrench[own] = start.internal_wrench(passage.rod.name, chain.length * s[own])
    pose[:, :3, 3] /= chain.length
    strain[:, :3] *= chain.length
    wrench /= chain.wrench_unit
    tension = start.tensions / chain.wrench_unit[3]
    strands = problem.strands._replace(tension=tension)
    total_stress(problem.law, strands, segment, s, strain, wrench, new_pull(len(tension)))
    spatial = np.einsum("nij,nkj->nki", pose[:, :3, :3], wrench.reshape(-1, 2, 3))
    unknown = tension[problem.drive.unknown]
    return Nodes(pose, np.ascontiguousarray(spatial.reshape(-1, 6)), unknown)


def _between(a: Pose, b: Pose, part: float) -> Pose:
    """A pose on the way from a to b: along a line, and with the least rotation."""
    if part == 1.0:
        return b
    T = np.eye(4)
    T[:3, :3] = a[:3, :3] @ so3.exp(part * so3.log(a[:3, :3].T @ b[:3, :3]))
    T[:3, 3] = a[:3, 3] + part * (b[:3, 3] - a[:3, 3])
    return T


def at_once(
    way: Way, conservative: bool, tolerance: float, iterations: int, recompose: bool
) -> Path:
    """Try the end of a way without going there.

    Args:
        way: where from and where to.
        conservative: whether the loads have a potential.
        tolerance: of the solution.
        iterations: how many to spend.
        recompose: see ``Search.run``.
    """
    search = Search(way.problem(1.0), tolerance)
    outcome = search.run(way.guess, iterations, recompose)
    stable = search.stable(conservative) if outcome.converged else None
    return Path(search, outcome, 1.0, 1, outcome.iterations, stable)


def follow_any(ways: Sequence[Way], conservative: bool, tolerance: float) -> Path:
    """Follow one way after the other until one leads to its end; else the one that led furthest."""
    paths: list[Path] = []
    for way in ways:
        paths.append(follow(way, conservative, tolerance))
        if paths[-1].load_factor == 1.0:
            break
    best = max(paths, key=lambda path: path.load_factor)
    return replace(best, iterations=sum(path.iterations for path in paths))


def follow(way: Way, conservative: bool, tolerance: float) -> Path:
    """Follow the equilibrium along a way, as far as it goes."""
    found, reached, steps, size = way.start, 0.0, 0, FIRST_STEP
    used, stable, singular = 0, True, False
    while used < MAX_ITERATIONS and size > SMALLEST_STEP:
        part = min(1.0, reached + size)
        search = Search(way.problem(part), tolerance)
        outcome = search.run(found, PATIENCE, coarse=part < 1.0)
        used += outcome.iterations
        now = search.stable(conservative) if outcome.converged else None
        if outcome.converged and not (stable and now is False and size > JUMP_STEP):
            found, reached, stable, steps = outcome.nodes, part, now is True, steps + 1
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
