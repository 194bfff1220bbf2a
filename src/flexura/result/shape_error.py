"""How far two solutions of the same robot are apart."""

from dataclasses import dataclass

import numpy as np

from flexura.errors import ModelError
from flexura.result.static import StaticResult
from flexura.typing import Array

POINTS = 64


@dataclass(frozen=True)
class ShapeError:
    """Distance of two shapes of a rod.

        e_r(s) = |p_a - p_b|,    e_x(s) = ½ tr(I - R_aᵀ R_b) = 1 - cos(angle)

    Attributes:
        s: arc lengths of a Gauss-Legendre rule on the rod [m], (n,).
        position: e_r at s [m], (n,).
        orientation: e_x at s, (n,).
        mean_position: e_r averaged over the rod [m].
        mean_orientation: e_x averaged over the rod.
        length: of the rod [m].
    """

    s: Array
    position: Array
    orientation: Array
    mean_position: float
    mean_orientation: float
    length: float

    @property
    def max_position(self) -> float:
        """Largest e_r [m]."""
        return float(self.position.max())

    @property
    def max_orientation(self) -> float:
        """Largest e_x."""
        return float(self.orientation.max())

    @property
    def max_percent(self) -> float:
        """Largest position error in per cent of the length."""
        return 100.0 * self.max_position / self.length

    @property
    def mean_percent(self) -> float:
        """Mean position error in per cent of the length."""
        return 100.0 * self.mean_position / self.length


def shape_error(a: StaticResult, b: StaticResult, rod: str | None = None) -> ShapeError:
    """Position and orientation errors along a rod [StrainModels2025, section IV-A].

    Args:
        a: one result.
        b: another one, of the same robot in any other description.
        rod: name of the rod; may be left out if there is only one.
    """
    for result in (a, b):
        if not isinstance(result, StaticResult):
            raise ModelError(f"shape_error takes two StaticResults, got {type(result).__name__}")
    names = [r.name for r in a.model.robot.slender]
    if rod is None:
        if len(names) != 1:
            there = f"has several rods, {', '.join(names)}: give rod=" if names else "has no rods"
            raise ModelError(f"the robot {there}")
        rod = names[0]
    length = a.model.robot.rod(rod).length
    if b.model.robot.rod(rod).length != length:
        raise ModelError(
            f"rod {rod!r} is {length} m long in one result and "
            f"{b.model.robot.rod(rod).length} m in the other; compare results of the same robot"
        )
    x, w = np.polynomial.legendre.leggauss(POINTS)
    s = 0.5 * length * (x + 1.0)
    g, h = a.pose(rod, s), b.pose(rod, s)
    position = np.linalg.norm(g[:, :3, 3] - h[:, :3, 3], axis=1)
    # 1 - cos from the chord, ½ |R_a - R_b|²/2: no cancellation for small angles
    orientation = 0.25 * np.sum((g[:, :3, :3] - h[:, :3, :3]) ** 2, axis=(1, 2))
    return ShapeError(
        s, position, orientation, float(0.5 * w @ position), float(0.5 * w @ orientation), length
    )
