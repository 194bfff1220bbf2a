"""The solution of the continuous equations at any arc length."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexura.continuous.segment_law import SegmentLaw, Strands, new_pull, new_stages
from flexura.continuous.strong_form import sample
from flexura.errors import ModelError
from flexura.typing import Array, Indices, Pose, Strain, Wrench
from flexura.value import Value


@dataclass(frozen=True, eq=False, repr=False)
class Dense(Value):
    """Poses, strains and stresses from the begins of all integration steps; a ``Solution``.

    Attributes:
        length: unit of length [m].
        wrench_unit: units of moments and forces, (6,).
        law: what acts along the segments.
        strands: their tendons.
        segment: segment of each integration step, (m,).
        begin: arc length where it begins, (m,).
        low: the smaller one of the arc lengths at its ends, (m,).
        pose: where it begins, (m, 4, 4).
        wrench: total stress there, (m, 6).
        steps: the integration steps of each rod, by arc length.
    """

    length: float
    wrench_unit: Wrench
    law: SegmentLaw
    strands: Strands
    segment: Indices
    begin: Array
    low: Array
    pose: Pose
    wrench: Wrench
    steps: Mapping[str, Indices]

    def __post_init__(self) -> None:
        """Its arrays are as kernels know them from the solve; read-only ones are another type."""

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        vars(self).update(state)

    def arrays(self) -> dict[str, Any]:
        """All of it as arrays by name, for files."""
        return {
            **{f"law/{name}": array for name, array in self.law._asdict().items()},
            **{f"strands/{name}": array for name, array in self.strands._asdict().items()},
            **{f"steps/{rod}": own for rod, own in self.steps.items()},
            **{name: getattr(self, name) for name in OWN},
        }

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, Any]) -> "Dense":
        """The solution again, from the arrays of ``arrays``.

        Raises:
            ModelError: if they do not fit together.
        """

        def part(prefix: str) -> dict[str, Any]:
            return {k.removeprefix(prefix): x for k, x in arrays.items() if k.startswith(prefix)}

        try:
            own = {name: arrays[name] for name in OWN} | {"length": float(arrays["length"])}
            law, strands = SegmentLaw(**part("law/")), Strands(**part("strands/"))
            found = cls(law=law, strands=strands, steps=part("steps/"), **own)
            fits = found._fits()
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise ModelError(f"a solution of shooting is not complete: {error}") from error
        if not fits:
            raise ModelError("the arrays of a solution of shooting do not fit together")
        return found

    def _fits(self) -> bool:
        """Whether no index leads out of its array: kernels do not look."""
        law, strands = self.law, self.strands
        n, (m, k, _), steps = len(law.begin), law.series.shape, len(self.begin)
        q, t, tendons = len(strands.tendon), strands.series.shape, len(strands.tension)
        shapes = (
            (law.end, (n,)), (law.panel, (n,)), (law.heavy, (n,)), (law.dead, (n, 6)),
            (law.weight, (n, 3)), (law.follower, (n, 6)), (law.panel_ends, (m, 2)),
            (law.terms, (m,)), (law.series, (m, k, 12)), (strands.first, (m + 1,)),
            (strands.unknown, (q,)), (strands.series, (q, t[1], 4)), (strands.tension, (tendons,)),
            (self.segment, (steps,)), (self.low, (steps,)), (self.pose, (steps, 4, 4)),
            (self.wrench, (steps, 6)), (self.wrench_unit, (6,)),
        )  # fmt: skip
        indices = (
            (law.panel, 0, m), (law.terms, 1, k + 1), (strands.first, 0, q + 1),
            (np.diff(strands.first), 0, tendons + 1), (strands.tendon, 0, tendons),
            (strands.unknown, -1, 0), (self.segment, 0, n),
            (law.terms[np.diff(strands.first) > 0], 1, t[1] + 1),
            *((own, 0, steps) for own in self.steps.values()),
        )  # fmt: skip
        return all(array.shape == shape for array, shape in shapes) and all(
            _within(*entry) for entry in indices
        )

    def at(self, rod: str, s: Array) -> tuple[Pose, Strain, Wrench]:
        """Pose, strain and internal wrench Λ of a rod at arc lengths s [m], (n,)."""
        pose, strain, elastic, _ = self._sample(rod, s)
        return pose, strain, elastic

    def total_stress(self, rod: str, s: Array) -> Wrench:
        """Total stress Σ of a rod, with its tendons, at arc lengths s [m], (n,)."""
        return self._sample(rod, s)[3]

    def _sample(self, rod: str, s: Array) -> tuple[Pose, Strain, Wrench, Wrench]:
        """Pose, strain, elastic wrench and total stress of a rod at arc lengths s [m], (n,)."""
        own = self.steps[rod]
        s = s / self.length
        which = own[np.searchsorted(self.low[own][1:], s, side="right")]
        n = len(s)
        pose, (strain, elastic, stress) = np.zeros((n, 4, 4)), np.zeros((3, n, 6))
        sample(
            self.law, self.strands, self.segment, self.begin, self.pose, self.wrench,
            which, s, new_stages(), new_pull(len(self.strands.tension)), pose, strain, elastic,
            stress,
        )  # fmt: skip
        pose[:, :3, 3] *= self.length
        strain[:, :3] /= self.length
        return pose, strain, elastic * self.wrench_unit, stress * self.wrench_unit


OWN = ("length", "wrench_unit", "segment", "begin", "low", "pose", "wrench")


def _within(array: Indices, least: int, bound: int) -> bool:
    """Whether all are whole numbers from ``least`` to below ``bound``."""
    whole = array.dtype == np.int64
    return bool(whole and (array >= least).all() and (array < bound).all())
