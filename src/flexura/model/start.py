"""The state to begin with: the unloaded robot, its loops closed by smooth curves."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from flexura._kernel import kernel
from flexura.lie import se3, so3
from flexura.lie.kernels.se3 import compose_into
from flexura.model.chain import Chains
from flexura.model.held import Bent, Held
from flexura.model.inputs import Inputs
from flexura.model.laid import laid_threads
from flexura.model.layout import Layout
from flexura.model.mobile import HungTree, Mobiles
from flexura.model.model import Model
from flexura.model.part import Part
from flexura.model.pinned import pinned
from flexura.model.start_linkage import closed_at_rest
from flexura.model.start_load import Loading
from flexura.model.start_volume import carry_volumes
from flexura.model.state import State
from flexura.model.strand import Hung, hung
from flexura.model.tube_start import bend, held_marks, proposals
from flexura.typing import Array, Indices, Matrix, Pose, Strain, Vector, frozen

# As many rods must lead to a body for the mean of what they propose to be a good guess.
MANY = 3
# A rod that closes a loop begins with its ends no further apart than this part of what they are at
# rest, so that it need not stretch; that takes this many draws at most.
SLACK = 0.99
DRAWS = 100


class Start(NamedTuple):
    """Where to begin.

    Attributes:
        state: the unknowns.
        strains: that rods are meant to have at the points of each part.
        hangs: whether rods begin as cords.
        strung: whether strands of several rods begin where they hang.
    """

    state: State
    strains: tuple[Strain, ...]
    hangs: bool
    strung: bool


def start_state(
    model: Model,
    inputs: Inputs,
    loads: Inputs | None = None,
    aside: Matrix | None = None,
    string: bool = True,
) -> Start:
    """The unloaded robot, with everything that inputs move where they have it.

    Where three or more rods lead to one body, it begins in the mean of the poses that they would
    give it; then, and wherever a loop closes, rods follow a shape of little energy between their
    ends.

    Args:
        model: the robot.
        inputs: what moves it.
        loads: inputs with the loads that will act, under which cords hang; else none do.
        aside: what these loads are multiplied by, a rotation and perhaps a factor, for cords to
            begin where nothing is in the way, (3, 3).
        string: whether strands of several rods, and what hangs on one joint, shall begin so.
    """
    bent = len(model.layout.closing) or len(model.joints.nodes) or model.tubes
    if not (bent or model.movers):
        return model.once(_rest)
    return _start(model, inputs, loads, aside, string)


def _rest(model: Model) -> Start:
    """The start of a robot that nothing bends or moves."""
    return _start(model, model.inputs.described, None)


def _start(
    model: Model,
    inputs: Inputs,
    loads: Inputs | None,
    aside: Matrix | None = None,
    string: bool = True,
) -> Start:
    """Arguments as for ``start_state``."""
    layout = model.layout_at(inputs)
    rest = [_at_rest(part, inputs) for part in model.parts]
    poses = np.empty((0, 4, 4))
    if layout.n_coordinates:
        poses = layout.compose(np.concatenate([np.empty((0, 4, 4)), *(own[0] for own in rest)]))
    inner = [own[1] for own in rest]
    strains = [own[2] for own in rest]
    hangs, strung, mobiles = False, list[Hung](), list[HungTree]()
    if model.tubes:
        poses = _with_tips(model, layout, inputs, poses, inner, strains)
    if len(layout.closing) or len(model.joints.nodes):
        chains = Chains(model, layout)
        loading = Loading(model, layout, loads or inputs, np.eye(3) if aside is None else aside)
        if string:
            strung = hung(model, layout, poses, nodes_of(layout, poses), chains, loading)
        for strand in strung:
            for coordinate, pose in strand.bodies:
                poses[coordinate] = pose
            for one, load in strand.rods:
                hangs |= _bend(one, load, layout, poses, inner, strains)
        closed = closed_at_rest(model, layout, poses, loads or inputs, _placed(layout, strung))
        poses, closing = _settled(model, layout, closed)
        nodes = nodes_of(layout, poses)
        held = _held(model, layout, nodes, closing, chains)
        for one, load in zip(held, loading.along(nodes, held), strict=True):
            hangs |= _bend(one, load, layout, poses, inner, strains)
        if string:
            mobiles = _mobiles(model, layout, poses, loads or inputs)
        for mobile in mobiles:
            for coordinate, pose in mobile.poses:
                poses[coordinate] = pose
            hangs |= _set(mobile.bent, poses, inner, strains)
    numbers = np.zeros(layout.n_dof)
    if len(layout.particles):
        nodes = nodes_of(layout, poses)
        carry_volumes(model, layout, nodes, numbers)
        for thread in laid_threads(model, layout, nodes, numbers):
            _bend(thread, np.zeros(3), layout, poses, inner, strains)
    for part_of, own in zip(model.parts, inner, strict=True):
        layout.add_inner(part_of.nodes, own, numbers)
    multipliers = np.zeros(model.n_multipliers)
    state = State(frozen(poses), frozen(numbers), frozen(multipliers))
    return Start(state, tuple(frozen(strain) for strain in strains), hangs, bool(strung or mobiles))


def _bend(
    one: Held, load: Vector, layout: Layout, poses: Pose, inner: list[Array], strains: list[Strain]
) -> bool:
    """Bend a rod, or a chain of them, in place; whether it hangs as a cord."""
    return _set(one.bend(layout, load), poses, inner, strains)


def _set(found: list[Bent], poses: Pose, inner: list[Array], strains: list[Strain]) -> bool:
    """Put pieces of rods where they begin, in place; whether any of them hangs as a cord."""
    for bent in found:
        poses[bent.coordinates] = bent.poses
        inner[bent.part][bent.nodes] = bent.inner
        strains[bent.part][bent.points] = bent.strains
    return any(bent.hangs for bent in found)


def _with_tips(
    model: Model,
    layout: Layout,
    inputs: Inputs,
    poses: Pose,
    inner: list[Array],
    strains: list[Strain],
) -> Pose:
    """Coordinates with bodies that tubes hold in the mean of what these propose, tubes bent."""
    nodes = nodes_of(layout, poses)
    moved = proposals(model, layout, inputs, nodes)
    moved.pop(-1, None)
    for own, entries in moved.items():
        step = next(r for r, (_, far, _) in enumerate(layout.walk) if layout.coordinate[far] == own)
        before = nodes[layout.walk[step, 1]].copy()
        poses = poses.copy()
        poses[own] = _mean(np.array([pose for pose, *_ in entries]))
        if len(entries) > 1:
            ends = [(begin, at, SLACK * reach) for _, begin, at, reach in entries]
            poses[own][:3, 3] += _drawn_in(poses[own], ends)
        poses = _moved_beyond(layout, step, poses, before)
        nodes = nodes_of(layout, poses)
    for i, part in enumerate(model.parts):
        if part.binding is not None and held_marks(part, layout):
            bend(part, layout, inputs, nodes, poses, inner[i], strains[i])
    return poses


def _at_rest(part: Part, inputs: Inputs) -> tuple[Pose, Array, Strain]:
    """Links, inner unknowns and strains of unloaded rods."""
    if part.binding is not None:
        return part.binding.start(inputs.values)
    return part.rest_links, part.rest_inner.copy(), part.rest_strain.copy()


def _placed(layout: Layout, strung: Sequence[Hung]) -> Indices:
    """Coordinates of strands that hang."""
    bodies = [coordinate for strand in strung for coordinate, _ in strand.bodies]
    rods = [
        layout.coordinate[piece.first : piece.last + 1]
        for strand in strung
        for held, _ in strand.rods
        for piece in held.pieces
    ]
    found = np.concatenate([np.array(bodies, dtype=np.int64), *rods])
    return found[found >= 0]


def _held(
    model: Model,
    layout: Layout,
    nodes: Pose,
    closing: list[tuple[int, int]],
    chains: Chains,
) -> list[Held]:
    """The chains of rods that must meet two ends, by loops or joints."""
    known, found = set[frozenset[int]](), list[Held]()
    for a, b in closing:
        if frozenset((a, b)) not in known:
            chain = chains.along(a, b)
            known |= {frozenset(passed) for passed in chain}
            found.append(chains.clamped(chain, nodes))
    return found + pinned(model, layout, nodes, chains)


def _mobiles(model: Model, layout: Layout, poses: Pose, loads: Inputs) -> list[HungTree]:
    """How all hangs that joints hold and nothing else, unless something may be in the way."""
    if model.tubes or model.constraints or model.contacts is not None:
        return []
    nodes, rest = nodes_of(layout, poses), _rest_nodes(model)
    for near, far, _ in layout.walk.tolist():
        if layout.loose[far]:
            nodes[far] = nodes[near] @ se3.inverse(rest[near]) @ rest[far]
    return list(Mobiles(model, layout, poses, nodes, loads).hung())


def nodes_of(layout: Layout, poses: Pose) -> Pose:
    """Poses of the nodes, but of loose ones."""
    nodes = np.tile(np.eye(4), (layout.n_nodes, 1, 1))
    layout.nodes(poses, nodes)
    return nodes


def _settled(model: Model, layout: Layout, poses: Pose) -> tuple[Pose, list[tuple[int, int]]]:
    """Coordinates with what three or more rods lead to in the mean of what they propose.

    Also first and last node of all pieces of rods that must bend to meet their ends.
    """
    closing = [(int(a), int(b)) for a, b in layout.closing]
    if not closing:
        return poses, closing
    poses, rest, bent = poses.copy(), _rest_nodes(model), list(closing)
    towards = defaultdict(list)
    for a, b in closing:
        towards[layout.coordinate[b]].append((a, b))
        towards[layout.coordinate[a]].append((b, a))
    nodes = nodes_of(layout, poses)
    known = {-1}
    for r, (near, far, direction) in enumerate(layout.walk.tolist()):
        own = layout.coordinate[far]
        leading = [(near, far)] if direction else []
        leading += [(a, b) for a, b in towards[own] if layout.coordinate[a] in known]
        if own >= 0 and direction and len(leading) >= MANY:
            before = nodes[far].copy()
            poses[own] = _mean_of(layout, nodes, rest, leading)
            poses = _moved_beyond(layout, r, poses, before)
            nodes = nodes_of(layout, poses)
            bent.append((min(near, far), max(near, far)))
        known |= set(layout.coordinate[min(near, far) : max(near, far) + 1].tolist())
    return poses, bent


def _mean_of(layout: Layout, nodes: Pose, rest: Pose, leading: list[tuple[int, int]]) -> Pose:
    """Mean of the poses that rods would give a body, within the reach of all of them."""
    proposals = [
        nodes[a] @ se3.inverse(rest[a]) @ rest[b] @ se3.inverse(layout.offset[b])
        for a, b in leading
    ]
    pose = _mean(np.array(proposals))
    ends = [(nodes[a, :3, 3], layout.offset[b, :3, 3], _reach(rest, a, b)) for a, b in leading]
    pose[:3, 3] += _drawn_in(pose, ends)
    return pose


def _reach(rest: Pose, a: int, b: int) -> float:
    """How far the ends of a piece may be apart to begin with: a little less than at rest [m]."""
    return SLACK * float(np.linalg.norm(rest[b, :3, 3] - rest[a, :3, 3]))


def _drawn_in(pose: Pose, ends: list[tuple[Vector, Vector, float]]) -> Vector:
    """A displacement that brings a body within reach of all its rods.

    Args:
        pose: of the body.
        ends: for each rod, where it begins, where on the body it ends, and how far it reaches.
    """
    moved = np.zeros(3)
    for _ in range(DRAWS):
        pulls = []
        for begin, at, reach in ends:
            away = pose[:3, :3] @ at + pose[:3, 3] + moved - begin
            distance = float(np.linalg.norm(away))
            if distance > reach:
                pulls.append((reach - distance) / distance * away)
        if not pulls:
            break
        moved += max(pulls, key=lambda pull: float(np.linalg.norm(pull)))
    return moved


def _moved_beyond(layout: Layout, step: int, poses: Pose, before: Pose) -> Pose:
    """Coordinates with all that lies beyond a step of the walk carried along with its end."""
    poses = poses.copy()
    far = layout.walk[step, 1]
    after = poses[layout.coordinate[far]] @ layout.offset[far]
    carry = after @ se3.inverse(before)
    moved = {int(layout.coordinate[far])}
    for near, end, direction in layout.walk[step + 1 :].tolist():
        if layout.coordinate[near] in moved:
            inside = [end] if direction == 0 else range(min(near, end), max(near, end) + 1)
            for c in {int(layout.coordinate[n]) for n in inside} - moved - {-1}:
                poses[c] = carry @ poses[c]
                moved.add(c)
    return poses


def _rest_nodes(model: Model) -> Pose:
    """Pose of each node of an unloaded rod in its base."""
    nodes = np.tile(np.eye(4), (model.layout.n_nodes, 1, 1))
    for part in model.parts:
        _chain(part.group.rod_nodes, part.rest_links, nodes[part.nodes])
    return nodes


@kernel
def _chain(rod_nodes: Indices, links: Pose, nodes: Pose) -> None:
    """Compose the links along each rod, from its first node on, in place."""
    for rod in range(len(rod_nodes) - 1):
        for n in range(rod_nodes[rod] + 1, rod_nodes[rod + 1]):
            compose_into(nodes[n], nodes[n - 1], links[n])


def _mean(poses: Pose) -> Pose:
    """Mean of positions, and the rotation nearest to the mean of rotations."""
    mean = poses.mean(axis=0)
    mean[:3, :3] = so3.nearest(mean[:3, :3])
    return np.asarray(mean)
