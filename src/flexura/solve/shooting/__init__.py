"""The continuous equations by multiple shooting: the reference for every discretization."""

from flexura.solve.shooting.shooting import shooting

__all__ = ["shooting"]
