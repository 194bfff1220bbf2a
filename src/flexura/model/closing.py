"""Closing linkages: least squares on the gaps of their joints [Levenberg1944, Marquardt1963].

    min |B dq + g|² + μ |dq|²:    dq = -V diag(σ/(σ² + μ)) Uᵀ g,    B = U diag(σ) Vᵀ   (theory 11.3)

with rotations in radians and translations over the longest arm. B may have any rank: with μ in
proportion to |g| it ends quadratically wherever gaps grow with the distance from closed poses, as
they do but where a linkage is stretched out. Where it ends with a gap, the linkage is as near to
closed as it gets from there.
"""

from typing import NamedTuple

import numpy as np

from flexura.lie import se3
from flexura.model.inputs import Inputs
from flexura.model.layout import Layout
from flexura.model.linkage import Linkage, Placed, rigid_linkages
from flexura.model.model import Model
from flexura.model.state import State
from flexura.typing import Array, Pose, Vector, frozen

# Gaps that rounding leaves, where positions are no larger than the longest arm.
ROUNDING = 1e-15
# Joints are closed if no more is left than this, of rotations and over the longest arm.
CLOSED = 1e-10
# Steps from one start; none turns or moves a piece by more than this, in rad and arms.
PATIENCE, REACH = 60, 1.0
# μ/|g|: at first, how it changes after steps that serve and that do not, and its bounds.
BEGIN, EASIER, HARDER, LEAST, MOST = 1e-2, 0.1, 4.0, 1e-8, 1e8
# A step serves if the square of the gaps falls by this part of what it promises.
SERVES = 1e-3
# A step that promises to lessen the square of the gaps by less than this part is the last.
VAIN = 1e-6
# Starts, each shaken further from the first one, up to this, in rad and arms. Of starts shaken by 1
# or more, one in six closes a linkage that is driven far in the worst of families: all but one of a
# thousand such linkages are closed by so many.
STARTS, SHAKEN = 48, 3.0
# Where pieces are moved to one side to begin with, it is by this part of the longest arm; of
# 0.01 to 3 all lead to the same.
ASIDE = 0.3


class Closed(NamedTuple):
    """Where closing ended.

    Attributes:
        poses: of all coordinates.
        gap: the largest that is left, of rotations and over the longest arm.
    """

    poses: Pose
    gap: float


def closed(model: Model, inputs: Inputs, state: State) -> tuple[State, float]:
    """A state with the linkages of bodies closed and their multipliers shared, and the gap left."""
    left = 0.0
    if not model.joints_loop:
        return state, left
    layout = model.layout_at(inputs)
    for linkage in model.once(rigid_linkages):
        poses, gap = close(linkage, layout, state.poses)
        nodes = np.tile(np.eye(4), (layout.n_nodes, 1, 1))
        layout.nodes(poses, nodes)
        numbers = linkage.placed(nodes).shared(state.numbers)
        state, left = State(frozen(poses), frozen(numbers), state.multipliers), max(left, gap)
    return state, left


def close(
    linkage: Linkage,
    layout: Layout,
    poses: Pose,
    starts: int = 1,
    towards: Vector | None = None,
) -> Closed:
    """Coordinates with a linkage closed, or as near to that as it came.

    Args:
        linkage: what is closed.
        layout: at the inputs.
        poses: of all coordinates, where it begins.
        starts: from how many starts it is tried, each further away.
        towards: where all its pieces are moved to begin with, a direction in world axes.
    """
    nodes = np.tile(np.eye(4), (layout.n_nodes, 1, 1))
    layout.nodes(poses, nodes)
    begin, rng = linkage.placed(nodes), np.random.default_rng(0)
    far = float(np.abs(begin.pieces[:, :3, 3]).max()) / begin.length
    first = begin if towards is None else begin.shifted(ASIDE * begin.length * towards)
    best, left = _closed(first, first.gaps(), ROUNDING * (1.0 + far))
    for k in range(1, starts):
        if left <= CLOSED:
            break
        shaken = begin.moved(SHAKEN * k / starts * rng.normal(size=6 * (len(begin.pieces) - 1)))
        tried, gap = _closed(shaken, shaken.gaps(), ROUNDING * (1.0 + far))
        best, left = (tried, gap) if gap < left else (best, left)
    moved, own = poses.copy(), linkage.coordinates
    motion = best.pieces @ se3.inverse(begin.pieces)
    moved[own] = motion[linkage.carrier] @ poses[own]
    return Closed(moved, left)


def _closed(placed: Placed, gap: Array, enough: float) -> tuple[Placed, float]:
    """A linkage as near to closed as it comes from a pose, and its largest gap."""
    left, damping, vain = float(np.linalg.norm(gap)), BEGIN, False
    for _ in range(PATIENCE):
        if vain or not enough < left < np.inf:
            break
        U, size, V = np.linalg.svd(placed.derivatives(), full_matrices=False)
        along, better = U.T @ gap, False
        while damping <= MOST and not better:
            part = size / (size**2 + damping * left)
            step = -V.T @ (part * along)
            if np.abs(step).max() <= REACH:
                promised = float(np.sum((1.0 - (1.0 - size * part) ** 2) * along**2))
                vain = promised <= VAIN * left**2
                tried = placed.moved(step)
                missed = tried.gaps()
                better = left**2 - float(missed @ missed) > SERVES * promised
            damping *= EASIER if better else HARDER
        if not better:
            break
        damping = max(LEAST, damping)
        placed, gap, left = tried, missed, float(np.linalg.norm(missed))
    return placed, float(np.abs(gap).max())
