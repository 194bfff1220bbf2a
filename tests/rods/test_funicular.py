"""Where joints of chains of rods hang: bars, limp rods and what stretches."""

import numpy as np
import pytest
from scipy.integrate import quad, solve_bvp

from flexura.rods.catenary import catenary_to
from flexura.rods.funicular import Lead, Span, joints_between

WEIGHT = np.array([0.0, 0.0, -2.0])


def test_two_bars_make_a_triangle():
    """Both lie along their mean tensions, so that they are straight, whatever they weigh."""
    spans = [Span(0.6, WEIGHT, 0.0, 1e9), Span(0.7, 3.0 * WEIGHT, 0.0, 1e9)]
    joint, end = joints_between(spans, np.array([1.0, 0.0, 0.2]))
    np.testing.assert_allclose(end, (1.0, 0.0, 0.2), atol=1e-5)
    assert np.linalg.norm(joint) == pytest.approx(0.6, rel=1e-4)
    assert np.linalg.norm(end - joint) == pytest.approx(0.7, rel=1e-4)
    assert joint[2] < 0.0


@pytest.mark.parametrize("give", [0.0, 0.05])
@pytest.mark.parametrize("wide", [0.3, 0.9])
def test_joints_of_what_is_limp_lie_on_its_catenary(wide, give):
    spans = [Span(x, WEIGHT, give, 0.0) for x in (0.2, 0.5, 0.3)]
    found = joints_between(spans, np.array([0.0, wide, 0.1]))
    line = catenary_to(1.0, wide, 0.1, 2.0 * give)
    y, z = line.places(np.array([0.2, 0.7, 1.0]))
    np.testing.assert_allclose(found, np.stack([0.0 * y, y, z], axis=1), atol=1e-4)


def test_what_is_in_between_sags_by_as_much_as_its_stiffness_lets_it():
    """By its weight alone a rod sags by 5 w l⁴/384 EI, a limp one by w l²/8T."""
    span = Span(1.0, WEIGHT, 0.0, 2.0)
    tension = span.pull * span.length
    limp = span.pull * span.length**2 / (8.0 * tension)
    alone = quad(lambda x: span.pull * x * (1.0 - x) / 2.0 * min(x, 1.0 - x) / 2.0, 0.0, 1.0)[0]
    both = 1.0 / (1.0 / limp + span.bending / alone)
    assert span.follows * limp == pytest.approx(both, rel=0.05)


def test_what_has_no_load_or_does_not_reach_hangs_nowhere():
    spans = [Span(0.5, WEIGHT, 0.0, 1.0)] * 2
    assert joints_between(spans, np.array([1.1, 0.0, 0.0])) is None
    assert joints_between([Span(0.5, np.zeros(3), 0.0, 1.0)], np.array([0.4, 0.0, 0.0])) is None


def test_what_a_clamp_leads_does_not_turn_where_it_is_stiff():
    """It lies along its clamp, as if its ball were where it ends; the other one gets there."""
    lead = Lead(np.eye(3), np.array([0.0, 0.6, -0.8]))
    spans = [Span(0.5, WEIGHT, 0.0, 1e4, lead), Span(0.9, WEIGHT, 0.0, 0.0)]
    joint, end = joints_between(spans, np.array([0.5, 0.1, 0.2]))
    # loads bend what is called rigid by 2 N l³/3EI, a third of a hundredth of its length
    np.testing.assert_allclose(joint, (0.0, 0.3, -0.4), atol=5e-3)
    np.testing.assert_allclose(end, (0.5, 0.1, 0.2), atol=1e-5)
    turned = [
        Span(0.9, WEIGHT, 0.0, 0.0),
        Span(0.5, WEIGHT, 0.0, 1e4, end=Lead(np.eye(3), -lead.direction)),
    ]
    found, _ = joints_between(turned, -np.array([0.5, 0.1, 0.2]))
    np.testing.assert_allclose(found, joint - end, atol=1e-5)


def test_what_a_hinge_leads_stays_in_its_plane():
    lead = Lead(np.array([[0.0, 1.0, 0.0]]), np.array([1.0, 0.0, 0.0]))
    spans = [Span(0.5, WEIGHT, 0.0, 1e4, lead), Span(0.9, WEIGHT, 0.0, 1e9)]
    joint, end = joints_between(spans, np.array([0.5, 0.4, 0.2]))
    assert joint[1] == pytest.approx(0.0, abs=1e-3)
    assert np.linalg.norm(joint) == pytest.approx(0.5, rel=1e-3)
    assert np.linalg.norm(end - joint) == pytest.approx(0.9, rel=1e-3)
    assert joint[2] < 0.0


@pytest.mark.parametrize("tension", [0.5, 5.0, 50.0])
def test_what_clamps_lead_bends_as_a_beam_under_tension(tension):
    """From a clamp to a ball in the middle, EI y'' = M with no moment and no shear there."""
    load, give = 0.1, 1e-4

    def slope(x, y):
        return np.array([y[1], y[2], y[3], tension * y[2] - load])

    def ends(a, b):
        return np.array([a[0], a[1], b[2], b[3] - tension * b[1]])

    x = np.linspace(0.0, 1.0, 101)
    beam = solve_bvp(slope, ends, x, np.zeros((4, 101)), tol=1e-9)
    shorter = quad(lambda s: 0.5 * beam.sol(s)[1] ** 2, 0.0, 1.0)[0]
    far = 2.0 * (1.0 + give * tension - shorter)
    ahead, down = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, -load])
    first = Span(1.0, down, give, 1.0, Lead(np.eye(3), ahead))
    second = Span(1.0, down, give, 1.0, end=Lead(np.eye(3), ahead))
    joint, _ = joints_between([first, second], far * ahead)
    assert joint[0] == pytest.approx(0.5 * far, rel=1e-4)
    assert joint[2] == pytest.approx(beam.sol(1.0)[0], rel=0.02)  # of 16 cells


@pytest.mark.parametrize("collinear", [False, True])
@pytest.mark.parametrize("size", [1e-6, 1e-3, 1.0, 1e3])
@pytest.mark.parametrize("bending", [1e-9, 1e-3, 1.0, 1e3, 1e9])
@pytest.mark.parametrize("seed", range(4))
def test_every_chain_that_is_long_enough_hangs_somewhere(seed, bending, size, collinear):
    """Light loads on what is stiff and led had singular matrices, or were thought to be too short.

    What cannot stretch is nowhere longer than it is, whatever it weighs, and where a chain hangs
    depends on loads over stiffness alone.
    """
    rng = np.random.default_rng([seed, collinear])
    ahead = np.eye(3)[seed % 3] if collinear else rng.normal(size=3)
    down = ahead if collinear else rng.normal(size=3)
    lengths = rng.uniform(0.2, 1.0, size=seed % 3 + 1)
    way = rng.uniform(0.1, 0.95) * lengths.sum() * ahead / np.linalg.norm(ahead)
    begin, end = (ahead if collinear else x / np.linalg.norm(x) for x in rng.normal(size=(2, 3)))
    leads = Lead(np.eye(3), begin), Lead(np.eye(3), end)

    def found(load, stiffness):
        spans = [Span(x, load * down, 0.0, stiffness) for x in lengths]
        spans[0] = spans[0]._replace(begin=leads[0])
        spans[-1] = spans[-1]._replace(end=leads[1])
        return joints_between(spans, way)

    joints = found(size, bending)
    np.testing.assert_allclose(joints[-1], way, atol=1e-5)
    chords = np.linalg.norm(np.diff(joints, axis=0, prepend=0.0), axis=1)
    assert np.all(chords < lengths * (1.0 + 1e-5))
    np.testing.assert_allclose(found(1e6 * size, 1e6 * bending), joints, atol=1e-4)


def test_what_gives_more_than_numbers_tell_hangs_nowhere():
    """Its matrix is singular to the last digit, which ended in an error of NumPy."""
    begin = Lead(np.eye(3)[2:], np.array([1.0, 0.0, 0.0]))
    end = Lead(np.eye(3), np.array([0.0, 0.6, -0.8]))
    span = Span(0.6, 1e30 * WEIGHT, 1e30, 1.0, begin, end)
    assert joints_between([span], np.array([0.3, 0.1, 0.2])) is None


def test_a_cord_that_is_all_but_taut_is_straight():
    """Newton's matrix was singular by rounding: chains of light steel ended in an error."""
    length, wide, rise = 2.5631318351311896e-3, 1.687704844976313e-4, 2.5575694179866236e-3
    assert catenary_to(length, wide, rise, 0.0) is None
