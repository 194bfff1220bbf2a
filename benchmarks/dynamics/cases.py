"""Rods of given stiffness and inertia, and the reference files."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import flexura as fx
from benchmarks.rods.cases import rod_of_stiffness
from flexura.rods.discretization import Discretization

DIRECTORY = Path(__file__).parent / "reference"


def reference(name: str) -> dict[str, Any]:
    """A reference file, by its name without suffix."""
    data: dict[str, Any] = json.loads((DIRECTORY / f"{name}.json").read_text())
    return data


def moving_rod(
    name: str,
    length: float,
    stiffness: Mapping[str, float],
    line_mass: float,
    line_inertia: Sequence[float],
) -> fx.Rod:
    """A rod with given section stiffness and inertia.

    Args:
        name: name of the rod.
        length: [m].
        stiffness: stretch EA, shear GA [N], torsion GJ, bending EI [N·m²].
        line_mass: per arc length [kg/m].
        line_inertia: moments of inertia per arc length [kg·m].
    """
    rod = rod_of_stiffness(
        name, length, stiffness["torsion"], (stiffness["bending"],) * 2,
        stiffness["stretch"], stiffness["shear"],
    )  # fmt: skip
    return replace(rod, line_mass=line_mass, line_inertia=tuple(line_inertia))


def frame_along(direction: Sequence[float], point: Sequence[float]) -> np.ndarray:
    """A pose at a point, its x axis along a direction in the plane z = 0."""
    x = np.array(direction) / np.linalg.norm(direction)
    T = np.eye(4)
    T[:3, 0], T[:3, 1], T[:3, 3] = x, np.cross([0.0, 0.0, 1.0], x), point
    return T


def slopes(sizes: Sequence[float], errors: Sequence[float]) -> float:
    """Slope of the errors over steps or elements, both in logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(errors), 1)[0])


def name_of(rods: Discretization) -> str:
    """A description in a few letters: its class and its size."""
    name = type(rods).__name__
    if isinstance(rods, fx.VariableStrain):
        return f"{name}, {sum(rods.orders)} functions"
    if isinstance(rods, fx.Spline):
        return f"{name}({rods.degree}, {rods.spans})"
    if isinstance(rods, fx.Power):
        return f"{name}({rods.degree}, {rods.elements})"
    return f"{name}({getattr(rods, 'sections', None) or getattr(rods, 'elements', '')})"
