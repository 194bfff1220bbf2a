"""Sets of tubes and reference equilibria.

In the references tubes run along z and bend about x and y; here they run along x and bend about y
and z.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import flexura as fx
from flexura.typing import Array

REFERENCE = Path(__file__).parent / "reference"
AXES = np.eye(3)[[2, 0, 1]]  # from the axes of the references to ours
NAMES = ("inner", "middle", "outer")


@dataclass(frozen=True)
class Case:
    """A reference solution: tip of the inner tube [m], twist of all tubes at the plate [1/m]."""

    name: str
    robot: fx.Robot
    inputs: Mapping[str, float]
    tip: Array
    twist: Array


def tube(name: str, data: Mapping[str, Any]) -> fx.Rod:
    """A tube that is straight, then curved."""
    straight, whole = data["Ls"], data["Ls"] + data["Lc"]
    curved = (0.0, data.get("kx", data.get("k")), data.get("ky", 0.0))
    pieces = [(straight, (0.0, 0.0, 0.0))] if straight else []
    inertia, torsion = data["EI"] / data["E"], data["GJ"] / data["G"]
    area = np.pi / 4.0 * (data["OD"] ** 2 - data["ID"] ** 2) or 1e-6
    section = fx.Section(area=area, iy=inertia, iz=inertia, torsion=torsion)
    material = fx.Material(young=data["E"], shear=data["G"])
    rest = fx.PiecewiseRest([*pieces, (whole, curved)])
    return fx.Rod(name, whole, section, material, rest=rest)


def robot(
    tubes: list[Mapping[str, Any]], loads: Sequence[fx.PointLoad | fx.LineLoad] = ()
) -> fx.Robot:
    """A set of tubes that the world holds."""
    names = NAMES if len(tubes) == 3 else ("inner", "outer")
    rods = [tube(name, data) for name, data in zip(names, tubes, strict=True)]
    return fx.Robot(
        "tubes",
        tubes=[fx.TubeSet("needle", rods)],
        joints=[fx.Weld("world", "needle.base")],
        loads=loads,
    )


def read(file: str) -> dict[str, Any]:
    """A file of the references."""
    found: dict[str, Any] = json.loads((REFERENCE / file).read_text())
    return found


def poses() -> Iterator[Case]:
    """Three tubes, without and with forces at their tips."""
    for file in ("three_tubes.json", "loaded.json"):
        data = read(file)
        for case in data["cases"]:
            given = case.get("inputs", case)
            loads = [
                fx.PointLoad(f"on {name}", f"{name}.tip", tuple(AXES @ force), tuple(AXES @ moment))
                for name, force, moment in zip(
                    NAMES,
                    given.get("force_at_tip_of_tube", ()),
                    given.get("moment_at_tip_of_tube", ()),
                    strict=False,
                )
            ]
            own = robot(data["tubes"][case["set"]], loads)
            inputs = {}
            for rod, alpha, beta in zip(own.slender, given["alpha"], given["beta"], strict=True):
                inputs |= {
                    f"{rod.name}.rotation": alpha,
                    f"{rod.name}.insertion": rod.length + beta,
                }
            twist = np.array(case.get("u_z0", case.get("theta_prime_0")))
            yield Case(case["id"], own, inputs, AXES @ np.array(case["p_tip"]), twist)
