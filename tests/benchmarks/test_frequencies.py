"""Natural frequencies of cantilevers, to 1e-6."""

import pytest

from benchmarks.dynamics.frequencies import CHOICES, NO_STIFF, QUICK, TOLERANCE, cases, error

CASES = list(cases())
REST = [name for name in CHOICES if name not in QUICK]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_frequencies(case):
    assert error(case, CHOICES[QUICK[0]]) < TOLERANCE


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.parametrize("name", REST)
def test_frequencies_of_other_descriptions(case, name):
    if not (case.stiff and name in NO_STIFF):
        assert error(case, CHOICES[name]) < TOLERANCE
