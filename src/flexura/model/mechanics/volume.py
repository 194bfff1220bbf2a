"""Volumes of a robot: their particles, elements, and the clamps that hold them."""

import numpy as np

from flexura.model.members.load import Share
from flexura.model.members.pressure import Pressures
from flexura.model.members.solid import Solid
from flexura.model.site import Site
from flexura.robot import Clamp, Nodes, On, PointLoad, Pressure
from flexura.robot.volume_place import check_surface, place_on
from flexura.typing import frozen
from flexura.volumes.elements import Elements


def add_volumes(site: Site) -> None:
    """All volumes; particles that clamps hold ride on their frames."""
    for volume in site.robot.volumes:
        elements = Elements.of(volume)
        begin = site.add_particles(volume.name, elements.rest)
        site.members.append(Solid(volume.name, begin, elements))
    for tie in site.robot.ties:
        if isinstance(tie, Clamp):
            nodes = tie.nodes.find(site.robot.volume(tie.volume))
            site.clamp(site.volumes[tie.volume] + nodes, site.find(tie.frame)[0])


def weights_of(site: Site, place: int) -> list[Share]:
    """The masses of all volumes, under an acceleration at a place of the given values."""
    found = []
    for member in site.members:
        if isinstance(member, Solid) and member.elements.mass.any():
            particles = np.arange(member.own.start, member.own.stop)
            found.append(Share(place, particles, member.elements.node_masses))
    return found


def pressure_of(site: Site, load: Pressure, place: int) -> Pressures:
    """Pressure on a surface, at a place of the given values."""
    volume = site.robot.volume(load.volume)
    faces = check_surface(f"Pressure {load.name!r}", volume, load.surface)
    a, b, c = np.moveaxis(volume.elements.points[faces[:, :3]], 1, 0)
    area = float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2.0)
    return Pressures(place, frozen(site.volumes[load.volume] + faces), area)


def share_of(site: Site, load: PointLoad, place: int) -> Share:
    """Particles that share the force of a point load on a volume."""
    at = load.at
    assert isinstance(at, On | Nodes)
    volume, begin = site.robot.volume(at.volume), site.volumes[at.volume]
    if isinstance(at, On):
        nodes, weights = place_on(f"PointLoad {load.name!r}", "at", volume, at.point)
        return Share(place, begin + nodes[0], weights[0])
    found = at.find(volume)
    return Share(place, begin + found, np.full(len(found), 1.0 / len(found)))
