"""What results know of tendons."""

from collections.abc import Callable

import numpy as np

from flexura.errors import known
from flexura.model.evaluation import Evaluation
from flexura.model.model import Model
from flexura.robot.check import check_count
from flexura.typing import Array, Pose


class TendonAnswers:
    """Answers of a ``StaticResult`` about tendons."""

    model: Model
    evaluation: Evaluation
    pose: Callable[..., Pose]
    _way_through: Callable[[str], Array]

    @property
    def tensions(self) -> Array:
        """Tensions of all tendons [N], (n_tendons,)."""
        return self.evaluation.values[self.model.tendons.source]

    @property
    def tendon_lengths(self) -> Array:
        """Lengths of all tendons [m], (n_tendons,)."""
        return self.evaluation.conjugate[self.model.tendons.source]

    def tension(self, tendon: str) -> float:
        """Tension of a tendon [N]; that of a slack one is zero."""
        return float(self.tensions[self._tendon(tendon)])

    def tendon_length(self, tendon: str) -> float:
        """Length of the way that a tendon takes along the robot [m]."""
        return float(self.tendon_lengths[self._tendon(tendon)])

    def slack(self, tendon: str) -> bool:
        """Whether a tendon that is driven by its length hangs, longer than its way."""
        i = self._tendon(tendon)
        return bool(self.model.tendons.by_length[i] and self.tensions[i] == 0.0)

    def tendon_path(self, tendon: str, points: int = 100) -> Array:
        """Points along a tendon in the world [m], (n, 3); of a tendon between discs, its holes.

        Args:
            tendon: its name.
            points: how many there are for the whole tendon, about.
        """
        check_count("tendon_path", "points", points, 1_000_000)
        description = self.model.robot.tendons[self._tendon(tendon)]
        if description.volume is not None:
            return self._way_through(tendon)
        rods = {rod.name: rod for rod in self.model.robot.rods}
        places = [
            (hole.rod, np.array([hole.s]), hole.offset[None]) for hole in description.holes(rods)
        ]
        stretches = description.stretches(rods)
        total = sum(stretch.end - stretch.begin for stretch in stretches)
        for stretch in stretches:
            share = (stretch.end - stretch.begin) / total
            s = np.linspace(stretch.begin, stretch.end, max(2, round(points * share)))
            places.append((stretch.rod, s, stretch.path(s)[0]))
        found = []
        for rod, s, offset in places:
            pose = self.pose(rod, s)
            found.append(pose[:, :3, 3] + np.einsum("nij,nj->ni", pose[:, :3, :3], offset))
        return np.concatenate(found)

    def _tendon(self, name: str) -> int:
        """Number of a tendon."""
        names = self.model.tendons.names
        return names.index(known("tendon", name, names))
