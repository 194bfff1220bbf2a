"""Vibration modes of a robot about an equilibrium."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError, show
from flexura.lie import se3
from flexura.model.assemble import Assembly
from flexura.model.motion.flow import Flow, Tracks, tracks_of
from flexura.result.instant import APART, NO_SOLVE, Instant
from flexura.result.static import StaticResult
from flexura.result.table import Column
from flexura.robot import FrameLike
from flexura.robot.check import finite
from flexura.shown import Facts, Shown
from flexura.text import counted
from flexura.typing import Array, ArrayLike, frozen
from flexura.value import Value

Complex = NDArray[np.complex128]

# Shapes are shown with displacements of this part of the length; a motion that turns and hardly
# moves (by less than this part of the length for 1 rad), as if 1 rad moved that far.
SHOWN, TURNS = 0.1, 0.01
# Modes in a picture of all, and in a print; with more unknowns, nothing is asked for then.
DRAWN, PRINTED, ASKED = 3, 12, 1000
# Frequencies that may be wrong by more are told to be coarse.
COARSE = 0.01


@dataclass(frozen=True, eq=False, repr=False)
class Modes(Shown, Value):
    """Small motions x(t) = Re(x exp(s t)) about an equilibrium; growing ones first, then by |s|.

    Attributes:
        result: the equilibrium.
        eigenvalue: s of each mode [1/s], (k,): ± i ω without damping, of which i ω stands for both;
            with damping one of each pair of conjugates. It is zero for a motion that meets no
            force, and real for one that creeps or grows without oscillating.
        vectors: x, increments of the unknowns with kinetic energy ½ |s|², (n_dof, k).
        travel: the same of all that is tracked of a motion, (m, k).
        remarks: what else to know.
    """

    result: StaticResult
    eigenvalue: Complex
    vectors: Complex
    travel: Complex
    remarks: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.eigenvalue)

    @property
    def frequency(self) -> Array:
        """Oscillations per second [Hz], (k,): |Im s|/2π, with damping that of damped ones."""
        return np.abs(self.eigenvalue.imag) / (2.0 * np.pi)

    @property
    def damping(self) -> Array:
        """Damping ratios -Re s/|s|, (k,): 1 for motions that creep, negative if they grow."""
        size = np.abs(self.eigenvalue)
        return np.asarray(-self.eigenvalue.real / np.where(size > 0.0, size, 1.0)) + 0.0

    @property
    def growth(self) -> Array:
        """Rate of growth Re s [1/s], (k,); negative for motions that die out."""
        return np.asarray(self.eigenvalue.real)

    @property
    def free(self) -> NDArray[np.bool_]:
        """Which motions meet no force, (k,)."""
        return np.asarray(self.eigenvalue == 0.0)

    @property
    def stable(self) -> bool:
        """Whether none of these motions grows; ``remarks`` tell if others may."""
        return not bool((self.growth > 0.0).any())

    @cached_property
    def accuracy(self) -> Array:
        """Estimate of the relative error of each eigenvalue, by the discretization, (k,).

        Found when it is asked for: twice the difference to a model that is twice as fine (theory
        14), which takes longer than the modes did. Zero for free motions, inf where there is no
        telling: with volumes, and of modes that a finer model has not.
        """
        from flexura.solve.linear.mode_accuracy import mode_accuracy

        return frozen(mode_accuracy(self))

    @property
    def doubts(self) -> tuple[str, ...]:
        """A sentence if some of these motions may be wrong by more than a hundredth."""
        far = float(self.accuracy.max(initial=0.0))
        if far <= COARSE or self.result.model.volumes:
            return ()
        known = f"are known {accuracy_in_words(far)}" if math.isfinite(far) else "are not all known"
        return (f"modes {known}: describe rods more finely, taut ones in clamps above all",)

    @property
    def _tracks(self) -> Tracks:
        return tracks_of(self.result.model)

    def shape(self, mode: int, amplitude: float | None = None, phase: float = 0.0) -> Instant:
        """The robot in a mode, displaced from its equilibrium: an instant of that motion.

        It is right to first order in the amplitude, and can be drawn, asked for wrenches and
        velocities, and be the start of a simulation.

        Args:
            mode: its number, from 0.
            amplitude: largest displacement [m] at phase 0, of a motion that only turns as if 1 rad
                moved a tenth of the length; None is a tenth of the length.
            phase: of the oscillation [rad].
        """
        i = self._number(mode)
        amplitude = SHOWN * self.result.model.length if amplitude is None else amplitude
        size = finite("Modes.shape", "amplitude", amplitude)
        angle = finite("Modes.shape", "phase", phase)
        factor = size / self._sizes[i] * complex(math.cos(angle), math.sin(angle))
        rate = 2.0 * np.pi * float(self.frequency[i])
        return self._instant(i, factor, angle / rate if rate else 0.0)

    def twist(self, mode: int, frame: FrameLike, s: ArrayLike | None = None) -> Complex:
        """How a frame, or a rod at arc lengths, moves in a mode, as a body twist.

        Args:
            mode: its number, from 0.
            frame: name of a frame ("backbone.tip"), ``At(...)``, or a rod's name with s.
            s: arc length [m], a number or any array of them.

        Returns:
            (angular, linear) for ``vectors`` as they are, complex, (6,) or s.shape + (6,).
        """
        i, parts = self._number(mode), []
        apart = APART * self.result.model.length / self._sizes[i]
        for factor in (apart, -1j * apart):
            ends = [self._displaced(i, sign * factor).pose(frame, s) for sign in (-1.0, 1.0)]
            parts.append(se3.log(se3.inverse(ends[0]) @ ends[1]) / (2.0 * apart))
        return np.asarray(parts[0] + 1j * parts[1])

    def table(self) -> dict[str, Column]:
        """``frequency`` [Hz], ``damping``, ``growth`` [1/s] of each mode, for pandas."""
        return {"frequency": self.frequency, "damping": self.damping, "growth": self.growth}

    @cached_property
    def _sizes(self) -> Array:
        """Largest displacement of each of ``vectors`` [m], (k,), as ``shape`` counts it."""
        frames = self._tracks.movers.start
        twists = np.abs(self.travel[: 6 * frames].reshape(frames, 6, -1))
        turns, moves = (np.linalg.norm(x, axis=1).max(axis=0) for x in np.split(twists, 2, axis=1))
        length = self.result.model.length
        sizes = np.where(moves > TURNS * length * turns, moves, SHOWN * length * turns)
        return np.where(sizes > 0.0, sizes, 1.0)

    def _number(self, mode: int) -> int:
        """The number of a mode, checked."""
        whole = isinstance(mode, int | np.integer) and not isinstance(mode, bool)
        if not whole or not -len(self) <= mode < len(self):
            raise ModelError(f"modes are numbered from 0 to {len(self) - 1}, got {show(mode)}")
        return int(mode) % len(self)

    def _displaced(self, mode: int, factor: complex) -> StaticResult:
        """The robot displaced by Re(factor x)."""
        result, model = self.result, self.result.model
        dq = np.ascontiguousarray((factor * self.vectors[:, mode]).real)
        layout = model.layout_at(result.given)
        state = layout.retract(result.state, dq)
        assembly = Assembly(model)
        assembly.evaluate_residual(state, result.given)
        evaluation = assembly.evaluation()
        return StaticResult(model, state, result.given, evaluation=evaluation, **NO_SOLVE)

    def _instant(self, mode: int, factor: complex, t: float) -> Instant:
        """The robot displaced by Re(factor x), as it moves there."""
        s, travel = self.eigenvalue[mode], self.travel[:, mode]
        tracks, still = self._tracks, self._displaced(mode, factor)
        assembly = Assembly(tracks.moving.model)
        assembly.place(still.state, still.given)
        velocity, acceleration = (s * factor * travel).real, (s * s * factor * travel).real
        rates = np.stack([velocity, acceleration, acceleration])
        flow = Flow(still.state, *tracks.read(assembly), frozen(rates))
        assembly.move_from(tracks.now(flow))
        assembly.evaluate_residual(still.state, still.given)
        return Instant.of(still.model, assembly, flow, t)

    def _lines(self) -> Iterator[tuple[str, str]]:
        """A line for each mode."""
        asked = self.result.model.n_dof <= ASKED
        for i, s in enumerate(self.eigenvalue[:PRINTED]):
            known = f", {accuracy_in_words(self.accuracy[i])}" if asked and s else ""
            yield f"mode {i}", mode_in_words(complex(s)) + known
        if len(self) > PRINTED:
            yield "more", counted(len(self) - PRINTED, "mode")

    def _facts(self) -> Facts:
        model = self.result.model
        title = f"{counted(len(self), 'mode')} of {model.name!r}"
        remarks = [*self.remarks, *self.doubts] if model.n_dof <= ASKED else self.remarks
        return Facts(title, [*self._lines(), *(("note", remark) for remark in remarks)])

    def _picture(self) -> Any:
        return [self.result, *(self.shape(i) for i in range(min(len(self), DRAWN)))]


def mode_in_words(s: complex) -> str:
    """What a motion exp(s t) does."""
    if s == 0.0:
        return "0 Hz, a free motion that meets no force"
    if s.imag == 0.0:
        verb = "grows" if s.real > 0.0 else "creeps back"
        return f"{verb} by exp({s.real:+.6g} t/s), without oscillating"
    text = f"{abs(s.imag) / (2.0 * math.pi):.6g} Hz"
    if s.real > 0.0:
        return f"{text}, grows by exp({s.real:+.6g} t/s)"
    return f"{text}, damping ratio {-s.real / abs(s):.6g}" if s.real else text


def accuracy_in_words(part: float) -> str:
    """A relative error in per cent, rounded up to one digit."""
    if not math.isfinite(part):
        return "accuracy not known"
    if part <= 0.0:
        return "to rounding"
    unit = 10.0 ** math.floor(math.log10(100.0 * part))
    return f"to {math.ceil(100.0 * part / unit) * unit:g} %"
