"""A linear model of a robot about an equilibrium."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError, show
from flexura.result.state_space import Second, as_state_space, mixed_in
from flexura.result.static import StaticResult
from flexura.shown import Facts, Shown
from flexura.text import few
from flexura.typing import ArrayLike, Matrix, real_numbers
from flexura.value import Value

# Solutions that differ by this part of themselves are not the same.
AGREES = 1e-2


class StateSpace(NamedTuple):
    """ẋ = A x + B u,  y = C x + D u."""

    A: Matrix
    B: Matrix
    C: Matrix
    D: Matrix


@dataclass(frozen=True, eq=False, repr=False)
class LinearModel(Shown, Value):
    """Small motions about an equilibrium on n independent unknowns z.

        M z̈ + D ż + K z = B u + B₁ u̇ + B₂ ü,        y = C z + F u              (theory 14.5)

    u and y are changes of the inputs and outputs against the equilibrium. Of a frame y is its body
    twist (rotation [rad], displacement [m], in the axes that the frame has at the equilibrium), of
    an input that is a pose likewise.

    Attributes:
        result: the equilibrium.
        mass, damping, stiffness: M, D, K, (n, n).
        input: B, (n, m).
        input_rate, input_acceleration: B₁ and B₂, of inputs that move frames and so act by
            viscosity and inertia; zero for loads and tensions.
        output: C, (p, n).
        feedthrough: F, (p, m), of outputs that inputs move directly.
        inputs: what the columns are, (m,), such as "left" or "pull.fz".
        outputs: what the rows are, (p,), such as "arm.tip.x".
        basis: increments of all unknowns of the model for each of the independent ones,
            (n_dof, n).
    """

    result: StaticResult
    mass: Matrix
    damping: Matrix
    stiffness: Matrix
    input: Matrix
    input_rate: Matrix
    input_acceleration: Matrix
    output: Matrix
    feedthrough: Matrix
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    basis: Matrix

    def state_space(self) -> StateSpace:
        """A, B, C, D of ẋ = A x + B u, y = C x + D u, as ``scipy.signal.StateSpace`` takes them.

        The inputs are u themselves. States are z and ż where everything has mass and no input
        moves frames. Else they are combinations with u, so that neither u̇ nor ü is needed, and
        what has no mass is eliminated.
        """
        second = Second(
            self.mass, self.damping, self.stiffness, self.input, self.input_rate,
            self.input_acceleration,
        )  # fmt: skip
        mixed = mixed_in(self.basis)
        return StateSpace(*as_state_space(second, self.output, self.feedthrough, mixed))

    def static_gain(self) -> Matrix:
        """Change of the outputs with the inputs, from equilibrium to equilibrium, (p, m)."""
        return np.asarray(self.output @ _moved(self.stiffness, self.input) + self.feedthrough)

    def response(self, frequency: ArrayLike) -> NDArray[np.complex128]:
        """Outputs for inputs that oscillate, y/u at frequencies [Hz], frequency.shape + (p, m)."""
        try:
            frequencies = real_numbers(frequency)
        except (TypeError, ValueError) as error:
            raise ModelError(f"response takes frequencies [Hz], {error}") from error
        if not np.isfinite(frequencies).all():
            raise ModelError(f"response takes finite frequencies [Hz], got {show(frequency)}")
        found = [self._response(2j * np.pi * f) for f in frequencies.ravel().tolist()]
        shape = (*frequencies.shape, *self.feedthrough.shape)
        return np.array(found, dtype=np.complex128).reshape(shape)

    def _response(self, s: complex) -> NDArray[np.complex128]:
        """y/u for inputs exp(s t)."""
        force = self.input + s * self.input_rate + s * s * self.input_acceleration
        resistance = self.stiffness + s * self.damping + s * s * self.mass
        return np.asarray(self.output @ np.linalg.solve(resistance, force) + self.feedthrough)

    @property
    def poles(self) -> NDArray[np.complex128]:
        """Eigenvalues of A [1/s], the smallest first; ``modes`` finds them more exactly."""
        found = np.linalg.eigvals(self.state_space().A)
        return np.asarray(found[np.argsort(np.abs(found), kind="stable")], dtype=np.complex128)

    def _facts(self) -> Facts:
        moving = bool(self.input_acceleration.any() or self.input_rate.any())
        rows = [
            ("unknowns", str(len(self.mass))),
            ("inputs", few(self.inputs) or "none"),
            ("outputs", few(self.outputs) or "none"),
            ("damped", "yes" if self.damping.any() else "no"),
            ("note", "inputs move frames, which act by inertia, too" if moving else ""),
        ]
        title = f"LinearModel of {self.result.model.name!r}"
        return Facts(title, [row for row in rows if row[1]])


def _moved(stiffness: Matrix, force: Matrix) -> Matrix:
    """K⁻¹ F, in units in which the diagonal of K is one.

    What bends a thin rod is far below what stretches it, and no less certain: elimination from
    either end tells. Where the two differ, nothing resists a motion, and the least one is taken.
    """
    unit = np.abs(stiffness.diagonal())
    unit = 1.0 / np.sqrt(np.where(unit > 0.0, unit, 1.0))
    K, right = unit[:, None] * stiffness * unit, unit[:, None] * force
    try:
        found = np.linalg.solve(K, right)
        again = np.linalg.solve(K[::-1, ::-1], right[::-1])[::-1]
    except np.linalg.LinAlgError:
        found = again = np.full_like(right, np.nan)
    if not np.abs(found - again).max(initial=0.0) <= AGREES * np.abs(found).max(initial=0.0):
        found = np.linalg.lstsq(K, right, rcond=None)[0]
    return np.asarray(unit[:, None] * found)
