"""Where the joints of a chain of rods are that hangs between two places.

What hangs by balls carries no moment there. With the tension T(s) = f - ∫ w ds along it, T shrinks
or grows by the loads alone, and rods lie along it:

    end - begin = ∫ (1/|T| + 1/EA) T ds,

the slope by f of the convex function ∫ |T| + |T|²/2EA ds, so that Newton's method finds f. It
is that for sums of norms, whose directions T/|T| are unknowns of their own [Andersen2000]. A limp
rod follows T all along; a stiff one lies straight along its mean.

Where a rod is led at an end, its tangent t is known there, and it bends from there on. Rods store
∫ EI |t'|²/2 ds, the most that ∫ m·t' - |m|²/2EI ds can be by any moments m(s). With these rods lie
along T + m', and what is minimized by f and m is, still convex,

    ∫ |T + m'| + |T + m'|²/2EA + |m|²/2EI ds + m·t at the beginning - m·t at the end - f·way.

Moments there are those along axes along which t is known, and none at balls. Where a rod would
have to turn back, tangents get shorter than one: rods bulge by what is missing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from flexura.rods.shape import PLACES, WEIGHT
from flexura.typing import Array, Matrix, Vector, frozen

# w l³ / EI at which a rod sags half as far as a limp one does: 5 w l⁴/384 EI beside w l²/8 T, where
# it carries about its weight.
SAGS = 10.0
# Tension below which rods do not lie along it, over the whole load: there they bend round.
SLACK = 1e-3
# Steps, and the part of the length by which the end may still be missed.
PATIENCE, CLOSE = 60, 1e-6
# What falls by this part of what a step promises has been served by it; steps get half as long.
SERVES, SHORTEST = 1e-4, 1e-6
# Energy that rounding takes or gives, over all loads and lengths.
ROUNDING = 1e-13
# Tension over the whole load beyond which there is none that leads to the end.
MOST = 1e6
# Directions are no longer than this.
INSIDE = 0.9999
# What is led and stiffer than that, EI over all loads and its length squared, is as good as rigid:
# they bend it by about a hundredth of its length.
STIFF = 30.0
# Pieces of a rod that is led at its ends.
CELLS = 16


class Lead(NamedTuple):
    """What is known of the direction of a rod at one of its ends.

    Attributes:
        axes: along which it is known, all three where a clamp holds the rod, (k, 3).
        direction: of the rod, of which only what is along these axes counts.
    """

    axes: Matrix
    direction: Vector


NOTHING = frozen(np.zeros(3))
FREE = Lead(frozen(np.empty((0, 3))), NOTHING)


class Span(NamedTuple):
    """A rod between two joints.

    Attributes:
        length: of it [m].
        load: on each meter [N/m].
        give: what it stretches by for each newton, 1/EA, or nothing.
        bending: EI [N·m²].
        begin: how it is led where it begins.
        end: how it is led where it ends.
        weight: a force at one place of it [N].
        center: where that is, from its beginning on, over the length.
    """

    length: float
    load: Vector
    give: float
    bending: float
    begin: Lead = FREE
    end: Lead = FREE
    weight: Vector = NOTHING
    center: float = 0.5

    @property
    def pulls(self) -> Vector:
        """All that pulls at it [N]."""
        return self.length * self.load + self.weight

    @property
    def pull(self) -> float:
        """Size of the load [N/m]."""
        return float(np.linalg.norm(self.load))

    @property
    def follows(self) -> float:
        """By which part it follows the tension, from 0 for a stiff to 1 for a limp one."""
        sags = self.pull * self.length**3
        return sags / (sags + SAGS * self.bending) if sags > 0.0 else 0.0

    @property
    def led(self) -> bool:
        """Whether anything is known of its direction at its ends."""
        return len(self.begin.axes) + len(self.end.axes) > 0


class _Places(NamedTuple):
    """Places along a span, whose tensions are f + A m - passed.

    Attributes:
        weight: length of rod that each stands for [m], (n,).
        passed: load from where the span begins to them [N], (n, 3).
        slope: A, of tensions by the moments of the span, (n, 3, k).
        give: ∫ m m/EI ds, its diagonal, (k,).
        led: by how much moments at its ends turn it, (k,).
    """

    weight: Array
    passed: Matrix
    slope: Array
    give: Array
    led: Array


def _places(span: Span, loaded: float) -> _Places:
    """Where one looks at a span of a chain with loads of some size [N]."""
    load, weight = span.length * span.load, (1.0 - span.center) * span.weight
    if not span.led:
        part = 0.5 + span.follows * (PLACES - 0.5)
        passed = part[:, None] * load + weight
        nothing = np.empty((len(part), 3, 0)), np.empty(0), np.empty(0)
        return _Places(span.length * WEIGHT, passed, *nothing)
    size, ends = span.length / CELLS, (span.begin, span.end)
    axes = [ends[0].axes, *[np.eye(3)] * (CELLS - 1), ends[1].axes]
    last = np.cumsum([len(own) for own in axes])
    slope, share = np.zeros((CELLS, 3, last[-1])), np.zeros(last[-1])
    for i, (own, k) in enumerate(zip(axes, last.tolist(), strict=True)):
        columns = slice(k - len(own), k)
        if i > 0:
            slope[i - 1, :, columns] = own.T / size
        if i < CELLS:
            slope[i, :, columns] = -own.T / size
        share[columns] = size if 0 < i < CELLS else 0.5 * size
    led = np.zeros(last[-1])
    led[: last[0]] = -axes[0] @ ends[0].direction
    led[last[-2] :] = axes[-1] @ ends[1].direction
    passed = ((np.arange(CELLS) + 0.5) / CELLS)[:, None] * load + weight
    give = share / _bending(span, loaded)
    return _Places(np.full(CELLS, size), passed, slope, give, led)


def _bending(span: Span, loaded: float) -> float:
    """EI of a span that is led, no more than is as good as rigid under loads of some size [N]."""
    return min(span.bending, STIFF * loaded * span.length**2)


@dataclass(frozen=True, eq=False)
class _Chain:
    """Tensions of a chain by what is not known: the force where it begins, and moments.

    Attributes:
        weight, passed, slope: as in ``_Places``, of all spans, by all that is not known.
        give: 1/EA [1/N], (n,).
        bends: ∫ m m/EI ds, its diagonal, (k,).
        wanted: where the chain ends, and how it is led, (k,).
        slack: tension below which it bends round [N].
    """

    weight: Array
    passed: Matrix
    slope: Array
    give: Array
    bends: Array
    wanted: Array
    slack: float

    def tension(self, x: Array) -> tuple[Matrix, Array]:
        """Tension, and its size, at all places."""
        tension = self.slope @ x - self.passed
        return tension, np.hypot(np.linalg.norm(tension, axis=1), self.slack)

    def energy(self, x: Array) -> float:
        """What is minimized."""
        tension, size = self.tension(x)
        stretched = 0.5 * self.give * (tension**2).sum(axis=1)
        return float(self.weight @ (size + stretched) + 0.5 * self.bends @ x**2 - self.wanted @ x)

    def steps(self, x: Array) -> Matrix:
        """Ways from place to place [m]."""
        tension, size = self.tension(x)
        return np.asarray((self.weight * (1.0 / size + self.give))[:, None] * tension)

    def missed(self, x: Array) -> Array:
        """The slope of the energy."""
        steps = np.einsum("qik,qi->k", self.slope, self.steps(x))
        return np.asarray(steps + self.bends * x - self.wanted)

    def newton(self, x: Array, along: Matrix, missed: Array) -> Array:
        """A step of Newton's method on |T| along = T, whose matrix is made symmetric."""
        tension, size = self.tension(x)
        turned = along[:, :, None] * tension[:, None, :]
        share = (self.weight / size)[:, None, None]
        stiff = (share + (self.weight * self.give)[:, None, None]) * np.eye(3)
        stiff -= 0.5 * share / size[:, None, None] * (turned + turned.swapaxes(1, 2))
        flat = self.slope.reshape(-1, self.slope.shape[2])
        matrix = flat.T @ (stiff @ self.slope).reshape(flat.shape) + np.diag(self.bends)
        return np.asarray(-np.linalg.solve(matrix, missed))

    def turned(self, x: Array, along: Matrix, step: Array, reach: float) -> Matrix:
        """Directions along which rods lie after a part of a step."""
        tension, size = self.tension(x)
        growth = self.slope @ step
        grown = (growth * tension).sum(axis=1) / size
        after = (tension + growth - grown[:, None] * along) / size[:, None]
        return _inside(along + reach * (after - along))


def _inside(directions: Matrix) -> Matrix:
    """Directions, no longer than they may be."""
    length = np.linalg.norm(directions, axis=1)
    return np.asarray(directions / np.maximum(1.0, length / INSIDE)[:, None])


def _chain(spans: Sequence[Span], way: Vector, loaded: float) -> _Chain:
    """A chain that shall lead some way, with loads of some size."""
    places = [_places(span, loaded) for span in spans]
    counts = [len(own.weight) for own in places]
    pulls = np.array([span.pulls for span in spans])
    slope = np.zeros((sum(counts), 3, 3 + sum(len(own.led) for own in places)))
    slope[:, :, :3] = np.eye(3)
    row, column = 0, 3
    for own in places:
        slope[row : row + len(own.weight), :, column : column + len(own.led)] = own.slope
        row, column = row + len(own.weight), column + len(own.led)
    return _Chain(
        weight=np.concatenate([own.weight for own in places]),
        passed=np.concatenate([own.passed for own in places])
        + np.repeat(np.cumsum(pulls, axis=0) - pulls, counts, axis=0),
        slope=slope,
        give=np.repeat([span.give for span in spans], counts),
        bends=np.concatenate([np.zeros(3), *(own.give for own in places)]),
        wanted=np.concatenate([way, *(own.led for own in places)]),
        slack=SLACK * loaded,
    )


def joints_between(spans: Sequence[Span], way: Vector) -> Array | None:
    """Ways from where a chain begins to its joints and its end, (n, 3); None if it ends elsewhere.

    Args:
        spans: its rods.
        way: from where it begins to its end [m].
    """
    pulls = np.array([span.pulls for span in spans])
    loaded = float(np.linalg.norm(pulls, axis=1).sum())
    if loaded == 0.0:
        return None
    chain, total = _chain(spans, way, loaded), sum(span.length for span in spans)
    whole = loaded + sum(_bending(span, loaded) / span.length**2 for span in spans if span.led)
    x = np.zeros(len(chain.wanted))
    x[:3] = 0.5 * pulls.sum(axis=0) + whole * way / max(float(np.linalg.norm(way)), 1e-300)
    tension, size = chain.tension(x)
    along = _inside(tension / size[:, None])
    scale = np.concatenate([np.full(3, total), np.ones(len(x) - 3)])
    for _ in range(PATIENCE):
        missed = chain.missed(x)
        if np.linalg.norm(missed / scale) <= CLOSE:
            ends = np.cumsum([CELLS if span.led else len(PLACES) for span in spans])
            return np.asarray(np.cumsum(chain.steps(x), axis=0)[ends - 1])
        if np.linalg.norm(x[:3]) > MOST * whole:
            return None
        try:
            step = chain.newton(x, along, missed)
        except np.linalg.LinAlgError:  # it gives more than numbers tell
            return None
        here, promised, reach = chain.energy(x), SERVES * float(missed @ step), 1.0
        most = here + ROUNDING * whole * total
        while chain.energy(x + reach * step) > most + reach * promised and reach > SHORTEST:
            reach *= 0.5
        along = chain.turned(x, along, step, reach)
        x = x + reach * step
    return None
