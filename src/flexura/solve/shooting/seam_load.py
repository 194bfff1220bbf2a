"""Point loads of a serial chain: they act on its seams."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.lie import se3
from flexura.model.inputs import Inputs
from flexura.typing import Array, Indices, Pose, Wrench


class SeamLoad(NamedTuple):
    """A point load.

    Attributes:
        name: of the load.
        seam: segment after which it acts.
        pose: of its frame in the frame of the rod there.
        before: whether that is the rod of the segment, else the one after it.
    """

    name: str
    seam: int
    pose: Pose
    before: bool


class SeamLoads:
    """Point loads in the order of the seams.

    Attributes:
        seam: segment after which each load acts, (m,).
    """

    seam: Indices

    def __init__(self, loads: list[SeamLoad]) -> None:
        loads = sorted(loads, key=lambda load: load.seam)
        self._names = [load.name for load in loads]
        self.seam = np.array([load.seam for load in loads], dtype=np.int64)
        self._pose = np.array([load.pose for load in loads]).reshape(-1, 4, 4)
        self._before: NDArray[np.bool_] = np.array([load.before for load in loads], dtype=np.bool_)

    def poses(self, offset: Pose) -> Pose:
        """Poses of their frames in the next seams, which have offsets from segments, (m, 4, 4)."""
        found, before = self._pose.copy(), self._before
        found[before] = se3.inverse(offset[self.seam[before]]) @ found[before]
        return found

    def wrenches(self, inputs: Inputs, unit: Array) -> Wrench:
        """Their wrenches in given units, (m, 6)."""
        values = [inputs.value(name) for name in self._names]
        return np.array(values).reshape(-1, 6) / unit
