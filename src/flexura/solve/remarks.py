"""What a user should know about a result beside its status."""

from collections.abc import Mapping
from itertools import pairwise
from math import isfinite

import numpy as np

from flexura.errors import ModelError
from flexura.model.evaluation import Evaluation
from flexura.model.inputs import Inputs
from flexura.model.linkage import DEPENDENT, rigid_linkages
from flexura.model.model import Model
from flexura.model.state import State
from flexura.result.squeezed import beyond_ends, squeezed
from flexura.rods.discretization import Discretization
from flexura.solve import remark_kernels as kernels
from flexura.solve.angle_doubt import angle_doubts
from flexura.solve.rough import rough_rods
from flexura.solve.strain_doubt import strain_doubts
from flexura.solve.switched_off import missing_components
from flexura.text import roughly
from flexura.typing import Array, Pose

# A joint whose frames are further apart than this does not fit [rad], or relative to the length.
GAP = 1e-6
BY_RODS = (
    "rods are so limp that their elements would buckle by themselves; that they are stable is told "
    "by what continuous rods would do in this shape"
)
# A joint has a share in directions that are held twice if its rows take at least this part.
SHARE = 1e-6


def remarks(
    model: Model, inputs: Inputs, state: State, evaluation: Evaluation, balanced: bool
) -> tuple[str, ...]:
    """Slips of units, joints that do not fit, elements that are squeezed, components missed.

    The last ones are told by forces, which have to be in balance.
    """
    found = [*model.robot.doubts, *angle_doubts(model, inputs), *strain_doubts(model, evaluation)]
    if len(model.joints.nodes):
        found += open_joints(model, evaluation.nodes)
        found += _redundant_joints(model, evaluation)
    if model.robot.tubes:
        found += _tubes_inside(model, inputs)
    if model.contacts is not None:
        found += model.contacts.ignored
    if model.volumes:
        found += squeezed(model, evaluation.nodes, state.numbers)
        found += beyond_ends(model, state.numbers)
    if model.restrained and balanced:
        found += missing_components(model, state, evaluation)
    return tuple(found)


def _tubes_inside(model: Model, inputs: Inputs) -> list[str]:
    """Tubes that end inside the next one: allowed, but not what most robots do."""
    found = []
    for own, places in zip(model.robot.tubes, model.insertions, strict=True):
        ends = zip(own.tubes, inputs.values[places].tolist(), strict=True)
        for (inner, here), (outer, there) in pairwise(ends):
            if here < there:
                found.append(
                    f"tube {inner.name!r} ends inside tube {outer.name!r}, {there - here:.3g} "
                    f"m before its tip: beyond that the set {own.name!r} goes on without it"
                )
    return found


def finer_rods(model: Model, factors: Mapping[str, float]) -> list[str]:
    """How fine rods should be, about, that were too coarse.

    Args:
        model: the rods.
        factors: so many times as fine each of them should be.
    """
    found = []
    for name, choice in model.rods.items():
        factor = factors[name]
        if model.parts[model.places[name].part].group.delicate:
            factor = max(factor, 2.0)
        if 1.0 < factor < np.inf:
            found.append(f"rod {name!r} is too coarse: try {_times(choice, factor)}")
    return found


def wrong_rods(model: Model, errors: Mapping[str, float]) -> list[str]:
    """By how much rods may be wrong that are too coarse, and how fine they should be.

    Args:
        model: the rods.
        errors: of the positions of some of them [m].
    """
    found = []
    for name, factor in rough_rods(model, errors).items():
        part = 100.0 * errors[name] / model.places[name].rod.length
        by = (
            f"by {errors[name]:.2g} m, {roughly(part)} % of its length"
            if isfinite(part)
            else "anywhere"
        )
        finer = _times(model.rods[name], factor)
        found.append(f"rod {name!r} is coarse, and may be wrong {by}; try {finer}")
    return found


def _times(choice: Discretization, factor: float) -> str:
    """A finer choice in words, also where there is none so fine."""
    try:
        return str(choice.finer(factor))
    except ModelError:
        return f"{factor:.1f} times what {choice} has, which is more than it can: cut the rod"


def joint_gaps(model: Model, nodes: Pose) -> Array:
    """How far the frames of each joint are apart [rad], and relative to the length, (n, 2)."""
    joints = model.joints
    open_by = np.where(joints.held, joints.motion(nodes), 0.0).reshape(-1, 2, 3)
    return np.asarray(np.linalg.norm(open_by, axis=2) / [1.0, model.length])


def open_joints(model: Model, nodes: Pose) -> list[str]:
    """Joints whose frames are apart."""
    motion, bound = model.joints.motion(nodes), 0.5 * GAP * min(1.0, model.length)
    if kernels.fit(motion, model.joints.held, bound):  # most often
        return []
    gaps = joint_gaps(model, nodes)
    return [
        f"joint {label!r} is open by {distance * model.length:.3g} m and {angle:.3g} rad"
        for label, (angle, distance) in zip(model.joints.labels, gaps.tolist(), strict=True)
        if max(angle, distance) > GAP
    ]


def _redundant_joints(model: Model, evaluation: Evaluation) -> list[str]:
    """Joints that hold directions which others hold already.

    Multipliers μ with Σ μ ∂x/∂(poses) = 0 are not determined: there are as many as the rank of
    the derivatives falls short of their rows.
    """
    if not (model.joints_loop and np.isfinite(evaluation.nodes).all()):
        return []
    found = []
    for linkage in model.once(rigid_linkages):
        left, size, _ = np.linalg.svd(linkage.placed(evaluation.nodes).derivatives())
        rank = int(np.count_nonzero(size > DEPENDENT * size[0]))
        spare = left.shape[1] - rank
        if not spare:
            continue
        joints, share = linkage.joints, np.linalg.norm(left[:, rank:], axis=1)
        of_joint = np.repeat(np.arange(len(joints.labels)), joints.brings)
        names = [joints.labels[j] for j in np.unique(of_joint[share > SHARE]).tolist()]
        found.append(
            f"joints {', '.join(map(repr, names))} hold {spare} direction{'s' * (spare > 1)} more "
            "than needed; how they share the reactions there is not determined, one way is given"
        )
    return found
