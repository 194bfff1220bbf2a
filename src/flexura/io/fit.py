"""Whether results of a file are those of their model: another version may order unknowns anew."""

import numpy as np

from flexura.errors import FileError
from flexura.io.archive import Archive
from flexura.result.integrated import IntegratedResult
from flexura.result.sequence import ResultSequence
from flexura.result.static import StaticResult, evaluated
from flexura.typing import Pose

# Poses are those of the file but for rounding, positions relative to the size of the robot; strains
# relative to 1, energies to forces times positions.
LAST_BITS = 1e-9


def check_nodes(archive: Archive, result: StaticResult) -> None:
    """Raise unless the nodes are where the unknowns put them."""
    model, nodes = result.model, result.evaluation.nodes
    layout = model.layout_at(result.given)
    free = (layout.coordinate >= 0) & ~layout.loose
    poses = result.state.poses[layout.coordinate[free]] @ layout.offset[free]
    if not _same(poses, nodes[free], model.length):
        raise _unfit(archive, "nodes are not where its unknowns put them")


def check_shapes(archive: Archive, result: StaticResult | ResultSequence) -> None:
    """Raise unless the rods of the first result have the shapes of the file."""
    several = isinstance(result, ResultSequence)
    first = result[0] if isinstance(result, ResultSequence) else result
    for rod in first.model.robot.slender:
        s = archive.array(f"rod/{rod.name}/s")
        saved = archive.array(f"rod/{rod.name}/pose")
        pose = saved[0] if several else saved
        found = first.pose(rod.name, s)
        if pose.shape != found.shape:
            raise archive.broken(f"has the shape of rod {rod.name!r} as {saved.shape}")
        if not _same(found, pose, rod.length):
            raise _unfit(archive, f"rod {rod.name!r} has another shape")


def check_energy(archive: Archive, result: StaticResult | ResultSequence) -> None:
    """Raise unless the first result stores the energy of the file, and its loads have theirs.

    A model may have the nodes and shapes of another one, and be stiffer, bent otherwise at rest, or
    pulled at other places.
    """
    first = result[0] if isinstance(result, ResultSequence) else result
    if isinstance(first, IntegratedResult):  # its model is coarser than the solution
        return
    model, saved, assembly = first.model, first.evaluation, evaluated(first)
    found = assembly.evaluation()
    reach = max(model.length, float(np.abs(saved.nodes[:, :3, 3]).max(initial=0.0)))
    least = LAST_BITS**2 * model.largest_stiffness * model.length
    for a, b in ((found.energy, saved.energy), (found.potential, saved.potential)):
        if a is None or b is None:  # moments that are fixed in space have no potential
            continue
        size = abs(a) + abs(b) + assembly.force_scale() * reach
        if abs(a - b) > LAST_BITS * size + least:
            raise _unfit(archive, f"it has an energy of {a:.6g} J, the file says {b:.6g} J")


def _same(found: Pose, saved: Pose, length: float) -> bool:
    """Whether poses are the same, (n, 4, 4), of a robot of a length."""
    away = np.abs(found - saved)
    away[:, :3, 3] /= max(length, float(np.abs(saved[:, :3, 3]).max(initial=0.0)))
    return bool((away < LAST_BITS).all())


def _unfit(archive: Archive, why: str) -> FileError:
    """The error of a file that is not of its model."""
    return archive.broken(
        f"does not fit the model: {why}, as in a file of another version, or of another model; "
        "np.load reads its numbers"
    )
