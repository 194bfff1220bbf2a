import dataclasses
import math
import pickle

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import refused

from flexura.errors import ModelError
from flexura.robot import Circle, Rectangle, Section, Taper, Tube

CONSTANTS = ("area", "iy", "iz", "torsion")
ROUNDING = 1e-15  # a handful of products


def saint_venant(a, b):
    """J of an a x b rectangle, a >= b, by the series as textbooks print it, in 30 digits."""
    with mpmath.workdps(30):
        a, b = mpmath.mpf(a), mpmath.mpf(b)
        terms = mpmath.nsum(
            lambda k: mpmath.tanh((2 * k + 1) * mpmath.pi * a / (2 * b)) / (2 * k + 1) ** 5,
            [0, mpmath.inf],
        )
        return float(a * b**3 * (mpmath.mpf(1) / 3 - 64 / mpmath.pi**5 * b / a * terms))


def test_circle():
    circle = Circle(2.0)
    assert circle.area == pytest.approx(4.0 * math.pi, rel=ROUNDING)
    assert circle.iy == circle.iz == pytest.approx(4.0 * math.pi, rel=ROUNDING)
    assert circle.torsion == pytest.approx(8.0 * math.pi, rel=ROUNDING)


def test_tube_without_a_hole_is_a_circle():
    tube, circle = Tube(0.37, 0.0), Circle(0.37)
    assert [getattr(tube, c) for c in CONSTANTS] == [getattr(circle, c) for c in CONSTANTS]


def test_tube_is_the_difference_of_circles():
    tube, outer, inner = Tube(0.5, 0.3), Circle(0.5), Circle(0.3)
    for c in CONSTANTS:
        expected = getattr(outer, c) - getattr(inner, c)
        assert getattr(tube, c) == pytest.approx(expected, rel=4 * ROUNDING)


def test_rectangle_second_moments():
    strip = Rectangle(width=3.0, height=2.0)
    assert (strip.area, strip.iy, strip.iz) == (6.0, 3 * 2**3 / 12, 2 * 3**3 / 12)


@pytest.mark.parametrize("ratio", [1.0, 1.1, 1.5, 2.0, 10.0, 300.0])
def test_rectangle_torsion_is_saint_venants(ratio):
    # The difference 1/3 - 0.63 b/a loses one digit at most.
    assert Rectangle(ratio, 1.0).torsion == pytest.approx(saint_venant(ratio, 1.0), rel=5e-15)


def test_rectangle_torsion_closed_forms():
    assert Rectangle(2.0, 2.0).torsion == pytest.approx(0.140577 * 16.0, rel=2e-6)  # six digits
    thin = 1e-3 * 1e-5**3 / 3.0 * (1.0 - 0.630250 * 1e-2)
    assert Rectangle(1e-3, 1e-5).torsion == pytest.approx(thin, rel=1e-8)  # six digits of 0.63 b/a


def test_rectangle_torsion_does_not_see_which_side_is_long():
    assert Rectangle(0.2, 0.7).torsion == Rectangle(0.7, 0.2).torsion


@pytest.mark.parametrize(
    "section", [Circle(1.0), Tube(1.0, 0.5), Rectangle(1.0, 2.0), Section(1.0, 2.0, 3.0, 4.0)]
)
def test_uniform_sections_are_the_same_everywhere(section):
    assert section.at(0.3) is section
    assert hash(section) == hash(type(section)(**vars(section)))


@pytest.mark.parametrize(
    ("base", "middle", "tip"),
    [
        (Circle(3.0), Circle(2.0), Circle(1.0)),
        (Tube(3.0, 1.0), Tube(2.5, 0.5), Tube(2.0, 0.0)),
        (Rectangle(1.0, 2.0), Rectangle(2.0, 3.0), Rectangle(3.0, 4.0)),
        (Section(1, 2, 3, 4), Section(2, 3, 4, 5), Section(3, 4, 5, 6)),
    ],
)
def test_taper_is_linear_in_the_dimensions(base, middle, tip):
    taper = Taper(base, tip)
    assert [taper.at(u) for u in (0.0, 0.5, 1.0)] == [base, middle, tip]


def test_a_piece_of_a_taper_is_a_taper():
    taper = Taper(Rectangle(1.0, 5.0), Rectangle(3.0, 2.0))
    piece = taper.between(0.25, 0.75)
    assert [piece.at(u) for u in (0.0, 0.5, 1.0)] == [taper.at(u) for u in (0.25, 0.5, 0.75)]
    assert Circle(1.0).between(0.1, 0.2) == Circle(1.0)


@given(st.floats(1e-6, 1e3), st.floats(1e-6, 1e3), st.floats(0.0, 1.0))
def test_taper_stays_between_its_ends(base, tip, u):
    radius = Taper(Circle(base), Circle(tip)).at(u).radius
    assert min(base, tip) * (1 - 1e-15) <= radius <= max(base, tip) * (1 + 1e-15)


@given(st.floats(1e-5, 1e3), st.floats(1e-5, 1e3))
def test_rectangle_torsion_lies_below_the_polar_moment(width, height):
    strip = Rectangle(width, height)
    assert 0.0 < strip.torsion < strip.iy + strip.iz


def test_numpy_and_integers_are_welcome():
    assert Tube(np.float32(2.0), np.int64(1)) == Tube(2.0, 1.0)
    assert Circle(np.array(2.0)) == Circle(2)


@pytest.mark.parametrize(
    ("cls", "arguments", "words"),
    [
        (Circle, (-1e-3,), ["Circle", "radius", "> 0", "-0.001", "SI"]),
        (Circle, (0,), ["radius", "> 0", "got 0"]),
        (Circle, (float("inf"),), ["radius", "finite", "inf"]),
        (Circle, ([1.0],), ["radius", "[1.0]", "plain number"]),
        (Circle, (None,), ["radius and diameter", "got none", "Circle(diameter=2e-3)"]),
        (Circle, (1e200,), ["1e+200", "metres"]),
        (Circle, (1e20,), ["1e+20", "e+80", "metres"]),
        (Circle, (1e-200,), ["1e-200", "metres"]),
        (Tube, (1.0, 1.0), ["Tube", "inner", "smaller than outer", "Tube(outer, inner)"]),
        (Tube, (1.0, 2.0), ["inner", "2.0", "outer = 1.0"]),
        (Tube, (1.0, -0.1), ["inner", ">= 0", "-0.1"]),
        (Rectangle, (1.0, "2"), ["Rectangle", "height", "'2'", "plain number"]),
        (Rectangle, (1e40, 1e40), ["Rectangle", "e+158", "metres"]),
        (Section, (1.0, 0.0, 1.0, 1.0), ["Section", "iy", "> 0", "0.0"]),
        (Taper, (Circle(1), Tube(1, 0)), ["Taper", "tip_section", "Circle", "Tube", "one class"]),
        (Taper, (1.0, Circle(1)), ["Taper", "base_section", "1.0", "Circle or Tube"]),
        (Taper, (Circle(1), Taper(Circle(1), Circle(2))), ["tip_section", "Taper"]),
        (Taper, (Circle, Circle), ["base_section", "the class Circle"]),
    ],
)
def test_bad_values_are_named(cls, arguments, words):
    with refused(words):
        cls(*arguments)


@pytest.mark.parametrize(
    ("section", "radii"),
    [
        (Circle(radius=0.1), Circle(0.1)),
        (Circle(diameter=0.2), Circle(0.1)),
        (Tube(outer_diameter=0.3, inner_diameter=0.1), Tube(0.15, 0.05)),
        (Tube(0.15, inner_diameter=0.1), Tube(0.15, 0.05)),
        (Tube(outer_diameter=0.3, inner=0.05), Tube(0.15, 0.05)),
        (Tube(outer_diameter=0.5, wall=0.125), Tube(0.25, 0.125)),
        (Tube(0.25, wall=0.25), Tube(0.25, 0.0)),
    ],
)
def test_diameters_and_walls_are_other_ways_to_say_radii(section, radii):
    assert section == radii
    assert hash(section) == hash(radii)
    assert repr(section) == repr(radii)
    assert pickle.loads(pickle.dumps(section)) == section
    assert dataclasses.replace(section) == section


def test_sections_tell_their_diameters():
    assert Circle(0.1).diameter == 0.2
    tube = Tube(0.15, 0.05)
    assert (tube.outer_diameter, tube.inner_diameter) == (0.3, 0.1)
    assert tube.wall == pytest.approx(0.1, rel=ROUNDING)


@pytest.mark.parametrize(
    ("cls", "sizes", "words"),
    [
        (Circle, {}, ["Circle", "exactly one of radius and diameter", "got none"]),
        (Circle, {"radius": 1, "diameter": 2}, ["exactly one", "radius=1, diameter=2"]),
        (Circle, {"diameter": 0}, ["Circle: diameter", "> 0", "got 0"]),
        (Circle, {"diameter": "2 mm"}, ["Circle: diameter", "'2 mm'", "plain number"]),
        (Tube, {}, ["Tube", "exactly one of outer and outer_diameter", "got none"]),
        (Tube, {"outer": 1}, ["exactly one of inner, inner_diameter and wall", "got none"]),
        (Tube, {"outer": 1, "outer_diameter": 2, "wall": 0.1}, ["outer=1, outer_diameter=2"]),
        (Tube, {"outer": 1, "inner": 0.5, "wall": 0.5}, ["inner=0.5, wall=0.5"]),
        (Tube, {"outer": 1, "inner_diameter": 2}, ["inner_diameter", "smaller than", "2.0 m"]),
        (Tube, {"outer": 1, "wall": 1.5}, ["Tube: wall", "at most the outer radius, 1.0 m", "1.5"]),
        (Tube, {"outer": 1, "wall": 0.0}, ["Tube: wall", "more than 0"]),
        (Tube, {"outer": 1, "wall": -0.1}, ["Tube: wall", ">= 0", "-0.1"]),
    ],
)
def test_sizes_that_are_given_twice_or_not_at_all(cls, sizes, words):
    with refused(words):
        cls(**sizes)


@pytest.mark.parametrize("u", [-0.1, 1.1, float("nan"), "0"])
def test_taper_outside_the_rod(u):
    with pytest.raises(ModelError, match="Taper: u must be"):
        Taper(Circle(1), Circle(2)).at(u)
