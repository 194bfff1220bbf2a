"""Windows on the rods of every description."""

from flexura.errors import ModelError
from flexura.rods.discretization import RodGroup
from flexura.rods.hermite import HermiteRods
from flexura.rods.linear_strain import LinearStrainRods
from flexura.rods.power import PowerRods
from flexura.rods.rotation_interpolation import RotationRods
from flexura.rods.spline import SplineRods
from flexura.rods.strain_rods import StrainRods
from flexura.rods.window import Window
from flexura.rods.window_of_elements import PowerWindow, RotationWindow
from flexura.rods.window_of_poses import HermiteWindow, SplineWindow
from flexura.rods.window_of_strains import LinearStrainWindow, StrainWindow
from flexura.typing import Array, Indices

WINDOWS: dict[type, type[Window]] = {
    SplineRods: SplineWindow,
    HermiteRods: HermiteWindow,
    LinearStrainRods: LinearStrainWindow,
    StrainRods: StrainWindow,
    PowerRods: PowerWindow,
    RotationRods: RotationWindow,
}


def window(group: RodGroup, rod: Indices, s: Array) -> Window:
    """Places at arc lengths of the rods of a group."""
    return WINDOWS[type(group)](group, rod, s)


def check_window(rod: str, group: RodGroup) -> None:
    """Raise unless there are windows on a group: descriptions of your own may have none."""
    if type(group) not in WINDOWS:
        raise ModelError(
            f"rod {rod!r} is threaded through a volume, and {type(group).__name__} shows no places "
            "that move along it: choose another description with "
            f"build(robot, rods={{{rod!r}: LinearStrain(8)}})"
        )
