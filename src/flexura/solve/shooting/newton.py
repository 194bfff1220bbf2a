"""Newton's method on the nodes of multiple shooting.

Wrenches are unknowns of their own, as in the mixed iteration of ``solve.newton``, so a thin stiff
rod is no harder than a soft one. Steps are limited by their rotation, never by the residual. On the
way the integration is coarse; the last steps have its full accuracy.
"""

from dataclasses import dataclass, field

import numpy as np

from flexura.model.tangent import band_tangent
from flexura.solve.band import factorise
from flexura.solve.complementarity import pulling
from flexura.solve.linear import is_stable
from flexura.solve.shooting import kernels as kernels
from flexura.solve.shooting.law import new_pull, new_stages
from flexura.solve.shooting.serial import Problem
from flexura.typing import Array, Pose, Wrench

# The largest rotation of a section in one step [rad].
MAX_ROTATION = 1.0
# A longer first step is tried whole, and kept if the next one turns by less than this [rad].
LANDED = 0.5
# Tolerance of the integration on the way, and steps of a segment that are worth it.
COARSE, COARSE_STEPS = 1e-7, 30
# A Newton step below this is made with the full accuracy, relative to 1 rad and the length.
NEAR = 1e-3
# The last step: the next one would be its square.
LAST_STEP, LAST_COARSE_STEP = 1e-9, 1e-5
# Where the end of a step cannot be told, because the equilibrium is one of many (a rod that buckles
# in any direction), a residual of this part of the tolerance is as good.
SMALL_RESIDUAL = 1e-2
# A segment with both ends held buckles by itself under a force P h²/EI = 4π², or a torque
# T h/EI = 9; below that, stability is decided between the nodes.
BUCKLING_FORCE, BUCKLING_MOMENT = 4.0 * np.pi**2, 6.0
# Nodes closer than this part of the chain's length are not told apart then: a segment between them
# would be too stiff for the rounding.
SHORTEST = 1e-3


@dataclass(frozen=True)
class Nodes:
    """The unknowns of a chain.

    Attributes:
        pose: of its nodes, (n + 1, 4, 4).
        wrench: total stress Σ there, in world axes, (n + 1, 6).
        tension: of the tendons that are driven by their length, (u,).
    """

    pose: Pose
    wrench: Wrench
    tension: Array = field(default_factory=lambda: np.zeros(0))

    def copy(self) -> "Nodes":
        """The same in arrays of their own."""
        return Nodes(self.pose.copy(), self.wrench.copy(), self.tension.copy())


@dataclass(frozen=True)
class Outcome:
    """Where an iteration ended.

    Attributes:
        nodes: the last nodes.
        converged: whether the segments fit together.
        singular: whether the linear system was singular.
        residuals: largest gap at each evaluation: of poses and lengths of tendons relative to 1 rad
            and the length, of wrenches relative to those in play.
        steps: size of each Newton step, relative to the same.
    """

    nodes: Nodes
    converged: bool
    singular: bool
    residuals: tuple[float, ...]
    steps: tuple[float, ...]

    @property
    def iterations(self) -> int:
        """Number of evaluations after the first one."""
        return max(0, len(self.residuals) - 1)


class Search:
    """One search for an equilibrium: its problem, arrays and history."""

    def __init__(self, problem: Problem, tolerance: float) -> None:
        n, tendons = len(problem.law.begin), len(problem.drive.tension)
        unknown = len(problem.drive.unknown)
        self.problem = problem
        self.strands = problem.strands
        self.tolerance = tolerance
        self.fine = max(1e-3 * tolerance, 2e-15)
        self.shot = kernels.new_shot(n, tendons, unknown)
        self.nodes = Nodes(np.zeros((n + 1, 4, 4)), np.zeros((n + 1, 6)), np.zeros(unknown))
        self.residuals: list[float] = []
        self.steps: list[float] = []
        self.scale = 1.0
        self._load = problem.load
        self._stages, self._pull = new_stages(unknown), new_pull(tendons, unknown)
        self._band = np.zeros((12 * (n + 1), 3 * kernels.HALF_BANDWIDTH + 1))
        self._right = np.zeros((12 * (n + 1), 1 + unknown))
        self._excess = np.zeros(unknown)
        self._is_wrench = np.arange(-6, 12 * n + 6) % 12 >= 6
        self._is_wrench[-6:] = problem.target is None

    def look(self, nodes: Nodes, tolerance: float, recompose: bool = False) -> bool:
        """Integrate from given nodes; whether that was possible.

        With ``recompose`` their poses are replaced by those that the segments arrive at.
        """
        problem, fine = self.problem, tolerance < COARSE
        self.nodes = nodes
        tension = problem.drive.tensions(nodes.tension)
        self.strands = problem.strands._replace(tension=tension)
        largest = max(np.abs(nodes.wrench).max(), nodes.tension.max(initial=0.0))
        self.scale = max(self._load, float(largest)) or 1.0
        done = np.isfinite(self.scale) and kernels.sweep(
            problem.law, self.strands, problem.entry, nodes.pose, nodes.wrench, recompose,
            tolerance, self.scale, kernels.MAX_STEPS if fine else COARSE_STEPS,
            self._stages, self._pull, self.shot,
        )  # fmt: skip
        if done:
            held = problem.target is not None
            target = problem.target if problem.target is not None else problem.base
            kernels.linearise(
                nodes.pose, nodes.wrench, target, held, self.shot, self._band, self._right
            )
            self._excess = problem.drive.excess(self.shot.length.sum(axis=0), nodes.tension)
            self.residuals.append(self._residual())
        return bool(done)

    def _residual(self) -> float:
        """The largest gap of the last look; a slack tendon may be as long as it likes."""
        unit = np.where(self._is_wrench, 1.0 / self.scale, 1.0)
        gap = np.abs(self._right[:, 0] * unit).max()
        taut = np.maximum(self._excess, -self.nodes.tension / self.scale)
        return float(max(gap, np.abs(taut).max(initial=0.0)))

    def run(
        self, start: Nodes, iterations: int, recompose: bool = False, coarse: bool = False
    ) -> Outcome:
        """Iterate until the step is small, or ``iterations`` are used up.

        Args:
            start: where to begin.
            iterations: how many to spend.
            recompose: compose the chain from its base in every step. Then strains change
                linearly, and a tip moment is solved in one step at any angle.
            coarse: whether a rough solution will do.
        """
        if not self.look(start.copy(), COARSE, recompose):
            return self._outcome(finished=False)
        step = self._step()
        if recompose and step is not None and step.rotation > MAX_ROTATION:
            step = self._leap(step)
        small, tolerance = LAST_COARSE_STEP if coarse else LAST_STEP, COARSE
        while step is not None and len(self.residuals) <= iterations:
            fraction = min(1.0, MAX_ROTATION / step.rotation) if step.rotation else 1.0
            final = step.size <= small and (coarse or tolerance == self.fine)
            if not coarse and step.size <= NEAR:
                tolerance = self.fine
            if not self.look(self._moved(step, fraction, recompose), tolerance, recompose):
                return self._outcome(finished=False)
            self.steps.append(step.size)
            if final:
                wanted = LAST_COARSE_STEP if coarse else self.tolerance
                return self._outcome(finished=self.residuals[-1] <= wanted)
            step = self._step()
            settled = self.residuals[-1] <= SMALL_RESIDUAL * self.tolerance
            if settled and tolerance == self.fine and (step is None or step.size > small):
                return self._outcome(finished=True)
        return self._outcome(finished=False, singular=step is None)

    def _leap(self, step: "_Step") -> "_Step | None":
        """Try the whole of a long first step; keep it if the next one is short."""
        before = self.nodes
        if self.look(self._moved(step, 1.0, recompose=True), COARSE, recompose=True):
            further = self._step()
            if further is not None and further.rotation <= LANDED:
                self.steps.append(step.size)
                return further
        self.look(before, COARSE, recompose=True)
        return self._step()

    def _step(self) -> "_Step | None":
        """The Newton step from the last look; None if there is no finite one."""
        factor = factorise(self._band, symmetric=False)
        if factor.singular:
            return None
        moved = factor.solve(self._right)
        if not np.isfinite(moved).all():
            return None
        tension = self._tension_change(moved)
        x = (moved[:, 0] + moved[:, 1:] @ tension).reshape(-1, 12)
        rotation = float(np.sqrt((x[:, :3] ** 2).sum(axis=1).max()))
        forces = max(np.abs(x[:, 6:]).max(), np.abs(tension).max(initial=0.0))
        size = max(np.abs(x[:, :6]).max(), forces / self.scale)
        return _Step(x, tension, rotation, float(size))

    def _tension_change(self, moved: Array) -> Array:
        """Change of the unknown tensions, (u,), from the columns of the linear system's solution.

        To first order the ways of the tendons are then no longer than these can be, and as long
        where they pull:  0 ≤ τ ⊥ excess ≤ 0.
        """
        before = self.nodes.tension
        if not len(before):
            return before
        excess, give = self._lengths(moved)
        excess += give @ before
        tension = pulling(give, excess)
        taut = np.flatnonzero(tension)  # without a potential ``give`` is not symmetric
        pull = np.linalg.lstsq(give[np.ix_(taut, taut)], excess[taut], rcond=None)[0]
        if (pull > 0.0).all():
            tension[taut] = pull
        return np.asarray(tension - before)

    def _lengths(self, moved: Array) -> tuple[Array, Array]:
        """What the linear system does to tendons that are driven by their length.

        Returns:
            How much too long their ways are after it, (u,), and what a unit of each tension takes
            from that, (u, u).
        """
        lengthening, drive = self.shot.lengthening, self.problem.drive
        nodes = moved[:-12].reshape(len(lengthening), 12, -1)
        change = np.einsum("sui,sij->uj", lengthening[:, :, :12], nodes)
        give = np.diag(drive.own * drive.compliance) - lengthening[:, :, 12:].sum(axis=0)
        return self._excess + change[:, 0], give - change[:, 1:]

    def _moved(self, step: "_Step", fraction: float, recompose: bool) -> Nodes:
        """The nodes after a fraction of a step."""
        nodes = self.nodes.copy()
        kernels.advance(nodes.pose, nodes.wrench, step.increments, fraction, not recompose)
        return Nodes(nodes.pose, nodes.wrench, nodes.tension + fraction * step.tension)

    def _outcome(self, finished: bool, singular: bool = False) -> Outcome:
        return Outcome(self.nodes, finished, singular, tuple(self.residuals), tuple(self.steps))

    def stable(self, conservative: bool) -> bool | None:
        """Whether the equilibrium of the last look is stable.

        Segments are short, so it is between nodes that stability is decided: by the tangent of the
        forces on the nodes, from the derivatives (A, B; C, D) of (ζ, δΣ) over each segment,

            δf_begin = -δΣ_begin,  δf_end = δΣ_end,    δΣ_begin = B⁻¹ (ζ_end - A ζ_begin).

        Tensions are constant there; a taut tendon that is driven by its length holds in addition.
        """
        law = self.problem.law
        h = np.abs(law.end - law.begin)
        EI = law.series[law.panel, 0, 1:3].min(axis=1)
        begin = self.shot.wrench[:, 0]
        if (-begin[:, 3] * h**2 > BUCKLING_FORCE * EI).any():
            return False
        if (np.linalg.norm(begin[:, :3], axis=1) * h > BUCKLING_MOMENT * EI).any():
            return None
        first, transfer = self._joined(h)
        n = len(first)
        A, B, C, D = (transfer[:, i : i + 6, j : j + 6] for i in (0, 6) for j in (0, 6))
        stiff = np.linalg.inv(B)
        tangent = np.block([[stiff @ A, -stiff], [C - D @ stiff @ A, D @ stiff]])
        direction = np.append(np.sign(law.end - law.begin)[:1], self.problem.entry.direction)
        tangent[:, :6] *= direction[first, None, None]
        tangent[:, 6:] *= direction[np.append(first[1:], len(h)), None, None]
        band = np.zeros((6 * (n + 1), 34))
        for i, j in np.ndindex(12, 12):
            band[j : 6 * n + j : 6, 22 + i - j] += tangent[:, i, j]
        free = slice(6, 6 * n if self.problem.target is not None else None)
        tangent_band = np.ascontiguousarray(band[free])
        return is_stable(band_tangent(tangent_band), conservative, held=self._hold())

    def _hold(self) -> Array | None:
        """What tensions of the taut tendons take from their lengths, None if none are unknown."""
        taut = np.flatnonzero(self.nodes.tension)
        if not len(taut):
            return None
        factor = factorise(self._band, symmetric=False)
        give = self._lengths(factor.solve(self._right))[1]
        return np.asarray(give[np.ix_(taut, taut)])

    def _joined(self, h: Array) -> tuple[list[int], Array]:
        """Segments of lengths h joined until none is very short.

        Returns the first segment of each, and the derivatives over all of it.
        """
        first, joined = [0], [self.shot.transfer[0]]
        for i in range(1, len(h)):
            if min(h[first[-1] : i].sum(), h[i:].sum()) < SHORTEST:
                joined[-1] = self.shot.transfer[i] @ joined[-1]
            else:
                first.append(i)
                joined.append(self.shot.transfer[i])
        return first, np.array(joined)


@dataclass(frozen=True)
class _Step:
    """A Newton step.

    Attributes:
        increments: (ζ, δΣ) of all nodes, (n + 1, 12).
        tension: change of the unknown tensions, (u,).
        rotation: the largest one [rad].
        size: of the step, relative to 1 rad, to the length and to the forces in play.
    """

    increments: Array
    tension: Array
    rotation: float
    size: float
