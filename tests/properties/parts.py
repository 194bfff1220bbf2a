"""Random parts of robots: numbers, poses, sections, rest shapes, routings, descriptions.

Numbers are few and round, so that what is found can be read; they shrink to zero.
"""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

import flexura as fx
from flexura.lie import se3

DESCRIPTIONS = (
    fx.Spline(3, 8),
    fx.Spline(2, 8),
    fx.Spline(5, 6),
    fx.LinearStrain(6),
    fx.Hermite(4),
    fx.Power(3, 4),
    fx.VariableStrain(),
    fx.VariableStrain((3, 5, 5, 0, 0, 0)),
    fx.ConstantStrain(8),
    fx.RotationInterpolation(3),
)


def signed(size):
    """Numbers from -size to size, in tenths of it."""
    return st.integers(-10, 10).map(lambda i: round(size * i / 10.0, 12))


def parts_of(size, least=0.0):
    """Numbers from a part of a size to all of it, in tenths of what is between."""
    return st.integers(0, 10).map(lambda i: round(size * (least + (1.0 - least) * i / 10.0), 12))


def vectors(size):
    """Three numbers, of which none is larger than the size."""
    return st.tuples(signed(size), signed(size), signed(size))


directions = vectors(1.0).map(lambda v: v if any(v) else (0.0, 0.0, 1.0))


def poses(reach, turn=1.0):
    """Poses no further than the reach [m] along any axis, turned by a few radians at most."""
    return st.builds(se3.pose, vectors(reach), vectors(turn))


@dataclass(frozen=True)
class Wave:
    """A rest shape whose curvature varies: three amplitudes [1/m] and a wave number [1/m]."""

    amplitude: tuple[float, ...]
    number: float

    def __call__(self, s):
        """Curvature at an arc length."""
        return tuple(a * np.sin(self.number * s + i) for i, a in enumerate(self.amplitude))


@dataclass(frozen=True)
class Spiral:
    """Offsets of a tendon that comes nearer to the axis: a radius [m] and an end [m]."""

    radius: float
    end: float

    def __call__(self, s):
        """Offset at an arc length."""
        part, angle = 1.0 - 0.5 * s / self.end, 1.0 + 2.0 * s / self.end
        return self.radius * part * np.cos(angle), self.radius * part * np.sin(angle)


def materials(young, density):
    """Materials of about a modulus; some are given by their shear modulus."""
    return st.one_of(
        st.builds(fx.Material, st.sampled_from([young, 2.0 * young]), st.sampled_from([0.3, 0.5])),
        st.just(fx.Material(young, shear=0.4 * young)),
    ).map(lambda m: fx.Material(m.young, m.poisson, m.shear, density))


def uniform_sections(radius):
    """Sections of every class, about as stiff as a circle of that radius."""
    r = radius
    return st.sampled_from(
        [
            fx.Circle(r),
            fx.Tube(1.2 * r, 0.9 * r),
            fx.Rectangle(1.6 * r, 2.0 * r),
            fx.Section(3.0 * r**2, 0.9 * r**4, 0.7 * r**4, 1.4 * r**4),
        ]
    )


def sections(radius):
    """Sections, uniform or tapered."""
    tapers = st.sampled_from(
        [
            fx.Taper(fx.Circle(1.2 * radius), fx.Circle(radius)),
            fx.Taper(
                fx.Rectangle(2.4 * radius, 2.0 * radius), fx.Rectangle(1.8 * radius, 1.6 * radius)
            ),
        ]
    )
    return st.one_of(uniform_sections(radius), tapers)


def constant_rests(length):
    """Rest shapes of constant strain, of half a turn at most, stretched and sheared or not."""
    bend = vectors(1.5 / length)
    stretched = st.just((1.02, 0.03, -0.02))
    return st.one_of(
        st.none(), bend, st.tuples(bend, stretched).map(lambda pair: (*pair[0], *pair[1]))
    )


def drawn_rests(length):
    """Rest shapes that are drawn by control poses, about as long as told."""

    def draw(bends):
        step, T = 0.25 * length, [np.eye(4)]
        for bend in bends:
            T.append(T[-1] @ se3.exp([*bend, step, 0.0, 0.0]))
        return fx.rest_from_spline(T)

    return st.lists(vectors(0.4), min_size=4, max_size=5).map(draw)


def rests(length, functions=True):
    """Rest shapes of every kind, with functions or without."""
    waves = st.builds(Wave, vectors(1.0 / length), st.just(4.0 / length))
    return st.one_of(constant_rests(length), drawn_rests(length), *[waves] * functions)


def routings(length, offset, functions=True):
    """Routings of every class for a tendon that ends at a length [m], with functions or without."""
    y, z = signed(offset), parts_of(offset, 0.3)
    discs = st.builds(
        lambda n, y, z: fx.Discs([length * (i + 1) / n for i in range(n)], y, z),
        st.integers(2, 5), y, z,
    )  # fmt: skip
    pieces = st.builds(
        lambda y, z: fx.Piecewise(
            [(0.4 * length, fx.Parallel(y, z)), (length, fx.Convergent(y, z))]
        ),
        y, z,
    )  # fmt: skip
    return st.one_of(
        st.builds(fx.Parallel, y, z),
        st.builds(fx.Convergent, y, z),
        st.builds(fx.Helical, z, st.sampled_from([0.25, -0.5, 1.0]), signed(3.0)),
        discs,
        pieces,
        *[st.just(fx.Routing(Spiral(offset, length)))] * functions,
    )
