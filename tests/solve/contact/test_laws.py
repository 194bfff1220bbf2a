"""The laws that contacts are looked at with: what breaks one of them is seen."""

from dataclasses import replace

import numpy as np
import pytest
from contact_laws import laws

from flexura.result.contact import Touching

N, MU, LENGTH = 2.0, 0.4, 0.3
UP = np.array([0.0, 0.0, 1.0])
SLIDING = Touching(
    "a", "b", None, None, np.zeros(3), UP, 0.0, np.array([-MU * N, 0.0, N]), MU,
    np.array([1e-3, 0.0, 0.0]), sliding=True,
)  # fmt: skip


def broken(place):
    return [law for law, off, allowed in laws(place, LENGTH, N, 1e-9) if not off <= allowed]


def test_what_slides_as_it_should_obeys():
    assert broken(SLIDING) == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"force": np.array([0.0, -MU * N, N])}, "across"),
        ({"force": np.array([-0.5 * MU * N, 0.0, N])}, "across"),
        ({"force": np.array([MU * N, 0.0, N])}, "driven"),
        ({"force": np.array([-2.0 * MU * N, 0.0, N])}, "cone"),
        ({"force": -N * UP}, "pulls"),
        ({"gap": -1e-6}, "deep"),
        ({"gap": 1e-6}, "afar"),
        ({"sliding": False}, "sticks"),
        ({"slip": 1e-3 * UP}, "off the surface"),
        ({"normal": 2.0 * UP}, "length one"),
        ({"force": np.array([np.nan, 0.0, N])}, "no number"),
    ],
)
def test_what_does_not_is_seen(change, words):
    assert any(words in law for law in broken(replace(SLIDING, **change)))
