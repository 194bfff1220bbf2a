"""Momenta of a model: what velocities and wrenches of its frames are, seen from its unknowns."""

from typing import NamedTuple

import numpy as np

from flexura.model.assemble import Assembly
from flexura.model.inputs import Inputs
from flexura.model.motion import momentum_kernels as kernels
from flexura.model.motion.flow import Tracks
from flexura.typing import Array, Twist, Wrench


class Shares(NamedTuple):
    """What acts on points and nodes at an end of a step.

    Attributes:
        stresses, loads: of the points, part by part, (n, components) and (n, 6).
        nodes: forces of all nodes, (n_nodes, 6).
    """

    stresses: tuple[Array, ...]
    loads: tuple[Wrench, ...]
    nodes: Wrench


def carried_back(
    tracks: Tracks, assembly: Assembly, wrenches: Wrench, with_them: Shares | None = None
) -> Array:
    """Σ Jᵀ f: wrenches on all frames with mass as forces on the unknowns, (n_dof,).

    Args:
        tracks: of the model.
        assembly: placed where they act.
        wrenches: on the points with mass and on the centres of bodies, (n, 6).
        with_them: what else acts on points and nodes.
    """
    force, found = on_nodes(tracks, assembly, wrenches, with_them)
    assembly.layout.add_node_forces(force, found)
    return found


def on_nodes(
    tracks: Tracks, assembly: Assembly, wrenches: Wrench, with_them: Shares | None = None
) -> tuple[Wrench, Array]:
    """The same as forces of all nodes, (n_nodes, 6), and on inner unknowns, (n_dof,)."""
    layout = assembly.layout
    found = np.zeros(layout.n_dof)
    force = np.zeros((layout.n_nodes, 6)) if with_them is None else with_them.nodes.copy()
    bodies = tracks.moving.bodies
    if len(bodies.nodes):
        own = wrenches[tracks.bodies]
        kernels.add_bodies(bodies.nodes[:, 0], bodies.adjoint, own, force, np.empty(6))
    for i, part in enumerate(assembly.parts):
        forces, inner = part.changes, np.zeros(part.inner.shape)
        forces.clear()
        if with_them is not None:
            forces.stress[:], forces.load[:] = with_them.stresses[i], with_them.loads[i]
        kernels.add_at(tracks.moving.inertia[i].point, wrenches[tracks.points[i]], forces.load)
        part.part.group.carry_back(forces, force[part.part.nodes], inner, part.work)
        part.scatter_inner(inner, found)
    return force, found


def masses(tracks: Tracks, inputs: Inputs) -> Array:
    """Moments of inertia and masses of all frames with mass, (n, 6)."""
    along = (own.at(inputs.values) for own in tracks.moving.inertia)
    return np.concatenate([*along, tracks.moving.bodies.inertia])


def momenta(inertia: Array, d: Twist, h: float, forward: bool) -> Wrench:
    """Derivatives of the kinetic energy of a step, dᵀ M d / 2h, by its end or its beginning.

    J_r(d)⁻ᵀ M d / h where it leads to, and J_l(d)⁻ᵀ M d / h where it comes from.
    """
    found = np.empty(d.shape)
    kernels.momenta(inertia, d, 1.0 / h, 1.0 if forward else -1.0, found)
    return found
