"""Momenta of a model: what velocities and wrenches of its frames are, seen from its unknowns."""

import numpy as np

from flexura.lie import se3
from flexura.model.assemble import Assembly
from flexura.model.motion.flow import Tracks
from flexura.typing import Array, Twist, Wrench


def carried_back(tracks: Tracks, assembly: Assembly, wrenches: Wrench) -> Array:
    """Σ Jᵀ f: wrenches on all frames with mass as forces on the unknowns, (n_dof,).

    Args:
        tracks: of the model.
        assembly: placed where they act.
        wrenches: on the points with mass and on the centres of bodies, (n, 6).
    """
    layout = assembly.layout
    found, force = np.zeros(layout.n_dof), np.zeros((layout.n_nodes, 6))
    bodies = tracks.moving.bodies
    if len(bodies.nodes):
        transfer = se3.Ad(se3.inverse(bodies.center))
        own = np.einsum("nji,nj->ni", transfer, wrenches[tracks.bodies])
        np.add.at(force, bodies.nodes[:, 0], own)
    for own, inertia, part in zip(
        tracks.points, tracks.moving.inertia, assembly.parts, strict=True
    ):
        forces, inner = part.changes, np.zeros_like(part.inner)
        forces.clear()
        forces.load[inertia.point] = wrenches[own]
        part.part.group.carry_back(forces, force[part.part.nodes], inner, part.work)
        part.scatter_inner(inner, found)
    layout.add_node_forces(force, found)
    return found


def masses(tracks: Tracks) -> Array:
    """Moments of inertia and masses of all frames with mass, (n, 6)."""
    along = (own.inertia for own in tracks.moving.inertia)
    return np.concatenate([*along, tracks.moving.bodies.inertia])


def momenta(inertia: Array, d: Twist, h: float, forward: bool) -> Wrench:
    """Derivatives of the kinetic energy of a step, dᵀ M d / 2h, by its end or its beginning.

    J_r(d)⁻ᵀ M d / h where it leads to, and J_l(d)⁻ᵀ M d / h where it comes from.
    """
    inverse = se3.dexpinv(d if forward else -d)
    return np.asarray(np.einsum("nji,nj->ni", inverse, inertia * d) / h)
