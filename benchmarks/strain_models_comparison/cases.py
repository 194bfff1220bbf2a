"""The fibreglass rod of section V, held at both ends, and the paths of its end."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import flexura as fx
from flexura.lie import se3

DIRECTORY = Path(__file__).parent / "reference"
LENGTH = 1.0
SECTION = fx.Circle(1e-3)
MATERIAL = fx.Material(young=36.5e9, shear=3e9)
CONFIGURATIONS = 7
ANGLES = np.arange(5) * np.pi / 4.0  # twist of the bending-torsion test
# Height of the end in the two readings of the bending-torsion test.
READINGS = {"P001": 0.5, "P001b": -0.5}
# The exact solution of the inextensible rod: energies, curvatures and positions agree with the
# references to 2e-9, 1e-7 and 3e-10 (``exact``).
EXACT = fx.VariableStrain((24, 24, 24, 0, 0, 0), steps=256)
# The straight rod has no room to bend, so its axial force is not determined without stretch.
EXACT_STRAIGHT = fx.VariableStrain((24, 24, 24, 1, 0, 0), steps=256)


def reference(name: str) -> Any:
    """The content of a file in ``reference/``."""
    return json.loads((DIRECTORY / f"{name}.json").read_text(encoding="utf-8"))


def held_rod() -> fx.Robot:
    """The rod, clamped at its base and held by "grip", whose pose is an input, at its tip."""
    straight = se3.pose(position=(LENGTH, 0.0, 0.0))
    return fx.Robot(
        "held rod",
        rods=[fx.Rod("rod", LENGTH, SECTION, MATERIAL)],
        joints=[
            fx.Weld("world", "rod.base"),
            fx.Weld("world", "rod.tip", offset=straight, name="grip"),
        ],
    )


def bending() -> list[np.ndarray]:
    """From straight to the half circle, position and angle in equal steps."""
    start, end = np.array([LENGTH, 0.0, 0.0]), np.array([0.0, 0.0, -2.0 * LENGTH / np.pi])
    return [
        se3.pose(start + t * (end - start), (0.0, t * np.pi, 0.0)) for t in _steps(CONFIGURATIONS)
    ]


def two_bendings() -> list[np.ndarray]:
    """From the quarter circle out of its plane: 0.4 L aside, 20 % inwards, turned by pi/4."""
    quarter = 2.0 * LENGTH / np.pi
    path = []
    for t in _steps(CONFIGURATIONS):
        inwards = quarter * (1.0 - 0.2 * t)
        turn = se3.pose(rotation=(0.0, 0.0, t * np.pi / 4.0))
        path.append(se3.pose((inwards, 0.4 * t * LENGTH, -inwards), (0.0, np.pi / 2.0, 0.0)) @ turn)
    return path


def torsion() -> list[np.ndarray]:
    """The straight rod, twisted up to pi."""
    return [se3.pose((LENGTH, 0.0, 0.0), (t * np.pi, 0.0, 0.0)) for t in _steps(CONFIGURATIONS)]


def bending_torsion(reading: str) -> list[np.ndarray]:
    """The end at (0.5, 0, ±0.5) L, turned by pi/2 about y, then twisted by 0 to pi."""
    return [bent_and_twisted(reading, theta) for theta in ANGLES]


def bent_and_twisted(reading: str, theta: float) -> np.ndarray:
    """One pose of the bending-torsion test."""
    position = np.array([0.5, 0.0, READINGS[reading]]) * LENGTH
    return se3.pose(position, (0.0, np.pi / 2.0, 0.0)) @ se3.pose(rotation=(theta, 0.0, 0.0))


def follow(
    model: fx.Model, path: Sequence[np.ndarray], start: fx.StaticResult | None = None
) -> list[fx.StaticResult]:
    """Solve for one pose of the grip after the other, each from the one before."""
    results: list[fx.StaticResult] = []
    for pose in path:
        start = fx.statics(model, {"grip": pose}, start=start)
        results.append(start)
    return results


def _steps(count: int) -> np.ndarray:
    """Parts of the way; the beginning is no configuration."""
    return np.arange(1, count + 1) / count
