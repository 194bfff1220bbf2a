"""Natural frequencies of cantilevers, to 1e-6."""

import pytest
from support import mixed

from benchmarks.dynamics.frequencies import CHOICES, NO_STIFF, QUICK, TOLERANCE, cases, error

CASES = list(cases())
REST = [name for name in CHOICES if name not in QUICK]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_frequencies(case):
    assert error(case, CHOICES[QUICK[0]]) < TOLERANCE


@pytest.mark.slow
@mixed(
    ids=lambda value: getattr(value, "name", value),
    where=lambda name, case: not (case.stiff and name in NO_STIFF),
    name=REST,
    case=CASES,
)
def test_frequencies_of_other_descriptions(case, name):
    assert error(case, CHOICES[name]) < TOLERANCE
