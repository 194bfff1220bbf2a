"""Concentric tubes against independent solutions and closed forms."""

from dataclasses import replace

import numpy as np
import pytest

import flexura as fx
from benchmarks.concentric_tubes import boundary_value, fed_legs, poses, random_poses, snapping
from benchmarks.concentric_tubes.cases import poses as references
from benchmarks.lie_group_framework.tubes import figure_23, table_7
from benchmarks.speed.tubes import RODS, way

CASES = list(references())
STEPS = 6  # half of those of the benchmark; ``sure`` tells whether they lead there


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_poses_from_cold(case):
    found = poses.solve(case)
    assert found.tip < poses.TIP
    assert found.twist < poses.TWIST
    assert found.result.stable


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=case.name, marks=() if i % 2 == 0 else pytest.mark.long)
        for i, case in enumerate(CASES[:7])
    ],
)
def test_splines_find_them_too(case):
    """Without loads, when it makes no difference that they stretch."""
    found = poses.solve(case, fx.Spline(4, 36))
    assert found.tip < poses.TIP
    assert found.twist < poses.TWIST


def test_shooting_finds_the_references():
    """The independent solution that others are compared with, with the one of others."""
    given = random_poses.read("loaded.json")["cases"][1]
    put = given["inputs"]
    keys = ("alpha", "beta", "force_at_tip_of_tube", "moment_at_tip_of_tube")
    inputs = [np.array([put[key]]) for key in keys]
    tubes = boundary_value.Tubes.of(random_poses.read("loaded.json")["tubes"]["C"])
    found = boundary_value.solve(tubes, boundary_value.Inputs(*inputs, np.zeros((1, 3, 3))))
    np.testing.assert_allclose(found.tip[0], given["p_tip"], atol=1e-12)
    np.testing.assert_allclose(found.twist[0], given["theta_prime_0"], atol=1e-9)


def test_wound_tubes_are_followed_from_where_all_are_turned_alike():
    """Newton's method alone ends in other equilibria of these, with tubes wound up."""
    inputs = random_poses.draw("B", 2, loaded=False, seed=1)
    turned = np.array([[-1.05, -0.89, 1.38], [0.53, 0.02, 1.92]])
    apart = random_poses.compare("B", replace(inputs, alpha=turned), steps=STEPS)
    assert apart.sure.all()
    assert not apart.missed


def test_random_loads():
    apart = random_poses.compare("A", random_poses.draw("A", 2, loaded=True, seed=1), steps=STEPS)
    assert apart.sure.all()
    assert not apart.missed


def test_splines_differ_from_references_with_loads_as_they_stretch_and_shear():
    """By as much as tubes that stretch do, in proportion to how soft they are."""
    inputs, rods = random_poses.draw("A", 1, loaded=True, seed=1), fx.Spline(4, 24)
    rigid, elastic = (
        random_poses.compare("A", inputs, rods, x, STEPS).tip[0] for x in (True, False)
    )
    assert rigid > 5e-7
    assert elastic < poses.TIP
    case = CASES[7]
    off = [poses.solve(replace(case, robot=poses.stiffer(case.robot, x)), rods).tip for x in (1, 9)]
    assert off[0] == pytest.approx(9.0 * off[1], rel=0.01)


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


@pytest.mark.slow
def test_tubes_of_the_paper_snap_in_time():
    """Figure 23: along the equation until they snap, a little late at 1 rad/s."""
    snap, *_ = figure_23.snap_angle(figure_23.robot())
    table = figure_23.run(quick=True)
    ((_, off, *_),) = table.rows
    assert float(off) < 5e-3
    assert snap < table.data["found"][1.0].snap < snap + 0.1


def test_next_poses_take_three_iterations():
    """Pushed and turned at once; sections keep their strains as they grow."""
    model = fx.build(CASES[0].robot, rods=next(iter(RODS.values())))
    here = fx.statics(model, way()[0]).unwrap()
    for inputs in way()[1:4]:
        here = fx.statics(model, inputs, start=here).unwrap()
        assert here.iterations <= 3


def test_a_pose_whose_loads_are_raised_in_steps():
    """At once it is unstable; sections without length have no part in how large forces are."""
    drawn = random_poses.draw("B", 5, True, seed=1)
    last = boundary_value.Inputs(*(each[4:] for each in vars(drawn).values()))
    apart = random_poses.compare("B", last, steps=STEPS)
    assert apart.sure.all()
    assert not apart.missed
