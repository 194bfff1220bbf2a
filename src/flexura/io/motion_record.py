"""What instants of motions have besides what results have, as arrays, and back."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from flexura.io.archive import Archive
from flexura.model.model import Model
from flexura.model.motion.flow import Flow, tracks_of
from flexura.model.state import State
from flexura.result.instant import Instant
from flexura.typing import frozen

ENERGIES = ("elastic", "gravity", "dissipated", "work")


def instant_record(instant: Instant) -> dict[str, Any]:
    """What has the same shape in every instant of a model."""
    flow = instant.flow
    momentum = flow.momentum
    return {
        "t": instant.t,
        **{name: getattr(instant, name) for name in ENERGIES},
        "flow/poses": flow.poses,
        "flow/numbers": flow.numbers,
        "flow/rates": flow.rates,
        "flow/momentum": np.zeros(instant.model.n_dof) if momentum is None else momentum,
        "flow/momentum_known": momentum is not None,
        "flow/step": flow.step,
    }


def instant_records(instants: Sequence[Instant]) -> dict[str, Any]:
    """The same of several, along a first axis."""
    each = [instant_record(instant) for instant in instants]
    return {key: np.array([entry[key] for entry in each]) for key in each[0]}


class Flows:
    """Reads what is of instants only out of an archive."""

    def __init__(self, archive: Archive, model: Model) -> None:
        self._archive = archive
        self.tracks = tracks_of(model)

    def fields(self, take: Callable[..., Any], state: State) -> dict[str, Any]:
        """The arguments of an instant besides those of a result.

        Args:
            take: an entry by its key, kinds and shape.
            state: its unknowns.

        Raises:
            FileError: if they are not those of the state.
        """
        n, m = self.tracks.n_frames, self.tracks.n_numbers
        momentum = _own(take("flow/momentum", "f", (len(state.numbers),)))
        flow = Flow(
            state,
            _own(take("flow/poses", "f", (n, 4, 4))),
            _own(take("flow/numbers", "f", (m,))),
            _own(take("flow/rates", "f", (3, 6 * n + m))),
            momentum if bool(take("flow/momentum_known", "b", ())) else None,
            float(take("flow/step", "f", ())),
        )
        if not np.array_equal(flow.poses[self.tracks.coordinates], state.poses):
            raise self._archive.broken(
                "does not fit the model: its frames move from elsewhere than its unknowns are, as "
                "in a file of another version; np.load reads its numbers"
            )
        return {"flow": flow, **{name: float(take(name, "f", ())) for name in ("t", *ENERGIES)}}


def _own(array: Any) -> Any:
    """An array of its own, read-only."""
    return frozen(np.array(array, dtype=np.float64, order="C"))
