"""Integrators: how positions, velocities and accelerations belong together over a step."""

from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

import numpy as np

from flexura.errors import ModelError, show
from flexura.model.model import Model
from flexura.model.motion.flow import Tracks
from flexura.robot.check import assign, bad, class_names, finite, flag
from flexura.solve.motion.end_steps import EndSteps
from flexura.solve.motion.momentum_steps import ExplicitSteps, SymmetricSteps
from flexura.solve.motion.scheme import Scheme
from flexura.solve.motion.steps import Steps
from flexura.typing import Array, frozen


@dataclass(frozen=True)
class GeneralizedAlpha:
    """Generalised-alpha on Lie groups [Arnold2007, Bruls2010]: implicit, of second order.

    Attributes:
        rho: what is left, step by step, of oscillations too fast for the step: 1 keeps all (the
            trapezoidal rule), 0 lets none pass. Below 1 where joints or lengths hold the robot.
    """

    rho: float = 0.9
    order: ClassVar[int] = 2
    adapts: ClassVar[Literal[True]] = True

    def __post_init__(self) -> None:
        rho = finite("GeneralizedAlpha", "rho", self.rho)
        if not 0.0 <= rho <= 1.0:
            raise bad("GeneralizedAlpha", "rho", "from 0 to 1", self.rho, "0.9 damps a little")
        assign(self, rho=rho)

    def steps(self, tracks: Tracks) -> Steps:
        """Its steps."""
        return EndSteps(self, tracks)

    @property
    def _weights(self) -> tuple[float, float, float, float]:
        """α_m, α_f, γ and β."""
        am, af = (2.0 * self.rho - 1.0) / (self.rho + 1.0), self.rho / (self.rho + 1.0)
        gamma = 0.5 + af - am
        return am, af, gamma, 0.25 * (gamma + 0.5) ** 2

    def calmed(self, rates: Array, h: float, jerk: Array) -> Array:
        """Rates at the beginning with which nothing rings whose way is given.

        v + (1/6 - β - Δ/2) h² j,  v̇,  v̇ + Δ h j,  Δ = α_m - α_f              (theory 13.3)
        """
        am, af, _, beta = self._weights
        velocity = (1.0 / 6.0 - beta - 0.5 * (am - af)) * h**2 * jerk
        return rates + np.stack([velocity, np.zeros_like(jerk), (am - af) * h * jerk])

    def scheme(self, h: float) -> Scheme:
        """A step of length h [s].

        d = h v + h² ((½ - β) a₀ + β a),  v₁ = v + h ((1 - γ) a₀ + γ a),
        (1 - α_m) a + α_m a₀ = (1 - α_f) v̇₁ + α_f v̇₀
        """
        am, af, gamma, beta = self._weights
        mean = np.array([-1.0 / (beta * h), 0.0, 1.0 - 0.5 / beta])  # a of (v, v̇₀, a₀)
        gain = np.array([gamma * h, (1.0 - am) / (1.0 - af), 1.0]) / (beta * h * h)
        velocity = np.array([1.0, 0.0, (1.0 - gamma) * h]) + gamma * h * mean
        acceleration = ((1.0 - am) * mean + np.array([0.0, -af, am])) / (1.0 - af)
        return Scheme(frozen(gain), frozen(np.array([velocity, acceleration, mean])))

    def local_error(self, h: float, before: Array, after: Array) -> Array:
        """Error of the displacement of a step, from rates at its beginning and end, (n,).

        (β - 1/6) h² (a - a₀): what is left of the third derivative.
        """
        left = 1.0 / float(self.scheme(h).gain[2]) - h * h / 6.0
        return np.asarray(left * (after[2] - before[2]))

    def resized(self, rates: Array, ratio: float) -> Array:
        """Rates for steps so many times as long: a is as far in time from v̇ as a step is long."""
        found = rates.copy()
        found[2] = rates[1] + ratio * (rates[2] - rates[1])
        return found


@dataclass(frozen=True)
class ImplicitEuler:
    """v₁ = d/h, v̇₁ = (v₁ - v)/h: of first order, it damps all that moves.

    Attributes:
        linearised: whether each step is one step of Newton's method, from where it is predicted: as
            fast as can be, for control loops with short steps; nothing says how much is left.
    """

    linearised: bool = False
    order: ClassVar[int] = 1
    adapts: ClassVar[Literal[True]] = True

    def __post_init__(self) -> None:
        flag("ImplicitEuler", "linearised", self.linearised)

    def steps(self, tracks: Tracks) -> Steps:
        """Its steps."""
        return EndSteps(self, tracks, self.linearised)

    def scheme(self, h: float) -> Scheme:
        """A step of length h [s]."""
        return Scheme.implicit_euler(h)

    def calmed(self, rates: Array, h: float, jerk: Array) -> Array:
        """Rates at the beginning with which nothing rings: as they are."""
        return rates

    def local_error(self, h: float, before: Array, after: Array) -> Array:
        """Error of the displacement of a step, from rates at its beginning and end, (n,)."""
        return np.asarray(0.5 * h * h * after[1])

    def resized(self, rates: Array, ratio: float) -> Array:
        """Rates for steps so many times as long: the same."""
        return rates


@dataclass(frozen=True)
class Variational:
    """The symmetric variational integrator [MarsdenWest2001]: implicit, second order, symplectic.

    What is conserved stays so to rounding; energy oscillates and does not drift.
    """

    order: ClassVar[int] = 2
    adapts: ClassVar[Literal[False]] = False  # that would lose what is conserved

    def steps(self, tracks: Tracks) -> Steps:
        """Its steps."""
        return SymmetricSteps(tracks)


@dataclass(frozen=True)
class SymplecticEuler:
    """The variational integrator with forces from the beginning of a step: of first order.

    A step must be shorter than 2 over the highest angular frequency of the robot.
    """

    order: ClassVar[int] = 1
    adapts: ClassVar[Literal[False]] = False

    def steps(self, tracks: Tracks) -> Steps:
        """Its steps."""
        return ExplicitSteps(tracks)


AnyIntegrator: TypeAlias = GeneralizedAlpha | Variational | SymplecticEuler | ImplicitEuler


def chosen_integrator(integrator: AnyIntegrator | None, model: Model) -> AnyIntegrator:
    """The integrator that was given, or ``GeneralizedAlpha(0.9)``; with contacts, implicit Euler.

    Raises:
        ModelError: for what is none, or does not go with the model.
    """
    if integrator is None:
        return ImplicitEuler() if model.contacts is not None else GeneralizedAlpha()
    if isinstance(integrator, AnyIntegrator):
        if why := refusal(integrator, model):
            raise ModelError(why)
        return integrator
    hint = f"; call it: {integrator.__name__}()" if isinstance(integrator, type) else ""
    allowed = class_names(AnyIntegrator)
    raise ModelError(f"integrator must be one of {allowed}, got {show(integrator)}{hint}")


def refusal(integrator: AnyIntegrator, model: Model) -> str:
    """Why an integrator does not go with a model; nothing if it does."""
    if model.contacts is not None and not isinstance(integrator, ImplicitEuler):
        return (
            f"{type(integrator).__name__} takes no contacts: what hits something would ring, "
            "or gain energy; use ImplicitEuler(), which is taken if none is given"
        )
    if not isinstance(integrator, Variational | SymplecticEuler):
        return ""
    if model.volumes:
        return (
            f"the variational integrators know no volumes, and {model.name!r} has some: use "
            "GeneralizedAlpha(rho=1.0), which keeps energies nearly as well, or ImplicitEuler()"
        )
    if model.tubes:
        return (
            "the variational integrators know no sets of tubes, whose mass goes with their "
            f"insertion, and {model.name!r} has some: use GeneralizedAlpha() or ImplicitEuler()"
        )
    return ""
