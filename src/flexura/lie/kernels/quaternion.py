"""The unit quaternion of a rotation, scalar first."""

from math import sqrt

from flexura._kernel import kernel
from flexura.typing import Array


@kernel
def components(R: Array) -> tuple[float, float, float, float]:
    """Unit quaternion (w, x, y, z) of a rotation, or of the rotation of a 4×4 pose.

    Divides by the largest component, hence accurate at every angle. w ≥ 0; for a half turn,
    w = 0, the largest of x, y, z (the first of equals) is positive.
    """
    trace = R[0, 0] + R[1, 1] + R[2, 2]
    if trace >= R[0, 0] and trace >= R[1, 1] and trace >= R[2, 2]:
        q = 0.5 * sqrt(1.0 + trace)
        f = 0.25 / q
        return q, f * (R[2, 1] - R[1, 2]), f * (R[0, 2] - R[2, 0]), f * (R[1, 0] - R[0, 1])
    i = 0
    if R[1, 1] > R[0, 0]:
        i = 1
    if R[2, 2] > R[i, i]:
        i = 2
    j, k = (i + 1) % 3, (i + 2) % 3
    q = 0.5 * sqrt(1.0 + R[i, i] - R[j, j] - R[k, k])
    f = 0.25 / q
    w = f * (R[k, j] - R[j, k])
    if w < 0.0:
        w, q, f = -w, -q, -f
    u, v = f * (R[j, i] + R[i, j]), f * (R[k, i] + R[i, k])
    if i == 0:
        return w, q, u, v
    if i == 1:
        return w, v, q, u
    return w, u, v, q
