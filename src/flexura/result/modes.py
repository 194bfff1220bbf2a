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
# Modes in a picture of all, and in a print.
DRAWN, PRINTED = 3, 12


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
        for i, s in enumerate(self.eigenvalue[:PRINTED]):
            yield f"mode {i}", mode_in_words(complex(s))
        if len(self) > PRINTED:
            yield "more", counted(len(self) - PRINTED, "mode")

    def _facts(self) -> Facts:
        model = self.result.model
        title = f"{counted(len(self), 'mode')} of {model.name!r}"
        return Facts(title, [*self._lines(), *(("note", remark) for remark in self.remarks)])

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
