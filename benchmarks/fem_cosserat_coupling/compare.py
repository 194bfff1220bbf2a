"""The finger of the paper against an independent code, on the paper's mesh, which is not here.

``python -m benchmarks.fem_cosserat_coupling.compare FOLDER`` reads ``meshes/finger.vtk``, the
numbers of its scene (``scenes.json``) and what the other code found (``coupled_finger.json``): a
rod that only bends and twists, constantly in sections of given lengths, and slides through six
points, anchored at the seventh, pulled at its base.
"""

import json
import sys
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

import flexura as fx
from flexura.rods.discretization import RodPlan
from flexura.rods.strain_basis import legendre
from flexura.rods.variable_strain import StrainRods
from flexura.typing import Array

MM = 1e-3


@dataclass(frozen=True)
class Sections(fx.ConstantStrain):
    """Constant curvatures and torsions in sections of given lengths [m]."""

    lengths: tuple[float, ...] = ()

    @property
    def kind(self) -> Hashable:
        """Rods of the same sections are evaluated together."""
        return ("sections", self.lengths)

    def group(self, plans: Sequence[RodPlan]) -> StrainRods:
        """Discretize rods."""
        return StrainRods((1, 1, 1, 0, 0, 0), legendre, plans)

    def step_ends(self, plan: RodPlan) -> list[Array]:
        """Ends of each section [m]."""
        ends = np.concatenate([[0.0], np.cumsum(self.lengths)])
        return [np.array(pair) for pair in pairwise(ends)]


def robot(folder: Path, case: dict[str, Any]) -> fx.Robot:
    """The finger with its rod, in metres."""
    soft, hard = (fx.Material(young=young, poisson=0.45) for young in (5e5, 5e9))
    scene = json.loads((folder / "scenes.json").read_text())["cosserat_finger_direct"]
    found = fx.Volume("finger", str(folder / "meshes" / "finger.vtk"), soft).mesh
    points = (found.points * (-1.0, 1.0, -1.0) + (-17.5, -12.5, 7.5)) * MM
    way = np.array(scene["sliding_points_scene"]) * MM
    held = fx.Nodes("finger", indices=scene["fixed_nodes"])
    return fx.Robot(
        "finger",
        rods=[fx.Rod("cable", 0.081, fx.Circle(case["radius"] * MM), hard)],
        volumes=[fx.Volume("finger", (points, found.cells), soft)],
        joints=[
            fx.Clamp("world", held),
            fx.Slider("pull", "world", "cable.base", (-1, 0, 0), driven=True),
            fx.Threaded("cable", "finger", way),
        ],
    )


def compare(folder: Path) -> list[tuple[str, float, float, float]]:
    """Case, and by how much nodes [m], abscissae [m] and pulls (relative) differ at most."""
    rows = []
    for case in json.loads((folder / "coupled_finger.json").read_text())["cases"]:
        rods = Sections(lengths=tuple(x * MM for x in case["sections"]))
        result = fx.statics(fx.build(robot(folder, case), rods=rods), {"pull": case["d"] * MM})
        nodes = np.abs(result.unwrap().points("finger") - np.array(case["x"]) * MM).max()
        s, _ = result.sliding("cable-finger")
        slid = np.abs(s[:6] - np.array(case["s_k"]) * MM).max()
        pull = result.torque("pull") / (case["pull_force_mN"] * MM)
        name = f"radius {case['radius']:g} mm, pulled by {case['d']:g} mm"
        rows.append((name, float(nodes), float(slid), abs(float(pull) - 1.0)))
    return rows


if __name__ == "__main__":
    for name, nodes, slid, pull in compare(Path(sys.argv[1])):
        print(f"{name}: nodes {nodes:.1e} m, abscissae {slid:.1e} m, pull {pull:.1e}")
