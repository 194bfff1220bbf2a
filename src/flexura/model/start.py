"""The state to begin with: the unloaded robot, its loops closed by smooth curves."""

from typing import NamedTuple

import numpy as np

from flexura._kernel import kernel
from flexura.lie import se3
from flexura.lie.kernels.se3 import compose_into
from flexura.model.held import Begin, bend_between
from flexura.model.inputs import Inputs
from flexura.model.layout import Layout
from flexura.model.model import Model
from flexura.model.pinned import bend_pinned
from flexura.model.state import State
from flexura.typing import Indices, Pose, Strain, Vector, frozen

# A rod that closes a loop begins with its ends no further apart than this part of what they are at
# rest, so that it need not stretch; that takes this many draws at most.
SLACK = 0.99
# As many rods must lead to a body for the mean of what they propose to be a good guess.
MANY = 3
DRAWS = 100


class Start(NamedTuple):
    """Where to begin.

    Attributes:
        state: the unknowns.
        strains: that rods are meant to have at the points of each part.
        hangs: whether rods begin as cords.
    """

    state: State
    strains: tuple[Strain, ...]
    hangs: bool


def start_state(model: Model, inputs: Inputs, loads: Inputs | None = None) -> Start:
    """The unloaded robot, with everything that inputs move where they have it.

    Where three or more rods lead to one body, it begins in the mean of the poses that they would
    give it; then, and wherever a loop closes, rods follow a shape of little energy between their
    ends.

    Args:
        model: the robot.
        inputs: what moves it.
        loads: inputs with the loads that will act, under which cords hang; else none do.
    """
    layout = model.layout_at(inputs)
    poses = np.empty((0, 4, 4))
    if layout.n_coordinates:
        links = [part.rest_links for part in model.parts]
        poses = layout.compose(np.concatenate(links) if links else np.empty((0, 4, 4)))
    begin = Begin(
        poses,
        [part.rest_inner.copy() for part in model.parts],
        [part.rest_strain.copy() for part in model.parts],
    )
    hangs = False
    if len(layout.closing):
        bent = _settle(model, layout, poses)
        nodes = nodes_of(layout, poses)
        for ends in bent:
            hangs |= bend_between(model, layout, ends, nodes, loads or inputs, begin)
    if len(model.joints.nodes):
        nodes = nodes_of(layout, poses)
        hangs |= bend_pinned(model, layout, nodes, loads or inputs, begin)
    numbers = np.zeros(layout.n_dof)
    for part, own in zip(model.parts, begin.inner, strict=True):
        layout.add_inner(part.nodes, own, numbers)
    multipliers = np.zeros(len(model.inputs.multipliers))
    state = State(frozen(poses), frozen(numbers), frozen(multipliers))
    return Start(state, tuple(frozen(strain) for strain in begin.strains), hangs)


def nodes_of(layout: Layout, poses: Pose) -> Pose:
    """Poses of the nodes, but of loose ones."""
    nodes = np.tile(np.eye(4), (layout.n_nodes, 1, 1))
    layout.nodes(poses, nodes)
    return nodes


def _settle(model: Model, layout: Layout, poses: Pose) -> list[tuple[int, int]]:
    """Place what three or more rods lead to in the mean of what they propose, in place.

    Returns first and last node of all pieces of rods that must bend to meet their ends.
    """
    rest = _rest_nodes(model)
    bent = [(int(a), int(b)) for a, b in layout.closing]
    nodes = nodes_of(layout, poses)
    known = {-1}
    for r, (near, far, direction) in enumerate(layout.walk.tolist()):
        own = layout.coordinate[far]
        leading = [(near, far)] if direction else []
        for a, b in layout.closing.tolist():
            for begin, end in ((a, b), (b, a)):
                if layout.coordinate[end] == own and layout.coordinate[begin] in known:
                    leading.append((begin, end))
        if direction and len(leading) >= MANY:
            before = nodes[far].copy()
            poses[own] = _mean_of(layout, nodes, rest, leading)
            _move_beyond(layout, r, poses, before)
            nodes = nodes_of(layout, poses)
            bent.append((min(near, far), max(near, far)))
        known |= set(layout.coordinate[min(near, far) : max(near, far) + 1].tolist())
    return bent


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


def _move_beyond(layout: Layout, step: int, poses: Pose, before: Pose) -> None:
    """Carry all that lies beyond a step of the walk along with its end, in place."""
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
    u, _, v = np.linalg.svd(mean[:3, :3])
    u[:, 2] *= np.linalg.det(u @ v)
    mean[:3, :3] = u @ v
    return np.asarray(mean)
