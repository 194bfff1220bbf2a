"""Random robots that are let go: they move, alike however they are written down."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from properties.budget import robots
from properties.changes import described, moved, permuted
from properties.images import mirror_image, mirrored, scaled
from properties.judge import check_shapes, shape, stiffness_of
from properties.motions import check_motions, let_go, pace_of
from properties.parts import poses
from properties.robots import cases

import flexura as fx
from flexura.result.motion import MotionStatus


def check_numbers(motion):
    """No number of a motion is beyond floats."""
    for found in (motion.energy, motion.momentum, motion.kinetic, motion.dissipated, motion.t):
        assert np.isfinite(found).all()
    for rod in motion.model.robot.rods:
        s = np.linspace(0.0, rod.length, 4)
        assert np.isfinite(motion.pose(rod.name, s)).all()
        assert np.isfinite(motion[-1].velocity(rod.name, s)).all()
        assert np.isfinite(motion[-1].internal_wrench(rod.name, s)).all()


@robots()
@given(cases())
def test_they_move(case):
    """Steps are a fiftieth of the time of a slow motion: all are found, nearly none is cut."""
    motion = let_go(case)
    assert motion.status is MotionStatus.REACHED, motion.status.name
    assert len(motion.cuts) <= 1
    check_numbers(motion)


@robots()
@given(cases(tendons=0), st.sampled_from([fx.GeneralizedAlpha(0.9), fx.ImplicitEuler()]))
def test_energy_does_not_grow(case, integrator):
    """But by work; what integrators gain is far below what bends the robots."""
    motion = let_go(case, integrator=integrator)
    gained = (motion.balance - motion.balance[0]).max()
    assert gained <= 0.02 * (stiffness_of(case) + motion.kinetic.max())


@pytest.mark.slow
@robots()
@given(cases(), poses(1.0, 3.0))
def test_a_robot_that_is_moved_as_a_whole(case, T):
    motion, other = let_go(case), moved(case, T)
    check_motions((other, let_go(other, pace_of(case) * 0.02)), (case, motion), lambda g: T @ g)


@robots()
@given(cases())
def test_a_robot_in_a_mirror(case):
    motion, image = let_go(case), mirrored(case)
    check_motions((image, let_go(image, pace_of(case) * 0.02)), (case, motion), mirror_image)


@robots()
@given(cases(), st.integers(0, 100))
def test_a_robot_whose_lists_are_in_another_order(case, order):
    motion, other = let_go(case), permuted(case, order)
    check_motions((other, let_go(other, pace_of(case) * 0.02)), (case, motion))


@robots()
@given(cases(), st.sampled_from([1e-2, 0.1, 10.0]), st.sampled_from([1e-3, 1.0, 1e3]))
def test_a_robot_in_other_units(case, length, modulus):
    """Gravity stays as it is, so that densities go with moduli, and times with √length."""
    motion, other = let_go(case), scaled(case, length, modulus)

    def grown(T):
        T = T.copy()
        T[:3, 3] *= length
        return T

    h = 0.02 * pace_of(case) * np.sqrt(length)
    check_motions((other, let_go(other, h)), (case, motion), grown)


FINE = {
    fx.Spline(3, 16): 1e-3,
    fx.Hermite(16): 1e-3,
    fx.VariableStrain((7, 9, 9, 5, 5, 5), steps=32): 1e-3,
}


@robots()
@given(cases(tendons=0, loops=("none",)), st.sampled_from(list(FINE)))
def test_every_description(case, choice):
    """For a few steps, in which waves come from where loads act: meshes see them differently."""
    reference, other = described(case, fx.LinearStrain(24)), described(case, choice)
    h = 0.02 * pace_of(case)
    wanted, motion = let_go(reference, h), let_go(other, h)
    assert motion.status is wanted.status
    check_shapes(shape(other, motion[-1]), shape(reference, wanted[-1]), case.length, FINE[choice])
