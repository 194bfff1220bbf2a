"""Several static results of one model, asked together."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError
from flexura.model.evaluation import Evaluation
from flexura.model.frame import find_frame
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.model.state import State
from flexura.result.contact import Touching, contact_columns, look_at
from flexura.result.soft import VolumeState
from flexura.result.static import StaticResult
from flexura.result.table import Column, columns
from flexura.robot import AnyFrame, Nodes, On
from flexura.robot.joint import Joint
from flexura.shown import Shown, html_table
from flexura.text import cell
from flexura.typing import Array, ArrayLike, Indices, Matrix, Pose, Strain, Vector, Wrench
from flexura.value import Value

T = TypeVar("T")

ROWS = 10  # of the table that a notebook shows


@dataclass(frozen=True, eq=False, repr=False)
class ResultSequence(Shown, Value):
    """Results in their order; all that one result answers, they answer along a first axis.

    ``many[i]`` is a result; a slice, an array of numbers or of True and False, as in
    ``many[many.converged]``, gives some of them, of the same kind.

    Attributes:
        results: the i-th is ``many[i]``.
    """

    results: tuple[StaticResult, ...]

    def __len__(self) -> int:
        return len(self.results)

    @overload
    def __getitem__(self, index: int) -> StaticResult: ...

    @overload
    def __getitem__(self, index: slice | ArrayLike) -> Self: ...

    def __getitem__(self, index: Any) -> StaticResult | Self:
        if isinstance(index, int | np.integer) and not isinstance(index, bool):
            if not -len(self) <= index < len(self):
                kind, n = type(self).__name__, len(self)
                raise IndexError(f"{kind} has {n} results, numbers {-n} to {n - 1}, got {index}")
            return self.results[index]
        return self._some(self._numbers_of(index))

    def __iter__(self) -> Iterator[StaticResult]:
        return iter(self.results)

    def _numbers_of(self, index: slice | ArrayLike) -> Indices:
        """The numbers of the results that a slice, numbers or flags choose."""
        everything = np.arange(len(self), dtype=np.int64)
        if isinstance(index, slice):
            return everything[index]
        try:
            chosen = np.asarray(index)
        except ValueError:  # lists of different lengths
            chosen = np.empty((0, 0))
        if chosen.size == 0 and chosen.dtype == np.float64:
            chosen = chosen.astype(np.int64)  # an empty list
        if chosen.ndim != 1 or chosen.dtype.kind not in "iub":
            raise ModelError(
                f"{type(self).__name__} are chosen by a number, a slice, or an array of numbers or "
                f"of True and False, got {index!r}"
            )
        try:
            return np.asarray(everything[chosen])
        except IndexError as error:
            raise ModelError(f"there are {len(self)} results: {error}") from None

    def _some(self, chosen: Indices) -> Self:
        """Those of the given numbers, as a sequence of the same kind."""
        return replace(self, results=tuple(self.results[i] for i in chosen.tolist()))

    @property
    def model(self) -> Model:
        """The model that was solved.

        Raises:
            ModelError: if there are no results.
        """
        if not self.results:
            raise ModelError(f"these {type(self).__name__} are empty and know no model")
        return self.results[0].model

    @property
    def state(self) -> tuple[State, ...]:
        """The coordinates of each."""
        return tuple(result.state for result in self.results)

    @property
    def given(self) -> tuple[Inputs, ...]:
        """The values of all inputs of each."""
        return tuple(result.given for result in self.results)

    @property
    def evaluation(self) -> tuple[Evaluation, ...]:
        """Poses of nodes, forces and energies of each."""
        return tuple(result.evaluation for result in self.results)

    @property
    def remarks(self) -> tuple[tuple[str, ...], ...]:
        """What else to know of each."""
        return tuple(result.remarks for result in self.results)

    @property
    def residuals(self) -> tuple[tuple[float, ...], ...]:
        """Largest force out of balance after each iteration, of each."""
        return tuple(result.residuals for result in self.results)

    @property
    def steps(self) -> tuple[tuple[float, ...], ...]:
        """Sizes of the Newton steps of each."""
        return tuple(result.steps for result in self.results)

    @property
    def stable(self) -> tuple[bool | None, ...]:
        """Whether each is stable, None where it cannot be told."""
        return tuple(result.stable for result in self.results)

    @property
    def potential(self) -> tuple[float | None, ...]:
        """Elastic energy plus potential of the loads of each [J], None where loads have none."""
        return tuple(result.potential for result in self.results)

    @property
    def converged(self) -> NDArray[np.bool_]:
        """Whether each is an equilibrium, and a stable one if that was asked for, (n,)."""
        return np.array([result.converged for result in self.results], dtype=np.bool_)

    @property
    def iterations(self) -> Indices:
        """Newton iterations of each, (n,)."""
        return np.array([result.iterations for result in self.results], dtype=np.int64)

    @property
    def load_steps(self) -> Indices:
        """Load steps of each, (n,)."""
        return np.array([result.load_steps for result in self.results], dtype=np.int64)

    @property
    def load_factor(self) -> Array:
        """The part of the load that each carries, (n,)."""
        return np.array([result.load_factor for result in self.results])

    @property
    def residual(self) -> Array:
        """Largest force out of balance of each, relative to the forces in play, (n,)."""
        return np.array([result.residual for result in self.results])

    @property
    def energy(self) -> Array:
        """Elastic energy of each [J], (n,)."""
        return np.array([result.energy for result in self.results])

    @property
    def accuracy(self) -> Array:
        """Estimate of the largest position error of each [m], (n,); NaN without an equilibrium."""
        return np.array([result.accuracy for result in self.results])

    @property
    def contacts(self) -> tuple[tuple[Touching, ...], ...]:
        """Where the robot touches anything, of each."""
        look_at(self.results)
        return tuple(result.contacts for result in self.results)

    def pressing(self, a: str, b: str) -> Array:
        """How hard two parts press on each other [N], (n,)."""
        look_at(self.results)
        return np.array([result.pressing(a, b) for result in self.results])

    def contact_wrench(self, a: str, b: str, frame: AnyFrame = "world") -> Wrench:
        """What b exerts on a: (moment, force) in a frame [N·m, N], (n, 6)."""
        look_at(self.results)
        return np.array([result.contact_wrench(a, b, frame) for result in self.results])

    def contact_point(self, a: str, b: str) -> Vector:
        """The middle of the places where two parts press on each other [m], (n, 3); nan if none."""
        look_at(self.results)
        return np.array([result.contact_point(a, b) for result in self.results])

    def contact_table(self) -> dict[str, Column]:
        """All places where things touch, of each: ``number`` says of which; as of one result."""
        each = self.contacts
        number = np.repeat(np.arange(len(each)), [len(places) for places in each])
        return {"number": number, **contact_columns([x for places in each for x in places])}

    @property
    def tensions(self) -> Array:
        """Tensions of all tendons [N], (n, n_tendons)."""
        return np.array([result.tensions for result in self.results])

    @property
    def tendon_lengths(self) -> Array:
        """Lengths of all tendons [m], (n, n_tendons)."""
        return np.array([result.tendon_lengths for result in self.results])

    @property
    def inputs(self) -> Mapping[str, Array]:
        """The values of every input, as the user gives them, (n, ...)."""
        each = [result.inputs for result in self.results]
        return {name: np.array([x[name] for x in each]) for name in (each[0] if each else ())}

    def pose(self, frame: AnyFrame, s: ArrayLike | None = None) -> Pose:
        """Poses of a frame, or of a rod at arc lengths, (n, ..., 4, 4)."""
        if isinstance(frame, On | Nodes) and self.results:  # looked for once
            found = find_frame(self.results[0].model, frame)
            return np.array([found.pose(x.model, x.evaluation.nodes, x.state) for x in self])
        return np.array([result.pose(frame, s) for result in self.results])

    def strain(self, rod: str, s: ArrayLike) -> Strain:
        """Strains of a rod at arc lengths s [m], (n, ..., 6)."""
        return np.array([result.strain(rod, s) for result in self.results])

    def curvature(self, rod: str, s: ArrayLike) -> Vector:
        """Torsion and bending of a rod at arc lengths s [m], (n, ..., 3)."""
        return np.array([result.curvature(rod, s) for result in self.results])

    def internal_wrench(self, rod: str, s: ArrayLike) -> Wrench:
        """Wrenches that a rod carries at arc lengths s [m], (n, ..., 6)."""
        return np.array([result.internal_wrench(rod, s) for result in self.results])

    def energy_density(self, rod: str, s: ArrayLike) -> Array:
        """Elastic energy per arc length of a rod at s [m], in [J/m], (n, ...)."""
        return np.array([result.energy_density(rod, s) for result in self.results])

    def reaction(self, joint: str | Joint) -> Wrench:
        """Wrenches that a joint exerts on its second frame, there [N·m, N], (n, 6)."""
        return np.array([result.reaction(joint) for result in self.results])

    def torque(self, joint: str) -> Array:
        """What holds a motor or a driven joint [N·m, N], (n,)."""
        return np.array([result.torque(joint) for result in self.results])

    def coordinate(self, joint: str) -> Array:
        """Where a free hinge [rad] or slider [m] is, (n,)."""
        return np.array([result.coordinate(joint) for result in self.results])

    def tension(self, tendon: str) -> Array:
        """Tensions of a tendon [N], (n,)."""
        return np.array([result.tension(tendon) for result in self.results])

    def tendon_length(self, tendon: str) -> Array:
        """Lengths of a tendon [m], (n,)."""
        return np.array([result.tendon_length(tendon) for result in self.results])

    def slack(self, tendon: str) -> NDArray[np.bool_]:
        """Whether a tendon that is driven by its length hangs, (n,)."""
        return np.array([result.slack(tendon) for result in self.results], dtype=np.bool_)

    def tendon_path(self, tendon: str, points: int = 100) -> Array:
        """Points along a tendon in the world [m], (n, m, 3)."""
        return np.array([result.tendon_path(tendon, points) for result in self.results])

    def jacobian(self, frame: AnyFrame, by: Sequence[str] | None = None) -> Matrix:
        """How a frame moves with inputs, (n, 6, m); as of one result, which all must answer."""
        return np.array([replace(result).jacobian(frame, by) for result in self.results])

    def compliance(self, frame: AnyFrame) -> Matrix:
        """How a frame gives way to a small wrench there, (n, 6, 6); likewise."""
        return np.array([replace(result).compliance(frame) for result in self.results])

    def angle(self, tube: str, s: ArrayLike) -> Array:
        """Angles of a tube of a set at arc lengths s [m], in [rad], (n, ...)."""
        return np.array([result.angle(tube, s) for result in self.results])

    def volume(self, name: str) -> tuple[VolumeState, ...]:
        """A volume of each: its nodes, strains and stresses."""
        return tuple(result.volume(name) for result in self.results)

    def points(self, volume: str) -> Array:
        """Where the nodes of a volume are [m], (n, m, 3)."""
        return np.array([result.points(volume) for result in self.results])

    def sliding(self, tie: str) -> tuple[Array, Array]:
        """Where a threaded rod passes its points [m], (n, m), and its forces [N], (n, m, 3)."""
        each = [result.sliding(tie) for result in self.results]
        return np.array([s for s, _ in each]), np.array([force for _, force in each])

    def table(self) -> dict[str, Column]:
        """What there is to know of each in columns of n entries: ``pandas.DataFrame(x.table())``.

        The inputs by their names, a wrench as ``pull.mx`` to ``pull.fz``, a vector as ``gravity.x``
        to ``gravity.z``, a pose with its rotation vector as ``grip.x`` to ``grip.rz``. Then
        ``status``, ``converged``, ``stable`` (None where it is not known), ``iterations``,
        ``load_steps``, ``load_factor``, ``residual``, ``energy``, ``remarks`` between semicolons.
        Then places, ``arm.tip.x`` of rods and ``plate.x`` of bodies, and ``left.tension``,
        ``left.length`` of tendons, ``motor.torque`` of what is driven, ``knee.coordinate`` of what
        moves freely. An input with the name of another column is called ``input.<name>``. All in SI
        units. What takes time or has many numbers, as ``accuracy``, ``reaction`` and ``pressing``,
        is asked for by itself.
        """
        return columns(self.results)

    def _repr_html_(self) -> str:
        found = self[:ROWS].table()
        shown = range(min(len(self), ROWS))
        rows = [[str(i), *(cell(column[i]) for column in found.values())] for i in shown]
        more = "" if len(self) <= ROWS else f"<p>and {len(self) - ROWS} more</p>"
        return super()._repr_html_() + html_table(["", *found], rows) + more
