"""Rods too limp for their tension: what bends them at clamps is shorter than they resolve.

A rod with bending stiffness EI under a tension T leaves a clamp within a length of √(EI/T), beyond
which it hangs as a cord does. A description whose unknowns are much further apart has equilibria of
its own there, which are no shapes of the rod. Each rod is judged by itself.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from flexura.model.assemble import Assembly
from flexura.model.balance import Balance, forces_of_terms
from flexura.model.model import Model
from flexura.typing import Array, Indices

# Unknowns that are further apart than this many lengths may be why no stable equilibrium is found.
LIMP = 4.0


class _Spacing(NamedTuple):
    """What is the same in all solves of a model, for each of its rods, (n_rods,).

    Attributes:
        over_bend: distance of the unknowns at clamps, six for each place, over √EI.
        limpest: how many lengths √(EI/T) they may lie apart.
    """

    over_bend: Array
    limpest: Array


def too_limp(assembly: Assembly, tension: Array) -> dict[str, float] | None:
    """How many times too far apart the unknowns of rods may be, by name; None if those of none are.

    Args:
        assembly: of the robot.
        tension: of each of its rods [N], about, (n_rods,).
    """
    spacing = assembly.model.once(_spacing)
    with np.errstate(invalid="ignore"):
        apart = np.where(tension > 0.0, spacing.over_bend * np.sqrt(tension), 0.0)
    if not (apart > LIMP).any():  # most often
        return None
    found = zip(assembly.model.places, apart, spacing.limpest, strict=True)
    return {name: max(2.0, float(x / most)) for name, x, most in found if x > LIMP}


def may_bend_by_themselves(assembly: Assembly, tension: Array) -> bool:
    """Whether elements of any rod are so long that they may; arguments as for ``too_limp``."""
    spacing = assembly.model.once(_spacing)
    return bool((spacing.over_bend * np.sqrt(tension) > spacing.limpest).any())


def half_loads(assembly: Assembly) -> Array:
    """Half of what pulls at each rod by itself in the last evaluation [N], (n_rods,).

    About the tension of what hangs by both ends. Loads of other rods are not among it.
    """
    model = assembly.model
    at_nodes = forces_of_terms(assembly, loads=True)
    along = []
    for part in assembly.parts:
        posed, rod = part.part.posed, part.part.group.points.rod
        force = -np.einsum(
            "nij,nj->ni", part.work.pose[posed, :3, :3], part.forces.load[posed, 3:6]
        )
        count = len(part.part.group.rod_nodes) - 1
        along.append([np.bincount(rod[posed], f, count) for f in force.T])
    found = []
    for place in model.places.values():
        own = at_nodes[model.rod_nodes(place), 3:]
        pulled = np.linalg.norm([f[place.index] for f in along[place.part]])
        found.append(0.5 * (pulled + np.linalg.norm(own, axis=1).sum()))
    return np.asarray(np.nan_to_num(found))


def shared_loads(assembly: Assembly) -> Array:
    """Half of what pulls at each rod and at all that it hangs together with [N], (n_rods,).

    As much as it may carry where others hang on it.
    """
    part, of_rod = assembly.model.once(_hang_together)
    inside = np.ones(len(part), dtype=np.bool_)
    for place in assembly.model.places.values():
        inside[assembly.model.rod_nodes(place)] = False
    at_nodes = np.linalg.norm(forces_of_terms(assembly, loads=True)[inside, 3:], axis=1)
    count = int(part.max(initial=0)) + 1
    loads = np.bincount(of_rod, half_loads(assembly), count)
    loads += np.bincount(part[inside], 0.5 * at_nodes, count)
    return np.asarray(np.nan_to_num(loads[of_rod]))


def carried_forces(balance: Mapping[str, Balance]) -> Array:
    """The largest force in the cuts of each rod [N], (n_rods,)."""
    forces = (own.cut(0.5 * (own.ends[1:] + own.ends[:-1]))[:, 3:] for own in balance.values())
    return np.array([np.linalg.norm(force, axis=1).max() for force in forces])


def unknowns_apart(model: Model) -> Array:
    """How far apart the unknowns of each rod are, six for each place [m], (n_rods,)."""
    layout, found = model.layout, []
    for place in model.places.values():
        nodes = model.rod_nodes(place)
        unknowns = layout.inner_size[nodes].sum() + 6 * (layout.coordinate[nodes] >= 0).sum()
        found.append(6.0 * place.rod.length / max(1, int(unknowns)))
    return np.array(found)


def _hang_together(model: Model) -> tuple[Indices, Indices]:
    """What of a robot each node, and each rod, hangs together with; the world joins nothing."""
    layout, n = model.layout, model.layout.n_nodes
    rods = [np.arange(n)[model.rod_nodes(place)] for place in model.places.values()]
    moves = (layout.coordinate >= 0) | layout.loose
    riding = np.flatnonzero(layout.coordinate >= 0)
    pairs = [np.stack([riding, n + layout.coordinate[riding]], axis=1), model.joints.nodes]
    pairs += [np.stack([nodes[:-1], nodes[1:]], axis=1) for nodes in rods]
    joined = np.concatenate(pairs)
    known = np.append(moves, np.ones(layout.n_coordinates, dtype=np.bool_))
    a, b = joined[known[joined].all(axis=1)].T
    size = len(known)
    graph = coo_array((np.ones(len(a)), (a, b)), shape=(size, size))
    part = connected_components(graph, directed=False)[1][:n]
    firsts = [nodes[np.argmax(moves[nodes])] for nodes in rods]
    return part, part[np.array(firsts, dtype=np.int64)]


def _spacing(model: Model) -> _Spacing:
    """How far apart the unknowns of all rods are."""
    over_bend, limpest = [], []
    for place, apart in zip(model.places.values(), model.once(unknowns_apart), strict=True):
        group = model.parts[place.part].group
        apart /= group.denser
        bending = float(place.rod.stiffness(0.5 * place.rod.length)[1:3].min())
        over_bend.append(apart / np.sqrt(bending) if bending > 0.0 else np.inf)
        limpest.append(group.limpest)
    return _Spacing(np.array(over_bend), np.array(limpest))
