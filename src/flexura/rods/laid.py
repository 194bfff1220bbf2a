"""A curve through points: first guess for a rod that is threaded through them."""

import numpy as np
from scipy.interpolate import CubicSpline

from flexura.lie import se3
from flexura.robot import Rod
from flexura.rods.shape import Shape
from flexura.typing import Array, Matrix, Pose, Strain

# The curve is followed in so many short steps between two points, and beyond the last one.
STEPS = 32


class Laid(Shape):
    """An unstretched rod along a cubic curve; beyond the last point it bends as at rest.

    Its sections turn no more than the curve and the torsion of the rest shape make them.

    Attributes:
        passes: arc lengths where it passes the points [m].
    """

    def __init__(self, rod: Rod, points: Matrix) -> None:
        """Lay it.

        Args:
            rod: its length and rest shape.
            points: that it passes in this order, in the frame of its base [m], (m, 3).
        """
        through = np.concatenate([np.zeros((1, 3)), points])
        chord = np.linalg.norm(np.diff(through, axis=0), axis=1)
        far = np.append(True, chord > 0.0)  # a point at the base is passed there
        at = np.append(0.0, chord.cumsum())
        along = np.array([1.0, 0.0, 0.0])
        line = CubicSpline(at[far], through[far], bc_type=((1, along), (2, np.zeros(3))))
        steps = np.arange(STEPS) / STEPS
        u = np.append((at[:-1, None] + steps * np.diff(at)[:, None]).ravel(), at[-1])
        s = np.append(0.0, np.linalg.norm(np.diff(line(u), axis=0), axis=1).cumsum())
        self.passes = s[STEPS::STEPS]
        middle = 0.5 * (u[1:] + u[:-1])
        slope, bend = line(middle, 1), line(middle, 2)
        curvature = np.cross(slope, bend) / np.linalg.norm(slope, axis=1, keepdims=True) ** 3
        if rod.length > s[-1]:
            s = np.append(s, s[-1] + np.append(steps[1:], 1.0) * (rod.length - s[-1]))
        self._s = s
        self._strain = rod.rest_strain(np.minimum(0.5 * (s[1:] + s[:-1]), rod.length))
        self._strain[:, 3:] = along
        self._pose = np.tile(np.eye(4), (len(s), 1, 1))
        for i, h in enumerate(np.diff(s).tolist()):
            if i < len(curvature):
                self._strain[i, 1:3] = (self._pose[i, :3, :3].T @ curvature[i])[1:]
            self._pose[i + 1] = self._pose[i] @ se3.exp(h * self._strain[i])

    def poses(self, s: Array) -> Pose:
        """Poses at arc lengths s [m]."""
        step = self._step(s)
        ahead = (s - self._s[step])[:, None] * self._strain[step]
        return np.asarray(self._pose[step] @ se3.exp(ahead))

    def strain(self, s: Array) -> Strain:
        """Strain at arc lengths s [m]."""
        return np.asarray(self._strain[self._step(s)])

    def _step(self, s: Array) -> Array:
        """The step of the curve that arc lengths belong to."""
        return np.clip(np.searchsorted(self._s, s, side="right") - 1, 0, len(self._strain) - 1)
