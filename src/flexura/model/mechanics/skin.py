"""Skins of volumes: the triangles around them, by particles, and the corners that touch others."""

from typing import NamedTuple

import numpy as np

from flexura.model.site import Site
from flexura.robot.volume import Volume
from flexura.typing import Array, Indices


class Skin(NamedTuple):
    """The skin of a volume.

    Attributes:
        triangles: particles of their corners, turned to the left from outside, (m, 3).
        places: where these are at rest [m], (m, 3, 3).
        free: particles of it that nothing holds, (k,).
        spacing: mean length of sides [m].
    """

    triangles: Indices
    places: Array
    free: Indices
    spacing: float


def skin_of(site: Site, volume: Volume) -> Skin:
    """The skin of a volume of a site."""
    mesh = volume.elements
    places = mesh.points[mesh.skin]
    triangles = site.volumes[volume.name] + mesh.skin
    free = np.setdiff1d(triangles, site.held_particles)
    sides = np.linalg.norm(places - np.roll(places, 1, axis=1), axis=2)
    return Skin(triangles, places, free, float(sides.mean()))
