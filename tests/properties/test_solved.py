"""Nearly all random robots have an equilibrium that is found: only these are judged."""

import pytest
from hypothesis import given
from properties.budget import robots
from properties.judge import is_judged
from properties.robots import cases

# What is left are loops that cannot close, one or two of sixty.
FOUND = 0.9


@pytest.mark.parametrize("times", [3, pytest.param(10, marks=pytest.mark.long)])
def test_nearly_all_robots_are_judged(times):
    judged = []

    @robots(times)
    @given(cases())
    def solve(case):
        judged.append(is_judged(case.solve()))

    solve()
    assert len(judged) >= 5 * times
    assert sum(judged) >= FOUND * len(judged), f"{sum(judged)} of {len(judged)}"
