"""The quantities along a rod that colours and profiles show."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np

from flexura.errors import UnknownName
from flexura.result.static import StaticResult
from flexura.typing import Array

# A component this much smaller than the vector it belongs to is rounding, and drawn as zero.
ROUNDING = 1e-9
DIGITS = 1e-14  # stretch and shear below this are rounding: they are differences from one


@dataclass(frozen=True)
class Component:
    """One number of the strain or of the internal wrench, or the norm of several.

    Strains are those that bear a load, ξ − ξ*, with ξ* the strain of the unloaded rod.

    Attributes:
        name: how to ask for it.
        title: what it is, for people.
        unit: SI unit.
        quantity: the 6-vector it is taken from, body frame; or "volume" for what volumes have.
        axes: its indices there; the norm is taken of more than one.
    """

    name: str
    title: str
    unit: str
    quantity: Literal["strain", "wrench", "volume"]
    axes: tuple[int, ...]

    @property
    def signed(self) -> bool:
        """Whether it has a sign, as a single component has and a norm has not."""
        return len(self.axes) == 1

    @property
    def heading(self) -> str:
        """Title and unit."""
        return f"{self.title} [{self.unit}]"

    def values(self, result: StaticResult, rod: str, s: Array) -> Array:
        """Its values at arc lengths s [m] of a rod, (n,)."""
        if self.quantity == "strain" and max(self.axes) < 3:
            rest = result.model.robot.rod(rod).rest_strain(s)
            return self._numbers(result.curvature(rod, s) - rest[:, :3])
        return self._numbers(_vectors(self.quantity, result, rod, s))

    def limits(self, lines: Iterable[tuple[StaticResult, str, Array]]) -> tuple[float, float]:
        """Smallest and largest value to show along rods of results at arc lengths [m].

        Symmetric about zero for a signed component; never empty, and never a range of mere
        rounding: a component that vanishes is shown in the range of the vector it belongs to, and
        if that vanishes too, as in rods that are straight or without strain, in a range of one.
        """
        half = slice(0, 3) if self.axes[0] < 3 else slice(3, 6)
        largest = reference = noise = strain = 0.0
        for result, rod, s in lines:
            vectors = _vectors(self.quantity, result, rod, s)
            reference = max(reference, float(np.linalg.norm(vectors[:, half], axis=1).max()))
            largest = max(largest, float(np.abs(self._numbers(vectors)).max()))
            noise = max(noise, self._noise(vectors, s[-1]))
            strains = vectors if self.quantity == "strain" else _vectors("strain", result, rod, s)
            strain = max(strain, _size(strains, s[-1]))
        if largest <= ROUNDING * reference:
            largest = reference
        if strain <= ROUNDING or largest <= noise:
            largest = 1.0
        return (-largest if self.signed else 0.0), largest

    def _numbers(self, vectors: Array) -> Array:
        """The component of 6-vectors, (n,)."""
        if self.signed:
            return np.asarray(vectors[:, self.axes[0]])
        return np.asarray(np.linalg.norm(vectors[:, self.axes], axis=1))

    def _noise(self, vectors: Array, length: float) -> float:
        """What is rounding beside the other half of 6-vectors along a rod of that length [m]."""
        turning = self.axes[0] < 3
        if self.quantity == "strain":
            return ROUNDING / length if turning else DIGITS
        other = float(np.abs(vectors[:, 3:] if turning else vectors[:, :3]).max())
        return ROUNDING * (other * length if turning else other / length)


def _vectors(quantity: str, result: StaticResult, rod: str, s: Array) -> Array:
    """ξ − ξ* or Λ at arc lengths, (n, 6)."""
    if quantity == "wrench":
        return result.internal_wrench(rod, s)
    return np.asarray(result.strain(rod, s) - result.model.robot.rod(rod).rest_strain(s))


def _size(strains: Array, length: float) -> float:
    """Largest strain, curvatures as the angle that they make along the rod."""
    angles = np.abs(strains[:, :3]).max() * length
    return float(max(angles, np.abs(strains[:, 3:]).max()))


STRAINS = (
    Component("torsion", "Torsion", "1/m", "strain", (0,)),
    Component("bending_y", "Bending about y", "1/m", "strain", (1,)),
    Component("bending_z", "Bending about z", "1/m", "strain", (2,)),
    Component("stretch", "Stretch", "–", "strain", (3,)),
    Component("shear_y", "Shear along y", "–", "strain", (4,)),
    Component("shear_z", "Shear along z", "–", "strain", (5,)),
)
WRENCHES = (
    Component("moment_x", "Torsional moment", "N·m", "wrench", (0,)),
    Component("moment_y", "Bending moment about y", "N·m", "wrench", (1,)),
    Component("moment_z", "Bending moment about z", "N·m", "wrench", (2,)),
    Component("force_x", "Axial force", "N", "wrench", (3,)),
    Component("force_y", "Shear force along y", "N", "wrench", (4,)),
    Component("force_z", "Shear force along z", "N", "wrench", (5,)),
)
NORMS = (
    Component("bending", "Bending", "1/m", "strain", (1, 2)),
    Component("shear", "Shear", "–", "strain", (4, 5)),
    Component("moment", "Moment", "N·m", "wrench", (0, 1, 2)),
    Component("force", "Force", "N", "wrench", (3, 4, 5)),
)
SOFT = (
    Component("von_mises", "Stress of von Mises", "Pa", "volume", (0, 1)),
    Component("displacement", "Displacement", "m", "volume", (0, 1)),
)
COMPONENTS: Mapping[str, Component] = MappingProxyType(
    {component.name: component for component in (*NORMS, *STRAINS, *WRENCHES, *SOFT)}
)
# What others call them.
SYNONYMS = {
    "curvature": "bending",
    "twist": "torsion",
    "torque": "moment_x",
    "extension": "stretch",
    "elongation": "stretch",
    "tension": "force_x",
}


def component(name: str) -> Component:
    """The component of that name.

    Raises:
        UnknownName: if there is none, with the names of all.
    """
    if not isinstance(name, str) or name not in COMPONENTS:
        meant = SYNONYMS.get(name) if isinstance(name, str) else None
        raise UnknownName("component", name, COMPONENTS, meant)
    return COMPONENTS[name]
