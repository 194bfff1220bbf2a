"""How contacts of two sides that both move turn: exact tangents in the frames that carry them.

A pair acts on up to four frames e with shares s_e of its force f (``Contacts``). Where f turns with
the normal n and keeps its parts λ = f · n and f_t along and across it,

    df = λ dn - n (f_t · dn),    dF_e = s_e df + ds_e f,    dM_e = a_e × dF_e + s_e da_e × f

with a_e the arm of the force in frame e, and da_e how that changes besides turning with it. What a
dead force at a fixed place of the frame adds is in the tangent of the frame itself.

Nearest points of two simplices move as their corners do. With the parameters u of the features that
are nearest, v = v₀ + E u what leads from one side to the other, and soft springs σ that draw to the
middle,

    (EᵀE + σ) du = -Eᵀ w - dEᵀ v,    dv = w + E du,

w the motion at constant u. The place of a bow moves as an edge is slid along, and with it go shares
and arms of both of its frames.
"""

from flexura._kernel import inline, kernel
from flexura.contact.bow_kernels import changes, levers
from flexura.contact.rim_kernels import support
from flexura.lie.kernels.so3 import dexp_into, log_into
from flexura.lie.kernels.vector import cross, dot, rotate, rotate_back, scaled, vec

SOLID, SKIN, LINK, BOW = range(4)
ZERO = (0.0, 0.0, 0.0)
# Arms of rims on what turns by less than this [rad] are those where it is.
STILL = 1e-6


@inline
def _sum(u, v):
    """u + v."""
    return u[0] + v[0], u[1] + v[1], u[2] + v[2]


@inline
def _more(u, a, v):
    """u + a v."""
    return u[0] + a * v[0], u[1] + a * v[1], u[2] + a * v[2]


@inline
def _origin(g):
    """Origin of a frame."""
    return g[0, 3], g[1, 3], g[2, 3]


@inline
def _times(h, u):
    """H u, all nine entries."""
    return (
        h[0] * u[0] + h[1] * u[1] + h[2] * u[2],
        h[3] * u[0] + h[4] * u[1] + h[5] * u[2],
        h[6] * u[0] + h[7] * u[1] + h[8] * u[2],
    )


@inline
def _corner(c, e, at, frames):
    """Corner e of a pair: where its frame is, or its sample there."""
    g = frames[at.who[c, e]]
    if e == 0 and at.kind[c] != LINK:
        return _sum(_origin(g), rotate(g, vec(at.offset[c], 0)))
    return _origin(g)


@inline
def _on_bow(c, e, at):
    """x of the arm of a bow in its frame e, without what is thick about it."""
    own, other = levers(at.along[c])
    return at.length[c] * (own if e == 0 else other)


@kernel
def write_arms(live, at, frames, arm):
    """Arms of the forces of pairs in all frames they act on, in world axes, (n, 4, 3)."""
    for c in live:
        x = vec(at.point[c], 0)
        for e in range(4):
            k = at.who[c, e]
            if k < 0:
                continue
            if at.kind[c] == BOW and e < 2:
                o = rotate(frames[k], (_on_bow(c, e, at), 0.0, 0.0))
                for i in range(3):
                    arm[c, e, i] = o[i] - at.radius[c] * at.normal[c, i]
                continue
            if at.kind[c] == LINK:
                first = 0 if e < 2 else 2
                p = ZERO
                for i in range(first, first + 2):
                    p = _more(p, abs(at.share[c, i]), _origin(frames[at.who[c, i]]))
            else:
                p = _origin(frames[k])
            for i in range(3):
                arm[c, e, i] = x[i] - p[i]


@inline
def _turned(g, g0, turn, change):
    """φ of R = R₀ exp(φ) in world axes; ``turn`` is R₀ᵀ R transposed, ``change`` its vector, -φ."""
    for i in range(3):
        for j in range(3):
            turn[j, i] = g0[0, i] * g[0, j] + g0[1, i] * g[1, j] + g0[2, i] * g[2, j]
    log_into(change, turn)
    return scaled(-1.0, rotate(g0, vec(change, 0)))


@inline
def mean_rim(rim, n, phi, g, g0):
    """x̄ of a circle in a step, and its x where it ends, from the centre in world axes.

        x̄ = ½ (x₀ + x) + (n × φ) δ / |φ × n|²,    so that n · (φ × x̄) = n · (x - x₀)

    with x and x₀ the places of the circle that are ahead along n at the end and at the beginning,
    and δ what the mean is off by, of third order. They are not of the same matter: it rolls.
    """
    x, ahead = support(n, rotate(g, rim))
    before, was = support(n, rotate(g0, rim))
    turn = cross(phi, n)
    square = dot(turn, turn)
    if was == 0.0 or square < STILL * STILL:
        return x, x
    mean = scaled(0.5, _sum(x, before))
    off = was - ahead - dot(n, cross(phi, mean))
    return _more(mean, off / square, cross(n, phi)), x


@inline
def _mean(c, o, ahead, phi, g, g0, at, turn, change):
    """Arm of a force at a place of a frame in the middle of the arc of a step, and the way there.

    ``turn`` and ``change`` are of that arc, ``ahead`` is what leads from there to a rim.
    """
    n = vec(at.normal[c], 0)
    dexp_into(turn, change)  # J_r(-φ) = J_l(φ)
    mean = _sum(_more(rotate(g0, rotate(turn, o)), -at.radius[c], n), ahead)
    return mean, _sum(_more(_origin(g), -1.0, _origin(g0)), cross(phi, mean))


@kernel
def mean_arms(live, fixed, at, frames, begin, arm, slip, turn, change):
    """Arms of forces on what turns in a step: those in the middle of its arc, and how far it slid.

        ā = R₀ J_l(φ) o - r n,      R = R₀ exp(φ)

    of samples at o, and of bows in both of their frames, whose other side is fixed. Then forces do
    the work F · (c - c₀) on the way that centres of samples go; by arms where the step ends they
    would do more, ½ N z |φ|² on an edge.
    What slid is what friction does work on, c - c₀ - r φ × n along the surface. Of rims o is the
    centre, and the mean of what leads from there to the place that is ahead is added.
    """
    for c in live:
        if not fixed[c]:
            continue
        n, way = vec(at.normal[c], 0), ZERO
        for e in range(2 if at.kind[c] == BOW else 1):
            k = at.who[c, e]
            g, g0, o = frames[k], begin[k], vec(at.offset[c], 0)
            phi, rim = _turned(g, g0, turn, change), vec(at.rim[c], 0)
            ahead = ZERO
            if at.kind[c] == BOW:
                o = (_on_bow(c, e, at), 0.0, 0.0)
            elif rim != ZERO:
                ahead, x = mean_rim(rim, n, phi, g, g0)
                o = _more(o, -1.0, rotate_back(g, x))
            mean, own = _mean(c, o, ahead, phi, g, g0, at, turn, change)
            way = _more(way, at.share[c, e], own)
            for i in range(3):
                arm[c, e, i] = mean[i]
        way = _more(way, -dot(way, n), n)
        for i in range(3):
            slip[c, i] = way[i]


@kernel
def turned_work(live, force, at, frames, begin, normal, arm, least, turn, change):
    """Work of the contacts whose normals turned by more than an angle in a step, n · n₀ < least.

    Σ f · (Δx + φ × a) of all frames of a pair, as inertia has it. What was far had no normal: it
    counts, too.
    """
    total = 0.0
    for c in live:
        n, f = vec(at.normal[c], 0), vec(force[c], 0)
        if dot(f, n) <= 0.0 or dot(n, vec(normal[c], 0)) >= least:
            continue
        for e in range(4):
            k = at.who[c, e]
            if k < 0:
                continue
            g, g0 = frames[k], begin[k]
            way = _more(_origin(g), -1.0, _origin(g0))
            way = _sum(way, cross(_turned(g, g0, turn, change), vec(arm[c, e], 0)))
            total += at.share[c, e] * dot(f, way)
    return total


@inline
def _solid(c, e, moved, turned, at, frames):
    """dn and dx of a sample and a solid, of which one moves.

    A sample that is an edge slides along it, so that n keeps its angle with the edge l,

        (lᵀ H l + σ) du = -lᵀ H w - n · dl,    dn = H (w + l du).
    """
    n, r, edge = vec(at.normal[c], 0), at.radius[c], vec(at.edge[c], 0)
    center = _corner(c, 0, at, frames)
    o = _origin(frames[at.who[c, e]])
    w = _sum(moved, cross(turned, _more(center, -1.0, o)))
    own = w if e == 0 else ZERO
    sign = 1.0 if e == 0 else -1.0
    w = scaled(sign, w)
    if edge != ZERO:
        bent = _times(at.bend[c], edge)
        slid = dot(bent, w) + sign * dot(n, cross(turned, edge))
        du = -slid / (dot(bent, edge) + at.soft[c, 0])
        w, own = _more(w, du, edge), _more(own, du, edge)
    dn = _times(at.bend[c], w)
    if e > 0:
        dn = _sum(dn, cross(turned, n))
    return dn, _more(own, -r, dn)


@inline
def _bow(c, e, moved, turned, at, frames, change):
    """dn and dx of a bow and a solid, of which a frame moves, and how u does; ds are written.

    As an edge, it slides along itself, (lᵀ H l + n · c″) du = -lᵀ H w - n · dl.
    """
    n, r, edge = vec(at.normal[c], 0), at.radius[c], vec(at.edge[c], 0)
    rate, _, _ = changes(at.along[c])
    for i in range(4):
        change[i] = 0.0
    g = frames[at.who[c, e]]
    if e < 2:
        share, lever = at.share[c, e], _on_bow(c, e, at)
        way = cross(turned, (g[0, 0], g[1, 0], g[2, 0]))
        w = _more(scaled(share, moved), share * lever, way)
        sign = 1.0 if e == 1 else -1.0
        turns = _more(scaled(sign * rate, moved), _bends(at.along[c], e) * at.length[c], way)
        own = w
    else:
        center = _more(vec(at.point[c], 0), r, n)
        w = scaled(-1.0, _sum(moved, cross(turned, _more(center, -1.0, _origin(g)))))
        turns, own = scaled(-1.0, cross(turned, edge)), ZERO
    bent = _times(at.bend[c], edge)
    du = -(dot(bent, w) + dot(n, turns)) / (dot(bent, edge) + at.soft[c, 0])
    w, own = _more(w, du, edge), _more(own, du, edge)
    change[0], change[1] = -rate * du, rate * du
    dn = _times(at.bend[c], w)
    if e > 1:
        dn = _sum(dn, cross(turned, n))
    return dn, _more(own, -r, dn), du


@inline
def _on_bow_moved(c, k, du, dn, at, h):
    """How the arm of a bow changes in its frame k besides turning with that, but for its r n."""
    _, first, second = changes(at.along[c])
    slid = at.length[c] * (first if k == 0 else second) * du
    return _more(scaled(slid, (h[0, 0], h[1, 0], h[2, 0])), -at.radius[c], dn)


@inline
def _bends(u, e):
    """How k₀ or k₁ change with u: those of u (1 - u)² and u² (u - 1)."""
    if e == 0:
        return (1.0 - u) * (1.0 - 3.0 * u)
    return u * (3.0 * u - 2.0)


@inline
def _edge(c, p, at, frames):
    """E_p: how the way between both sides changes with a parameter; its frames and sign."""
    i, j = at.moves[c, p, 0], at.moves[c, p, 1]
    sign = 1.0 if at.kind[c] == LINK and i < 2 else -1.0
    return scaled(sign, _more(_corner(c, j, at, frames), -1.0, _corner(c, i, at, frames))), sign


@inline
def _solve(a, b, d, x, y):
    """Of [[a, b], [b, d]] z = (x, y)."""
    det = a * d - b * b
    return (d * x - b * y) / det, (a * y - b * x) / det


@inline
def _simplex(c, e, moved, turned, at, frames, change):
    """dn, dx and how the nearest point of the second side moves; ds are written."""
    n, apart, r = vec(at.normal[c], 0), at.apart[c], at.radius[c]
    for i in range(4):
        change[i] = 0.0
    motion = moved
    if e == 0 and at.kind[c] == SKIN:
        motion = _sum(moved, cross(turned, rotate(frames[at.who[c, 0]], vec(at.offset[c], 0))))
    share = at.share[c, e]
    w = scaled(share, motion)
    a, b, d, x, y = 1.0, 0.0, 1.0, 0.0, 0.0
    tx, ty = 0.0, 0.0
    E, F = ZERO, ZERO
    one, two = at.moves[c, 0, 0] >= 0, at.moves[c, 1, 0] >= 0
    if one:
        E, sign = _edge(c, 0, at, frames)
        a = dot(E, E) + at.soft[c, 0]
        turn = sign * (
            (1.0 if at.moves[c, 0, 1] == e else 0.0) - (1.0 if at.moves[c, 0, 0] == e else 0.0)
        )
        tx = -turn * dot(motion, n)
        x = -dot(E, w) + apart * tx
    if two:
        F, sign = _edge(c, 1, at, frames)
        d = dot(F, F) + at.soft[c, 1]
        turn = sign * (
            (1.0 if at.moves[c, 1, 1] == e else 0.0) - (1.0 if at.moves[c, 1, 0] == e else 0.0)
        )
        ty = -turn * dot(motion, n)
        y = -dot(F, w) + apart * ty
        if one:
            b = dot(E, F)
    u, v = _solve(a, b, d, x, y)
    for p in range(2):
        if at.moves[c, p, 0] >= 0:
            i, j = at.moves[c, p, 0], at.moves[c, p, 1]
            sign = 1.0 if at.kind[c] == LINK and i < 2 else -1.0
            way = sign * (u if p == 0 else v)
            change[j] += way
            change[i] -= way
    dv = _more(_more(w, u, E), v, F)
    if at.flat[c]:
        u, v = _solve(a, b, d, tx, ty)
        dn = _more(scaled(u, E), v, F)
    elif apart != 0.0:
        dn = scaled(1.0 / apart, _more(dv, -dot(n, dv), n))
    else:
        dn = ZERO
    dp = ZERO
    for i in range(2 if at.kind[c] == LINK else 1):
        if i == e:
            dp = _more(dp, share, motion)
        dp = _more(dp, change[i], _corner(c, i, at, frames))
    return dn, _more(dp, -r, dn), _more(dp, -1.0, dv)


@kernel
def local_tangent(c, f, at, frames, arm, change, out):
    """Write how the wrenches of a pair change with the frames that it acts on, (24, 24).

    Of gradients, as loads are, by twists, six of each frame, in its own axes.
    """
    n = vec(at.normal[c], 0)
    pressing = dot(n, f)
    for i in range(24):
        for j in range(24):
            out[i, j] = 0.0
    for e in range(4):
        if at.who[c, e] < 0:
            continue
        g = frames[at.who[c, e]]
        for j in range(6):
            axis = (g[0, j % 3], g[1, j % 3], g[2, j % 3])
            moved, turned = (ZERO, axis) if j < 3 else (axis, ZERO)
            dq, du = ZERO, 0.0
            if at.kind[c] == BOW:
                dn, dx, du = _bow(c, e, moved, turned, at, frames, change)
            elif at.kind[c] == SOLID:
                for i in range(4):
                    change[i] = 0.0
                dn, dx = _solid(c, e, moved, turned, at, frames)
            else:
                dn, dx, dq = _simplex(c, e, moved, turned, at, frames, change)
            df = _more(scaled(pressing, dn), -dot(f, dn), n)
            for k in range(4):
                if at.who[c, k] < 0:
                    continue
                h, s, a = frames[at.who[c, k]], at.share[c, k], vec(arm[c, k], 0)
                da, rides = dx, at.kind[c] == BOW and k < 2
                if rides:
                    da = _on_bow_moved(c, k, du, dn, at, h)
                elif at.kind[c] == LINK:
                    da = scaled(-at.radius[c], dn) if k < 2 else _more(dx, -1.0, dq)
                if k == e and rides:
                    da = _more(da, at.radius[c], cross(turned, n))
                elif k == e:
                    da = _more(da, -1.0, cross(turned, a))
                    if at.kind[c] != LINK:
                        da = _more(da, -1.0, moved)
                force = _more(scaled(s, df), change[k], f)
                moment = _more(cross(a, force), s, cross(da, f))
                m, p = rotate_back(h, moment), rotate_back(h, force)
                for i in range(3):
                    out[6 * k + i, 6 * e + j] -= m[i]
                    out[6 * k + 3 + i, 6 * e + j] -= p[i]


@kernel
def unit_wrenches(c, axes, at, frames, arm, out):
    """Write the gradients of unit forces along axes of a pair on its frames, (k, 24)."""
    for i in range(len(axes)):
        d = vec(axes[i], 0)
        for e in range(4):
            if at.who[c, e] < 0:
                for j in range(6):
                    out[i, 6 * e + j] = 0.0
                continue
            g = frames[at.who[c, e]]
            f = rotate_back(g, scaled(at.share[c, e], d))
            m = cross(rotate_back(g, vec(arm[c, e], 0)), f)
            for j in range(3):
                out[i, 6 * e + j] = -m[j]
                out[i, 6 * e + 3 + j] = -f[j]
