"""A motion on its way: ``simulate`` and ``Simulation`` both run on it."""

from flexura.result.instant import Instant
from flexura.result.motion import Motion, MotionStatus
from flexura.solve.motion.engine import Engine
from flexura.solve.motion.remarks import Watch, leap_remarks, remarks_at_start
from flexura.solve.motion.steps import InputsAt
from flexura.solve.motion.strides import Strides, advance
from flexura.solve.strain_doubt import strain_doubts


class Run:
    """What an engine has done so far.

    Attributes:
        engine: what moves.
        step: length of its steps, or of the first one [s].
        kept: instants, the last one that was asked for at the end.
        remarks: what to know of how it began and why it ended.
    """

    def __init__(
        self, engine: Engine, step: float, placed: bool, even: bool = True, record: bool = True
    ) -> None:
        """Begin where the engine is.

        Args:
            engine: with all that its first step needs.
            step: length of its steps, or of the first one [s].
            placed: whether places or velocities of parts were given.
            even: whether all steps are of that length, so that they may be too long.
            record: whether to keep every instant, or the last one only.
        """
        self.engine, self.step, self._record = engine, step, record
        self.kept: list[Instant] = [engine.instant()]
        self.remarks = [*engine.remarks, *remarks_at_start(self.kept[0], placed)]
        if engine.model.contacts is not None:
            self.remarks += engine.model.contacts.ignored
        self._watch = Watch(engine.tracks, engine.now.inputs) if even else None

    def advance(self, strides: Strides, inputs_at: InputsAt) -> MotionStatus:
        """Go on to the next time that counts; REACHED, or why that is not found."""
        engine, before = self.engine, self.engine.now
        status = advance(engine, strides, inputs_at)
        if status.converged and self._watch is not None:
            self._watch.see(before.flow, engine.now.flow, engine.now.t - before.t)
        return status

    def keep(self) -> Instant:
        """Keep the instant where the motion is."""
        if not self._record:
            self.kept.clear()
        self.kept.append(self.engine.instant())
        return self.kept[-1]

    def motion(self, status: MotionStatus) -> Motion:
        """The motion so far, with all that there is to say of it."""
        engine, last = self.engine, self.kept[-1]
        remarks = [*self.remarks, *engine.left, *strain_doubts(engine.model, last.evaluation)]
        remarks += leap_remarks(engine.model.contacts, engine.now.passed)
        if self._watch is not None:
            remarks += self._watch.remarks(self.step, getattr(engine.integrator, "rho", None))
        known = tuple(dict.fromkeys(remarks))
        return Motion(tuple(self.kept), status, self.step, tuple(engine.cuts), known)
