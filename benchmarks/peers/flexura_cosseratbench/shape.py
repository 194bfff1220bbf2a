"""How a rod of a scenario begins: frames along its centreline, and the strain that they have."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from cosseratbench.scenario import Rod, parallel_transport
from scipy.interpolate import CubicSpline

from flexura.lie import se3

FRAMES = 100  # along a rod; strains of smooth curves miss by the square of their distance


@dataclass(frozen=True)
class Shape:
    """The shape that a rod begins with; local x along it, local y its director.

    Attributes:
        rod: of the scenario.
    """

    rod: Rod

    @cached_property
    def _curve(self) -> CubicSpline:
        points = np.asarray(self.rod.centerline, dtype=float)
        rest = self.rod.rest_arc_length
        if rest is None:
            steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
            rest = np.concatenate([[0.0], np.cumsum(steps)])
        return CubicSpline(rest, points)

    @cached_property
    def _s(self) -> np.ndarray:
        frames = 1 if self._line else FRAMES
        return np.linspace(0.0, self.rod.length, frames + 1)

    @cached_property
    def _poses(self) -> np.ndarray:
        """Frames that do not twist about the curve, (n, 4, 4)."""
        tangents = self._curve(self._s, 1)
        tangents /= np.linalg.norm(tangents, axis=1, keepdims=True)
        walk = np.concatenate([np.zeros((1, 3)), np.cumsum(tangents, axis=0)])
        y = parallel_transport(walk, np.asarray(self.rod.normal, dtype=float))
        poses = np.tile(np.eye(4), (len(tangents), 1, 1))
        poses[:, :3, 0], poses[:, :3, 1] = tangents, y
        poses[:, :3, 2], poses[:, :3, 3] = np.cross(tangents, y), self._curve(self._s)
        return poses

    @property
    def base(self) -> np.ndarray:
        """Pose of the first end."""
        return self._poses[0]

    @property
    def tip(self) -> np.ndarray:
        """Pose of the last end."""
        return self._poses[-1]

    @property
    def straight(self) -> bool:
        """Whether it is the rod at rest."""
        if self._line:
            return True
        return bool(np.abs(self._strains - [0.0, 0.0, 0.0, 1.0, 0.0, 0.0]).max() < 1e-9)

    @property
    def _line(self) -> bool:
        """Whether it is described by its ends, as long as they are apart."""
        return len(self.rod.centerline) == 2 and self.rod.rest_arc_length is None

    @cached_property
    def _strains(self) -> np.ndarray:
        """Strains between the frames, (n - 1, 6)."""
        between = se3.inverse(self._poses[:-1]) @ self._poses[1:]
        return np.asarray(se3.log(between) / np.diff(self._s)[:, None])

    @cached_property
    def _field(self) -> CubicSpline:
        return CubicSpline(0.5 * (self._s[1:] + self._s[:-1]), self._strains)

    def strain(self, s: float) -> np.ndarray:
        """Strain at an arc length of the rod at rest [m], (6,)."""
        return np.asarray(self._field(s))
