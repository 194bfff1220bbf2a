"""What outputs of linear models are: rows that small motions of the unknowns and of nodes make."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexura.errors import ModelError
from flexura.model.covector import Covectors, length_covector, twist_covectors
from flexura.model.inputs import TWIST
from flexura.robot import AnyFrame, At
from flexura.solve.linear.small_motion import Slopes, SmallMotion
from flexura.typing import Array, Matrix


@dataclass(frozen=True, eq=False)
class Output:
    """A row.

    Attributes:
        name: of the output.
        motion: what increments of the unknowns do, (n_dof,).
        drift: what inputs do directly, while the unknowns rest, (m,).
    """

    name: str
    motion: Array
    drift: Array


def output_rows(
    motion: SmallMotion, asked: Sequence[AnyFrame], changes: Matrix, slopes: Slopes
) -> list[Output]:
    """Rows of outputs.

    Args:
        motion: small motions.
        asked: frames; lengths and tensions of tendons, as "left.length".
        changes: of inputs, column by column, (n_values, m).
        slopes: what they do.
    """
    assembly = motion.assembly
    model = assembly.model
    drifts = [model.drift(assembly.inputs, change) for change in changes.T]

    def add(names: Sequence[str], own: Covectors) -> None:
        direct = np.array([own.along(drift) for drift in drifts]).reshape(-1, len(names)).T
        rows.extend(map(Output, names, own.motion, direct))

    rows = list[Output]()
    for one in asked:
        tendon, _, what = one.rpartition(".") if isinstance(one, str) else ("", "", "")
        if tendon in model.tendons.names and what == "length":
            number = model.tendons.names.index(tendon)
            add([str(one)], length_covector(assembly, number))
        elif tendon in model.tendons.names and what == "tension":
            rows.append(_tension(motion, tendon, slopes))
        else:
            label = str(one) if isinstance(one, str) else _label(one)
            names = [f"{label}.{number}" for number in TWIST]
            add(names, twist_covectors(assembly, one, "output"))
    return rows


def _label(frame: object) -> str:
    """How a frame inside a rod is called."""
    return f"{frame.rod}({frame.s:g})" if isinstance(frame, At) else str(frame)


def _tension(motion: SmallMotion, tendon: str, slopes: Slopes) -> Output:
    """The tension of an elastic tendon that is driven by its length: λ = (R q - G u)/C."""
    model = motion.moving.model
    i, name = model.tendons.names.index(tendon), f"{tendon}.tension"
    if not model.tendons.by_length[i]:
        raise ModelError(f"{tendon!r} is driven by its tension: that is an input, not an output")
    held = np.flatnonzero(motion.held) == model.tendons.row(i, model.inputs)
    if not held.any():
        raise ModelError(f"{tendon!r} is slack: its tension stays zero")
    at = int(held.argmax())
    if not motion.give[at]:
        raise ModelError(
            f"the tension of {tendon!r}, which does not stretch, depends on accelerations: give it "
            "a stiffness= to have it as an output"
        )
    return Output(name, motion.rows[at] / motion.give[at], -slopes.gap[at] / motion.give[at])
