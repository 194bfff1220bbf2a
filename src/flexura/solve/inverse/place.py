"""What is asked for, and where a search for it is: an equilibrium, and where inputs lead."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from flexura.errors import ModelError
from flexura.model.assemble import Assembly
from flexura.model.covector import Covectors, frame_covectors
from flexura.model.frame import Frame
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.model.slips import NONE
from flexura.model.state import State
from flexura.result.static import StaticResult
from flexura.robot import AnyFrame
from flexura.solve.derivative.response import Response
from flexura.solve.derivative.tangent import Directions
from flexura.solve.inverse.grip import Grips, with_grips
from flexura.solve.inverse.idle import Idle, idle_of
from flexura.solve.inverse.limits import Choice
from flexura.solve.inverse.programme import Rows
from flexura.solve.inverse.target import Target
from flexura.solve.inverse.tension import Tensions
from flexura.typing import Array, Indices, Matrix, Pose

NOTHING = np.empty(0)


class Missing(NamedTuple):
    """What is missing to all targets.

    Attributes:
        error: weighted [m], (k,).
        left: length of all of it, without weights [m].
        slopes: of the error of each target by its frame's body twist, (k_i, 6).
        own: of each target, without weights [m], (k_i,).
    """

    error: Array
    left: float
    slopes: list[Matrix]
    own: list[Array]


@dataclass
class Budget:
    """Equilibria that searches for one question may take together.

    Attributes:
        most: how many.
        used: how many they took.
    """

    most: int
    used: int = 0

    def without(self, count: int) -> "Budget":
        """The same with fewer to come: some are for later."""
        return Budget(max(self.most - count, self.used), self.used)

    @property
    def over(self) -> bool:
        """Whether none is left."""
        return self.used >= self.most


@dataclass(frozen=True, eq=False)
class Question:
    """What is asked for.

    Attributes:
        targets: of the frames.
        choice: the numbers that are chosen, and their limits.
        tensions: limits of tensions.
        grips: limits of forces of contacts.
        preferred: inputs to be near, where targets leave a choice; None to change little.
        tolerance: error that is none [m].
        iterations: equilibria to find at most.
        since: where sliding counts from, of robots with friction: all equilibria of a search are
            one increment from there, whatever its way.
    """

    targets: tuple[Target, ...]
    choice: Choice
    tensions: Tensions
    grips: Grips
    preferred: Inputs | None
    tolerance: float
    iterations: int
    since: StaticResult | None = None

    def begun(self, inputs: Inputs) -> "Question":
        """The same with steps counted from other inputs."""
        return replace(self, choice=self.choice.begun(inputs))

    def begun_at(self, here: StaticResult) -> "Question":
        """The same with steps counted from an equilibrium, and sliding, where anything rubs."""
        contacts = here.model.contacts
        rubs = contacts is not None and contacts.frictional
        return replace(self.begun(here.given), since=here if rubs else None)

    @property
    def even(self) -> "Question | None":
        """The same with one weight for all that counts; None if that is so."""
        heavy = np.concatenate([NOTHING, *(one.heavy for one in self.targets)])
        if (heavy == heavy[:1]).all():
            return None
        alike = [replace(x, weight=np.where(x.weight > 0.0, 1.0, 0.0)) for x in self.targets]
        return replace(self, targets=tuple(alike))

    @property
    def grazing(self) -> Indices:
        """Constraints that hold where they are closed: of tendons that shall pull."""
        return self.tensions.pulled

    def response(self, result: StaticResult, hanging: Sequence[int] = ()) -> Response:
        """Of an equilibrium to small changes; what rubs turns with the way since it began.

        Raises:
            ModelError: if it answers in no certain way.
        """
        slip = None if self.since is None else result.evaluation.slip
        if slip is not None and result is self.since:
            slip = NONE
        return Response("inverse", result, self.grazing, hanging, slip)

    @property
    def frames(self) -> tuple[Frame, ...]:
        """Of the targets."""
        return tuple(one.frame for one in self.targets)

    def poses(self, model: Model, nodes: Pose, state: State) -> list[Pose]:
        """Of the frames, for poses of the nodes and a state."""
        return [frame.pose(model, nodes, state) for frame in self.frames]

    def missing(self, model: Model, nodes: Pose, state: State) -> Missing:
        """What is missing, for poses of the nodes and a state."""
        return self.missing_from(self.poses(model, nodes, state))

    def missing_from(self, poses: Sequence[Pose]) -> Missing:
        """What is missing, for poses of the frames."""
        errors, slopes, each, left = [], [], [], 0.0
        for one, pose in zip(self.targets, poses, strict=True):
            own, slope = one.missing(pose)
            each.append(own)
            errors.append(one.heavy * own)
            slopes.append(one.heavy[:, None] * slope)
            left += float(own @ own)
        error = errors[0] if len(errors) == 1 else np.concatenate([NOTHING, *errors])
        return Missing(error, math.sqrt(left), slopes, each)

    def apart(self, missing: Missing) -> dict[AnyFrame, tuple[float, float]]:
        """Turn [rad] and distance [m] that are left of each target."""
        pairs = zip(self.targets, missing.own, strict=True)
        return {one.name: one.apart(own) for one, own in pairs}

    def limited(self, result: StaticResult) -> Rows:
        """How much limited tensions and forces of contacts may fall and rise [N]."""
        return with_grips(self.tensions.room(result.evaluation.values), self.grips, result)

    def broken(self, result: StaticResult) -> float:
        """By how much limits of tensions and contacts are broken in all [N]; zero if kept."""
        return self.tensions.broken(result.evaluation.values) + self.grips.broken(result)

    def rows(self, assembly: Assembly, missing: Missing) -> list[Covectors]:
        """How what is missing changes with small motions, target by target."""
        pairs = zip(self.targets, missing.slopes, strict=True)
        return [frame_covectors(assembly, one.frame, slope) for one, slope in pairs]


@dataclass(frozen=True, eq=False)
class Place:
    """Where a search is.

    Attributes:
        question: what is asked for.
        response: of the equilibrium there.
        directions: where the numbers that are chosen lead.
        missing: to all targets.
        slope: derivative of the error by those numbers, (k, n).
        tensions: how they, and forces of contacts, may change with those numbers.
        idle: tensions that do nothing, if there are any.
    """

    question: Question
    response: Response
    directions: Directions
    missing: Missing
    slope: Matrix
    tensions: Rows
    idle: Idle | None = None

    @classmethod
    def of(
        cls,
        question: Question,
        response: Response,
        known: "Place | None" = None,
        missing: Missing | None = None,
    ) -> "Place":
        """The place of an equilibrium.

        Args:
            question: what is asked for.
            response: of the equilibrium.
            known: the place there for another question, of the same numbers.
            missing: to the targets, if that is known.
        """
        assembly = response.assembly
        if missing is None:
            missing = question.missing(assembly.model, assembly.nodes, assembly.state)
        if known is None:
            directions = response.tangent.along(question.choice.ways(assembly.inputs))
        else:
            directions = known.directions
        if known is not None and known.moves_alike(question, missing):
            slope = known.slope
        else:
            rows = question.rows(assembly, missing)
            moved = [directions.moved(response.certain(own)) for own in rows]
            slope = np.concatenate([np.zeros((0, directions.motion.shape[1])), *moved])
        room = question.tensions.room(assembly.given.values, directions.multipliers)
        idle = None
        if len(question.grips.contacts):
            pressing = question.grips.slope(assembly, response.result, directions)
            room = with_grips(room, question.grips, response.result, pressing)
        else:
            idle = idle_of(response.tangent, directions, question.tensions)
        if idle is not None:
            room = room._replace(matrix=idle.slope)
        return cls(question, response, directions, missing, slope, room, idle)

    def moves_alike(self, question: Question, missing: Missing) -> bool:
        """Whether small motions do to what is missing what they do for another question."""
        pairs = zip(self.question.targets, question.targets, strict=False)
        slopes = zip(self.missing.slopes, missing.slopes, strict=False)
        same = len(self.question.targets) == len(question.targets)
        same = same and all(a.name == b.name for a, b in pairs)
        return same and all(np.array_equal(a, b) for a, b in slopes)

    @property
    def error(self) -> Array:
        """What is missing, weighted [m], (k,)."""
        return self.missing.error

    @property
    def left(self) -> float:
        """Length of all of it, without weights [m]."""
        return self.missing.left

    @property
    def result(self) -> StaticResult:
        """The equilibrium."""
        return self.response.result

    @property
    def objective(self) -> float:
        """Half of the squared error [m²]."""
        return 0.5 * float(self.error @ self.error)

    @cached_property
    def broken(self) -> float:
        """By how much limits are broken in all [N]; zero if they are kept."""
        return self.question.broken(self.result)

    @property
    def force(self) -> float:
        """What is a large change of forces [N]: those of contacts that are there, or asked for.

        Else what bends rods by about their length.
        """
        return self.question.grips.size(self.result) or self.result.model.limp_force

    def better(self, other: "Place") -> bool:
        """Whether this is to be preferred: limits come first."""
        return (self.broken, self.objective) < (other.broken, other.objective)

    @property
    def gradient(self) -> Array:
        """Of the objective, by the numbers that are chosen, (n,)."""
        return self.slope.T @ self.error


def place_of(question: Question, result: StaticResult, hanging: Sequence[int] = ()) -> Place | None:
    """The place of an equilibrium; None if it answers to changes in no certain way.

    Args:
        question: what is asked for.
        result: the equilibrium.
        hanging: rows of tendons without tension that may hang, though they are closed.
    """
    try:
        return Place.of(question, question.response(result, hanging))
    except ModelError:
        return None
