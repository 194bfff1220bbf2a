"""Steps in time, whatever the integrator: what they are given, and what they find."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol, Self

from flexura.model.assemble import Assembly
from flexura.model.evaluation import Evaluation
from flexura.model.inputs import Inputs
from flexura.model.motion.flow import Flow
from flexura.typing import Array, Strain, Wrench

# Iterations of one step; one that needs more is too long.
MOST = 20

InputsAt = Callable[[float], Inputs]


class Trace(NamedTuple):
    """What a step leaves to the next one, besides where it led.

    Attributes:
        strains: at the points of each part, where the step was evaluated.
        lost: whole turns that curvatures there have lost on the way; None if none.
        turn: largest rotation of an element where the step ends, over what its description can
            tell.
    """

    strains: tuple[Strain, ...]
    lost: tuple[Array, ...] | None = None
    turn: float = 0.0

    @classmethod
    def of(cls, assembly: Assembly) -> Self:
        """Of the last evaluation."""
        lost = assembly.lost_turns()
        strains = tuple(part.work.strain.copy() for part in assembly.parts)
        return cls(strains, lost, max(assembly.turns(lost), default=0.0))


@dataclass(frozen=True, eq=False)
class Moved:
    """Where a step led.

    Attributes:
        flow: at its end.
        trace: what a next step goes by.
        iterations: that it took.
        driving: forces of the nodes at its beginning and at its end whose mean is that of the step,
            by what inputs move; None if they are those that act there.
        driven: whether contacts drove it, since it is too long for how they turn.
        leapt: number of a contact whose sides went through each other unseen; None if none did.
    """

    flow: Flow
    trace: Trace | None
    iterations: int
    driving: tuple[Wrench, Wrench] | None = None
    driven: bool = False
    leapt: int | None = None


class Missed(NamedTuple):
    """A step whose end was not found.

    Attributes:
        iterations: that it took.
        unsolved: whether that is since its contacts were not solved.
    """

    iterations: int
    unsolved: bool = False


class Steps(Protocol):
    """How an integrator goes on; steps are functions of what they are given."""

    def ready(self, flow: Flow) -> bool:
        """Whether a flow has what steps go by: accelerations, or a momentum."""

    def begin(self, flow: Flow, t: float, h: float, inputs_at: InputsAt) -> Flow:
        """The flow with all that a first step needs, of length h [s] at a time t [s]."""

    def trace(self, found: Evaluation) -> Trace | None:
        """What a first step goes by, where a robot was evaluated; None if that does not help."""

    def take(
        self, flow: Flow, before: Trace | None, t: float, h: float, inputs_at: InputsAt
    ) -> Moved | Missed:
        """A step.

        Args:
            flow: where it begins.
            before: what the step before has left, if there was one.
            t: when it begins [s].
            h: its length [s].
            inputs_at: inputs at any time of the step [s].
        """

    def shown(self, flow: Flow, inputs: Inputs) -> tuple[Flow, Assembly]:
        """The flow with the rates that results tell, and the model evaluated there."""
