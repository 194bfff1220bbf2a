"""Cords of the benchmark: three of them in every description."""

from functools import cache

import pytest

import flexura as fx
from benchmarks.rods.cords import DESCRIPTIONS, hang

# Over weight times length: what refinement leaves near clamps; sections of constant strain, and
# rods that cannot stretch where silicone does, are further off.
CLOSE = 1e-4
FURTHER = {fx.ConstantStrain: 1e-3, fx.RotationInterpolation: 2e-2}


@cache
def hung():
    return tuple(hang(quick=True, repeated=1))


@pytest.mark.parametrize("rods", DESCRIPTIONS, ids=lambda rods: type(rods).__name__)
@pytest.mark.parametrize("cord", ["nylon", "silicone", "steel wire"])
def test_a_cord_hangs_as_the_finest_model_has_it(cord, rods):
    (found,) = [each for each in hung() if each.cord == cord and each.rods == rods]
    assert found.status.equilibrium
    assert found.stable
    assert abs(found.excess) < FURTHER.get(type(rods), CLOSE)
    assert found.iterations < 30
