"""Compiled part of ``Touch``: forces of contacts on frames, and how far frames have slid."""

from flexura._kernel import inline, kernel
from flexura.lie.kernels.vector import cross, dot, rotate_back, scaled
from flexura.model.wrench_kernels import add_dead


@inline
def _row(x, c):
    """Row c of an array as a vector."""
    return x[c, 0], x[c, 1], x[c, 2]


@inline
def _arm(g, x):
    """From the origin of a frame to a point, world axes."""
    return x[0] - g[0, 3], x[1] - g[1, 3], x[2] - g[2, 3]


@kernel
def grip(sample, solid, carrier, who, share):
    """Frames that pairs of samples and solids act on, and what part of the force is theirs."""
    for c in range(len(sample)):
        who[c, 0], share[c, 0] = sample[c], 1.0
        who[c, 1], share[c, 1] = -1, 0.0
        who[c, 2], share[c, 2] = carrier[solid[c]], -1.0
        who[c, 3], share[c, 3] = -1, 0.0


@kernel
def slide(live, who, share, frames, begin, normal, point, slip):
    """How far the two sides have slid along each other since the beginning, (n, 3)."""
    for c in live:
        x, n = _row(point, c), _row(normal, c)
        total = (0.0, 0.0, 0.0)
        for e in range(4):
            k = who[c, e]
            if k < 0:
                continue
            g, g0, s = frames[k], begin[k], share[c, e]
            y = rotate_back(g, _arm(g, x))
            for i in range(3):
                before = g0[i, 3] + g0[i, 0] * y[0] + g0[i, 1] * y[1] + g0[i, 2] * y[2]
                moved = s * (x[i] - before)
                total = (
                    total[0] + (moved if i == 0 else 0.0),
                    total[1] + (moved if i == 1 else 0.0),
                    total[2] + (moved if i == 2 else 0.0),
                )
        along = dot(n, total)
        for i in range(3):
            slip[c, i] = total[i] - along * n[i]


@kernel
def press(
    live, friction, force, who, share, one_sided, offset, radius, frames, normal, bend, point,
    load, tangent, tangents,
):  # fmt: skip
    """Add what contacts exert on frames, as ``Wrenches`` add loads.

    Forces without friction push along the normal, whatever else they were before. The tangent knows
    that forces turn with the normal where one side is fixed in the world.
    """
    for c in live:
        f, n = _row(force, c), _row(normal, c)
        if friction[c] == 0.0:
            f = scaled(dot(f, n), n)
        if f[0] == 0.0 and f[1] == 0.0 and f[2] == 0.0:
            continue
        x = _row(point, c)
        for e in range(4):
            k = who[c, e]
            if k < 0:
                continue
            own, g = scaled(share[c, e], f), frames[k]
            p = rotate_back(g, _arm(g, x))
            own = rotate_back(g, own)
            add_dead(load[k], tangent[k], own, p, tangents)
        if tangents and one_sided[c]:
            k = who[c, 0]
            g = frames[k]
            y, n, f = _row(offset, c), rotate_back(g, n), rotate_back(g, f)
            _turn(tangent[k], g, y, radius[c], n, f, bend[c])


@inline
def _bent(g, bend, u):
    """Rᵀ H R u."""
    a = (
        g[0, 0] * u[0] + g[0, 1] * u[1] + g[0, 2] * u[2],
        g[1, 0] * u[0] + g[1, 1] * u[1] + g[1, 2] * u[2],
        g[2, 0] * u[0] + g[2, 1] * u[1] + g[2, 2] * u[2],
    )
    b = (
        bend[0] * a[0] + bend[1] * a[1] + bend[2] * a[2],
        bend[3] * a[0] + bend[4] * a[1] + bend[5] * a[2],
        bend[6] * a[0] + bend[7] * a[1] + bend[8] * a[2],
    )
    return rotate_back(g, b)


@inline
def _turn(out, g, y, r, n, f, bend):
    """Add how a contact's wrench turns with its normal, in the frame of the sample.

        u = v + ω × y,   dn = H u,   df = λ dn - n (f · dn),   λ = n · f
        dr = -(x × df + r (ω × n - dn) × f,  df),   x = y - r n

    where x is the point that touches, which does not turn with the frame.
    """
    pressing = dot(n, f)
    x = (y[0] - r * n[0], y[1] - r * n[1], y[2] - r * n[2])
    for j in range(6):
        a = (1.0 if j % 3 == 0 else 0.0, 1.0 if j % 3 == 1 else 0.0, 1.0 if j % 3 == 2 else 0.0)
        u = cross(a, y) if j < 3 else a
        dn = _bent(g, bend, u)
        w = cross(a, n) if j < 3 else (0.0, 0.0, 0.0)
        # the part of f along the surface keeps its size: f · dn is that of friction alone
        along = dot(f, dn)
        df = (
            pressing * dn[0] - n[0] * along,
            pressing * dn[1] - n[1] * along,
            pressing * dn[2] - n[2] * along,
        )
        moment = cross(x, df)
        shift = cross((w[0] - dn[0], w[1] - dn[1], w[2] - dn[2]), f)
        for i in range(3):
            out[6 * i + j] -= moment[i] + r * shift[i]
            out[18 + 6 * i + j] -= df[i]


@kernel
def unit_load(c, d, who, share, frames, point, load):
    """Write ∂r/∂λ of a unit force d on a pair, at the frames that it acts on."""
    x = _row(point, c)
    for e in range(4):
        k = who[c, e]
        if k < 0:
            continue
        g = frames[k]
        p = rotate_back(g, _arm(g, x))
        f = rotate_back(g, scaled(share[c, e], d))
        lever = cross(p, f)
        for i in range(3):
            load[k, i] -= lever[i]
            load[k, 3 + i] -= f[i]


@kernel
def missed(live, friction, force, gap, normal, slip, give):
    """Largest distance by which contact and friction are off.

    Signorini: no gap where a force presses, no depth anywhere. Coulomb: no sliding where the force
    is inside its cone, else against the force along the surface. Where it takes less of a change of
    the force to be right, that counts, times ``give`` [m/N].
    """
    largest = 0.0
    for c in live:
        f, n = _row(force, c), _row(normal, c)
        pressing = dot(f, n)
        error = -gap[c]
        if pressing > 0.0:
            error = max(error, min(gap[c], give * pressing))
        if not error <= largest:
            largest = error
        if friction[c] == 0.0 or not pressing > 0.0:
            continue
        s = _row(slip, c)
        t = (f[0] - pressing * n[0], f[1] - pressing * n[1], f[2] - pressing * n[2])
        size, way, most = dot(t, t) ** 0.5, dot(s, s) ** 0.5, friction[c] * pressing
        if way > 0.0:  # what the force along the surface should be, if it slides
            a = most / way
            d = (t[0] + a * s[0], t[1] + a * s[1], t[2] + a * s[2])
            error = min(way, give * dot(d, d) ** 0.5)
        else:
            error = 0.0
        error = max(error, give * (size - most))
        if not error <= largest:
            largest = error
    return largest
