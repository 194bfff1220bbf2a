"""Calibrations find what was put in, and know how well."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from measuring import COMMANDS, RODS, arm, seen
from scipy.stats import chi2
from support import refused

import flexura as fx
from flexura.lie import se3

PLACE = se3.pose((0.1, -0.2, 0.05), (0.1, 0.2, -0.3))
SIGMA = 5e-4  # [m]


def test_noise_free_measurements_give_everything_back():
    """Description, load, offset and place at once, from first guesses that are 10 % off."""
    truth = fx.build(arm(young=1.1e6, y=7.2e-3), RODS)
    observations = seen(truth, added=0.3, place=PLACE, pull=(0, 0, 0, 0.01, 0.02, 0.015))
    fit = fx.calibrate(
        fx.build(arm(), RODS),
        observations,
        parameters=["arm.material.young", "left.routing.y"],
        inputs=["pull.force"],
        offsets=["left"],
        registration="pose",
    ).unwrap()
    # equilibria are good for 1e-10 and better; residuals for as much
    assert fit.values["arm.material.young"] == pytest.approx(1.1e6, rel=1e-8)
    assert fit.values["left.routing.y"] == pytest.approx(7.2e-3, rel=1e-8)
    np.testing.assert_allclose(fit.values["pull.force"], (0.01, 0.02, 0.015), atol=1e-8)
    assert fit.values["left.offset"] == pytest.approx(0.3, abs=1e-8)
    np.testing.assert_allclose(fit.registration, PLACE, atol=1e-8)
    assert fit.robot.rod("arm").material.young == fit.values["arm.material.young"]
    assert fit.rms["position"] < 1e-9
    again = fx.statics(fit.model, fit.inputs_of(observations[1])).unwrap()
    np.testing.assert_allclose(again.pose("arm.tip"), fit.results[1].pose("arm.tip"), atol=1e-9)


@pytest.mark.parametrize("axis", [(0.0, 0.6, 0.8), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)])
def test_a_measuring_system_that_is_turned_far(axis):
    place = se3.pose((0.1, -0.2, 0.05), np.pi * np.array(axis))
    all_of_it = seen(fx.build(arm(young=1.15e6), RODS), place=place)
    observations = [fx.Observation(x.inputs, x.positions) for x in all_of_it]
    fit = fx.calibrate(
        fx.build(arm(), RODS), observations, ["arm.material.young"], registration="pose"
    ).unwrap()
    assert fit.values["arm.material.young"] == pytest.approx(1.15e6, rel=1e-8)
    np.testing.assert_allclose(fit.registration, place, atol=1e-8)
    assert fit.iterations <= 10, "as many as without a turn"


def test_a_function_describes_as_paths_do():
    observations = seen(fx.build(arm(young=1.1e6, y=7.2e-3), RODS))
    paths = fx.calibrate(
        fx.build(arm(), RODS), observations, ["arm.material.young", "left.routing.y"]
    ).unwrap()
    guesses = {"young": 1e6, "y": 8e-3}
    function = fx.calibrate(arm, observations, guesses, rods=RODS).unwrap()
    both = [list(fit.values.values()) for fit in (paths, function)]
    np.testing.assert_allclose(*both, rtol=1e-8)  # both noise-free
    np.testing.assert_allclose(both[0], (1.1e6, 7.2e-3), rtol=1e-8)


def test_the_pose_of_a_weld_by_path():
    base = se3.pose((0.02, 0.01, -0.03), (0.05, -0.04, 0.1))
    truth = fx.build(arm(), RODS)
    observations = seen(truth, base=base)
    fit = fx.calibrate(truth, observations, ["base.offset"]).unwrap()
    np.testing.assert_allclose(fit.values["base.offset"], base, atol=1e-8)
    as_input = fx.calibrate(truth, observations, inputs=["base"]).unwrap()
    np.testing.assert_allclose(as_input.values["base"], base, atol=1e-8)
    np.testing.assert_allclose(
        as_input.covariance, fit.covariance, atol=1e-3 * fit.covariance.max()
    )


def test_errors_of_a_cantilever_are_those_of_the_formula():
    """Bent a little, w = F L³/3EI and σ_E/E = σ/w; its shear and its length change 1e-3 of it."""
    steel = fx.Material(young=200e9, poisson=0.3)
    rod = fx.Rod("arm", 0.5, fx.Circle(radius=2e-3), steel)
    load = fx.PointLoad("pull", "arm.tip", force=(0.0, 0.0, 0.2))
    model = fx.build(fx.Robot("rod", [rod], [fx.Weld("world", "arm.base")], [load]), RODS)
    w = 0.2 * 0.5**3 / (3.0 * 200e9 * np.pi / 4.0 * 2e-3**4)
    place = (np.nan, np.nan, w)
    once = fx.Observation({}, positions={"arm.tip": place}, sigma=1e-5)
    fit = fx.calibrate(model, [once], {"arm.material.young": 150e9}).unwrap()
    assert fit.values["arm.material.young"] == pytest.approx(200e9, rel=2e-3)
    assert fit.errors["arm.material.young"] / 200e9 == pytest.approx(1e-5 / w, rel=3e-3)
    often = fx.calibrate(model, [once] * 4, ["arm.material.young"]).unwrap()
    assert often.covariance[0, 0] == pytest.approx(fit.covariance[0, 0] / 4.0, rel=1e-6)
    np.testing.assert_array_equal(fit.correlation, [[1.0]])


def drawn(exact, rng, sigma):
    """Observations of positions with noise of 0.5 mm."""
    return [
        fx.Observation(
            x.inputs,
            {frame: place + SIGMA * rng.normal(size=3) for frame, place in x.positions.items()},
            sigma=sigma,
        )
        for x in exact
    ]


@pytest.mark.long
def test_errors_match_the_covariance(rng):
    """Over 200 draws: the sum of eᵀ C⁻¹ e is χ² with a degree of freedom for each number."""
    model, exact = fx.build(arm(), RODS), seen(fx.build(arm(), RODS), COMMANDS[:3], added=0.1)
    draws, squares, spreads = 200, [], []
    for _ in range(draws):
        fit = fx.calibrate(
            model, drawn(exact, rng, SIGMA), ["arm.material.young"], ["pull.fz"], offsets=["left"]
        ).unwrap()
        error = np.array([*fit.values.values()]) - (1e6, 0.0, 0.1)
        squares.append(error @ np.linalg.solve(fit.covariance, error))
        spreads.append(fit.spread)
    n, left = 3, 3 * 2 * 3 - 3
    low, high = chi2.ppf([1e-4, 1.0 - 1e-4], n * draws) / draws
    assert low < np.mean(squares) < high
    assert abs(np.mean(np.square(spreads)) - 1.0) < 4.0 * np.sqrt(2.0 / (left * draws))
    # With the covariance of the residuals, each is n times an F(n, left) variable.
    found = np.mean(np.array(squares) / np.square(spreads))
    mean = n * left / (left - 2.0)
    variance = 2.0 * mean**2 * (n + left - 2.0) / (n * (left - 4.0))
    assert abs(found - mean) < 4.0 * np.sqrt(variance / draws)


def test_without_sigma_the_residuals_tell_it(rng):
    """The same unknowns, with the covariance of residuals as large as they are."""
    model, exact = fx.build(arm(), RODS), seen(fx.build(arm(), RODS))
    noisy = drawn(exact, rng, SIGMA)
    plain = [fx.Observation(x.inputs, x.positions) for x in noisy]
    told, found = (
        fx.calibrate(model, observations, ["arm.material.young"], ["pull.fz"]).unwrap()
        for observations in (noisy, plain)
    )
    # Fits end within a thousandth of their standard errors.
    off = np.array([*told.values.values()]) - [*found.values.values()]
    assert (np.abs(off) < 5e-3 * np.array([*told.errors.values()])).all()
    np.testing.assert_allclose(found.covariance, told.covariance * told.spread**2, rtol=1e-3)
    assert found.spread * 0.3 == pytest.approx(told.spread * SIGMA, rel=1e-3)  # of 0.3 m


def test_what_data_cannot_tell_is_named():
    """Without weight, twice the stiffness and twice what pulls is the same shape."""
    rubber = fx.Material(young=1e6, poisson=0.45, density=1000.0)
    rod = fx.Rod("arm", 0.3, fx.Circle(radius=0.01), rubber)
    load = fx.PointLoad("pull", "arm.tip", force=(0.0, 0.0, 0.05))
    model = fx.build(fx.Robot("rod", [rod], [fx.Weld("world", "arm.base")], [load]), RODS)
    bent = fx.statics(model).unwrap()
    places = {frame: bent.pose(frame)[:3, 3] for frame in ("arm.tip", fx.At("arm", 0.2))}
    fit = fx.calibrate(
        model,
        [fx.Observation({}, places, sigma=SIGMA)],
        ["arm.material.young", "arm.material.density"],
        {"pull.fz": 0.04},
    )
    assert fit.status is fx.CalibrationStatus.UNTOLD
    assert not fit.converged
    idle, combined = sorted(fit.untold, key=len)
    assert idle == "'arm.material.density' changes nothing that was measured"
    assert combined == (
        "changing 'arm.material.young' by +1 % and 'pull.fz' by +1 % changes nothing that was "
        "measured"
    )
    assert np.isinf([*fit.errors.values()]).all()
    assert fit.rms["position"] < 1e-9  # it is fitted all the same
    with pytest.raises(fx.NotConverged, match=r"cannot tell.*by \+1 % and"):
        fit.unwrap()


@pytest.mark.parametrize("choice", [RODS, fx.Spline(), fx.VariableStrain()], ids=str)
@pytest.mark.parametrize("noise", [0.0, 1e-4])
def test_zeros_that_change_nothing_are_named(noise, choice):
    """A tendon that is not pulled may be anywhere; its place stays what it was."""
    model = fx.build(arm(up=False), choice)
    random, observations = np.random.default_rng(0), []
    for force in (0.0, 0.1, 0.2):
        inputs = {"pull": (0.0, 0.0, 0.0, 0.0, force, 0.0)}
        place = fx.statics(model, inputs).unwrap().pose("arm.tip")[:3, 3]
        place = place + noise * random.normal(size=3)
        observations.append(fx.Observation(inputs, {"arm.tip": place}, sigma=SIGMA))
    fit = fx.calibrate(model, observations, ["arm.material.young", "left.routing.z"])
    assert fit.status is fx.CalibrationStatus.UNTOLD
    assert fit.untold == ("'left.routing.z' changes nothing that was measured",)
    assert fit.values["left.routing.z"] == 0.0
    assert np.isinf(fit.errors["left.routing.z"])
    assert fit.values["arm.material.young"] == pytest.approx(1e6, rel=1e-2)


def test_errors_of_an_exact_fit_without_sigma():
    """Residuals are zero; what changes nothing is unknown all the same."""
    model = fx.build(arm(), RODS)
    tip = fx.statics(model).unwrap().pose("arm.tip")[:3, 3]
    paths = ["arm.material.young", "arm.material.viscosity"]
    fit = fx.calibrate(model, [fx.Observation({}, {"arm.tip": tip})], paths)
    assert np.isinf(fit.errors["arm.material.viscosity"])
    assert fit.errors["arm.material.young"] < 1.0  # of 1e6 Pa


def test_zeros_that_change_something_are_found():
    """Their steps from zero say how large they can be."""
    true = fx.Tendon("left", "arm", fx.Parallel(8e-3, 1e-3))
    robot = arm(up=False)
    measured = fx.build(replace(robot, tendons=[true]), RODS)
    observations = [
        fx.Observation(
            {"left": pull},
            {"arm.tip": fx.statics(measured, {"left": pull}).unwrap().pose("arm.tip")[:3, 3]},
            sigma=SIGMA,
        )
        for pull in (1.0, 2.0)
    ]
    fit = fx.calibrate(fx.build(robot, RODS), observations, ["left.routing.z"]).unwrap()
    assert fit.values["left.routing.z"] == pytest.approx(1e-3, rel=1e-6)


def test_forces_are_told_by_shapes():
    """Shapes come from the continuous equations, solved by shooting."""
    robot = arm(up=False)
    force = (0.02, -0.03, 0.05)
    shape = fx.shooting(robot, {"left": 1.0, "pull": (0, 0, 0, *force)}).unwrap()
    s = np.linspace(0.05, 0.3, 6)
    places = {fx.At("arm", x): shape.pose("arm", x)[:3, 3] for x in s}
    once = fx.Observation({"left": 1.0}, places, sigma=SIGMA)
    model = fx.build(robot, fx.Spline(3, 16))
    fit = fx.calibrate(model, [once], inputs=["pull.force"]).unwrap()
    off = np.abs(fit.values["pull.force"] - np.array(force))
    # as far as errors of the discretization go, which are those of measurements too
    assert (off < fit.errors["pull.force"] * fit.results[0].accuracy / SIGMA).all()
    assert off.max() < 1e-4
    each = fx.calibrate(model, [once, once], each=["pull.force"]).unwrap()
    np.testing.assert_allclose(each.values["pull.force"], [fit.values["pull.force"]] * 2, atol=1e-9)
    np.testing.assert_allclose(each.errors["pull.force"], [fit.errors["pull.force"]] * 2, rtol=1e-6)
    assert each.labels[3:] == ("pull.fx[1]", "pull.fy[1]", "pull.fz[1]")


def test_bounds_hold_and_are_named():
    observations = seen(fx.build(arm(young=1.4e6), RODS))
    model = fx.build(arm(), RODS)
    bounds = {"arm.material.young": (None, 1.2e6), "pull.fz": (-1.0, 1.0)}
    fit = fx.calibrate(model, observations, ["arm.material.young"], ["pull.fz"], bounds=bounds)
    assert fit.unwrap().values["arm.material.young"] == 1.2e6
    assert fit.active == ("arm.material.young",)
    stiff = {"arm.material.young": 1.2e6}  # what is left is as if it were known
    known = fx.build(arm(young=1.2e6), RODS)
    alone = fx.calibrate(known, observations, inputs=["pull.fz"]).unwrap()
    assert fit.values["pull.fz"] == pytest.approx(alone.values["pull.fz"], rel=1e-3)
    wide = {"arm.material.young": (1e5, 1e7)}
    free = fx.calibrate(model, observations, stiff, bounds=wide).unwrap()
    assert free.values["arm.material.young"] == pytest.approx(1.4e6, rel=1e-8)
    assert not free.active


def test_tensions_do_not_become_negative():
    """The described bounds of inputs hold: a tendon that would have to push ends at zero."""
    model = fx.build(arm(), RODS)
    observations = [fx.Observation({"left": 0.5}, x.positions) for x in seen(model, [(0.2, 0.0)])]
    fit = fx.calibrate(model, observations, offsets=["left"], bounds={"left.offset": (None, 1.0)})
    assert fit.values["left.offset"] == pytest.approx(-0.3, abs=1e-8)
    pushed = [
        fx.Observation({}, x.positions)
        for x in seen(model, [(0.0, 0.0)], pull=(0, 0, 0, 0, -0.05, 0))
    ]
    fit = fx.calibrate(model, pushed, inputs={"left": 0.5}).unwrap()
    assert fit.values["left"] == 0.0
    assert fit.active == ("left",)


def test_steps_that_lead_to_no_robot_are_shortened():
    """From ten times the modulus, the full step leads to a negative one."""
    observations = seen(fx.build(arm(), RODS), pull=(0, 0, 0, 0, 0.05, 0))
    model = fx.build(arm(), RODS)
    known = [
        fx.Observation({**x.inputs, "pull": (0, 0, 0, 0, 0.05, 0)}, x.positions)
        for x in observations
    ]
    fit = fx.calibrate(model, known, {"arm.material.young": 1e7}).unwrap()
    assert fit.values["arm.material.young"] == pytest.approx(1e6, rel=1e-8)


def test_a_first_guess_without_equilibrium_is_reported():
    model = fx.build(arm(), RODS)
    good, bad = seen(model, [(0.0, 0.0), (1.0, 1e-3)])
    short = fx.Observation({"up": 0.299}, bad.positions)
    fit = fx.calibrate(model, [good, short], ["arm.material.young"])
    assert fit.status is fx.CalibrationStatus.UNSOLVED
    assert "observation 1" in fit.remarks[0]
    with pytest.raises(fx.NotConverged, match="observation 1"):
        fit.unwrap()


def test_iterations_may_run_out():
    observations = seen(fx.build(arm(2e6), RODS))
    fit = fx.calibrate(fx.build(arm(), RODS), observations, ["arm.material.young"], iterations=1)
    assert fit.status is fx.CalibrationStatus.EXHAUSTED


def test_other_measurements_are_compared(rng):
    truth = fx.build(arm(young=1.1e6), RODS)
    fit = fx.calibrate(
        fx.build(arm(), RODS),
        seen(truth, added=0.2, place=PLACE, sigma=SIGMA, noise=rng),
        ["arm.material.young"],
        offsets=["left"],
        registration="pose",
    ).unwrap()
    others = seen(truth, [(1.5, 0.0), (0.2, 4e-3)], added=0.2, place=PLACE)
    checked = fit.check(others)
    # what the fit does not know of the robot, 24 numbers of 0.5 mm for 8 unknowns
    assert checked.distances("arm.tip").max() < 3.0 * SIGMA
    assert checked.distances("arm.tip").shape == (2,)
    table = checked.table()
    assert len(table["residual"]) == 2 * (3 + 3 + 6 + 6 + 1 + 1)
    tips = (table["of"] == "arm.tip") & (table["kind"] == "position")
    assert np.linalg.norm(table["residual"][tips][:3]) == pytest.approx(
        checked.distances("arm.tip")[0]
    )
    assert "2 observations" in repr(checked)
    with refused(["measured position", "'arm.base'", "arm.tip"]):
        checked.distances("arm.base")


def test_residuals_larger_than_sigma_are_told():
    truth = fx.build(arm(radius=0.012), RODS)
    observations = [fx.Observation(x.inputs, x.positions, sigma=1e-6) for x in seen(truth)]
    fit = fx.calibrate(fx.build(arm(), RODS), observations, ["left.routing.y"])
    assert "times as large as sigma says" in fit.remarks[0]


def test_what_was_not_measured_does_not_count():
    truth = fx.build(arm(young=1.2e6), RODS)
    some = [
        fx.Observation(x.inputs, {"arm.tip": (np.nan, x.positions["arm.tip"][1], np.nan)})
        for x in seen(truth)
    ]
    fit = fx.calibrate(fx.build(arm(), RODS), some, ["arm.material.young"]).unwrap()
    assert fit.values["arm.material.young"] == pytest.approx(1.2e6, rel=1e-8)
    assert np.isnan(fit.residuals[0]).sum() == 2


def test_it_prints_and_pickles():
    model = fx.build(arm(), RODS)
    fit = fx.calibrate(model, seen(model), ["arm.material.young"], registration="translation")
    text = repr(fit)
    assert "Calibration of 'arm' by 4 observations: converged" in text
    assert "arm.material.young" in text
    again = pickle.loads(pickle.dumps(fit))
    assert again.values.keys() == fit.values.keys()
    np.testing.assert_array_equal(again.covariance, fit.covariance)
    np.testing.assert_array_equal(again.residuals[0], fit.residuals[0])


@pytest.mark.parametrize("bent", [False, True])
def test_what_is_told_to_anything_is_named(bent):
    """Positions hardly see the twist of a straight round rod; of a bent one they do."""
    rest = (0.0, 0.0, 2.0 if bent else 0.0)
    rod = fx.Rod("arm", 0.3, fx.Circle(0.01), fx.Material(1e6, 0.4), rest=rest)
    robot = fx.Robot(
        "a", [rod], joints=[fx.Weld("world", "arm.base")], loads=[fx.PointLoad("pull", "arm.tip")]
    )
    model, random, seen = fx.build(robot, rods=fx.LinearStrain(8)), np.random.default_rng(0), []
    for force in ((0, 0, 0.05), (0, 0.03, 0.02), (0, -0.05, 0.01), (0.1, 0, 0.04)):
        inputs = {"pull": (0.0, 0.0, 0.0, *force)}
        tip = fx.statics(model, inputs).unwrap().pose("arm.tip")[:3, 3]
        tip = tip + 1e-4 * random.normal(size=3)
        seen.append(fx.Observation(inputs, {"arm.tip": tip}, sigma=1e-4))
    fit = fx.calibrate(model, seen, ["arm.rest"])
    if bent:
        assert fit.converged
        assert fit.covariance[0, 0] < 1.0
    else:
        assert fit.status is fx.CalibrationStatus.UNTOLD
        assert "arm.rest.0" in fit.untold[0]
        assert fit.covariance[0, 0] == np.inf
        assert np.isfinite(fit.covariance[1:, 1:]).all()
