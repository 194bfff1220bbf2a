"""Array types with a meaning: all are float64, the comment gives the shape."""

from collections.abc import Callable
from numbers import Real
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from flexura.errors import show

Array: TypeAlias = NDArray[np.float64]  # any shape
Indices: TypeAlias = NDArray[np.int64]  # any shape

Vector: TypeAlias = Array  # (..., 3)     a direction, a force, a rotation vector
Rotation: TypeAlias = Array  # (..., 3, 3)
Pose: TypeAlias = Array  # (..., 4, 4)    homogeneous, T_ab maps b's coordinates to a's
Twist: TypeAlias = Array  # (..., 6)      (angular, linear), body frame
Strain: TypeAlias = Array  # (..., 6)     (κ, ν): torsion, bending y, z, stretch, shear y, z
Wrench: TypeAlias = Array  # (..., 6)     (moment, force), body frame
Matrix6: TypeAlias = Array  # (..., 6, 6)
Matrix: TypeAlias = Array  # (n, m)

StrainFunction: TypeAlias = Callable[[float], ArrayLike]  # arc length ↦ six strains

AnyArray = TypeVar("AnyArray", bound=NDArray[Any])


def real_numbers(value: ArrayLike) -> Array:
    """The numbers as an array; a text that looks like a number is none, nor is True.

    Raises:
        TypeError: for anything but real numbers.
        ValueError: for rows of different lengths, or a number beyond all measure.
    """
    given = np.asarray(value)
    if given.dtype.kind in "fiu":
        return np.asarray(given, dtype=np.float64)
    odd = [x for x in given.ravel().tolist() if isinstance(x, bool) or not isinstance(x, Real)]
    if odd:
        raise TypeError(f"the {type(odd[0]).__name__} {show(odd[0])}, which is no real number")
    try:
        return given.astype(np.float64)
    except OverflowError:
        raise ValueError("a number beyond the range of floats") from None


def frozen(array: AnyArray) -> AnyArray:
    """The same array, read-only from now on."""
    array.setflags(write=False)
    return array


__all__ = [
    "Array",
    "ArrayLike",
    "Indices",
    "Matrix",
    "Matrix6",
    "Pose",
    "Rotation",
    "Strain",
    "StrainFunction",
    "Twist",
    "Vector",
    "Wrench",
    "frozen",
    "real_numbers",
]
