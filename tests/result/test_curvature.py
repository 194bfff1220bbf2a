"""Curvature is the first half of the strain, of every kind of result."""

import numpy as np
import pytest

import flexura as fx

CHOICES = [fx.Spline(), fx.Hermite(), fx.LinearStrain(), fx.VariableStrain(), fx.ConstantStrain()]
S = np.linspace(0.0, 0.3, 7)


def arm():
    rubber = fx.Material(young=1e6, poisson=0.45, density=1000.0)
    return fx.Robot(
        "arm",
        rods=[fx.Rod("arm", 0.3, fx.Circle(0.01), rubber, rest=(0.5, 1.0, 0.0))],
        joints=[fx.Weld("world", "arm.base")],
        tendons=[fx.Tendon("up", "arm", fx.Parallel(2e-3, 6e-3))],
        loads=[fx.Gravity()],
    )


@pytest.mark.parametrize("rods", CHOICES, ids=lambda c: type(c).__name__)
def test_in_every_description(rods):
    result = fx.statics(fx.build(arm(), rods), {"up": 1.0}).unwrap()
    found = result.curvature("arm", S)
    assert found.shape == (7, 3)
    np.testing.assert_array_equal(found, result.strain("arm", S)[:, :3])
    assert result.curvature("arm", 0.1).shape == (3,)


def test_of_several_and_of_the_continuous_equations():
    many = fx.statics_many(fx.build(arm()), {"up": [0.5, 1.0]}).unwrap()
    np.testing.assert_array_equal(many.curvature("arm", S), many.strain("arm", S)[..., :3])
    shot = fx.shooting(arm(), {"up": 1.0})
    np.testing.assert_array_equal(shot.curvature("arm", S), shot.strain("arm", S)[:, :3])


def test_beside_the_rod():
    result = fx.statics(fx.build(arm())).unwrap()
    with pytest.raises(fx.ModelError):
        result.curvature("arm", 0.4)
