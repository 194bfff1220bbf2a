import pytest
from support import refused

from flexura.robot import Material


def test_shear_modulus_follows_from_poisson():
    assert Material(210e9, poisson=0.5).shear_modulus == 70e9


def test_shear_modulus_is_the_given_one():
    assert Material(210e9, shear=79e9).shear_modulus == 79e9


def test_fields_stay_as_given_and_become_floats():
    steel = Material(210_000_000_000, 0.3)
    assert steel.shear is None
    assert isinstance(steel.young, float)
    assert steel == Material(young=210e9, poisson=0.3, density=0, viscosity=0)
    assert hash(steel) == hash(Material(210e9, 0.3))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"young": 1e9}, ["exactly one of poisson and shear", "none", "poisson=0.3"]),
        ({"young": 1e9, "poisson": 0.3, "shear": 1e9}, ["exactly one", "shear=1000000000.0"]),
        ({"young": 0.0, "poisson": 0.3}, ["young", "> 0", "0.0", "SI"]),
        ({"young": -2.0, "poisson": 0.3}, ["young", "> 0", "-2.0"]),
        ({"young": "210e9", "poisson": 0.3}, ["young", "'210e9'", "plain number"]),
        ({"young": True, "poisson": 0.3}, ["young", "True", "plain number"]),
        ({"young": 1j, "poisson": 0.3}, ["young", "1j"]),
        ({"young": float("nan"), "poisson": 0.3}, ["young", "finite", "nan", "comes from"]),
        ({"young": 10**400, "poisson": 0.3}, ["young", "finite"]),
        ({"young": 10**9000, "poisson": 0.3}, ["young", "cannot be printed"]),
        ({"young": 1e9, "poisson": 0.51}, ["poisson", "<= 0.5", "0.51", "rubber"]),
        ({"young": 1e9, "poisson": -1.0}, ["-1 < poisson", "-1.0"]),
        ({"young": 1e9, "shear": 0.0}, ["shear", "> 0"]),
        ({"young": 1e9, "shear": 1e9, "density": -1.0}, ["density", ">= 0", "-1.0"]),
        ({"young": 1e9, "shear": 1e9, "viscosity": None}, ["viscosity", "None"]),
        ({"young": 1e49, "poisson": -1.0 + 1e-15}, ["shear modulus", "e+63", "real material"]),
    ],
)
def test_bad_values_are_named(arguments, words):
    with refused(["Material", *words]):
        Material(**arguments)
