"""Compiled measures of what laws and terms are given."""

from flexura._kernel import kernel
from flexura.typing import Array, Indices


@kernel
def largest_of(values: Array, places: Indices) -> float:
    """Largest of the numbers at some places, in size."""
    largest = 0.0
    for place in places:
        largest = max(largest, abs(values[place]))
    return largest
