"""A continuum Stewart-Gough robot whose six legs are fed through the base plate.

Legs as long as they are in the references have nothing behind the plate: they are the clamped rods
of the references. Longer ones twist behind it, too; their lengths are found back from poses.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

import flexura as fx
from benchmarks.parallel_robot_constraint_free.cases import (
    PLATFORM,
    Equilibrium,
    stewart_gough_references,
)
from benchmarks.table import Table
from flexura.typing import Array

REFINED = fx.Spline(4, 16)
COARSE = fx.VariableStrain(orders=(3, 5, 5, 2, 2, 2), steps=16)
LONGEST, MIDDLE, AWAY = 0.55, 0.4, 0.02  # [m]: of a leg, outside of the plate, and how far from it


def fed(robot: fx.Robot, length: float | None = None) -> fx.Robot:
    """The robot with its rods as legs of sets, of their own length or another."""
    sets = [
        fx.TubeSet(f"feed {rod.name}", [rod if length is None else replace(rod, length=length)])
        for rod in robot.rods
    ]
    joints = [_rejoined(joint, {rod.name for rod in robot.rods}) for joint in robot.joints]
    return replace(robot, rods=(), tubes=sets, joints=joints)


def _rejoined(joint: fx.Weld, rods: set[str]) -> fx.Weld:
    """A weld at the base of a rod holds the plate of its set."""
    ends = [
        f"feed {end}"
        if str(end).removesuffix(".base") in rods and str(end).endswith(".base")
        else end
        for end in (joint.a, joint.b)
    ]
    return replace(joint, a=ends[0], b=ends[1])


def forward(rods: fx.Spline | fx.VariableStrain = REFINED) -> Iterator[tuple[Equilibrium, Array]]:
    """The references, each with the pose of the platform that was found from cold."""
    for case in stewart_gough_references():
        result = fx.statics(fx.build(fed(case.robot), rods=rods)).unwrap()
        yield case, result.pose(PLATFORM)


@dataclass(frozen=True)
class Back:
    """Lengths that were found from poses: how many, and the largest error [m]."""

    count: int
    error: float


def inverse(count: int, rods: fx.VariableStrain = COARSE, seed: int = 0) -> Back:
    """Random lengths, the pose that they lead to, and lengths from that pose."""
    robot = fed(next(iter(stewart_gough_references())).robot, LONGEST)
    model = fx.build(robot, rods=rods)
    using = [f"{rod.name}.insertion" for rod in robot.slender]
    start = fx.statics(model, dict.fromkeys(using, MIDDLE)).unwrap()
    rng, found, worst = np.random.default_rng(seed), 0, 0.0
    for _ in range(count):
        lengths = dict(zip(using, MIDDLE + rng.uniform(-AWAY, AWAY, len(using)), strict=True))
        there = fx.statics(model, lengths, start=start).unwrap()
        back = fx.inverse(model, {PLATFORM: there.pose(PLATFORM)}, using=using, start=start)
        error = max(abs(float(back.inputs[name]) - lengths[name]) for name in using)
        found, worst = found + (error < 1e-9), max(worst, error)
    return Back(found, worst)


def run(quick: bool = False) -> Table:
    rows = []
    for case, pose in forward():
        apart = np.linalg.norm(pose[:3, 3] - case.pose[:3, 3])
        rows.append([case.name, f"{apart:.1e}"])
    count = 20 if quick else 1000
    back = inverse(count)
    note = f"Lengths found from poses: {back.count} of {count}, off by {back.error:.1e} m at most."
    return Table("legs that are fed through a plate", ["case", "platform off [m]"], rows, [note])
