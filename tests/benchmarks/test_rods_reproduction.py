"""Published static cases: ours against publications and accurate references."""

from functools import cache

import numpy as np
import pytest

import flexura as fx
from benchmarks.rods import buckling, locking
from benchmarks.rods.cases import load_cases, rod_of_stiffness
from benchmarks.rods.reproduction import CHOICES, DEFAULT, quick_cases

CASES = [
    pytest.param(choice, case, id=case.name) for choice in CHOICES for case in quick_cases(choice)
]
# The angle of the tip comes from the strain at the tip too, which converges one order slower than
# positions: it gets ten times the tolerance of positions, in rad.
ANGLE = 10.0
# A publication's distance from the truth, over the length.
PUBLISHED = {
    ("S01", "Simo 1986"): 1e-12,  # exact
    ("S02", "Mattiasson 1981"): 8e-6,  # two components rounded to 5 decimals
    ("S02b", "Nachbagauer 2011"): 2e-7,  # stated error 2.3e-7 m in the deflection alone, 2 m
    ("S03", "Simo 1986"): 3e-3,  # 8 linear elements
    ("S03", "Bathe 1979"): 1.2e-2,  # 8 elements of an older kind
}


@cache
def solved(name, spline):
    """The result of a case, solved once for all tests."""
    case = next(param.values[1] for param in CASES if param.id == name)
    return fx.statics(fx.build(case.robot, rods=spline))


@pytest.mark.parametrize(("choice", "case"), CASES)
def test_tip_reaches_the_reference(choice, case):
    result = solved(case.name, choice.fine)
    assert result.converged
    assert case.error(result) < choice.tolerance
    if case.rotation is not None:
        assert case.rotation_error(result) < ANGLE * choice.tolerance


@pytest.mark.parametrize(("choice", "case"), [p for p in CASES if "energy" in p.values[1].entry])
def test_energy_reaches_the_reference(choice, case):
    # The rigid semicircle stores what its finite stretch gives: P u ~ 1e-8, relative to U.
    energy = solved(case.name, choice.fine).energy
    assert energy == pytest.approx(case.entry["energy"], rel=10.0 * choice.tolerance)


@pytest.mark.parametrize(("choice", "case"), [p for p in CASES if p.values[1].published])
def test_tip_agrees_with_the_publication(choice, case):
    tip = case.tip(solved(case.name, choice.fine))
    for publication, published in case.published.items():
        distance = np.linalg.norm(tip - published) / case.length
        assert distance < PUBLISHED[case.source, publication]


@pytest.mark.parametrize(("choice", "case"), [p for p in CASES if p.values[1].source == "S02"])
def test_tip_angle_agrees_with_mattiasson(choice, case):
    R = solved(case.name, choice.fine).pose("rod.tip")[:3, :3]
    # 5e-6 is the rounding of the table, 1e-7 the stretch of our rod.
    assert np.arctan2(R[1, 0], R[0, 0]) == pytest.approx(case.entry["published_angle"], abs=5.1e-6)


def test_nachbagauer_states_the_error_of_the_publication():
    cases = load_cases("S02b_shear_flexible_cantilever")[:2]
    for case in cases:
        result = solved(case.name, fx.Spline(5, 256))
        deflection = case.tip(result)[1] - case.published["Nachbagauer 2011"][1]
        # The stated error has 3 to 4 digits.
        assert abs(deflection) == pytest.approx(case.entry["published_error"], rel=3e-3)


@pytest.mark.parametrize(
    ("choice", "case"), [p for p in CASES if p.values[1].source in ("S03", "P000")]
)
def test_default_spline_is_good(choice, case):
    # EA L² / EI is 5e3 (P000) and 7e4 (S03): 4.2e-8 is measured under the follower force.
    assert case.error(solved(case.name, DEFAULT)) < 1e-7


def test_stiffness_is_realised():
    rod = rod_of_stiffness("rod", 2.0, 3.0, (4.0, 5.0), 6.0, 7.0)
    assert rod.stiffness(1.0) == pytest.approx([3.0, 4.0, 5.0, 6.0, 7.0, 7.0], rel=1e-15)


@cache
def locked():
    """Errors of rods over their slenderness, found once for all tests."""
    return locking.run(quick=True).data


def test_thin_rods_do_not_lock():
    errors = locked()
    # Measured, at any slenderness: 1.8e-8, and 2.1e-11 on 48 spans (benchmarks/rods/README.md).
    for (_, degree, spans, assumed), error in errors.items():
        if assumed and degree == 3:
            assert error < (3e-8 if spans == 12 else 5e-11)


def test_plain_splines_lock_no_more_than_documented():
    errors = locked()
    # Measured: 4.2e-5, 3.4e-3 and 8.9e-8 (benchmarks/rods/README.md).
    assert errors[1e4, 3, 12, False] < 6e-5
    assert errors[1e6, 3, 12, False] < 5e-3
    assert errors[1e6, 5, 48, False] < 1.5e-7


def test_frame_buckles_at_the_published_load():
    [(ours, exact, published)] = buckling.run(quick=True).data.values()
    assert ours == pytest.approx(exact, rel=buckling.QUICK_TOLERANCE)
    assert ours == pytest.approx(published["Argyris 1979"], abs=5e-4)  # rounded to 3 decimals
    assert ours == pytest.approx(published["Simo 1986"], abs=5e-3)  # rounded to 2 decimals


def test_second_critical_load_of_the_frame():
    data = buckling.reference(buckling.FILE)
    case = data["cases"][1]
    model = buckling.frame(data, case, buckling.QUICK)
    ours = buckling.critical_load(model, case["direction"], case["critical"][1], number=2)
    # 81 times the 1.9e-7 that 48 spans leave: the mode has shorter waves than the first.
    assert ours == pytest.approx(case["critical"][1], rel=2e-5)
