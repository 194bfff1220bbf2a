"""Compiled part of ``tube_inertia``: what mass exerts that slides along its centreline."""

from flexura._kernel import kernel
from flexura.lie.kernels.se3 import between_into, log_into
from flexura.lie.kernels.tangent import right_tangent_inverse
from flexura.lie.kernels.vector import vec


@kernel
def add_sliding(
    flow, scale, begin, v0, pace, pose, strain, load, tangent, tangents, between, d
):  # fmt: skip
    """Add 2 c₁ ω × e₁ + c₂ κ × e₁ + c₃ e₁ to the loads of points, and its tangent by poses.

    ``flow`` is (c₁, c₂, c₃) of each point, ``strain`` by the arc length of reference.
    """
    for p in range(len(flow)):
        c1, c2, c3 = flow[p, 0], flow[p, 1], flow[p, 2]
        if c1 == 0.0 and c2 == 0.0 and c3 == 0.0:
            continue
        between_into(between, begin[p], pose[p])
        log_into(d, between)
        w_y, w_z = pace * d[1] + v0[p, 1], pace * d[2] + v0[p, 2]
        k_y, k_z = strain[p, 1] / scale[p], strain[p, 2] / scale[p]
        f_x, f_y, f_z = c3, 2.0 * c1 * w_z + c2 * k_z, -2.0 * c1 * w_y - c2 * k_y
        load[p, 3] += f_x
        load[p, 4] += f_y
        load[p, 5] += f_z
        if not tangents:
            continue
        A, _ = right_tangent_inverse(vec(d, 0), vec(d, 3))
        H = tangent[p]
        for c in range(3):
            H[24 + c] += 2.0 * c1 * pace * A[2][c]
            H[30 + c] -= 2.0 * c1 * pace * A[1][c]
        # of the chart: -½ ad_ζᵀ f
        for i, f in ((0, f_x), (1, f_y), (2, f_z)):
            j, k = (i + 1) % 3, (i + 2) % 3
            H[6 * j + 3 + k] += 0.5 * f
            H[6 * k + 3 + j] -= 0.5 * f
            H[18 + 6 * j + k] += 0.5 * f
            H[18 + 6 * k + j] -= 0.5 * f
