"""Cords that are bent more than catenaries: they end where they shall, and are no shorter."""

import numpy as np
import pytest

from flexura.rods.catenary import catenary_to
from flexura.rods.leaning import leaning


@pytest.mark.parametrize(
    ("wide", "x", "z", "give"),
    [(0.8, 0.1, 0.0, 0.0), (0.5, 0.01, 0.9, 0.0), (0.9, 0.0, -0.7, 0.01), (0.01, 0.002, 0.3, 0.0)],
)
def test_a_cord_that_leans_ends_where_it_shall_and_keeps_its_length(
    wide: float, x: float, z: float, give: float
) -> None:
    """Its places follow its angles, and these its curvature, as of any curve."""
    line = catenary_to(2.0, wide, z, give)
    assert line is not None
    cord = leaning(line, 2.0, x, z)
    assert cord is not None
    ends = np.array(cord.places(np.array([0.0, 2.0])))
    assert pytest.approx(np.array([[0.0, 0.0], [x, z]]), abs=1e-11) == ends.T
    s, d = np.linspace(0.01, 1.99, 41), 1e-6
    way = np.subtract(cord.places(s + d), cord.places(s - d)) / (2.0 * d)
    longer = 1.0 + give * cord.tension(s)
    assert np.hypot(*way) == pytest.approx(longer, rel=1e-6)
    assert way == pytest.approx(
        longer * np.array([np.cos(cord.angle(s)), np.sin(cord.angle(s))]), abs=1e-6
    )
    bend = (cord.angle(s + d) - cord.angle(s - d)) / (2.0 * d)
    assert bend == pytest.approx(cord.bend(s), rel=1e-4)


def test_a_cord_that_cannot_lean_so_far_is_none() -> None:
    """An end beyond its length."""
    line = catenary_to(2.0, 1.0, 0.0, 0.0)
    assert line is not None
    assert leaning(line, 2.0, 3.0, 0.0) is None
