"""Compiled part of ``pressure``: V = ⅓ Σ w x · (s × t), s and t the slopes of x."""

from flexura._kernel import inline, kernel
from flexura.lie.kernels.vector import cross, dot
from flexura.model.particle_kernels import add_pair


@inline
def _at_point(face, N, D, x):
    """x, s and t at a point of a triangle."""
    p0 = p1 = p2 = s0 = s1 = s2 = t0 = t1 = t2 = 0.0
    for a in range(len(face)):
        y, n, d, e = x[face[a]], N[a], D[a, 0], D[a, 1]
        p0, p1, p2 = p0 + n * y[0], p1 + n * y[1], p2 + n * y[2]
        s0, s1, s2 = s0 + d * y[0], s1 + d * y[1], s2 + d * y[2]
        t0, t1, t2 = t0 + e * y[0], t1 + e * y[1], t2 + e * y[2]
    return (p0, p1, p2), (s0, s1, s2), (t0, t1, t2)


@kernel
def add_forces(faces, N, D, weight, x, pressure, force):
    """p ∂V/∂x; V."""
    volume = 0.0
    for e in range(len(faces)):
        for q in range(len(weight)):
            p, s, t = _at_point(faces[e], N[q], D[q], x)
            st, tp, ps = cross(s, t), cross(t, p), cross(p, s)
            w = weight[q] / 3.0
            volume += w * dot(p, st)
            w *= pressure
            for a in range(faces.shape[1]):
                own, n, d, o = force[faces[e, a]], N[q, a], D[q, a, 0], D[q, a, 1]
                for i in range(3):
                    own[i] += w * (n * st[i] + d * tp[i] + o * ps[i])
    return volume


@inline
def _put_blocks(face, N, D, weight, x, pressure, block):
    """p ∂²V/∂x² of a triangle, all pairs of its particles."""
    k = len(face)
    for a in range(k):
        for b in range(k):
            for i in range(3):
                for j in range(3):
                    block[a, b, i, j] = 0.0
    for q in range(len(weight)):
        p, s, t = _at_point(face, N[q], D[q], x)
        w = pressure * weight[q] / 3.0
        for a in range(k):
            for b in range(k):
                of_t = w * (D[q, a, 0] * N[q, b] - N[q, a] * D[q, b, 0])
                of_s = w * (N[q, a] * D[q, b, 1] - D[q, a, 1] * N[q, b])
                of_p = w * (D[q, a, 1] * D[q, b, 0] - D[q, a, 0] * D[q, b, 1])
                for i in range(3):
                    j, l = (i + 1) % 3, (i + 2) % 3
                    v = of_t * t[i] + of_s * s[i] + of_p * p[i]
                    block[a, b, l, j] += v
                    block[a, b, j, l] -= v


@kernel
def add_tangents(
    faces, N, D, weight, slots, x, pressure, ride, reach, values, block, transfer
):  # fmt: skip
    """The tangents of all triangles."""
    if pressure == 0.0:
        return
    for e in range(len(faces)):
        face = faces[e]
        _put_blocks(face, N, D, weight, x, pressure, block)
        for a in range(len(face)):
            for b in range(len(face)):
                add_pair(
                    values, slots[e, a, b], block[a, b], ride[face[a]], ride[face[b]], reach,
                    transfer,
                )  # fmt: skip


@kernel
def multiply(faces, N, D, weight, x, pressure, motion, force, block):
    """What the tangents make of a motion."""
    for e in range(len(faces)):
        face = faces[e]
        _put_blocks(face, N, D, weight, x, pressure, block)
        for a in range(len(face)):
            for b in range(len(face)):
                for i in range(3):
                    for j in range(3):
                        force[face[a], i] += block[a, b, i, j] * motion[face[b], j]
