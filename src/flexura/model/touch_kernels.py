"""Compiled part of ``Touch``: forces of contacts on frames, and how far frames have slid."""

from flexura._kernel import inline, kernel
from flexura.contact.distance_kernels import FAR, set_far
from flexura.lie.kernels.vector import dot, rotate, rotate_back, scaled
from flexura.model.touch_tangent_kernels import local_tangent
from flexura.model.wrench_kernels import add_dead

# A frame with no more than this part of a force is where that is not: on edges it is rounding.
SLIGHT = 1e-9


@inline
def _row(x, c):
    """Row c of an array as a vector."""
    return x[c, 0], x[c, 1], x[c, 2]


@kernel
def grip(sample, end, solid, carrier, who, share):
    """Frames that pairs of samples and solids act on, and what part of the force is theirs.

    Parts of bows depend on where they are nearest.
    """
    for c in range(len(sample)):
        who[c, 0], share[c, 0] = sample[c], 1.0
        who[c, 1], share[c, 1] = end[c], 0.0
        who[c, 2], share[c, 2] = carrier[solid[c]], -1.0
        who[c, 3], share[c, 3] = -1, 0.0


@kernel
def part_rigid(first, who, share, rigid, gap, normal):
    """Let pairs from the first one on be far apart if nothing moves their sides as they are."""
    for c in range(first, len(gap)):
        if gap[c] >= FAR:
            continue
        number, together = -1, True
        for e in range(4):
            k = who[c, e]
            if k >= 0 and abs(share[c, e]) > SLIGHT:
                together &= rigid[k] >= 0 and (number < 0 or rigid[k] == number)
                number = rigid[k]
        if together:
            set_far(c, gap, normal)


@kernel
def find_near(force, gap, reach, far, near):
    """Write pairs that press, or whose gaps may close; how many, and whether any of them presses.

    Of what is nowhere near any more, forces are none.
    """
    count, presses = 0, False
    for c in range(len(gap)):
        pressed = force[c, 0] != 0.0 or force[c, 1] != 0.0 or force[c, 2] != 0.0
        if gap[c] < far and (pressed or gap[c] < reach[c]):
            presses |= pressed
            near[count] = c
            count += 1
    return count, presses


@kernel
def slide(live, who, share, frames, begin, normal, arm, slip):
    """How far the two sides have slid along each other since the beginning, (n, 3)."""
    for c in live:
        n, total = _row(normal, c), (0.0, 0.0, 0.0)
        for e in range(4):
            k = who[c, e]
            if k < 0:
                continue
            g, g0, s, a = frames[k], begin[k], share[c, e], _row(arm[c], e)
            before = rotate(g0, rotate_back(g, a))
            total = (
                total[0] + s * (g[0, 3] - g0[0, 3] + a[0] - before[0]),
                total[1] + s * (g[1, 3] - g0[1, 3] + a[1] - before[1]),
                total[2] + s * (g[2, 3] - g0[2, 3] + a[2] - before[2]),
            )
        along = dot(n, total)
        for i in range(3):
            slip[c, i] = total[i] - along * n[i]


@kernel
def press(
    live, friction, force, one_sided, at, frames, arm, load, tangent, tangents, local, change
):  # fmt: skip
    """Add what contacts exert on frames, as ``Wrenches`` add loads.

    Forces without friction push along the normal, whatever else they were before. The tangent knows
    how forces turn with the normal where one side is fixed in the world; what frames of two sides
    do to each other is for ``touch_rows``.
    """
    for c in live:
        f, n = _row(force, c), _row(at.normal, c)
        if friction[c] == 0.0:
            f = scaled(dot(f, n), n)
        if f[0] == 0.0 and f[1] == 0.0 and f[2] == 0.0:
            continue
        for e in range(4):
            k = at.who[c, e]
            if k < 0:
                continue
            g = frames[k]
            p = rotate_back(g, _row(arm[c], e))
            own = rotate_back(g, scaled(at.share[c, e], f))
            add_dead(load[k], tangent[k], own, p, tangents)
        if tangents and one_sided[c]:
            k = at.who[c, 0]
            local_tangent(c, f, at, frames, arm, change, local)
            for i in range(6):
                for j in range(6):
                    tangent[k, 6 * i + j] += local[i, j]


@kernel
def missed(live, friction, force, gap, normal, slip, give):
    """Largest distance by which contact and friction are off.

    Signorini: no gap where a force presses, no depth anywhere, nothing pulls. Coulomb: no sliding
    where the force is inside its cone, else against the force along the surface. Where it takes
    less of a change of the force to be right, that counts, times ``give`` [m/N].
    """
    largest = 0.0
    for c in live:
        f, n = _row(force, c), _row(normal, c)
        pressing = dot(f, n)
        error = max(-gap[c], min(gap[c], give * pressing), -give * pressing)
        if not error <= largest:
            largest = error
        if friction[c] == 0.0:
            continue
        s = _row(slip, c)
        t = (f[0] - pressing * n[0], f[1] - pressing * n[1], f[2] - pressing * n[2])
        size, way = dot(t, t) ** 0.5, dot(s, s) ** 0.5
        most = friction[c] * max(pressing, 0.0)
        if way > 0.0 and most > 0.0:  # what the force along the surface should be, if it slides
            a = most / way
            d = (t[0] + a * s[0], t[1] + a * s[1], t[2] + a * s[2])
            error = min(way, give * dot(d, d) ** 0.5)
        else:
            error = 0.0
        error = max(error, give * (size - most))
        if not error <= largest:
            largest = error
    return largest
