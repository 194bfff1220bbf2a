"""Concentric tubes against independent solutions and closed forms."""

import numpy as np
import pytest

import flexura as fx
from benchmarks.concentric_tubes import fed_legs, poses, snapping
from benchmarks.concentric_tubes.cases import poses as references
from benchmarks.lie_group_framework.tubes import table_7

CASES = list(references())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_poses_from_cold(case):
    found = poses.solve(case)
    assert found.tip < poses.TIP
    assert found.twist < poses.TWIST
    assert found.result.stable


@pytest.mark.parametrize("case", CASES[:7], ids=lambda case: case.name)
def test_splines_find_them_too(case):
    """Without loads, when it makes no difference that they stretch."""
    found = poses.solve(case, fx.Spline(4, 36))
    assert found.tip < poses.TIP
    assert found.twist < poses.TWIST


@pytest.mark.parametrize("case", snapping.cases(), ids=lambda case: case["name"])
def test_snapping(case):
    curve = snapping.follow(case, snapping.QUICK)
    assert curve.path.status.reached
    assert curve.off < 1e-5  # the table of the closed form is interpolated to 7e-7
    snaps = [snapping.TURN * mark.fraction for mark in curve.path.limits]
    if case["snap"] is None:
        assert not snaps
        assert not any(curve.path.unstable_modes)
        return
    # the curve is symmetric about half a turn
    expected = [case["snap"]["alpha_in"], snapping.TURN - case["snap"]["alpha_in"]]
    np.testing.assert_allclose(snaps, expected, atol=1e-6)
    # unstable where the angle in falls as the angle out grows
    slope = np.interp(
        curve.angle_out, case["alpha_L"], np.gradient(case["alpha_in"], case["alpha_L"])
    )
    clear = np.abs(slope) > 0.1
    unstable = np.array([modes == 1 for modes in curve.path.unstable_modes])
    np.testing.assert_array_equal(unstable[clear], slope[clear] < 0.0)


def test_fed_legs_are_clamped_rods():
    for case, pose in fed_legs.forward(fx.Spline(4, 8)):
        np.testing.assert_allclose(pose, case.pose, atol=2e-7, err_msg=case.name)
        if case.name == "csg05":
            break


def test_lengths_from_poses():
    back = fed_legs.inverse(3)
    assert back.count == 3


def test_tubes_of_the_paper():
    """Table 7: the coefficient that its figure is drawn with, and the angle of snapping."""
    assert table_7.coefficient(table_7.robot(0.25)) == pytest.approx(34.8, rel=1e-12)
    off, snaps, snap = table_7.curve(0.4, table_7.REFINED)
    assert off < 1e-5
    assert snaps[0] == pytest.approx(snap, abs=1e-6)
    off, snaps, _ = table_7.curve(0.25, table_7.PAPER)
    assert off < 1e-3
    assert not snaps
