"""What is true of every soft robot."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from properties.budget import robots
from properties.parts import poses
from properties.soft import FORCE, SIZE, pull_of, softs, to_world

import flexura as fx

# Newton's method ends with forces that balance to 1e-12 of those in play; what bends most is a
# hundred times as soft as what is stiffest.
EXACT = 1e-8


@robots()
@given(softs(), poses(1.0, 3.0))
def test_a_soft_robot_that_is_moved_as_a_whole(case, T):
    here, there = case.solve(), case.seen(pose=T).solve()
    wanted = here.points("block") @ T[:3, :3].T + T[:3, 3]
    assert there.points("block") == pytest.approx(wanted, abs=EXACT * SIZE[0])
    assert there.energy == pytest.approx(here.energy, rel=1e-6, abs=1e-12)


@robots()
@given(softs(), st.sampled_from([1e-3, 0.1, 30.0]), st.sampled_from([1e-3, 1.0, 1e5]))
def test_a_soft_robot_in_other_units(case, length, modulus):
    here, there = case.solve(), case.seen(length=length, modulus=modulus).solve()
    wanted = length * here.points("block")
    assert there.points("block") == pytest.approx(wanted, abs=EXACT * length * SIZE[0])
    energy = modulus * length**3 * here.energy
    assert there.energy == pytest.approx(energy, rel=1e-6, abs=1e-12 * modulus * length**3)


@robots()
@given(softs())
def test_clamps_hold_what_loads_do(case):
    """Forces and moments about the origin: all that comes from outside adds up to nothing."""
    result = case.solve()
    total = result.reaction("world-block")
    force, at = pull_of(case, result)
    pulls = [(force, at), (case.inputs["tip"][3:], result.pose(_tip(case))[:3, 3])]
    elements = result.volume("block").elements
    for mass, place in zip(elements.node_masses, result.points("block"), strict=True):
        pulls.append((mass * case.inputs["gravity"], place))
    for push, place in pulls:
        total = total + np.concatenate([np.cross(place, push), push])
    if case.rod is not None:
        total = total + to_world(result.pose("rod.base"), result.reaction("push"))
        total = total + _weight_of_rod(case, result)
    arm = np.array([SIZE[0]] * 3 + [1.0] * 3)
    assert np.abs(total / arm).max() < 1e-6 * FORCE


def _tip(case):
    return fx.On("block", case.at((0.1, 0.01, 0.01)))


def _weight_of_rod(case, result):
    """Of a rod, by Gauss points of its own: what it bends between them is next to nothing."""
    x, w = np.polynomial.legendre.leggauss(40)
    rod = result.model.robot.rod("rod")
    s = 0.5 * rod.length * (x + 1.0)
    mass = 0.5 * rod.length * w * 2000.0 * np.pi * 1e-3**2
    place = result.pose("rod", s)[:, :3, 3]
    force = mass[:, None] * case.inputs["gravity"]
    return np.concatenate([np.cross(place, force).sum(axis=0), force.sum(axis=0)])


@robots()
@given(softs(), st.sampled_from(["cable", "air", "push", "tip"]))
def test_the_potential_by_an_input_is_what_is_conjugate_to_it(case, name):
    assume(name in case.inputs)
    result = case.solve()
    value = np.asarray(case.inputs[name], dtype=float)
    sizes = {"cable": FORCE, "air": 1e4, "push": 1e-3, "tip": FORCE}
    change = np.zeros_like(value)
    change[... if not value.shape else 4] = 1e-3 * sizes[name]
    inputs = [{**case.inputs, name: value + x} for x in (-change, change)]
    ends = [fx.statics(result.model, own, start=result).unwrap().potential for own in inputs]
    slope = (ends[1] - ends[0]) / 2.0
    if name == "cable":
        wanted = result.tendon_length("cable") * change
    elif name == "push":
        wanted = result.torque("push") * change
    elif name == "tip":
        wanted = -result.pose(_tip(case))[1, 3] * change[4]
    else:
        wanted = result.volume("block").volume * change
    size = abs(float(change[4] if name == "tip" else change)) * (0.1 if name != "push" else FORCE)
    if name == "air":
        size = abs(float(change)) * 4e-5
    assert slope == pytest.approx(float(wanted), abs=1e-5 * size)
