from itertools import pairwise

import numpy as np
import pytest
from scipy.interpolate import CubicSpline, PchipInterpolator
from support import refused

from flexura.errors import ModelError
from flexura.robot import Convergent, Discs, Helical, Parallel, Piecewise, Routing

BEGIN, END = 0.05, 0.25
S = np.linspace(BEGIN, END, 1001)
U = (S - BEGIN) / (END - BEGIN)
ROUNDING = 1e-14  # relative; a handful of products


def wiggle(s):
    """A helix with a chirp."""
    return 0.01 * np.cos(300.0 * s), 0.008 * np.sin(90.0 * s * s)


def wiggle_slope(s):
    return -3.0 * np.sin(300.0 * s), 1.44 * s * np.cos(90.0 * s * s)


def path(routing, s=S, begin=BEGIN, end=END):
    (span,) = routing.spans(begin, end)
    assert (span.begin, span.end) == (begin, end)
    return span.path(s)


@pytest.mark.parametrize(
    ("routing", "offset", "slope"),
    [
        (Parallel(0.01, -0.02), (0.01 + 0 * U, -0.02 + 0 * U), (0 * U, 0 * U)),
        (
            Convergent(0.01, -0.02),
            (0.01 * (1 - U), -0.02 * (1 - U)),
            (-0.01 / 0.2 + 0 * U, 0.02 / 0.2 + 0 * U),
        ),
        (
            Helical(0.01, -1.5, phase=0.3),
            (0.01 * np.cos(0.3 - 3 * np.pi * U), 0.01 * np.sin(0.3 - 3 * np.pi * U)),
            (
                0.03 * np.pi / 0.2 * np.sin(0.3 - 3 * np.pi * U),
                -0.03 * np.pi / 0.2 * np.cos(0.3 - 3 * np.pi * U),
            ),
        ),
        (Routing(wiggle, wiggle_slope), wiggle(S), wiggle_slope(S)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_offsets_and_slopes_are_the_closed_forms(routing, offset, slope):
    found = path(routing)
    for value, expected in zip(found, (offset, slope), strict=True):
        assert value.shape == (len(S), 2)
        scale = max(1e-2, np.abs(expected).max())
        np.testing.assert_allclose(value, np.stack(expected, axis=1), atol=10 * ROUNDING * scale)
    assert [value.shape for value in path(routing, S[:0])] == [(0, 2), (0, 2)]


def test_a_function_needs_no_derivative():
    offset, slope = path(Routing(wiggle))
    np.testing.assert_allclose(offset, np.stack(wiggle(S), axis=1), atol=1e-11 * 0.01)
    # A series that misses 1e-11 of the function misses a few hundred times that of its slope.
    np.testing.assert_allclose(slope, np.stack(wiggle_slope(S), axis=1), atol=1e-8 * 3.0)


@pytest.mark.parametrize("kind", [CubicSpline, PchipInterpolator])
def test_curvature_may_jump(kind):
    knots = np.linspace(BEGIN, END, 20)
    spline = kind(knots, 0.01 * np.stack([np.sin(40 * knots), np.cos(70 * knots)], axis=1))
    exact = spline.derivative()(S)
    for derivative in (None, spline.derivative()):
        slope = path(Routing(spline, derivative))[1]
        np.testing.assert_allclose(slope, exact, atol=1e-6 * np.abs(exact).max())


def test_rounding_is_no_kink():
    offset, slope = path(Routing(lambda s: (np.cos(s) ** 2 + np.sin(s) ** 2 - 1.0, 0.0)))
    np.testing.assert_allclose(offset, 0.0, atol=1e-15)
    np.testing.assert_allclose(slope, 0.0, atol=1e-9)


def test_a_function_is_tabulated_once():
    calls = []
    routing = Routing(lambda s: (calls.append(s) or 0.01, s))
    same = Routing(routing.function)
    path(routing)
    count = len(calls)
    assert 0 < count < 1000
    path(routing)
    assert len(calls) == count
    assert routing == same
    assert hash(routing) == hash(same)
    path(routing, end=0.3)
    assert len(calls) > count


@pytest.mark.parametrize(
    "function",
    [
        lambda s, c: (0.01 if s < c else 0.02, 0.0),
        lambda s, c: (0.01 if s <= c else 0.0101, 0.0),
        lambda s, c: (0.0, 0.01 if c < s < c + 0.005 else 0.02),
        lambda s, c: (0.1 * abs(s - c), 0.0),
        lambda s, c: (0.01 + 0.05 * max(s - c, 0.0), 0.0),
    ],
    ids=["jump", "small jump", "bump", "kink", "small kink"],
)
@pytest.mark.parametrize("place", [0.1, 0.15, 0.2, 0.05 + 0.2 / 3.0, 0.1234567])
@pytest.mark.parametrize("derivative", [None, lambda s: (0.0, 0.0)])
def test_jumps_and_kinks_are_found(function, place, derivative):
    with pytest.raises(ModelError, match=r"jumps, kinks .* near s = [.\d]+ m.*Piecewise") as caught:
        Routing(lambda s: function(s, place), derivative).spans(BEGIN, END)
    found = float(str(caught.value).split("near s = ")[1].split(" m;")[0])
    assert found == pytest.approx(place, abs=1e-6)  # six digits, and the smallest panel


@pytest.mark.parametrize(
    ("routing", "words"),
    [
        (Routing(lambda s: 1 / 0), ["function(s) failed at s = 0.05 m", "ZeroDivisionError"]),
        (Routing(lambda: 1), ["function(s) failed", "TypeError", "two numbers"]),
        (Routing(lambda s: (0.0, np.nan)), ["s = 0.05 m", "function[1]", "finite", "nan"]),
        (Routing(lambda s: (0.0, np.inf if s > 0.2 else 0.0)), ["function[1]", "inf"]),
        (Routing(lambda s: (1, 2, 3)), ["function must be 2 finite numbers", "(1, 2, 3)"]),
        (Routing(lambda s: None), ["function", "None"]),
        (Routing(lambda s: "yz"), ["function", "'yz'"]),
        (Routing(lambda s: (0.01 * np.sin(1e7 * s), 0.0)), ["wiggles near s ="]),
        (Routing(lambda s: (np.sqrt(s - BEGIN), 0.0)), ["kinks", "make it smooth"]),
        (Routing(wiggle, lambda s: (np.nan, 0)), ["derivative[0]", "nan"]),
        (Routing(wiggle, lambda s: 0.0), ["derivative must be 2 finite numbers"]),
        (Routing(wiggle, lambda s: s.x), ["derivative(s) failed", "AttributeError"]),
        (Routing(wiggle, wiggle), ["derivative must be that of function", "leave it out"]),
        (Routing(wiggle, lambda s: 1.0001 * np.array(wiggle_slope(s))), ["must be that of"]),
    ],
)
def test_bad_functions_are_named_with_their_place(routing, words):
    with np.errstate(all="ignore"), refused(["Routing", *words]):
        routing.spans(BEGIN, END)


def test_the_cause_of_a_failing_function_is_kept():
    with pytest.raises(ModelError) as caught:
        Routing(lambda s: {}["k"]).spans(BEGIN, END)
    assert isinstance(caught.value.__cause__, KeyError)


# -- pieces ----------------------------------------------------------------------------------------


def test_pieces_have_their_own_extents():
    kinked = Routing(lambda s: (0.02 + 0.1 * abs(s - 0.2), 0.0))
    routing = Piecewise(
        [
            (0.1, Parallel(0.01, 0.0)),
            (0.15, Helical(0.01, 2.5)),
            (0.18, Convergent(-0.01, 0.0)),
            (0.2, Routing(lambda s: (s - 0.18, 0.0), lambda s: (1.0, 0.0))),
            (0.22, kinked),
            (END * (1.0 + 1e-10), Parallel(0.022, 0.0)),
        ]
    )
    spans = routing.spans(BEGIN, END)
    assert [span.begin for span in spans] == [BEGIN, 0.1, 0.15, 0.18, 0.2, 0.22]
    assert [span.end for span in spans] == [0.1, 0.15, 0.18, 0.2, 0.22, END]
    for before, after in pairwise(spans):
        np.testing.assert_allclose(
            before.path(np.array([before.end]))[0],
            after.path(np.array([after.begin]))[0],
            atol=1e-12,
        )
    np.testing.assert_allclose(spans[2].path(np.array([0.165]))[0], [[-0.005, 0.0]], atol=1e-15)
    np.testing.assert_allclose(spans[4].path(np.array([0.2]))[1], [[0.1, 0.0]], atol=1e-9)


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        ([(0.1, Parallel(0.01, 0)), (END, Parallel(0, 0.01))],
         ["s = 0.1 m", "pieces[0] ends at (y, z) = (0.01, 0) m", "pieces[1] begins at (0, 0.01)"]),
        ([(0.1, Parallel(1, 0)), (END, Parallel(1 + 2e-9, 0))], ["pieces must meet"]),
        ([(0.1, Parallel(0.01, 0)), (END, Routing(lambda s: (s, 0)))], ["begins at (0.1, 0)"]),
        ([(0.1, Parallel(0.01, 0)), (0.2, Parallel(0.01, 0))],
         ["pieces[1][0] must be 0.25 m, where the tendon ends", "got 0.2"]),
        ([(0.3, Parallel(0.01, 0))], ["pieces[0][0] must be 0.25 m", "got 0.3"]),
        ([(0.05, Parallel(0.01, 0)), (END, Parallel(0.01, 0))],
         ["pieces[0][0] must be greater than 0.05 m, where the tendon starts"]),
        ([(0.1, Parallel(0.01, 0)), (END, Routing(lambda s: 1 / 0))],
         ["Piecewise, pieces[1]: Routing: function(s) failed at s = 0.1 m"]),
    ],
)  # fmt: skip
def test_pieces_that_do_not_fit_are_named(pieces, words):
    with refused(["Piecewise", *words]):
        Piecewise(pieces).spans(BEGIN, END)


def test_pieces_may_miss_each_other_by_rounding():
    pieces = [(0.1, Parallel(0.01, 0.0)), (END, Parallel(0.01 * (1 + 5e-10), 0.0))]
    assert len(Piecewise(pieces).spans(BEGIN, END)) == 2
    assert len(Piecewise([(0.1, Parallel(0, 0)), (END, Parallel(5e-13, 0))]).spans(0.0, END)) == 2


# -- discs -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("extent", "holes"),
    [
        ((0.0, 0.3), [(0.0, 1, 9), (0.1, 1, 9), (0.2, 2, 9), (0.3, 3, 9)]),
        ((0.1, 0.3), [(0.1, 1, 9), (0.2, 2, 9), (0.3, 3, 9)]),
        ((0.1 + 1e-12, 0.1 + 0.2), [(0.1 + 1e-12, 1, 9), (0.2, 2, 9), (0.1 + 0.2, 3, 9)]),
        ((0.12, 0.4), [(0.12, 1, 9), (0.2, 2, 9), (0.3, 3, 9), (0.4, 3, 9)]),
        ((0.0, 0.17), [(0.0, 1, 9), (0.1, 1, 9), (0.17, 2, 9)]),
        ((0.21, 0.22), [(0.21, 2, 9), (0.22, 2, 9)]),
    ],
)
def test_holes_of_discs(extent, holes):
    assert list(Discs([0.1, 0.2, 0.3], [1, 2, 3], 9).holes(*extent)) == holes


def test_numpy_and_lists_are_welcome():
    first = Discs(np.array([0.1, 0.2]), np.array(0.01), np.array([0, 0.01]))
    assert first == Discs((0.1, 0.2), 0.01, [0.0, 0.01])
    assert hash(first) == hash(Discs([0.1, 0.2], 0.01, (0, 0.01)))
    assert Parallel(np.float32(1.0), 2) == Parallel(1, 2.0)
    pieces = [[1, Parallel(0, 0)]]
    assert hash(Piecewise(pieces)) == hash(Piecewise(((1.0, Parallel(0.0, 0.0)),)))


@pytest.mark.parametrize(
    ("cls", "arguments", "words"),
    [
        (Parallel, ("left", 0), ["Parallel", "y must be a finite number", "'left'"]),
        (Parallel, (0, np.nan), ["z must be", "nan"]),
        (Convergent, (None, 0), ["Convergent", "y must be", "None"]),
        (Helical, (0, 1), ["Helical", "radius", "> 0"]),
        (Helical, (-0.01, 1), ["radius", "-0.01"]),
        (Helical, (0.01, np.inf), ["turns", "inf"]),
        (Helical, (0.01, 1, "a"), ["phase", "'a'"]),
        (Routing, (3,), ["Routing", "function must be a function of arc length", "lambda"]),
        (Routing, (None,), ["function", "None"]),
        (Routing, (wiggle, 0), ["derivative must be a function"]),
        (Piecewise, (3,), ["Piecewise", "pieces must be a list of (end, routing)", "3"]),
        (Piecewise, ([],), ["pieces", "[]", "for example"]),
        (Piecewise, ([Parallel(0, 0)],), ["pieces[0] must be a pair", "Parallel"]),
        (Piecewise, ([(1, Parallel(0, 0), 2)],), ["pieces[0] must be a pair"]),
        (Piecewise, ([(0, Parallel(0, 0))],), ["pieces[0][0]", "> 0"]),
        (Piecewise, ([(1, Parallel(0, 0)), (1, Parallel(0, 0))],), ["pieces[1][0]", "ascending"]),
        (Piecewise, ([(1, 2)],), ["pieces[0][1] must be Parallel or", "int 2"]),
        (Piecewise, ([(1, Discs([1], 0, 0))],), ["pieces[0][1]", "got Discs"]),
        (Piecewise, ([(1, Piecewise([(1, Parallel(0, 0))]))],), ["pieces[0][1]", "got Piecewise"]),
        (Discs, ([], 0, 0), ["Discs", "at must be a nonempty list", "[]"]),
        (Discs, (0.1, 0, 0), ["at must be a nonempty list", "0.1"]),
        (Discs, ([0.1, "b"], 0, 0), ["at[1]", "'b'"]),
        (Discs, ([-0.1, 0.1], 0, 0), ["at[0]", ">= 0"]),
        (Discs, ([0.2, 0.1], 0, 0), ["at[1] must be greater than at[0] = 0.2 m", "ascending"]),
        (Discs, ([0.1, 0.1], 0, 0), ["at[1]", "0.1"]),
        (Discs, ([0.1, 0.2], [1, 2, 3], 0), ["y must be a number or 2 numbers", "2 discs"]),
        (Discs, ([0.1, 0.2], 0, []), ["z", "[]"]),
        (Discs, ([0.1, 0.2], 0, [0, [1]]), ["z[1]", "[1]"]),
        (Discs, ([0.1, 0.2], 0, None), ["z", "None"]),
    ],
)  # fmt: skip
def test_bad_values_are_named(cls, arguments, words):
    with refused(words):
        cls(*arguments)
