"""Wrenches in balance with all that acts, anywhere along rods.

Seen from one place, in world axes, the stress of a rod changes by what acts on it, and by nothing
else. With the forces f_n that the rod exerts on its nodes, and the loads F per arc length,

    S(s) = -Σ f_n (nodes before s) + ∫₀ˢ F ds,        Σ(s) = Ad_g(s)ᵀ S(s)              (theory 3.3)

is the wrench that a cut through the rod and its tendons carries. Forces at nodes are those of the
equilibrium, and exist whatever strains a description has; F is that of all laws, known at points
and a polynomial between them. What other laws than elasticity carry in the cut, such as tendons,
is taken off to find what the rod itself carries.
"""

from copy import copy
from dataclasses import dataclass

import numpy as np

from flexura.model.assemble import Assembly
from flexura.model.part import Place
from flexura.model.term import NodeForces
from flexura.model.work import PartWork
from flexura.rods.discretization import PointForces
from flexura.rods.elements import inside
from flexura.rods.quadrature import integral_rows, value_rows
from flexura.typing import Array, Pose, Vector, Wrench
from flexura.value import Value

# Arc lengths closer than this to a node or to the end of a span are beyond it, over the length.
ROUNDING = 1e-14


@dataclass(frozen=True, eq=False)
class Balance(Value):
    """What a rod carries.

    Attributes:
        origin: where S is seen from, (3,).
        nodes: arc lengths of all nodes but the last [m], (n,).
        behind: -Σ f_n up to each of them, it included, (n, 6).
        ends: of the spans of quadrature [m], (m + 1,).
        passed: ∫ F ds up to the beginning of each span, (m, 6).
        load: F at the points of each span, (m, k, 6).
        apart: stress at the points that other laws than elasticity make, body frame, (m, k, 6).
    """

    origin: Vector
    nodes: Array
    behind: Wrench
    ends: Array
    passed: Wrench
    load: Wrench
    apart: Wrench

    def wrench(self, s: Array, pose: Pose) -> Wrench:
        """What the rod carries at arc lengths, body frame, (n, 6).

        Args:
            s: arc lengths [m], (n,); where the wrench jumps, it is the one beyond.
            pose: of the rod there, (n, 4, 4).
        """
        span, u = inside(self.ends, s + ROUNDING * self.ends[-1])
        rows = value_rows(u, self.apart.shape[1])
        apart = np.einsum("nk,nkc->nc", rows, self.apart[span])
        return np.asarray(to_bodies(self.cut(s), pose, self.origin) - apart)

    def cut(self, s: Array) -> Wrench:
        """S at arc lengths: what a cut through the rod and its tendons carries, (n, 6)."""
        s = s + ROUNDING * self.ends[-1]
        span, u = inside(self.ends, s)
        rows = np.diff(self.ends)[span, None] * integral_rows(u, self.load.shape[1])
        along = self.passed[span] + np.einsum("nk,nkc->nc", rows, self.load[span])
        return np.asarray(self.behind[np.searchsorted(self.nodes, s) - 1] + along)


def balance(assembly: Assembly) -> dict[str, Balance]:
    """What each rod carries in the equilibrium that was evaluated last."""
    model = assembly.model
    exerted = assembly.force - forces_of_terms(assembly)
    parts = [
        (_spatial_loads(part), apart(assembly, part).stress[:, :6], part.part.group.points)
        for part in assembly.parts
    ]
    found = {}
    for name, place in model.places.items():
        load, other, points = parts[place.part]
        own, ends = points.spans(place.index)
        nodes, group = model.rod_nodes(place), model.parts[place.part].group
        poses, weight = assembly.nodes[nodes], points.weight[own]
        origin = poses[0, :3, 3].copy()
        acting = seen_from(origin, load[own])
        passed = np.cumsum(acting.sum(axis=1), axis=0)
        behind = -np.cumsum(from_bodies(exerted[nodes], poses, origin), axis=0)
        at, behind = _with_threads(
            assembly, place, group.node_lengths(place.index)[:-1], behind[:-1], origin
        )
        found[name] = Balance(
            origin=origin,
            nodes=at,
            behind=behind,
            ends=ends,
            passed=np.concatenate([np.zeros((1, 6)), passed[:-1]]),
            load=acting / weight[..., None],
            apart=other[own] / weight[..., None],
        )
    return found


def _with_threads(
    assembly: Assembly, place: Place, nodes: Array, behind: Wrench, origin: Vector
) -> tuple[Array, Wrench]:
    """The jumps at nodes together with those where a rod slides through a volume."""
    for active in assembly.members:
        jumps = active.jumps(place.part, place.index)
        if jumps is None:
            continue
        s, load, pose = jumps
        steps = np.concatenate(
            [behind[:1], np.diff(behind, axis=0), from_bodies(load, pose, origin)]
        )
        every = np.concatenate([nodes, s])
        order = np.argsort(every, kind="stable")
        nodes, behind = every[order], np.cumsum(steps[order], axis=0)
    return nodes, behind


def forces_of_terms(assembly: Assembly, loads: bool = False) -> Array:
    """The forces of all nodes that terms make, or loads alone among them, (n_nodes, 6)."""
    force, given = np.zeros_like(assembly.force), assembly.given
    unchanged = given.changed(np.zeros_like(given.values))
    for work in assembly.terms:
        if loads and work.term.wrenches is None:
            continue
        numbers = assembly.state.numbers[work.rows]
        work.term.add(assembly.nodes, numbers, unchanged, NodeForces.of(work.term, force))
    return force


def _spatial_loads(part: PartWork) -> Wrench:
    """Loads at the points of a part in world axes, seen from the origin, weights included."""
    found = np.zeros((len(part.forces.load), 6))
    posed = part.part.posed
    found[posed] = from_bodies(part.forces.load[posed], part.work.pose[posed], np.zeros(3))
    return found


def apart(assembly: Assembly, part: PartWork) -> PointForces:
    """What acts at the points of a part without being stored in the rods, weights included.

    Stretch and shear are those of the forces, where these are unknowns.
    """
    group, given = part.part.group, assembly.given
    out = PointForces(len(group.points.s), part.part.n_nodes, group.components)
    unchanged = given.changed(np.zeros_like(given.values))
    seen = copy(part.work)
    seen.strain = seen.strain_ahead = part.work.strain.copy()
    if group.complementary:
        seen.strain[:, 3:6] -= part.forces.excess / group.points.weight[:, None]
    for law in part.part.laws:
        if not law.stored:
            law.add(seen, unchanged, out)
    return out


def from_bodies(wrench: Wrench, pose: Pose, origin: Vector) -> Wrench:
    """Body wrenches in world axes, seen from a place."""
    turned = np.einsum("nij,nkj->nki", pose[:, :3, :3], wrench.reshape(-1, 2, 3))
    found: Wrench = turned.reshape(-1, 6)
    found[:, :3] += np.cross(pose[:, :3, 3] - origin, found[:, 3:])
    return found


def to_bodies(wrench: Wrench, pose: Pose, origin: Vector) -> Wrench:
    """Wrenches in world axes, seen from a place, in the frames of bodies."""
    about = seen_from(pose[:, :3, 3] - origin, wrench).reshape(-1, 2, 3)
    turned = np.einsum("nji,nkj->nki", pose[:, :3, :3], about)
    return np.asarray(turned.reshape(-1, 6))


def seen_from(place: Vector, wrench: Wrench) -> Wrench:
    """Wrenches that were seen from the origin, seen from places."""
    moment = wrench[..., :3] - np.cross(place, wrench[..., 3:])
    return np.concatenate([moment, wrench[..., 3:]], axis=-1)
