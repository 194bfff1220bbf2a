"""Tendons through volumes: straight pieces between their points."""

import numpy as np

from flexura.model.members.segment import ParticleSegments
from flexura.model.site import Site
from flexura.robot import Tendon
from flexura.robot.volume_place import place_on
from flexura.typing import AnyArray, Array, Indices, frozen


def add_ways_through_volumes(site: Site, source: Indices) -> Array:
    """Add the pieces of all tendons through volumes; lengths of their ways at rest, (n,) [m].

    Args:
        site: of the model.
        source: places of the tensions of all tendons.
    """
    tendons, rest = site.robot.tendons, np.zeros(len(source))
    parts = [
        (i, *_pieces(site, tendon)) for i, tendon in enumerate(tendons) if tendon.volume is not None
    ]
    if not parts:
        return rest
    widest = max(particles.shape[-1] for _, particles, _, _ in parts)
    own = ParticleSegments(
        frozen(np.concatenate([np.full(len(p), source[i]) for i, p, _, _ in parts])),
        frozen(np.concatenate([_wide(p, widest) for _, p, _, _ in parts])),
        frozen(np.concatenate([_wide(w, widest) for _, _, w, _ in parts])),
        frozen(np.concatenate([c for _, _, _, c in parts])),
    )
    site.members.append(own)
    at = site.particles().rest
    lengths = np.linalg.norm(np.diff(own.ends(np.zeros_like(at), at), axis=1)[:, 0], axis=1)
    number = np.concatenate([np.full(len(p), i) for i, p, _, _ in parts])
    np.add.at(rest, number, lengths)
    return rest


def _pieces(site: Site, tendon: Tendon) -> tuple[Indices, Array, Array]:
    """Particles, weights and fixed points of the ends of all pieces of a tendon."""
    assert tendon.volume is not None
    who, volume = f"Tendon {tendon.name!r}", site.robot.volume(tendon.volume)
    nodes, weights = place_on(who, "points", volume, tendon.points)
    particles, fixed = site.volumes[tendon.volume] + nodes, np.zeros((len(nodes), 3))
    if tendon.pull is not None:  # a point of the world has no weights
        particles = np.concatenate([particles[:1], particles])
        weights = np.concatenate([np.zeros_like(weights[:1]), weights])
        fixed = np.concatenate([np.reshape(tendon.pull, (1, 3)), fixed])
    return tuple(np.stack([x[:-1], x[1:]], axis=1) for x in (particles, weights, fixed))  # type: ignore[return-value]


def _wide(x: AnyArray, width: int) -> AnyArray:
    """With as many entries as the widest; more are repeated particles, or zeros."""
    missing = width - x.shape[-1]
    return np.pad(x, ((0, 0), (0, 0), (0, missing)))  # type: ignore[return-value]
