"""Twist maps as 3x3 matrices over the dual numbers, for hot loops.

se(3) is so(3) with dual numbers w + ε v in place of reals. Every linear map that comes from the
group, Ad, ad, the tangents of exp and all their products, therefore has the form

    [[A, 0], [B, A]]   =   A + ε B            "dual", a flat row of 18: A then B, row by row.

A wrench contracted with a second variation gives a bilinear form of two twists of the shape

    [[E, F], [F, 0]]                          "form", a flat row of 18: E then F.

Both cost half or less of what 6x6 matrices do (``matrix6``). Kernels fill their first
argument; it never aliases another one. Flat rows have constant offsets, so that the loops unroll.
"""

from flexura._kernel import inline
from flexura.lie.kernels import series, vector
from flexura.lie.kernels.tangent import right_tangent_inverse, tangent_blocks


@inline
def block(x, k):
    """Nine numbers of a flat row as locals: a store to ``out`` cannot change them."""
    return x[k], x[k + 1], x[k + 2], x[k + 3], x[k + 4], x[k + 5], x[k + 6], x[k + 7], x[k + 8]


@inline
def row(x, y, z, a):
    """The row (x, y, z) times a block."""
    return (
        x * a[0] + y * a[3] + z * a[6],
        x * a[1] + y * a[4] + z * a[7],
        x * a[2] + y * a[5] + z * a[8],
    )


@inline
def clear(out):
    """out = 0, a flat row of any length."""
    for k in range(len(out)):
        out[k] = 0.0


@inline
def mul(out, x, y):
    """out = x y of two duals: (A_x A_y) + ε (A_x B_y + B_x A_y)."""
    a, b = block(y, 0), block(y, 9)
    for i in range(0, 9, 3):
        p, q, r = x[i], x[i + 1], x[i + 2]
        real = row(p, q, r, a)
        one = row(p, q, r, b)
        other = row(x[9 + i], x[10 + i], x[11 + i], a)
        for j in range(3):
            out[i + j] = real[j]
            out[9 + i + j] = one[j] + other[j]


@inline
def apply(out, x, y):
    """out = x y, a dual times a twist."""
    for i in range(3):
        a = 0.0
        b = 0.0
        for l in range(3):
            a += x[3 * i + l] * y[l]
            b += x[9 + 3 * i + l] * y[l] + x[3 * i + l] * y[3 + l]
        out[i] = a
        out[3 + i] = b


@inline
def apply_T(out, x, f):
    """out = xᵀ f, the dual map on a wrench."""
    for i in range(3):
        a = 0.0
        b = 0.0
        for l in range(3):
            a += x[3 * l + i] * f[l] + x[9 + 3 * l + i] * f[3 + l]
            b += x[3 * l + i] * f[3 + l]
        out[i] = a
        out[3 + i] = b


@inline
def add_pulled(out, x, form, y, work):
    """out += xᵀ form y, the form of two twists that pass through the duals x and y."""
    a, b = block(y, 0), block(y, 9)
    for i in range(0, 9, 3):
        p, q, r = form[9 + i], form[10 + i], form[11 + i]
        fa = row(p, q, r, a)
        fb = row(p, q, r, b)
        ea = row(form[i], form[i + 1], form[i + 2], a)
        for j in range(3):
            work[i + j] = ea[j] + fb[j]
            work[9 + i + j] = fa[j]
    e, f = block(work, 0), block(work, 9)
    for i in range(3):
        p, q, r = x[i], x[3 + i], x[6 + i]
        ae = row(p, q, r, e)
        af = row(p, q, r, f)
        bf = row(x[9 + i], x[12 + i], x[15 + i], f)
        for j in range(3):
            out[3 * i + j] += ae[j] + bf[j]
            out[9 + 3 * i + j] += af[j]


@inline
def ad_mul(out, x, y):
    """out = ad_x y, the bracket with a twist times a dual."""
    for j in range(3):
        for k in range(3):
            i1, i2 = (k + 1) % 3, (k + 2) % 3
            out[3 * k + j] = x[i1] * y[3 * i2 + j] - x[i2] * y[3 * i1 + j]
            out[9 + 3 * k + j] = (
                x[i1] * y[9 + 3 * i2 + j]
                - x[i2] * y[9 + 3 * i1 + j]
                + x[3 + i1] * y[3 * i2 + j]
                - x[3 + i2] * y[3 * i1 + j]
            )


@inline
def form_product(out, x, form):
    """out = xᵀ form."""
    for i in range(3):
        for j in range(3):
            e = 0.0
            f = 0.0
            for l in range(3):
                e += x[3 * l + i] * form[3 * l + j] + x[9 + 3 * l + i] * form[9 + 3 * l + j]
                f += x[3 * l + i] * form[9 + 3 * l + j]
            out[3 * i + j] = e
            out[9 + 3 * i + j] = f


@inline
def bracket(out, diagonal, scale, x):
    """out = diagonal + scale ad_x as a dual: the hats of both halves of x."""
    bracket_form(out, x, scale)
    for i in range(0, 9, 4):
        out[i] = diagonal


@inline
def bracket_form(out, f, scale):
    """The form of fᵀ [x, y] = yᵀ form x, times ``scale``: E = hat(moment), F = hat(force)."""
    for k in range(0, 18, 9):
        i = k // 3
        out[k] = 0.0
        out[k + 1] = -scale * f[i + 2]
        out[k + 2] = scale * f[i + 1]
        out[k + 3] = scale * f[i + 2]
        out[k + 4] = 0.0
        out[k + 5] = -scale * f[i]
        out[k + 6] = -scale * f[i + 1]
        out[k + 7] = scale * f[i]
        out[k + 8] = 0.0


@inline
def double_bracket_form(out, f, y):
    """The symmetric form of fᵀ [x, [x, y]]: E = sym(m̂ŵ + n̂v̂), F = sym(n̂ŵ)."""
    m_w = f[0] * y[0] + f[1] * y[1] + f[2] * y[2]
    n_v = f[3] * y[3] + f[4] * y[4] + f[5] * y[5]
    n_w = f[3] * y[0] + f[4] * y[1] + f[5] * y[2]
    for i in range(3):
        for j in range(3):
            out[3 * i + j] = 0.5 * (
                y[i] * f[j] + f[i] * y[j] + y[3 + i] * f[3 + j] + f[3 + i] * y[3 + j]
            )
            out[9 + 3 * i + j] = 0.5 * (y[i] * f[3 + j] + f[3 + i] * y[j])
    for i in range(0, 9, 4):
        out[i] -= m_w + n_v
        out[9 + i] -= n_w


@inline
def put(out, scale, A, B):
    """out = scale (A + ε B), of two blocks."""
    for i in range(3):
        vector.put(out, 3 * i, vector.scaled(scale, A[i]))
        vector.put(out, 9 + 3 * i, vector.scaled(scale, B[i]))


@inline
def step(transport, tangent, x, b):
    """Ad_{exp(b x)}⁻¹ and b J_r(b x) as duals: how one factor exp(b x) carries twists."""
    w, v = vector.scaled(b, vector.vec(x, 0)), vector.scaled(b, vector.vec(x, 3))
    t2 = vector.dot(w, w)
    a, c, a1, c1 = series.dexp_coefficients_1(t2)
    R = vector.polynomial_block(w, c * t2 - 1.0, a)  # transposed: sin t / t = 1 - c t²
    p = vector.polynomial(w, a, c, v)
    # The lower block is -Rᵀ p̂.
    put(transport, 1.0, R, (vector.cross(p, R[0]), vector.cross(p, R[1]), vector.cross(p, R[2])))
    A, B = tangent_blocks(w, v, -a, c, -a1, c1)
    put(tangent, b, A, B)


@inline
def difference(from_end, to_end, x):
    """Tangents of x = log(g_a⁻¹ g_b): -J_l(x)⁻¹ for increments of g_a and J_r(x)⁻¹ for g_b."""
    A, B = right_tangent_inverse(vector.vec(x, 0), vector.vec(x, 3))
    put(to_end, 1.0, A, B)
    for k in range(0, 18, 9):  # J_l(x) = J_r(-x): both blocks are transposed
        for i in range(3):
            for j in range(3):
                from_end[k + 3 * i + j] = -to_end[k + 3 * j + i]


@inline
def add_step_form(out, x, b, f):
    """out += b² sym ∂(fᵀ J_r(b x)): second variation of one factor exp(b x), contracted.

    exp(b x)⁻¹ exp(b (x + e)) = exp(b J_r(b x) e + ½ b² DJ_r(b x)[e] e + …).
    """
    wx, wy, wz = b * x[0], b * x[1], b * x[2]
    t2 = wx * wx + wy * wy + wz * wz
    _add_step_form(out, x, b, f, t2, series.dexp_coefficients_2(t2))


@inline
def tangent_and_form(out, form, x, f):
    """out = J_r(x) as a dual, and form = sym ∂(fᵀ J_r(x)) as in ``add_step_form``."""
    t2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2]
    coefficients = series.dexp_coefficients_2(t2)
    a, b, a1, b1, _, _ = coefficients
    A, B = tangent_blocks(vector.vec(x, 0), vector.vec(x, 3), -a, b, -a1, b1)
    put(out, 1.0, A, B)
    clear(form)
    _add_step_form(form, x, 1.0, f, t2, coefficients)


@inline
def _add_step_form(out, x, b, f, t2, coefficients):
    _, c, a1, c1, a2, c2 = coefficients
    wx, wy, wz = b * x[0], b * x[1], b * x[2]
    mx, my, mz, nx, ny, nz = f[0], f[1], f[2], f[3], f[4], f[5]
    w = (wx, wy, wz)
    v = (b * x[3], b * x[4], b * x[5])
    m = (mx, my, mz)
    n = (nx, ny, nz)
    mw = (my * wz - mz * wy, mz * wx - mx * wz, mx * wy - my * wx)
    nw = (ny * wz - nz * wy, nz * wx - nx * wz, nx * wy - ny * wx)
    nv = (ny * v[2] - nz * v[1], nz * v[0] - nx * v[2], nx * v[1] - ny * v[0])
    q = wx * v[0] + wy * v[1] + wz * v[2]
    m_w = mx * wx + my * wy + mz * wz
    n_w = nx * wx + ny * wy + nz * wz
    n_v = nx * v[0] + ny * v[1] + nz * v[2]
    lead = c1 * t2 + c
    b2 = b * b
    half = 0.5 * b2
    # Each term is a symmetrised product: collect the partner of w and the partner of v.
    for i in range(3):
        for j in range(i + 1):
            e = 0.0
            g = 0.0
            for k in range(2):
                r, s = (i, j) if k == 0 else (j, i)
                g += w[r] * (c1 * n_w * w[s] - a1 * nw[s] - lead * n[s])
                e += w[r] * (
                    (c1 * m_w + c2 * q * n_w + c1 * n_v) * w[s]
                    - a1 * mw[s]
                    - lead * m[s]
                    - a2 * q * nw[s]
                    - a1 * nv[s]
                    + 2.0 * c1 * n_w * v[s]
                    - (c2 * t2 + 3.0 * c1) * q * n[s]
                ) - v[r] * (a1 * nw[s] + lead * n[s])
            e *= half
            g *= half
            if i == j:
                e += b2 * (c * m_w + c1 * q * n_w + c * n_v)
                g += b2 * c * n_w
            out[3 * i + j] += e
            out[9 + 3 * i + j] += g
            if i != j:
                out[3 * j + i] += e
                out[9 + 3 * j + i] += g


@inline
def difference_form(out, x, f):
    """The form N with fᵀ DJ_r⁻¹(x)[y] z = yᵀ N z, of which ``difference`` needs the curvature."""
    w = (x[0], x[1], x[2])
    v = (x[3], x[4], x[5])
    m = (f[0], f[1], f[2])
    n = (f[3], f[4], f[5])
    t2 = w[0] * w[0] + w[1] * w[1] + w[2] * w[2]
    d, d1, d2 = series.dexpinv_coefficients_2(t2)
    q = w[0] * v[0] + w[1] * v[1] + w[2] * v[2]
    m_w = m[0] * w[0] + m[1] * w[1] + m[2] * w[2]
    n_w = n[0] * w[0] + n[1] * w[1] + n[2] * w[2]
    n_v = n[0] * v[0] + n[1] * v[1] + n[2] * v[2]
    bracket_form(out, f, -0.5)
    for i in range(3):
        for j in range(3):
            k = 3 * i + j
            out[9 + k] += d1 * w[i] * (n_w * w[j] - t2 * n[j]) + d * (
                n[i] * w[j] - 2.0 * w[i] * n[j]
            )
            out[k] += (
                d1 * w[i] * (m_w * w[j] - t2 * m[j])
                + d * (m[i] * w[j] - 2.0 * w[i] * m[j])
                + (d2 * q * w[i] + d1 * v[i]) * (n_w * w[j] - t2 * n[j])
                + d1 * w[i] * (n_v * w[j] + n_w * v[j] - 2.0 * q * n[j])
                + d1 * q * (n[i] * w[j] - 2.0 * w[i] * n[j])
                + d * (n[i] * v[j] - 2.0 * v[i] * n[j])
            )
    for i in range(0, 9, 4):
        out[9 + i] += d * n_w
        out[i] += d * m_w + d1 * q * n_w + d * n_v


@inline
def difference_forms(from_form, to_form, x, f):
    """The forms with fᵀ δ²x = δxᵀ (from_form ζ_a + to_form ζ_b), for x = log(g_a⁻¹ g_b).

    They are -(N + M) and N, with fᵀ DJ_r⁻¹(x)[y] z = yᵀ N z and fᵀ [x, y] = yᵀ M x; δx as in
    ``difference``.
    """
    difference_form(to_form, x, f)
    bracket_form(from_form, f, 1.0)
    for k in range(18):
        from_form[k] = -(from_form[k] + to_form[k])
