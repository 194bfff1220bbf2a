"""Cumulative B-splines against SciPy's B-splines."""

import numpy as np
import pytest
from scipy.interpolate import BSpline
from support import EVERY_DEGREE

from flexura.rods.basis import clamped_knots, cumulative_basis, greville, span_breaks

JUMPS = [0.31, 0.9]


@pytest.fixture(params=EVERY_DEGREE)
def spline(request):
    breaks = span_breaks(1.5, 7, JUMPS)
    return request.param, clamped_knots(breaks, request.param, JUMPS)


def test_matches_scipy(spline):
    degree, knots = spline
    s = np.linspace(0.0, 1.5, 200)
    count = len(knots) - degree - 1
    splines = [BSpline(knots, row, degree) for row in np.eye(count)]
    value = np.array([f(s) for f in splines])[::-1].cumsum(axis=0)[::-1]
    slope = np.array([f.derivative()(s) for f in splines])[::-1].cumsum(axis=0)[::-1]
    first, b, db = cumulative_basis(knots, degree, s)
    for i in range(len(s)):
        active = slice(first[i] + 1, first[i] + degree + 1)
        np.testing.assert_allclose(b[i], value[active, i], atol=1e-14)
        np.testing.assert_allclose(db[i], slope[active, i], atol=1e-13 * len(knots))


def test_end_poses_are_end_nodes(spline):
    degree, knots = spline
    _, b, _ = cumulative_basis(knots, degree, np.array([0.0, 1.5]))
    np.testing.assert_array_equal(b[0], 0.0)
    np.testing.assert_array_equal(b[1], 1.0)


def test_linear_precision(spline):
    """Control values at the Greville abscissae give the straight line."""
    degree, knots = spline
    s = np.linspace(0.0, 1.5, 50)
    x = greville(knots, degree)
    first, b, db = cumulative_basis(knots, degree, s)
    steps = np.array([np.diff(x)[f : f + degree] for f in first])
    np.testing.assert_allclose(x[first] + (b * steps).sum(axis=1), s, atol=1e-14)
    np.testing.assert_allclose((db * steps).sum(axis=1), 1.0, atol=1e-12)


def test_spans_meet_the_jumps():
    breaks = span_breaks(1.5, 7, JUMPS)
    assert set(JUMPS) <= set(breaks)
    assert breaks[0] == 0.0
    assert breaks[-1] == 1.5
    assert (np.diff(breaks) > 0.0).all()


def test_every_piece_has_a_span():
    assert len(span_breaks(1.0, 1, [0.001, 0.002, 0.999])) == 5
