"""Where a measuring system is, by what was measured and the robot as it is described [Kabsch1976].

    minimise  Σ |y - (R x + t)|²,    U S Vᵀ = Σ (y - ȳ)(x - x̄)ᵀ,    R = U diag(1, 1, det U Vᵀ) Vᵀ

Least squares with the robot begin there: systems may be turned by any angle.
"""

from collections.abc import Sequence

import numpy as np

from flexura.result.static import StaticResult
from flexura.robot.observation import Observation
from flexura.typing import Pose

# Points within this part of their extent from a line do not tell how they are turned.
STRAIGHT = 1e-3


def rigid_fit(observations: Sequence[Observation], results: Sequence[StaticResult]) -> Pose:
    """Pose of the world in the measuring system; the identity where points do not tell it."""
    known = []
    for seen, result in zip(observations, results, strict=True):
        places = [(frame, np.asarray(place)) for frame, place in seen.positions.items()]
        places += [(frame, np.asarray(pose)[:3, 3]) for frame, pose in seen.poses.items()]
        known += [(result.pose(x)[:3, 3], place) for x, place in places if np.isfinite(place).all()]
    if len(known) < 3:
        return np.eye(4)
    x, y = np.array(known).transpose(1, 0, 2)
    middle, centre = x.mean(axis=0), y.mean(axis=0)
    extents = np.linalg.svd(x - middle, compute_uv=False)
    if extents[1] <= STRAIGHT * extents[0]:
        return np.eye(4)
    U, _, Vt = np.linalg.svd((y - centre).T @ (x - middle))
    found = np.eye(4)
    found[:3, :3] = U @ np.diag([1.0, 1.0, np.linalg.det(U @ Vt)]) @ Vt
    found[:3, 3] = centre - found[:3, :3] @ middle
    return np.asarray(found)
