"""What a user should know about a result beside its status."""

import numpy as np

from flexura.model.assemble import Assembly
from flexura.model.model import Place
from flexura.typing import Wrench

COMPONENTS = ("torsion", "bending about y", "bending about z", "stretch", "shear y", "shear z")
# A component that is switched off would have turned the rod by this much [rad], or changed its
# stretch or shear by this much, before it is worth a word.
NOTABLE = 0.01
# A joint whose frames are further apart than this does not fit [rad, m].
GAP = 1e-6
# Rows of derivatives of joints that depend on each other to this part of their size are redundant;
# a joint has a share in that if its rows take at least this part of it.
DEPENDENT = 1e-9
SHARE = 1e-6


def remarks(assembly: Assembly) -> tuple[str, ...]:
    """Joints that do not fit or hold too much, and strain components that loads miss."""
    return (
        *_open_joints(assembly),
        *_redundant_joints(assembly),
        *_missing_components(assembly),
    )


def _open_joints(assembly: Assembly) -> list[str]:
    """Joints whose frames are apart."""
    joints, found = assembly.model.joints, []
    for label, x, held in zip(joints.labels, assembly.joint_motion, joints.rows, strict=True):
        angle, distance = (
            float(np.linalg.norm(part)) for part in np.split(np.where(held, x, 0.0), 2)
        )
        if max(angle, distance) > GAP:
            found.append(f"joint {label!r} is open by {distance:.3g} m and {angle:.3g} rad")
    return found


def _redundant_joints(assembly: Assembly) -> list[str]:
    """Joints that hold directions which others hold already.

    Multipliers μ with Σ μ ∂x/∂(poses) = 0 are not determined: there are as many as the rank of
    the derivatives falls short of their rows.
    """
    joints = assembly.model.joints
    if not assembly.model.joints_loop:
        return []
    left, size, _ = np.linalg.svd(assembly.joint_derivatives())
    rank = int(np.count_nonzero(size > DEPENDENT * size[0]))
    spare = left.shape[1] - rank
    if not spare:
        return []
    share = np.linalg.norm(left[:, rank:], axis=1)
    of_joint = np.repeat(np.arange(len(joints.labels)), joints.rows.sum(axis=1))
    names = [joints.labels[j] for j in np.unique(of_joint[share > SHARE]).tolist()]
    return [
        f"joints {', '.join(map(repr, names))} hold {spare} direction{'s' * (spare > 1)} more than "
        "needed; how they share the reactions there is not determined, one way is given"
    ]


def _missing_components(assembly: Assembly) -> list[str]:
    """Strain components that are switched off although loads act on them."""
    found = []
    for name in assembly.model.restrained:
        place = assembly.model.places[name]
        free, rod = assembly.model.parts[place.part].group.free, place.rod
        strain = _largest_wrench(assembly, place) / rod.stiffness(0.5 * rod.length)
        strain[:3] *= rod.length
        for c in np.flatnonzero(~free & (strain > NOTABLE)):
            size = f"{strain[c]:.2g} rad" if c < 3 else f"{100.0 * strain[c]:.2g} %"
            found.append(
                f"{COMPONENTS[c]} of rod {name!r} is switched off; its loads would make it up to "
                f"{size}: use a description that has it"
            )
    return found


def _largest_wrench(assembly: Assembly, place: Place) -> Wrench:
    """Largest sizes of the wrench in a rod, at its ends and between its elements, (6,).

    A description with components switched off ties its elements to nodes: the last six inner
    unknowns of each are the wrench there. On a loose end there is what acts on its node.
    """
    part = assembly.model.parts[place.part]
    first, stop = part.group.rod_nodes[place.index : place.index + 2]
    inside = assembly.state.inner[place.part][first + 1 : stop, -6:]
    nodes = part.begin + np.arange(first, stop)
    loose = assembly.layout.loose[nodes]
    ends = assembly.force[nodes[loose | (nodes == nodes[0])]]
    return np.asarray(np.abs(np.concatenate([inside, ends])).max(axis=0))
