"""Numbers beyond all measure end in one of the library's errors or in a status, and stay finite."""

import math

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from support import RUBBER, rod_of
from test_pickle import CHOICES, EACH
from test_pickle import robot as everything

import flexura as fx

HUGE = 1e49  # the largest number of a description is 1e50


def arm(drive="tension", **changes):
    """A rod with a tendon, a tip load and weight."""
    rod = fx.Rod("rod", **{"length": 0.5, "section": fx.Circle(0.01), "material": RUBBER} | changes)
    tendon = fx.Tendon("left", "rod", fx.Parallel(0.02, 0.0), drive=drive)
    loads = [fx.Gravity(), fx.PointLoad("tip", "rod.tip")]
    return fx.Robot("arm", [rod], [fx.Weld("world", "rod.base", name="base")], loads, [tendon])


def check_finite(result):
    """No number of a result is beyond floats."""
    evaluation, state = result.evaluation, result.state
    found = [result.residuals, result.steps, result.load_factor, result.energy, evaluation.turn]
    found += [0.0 if result.potential is None else result.potential, *(evaluation.strains or ())]
    found += [evaluation.nodes, evaluation.node_forces, evaluation.values, evaluation.conjugate]
    found += [state.poses, state.numbers, state.multipliers]
    for name, place in result.model.places.items():
        s = np.linspace(0.0, place.rod.length, 3)
        found += [result.pose(name, s), result.strain(name, s), result.internal_wrench(name, s)]
    found += [result.reaction(label) for label in result.model.reacting]
    assert all(np.isfinite(numbers).all() for numbers in found)


@EACH
@pytest.mark.parametrize("drive", ["tension", "length"])
def test_huge_inputs_end_in_a_status(rods, drive):
    model = fx.build(arm(drive), rods=rods)
    for inputs in ({"left": HUGE}, {"tip": [HUGE, -HUGE, 0.0, 0.0, HUGE, HUGE]}):
        check_finite(fx.statics(model, inputs, iterations=60))


@pytest.mark.parametrize("drive", ["tension", "length"])
def test_huge_inputs_of_shooting_end_in_a_status(drive):
    robot = arm(drive)
    for inputs in ({"left": HUGE}, {"tip": [0.0, HUGE, 0.0, 0.0, HUGE, HUGE]}):
        result = fx.shooting(robot, inputs)
        assert not result.converged
        check_finite(result)


def test_a_huge_member_does_not_stop_the_others():
    model = fx.build(arm(), rods=fx.Spline(3, 4))
    results = fx.statics_many(model, {"left": [0.1, HUGE, 0.2]})
    assert [result.converged for result in results] == [True, False, True]


@pytest.mark.parametrize("value", [1e160, 10**400, math.inf, math.nan, "much", None, [1.0, 2.0]])
def test_what_is_no_input(value):
    model = fx.build(arm(), rods=fx.Spline(3, 4))
    for ask in (
        lambda: fx.statics(model, {"left": value}),
        lambda: fx.statics_many(model, [{"left": value}]),
        lambda: fx.continuation(model, "left", value),
        lambda: fx.shooting(arm(), {"left": value}),
    ):
        with pytest.raises(fx.ModelError, match=r"input 'left' takes .*; got"):
            ask()


@pytest.mark.parametrize("to", [HUGE, 1e20])
def test_a_path_to_a_huge_input_ends_in_a_status(to):
    model = fx.build(arm(), rods=fx.Spline(3, 4))
    for input, value in (("left", to), ("tip", [0.0, 0.0, 0.0, to, 0.0, to])):
        for arc_length in (True, False):
            path = fx.continuation(model, input, value, steps=10, arc_length=arc_length)
            assert not path.reached
            assert np.isfinite(path.fraction).all()
            for result in path:
                check_finite(result)


@pytest.mark.parametrize(
    "changes",
    [
        {"length": 1e-300},
        {"length": 1e300},
        {"length": 1e30},  # its bending stiffness over length squared
        {"section": fx.Section(1e-3, 1e-49, 1e-49, 1e-49), "material": fx.Material(1e-2, 0.3)},
        {"section": fx.Circle(10.0), "material": fx.Material(1e50, 0.3)},
        {"material": fx.Material(1e6, 0.3, density=1e50), "section": fx.Circle(10.0)},
    ],
)
def test_rods_beyond_all_measure_are_refused(changes):
    with pytest.raises(fx.ModelError, match=r"check (its|the) unit"):
        arm(**changes)


def test_moduli_beyond_all_measure_are_refused():
    with pytest.raises(fx.ModelError, match="young must be a number of at least 1e-50"):
        fx.Material(young=2e-289, poisson=0.3)


@pytest.mark.parametrize("bad", [None, math.nan, 2.5, -1, "10", [10], 10**400])
def test_iterations_are_a_whole_number(bad):
    with pytest.raises(fx.ModelError, match="iterations must be a whole number from 0"):
        fx.statics(fx.build(arm(), rods=fx.Spline(3, 4)), iterations=bad)


@pytest.mark.parametrize("bad", [None, 1.0, b"x", [], {}, np.zeros(3), "rod.top", object()])
def test_names_that_nothing_answers_to(bad):
    model = fx.build(arm(), rods=fx.Spline(3, 4))
    result = fx.statics(model)
    path = fx.continuation(model, "left", 0.1, start=result)
    for ask in (
        result.pose,
        result.reaction,
        result.torque,
        result.coordinate,
        result.tension,
        result.slack,
        lambda name: result.strain(name, 0.1),
        lambda name: result.pose(name, 0.1),
        lambda name: path.tension(name),
        lambda name: path.value(name) if name is not None else result.pose(name),
        lambda name: fx.continuation(model, name, 0.1),
    ):
        with pytest.raises(fx.UnknownName):
            ask(bad)


@pytest.mark.parametrize("bad", [10**400, "x", [math.nan], None, {}, [[1], [2, 3]]])
def test_arc_lengths_that_are_none(bad):
    result = fx.statics(fx.build(arm(), rods=fx.Spline(3, 4)))
    with pytest.raises(fx.ModelError, match="got"):
        result.strain("rod", bad)


def test_no_arc_lengths_give_no_energy_densities():
    result = fx.statics(fx.build(arm(), rods=fx.Spline(3, 4)))
    assert result.energy_density("rod", []).shape == (0,)


def test_trial_steps_that_cannot_be_evaluated_leave_no_residual():
    model = fx.build(everything(), rods=fx.Power(2, 2))
    for inputs in ({"left": 0.01, "right": 0.5, "knee": 0.2}, {"left": 0.1, "right": 5.0}):
        check_finite(fx.statics(model, inputs))


@EACH
def test_an_unloaded_curved_rod_is_in_balance(rods):
    rod = rod_of(rest=(0.3, 2.0, -1.0), EA=1e6)
    model = fx.build(fx.Robot("bow", [rod], [fx.Weld("world", "rod.base")]), rods=rods)
    result = fx.statics(model)
    assert result.converged
    assert result.residual < 1e-6  # what is left is rounding, and that balances


def around_one(decades):
    """Numbers near one, and some that are this many decades from it."""
    far = st.floats(-decades, decades).map(lambda x: 10.0**x)
    return st.one_of(st.floats(0.5, 2.0), st.floats(0.5, 2.0), far)


# Stiffness goes with the fourth power of a radius: beyond these a description is refused.
lengths, sizes = around_one(8), around_one(49)


@st.composite
def solves(draw):
    """A robot and inputs with numbers of any size, held at one end or both."""
    vectors = st.lists(st.one_of(sizes, st.just(0.0)), min_size=3, max_size=3)
    material = fx.Material(1e6 * draw(lengths), 0.4, density=1e3 * draw(lengths))
    rest = draw(st.one_of(st.none(), vectors))
    rod = fx.Rod("rod", draw(lengths), fx.Circle(0.02 * draw(lengths)), material, rest)
    joints = [fx.Weld("world", "rod.base", name="base")]
    if draw(st.booleans()):
        T = np.eye(4)
        T[:3, 3] = draw(vectors)
        joints.append(fx.Weld("rod.tip", "world", offset=T))
    drive = draw(st.sampled_from(["tension", "length"]))
    tendon = fx.Tendon("left", "rod", fx.Parallel(0.03 * draw(sizes), 0.0), drive=drive)
    load = fx.PointLoad("tip", "rod.tip", follower=draw(st.booleans()))
    inputs = {"left": 0.1 * draw(sizes), "tip": draw(vectors) + draw(vectors)}
    return fx.Robot("any", [rod], joints, [fx.Gravity(), load], [tendon]), inputs


def test_a_slack_rod_in_two_elements_is_told_to_be_coarse():
    """Each would have to turn by about a whole turn."""
    rubber = fx.Material(young=618034.0, poisson=0.4, density=500.0)
    rod = fx.Rod("rod", 25.517, fx.Circle(0.03), rubber)
    apart = np.eye(4)
    apart[:3, 3] = 0.5, 9.25495, 0.5
    ends = fx.Weld("world", "rod.base"), fx.Weld("rod.tip", "world", offset=apart)
    tip = fx.PointLoad("tip", "rod.tip", (0.5, 0.818, 0.0), (0.5, 0.0, 0.518), follower=True)
    robot = fx.Robot("slack", [rod], ends, [fx.Gravity(), tip])
    result = fx.statics(fx.build(robot, rods=fx.Power(3, 2)))
    check_finite(result)
    assert result.status is fx.Status.COARSE


@pytest.mark.long
@given(st.data(), st.sampled_from(CHOICES))
@settings(deadline=None, max_examples=100)
def test_solves_of_any_size_end_in_a_status(data, rods):
    try:
        robot, inputs = data.draw(solves())
    except fx.ModelError:  # some are; too many would be against Hypothesis' health checks
        reject()
    model = fx.build(robot, rods=rods)
    results = [fx.statics(model, inputs, iterations=100)]
    if results[0].converged:
        try:
            results += fx.continuation(model, "left", 1.0, start=results[0], steps=5)
        except fx.NotConverged as error:
            if "the tangent at the start is singular" not in str(
                error
            ):  # of rods beyond all measure
                raise
    try:
        results.append(fx.shooting(robot, inputs, seek_stable=False))
    except fx.ModelError as error:
        if "too much to integrate" not in str(error):  # as rest curvatures beyond all measure are
            raise
    for result in results:
        check_finite(result)
