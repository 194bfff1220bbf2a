"""6x6 matrices as flat rows of 36, for hot loops: with the duals and forms of ``dual``.

Kernels fill their first argument; it never aliases another one.
"""

from flexura._kernel import inline
from flexura.lie.kernels.dual import block, clear, row


@inline
def from_dual(out, x):
    """out = x, a dual as a 6x6 matrix."""
    for i in range(3):
        for j in range(3):
            out[6 * i + j] = out[21 + 6 * i + j] = x[3 * i + j]
            out[6 * i + 3 + j] = 0.0
            out[18 + 6 * i + j] = x[9 + 3 * i + j]


@inline
def from_form(out, form):
    """out = form as a 6x6 matrix."""
    for i in range(3):
        for j in range(3):
            out[6 * i + j] = form[3 * i + j]
            out[6 * i + 3 + j] = out[18 + 6 * i + j] = form[9 + 3 * i + j]
            out[21 + 6 * i + j] = 0.0


@inline
def add_form(out, form, scale, transposed):
    """out += scale form or scale formᵀ, to a 6x6 matrix."""
    for i in range(3):
        for j in range(3):
            k = 3 * j + i if transposed else 3 * i + j
            e, f = scale * form[k], scale * form[9 + k]
            out[6 * i + j] += e
            out[6 * i + 3 + j] += f
            out[18 + 6 * i + j] += f


@inline
def add(out, h, scale, transposed):
    """out += scale h or scale hᵀ, of 6x6 matrices."""
    for i in range(6):
        for j in range(6):
            out[6 * i + j] += scale * (h[6 * j + i] if transposed else h[6 * i + j])


@inline
def add_mul(out, h, x):
    """out += h x, a 6x6 matrix times a dual."""
    a, b = block(x, 0), block(x, 9)
    for i in range(0, 36, 6):
        p, q, r = h[i + 3], h[i + 4], h[i + 5]
        left = row(h[i], h[i + 1], h[i + 2], a)
        cross = row(p, q, r, b)
        right = row(p, q, r, a)
        for j in range(3):
            out[i + j] += left[j] + cross[j]
            out[i + 3 + j] += right[j]


@inline
def mul(out, h, x):
    """out = h x, a 6x6 matrix times a dual."""
    clear(out)
    add_mul(out, h, x)


@inline
def add_T_mul(out, x, h):
    """out += xᵀ h, a transposed dual times a 6x6 matrix."""
    a, b = block(x, 0), block(x, 9)
    for j in range(6):
        p, q, r = h[j], h[6 + j], h[12 + j]
        s, t, u = h[18 + j], h[24 + j], h[30 + j]
        top = row(p, q, r, a)
        cross = row(s, t, u, b)
        bottom = row(s, t, u, a)
        for i in range(3):
            out[6 * i + j] += top[i] + cross[i]
            out[18 + 6 * i + j] += bottom[i]


@inline
def pulled(out, x, h, y, work):
    """out = xᵀ h y, the 6x6 matrix of two twists that pass through the duals x and y."""
    mul(work, h, y)
    clear(out)
    add_T_mul(out, x, work)
