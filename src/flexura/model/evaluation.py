"""What goes into an evaluation of a model besides state and inputs, and what comes out."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from flexura.model.inputs import Inputs
from flexura.model.slips import Slips
from flexura.typing import Array, ArrayLike, Matrix, Pose, Strain, frozen
from flexura.value import Value


class Ahead(NamedTuple):
    """What an iteration remembers besides its state, for the geometric part of the next tangent.

    Attributes:
        inputs: those of the start, and on the way from there to those of the problem.
        strains: predicted at the points of each part; None for the ones of the state.
        stresses: to be taken whatever the strains, where a state comes from other laws, weights
            included; None for those of the strains.
        lost: whole turns that curvatures at the points of each part have lost so far; None if none.
    """

    inputs: Inputs
    strains: tuple[Strain, ...] | None = None
    stresses: tuple[Array, ...] | None = None
    lost: tuple[Array, ...] | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation(Value):
    """What there is to know of a state besides its unknowns.

    Attributes:
        nodes: poses of all nodes, (n_nodes, 4, 4).
        node_forces: generalised forces at the nodes, before joints balance them, (n_nodes, 6).
        values: inputs and multipliers.
        conjugate: what is conjugate to them, such as lengths of tendons.
        energy: stored in the rods [J].
        potential: of everything [J], None where loads have none.
        turns: largest rotation of an element of each part, over what its description can tell.
        strains: at the points of each part, where a next solve may begin; None if not known.
        lost: whole turns that curvatures there have lost on the way; None if none.
        slip: how far pairs that may touch have slid; None where nothing can touch.
        hinge_turns: whole turns of hinges that nothing drives, counted on the way; None if none.
        pose_turns: how often poses of welds have turned rods, and turns in doubt, counted on the
            way by loop (``Grip``), (n, 2); None if there are none, or if that is not known.
    """

    nodes: Pose
    node_forces: Array
    values: Array
    conjugate: Array
    energy: float
    potential: float | None
    turns: tuple[float, ...]
    strains: tuple[Strain, ...] | None = None
    lost: tuple[Array, ...] | None = None
    slip: Slips | None = None
    hinge_turns: Array | None = None
    pose_turns: Matrix | None = None

    def __post_init__(self) -> None:
        """Its arrays are read-only already."""

    @property
    def turn(self) -> float:
        """The largest of all."""
        return max(self.turns, default=0.0)

    def finite(self) -> "Evaluation":
        """The same with zeros for all that floats cannot hold, where a state is beyond them."""
        return replace(
            self,
            nodes=_finite(self.nodes),
            node_forces=_finite(self.node_forces),
            conjugate=_finite(self.conjugate),
            energy=float(_finite(self.energy)),
            potential=None,
            turns=tuple(_finite(self.turns).tolist()),
            strains=None,
        )


def _finite(x: ArrayLike) -> Array:
    """The numbers, zeros for those that are none."""
    return frozen(np.asarray(np.nan_to_num(x, nan=0.0, posinf=0.0, neginf=0.0)))
