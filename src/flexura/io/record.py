"""Results to the last bit, as arrays, and back."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from flexura.errors import ModelError
from flexura.io.archive import Archive
from flexura.io.fit import check_nodes
from flexura.io.motion_record import Flows, instant_record, instant_records
from flexura.model.evaluation import Evaluation
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.model.slips import Slips
from flexura.model.state import State
from flexura.model.winding import no_turns
from flexura.result.dense import Dense
from flexura.result.instant import Instant
from flexura.result.integrated import IntegratedResult
from flexura.result.static import StaticResult
from flexura.result.status import Status
from flexura.typing import Array, Matrix, frozen

Entries: TypeAlias = dict[str, Any]

SOLUTION = "solution/"
# Lists of another length in each result: one after the other, with their lengths as <name>/count.
LISTS = {"residuals": "f", "steps": "f", "remarks": "U"}


def records(results: Sequence[StaticResult], prefix: str = "") -> Entries:
    """All that results of one model are made of, each along a first axis."""
    each = [_record(result) for result in results]
    found = {prefix + key: np.array([entry[key] for entry in each]) for key in each[0]}
    for name, kind in LISTS.items():
        lists = [getattr(result, name) for result in results]
        found[f"{prefix}{name}"] = _joined(lists, kind)
        found[f"{prefix}{name}/count"] = np.array([len(entry) for entry in lists], dtype=np.int64)
    instants = [result for result in results if isinstance(result, Instant)]
    return {**found, **instant_records(instants)} if instants else found


def single(result: StaticResult) -> Entries:
    """The same of one result, without an axis."""
    found = _record(result)
    for name, kind in LISTS.items():
        found[name] = _joined([getattr(result, name)], kind)
    if isinstance(result, IntegratedResult):
        found.update({SOLUTION + k: x for k, x in result.solution.arrays().items()})
    return {**found, **instant_record(result)} if isinstance(result, Instant) else found


def _joined(lists: Sequence[Sequence[Any]], kind: str) -> Any:
    """Lists one after the other."""
    entries = [entry for entries in lists for entry in entries]
    return np.array(entries, dtype=np.str_ if kind == "U" else np.float64)


def _slid(result: StaticResult) -> Entries:
    """How far all pairs that may touch have slid."""
    contacts, slip = result.model.contacts, result.evaluation.slip
    if contacts is None or slip is None:
        return {}
    return {"slip": slip.everywhere(contacts.count)}


def _record(result: StaticResult) -> Entries:
    """What has the same shape in every result of a model."""
    state, at = result.state, result.evaluation
    strains, whole = at.strains, at.hinge_turns
    if strains is None:
        strains = tuple(np.zeros_like(part.rest_strain) for part in result.model.parts)
    lost = at.lost
    if lost is None:
        lost = tuple(np.zeros((len(strain), 3)) for strain in strains)
    return {
        "ended": result.status.name,
        "stable": -1 if result.stable is None else int(result.stable),
        "iterations": result.iterations,
        "load_steps": result.load_steps,
        "load_factor": result.load_factor,
        "energy": at.energy,
        "potential": np.nan if at.potential is None else at.potential,
        "turns": np.array(at.turns, dtype=np.float64),
        "given": result.given.values,
        "values": at.values,
        "conjugate": at.conjugate,
        "state": state.poses,
        "numbers": state.numbers,
        **({"multipliers": state.multipliers} if len(state.multipliers) else {}),
        **_slid(result),
        "nodes": at.nodes,
        "node_forces": at.node_forces,
        "strains_known": at.strains is not None,
        **{f"strains/{i}": strain for i, strain in enumerate(strains)},
        **{f"lost_turns/{i}": turns for i, turns in enumerate(lost)},
        "hinge_turns": np.zeros(_hinges(result.model)) if whole is None else whole,
        **_posed(result),
    }


def _posed(result: StaticResult) -> Entries:
    """Turns by poses of welds, of models that have some; NaN where they are not known."""
    none, turns = no_turns(result.model), result.evaluation.pose_turns
    if none is None:
        return {}
    return {"pose_turns": np.full_like(none, np.nan) if turns is None else turns}


def _hinges(model: Model) -> int:
    """How many joints turn about one axis."""
    return len(model.joints.hinges[0])


class Records:
    """Reads results of a model out of an archive; they may be instants of a motion."""

    def __init__(
        self, archive: Archive, model: Model, prefix: str = "", instants: bool = False
    ) -> None:
        self._archive, self._model, self._prefix = archive, model, prefix
        self._flows = Flows(archive, model) if instants else None

    def one(self) -> StaticResult:
        """The result that ``single`` wrote."""
        take: Callable[..., Any] = self._array
        lists = {name: take(name, kind) for name, kind in LISTS.items()}
        if any(entries.ndim != 1 for entries in lists.values()):
            raise self._archive.broken("has residuals, steps or remarks that are no lists")
        found = {name: entries.tolist() for name, entries in lists.items()}
        return self._result(take, found, self._solution())

    def several(self) -> tuple[StaticResult, ...]:
        """The results that ``records`` wrote."""
        counts = {name: self._array(f"{name}/count", "i") for name in LISTS}
        n = len(counts["residuals"])
        entries: dict[str, Any] = {}

        def take(key: str, kinds: str = "f", shape: tuple[int, ...] = ()) -> Any:
            if key not in entries:
                entries[key] = self._array(key, kinds, (n, *shape))
            return entries[key][i]

        lists = {name: self._lists(name, counts[name], n) for name in LISTS}
        found = []
        for i in range(n):
            found.append(self._result(take, {name: x[i] for name, x in lists.items()}, None))
        return tuple(found)

    def _array(self, key: str, kinds: str = "f", shape: tuple[int, ...] | None = None) -> Any:
        return self._archive.array(self._prefix + key, kinds, shape)

    def _lists(self, name: str, count: Array, n: int) -> list[list[Any]]:
        """Lists that were written one after the other."""
        flat = self._array(name, LISTS[name])
        if flat.ndim != 1 or count.shape != (n,) or (count < 0).any() or count.sum() != len(flat):
            raise self._archive.broken(f"has {len(flat)} {name}, and not those of {n} results")
        ends = np.cumsum(count).tolist()
        return [flat[end - k : end].tolist() for end, k in zip(ends, count.tolist(), strict=True)]

    def _result(
        self, take: Callable[..., Any], lists: Mapping[str, list[Any]], solution: Dense | None
    ) -> StaticResult:
        """A result from its entries."""
        model = self._model
        turning = len(model.parts) if solution is None else 0  # shooting has no elements
        evaluation, state = self._evaluation(take, turning), self._state(take)
        stable = int(take("stable", "i", ()))
        if not lists["residuals"] or stable not in (-1, 0, 1):
            raise self._archive.broken("has a result without residuals or stability")
        fields: dict[str, Any] = {
            "model": model,
            "state": state,
            "given": Inputs(model.inputs, _own(take("given", "f", (model.inputs.n_values,)))),
            "status": self._status(str(take("ended", "U", ()))),
            "residuals": tuple(lists["residuals"]),
            "steps": tuple(lists["steps"]),
            "iterations": int(take("iterations", "i", ())),
            "load_steps": int(take("load_steps", "i", ())),
            "load_factor": float(take("load_factor", "f", ())),
            "stable": None if stable < 0 else bool(stable),
            "evaluation": evaluation,
            "remarks": tuple(lists["remarks"]),
        }
        if self._flows is not None:
            result: StaticResult = Instant(**fields, **self._flows.fields(take, state))
        elif solution is None:
            result = StaticResult(**fields)
        else:
            result = IntegratedResult(**fields, solution=solution)
        check_nodes(self._archive, result)
        return result

    def _status(self, name: str) -> Status:
        """How a solve ended, by its name."""
        if name not in Status.__members__:
            raise self._archive.broken(f"has a solve that ended with {name!r}, which is unknown")
        return Status[name]

    def _state(self, take: Callable[..., Any]) -> State:
        """The unknowns, of the shapes that the model has."""
        layout, rows = self._model.layout, self._model.n_multipliers
        return State(
            poses=_own(take("state", "f", (layout.n_coordinates, 4, 4))),
            numbers=_own(take("numbers", "f", (layout.n_dof,))),
            multipliers=_own(take("multipliers", "f", (rows,)) if rows else []),
        )

    def _evaluation(self, take: Callable[..., Any], turning: int) -> Evaluation:
        """What there is to know of the state; ``turning`` parts have elements."""
        model = self._model
        n, n_values = model.layout.n_nodes, model.inputs.n_values
        potential = float(take("potential", "f", ()))
        strains = tuple(
            _own(take(f"strains/{i}", "f", part.rest_strain.shape))
            for i, part in enumerate(model.parts)
        )
        lost = tuple(
            _own(take(f"lost_turns/{i}", "f", (len(part.rest_strain), 3)))
            for i, part in enumerate(model.parts)
        )
        hinges = _own(take("hinge_turns", "f", (_hinges(model),)))
        return Evaluation(
            nodes=_own(take("nodes", "f", (n, 4, 4))),
            node_forces=_own(take("node_forces", "f", (n, 6))),
            values=_own(take("values", "f", (n_values,))),
            conjugate=_own(take("conjugate", "f", (n_values,))),
            energy=float(take("energy", "f", ())),
            potential=None if np.isnan(potential) else potential,
            turns=tuple(take("turns", "f", (turning,)).tolist()),
            strains=strains if bool(take("strains_known", "b", ())) else None,
            lost=lost if any(turns.any() for turns in lost) else None,
            slip=self._slip(take),
            hinge_turns=hinges if hinges.any() else None,
            pose_turns=self._posed(take),
        )

    def _posed(self, take: Callable[..., Any]) -> Matrix | None:
        """Turns by poses of welds; files that are older do not have them."""
        none = no_turns(self._model)
        if none is None or self._prefix + "pose_turns" not in self._archive:
            return None
        turns = take("pose_turns", "f", none.shape)
        return None if np.isnan(turns).any() else _own(turns)

    def _slip(self, take: Callable[..., Any]) -> Slips | None:
        """How far what touches has slid."""
        contacts = self._model.contacts
        if contacts is None:
            return None
        return Slips.among(np.arange(contacts.count), take("slip", "f", (contacts.count, 3)))

    def _solution(self) -> Dense | None:
        """The solution of the continuous equations, if it is one."""
        keys = [key for key in self._archive if key.startswith(SOLUTION)]
        if not keys:
            return None
        arrays = {key.removeprefix(SOLUTION): self._array(key, "fi") for key in keys}
        try:
            return Dense.of_arrays(arrays)
        except ModelError as error:
            raise self._archive.broken(f"is not sound: {error}") from error


def _own(array: Any) -> Any:
    """An array of its own, read-only."""
    return frozen(np.array(array, dtype=np.float64, order="C"))
