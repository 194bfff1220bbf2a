"""Poses of three tubes from cold in one call, against independent solutions.

Those with forces are inextensible; so are the tubes here.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

import flexura as fx
from benchmarks.concentric_tubes.cases import Case, poses
from benchmarks.table import Claim, Table, largest

REFINED = fx.VariableStrain(orders=(8, 10, 10, 0, 0, 0), steps=120)
TIP, TWIST = 1e-8, 1e-6  # [m], [1/m]; what is asked of refined models


@dataclass(frozen=True)
class Found:
    """How far a solution is from its reference."""

    name: str
    result: fx.StaticResult
    tip: float
    twist: float


def solve(case: Case, rods: fx.VariableStrain | fx.Spline = REFINED) -> Found:
    """One call from the straight, unturned tubes."""
    result = fx.statics(fx.build(case.robot, rods=rods), case.inputs).unwrap()
    tip = float(np.linalg.norm(result.pose("inner.tip")[:3, 3] - case.tip))
    out = [rod.length - case.inputs[f"{rod.name}.insertion"] for rod in case.robot.slender]
    pairs = zip(case.robot.slender, out, strict=True)
    twist = np.array([result.strain(rod.name, s)[0] for rod, s in pairs])
    return Found(case.name, result, tip, float(np.abs(twist - case.twist).max()))


def stiffer(robot: fx.Robot, times: float) -> fx.Robot:
    """The robot with tubes so many times as stiff against stretch and shear, and nothing else."""

    def tube(rod: fx.Rod) -> fx.Rod:
        area, iy, iz, torsion = rod.section_constants(0.0)
        return replace(rod, section=fx.Section(times * area, iy, iz, torsion=torsion))

    sets = [replace(own, tubes=[tube(rod) for rod in own.tubes]) for own in robot.tubes]
    return replace(robot, tubes=sets)


def run(quick: bool = False) -> Table:
    found = [solve(case) for case in poses()]
    rows = [
        [x.name, f"{x.tip:.1e}", f"{x.twist:.1e}", str(x.result.iterations), str(x.result.stable)]
        for x in found
    ]
    header = ["pose", "tip off [m]", "twist off [1/m]", "iterations", "stable"]
    return Table("three tubes from cold in one call", header, rows, data={"found": found})


def claims(table: Table) -> Iterator[Claim]:
    """The worst pose."""
    what = f"tips of {len(table.rows)} published poses, from cold"
    ours = f"{largest(table.column('tip off [m]'))} m off"
    yield Claim(what, "a published program", "shooting, a Ritz method", ours)
