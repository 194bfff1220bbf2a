"""An instant of a motion."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np

from flexura.lie import se3
from flexura.model.assemble import Assembly
from flexura.model.evaluation import Evaluation
from flexura.model.model import Model
from flexura.model.motion.account import account_of
from flexura.model.motion.flow import Flow, Tracks, tracks_of
from flexura.result.static import StaticResult
from flexura.result.status import Status
from flexura.robot import AnyFrame
from flexura.shown import Facts
from flexura.typing import Array, ArrayLike, Pose, Twist, frozen

# How far robots are moved to tell velocities by differences, relative to 1 rad and to the length:
# its square, and rounding over it, are both about 1e-11.
APART = 3e-6
# What a static result says of its solve, of a robot that none has led there.
NO_SOLVE: Mapping[str, Any] = {
    "status": Status.MOVING,
    "residuals": (0.0,),
    "steps": (),
    "iterations": 0,
    "load_steps": 1,
    "load_factor": 1.0,
    "stable": None,
}


class Neighbours(NamedTuple):
    """A robot a moment before and after, and the time between them [s]."""

    before: StaticResult
    after: StaticResult
    between: float

    def velocity(self, frame: AnyFrame, s: ArrayLike | None) -> Twist:
        """Body twist of a frame, or of a rod at arc lengths."""
        return body_twist(self.before.pose(frame, s), self.after.pose(frame, s), self.between)


def body_twist(before: Pose, after: Pose, between: float | Array) -> Twist:
    """Velocity of frames from poses a moment before and after, and the time between them [s]."""
    return np.asarray(se3.log(se3.inverse(before) @ after) / between)


@dataclass(frozen=True, eq=False, repr=False)
class Instant(StaticResult):
    """A robot at one time of its motion; it answers like a static result, and how fast it moves.

    What rods and joints carry is in balance with inertia, too.

    Attributes:
        t: the time [s].
        flow: where everything is, and its rates.
        elastic: what strains store, in rods, elastic tendons and springs [J].
        gravity: potential of weights, zero at the world's origin [J].
        dissipated: what viscosity has taken away since the motion began [J].
        work: what tendons, loads, and what inputs move have done since then [J].
    """

    t: float = field(kw_only=True)
    flow: Flow = field(kw_only=True)
    elastic: float = field(kw_only=True)
    gravity: float = field(kw_only=True)
    dissipated: float = field(kw_only=True)
    work: float = field(kw_only=True)

    @classmethod
    def of(
        cls,
        model: Model,
        assembly: Assembly,
        flow: Flow,
        t: float,
        spent: tuple[float, float] = (0.0, 0.0),
        iterations: int = 0,
        evaluation: Evaluation | None = None,
    ) -> Self:
        """The instant of a flow, where the model in motion was evaluated.

        Args:
            model: the robot.
            assembly: of its model in motion.
            flow: places and rates.
            t: the time [s].
            spent: what was dissipated so far, and the work that was done [J].
            iterations: since the instant before.
            evaluation: what is known of it; None for what the assembly has evaluated.
        """
        elastic, gravity = account_of(assembly.model).energies(assembly)
        dissipated, work = spent
        return cls(
            model=model,
            state=flow.state,
            given=assembly.inputs,
            **{**NO_SOLVE, "iterations": iterations},
            evaluation=assembly.evaluation() if evaluation is None else evaluation,
            t=t,
            flow=flow,
            elastic=elastic,
            gravity=gravity,
            dissipated=dissipated,
            work=work,
        )

    @property
    def tracks(self) -> Tracks:
        """What is where in the flow."""
        return tracks_of(self.model)

    @property
    def kinetic(self) -> float:
        """Kinetic energy [J]."""
        return self.tracks.kinetic(self.flow, self.given)

    @property
    def energy(self) -> float:
        """What the robot has: kinetic and elastic energy, and that of gravity [J]."""
        return self.kinetic + self.elastic + self.gravity

    @property
    def balance(self) -> float:
        """Energy and what was dissipated, less work [J]: constant but for errors of the steps.

        What impacts and friction of contacts take has no entry; it is missing here.
        """
        return self.energy + self.dissipated - self.work

    @property
    def momentum(self) -> Array:
        """Angular momentum about the world's origin, and momentum, in world axes, (6,)."""
        return self.tracks.momentum(self.flow, self.given)

    def velocity(self, frame: AnyFrame, s: ArrayLike | None = None) -> Twist:
        """Velocity of a frame, or of a rod at arc lengths, as a body twist.

        Args:
            frame: name of a frame ("backbone.tip"), ``At(...)``, a point ``On(...)`` of a volume,
                or a rod's name with s.
            s: arc length [m], a number or any array of them.

        Returns:
            (angular, linear) [rad/s, m/s] in the axes of the frame, shape (6,), or s.shape + (6,).
        """
        return self._neighbours.velocity(frame, s)

    @cached_property
    def _neighbours(self) -> Neighbours:
        return self.neighbours(Assembly(self.model))

    def neighbours(self, assembly: Assembly) -> Neighbours:
        """The robot a moment before and after, as it moves now.

        Args:
            assembly: of its model, which many instants may share.
        """
        fastest = self.tracks.fastest(self.flow)
        moment = APART / fastest if fastest > 0.0 else 1.0
        return Neighbours(
            self._moved(assembly, -moment), self._moved(assembly, moment), 2.0 * moment
        )

    def _moved(self, assembly: Assembly, time: float) -> StaticResult:
        """The robot after a moment [s], as it moves now; it tells where its frames are."""
        model, tracks = self.model, self.tracks
        given = tracks.inputs_after(self.given, self.flow, time)
        dq = tracks.increments(time * self.flow.rates[0])
        state = model.layout_at(given).retract(self.state, dq)
        assembly.place(state, given)
        evaluation = replace(self.evaluation, nodes=frozen(assembly.nodes.copy()))
        return StaticResult(model, state, given, evaluation=evaluation, **NO_SOLVE)

    def _assembly(self) -> Assembly:
        """The model with all that resists motion, evaluated at this instant."""
        assembly = Assembly(self.tracks.moving.model)
        assembly.move_from(self.tracks.now(self.flow))
        assembly.evaluate(self.state, self.given)
        return assembly

    def _facts(self) -> Facts:
        facts = super()._facts()
        rows = [row for row in facts.rows if row[0] not in ("energy", "stable", "solve")]
        names = ("kinetic", "elastic", "gravity")
        energies = ", ".join(f"{name} {getattr(self, name):.6g} J" for name in names)
        return Facts(
            f"Instant of {self.model.name!r} at t = {self.t:.6g} s: {self.status}",
            [("energy", energies), *rows],
        )
