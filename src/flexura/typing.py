"""Array types with a meaning: all are float64, the comment gives the shape."""

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

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
]
