"""Published cases of a clamped rod with a load at its tip, from ``reference/*.json``."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import flexura as fx

DIRECTORY = Path(__file__).parent / "reference"

# Rigid in stretch and shear means EA = GA = 1e8 EI / L² here: a force P then stretches the rod by
# P / EA = 1e-8 (P L² / EI), at most 1e-7 in these cases.
RIGID = 1e8


@dataclass(frozen=True)
class Case:
    """A clamped rod, its tip load and where its tip goes.

    Attributes:
        source: id of the reference file.
        name: what distinguishes the case within its file.
        robot: the rod with its load.
        length: length of the rod [m].
        origin: what reference positions are relative to: the unloaded tip for displacements.
        reference: position or displacement of the tip [m], (3,).
        rotation: rotation of the tip, or None where there is no reference.
        published: the same as ``reference``, by publication.
        entry: the case in the file.
    """

    source: str
    name: str
    robot: fx.Robot
    length: float
    origin: np.ndarray
    reference: np.ndarray
    rotation: Rotation | None
    published: Mapping[str, np.ndarray]
    entry: Mapping[str, Any]

    def tip(self, result: fx.StaticResult) -> np.ndarray:
        """Position or displacement of the tip, to compare with ``reference`` [m]."""
        return result.pose("rod.tip")[:3, 3] - self.origin

    def error(self, result: fx.StaticResult) -> float:
        """Distance of the tip from the reference, over the length."""
        return float(np.linalg.norm(self.tip(result) - self.reference) / self.length)

    def rotation_error(self, result: fx.StaticResult) -> float | None:
        """Angle between the tip and the reference [rad]."""
        if self.rotation is None:
            return None
        own = Rotation.from_matrix(result.pose("rod.tip")[:3, :3])
        return float((self.rotation.inv() * own).magnitude())


def reference(name: str) -> dict[str, Any]:
    """A reference file, by its name without suffix."""
    data: dict[str, Any] = json.loads((DIRECTORY / f"{name}.json").read_text())
    return data


def load_cases(name: str) -> list[Case]:
    """The cases of a reference file."""
    data = reference(name)
    return [_case(data["id"], {**data, **entry}) for entry in data["cases"]]


def rod_of_stiffness(
    name: str,
    length: float,
    torsion: float,
    bending: tuple[float, float],
    stretch: float | None,
    shear: float | None,
    rest: tuple[float, ...] = (0.0, 0.0, 0.0),
) -> fx.Rod:
    """A rod with given section stiffness.

    A section of unit area, so that the moduli are the stiffness in stretch and shear:

        E = EA,   G = GA,   A = 1,   I = EI / EA,   J = GJ / GA

    Args:
        name: name of the rod.
        length: length [m].
        torsion: GJ [N·m²].
        bending: EI about the local y and z axes [N·m²].
        stretch: EA [N], None for rigid.
        shear: GA [N], None for rigid.
        rest: curvature without load (torsion, bending y, z) [1/m].
    """
    rigid = RIGID * max(bending) / length**2
    E, G = stretch or rigid, shear or rigid
    section = fx.Section(area=1.0, iy=bending[0] / E, iz=bending[1] / E, torsion=torsion / G)
    return fx.Rod(name, length, section, fx.Material(young=E, shear=G), rest=rest)


def tapered_rod(data: Mapping[str, Any]) -> fx.Rod:
    """A conical rod of circular section."""
    taper = data["taper"]
    section = fx.Taper(fx.Circle(taper["base_radius"]), fx.Circle(taper["tip_radius"]))
    material = fx.Material(young=taper["young"], poisson=taper["poisson"])
    return fx.Rod("rod", data["length"], section, material)


def _case(source: str, entry: dict[str, Any]) -> Case:
    if "taper" in entry:
        rod = tapered_rod(entry)
    else:
        rod = rod_of_stiffness(
            "rod", entry["length"], **entry["stiffness"], rest=entry.get("rest", (0.0, 0.0, 0.0))
        )
    load = fx.PointLoad(
        "tip",
        at="rod.tip",
        force=entry.get("force", (0.0, 0.0, 0.0)),
        moment=entry.get("moment", (0.0, 0.0, 0.0)),
        follower=entry.get("follower", False),
    )
    clamp = fx.Weld("world", "rod.base", offset=entry.get("base"))
    displaced = "displacement" in entry
    quaternion = entry.get("rotation")
    return Case(
        source=source,
        name=f"{source} {entry['name']}",
        robot=fx.Robot(source, rods=[rod], joints=[clamp], loads=[load]),
        length=rod.length,
        origin=np.array([rod.length if displaced else 0.0, 0.0, 0.0]),
        reference=np.array(entry["displacement" if displaced else "tip"]),
        rotation=None if quaternion is None else Rotation.from_quat(np.roll(quaternion, -1)),
        published={key: np.array(tip) for key, tip in entry.get("published", {}).items()},
        entry=entry,
    )
