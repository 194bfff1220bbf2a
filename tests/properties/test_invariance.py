"""Changes that leave a robot as it is leave its equilibrium as it is."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from properties.budget import robots
from properties.changes import beside, described, moved, permuted, watched
from properties.images import mirror_image, mirrored, scaled
from properties.judge import check_same, check_shapes, equilibrium, shape
from properties.parts import directions, poses
from properties.robots import cases
from properties.splits import split

import flexura as fx


@robots()
@given(cases(), poses(1.0, 3.0))
def test_a_robot_that_is_moved_as_a_whole(case, T):
    result = equilibrium(case)
    other = moved(case, T)
    check_same((other, other.solve()), (case, result), lambda pose: T @ pose)


@pytest.mark.parametrize(("distance", "tolerance"), [(10.0, 1e-6), (1e3, 1e-4)])
@robots()
@given(cases(), directions)
def test_a_robot_that_is_far_away(distance, tolerance, case, direction):
    """Positions round to 1e-13 m there, strains of short elements to 1e-11; stretch is a thousand
    or more times as stiff as bending.
    """
    result = equilibrium(case)
    T = np.eye(4)
    T[:3, 3] = distance * np.array(direction)
    other = moved(case, T)
    check_same((other, other.solve()), (case, result), lambda pose: T @ pose, tolerance)


LENGTHS = (1e-4, 1e-2, 0.1, 10.0, 300.0)
MODULI = (1e-4, 1.0, 1e3, 1e6)


@robots()
@given(cases(), st.sampled_from(LENGTHS), st.sampled_from(MODULI))
def test_a_robot_in_other_units(case, length, modulus):
    result = equilibrium(case)
    other = scaled(case, length, modulus)

    def grown(T):
        T = T.copy()
        T[:3, 3] *= length
        return T

    check_same(
        (other, other.solve()),
        (case, result),
        grown,
        length=length,
        energy=modulus * length**3,
    )


@robots()
@given(cases())
def test_a_robot_in_a_mirror(case):
    result = equilibrium(case)
    image = mirrored(case)
    check_same((image, image.solve()), (case, result), mirror_image)


@robots()
@given(cases(), st.integers(0, 100))
def test_a_robot_whose_lists_are_in_another_order(case, order):
    result = equilibrium(case)
    other = permuted(case, order)
    check_same((other, other.solve()), (case, result))


@robots()
@given(
    cases(),
    st.sampled_from([1e5, 1e9, 210e9]),
    st.sampled_from([1e-3, 2e-2]),
    st.sampled_from([0.0, 0.1]),
)
def test_a_robot_beside_another(case, young, radius, pull):
    """Rounding and forces of what is stiff say nothing of what is soft."""
    result = equilibrium(case)
    both = beside(case, young, radius, pull)
    again = both.solve()
    assert again.converged, f"{again.status.name} instead of {result.status.name}"
    assert again.stable == result.stable
    found = shape(both, again)
    del found["bar"]
    check_shapes(found, shape(case, result), case.length)


@robots()
@given(cases(), st.sampled_from([1, 3]))
def test_a_robot_beside_bars_that_turn_freely(case, count):
    """What nothing resists there says nothing of what is stable here."""
    result = equilibrium(case)
    both = watched(case, count)
    again = both.solve()
    assert again.converged, f"{again.status.name} instead of {result.status.name}"
    assert again.stable == result.stable
    found = shape(both, again)
    for i in range(count):
        del found[f"bar {i}"]
    check_shapes(found, shape(case, result), case.length)


FINE = (fx.LinearStrain(16), fx.Spline(3, 16), fx.Hermite(16), fx.Power(3, 8))
FINE_ERROR = 1e-4


@robots()
@given(cases(), st.sampled_from(FINE), st.sampled_from([0.25, 0.5, 0.7]), st.data())
def test_a_rod_that_is_two(case, choice, part, data):
    """What is left is the error of fine descriptions, which differ where the rod was cut."""
    case = described(case, choice)
    result = equilibrium(case, gentle=True)
    rod = data.draw(st.sampled_from(case.robot.rods))
    cut = split(case, rod.name, part * rod.length)
    again = cut.solve()
    assert again.converged, again.status.name
    found = shape(cut, again)
    ends = found.pop(rod.name)[0], found.pop(f"{rod.name} beyond")[-1]
    expected = shape(case, result)
    wanted = expected.pop(rod.name)
    check_shapes(
        {**found, rod.name: np.array(ends)},
        {**expected, rod.name: wanted[[0, -1]]},
        case.length,
        FINE_ERROR,
    )
