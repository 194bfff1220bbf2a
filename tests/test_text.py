"""Numbers as short texts."""

import pytest

import flexura as fx
from flexura.result.words import accuracy_in_words
from flexura.text import roughly


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"), (2.3e-5, "2.3e-05"), (0.0234, "0.023"), (9.96, "10"), (20.0, "20"),
        (99.4, "99"), (99.6, "100"), (-137.2, "-137"), (23456.0, "23456"), (1.23e9, "1.2e+09"),
    ],
)  # fmt: skip
def test_two_digits_and_no_power_of_ten_up_to_a_million(value, text):
    assert roughly(value) == text


def test_accuracy_is_a_part_of_the_length_without_powers_of_ten():
    rod = fx.Rod("rod", 1.0, fx.Circle(1e-3), fx.Material(young=1e9, poisson=0.3))
    model = fx.build(fx.Robot("arm", [rod], [fx.Weld("world", "rod.base")]))
    assert accuracy_in_words(0.2, model) == "2.0e-01 m, 20 % of the length, by the discretization"
