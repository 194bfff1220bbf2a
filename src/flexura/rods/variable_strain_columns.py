"""What the coefficients q of a variable-strain element change, a column for each.

Names as in ``variable_strain_kernels``. As loops over columns, these vectorise.
"""

from flexura._kernel import inline, kernel
from flexura.rods.variable_strain_step import LOCAL, MIXED, REACH


@inline
def add_rows(runs, phi_first, phi_second, squares, columns, pulled):
    """Add M_zx Φ to R, and M_xx Φ to Aᵀ R, which is ``pulled``.

    Of M_xx there is what is below and half the diagonal. See ``step_back``.
    """
    one, other = pulled[0], pulled[1]
    for c in range(6):
        z_first, z_second = _column(squares, MIXED, c), _column(squares, MIXED + 1, c)
        half_first, half_second = _column(squares, LOCAL, c), _column(squares, LOCAL + 2, c)
        below = _column(squares, LOCAL + 1, c)
        for j in range(runs[c], runs[c + 1]):
            a, b = phi_first[j], phi_second[j]
            _add_column(columns, j, a, z_first, b, z_second)
            _add_scaled(one, j, a, half_first)
            _add_column(other, j, a, below, b, half_second)


@inline
def add_reach(runs, phi_first, phi_second, duals, reach):
    """Add A Φ to ``reach``."""
    for c in range(6):
        first, second = _dual_column(duals, REACH, c), _dual_column(duals, REACH + 1, c)
        for j in range(runs[c], runs[c + 1]):
            _add_column(reach, j, phi_first[j], first, phi_second[j], second)


@inline
def add_products(runs, phi, pulled, begin, stop, rows):
    """X = Σ_p Φᵀ pulled over the points of an element, four of them at once."""
    for c in range(len(runs) - 1):
        for j in range(runs[c], runs[c + 1]):
            for i in range(rows.shape[1]):
                rows[j, i] = 0.0
            m = 0
            for p in range(begin, stop - 3, 4):
                x0, x1, x2, x3 = phi[p, j], phi[p + 1, j], phi[p + 2, j], phi[p + 3, j]
                for i in range(rows.shape[1]):
                    rows[j, i] += (
                        x0 * pulled[m, c, i]
                        + x1 * pulled[m + 1, c, i]
                        + x2 * pulled[m + 2, c, i]
                        + x3 * pulled[m + 3, c, i]
                    )
                m += 4
            if m < stop - begin:
                x0, x1 = phi[stop - 2, j], phi[stop - 1, j]
                for i in range(rows.shape[1]):
                    rows[j, i] += x0 * pulled[m, c, i] + x1 * pulled[m + 1, c, i]


@inline
def _column(x, k, c):
    """Column c of the flat 6x6 matrix k, as locals."""
    return x[k, c], x[k, 6 + c], x[k, 12 + c], x[k, 18 + c], x[k, 24 + c], x[k, 30 + c]


@inline
def _dual_column(x, k, c):
    """Column c of the dual k, as locals."""
    if c < 3:
        return x[k, c], x[k, 3 + c], x[k, 6 + c], x[k, 9 + c], x[k, 12 + c], x[k, 15 + c]
    return 0.0, 0.0, 0.0, x[k, c - 3], x[k, c], x[k, c + 3]


@inline
def _add_scaled(out, j, a, x):
    """Column j of six rows += a x."""
    out[0, j] += a * x[0]
    out[1, j] += a * x[1]
    out[2, j] += a * x[2]
    out[3, j] += a * x[3]
    out[4, j] += a * x[4]
    out[5, j] += a * x[5]


@inline
def _add_column(out, j, a, x, b, y):
    """Column j of six rows += a x + b y."""
    out[0, j] += a * x[0] + b * y[0]
    out[1, j] += a * x[1] + b * y[1]
    out[2, j] += a * x[2] + b * y[2]
    out[3, j] += a * x[3] + b * y[3]
    out[4, j] += a * x[4] + b * y[4]
    out[5, j] += a * x[5] + b * y[5]


@kernel
def pull_rows(out, x, rows):
    """out = xᵀ rows, a dual times six rows; as one loop over columns, which vectorises."""
    a0, a1, a2, a3, a4, a5, a6, a7, a8 = x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8]
    b0, b1, b2, b3, b4, b5 = x[9], x[10], x[11], x[12], x[13], x[14]
    b6, b7, b8 = x[15], x[16], x[17]
    r0, r1, r2, r3, r4, r5 = rows[0], rows[1], rows[2], rows[3], rows[4], rows[5]
    o0, o1, o2, o3, o4, o5 = out[0], out[1], out[2], out[3], out[4], out[5]
    for j in range(len(r0)):
        m0, m1, m2, n0, n1, n2 = r0[j], r1[j], r2[j], r3[j], r4[j], r5[j]
        o0[j] = a0 * m0 + a3 * m1 + a6 * m2 + b0 * n0 + b3 * n1 + b6 * n2
        o1[j] = a1 * m0 + a4 * m1 + a7 * m2 + b1 * n0 + b4 * n1 + b7 * n2
        o2[j] = a2 * m0 + a5 * m1 + a8 * m2 + b2 * n0 + b5 * n1 + b8 * n2
        o3[j] = a0 * n0 + a3 * n1 + a6 * n2
        o4[j] = a1 * n0 + a4 * n1 + a7 * n2
        o5[j] = a2 * n0 + a5 * n1 + a8 * n2
