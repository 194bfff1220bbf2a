"""Cords of the benchmark: three of them in every description."""

from functools import cache

import pytest

import flexura as fx
from benchmarks.rods.cords import DESCRIPTIONS, hang

# Of 2 m: what such a mesh leaves near clamps [m]; sections of constant strain are further off.
CLOSE, FURTHER = 1e-3, 5e-3


@cache
def hung():
    return tuple(hang(quick=True, repeated=1))


@pytest.mark.parametrize("rods", DESCRIPTIONS, ids=lambda rods: type(rods).__name__)
@pytest.mark.parametrize("cord", ["nylon", "silicone", "steel wire"])
def test_a_cord_hangs_as_a_boundary_value_problem_has_it(cord, rods):
    (found,) = [each for each in hung() if each.cord == cord and each.rods == rods]
    assert found.status.equilibrium
    assert found.stable
    assert found.error < (FURTHER if isinstance(rods, fx.ConstantStrain) else CLOSE)
    assert found.off / 1.5 < found.accuracy + 1e-6
    assert found.accuracy < 10.0 * found.off + 1e-6
    assert found.iterations < 30
