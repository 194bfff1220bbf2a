"""Linkages: joints that make loops by themselves, without any rod that gives.

Such joints may hold more than there is to hold: a planar four-bar with four hinges holds three
directions twice. Gaps g of the joints have derivatives B by the poses whose rows depend on each
other wherever the loop is closed, and nowhere else. So a linkage is closed by least squares
(``closing``), and rows that others make up for are spare: which multipliers they have is not
determined (theory 11.3).
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.linalg import qr
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from flexura.lie import se3
from flexura.model.layout import Layout
from flexura.model.model import Model
from flexura.model.terms.joint import Joints
from flexura.typing import Array, Indices, Matrix, Pose, Vector, frozen

# Rows that depend on each other to this part of their size are spare.
DEPENDENT = 1e-9
# By how much these give, in rad and m: without end.
ENDLESS = 1e30


@dataclass(frozen=True, eq=False)
class Linkage:
    """Rigid pieces that joints hold together, in one loop or more.

    Attributes:
        joints: these; their nodes are numbers of ``ends``, one after the other.
        ends: the nodes of each, (n, 2).
        piece: the piece that each end is on, -1 for the world, (n, 2).
        rows: the unknowns that the joints bring.
        coordinates: all that ride on the pieces.
        carrier: the piece of each of them.
    """

    joints: Joints
    ends: Indices
    piece: Indices
    rows: Indices
    coordinates: Indices
    carrier: Indices

    def placed(self, nodes: Pose) -> "Placed":
        """The linkage with its pieces where the nodes are."""
        at, n = nodes[self.ends], int(self.carrier.max()) + 1
        pieces = np.tile(np.eye(4), (n + 1, 1, 1))  # the world is the last
        pins = (at @ self.joints.offset)[..., :3, 3]
        for number in range(n):
            pieces[number, :3, 3] = pins[self.piece == number].mean(axis=0)
        relative = se3.inverse(pieces[self.piece]) @ at
        arms = np.linalg.norm((pins - pieces[self.piece, :3, 3])[self.piece >= 0], axis=1)
        return Placed(self, pieces, relative, float(arms.max(initial=0.0)) or 1.0)


class Placed(NamedTuple):
    """A linkage in some pose.

    Attributes:
        linkage: what is posed.
        pieces: poses of the pieces, whose origins are amid their joints, and of the world, last.
        relative: poses of the ends of joints in their pieces, (n, 2, 4, 4).
        length: the longest arm of a joint [m].
    """

    linkage: Linkage
    pieces: Pose
    relative: Pose
    length: float

    @property
    def ends(self) -> Pose:
        """Poses of all ends of joints, (2 n, 4, 4)."""
        return np.asarray(self.pieces[self.linkage.piece] @ self.relative).reshape(-1, 4, 4)

    def gaps(self) -> Array:
        """What joints are open by: rotations, and translations over the length, (n_rows,)."""
        own = self.linkage.joints
        return np.asarray(own.motion(self.ends)[own.held] * own.units(self.length))

    def derivatives(self) -> Matrix:
        """Those of the gaps by body twists of the pieces, likewise, (n_rows, 6 n_pieces)."""
        own, many = self.linkage.joints, len(self.pieces)
        unit, e = np.repeat([1.0, self.length], 3), np.arange(len(own.nodes))
        found = np.zeros((len(e), 6, many, 6))
        by_ends = own.jacobian(self.ends) @ se3.Ad(se3.inverse(self.relative))
        by_ends *= unit / unit[:, None]
        for side in (0, 1):
            found[e, :, self.linkage.piece[:, side]] += by_ends[:, side]
        return found[own.held][:, : many - 1].reshape(len(self.linkage.rows), -1)

    def moved(self, step: Array) -> "Placed":
        """With its pieces moved by body twists, rotations and translations over the length."""
        pieces, twist = self.pieces.copy(), step.reshape(-1, 6) * np.repeat([1.0, self.length], 3)
        pieces[:-1] = pieces[:-1] @ se3.exp(twist)
        return self._replace(pieces=pieces)

    def shifted(self, way: Vector) -> "Placed":
        """With all its pieces moved some way [m]."""
        pieces = self.pieces.copy()
        pieces[:-1, :3, 3] += way
        return self._replace(pieces=pieces)

    def spare(self) -> Indices:
        """Rows that hold what others hold, so that these can do without, among all unknowns."""
        _, R, order = qr(self.derivatives().T, mode="economic", pivoting=True)
        size = np.abs(np.diag(R))
        rank = int(np.count_nonzero(size > DEPENDENT * size[0]))
        return np.asarray(self.linkage.rows[order[rank:]], dtype=np.int64)

    def shared(self, numbers: Array) -> Array:
        """Unknowns with the smallest multipliers of the joints that exert the same."""
        U, size, _ = np.linalg.svd(self.derivatives(), full_matrices=False)
        U, rows = U[:, size > DEPENDENT * size[0]], self.linkage.rows
        unit, found = self.linkage.joints.units(self.length), numbers.copy()
        found[rows] = unit * (U @ (U.T @ (numbers[rows] / unit)))
        return found


def rigid_linkages(model: Model) -> tuple[Linkage, ...]:
    """All that joints make of coordinates."""
    return linkages(model, model.layout, np.arange(model.layout.n_coordinates))


def linkages(model: Model, layout: Layout, carrier: Indices) -> tuple[Linkage, ...]:
    """Those of a model, each in one part.

    Args:
        model: its joints.
        layout: of the model.
        carrier: a number of the piece that each coordinate is on, -1 for the world.
    """
    pieces = np.append(carrier, -1)[layout.coordinate[model.joints.nodes]]
    n = int(carrier.max(initial=-1)) + 1
    inside = (pieces >= 0).all(axis=1)
    graph = coo_array((np.ones(int(inside.sum())), pieces[inside].T), shape=(n, n))
    part = connected_components(graph, directed=False)[1]
    moves = pieces.max(axis=1) >= 0
    of_joint = np.where(moves, np.append(part, -1)[pieces.max(axis=1)], -1)
    found = []
    for number in np.unique(of_joint[moves]).tolist():
        own = np.flatnonzero(of_joint == number)
        touches = np.unique(pieces[own])  # the world among them, if any
        if len(own) >= len(touches):  # else it is a tree
            found.append(_linkage(model, layout, own, pieces[own], carrier))
    return tuple(found)


def _linkage(
    model: Model, layout: Layout, own: Indices, pieces: Indices, carrier: Indices
) -> Linkage:
    """The linkage of some joints, whose ends are on given pieces."""
    joints, ends = model.joints, model.joints.nodes[own]
    numbers = np.unique(pieces[pieces >= 0])
    place = np.full(int(carrier.max()) + 2, -1)
    place[numbers] = np.arange(len(numbers))
    coordinates = np.flatnonzero(place[carrier] >= 0)
    of_terms = zip(model.terms, layout.term_rows, strict=True)
    brought = next(rows for term, rows in of_terms if term is joints)
    of_joint = np.repeat(np.arange(len(joints.nodes)), joints.brings)
    alone = Joints(
        tuple(joints.labels[j] for j in own), frozen(np.arange(2 * len(own)).reshape(-1, 2)),
        joints.offset[own], joints.adjoint[own], joints.held[own], joints.frame[own],
    )  # fmt: skip
    return Linkage(
        alone, frozen(ends), frozen(place[pieces]), frozen(brought[np.isin(of_joint, own)]),
        frozen(coordinates), frozen(place[carrier[coordinates]]),
    )  # fmt: skip
