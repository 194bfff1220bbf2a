"""The maps of both groups by definition, with 80 digits: no closed form is shared with flexura.

A vector of 3 is an element of so(3), one of 6 of se(3), angular part first. Arrays hold mpf.
"""

import numpy as np
from mpmath.ctx_mp import MPContext

mp = MPContext()  # our own, so that nobody else's precision changes
mp.dps = 80
mpf = mp.mpf


def exact(values):
    return np.vectorize(mpf, otypes=[object])(np.asarray(values))


def identity(n):
    return exact(np.eye(n))


def skew(w):
    zero = mpf(0)
    return np.array([[zero, -w[2], w[1]], [w[2], zero, -w[0]], [-w[1], w[0], zero]], dtype=object)


def hat(x):
    if len(x) == 3:
        return skew(x)
    X = exact(np.zeros((4, 4)))
    X[:3, :3], X[:3, 3] = skew(x[:3]), x[3:]
    return X


def vee(X):
    w = np.array([X[2, 1], X[0, 2], X[1, 0]], dtype=object)
    return w if len(X) == 3 else np.concatenate([w, X[:3, 3]])


def ad(x):
    if len(x) == 3:
        return skew(x)
    A = exact(np.zeros((6, 6)))
    A[:3, :3] = A[3:, 3:] = skew(x[:3])
    A[3:, :3] = skew(x[3:])
    return A


def n_terms(x):
    """Terms until tᵐ/m! < 1e-60, with t = |w|: the part v enters linearly, and scales out."""
    t, size, m = mp.norm(list(x[:3])), mpf(1), 0
    while size > mpf(10) ** -60 or m < 3:
        m += 1
        size *= t / m
    return m + 1


def power_series(A, count, shift):
    """Σ Aᵐ/(m + shift)!, for m below ``count``."""
    power = identity(len(A))
    total = power / mp.factorial(shift)
    for m in range(1, count):
        power = power @ A
        total = total + power / mp.factorial(m + shift)
    return total


def exp(x):
    return power_series(hat(x), n_terms(x), 0)


def Ad(g):
    """Column by column from the definition g hat(e) g⁻¹."""
    back = inverse(g)
    size = 3 if len(g) == 3 else 6
    return np.stack([vee(g @ hat(e) @ back) for e in identity(size)], axis=-1)


def dexp(x):
    return power_series(-ad(x), n_terms(x), 1)


def dexp_derivative(x, mu):
    """N_ij = μᵀ (∂J_r/∂x_i) e_j, the series of J_r differentiated term by term."""
    A, units = -ad(x), [-ad(e) for e in identity(len(x))]
    row, rows, total = mu, exact(np.zeros((len(x), len(x)))), exact(np.zeros((len(x), len(x))))
    for m in range(1, n_terms(x)):
        rows = rows @ A + np.stack([row @ unit for unit in units])
        row = row @ A
        total = total + rows / mp.factorial(m + 1)
    return total


def dexpinv(x):
    return inverse(dexp(x))


def dexpinv_derivative(x, mu):
    """From d(J⁻¹) = −J⁻¹ dJ J⁻¹."""
    back = dexpinv(x)
    return -dexp_derivative(x, mu @ back) @ back


def inverse(M):
    """Gauss–Jordan with row pivoting."""
    n = len(M)
    W = np.concatenate([M, identity(n)], axis=1)
    for k in range(n):
        pivot = k + int(np.argmax(np.abs(W[k:, k])))
        W[[k, pivot]] = W[[pivot, k]]
        W[k] = W[k] / W[k, k]
        for i in range(n):
            if i != k and W[i, k] != 0:
                W[i] = W[i] - W[i, k] * W[k]
    return W[:, n:]


def error(got, reference):
    """Largest relative error of a 3-vector or a 3×3 block; what must vanish, must exactly."""
    worst, dust = 0.0, mpf(10) ** -50 * np.max(np.abs(reference))
    reference = np.where(np.abs(reference) < dust, mpf(0), reference)
    for rows in _blocks(reference.shape[0]):
        for columns in _blocks(reference.shape[1]) if reference.ndim == 2 else [Ellipsis]:
            index = (rows, columns)
            size = np.max(np.abs(reference[index]))
            distance = np.max(np.abs(exact(got[index]) - reference[index]))
            if distance != 0:
                worst = max(worst, float(distance / size) if size else float("inf"))
    return worst


def _blocks(n):
    return [slice(i, min(i + 3, n)) for i in range(0, n, 3)]
