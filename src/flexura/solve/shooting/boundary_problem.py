"""A loaded chain as a boundary value problem for Newton's method: its segments shall fit together.

Wrenches are unknowns of their own, as stresses are in ``solve.equilibrium``, so a thin stiff rod is
no harder than a soft one. On the way the integration is coarse; the last steps have its full
accuracy.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from flexura.continuous.segment_law import Strands, new_pull, new_stages
from flexura.solve.cone.complementarity import not_negative
from flexura.solve.newton import History, Outcome, Step, StepControl, newton
from flexura.solve.shooting import kernels, seam_kernels
from flexura.solve.shooting.chain_stability import chain_stability
from flexura.solve.shooting.kernels import Shot
from flexura.solve.shooting.serial import LoadedChain
from flexura.typing import Array, Matrix, Pose, Wrench

# Tolerance of the integration on the way, and steps of a segment that are worth it. The full
# accuracy is this part of the tolerance, but no better than rounding allows.
COARSE, COARSE_STEPS = 1e-7, 30
FINE, ROUNDING = 1e-3, 2e-15
# A Newton step below this is made with the full accuracy, relative to 1 rad and the length.
NEAR = 1e-3
# The last step: the next one would be its square.
LAST_STEP, LAST_ROUGH_STEP = 1e-9, 1e-5
# Where the end of a step cannot be told, because the equilibrium is one of many (a rod that buckles
# in any direction), a residual of this part of the tolerance is as good.
SMALL_RESIDUAL = 1e-2


@dataclass(frozen=True, eq=False)
class Seams:
    """The unknowns of a chain, and how to integrate from there.

    Attributes:
        pose: of its seams, (n + 1, 4, 4).
        wrench: total stress Σ there, in world axes, (n + 1, 6).
        tension: of the tendons that are driven by their length, (u,).
        fine: whether the integration has its full accuracy.
    """

    pose: Pose
    wrench: Wrench
    tension: Array
    fine: bool = False


class SeamStep(NamedTuple):
    """A Newton step.

    Attributes:
        increments: (ζ, δΣ) of all seams, (n + 1, 12).
        tension: change of the unknown tensions, (u,).
        rotation: the largest one [rad].
        size: of the step, relative to 1 rad, to the length and to the forces in play.
    """

    increments: Array
    tension: Array
    rotation: float
    size: float


@dataclass(frozen=True, eq=False)
class Report:
    """What is worth knowing of the end of an iteration.

    Attributes:
        stable: whether the equilibrium is stable, None where there is none or it cannot be told.
        loaded: the chain.
        strands: its tendons, with their tensions.
        shot: its segments.
    """

    stable: bool | None
    loaded: LoadedChain
    strands: Strands
    shot: Shot


class BoundaryProblem:
    """Segments that shall arrive where, and as, the next ones begin; a ``Problem``.

    Attributes:
        point: where it was evaluated.
        shot: results of the integration from there.
    """

    point: Seams

    def __init__(
        self,
        loaded: LoadedChain,
        tolerance: float,
        rough: bool = False,
        composed: bool = False,
    ) -> None:
        """Prepare an iteration.

        Args:
            loaded: the chain.
            tolerance: of the solution.
            rough: whether a coarse integration will do to the end.
            composed: whether poses follow from the base, by the segments, instead of being
                unknowns. Then strains change linearly, and a tip moment is solved in one step at
                any angle.
        """
        n, held = len(loaded.law.begin), loaded.target is not None
        tendons, unknown = len(loaded.drive.tension), len(loaded.drive.unknown)
        self._loaded, self._rough, self._composed = loaded, rough, composed
        self._accuracy = max(FINE * tolerance, ROUNDING)
        self._load, self._scale = loaded.load, 1.0
        self._strands = loaded.strands
        self.shot = kernels.new_shot(n, tendons, unknown)
        self._stages, self._pull = new_stages(unknown), new_pull(tendons, unknown)
        self._structure, self._slots = seam_kernels.system(n, held)
        self._values = np.zeros(self._structure.n_values)
        self._right = np.zeros((12 * (n + 1), 1 + unknown))
        self._excess = np.zeros(unknown)
        self._is_wrench = np.arange(-6, 12 * n + 6) % 12 >= 6
        self._is_wrench[-6:] = not held

    def evaluate(self, point: Seams) -> bool:
        """Integrate from given seams; whether that was possible."""
        loaded, target = self._loaded, self._loaded.target
        pose = point.pose.copy() if self._composed else point.pose
        self.point = replace(point, pose=pose)
        self._strands = loaded.strands._replace(tension=loaded.drive.tensions(point.tension))
        largest = max(np.abs(point.wrench).max(), point.tension.max(initial=0.0))
        self._scale = max(self._load, float(largest)) or 1.0
        done = np.isfinite(self._scale) and kernels.sweep(
            loaded.law, self._strands, loaded.between, pose, point.wrench, self._composed,
            self._accuracy if point.fine else COARSE, self._scale,
            kernels.MAX_STEPS if point.fine else COARSE_STEPS,
            self._stages, self._pull, self.shot,
        )  # fmt: skip
        if done:
            held = target is not None
            seam_kernels.linearise(
                pose, point.wrench, target if target is not None else loaded.base, held,
                self.shot, self._slots, self._values, self._right,
            )  # fmt: skip
            self._excess = loaded.drive.excess(self.shot.length.sum(axis=0), point.tension)
        return bool(done)

    def imbalance(self) -> tuple[float, float]:
        """Largest gap of wrenches, relative to those in play, and of poses and tendons.

        Poses and lengths of tendons are relative to 1 rad and the length; a slack tendon may be
        longer than its way.
        """
        gap = np.abs(self._right[:, 0])
        missed = np.maximum(self._excess, -self.point.tension / self._scale)
        force = gap.max(where=self._is_wrench, initial=0.0) / self._scale
        apart = gap.max(where=~self._is_wrench, initial=0.0)
        return float(force), float(max(apart, np.abs(missed).max(initial=0.0)))

    def step(self) -> SeamStep | None:
        """The Newton step from the last evaluation; None if there is no finite one."""
        moved = self._solved()
        if moved is None or not np.isfinite(moved).all():
            return None
        tension = self._tension_change(moved)
        x = (moved[:, 0] + moved[:, 1:] @ tension).reshape(-1, 12)
        rotation = float(np.sqrt((x[:, :3] ** 2).sum(axis=1).max()))
        forces = max(np.abs(x[:, 6:]).max(), np.abs(tension).max(initial=0.0))
        size = max(np.abs(x[:, :6]).max(), forces / self._scale)
        self._step = SeamStep(x, tension, rotation, float(size))
        return self._step

    def advance(self, fraction: float) -> Seams:
        """The seams after a fraction of the last step."""
        point, step = self.point, self._step
        pose, wrench = point.pose.copy(), point.wrench.copy()
        seam_kernels.advance(pose, wrench, step.increments, fraction, not self._composed)
        fine = point.fine or (not self._rough and step.size <= NEAR)
        return Seams(pose, wrench, point.tension + fraction * step.tension, fine)

    def report(self, converged: bool) -> Report:
        """Stability, and the segments themselves."""
        stable = self._stability() if converged else None
        return Report(stable, self._loaded, self._strands, self.shot)

    def _solved(self) -> Array | None:
        """Solutions of the linear system, (12 (n + 1), 1 + u); None if it is singular."""
        factor = self._structure.factorise(self._values, definite=False)
        return None if factor.singular else factor.solve(self._right)

    def _tension_change(self, moved: Array) -> Array:
        """Change of the unknown tensions, (u,), from the solutions of the linear system.

        To first order the ways of the tendons are then no longer than these can be, and as long
        where they pull:  0 ≤ τ ⊥ excess ≤ 0.
        """
        before = self.point.tension
        if not len(before):
            return before
        excess, compliance = self._lengths(moved)
        excess += compliance @ before
        tension = not_negative(compliance, excess)
        taut = np.flatnonzero(tension)  # without a potential ``compliance`` is not symmetric
        pull = np.linalg.lstsq(compliance[np.ix_(taut, taut)], excess[taut], rcond=None)[0]
        if (pull > 0.0).all():
            tension[taut] = pull
        return np.asarray(tension - before)

    def _lengths(self, moved: Array) -> tuple[Array, Matrix]:
        """What the linear system does to tendons that are driven by their length.

        Returns:
            How much too long their ways are after it, (u,), and what a unit of each tension takes
            from that, (u, u).
        """
        lengthening, drive = self.shot.lengthening, self._loaded.drive
        begins = moved[:-12].reshape(len(lengthening), 12, -1)
        change = np.einsum("sui,sij->uj", lengthening[:, :, :12], begins)
        compliance = np.diag(drive.own * drive.flexibility)
        compliance -= lengthening[:, :, 12:].sum(axis=0)
        return self._excess + change[:, 0], compliance - change[:, 1:]

    def _stability(self) -> bool | None:
        """Stability of the equilibrium that was evaluated last, None where that cannot be told."""
        taut, held = np.flatnonzero(self.point.tension), None
        if len(taut):
            moved = self._solved()
            if moved is None:
                return None
            held = self._lengths(moved)[1][np.ix_(taut, taut)]
        return chain_stability(self._loaded, self.shot, held)


@dataclass(frozen=True)
class SegmentFit:
    """Stops where steps vanish, judges by the gaps that are left; a ``Stopping``.

    Attributes:
        tolerance: of the gaps.
        rough: whether a coarse integration will do to the end.
    """

    tolerance: float
    rough: bool

    def over(self, history: History) -> bool:
        """Whether the last step was small, and found with the accuracy that is wanted."""
        *before, last = history.steps
        return last <= LAST_ROUGH_STEP if self.rough else last <= LAST_STEP and _fine(before)

    def settled(self, history: History, step: Step | None) -> bool:
        """Whether nothing but rounding is left of the gaps, though steps do not vanish."""
        small = step is not None and step.size <= LAST_STEP
        if self.rough or small or not _fine(history.steps):
            return False
        return self.residuals(history)[-1] <= SMALL_RESIDUAL * self.tolerance

    def accepts(self, history: History) -> bool:
        """Whether the segments fit together."""
        enough = LAST_ROUGH_STEP if self.rough else self.tolerance
        return self.residuals(history)[-1] <= enough

    def residuals(self, history: History) -> tuple[float, ...]:
        """Largest gaps."""
        return tuple(map(max, history.forces, history.gaps))


def _fine(steps: list[float]) -> bool:
    """Whether the integration has its full accuracy after such steps."""
    return min(steps, default=np.inf) <= NEAR


def solve_chain(
    loaded: LoadedChain,
    start: Seams,
    tolerance: float,
    iterations: int,
    rough: bool = False,
    composed: bool = False,
) -> Outcome[Seams]:
    """Newton's method for a loaded chain; see ``BoundaryProblem``."""
    problem = BoundaryProblem(loaded, tolerance, rough, composed)
    stopping, control = SegmentFit(tolerance, rough), StepControl(leap=composed)
    return newton(problem, start, stopping, control, iterations)
