"""What the rows of a cone problem are."""

from typing import NamedTuple

from flexura.typing import Array, Indices


class Rows(NamedTuple):
    """What the rows of a problem are.

    Attributes:
        single: rows that must not be negative, (k,).
        normal: first rows of contacts with friction; two along the surface follow each, (m,).
        friction: their coefficients, (m,).
    """

    single: Indices
    normal: Indices
    friction: Array
