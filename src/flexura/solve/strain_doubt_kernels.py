"""Compiled part of ``strain_doubt``."""

from flexura._kernel import kernel
from flexura.typing import Array, Strain


@kernel
def beyond(strain: Strain, rest: Strain, fibre: Array, most: float) -> bool:
    """Whether a fibre is strained by more than ``most`` anywhere: |ξ - ξ*| times its distance."""
    largest = 0.0
    for i in range(len(strain)):
        for c in range(6):
            largest = max(largest, abs(strain[i, c] - rest[i, c]) * fibre[i, c])
    return largest > most
