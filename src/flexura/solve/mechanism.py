"""Motions of a robot as a mechanism: its rods as rigid as its bodies, its joints as they are.

Along these nothing is strained, wherever the robot is. Where no load drives one either, and its
force does not change along it,

    Vᵀ r = 0,    Vᵀ K V = 0,

nothing resists it. The tangent alone does not tell that before all forces balance: it is the second
derivative along exponentials, on which what turns by ω and moves by v goes on by ω × v / 2, and a
slider is not free of the forces that are left. Along each V by itself exponentials are exact.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from flexura.lie import se3
from flexura.model.assemble import Assembly
from flexura.model.assemble_kernels import finite
from flexura.model.model import Model
from flexura.solve.constrained import active_rows
from flexura.solve.equilibrium_kernels import products
from flexura.solve.margin import uncertain_stiffness
from flexura.typing import Array, Indices, Matrix

EPS = float(np.finfo(float).eps)
# Pieces of a mechanism whose motions are looked for; it takes the cube of their number.
MOST = 40
# Forces along a motion that are no more than this part of the loads drive nothing.
NOTHING = 1e-6
# Motions that open joints and constraints by no more than this, relative to the length, do not;
# those of joints that are open already, but by less than that, by as much as they are.
CLOSED, NEARLY = 1e-9, 1e-3
# Of motions that are all but parallel, one is enough: the sine of the angle between them.
PARALLEL = 1e-2
# How little anything else that moves counts beside joints.
SLIGHT = 1e-6


class _Pieces(NamedTuple):
    """What moves as one while no rod bends.

    Attributes:
        number: how many there are.
        carrier: the piece that each coordinate is on, ``number`` for the world, (n_coordinates,).
        ends: those that both ends of each free joint are on, likewise, (n_joints, 2).
    """

    number: int
    carrier: Indices
    ends: Indices


class Rest(NamedTuple):
    """What holds a step that would go along motions that nothing resists or drives.

    Of all steps that differ by these, it chooses the one that leads joints, and where none moves
    the robot, as near as possible to where they were.

    Attributes:
        rows: C, (k, n_dof).
        gap: C dq, (k,).
    """

    rows: Matrix
    gap: Array


def at_rest(assembly: Assembly) -> Rest | None:
    """What holds motions that nothing resists or drives in the last evaluation; None if none are.

    Those of the mechanism alone, and not beside contacts, which have props for them.
    """
    model, layout = assembly.model, assembly.layout
    pieces, joints = model.once(_pieces), model.joints
    if not 0 < pieces.number <= MOST or assembly.touch is not None:
        return None
    if not (finite(assembly.values) and finite(assembly.residual)):  # forces beyond floats
        return None
    x, unit = joints.motion(assembly.nodes, assembly.home), np.repeat([model.length, 1.0], 3)
    gap = float(np.abs(x * unit)[joints.held].max(initial=0.0)) / model.length
    opens = gap if CLOSED < gap < NEARLY else CLOSED
    by_ends = joints.jacobian(assembly.nodes) * unit[:, None]
    motions = _motions(assembly, pieces, by_ends, opens)
    if not motions.size:
        return None
    weight = np.where(layout.multiplier, 0.0, model.gauge**-2.0)
    turn = np.linalg.qr(np.sqrt(weight)[:, None] * motions)[1]
    motions = np.linalg.solve(turn.T, motions.T).T
    loose = motions @ _unresisted(assembly, motions, _rates(assembly, by_ends, motions), opens)
    if not loose.size:
        return None
    _, size, turn = np.linalg.svd(
        loose[layout.pose_dof[:, None] + np.arange(3)].reshape(-1, loose.shape[1])
    )
    straight = np.append(size, np.zeros(len(turn) - len(size))) <= CLOSED / model.length
    loose = loose @ turn.T
    rates = _rates(assembly, by_ends, loose)
    rows = SLIGHT**2 * (weight[:, None] * loose).T + _along(assembly, by_ends, rates)
    away = np.zeros_like(x) if assembly.home is None else unit * (x - assembly.home)
    return Rest(rows, np.where(straight, -rates.T @ away.ravel(), 0.0))


def _unresisted(assembly: Assembly, motions: Matrix, rates: Matrix, opens: float) -> Matrix:
    """Sums of motions of a mechanism that nothing resists or drives, in columns, (k, m).

    Of all motions together, and, as second derivatives mix different joints where forces are left,
    of those that move as few of them as possible.
    """
    layout, moves, length = assembly.layout, ~assembly.layout.multiplier, assembly.model.length
    k, rounding = motions.shape[1], len(moves) * EPS * assembly.force_scale()
    force = motions[moves].T @ assembly.residual[moves]
    enough = NOTHING * assembly.load_size + assembly.rounding() + rounding
    found = np.zeros((k, 0))
    if k == 1 and abs(force[0]) > enough:  # most often
        return found
    pushed, soft = np.zeros(motions.shape), (uncertain_stiffness(assembly) + rounding) / length
    products(assembly.values, *layout.structure.entries, np.ascontiguousarray(motions), pushed)
    stiffness = motions[moves].T @ pushed[moves]
    opened = pushed[~moves] / assembly.model.gauge[~moves, None]
    opened = np.concatenate([opened, assembly.rows[active_rows(assembly)] @ motions])
    size, turn = np.linalg.eigh(0.5 * (stiffness + stiffness.T))
    neutral = turn[:, np.abs(size) <= soft]
    driven = neutral.T @ force
    if np.linalg.norm(driven) > enough:
        neutral = neutral @ np.linalg.svd(driven[None])[2][1:].T
    for part in [*neutral.T, *(_by_joints(rates).T if neutral.shape[1] < k else ())]:
        rest = part - found @ (found.T @ part)
        far, opened_by = float(np.linalg.norm(rest)), np.abs(opened @ part).max(initial=0.0)
        resisted = abs(part @ stiffness @ part) > soft or abs(part @ force) > enough
        if far > PARALLEL and not resisted and opened_by <= opens:
            found = np.column_stack([found, rest / far])
    return found


def _by_joints(rates: Matrix) -> Matrix:
    """Sums of motions that move as few components of joints as possible, of size 1, in columns."""
    k = rates.shape[1]
    rest, part = rates.copy(), np.eye(k)
    for i in range(k):
        largest = np.abs(rest[:, i:])
        if not largest.size or largest.max() == 0.0:
            break
        row, column = np.unravel_index(largest.argmax(), largest.shape)
        swap = [i, i + int(column)]
        for x in (rest, part):
            x[:, swap] = x[:, swap[::-1]]
        ratio = rest[row] / rest[row, i]
        ratio[i] = 0.0
        for x in (part, rest):
            x -= np.outer(x[:, i], ratio)
    return np.asarray(part / np.linalg.norm(part, axis=0))


def _motions(assembly: Assembly, pieces: _Pieces, by_ends: Array, opens: float) -> Matrix:
    """Motions of all unknowns that joints allow while no rod bends, in columns, (n_dof, k).

    Args:
        assembly: what was evaluated.
        pieces: of the mechanism.
        by_ends: how joints move by twists of their nodes, (n_joints, 2, 6, 6).
        opens: by how much joints may open.
    """
    layout, joints, count = assembly.layout, assembly.model.joints, pieces.number
    n, unit = len(joints.nodes), np.repeat([1.0, assembly.model.length], 3)
    center = np.eye(4)
    center[:3, 3] = assembly.nodes[:-1, :3, 3].mean(axis=0)  # without the world
    rates = np.zeros((n, 6, count + 1, 6))  # the world is the last
    turn = np.eye(6 * count)
    if n:
        by_twists = by_ends @ se3.Ad(se3.inverse(assembly.nodes[joints.nodes]) @ center) * unit
        for side in (0, 1):
            rates[np.arange(n), :, pieces.ends[:, side]] += by_twists[:, side]
        _, size, turn = np.linalg.svd(rates[joints.held][:, :count].reshape(-1, 6 * count))
        turn = turn[int(np.count_nonzero(size > opens * size[0])) :]
    twists = np.zeros((len(turn), count + 1, 6))
    twists[:, :count] = turn.reshape(len(turn), count, 6) * unit
    own = se3.Ad(se3.inverse(assembly.state.poses) @ center)
    found = np.zeros((layout.n_dof, len(turn)))
    at = layout.pose_dof[:, None] + np.arange(6)
    found[at] = own @ twists[:, pieces.carrier].transpose(1, 2, 0)
    return found


def _rates(assembly: Assembly, by_ends: Array, motions: Matrix) -> Matrix:
    """How joints move in motions, rotations times the length [m], (6 n_joints, k)."""
    found = np.zeros((len(by_ends), 6, motions.shape[1]))
    for moves, own, at in _by_coordinates(assembly, by_ends):
        found[moves] += own @ motions[at]
    return found.reshape(6 * len(by_ends), motions.shape[1])


def _along(assembly: Assembly, by_ends: Array, rates: Matrix) -> Matrix:
    """What motions have along rates of joints, (6 n_joints, k): rows, (k, n_dof)."""
    found = np.zeros((assembly.layout.n_dof, rates.shape[1]))
    wanted = rates.reshape(len(by_ends), 6, rates.shape[1])
    for moves, own, at in _by_coordinates(assembly, by_ends):
        np.add.at(found, at, own.swapaxes(1, 2) @ wanted[moves])
    return found.T


def _by_coordinates(assembly: Assembly, by_ends: Array) -> Iterator[tuple[Indices, Array, Indices]]:
    """For both ends of joints those that move, how joints move by their unknowns, and these."""
    layout = assembly.layout
    for side, on in enumerate(assembly.model.joints.nodes.T):
        moves = np.flatnonzero(layout.dof[on] >= 0)
        own = by_ends[moves, side] @ se3.Ad(se3.inverse(layout.offset[on[moves]]))
        yield moves, own, layout.dof[on[moves]][:, None] + np.arange(6)


def _pieces(model: Model) -> _Pieces:
    """What moves as one: bodies, and rods with all that they are welded to.

    None where something else is soft.
    """
    layout, joints = model.layout, model.joints.nodes
    world = layout.n_coordinates
    if model.members or not (len(joints) or layout.floats):
        return _Pieces(0, np.zeros(world, dtype=np.int64), joints)
    coordinate = np.where(layout.coordinate < 0, world, layout.coordinate)
    pairs = [np.zeros((2, 0), dtype=np.int64)]
    rods = [model.rod_nodes(place) for place in model.places.values()]
    for nodes in [*rods, *(model.parts[place.part].nodes for place in model.tubes.values())]:
        own = coordinate[nodes][~layout.loose[nodes]]
        pairs.append(np.stack([own[1:], own[:-1]]))
    ties = np.concatenate(pairs, axis=1)
    graph = coo_array((np.ones(ties.shape[1]), ties), shape=(world + 1, world + 1))
    count, piece = connected_components(graph, directed=False)
    # the world is the last
    order = np.where(piece == piece[world], count - 1, piece - (piece > piece[world]))
    return _Pieces(count - 1, order[:world], order[coordinate[joints]])
