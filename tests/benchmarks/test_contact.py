"""Quick variants of the benchmarks of contact."""

import numpy as np
import pytest
from contact_laws import check_all

from benchmarks.contact import ball, crowd, energy, helix, hertz, rods, soft_gripper, solver, tube


@pytest.mark.long
def test_hertz():
    """The mesh is off by 3 % at most, as its refinements tell."""
    table = hertz.run(quick=True)
    for ratios in table.data["ratios"].values():
        assert all(abs(ratio - 1.0) < 0.03 for ratio in ratios)
    for result in table.data["all"]:
        check_all(result)


@pytest.mark.slow
def test_a_soft_ball_between_plates():
    """Meshes of 648 and 1536 elements are 4 % apart."""
    table = ball.run(quick=True)
    assert all(abs(ratio - 1.0) < 0.05 for (ratio,) in table.data["ratios"].values())
    for result in table.data["all"]:
        check_all(result)


def test_newton_solves_what_gauss_seidel_does_not():
    """A hundred sweeps leave percents of the largest force."""
    for swept, residual in solver.run(quick=True).data.values():
        assert residual < 1e-11
        assert min(swept) > 1e-4


@pytest.mark.slow
def test_rods_on_a_drum_and_in_a_tube():
    """Places that touch are 1/32 of the rod apart; bisection leaves 1.6 % of the force."""
    data = rods.run(quick=True).data
    for result in data.pop("all"):
        check_all(result)
    assert abs(data.pop("tube")) < 0.02
    for angle, tip in data.values():
        assert abs(angle) < rods.LENGTH / 32 / rods.DRUM
        assert abs(tip) < 5e-4


def test_what_is_seen_grows_with_what_is_near():
    """Four rows of posts more, or twenty capsules: boxes of 16 samples see few of what is far."""
    data = {name: (pairs, seen) for name, (pairs, seen, *_) in crowd.run(quick=True).data.items()}
    for links in (100, 300):
        (few, seen), (many, all_seen) = (
            data[f"rod of {links} links, {x} posts"] for x in (20, 100)
        )
        assert many == 5 * few
        assert all_seen == seen
    (_, seen), (_, all_seen) = data["10 capsules"], data["30 capsules"]
    assert seen / 9 == all_seen / 29  # neighbours


@pytest.mark.slow
@pytest.mark.parametrize("step", [0.016, pytest.param(0.025, marks=pytest.mark.long)])
def test_soft_fingers_lift_a_cube_and_hold_it(step):
    motion = soft_gripper.grip(step)
    assert motion.converged
    assert not motion.cuts
    check_all(motion)
    # it is shaken by 4 mm about 50 mm, and hangs 1 mm deeper in its fingers at most
    assert abs(motion[-1].pose("cube")[2, 3] - 0.5 * soft_gripper.EXAMPLE["SIDE"] - 0.05) < 1e-3


@pytest.mark.long
def test_a_rod_in_a_tube_snakes_and_winds():
    """Loads are 0.1 apart; ends of a short rod wind a little later than a long one could."""
    data = tube.run(quick=True).data
    for result in data["all"]:
        check_all(result)
    assert abs(data["snakes"] - tube.SNAKES) < 0.2
    assert -0.1 < data["winds"] - tube.HELIX < 0.3


@pytest.mark.slow
def test_a_helix_in_a_tube_presses_as_published():
    """By a percent, as spans are a sixth of a turn; its pitch is what ends of a short rod leave."""
    high, middle, low = helix.run(quick=True).data["found"]
    for found in (high, middle, low):
        check_all(found.result)
        assert abs(found.helix.pressing - 1.0) < 0.015
        assert found.off < 0.03
        # the energy of a long helix of this pitch, but for slopes that are not small
        long = helix.turned(found.load, found.helix.pitch * helix.pitch(found.load))
        assert abs(found.helix.energy - long.energy) < 0.02
    assert abs(high.helix.pitch - 1.0) < 0.05  # there are several, a fifth of a turn apart


@pytest.mark.long
def test_a_helix_in_a_tube_unwinds():
    """Energies are equal where they are published to be, and it unwinds a little below."""
    data = helix.run().data
    assert abs(data["equal"] - tube.HELIX) < 0.05
    assert 2.5 < data["unwound"] < data["equal"]
    for found in data["found"]:
        check_all(found.result)
        assert found.off < 0.015


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.long if name == "pile" else ()) for name in energy.CASES],
)
def test_energy_never_grows(name):
    """But for rounding, of forces that are found to 1e-6 at worst."""
    (motion,) = energy.followed(energy.CASES[name](), energy.AT_ONCE)
    check_all(motion)
    assert np.diff(motion.energy).max() <= 1e-9 * motion.energy[0]
