"""Approaches to the equilibrium that is sought, from one that is known."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from flexura.continuous.segment_law import new_pull
from flexura.continuous.strong_form import total_stress
from flexura.errors import ModelError
from flexura.lie import so3
from flexura.model.inputs import Inputs
from flexura.result.static import StaticResult
from flexura.solve.load_steps import Raised, raise_load
from flexura.solve.newton import Outcome
from flexura.solve.shooting.boundary_problem import COARSE, BoundaryProblem, Seams, solve_chain
from flexura.solve.shooting.serial import Chain, LoadedChain
from flexura.typing import Pose, Vector

# Iterations to spend while the load is raised.
MAX_ITERATIONS = 600
# Bending, across that of the target, with which a chain that is held at both ends begins [rad]: a
# straight one would have to buckle first. One after the other until the end is reached.
BENDINGS = (0.3, -0.3, 1.5)
# Where a segment begins, seen from within it, relative to its length.
INSIDE = 1e-12


@dataclass(frozen=True, eq=False)
class Approach:
    """Loaded chains between one whose equilibrium is known, at 0, and the one to solve, at 1.

    Attributes:
        inputs: the inputs at a part of the load.
        loaded: the chain there.
        start: the equilibrium at 0.
        guess: where to begin if the chain at 1 is tried at once.
    """

    inputs: Callable[[float], Inputs]
    loaded: Callable[[float], LoadedChain]
    start: Seams
    guess: Seams

    def raise_load(self, tolerance: float) -> Raised[Seams]:
        """Follow the equilibrium while the load grows, as far as that goes."""

        def solve(factor: float, point: Seams, iterations: int) -> Outcome[Seams]:
            loaded = self.loaded(factor)
            return solve_chain(loaded, point, tolerance, iterations, rough=factor < 1.0)

        return raise_load(solve, self.start, True, MAX_ITERATIONS)

    def reached(self, raised: Raised[Seams], tolerance: float) -> Outcome[Seams]:
        """Where raising the load ended, integrated as well as possible."""
        point = self.start if raised.outcome is None else raised.outcome.point
        loaded = self.loaded(raised.load_factor)
        best = solve_chain(loaded, replace(point, fine=True), tolerance, 0)
        return best if best.residuals else solve_chain(loaded, point, tolerance, 0)


def cold(chain: Chain, end: Inputs) -> list[Approach]:
    """From the unloaded chain.

    With both ends held, the chain begins bent and free of load, its end where it then is. The bend
    goes away while the end is brought to where it is held.
    """

    def inputs(factor: float) -> Inputs:
        return end.unloaded.towards(end, factor)

    def loaded(factor: float) -> LoadedChain:
        return chain.at(inputs(factor))

    free = replace(loaded(0.0), target=None)
    rest = _unloaded(free)
    target = loaded(1.0).target
    if target is None:
        return [Approach(inputs, loaded, rest, rest)]
    turn = so3.log(rest.pose[-1, :3, :3].T @ target[:3, :3])
    across = np.array([0.0, -turn[2], turn[1]])
    size = float(np.linalg.norm(across))
    across = across / size if size > BENDINGS[0] else np.array([0.0, 1.0, 0.0])

    def held(bending: Vector) -> Approach:
        bent = _unloaded(chain.bent(free, bending))

        def loaded_held(factor: float) -> LoadedChain:
            own = chain.bent(loaded(factor), (1.0 - factor) * bending)
            return replace(own, target=_between(bent.pose[-1], target, factor))

        return Approach(inputs, loaded_held, bent, rest)

    return [held(turn + bending * across) for bending in BENDINGS]


def warm(chain: Chain, end: Inputs, start: StaticResult) -> list[Approach]:
    """From an earlier result for the same robot; none if it is too rough to be integrated."""
    names = chain.model.inputs
    begin = chain.model.read_inputs({name: start.given.value(name) for name in names})
    known, target = chain.at(begin), chain.at(end).target
    seams, first = _seams(chain, known, start), known.target

    def inputs(factor: float) -> Inputs:
        return begin.towards(end, factor)

    def loaded(factor: float) -> LoadedChain:
        own = chain.at(inputs(factor))
        if first is None or target is None:
            return own
        return replace(own, target=_between(first, target, factor))

    usable = BoundaryProblem(known, COARSE).evaluate(seams)
    return [Approach(inputs, loaded, seams, seams)] if usable else []


def raise_along(approaches: Sequence[Approach], tolerance: float) -> tuple[Approach, Raised[Seams]]:
    """Raise the load along one approach after the other until one leads to its end.

    Returns that approach, else the one that led furthest, and how far; iterations are those of all.
    """
    found: list[Raised[Seams]] = []
    for approach in approaches:
        found.append(approach.raise_load(tolerance))
        if found[-1].load_factor == 1.0:
            break
    best = max(range(len(found)), key=lambda i: found[i].load_factor)
    used = sum(raised.iterations for raised in found)
    return approaches[best], replace(found[best], iterations=used)


def _unloaded(loaded: LoadedChain) -> Seams:
    """The seams of a free chain without load."""
    n = len(loaded.law.begin)
    slack = np.zeros(len(loaded.drive.unknown))
    seams = Seams(np.tile(loaded.base, (n + 1, 1, 1)), np.zeros((n + 1, 6)), slack)
    problem = BoundaryProblem(loaded, COARSE, composed=True)
    if not problem.evaluate(seams):
        raise ModelError(
            f"the chain turns by {loaded.turn:.0f} rad without any load, which is too much to "
            "integrate: check the rest curvature of its rods [1/m]"
        )
    return problem.point


def _seams(chain: Chain, known: LoadedChain, start: StaticResult) -> Seams:
    """The seams of a chain in an earlier result; ``known`` is the chain under its inputs."""
    n = len(chain.owner)
    # Just inside the segments: where a tendon ends the strain jumps, but not the total stress.
    inside = chain.begin + INSIDE * (chain.end - chain.begin)
    s, segment = np.append(inside, chain.end[-1]), np.append(np.arange(n), n - 1)
    pose, (strain, wrench) = np.zeros((n + 1, 4, 4)), np.zeros((2, n + 1, 6))
    for number, passage in enumerate(chain.passages):
        own = np.flatnonzero(chain.owner[segment] == number)
        there = start.pose(passage.rod.name, chain.length * s[own])
        pose[own] = chain.model.layout.from_world(there)
        strain[own] = start.strain(passage.rod.name, chain.length * s[own])
        wrench[own] = start.internal_wrench(passage.rod.name, chain.length * s[own])
    pose[:, :3, 3] /= chain.length
    strain[:, :3] *= chain.length
    wrench /= chain.wrench_unit
    tension = start.tensions / chain.wrench_unit[3]
    strands = known.strands._replace(tension=tension)
    total_stress(known.law, strands, segment, s, strain, wrench, new_pull(len(tension)))
    spatial = np.einsum("nij,nkj->nki", pose[:, :3, :3], wrench.reshape(-1, 2, 3))
    unknown = tension[known.drive.unknown]
    return Seams(pose, np.ascontiguousarray(spatial.reshape(-1, 6)), unknown)


def _between(a: Pose, b: Pose, part: float) -> Pose:
    """A pose on the way from a to b: along a line, and with the least rotation."""
    if part == 1.0:
        return b
    T = np.eye(4)
    T[:3, :3] = a[:3, :3] @ so3.exp(part * so3.log(a[:3, :3].T @ b[:3, :3]))
    T[:3, 3] = a[:3, 3] + part * (b[:3, 3] - a[:3, 3])
    return T
