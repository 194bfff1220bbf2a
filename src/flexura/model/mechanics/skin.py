"""Skins of volumes: the triangles around them, by particles, and the corners that touch others."""

from typing import NamedTuple

import numpy as np

from flexura.model.site import Site
from flexura.robot.mesh import Mesh
from flexura.robot.volume import Volume
from flexura.robot.volume_place import faces_of_six
from flexura.typing import Array, Indices

# Triangles of faces with nodes in the middles of 01, 12, 20.
QUARTERS = ((0, 3, 5), (3, 1, 4), (5, 4, 2), (3, 4, 5))


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
    mesh: Mesh = volume.mesh
    rest, cells = volume.elements()
    faces = mesh.boundary
    if cells.shape[1] > 4:
        faces = faces_of_six(mesh, cells, faces)[:, QUARTERS].reshape(-1, 3)
    places = rest[faces]
    triangles = site.volumes[volume.name] + faces
    free = np.setdiff1d(triangles, site.held_particles)
    sides = np.linalg.norm(places - np.roll(places, 1, axis=1), axis=2)
    return Skin(triangles, places, free, float(sides.mean()))
