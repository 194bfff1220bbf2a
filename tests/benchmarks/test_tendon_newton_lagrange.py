"""Section VIII of the paper on tendon robots."""

import numpy as np
import pytest

from benchmarks.tendon_newton_lagrange import cases, table_iii


@pytest.mark.parametrize(
    ("scenario", "count"), [("A", 216), ("B", 81), ("C", 100), ("D", 505), ("E", 343)]
)
def test_combinations(scenario, count):
    table = cases.combinations(scenario)
    assert len(table) == count
    assert len(np.unique(table, axis=0)) == count
    for row in cases.reference(scenario).tensions:
        assert (table == row).all(axis=1).any()


@pytest.mark.parametrize("most", [6, pytest.param(12, marks=pytest.mark.long)])
@pytest.mark.parametrize("scenario", cases.SCENARIOS)
def test_models_agree_far_better_than_those_of_the_paper(scenario, most):
    found = table_iii.solve(scenario, most=most)
    paper, _ = table_iii.PAPER[scenario]
    for model in ("VariableStrain", "Spline", "shooting"):
        converged, steps, iterations = found[model]
        assert converged.all()
        assert (steps == 1).all()
        assert iterations.max() <= 7
    for model in ("VariableStrain", "Spline"):
        position, _ = table_iii.differences(found["poses"][model], found["poses"]["shooting"])
        assert np.median(position) < 0.1 * paper[0]
        assert position.max() < 0.1 * paper[2]
    assert max(found["refined"].values()) < 1e-6
