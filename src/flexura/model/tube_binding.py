"""What inputs do to sets of tubes besides what laws do."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from flexura.model.tube_mesh import TubeMesh
from flexura.typing import Array, Pose, Strain
from flexura.value import Value


@dataclass(frozen=True, eq=False)
class Fed(Value):
    """Tells where frames of tubes are found, and where sets begin: a ``Binding``."""

    mesh: TubeMesh

    def bind(self, values: Array, work: Any) -> None:
        """Tell where the frames of tubes are found."""
        group, found = self.mesh.group, self.mesh.at(values)
        which = group.marks.set
        at = 1 + found.rank[which, group.marks.rank]
        work.angle_at = group.section_nodes[which, at]
        work.at = group.angle_nodes[work.angle_at]

    def start(self, values: Array) -> tuple[Pose, Array, Strain]:
        """Straight tubes, turned as inputs have them: links, inner unknowns and strains."""
        group, found = self.mesh.group, self.mesh.at(values)
        return group.straight(np.diff(found.ends, axis=1), values[self.mesh.rotation])
